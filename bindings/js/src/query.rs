//! Every op of the protocol, as JSON.

use crate::boundary::{answer_text, exports};

exports! {
    /// Answers a request about Cờ Tư Lệnh: the input is the name of the op, a line break, and its fields as a
    /// JSON object.
    #[cfg(feature = "cotulenh")]
    fn cotulenh_query() -> i32 {
        answer_text(|text, output| {
            let (op, fields) = text.split_once('\n').unwrap_or((text, "{}"));
            let request = convoy_protocol::cotulenh::Request::read(op, fields)?;
            Ok(request.write_answer(output)?)
        })
    }

    /// The same about Tractor.
    #[cfg(feature = "tractor")]
    fn tractor_query() -> i32 {
        answer_text(|text, output| {
            let (op, fields) = text.split_once('\n').unwrap_or((text, "{}"));
            let request = convoy_protocol::tractor::Request::read(op, fields)?;
            Ok(request.write_answer(output)?)
        })
    }
}
