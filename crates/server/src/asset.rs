//! What browsers fetch besides pages: the tree of `web/` and the modules of the npm package, embedded in
//! release builds and read from disk in debug builds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read as _};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::extract::Path;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest as _, Sha256};

use crate::header::ISOLATED;
use crate::language;

#[derive(RustEmbed)]
#[folder = "../../web/"]
struct Web;

/// The npm package, which the pages load for rules and engines of their own: WebAssembly inlined in modules.
#[derive(RustEmbed)]
#[folder = "../../bindings/js/lib/"]
struct Package;

/// The folder of the package's modules beside those of `web/`.
const PACKAGE: &str = "lib/";

/// One name for the state of all files, so that modules may import each other by relative
/// paths and still be cached for ever.
pub(crate) fn fingerprint() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
        if cfg!(debug_assertions) {
            return "dev".to_owned();
        }
        let package = Package::iter().map(|name| Cow::Owned(format!("{PACKAGE}{name}")));
        let mut names: Vec<_> = Web::iter().chain(package).collect();
        names.sort();
        let mut hash = Sha256::new();
        for name in names {
            hash.update(name.as_bytes());
            hash.update(file(&name).map_or([0; 32], |file| file.metadata.sha256_hash()));
        }
        hex(&hash.finalize()[..6])
    });
    &FINGERPRINT
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

/// The address of a file of `web/`.
pub(crate) fn url(path: &str) -> String {
    format!("/assets/{}/{path}", fingerprint())
}

/// The bytes of a file of `web/`.
pub(crate) fn read(path: &str) -> Option<Cow<'static, [u8]>> {
    file(path).map(|file| file.data)
}

/// A file of `web/`, or a module of the package.
fn file(path: &str) -> Option<EmbeddedFile> {
    // A path that climbs is no path of ours, whatever the platform makes of it.
    let plain =
        |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
    if !path.split('/').all(plain) {
        return None;
    }
    match path.strip_prefix(PACKAGE) {
        Some(module) => Package::get(module).filter(|_| module.ends_with(".js")),
        None => Web::get(path),
    }
}

/// A file as gzip, which is made once for as long as the process lives: the engines are large.
fn gzip(file: &EmbeddedFile) -> io::Result<Bytes> {
    static PACKED: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);
    let packed = || PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = file.metadata.sha256_hash();
    if let Some(known) = packed().get(&hash) {
        return Ok(known.clone());
    }
    let mut bytes = Vec::new();
    GzEncoder::new(&*file.data, Compression::best()).read_to_end(&mut bytes)?;
    let bytes = Bytes::from(bytes);
    packed().insert(hash, bytes.clone());
    Ok(bytes)
}

/// Whether a browser takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut words = all.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    words.any(|word| {
        let mut parts = word.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        named && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Files as they are sent: packed where the browser takes that.
async fn body(path: &str, headers: &HeaderMap) -> Option<(Bytes, bool)> {
    let tag = path
        .strip_prefix("messages/")
        .and_then(|name| name.strip_suffix(".json"));
    if let Some(tag) = tag {
        return language::messages(tag).map(|json| (json.into(), false));
    }
    let file = file(path)?;
    if takes_gzip(headers) && path.starts_with(PACKAGE) {
        // A megabyte takes a while.
        let packed = tokio::task::spawn_blocking({
            let file = file.clone();
            move || gzip(&file)
        });
        if let Ok(Ok(bytes)) = packed.await {
            return Some((bytes, true));
        }
    }
    Some((file.data.into_owned().into(), false))
}

/// `GET /assets/{fingerprint}/{*path}`
pub(crate) async fn serve(
    Path((print, path)): Path<(String, String)>,
    asked: HeaderMap,
) -> Response {
    let Some((bytes, packed)) = body(&path, &asked).await else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    // An old page may ask for an old fingerprint: it gets the present file, but may not keep it.
    let keep = !cfg!(debug_assertions) && print == fingerprint();
    let cache = if keep {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, content_type(&path)),
        (header::CACHE_CONTROL, cache),
    ];
    let mut response = (headers, bytes).into_response();
    let headers = response.headers_mut();
    if path.ends_with("worker.js") {
        let (name, value) = ISOLATED;
        headers.insert(name, HeaderValue::from_static(value));
    }
    if packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}

/// `GET /favicon.ico`
pub(crate) async fn favicon() -> Response {
    let path = (fingerprint().to_owned(), "favicon.svg".to_owned());
    serve(Path(path), HeaderMap::new()).await
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "ftl" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_climbs_finds_nothing() {
        assert!(read("i18n/en.ftl").is_some());
        for path in [
            "../Cargo.toml",
            "i18n/../../Cargo.toml",
            "/etc/passwd",
            "",
            "i18n",
            "i18n\\en.ftl",
            "lib/../package.json",
            "lib/engine.d.ts",
        ] {
            assert!(read(path).is_none(), "{path}");
        }
        assert!(read("lib/engine.js").is_some());
    }

    #[test]
    fn gzip_is_sent_to_whoever_takes_it() {
        let of = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            takes_gzip(&headers)
        };
        for yes in ["gzip", "br, GZIP;q=0.5", "deflate,gzip ; q=1"] {
            assert!(of(yes), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"] {
            assert!(!of(no), "{no}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
