//! Lines of `convoy query` about Tractor: each gets one JSON object back, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The binary has no library face, so its module is taken as it is.
#[allow(dead_code)]
#[path = "../../crates/cli/src"]
mod cli {
    pub(crate) mod query;
}

const OPS: [&str; 12] = [
    "combo", "identify", "cmp", "memory", "lead", "follow", "trick", "throw", "score", "kitty", "decl", "round",
];

fuzz_target!(|bytes: &[u8]| {
    let [op, line @ ..] = bytes else { return };
    let answer = cli::query::respond(line);
    assert!(serde_json::from_str::<serde_json::Value>(&answer).is_ok_and(|answer| answer.is_object()));
    // The same fields under an op that is sure to be known.
    if let Ok(serde_json::Value::Object(mut request)) = serde_json::from_slice(line) {
        request.insert("game".into(), "tractor".into());
        request.insert("op".into(), OPS[usize::from(*op) % OPS.len()].into());
        let answer = cli::query::respond(serde_json::Value::Object(request).to_string().as_bytes());
        assert!(serde_json::from_str::<serde_json::Value>(&answer).is_ok_and(|answer| answer.is_object()));
    }
});
