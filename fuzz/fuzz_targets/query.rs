//! The binary has no library face, so its module is taken as it is.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/cli/src"]
mod cli {
    pub(crate) mod query;
}

// Its modules call it by this name.
use cli::query;

libfuzzer_sys::fuzz_target!(|line: &[u8]| {
    // Depth is the one thing a request may ask too much of.
    let deep = serde_json::from_slice::<serde_json::Value>(line)
        .is_ok_and(|request| request["depth"].as_u64().is_some_and(|depth| depth > 2));
    if deep {
        return;
    }
    let answer = query::respond(line);
    assert!(serde_json::from_str::<serde_json::Value>(&answer).is_ok(), "{answer}");
});
