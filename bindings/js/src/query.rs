//! Every op of the protocol about Tractor, as JSON.

use crate::boundary::{answer_text, exports};

exports! {
    /// Answers a request: the input is the name of the op, a line break, and its fields as a JSON object.
    fn tractor_query() -> i32 {
        answer_text(|text, output| {
            let (op, fields) = text.split_once('\n').unwrap_or((text, "{}"));
            let request = convoy_protocol::tractor::Request::read(op, fields)?;
            Ok(request.write_answer(output)?)
        })
    }
}
