#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| convoy_fuzz_checks::fen(text));
