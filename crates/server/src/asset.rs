//! What browsers fetch besides pages: the tree of `web/`, the modules of the npm package and the files of the lessons,
//! embedded in release builds and read from disk in debug builds.

mod comment;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read as _};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::extract::Path;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use convoy_lessons::Course;
use flate2::Compression;
use flate2::read::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::header::ISOLATED;
use crate::language::{self, Language, kept_parts};
use crate::page::kept_pages;
use crate::raster;
use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "../../web/"]
struct Web;

/// The npm package, which the pages load for rules and engines of their own: WebAssembly inlined in modules.
#[derive(RustEmbed)]
#[folder = "../../bindings/js/lib/"]
struct Package;

/// What pages are made of: devices keep pages too, which are others when a template is.
#[derive(RustEmbed)]
#[folder = "templates/"]
struct Templates;

/// The folder of the package's modules beside those of `web/`.
const PACKAGE: &str = "lib/";
/// The folder of the files of the lessons, from which pages judge answers without a connection.
const LESSONS: &str = "lessons/";

/// The path of a file of the lessons.
pub(crate) fn lesson_path(file: &str) -> String {
    format!("{LESSONS}{file}")
}

/// The names of all files, in order.
fn names() -> Vec<String> {
    let package = Package::iter().filter(|module| is_served(module));
    let package = package.map(|name| format!("{PACKAGE}{name}"));
    let web = Web::iter().map(Cow::into_owned);
    let mut names: Vec<String> = web.chain(package).collect();
    names.sort();
    names
}

/// One name for the state of all files, so that modules may import each other by relative
/// paths and still be cached for ever.
pub(crate) fn fingerprint() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
        if cfg!(debug_assertions) {
            return "dev".to_owned();
        }
        let mut hash = Sha256::new();
        let templates = Templates::iter().filter_map(|name| Templates::get(&name));
        let mut parts: Vec<_> = templates.map(|file| file.metadata.sha256_hash()).collect();
        parts.sort_unstable();
        for name in names() {
            hash.update(name.as_bytes());
            parts.extend(file(&name).map(|file| file.metadata.sha256_hash()));
        }
        let lessons = Course::files().into_iter();
        let lessons = lessons.filter_map(|name| Course::file(&name));
        parts.extend(lessons.map(|text| <[u8; 32]>::from(Sha256::digest(text))));
        hash.update(parts.concat());
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
        Some(module) if is_served(module) => Package::get(module),
        Some(_) => None,
        None => Web::get(path),
    }
}

/// Whether pages may load a file of the package. What `<convoy-board>` is packed of lies there only after its tests, and is
/// a copy of what `web/` has.
fn is_served(module: &str) -> bool {
    is_code(module) && !module.starts_with("board/")
}

