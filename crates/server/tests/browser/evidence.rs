//! What is kept of a page when its test fails: how it looked and what it said, in
//! `target/browser-failures`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;

use super::cdp::Page;

/// The name of the test that runs on this thread.
pub(crate) fn test_name() -> String {
    let thread = std::thread::current();
    thread.name().unwrap_or("main").to_owned()
}

fn folder(test: &str) -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let target = scratch.parent().unwrap_or(scratch);
    target
        .join("browser-failures")
        .join(test.replace("::", "."))
}

/// Keeps a picture and the text of a page. The test is failing already, so nothing here may panic:
/// what cannot be had is left out.
pub(crate) fn keep(page: &Page) {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let folder = folder(page.test());
    // The thread that unwinds belongs to the runtime and may not wait for it.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (shot, text) = runtime.block_on(async { (page.shot().await, text(page).await) });
            let _ = std::fs::create_dir_all(&folder);
            let file = |ending: &str| folder.join(format!("page-{number}.{ending}"));
            if let Ok(png) = shot {
                let _ = std::fs::write(file("png"), png);
            }
            let _ = std::fs::write(file("txt"), text);
            eprintln!("the page is kept in {}", file("{png,txt}").display());
        });
    });
}

/// Where the page is, what it has complained about, what it says, and how it is made.
async fn text(page: &Page) -> String {
    let ask = "[location.href, document.title, document.body.innerText, document.documentElement.outerHTML].join('\\n\\n')";
    let params = json!({ "expression": ask, "returnByValue": true });
    // A page that hangs is kept without its text.
    let answer = page
        .ask("Runtime.evaluate", params, Duration::from_secs(20))
        .await;
    let said = match &answer {
        Ok(answer) => answer["result"]["value"].as_str().unwrap_or_default(),
        Err(why) => why,
    };
    format!("{}\n\n{said}\n", page.complaints().join("\n"))
}

/// Base64, as the protocol wraps pictures.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for six in text.bytes().filter_map(value) {
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits & 255) as u8);
        }
    }
    out
}
