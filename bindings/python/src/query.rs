//! The rule surface of `convoy query`.

use convoy_protocol::{answer_line, read_line, write_answer};
use pyo3::prelude::*;

use crate::errors::refused;

/// Answers one line as `convoy query` does: whatever it holds, the answer is a line of JSON.
#[pyfunction]
fn query_line(py: Python<'_>, line: &[u8]) -> String {
    let answer = py.detach(|| {
        let mut answer = Vec::new();
        answer_line(line.trim_ascii(), &mut answer);
        answer
    });
    String::from_utf8_lossy(&answer).into_owned()
}

/// Answers one question; one that cannot be answered is an exception.
#[pyfunction]
fn query_checked(py: Python<'_>, line: &str) -> PyResult<String> {
    let answer = py.detach(|| {
        let (id, request) = read_line(line);
        let mut answer = Vec::new();
        write_answer(id.as_ref(), &request?, &mut answer)?;
        Ok(answer)
    });
    let answer = answer.map_err(|error| refused(&error))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(query_line, module)?)?;
    module.add_function(wrap_pyfunction!(query_checked, module)?)
}