/// Whether a file is a module of JavaScript or of WebAssembly.
fn is_code(path: &str) -> bool {
    let kind = content_type(path);
    kind.starts_with("text/javascript") || kind == WASM
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

/// Whether a file is kept packed: modules of the package, and WebAssembly wherever it lies.
fn is_packed(path: &str) -> bool {
    path.starts_with(PACKAGE) || content_type(path) == WASM
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

/// The widths of the icon in pixels: for home screens, and for an app's first picture.
const ICONS: [u32; 3] = [180, 192, 512];

/// The icon as pixels: `icon-192.png`.
fn icon(path: &str) -> Option<Vec<u8>> {
    let width = path.strip_prefix("icon-")?.strip_suffix(".png")?;
    let width = ICONS.into_iter().find(|known| known.to_string() == width)?;
    let svg = read("favicon.svg")?;
    raster::png_of_width(str::from_utf8(&svg).ok()?, width)
}

/// What is made of files: catalogues as JSON, icons, and lessons.
fn made(path: &str) -> Option<Vec<u8>> {
    if let Some(name) = path.strip_prefix(LESSONS) {
        // Only names that are listed: in debug builds the file is read from disk.
        let known = Course::files().into_iter().find(|known| known == name)?;
        return Course::file(&known).map(String::into_bytes);
    }
    let name = path.strip_prefix("messages/");
    match name.and_then(|name| name.strip_suffix(".json")) {
        Some(name) => language::messages(name).map(String::into_bytes),
        None => icon(path),
    }
}

/// Files as they are sent: packed where the browser takes that.
async fn body(path: &str, headers: &HeaderMap) -> Option<(Bytes, bool)> {
    if let Some(bytes) = made(path) {
        return Some((bytes.into(), false));
    }
    let file = file(path)?;
    if takes_gzip(headers) && is_packed(path) {
        // A megabyte takes a while.
        let packed = tokio::task::spawn_blocking({
            let file = file.clone();
            move || gzip(&file)
        });
        if let Ok(Ok(bytes)) = packed.await {
            return Some((bytes, true));
        }
    }
    let kind = content_type(path);
    let is_text = kind.starts_with("text/javascript") || kind.starts_with("text/css");
    let bytes = match str::from_utf8(&file.data) {
        Ok(text) if is_text && !path.starts_with(PACKAGE) => comment::strip(text).into_bytes(),
        _ => file.data.into_owned(),
    };
    Some((bytes.into(), false))
}

/// `GET /assets/{fingerprint}/{*path}`
pub(crate) async fn serve(
    Path((print, path)): Path<(String, String)>,
    asked: HeaderMap,
) -> Response {
    let Some((bytes, packed)) = body(&path, &asked).await else {
        return Refusal::NoSuchPage.into_response();
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

/// What of `web/` and of the package the pages need that devices keep.
fn is_kept(name: &str) -> bool {
    const LEFT_OUT: [&str; 7] = [
        "i18n/",
        "tsconfig.json",
        "js/service-worker.js",
        "lib/compat",
        "lib/stack.js",
        "lib/wasm/stack.js",
        "lib/worker-node.js",
    ];
    !name.ends_with(".d.ts") && !LEFT_OUT.iter().any(|start| name.starts_with(start))
}

/// `GET /service-worker.js`: the script, and before it what there is to keep. It changes whenever a file does.
pub(crate) async fn service_worker() -> Response {
    let messages = Language::ALL.into_iter().flat_map(|language| {
        kept_parts().map(move |part| format!("messages/{language}{part}.json"))
    });
    let names = names().into_iter().filter(|name| is_kept(name));
    let lessons = Course::files();
    let lessons = lessons.iter().map(|file| lesson_path(file));
    let files = names.chain(messages).chain(lessons);
    let kept = json!({
        "version": fingerprint(),
        "files": files.map(|name| url(&name)).collect::<Vec<_>>(),
        "pages": kept_pages(),
        "languages": Language::ALL.map(Language::tag),
    });
    let script = read("js/service-worker.js").unwrap_or_default();
    let text = format!("const KEPT = {kept};\n{}", String::from_utf8_lossy(&script));
    let headers = [
        (header::CONTENT_TYPE, content_type("js/service-worker.js")),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

/// The type that browsers want of WebAssembly which they compile while it arrives.
const WASM: &str = "application/wasm";

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "wasm" => WASM,
        "woff2" => "font/woff2",
        "ftl" | "toml" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::lesson_pages;

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
    fn the_icon_becomes_pixels() {
        for width in ICONS {
            let png = made(&format!("icon-{width}.png")).unwrap();
            assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
            assert_eq!(png[16..20], width.to_be_bytes());
        }
        assert!(made("icon-7.png").is_none() && made("icon-0192.png").is_none());
    }

    #[test]
    fn devices_keep_what_pages_need() {
        for name in [
            "js/game.js",
            "css/board.css",
            "lib/wasm/engine.js",
            "lib/wasm/table.js",
            "lib/wasm/tractor.js",
            "favicon.svg",
        ] {
            assert!(is_kept(name) && file(name).is_some(), "{name}");
        }
        for name in ["i18n/en.ftl", "lib/compat/game.js", "lib/engine.d.ts"] {
            assert!(!is_kept(name), "{name}");
        }
    }

    #[test]
    fn what_the_element_is_packed_of_is_no_file_of_the_pages() {
        assert!(is_served("board.js") && is_served("wasm/engine.js"));
        assert!(!is_served("board/element.js") && !is_served("engine.d.ts"));
        let names = names();
        assert!(names.iter().all(|name| file(name).is_some()), "{names:?}");
    }

    #[test]
    fn lessons_are_files_too() {
        let text = made("lessons/cotulenh/01-board.toml").unwrap();
        assert!(text.starts_with(b"title.en"));
        for bad in ["lessons/", "lessons/../Cargo.toml", "lessons/cotulenh"] {
            assert!(made(bad).is_none(), "{bad}");
        }
        let pages = lesson_pages();
        assert!(pages.contains(&"/learn/cotulenh/board".to_owned()));
        assert_eq!(pages.len(), Course::files().len() + 2);
    }

    #[test]
    fn devices_keep_the_pages_of_all_games() {
        let pages = kept_pages();
        for page in [
            "/offline",
            "/offline/game",
            "/offline/review",
            "/offline/tractor",
            "/analysis",
            "/editor",
            "/rules/cotulenh",
            "/rules/tractor",
            "/learn",
        ] {
            assert!(pages.iter().any(|kept| kept == page), "{page}");
        }
        let parts: Vec<String> = kept_parts().collect();
        assert_eq!(parts, ["", ".learn", ".review", ".tractor"]);
    }

    #[test]
    fn web_assembly_has_its_type_and_is_packed() {
        assert_eq!(content_type("lib/wasm/rules.wasm"), "application/wasm");
        for path in ["js/rules.wasm", "lib/wasm/rules.wasm", "lib/wasm/engine.js"] {
            assert!(is_code(path) && is_packed(path), "{path}");
        }
        assert!(!is_packed("js/game.js") && !is_code("engine.d.ts"));
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
