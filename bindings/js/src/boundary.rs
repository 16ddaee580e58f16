//! How texts and lists cross from JavaScript and back: through two buffers that both sides know.

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A buffer that grew beyond this is given back before it is used again.
const KEPT: usize = 1 << 20;

/// Gives functions the names by which JavaScript calls them.
macro_rules! exports {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty $body:block)+) => {$(
        $(#[$attribute])*
        #[allow(unsafe_code, reason = "a name that JavaScript finds; nothing else has it")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $kind),*) -> $answer $body
    )+};
}

pub(crate) use exports;

exports! {
    /// Makes room for so many bytes of input, and answers where they go.
    fn input(length: u32) -> *mut u8 {
        INPUT.with_borrow_mut(|input| {
            input.clear();
            if input.capacity() > KEPT {
                input.shrink_to(KEPT);
            }
            input.resize(length as usize, 0);
            input.as_mut_ptr()
        })
    }

    /// Where the last answer or error lies.
    fn output() -> *const u8 {
        OUTPUT.with_borrow(Vec::as_ptr)
    }
}

/// Why a call failed, as the JSON text that JavaScript reads.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with a code of this boundary's own.
    pub fn new(code: &str, message: &str) -> Self {
        Self(serde_json::json!({ "code": code, "message": message }).to_string())
    }
}

/// A failure that has a code, a message and whatever else.
impl From<serde_json::Value> for Failure {
    fn from(value: serde_json::Value) -> Self {
        Self(value.to_string())
    }
}

impl From<convoy_protocol::Error> for Failure {
    fn from(error: convoy_protocol::Error) -> Self {
        let text = serde_json::to_string(&error);
        Self(text.unwrap_or_else(|_| format!("{{\"code\":\"{}\"}}", error.code.word())))
    }
}

/// Lets a function append its answer to the output; the number of its bytes, or, below zero, those of the error.
pub fn answer(write: impl FnOnce(&mut Vec<u8>) -> Result<(), Failure>) -> i32 {
    // Taken, not borrowed: a trap in the middle leaves the buffers usable.
    let mut output = OUTPUT.take();
    output.clear();
    if output.capacity() > KEPT {
        output.shrink_to(KEPT);
    }
    let length = match write(&mut output) {
        Ok(()) => length(&output),
        Err(Failure(text)) => {
            output.clear();
            output.extend_from_slice(text.as_bytes());
            -length(&output)
        }
    };
    OUTPUT.set(output);
    length
}

/// Like [`answer`], for a function that reads the input.
pub fn answer_bytes(write: impl FnOnce(&[u8], &mut Vec<u8>) -> Result<(), Failure>) -> i32 {
    answer(|output| {
        let input = INPUT.take();
        let written = write(&input, output);
        INPUT.set(input);
        written
    })
}

/// Like [`answer`], for a function that reads the input as text.
pub fn answer_text(write: impl FnOnce(&str, &mut Vec<u8>) -> Result<(), Failure>) -> i32 {
    answer_bytes(|input, output| match str::from_utf8(input) {
        Ok(text) => write(text, output),
        Err(_) => Err(convoy_protocol::Error::not_utf8().into()),
    })
}

fn length(output: &[u8]) -> i32 {
    i32::try_from(output.len()).unwrap_or(i32::MAX)
}

/// Appends a text to the output.
pub fn put_text(output: &mut Vec<u8>, text: &str) {
    output.extend_from_slice(text.as_bytes());
}

/// Appends a number to the output.
pub fn put_word(output: &mut Vec<u8>, word: u32) {
    output.extend_from_slice(&word.to_le_bytes());
}

/// Appends a value to the output as JSON.
pub fn put_json(value: &impl serde::Serialize, output: &mut Vec<u8>) -> Result<(), Failure> {
    serde_json::to_writer(output, value)
        .map_err(|error| Failure::new("internal", &error.to_string()))
}
