//! Lines of `convoy query` about Tractor: each gets one JSON object back, never a panic.
#![no_main]

use convoy_protocol::{answer_line, tractor};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn check(line: &[u8]) {
    let mut answer = Vec::new();
    answer_line(line, &mut answer);
    assert!(serde_json::from_slice::<Value>(&answer).is_ok_and(|answer| answer.is_object()));
}

fuzz_target!(|bytes: &[u8]| {
    let [op, line @ ..] = bytes else { return };
    check(line);
    // The same fields under an op that is sure to be known.
    if let Ok(Value::Object(mut request)) = serde_json::from_slice(line) {
        let ops = tractor::Request::OPS;
        request.insert("game".into(), "tractor".into());
        request.insert("op".into(), ops[usize::from(*op) % ops.len()].name.into());
        check(Value::Object(request).to_string().as_bytes());
    }
});
