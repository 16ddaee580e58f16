//! Lines of `convoy query`: each gets one JSON object back, never a panic.
#![no_main]

use convoy_protocol::answer_line;
use serde_json::Value;

libfuzzer_sys::fuzz_target!(|line: &[u8]| {
    // Depth is the one thing a request may ask too much of.
    let deep = serde_json::from_slice::<Value>(line)
        .is_ok_and(|request| request["depth"].as_u64().is_some_and(|depth| depth > 2));
    if deep {
        return;
    }
    let mut answer = Vec::new();
    answer_line(line, &mut answer);
    assert!(serde_json::from_slice::<Value>(&answer).is_ok_and(|answer| answer.is_object()));
});
