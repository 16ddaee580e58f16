//! Every op of the protocol about Cờ Tư Lệnh, as JSON: what a board asks that knows no rules.

use crate::boundary::{answer_text, exports};

exports! {
    /// Answers a request: the input is the name of the op, a line break, and its fields as a JSON object.
    fn cotulenh_query() -> i32 {
        answer_text(|text, output| {
            let (op, fields) = text.split_once('\n').unwrap_or((text, "{}"));
            let request = convoy_protocol::cotulenh::Request::read(op, fields)?;
            Ok(request.write_answer(output)?)
        })
    }
}
