//! What browsers fetch besides pages: the tree of `web/`, embedded in release builds and read from
//! disk in debug builds.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::language;

#[derive(RustEmbed)]
#[folder = "../../web/"]
struct Web;

/// One name for the state of the whole tree, so that modules may import each other by relative
/// paths and still be cached for ever.
pub(crate) fn fingerprint() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
        if cfg!(debug_assertions) {
            return "dev".to_owned();
        }
        let mut names: Vec<_> = Web::iter().collect();
        names.sort();
        let mut hash = Sha256::new();
        for name in names {
            hash.update(name.as_bytes());
            hash.update(Web::get(&name).map_or([0; 32], |file| file.metadata.sha256_hash()));
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
    // A path that climbs is no path of ours, whatever the platform makes of it.
    let plain =
        |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
    if !path.split('/').all(plain) {
        return None;
    }
    Web::get(path).map(|file| file.data)
}

/// `GET /assets/{fingerprint}/{*path}`
pub(crate) async fn serve(Path((print, path)): Path<(String, String)>) -> Response {
    let messages = path
        .strip_prefix("messages/")
        .and_then(|name| name.strip_suffix(".json"));
    let found = match messages {
        Some(name) => language::messages(name).map(|json| Cow::Owned(json.into_bytes())),
        None => read(&path),
    };
    let Some(bytes) = found else {
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
    (headers, bytes.into_owned()).into_response()
}

/// `GET /favicon.ico`
pub(crate) async fn favicon() -> Response {
    serve(Path((fingerprint().to_owned(), "favicon.svg".to_owned()))).await
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
        ] {
            assert!(read(path).is_none(), "{path}");
        }
    }
}
