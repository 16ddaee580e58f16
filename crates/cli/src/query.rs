//! `convoy query`: the rules for every other language, one JSON object a line.

use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::Context as _;
use convoy_protocol::{answer_line, refuse_long_line};

use crate::line::{self, Line};

/// One JSON object per line on stdin, one per line on stdout, in order, with `id` echoed if given.
/// A bad line is answered with an error, and the next one is read.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"game\":\"cotulenh\",\"op\":\"combine\",\"pieces\":\"NFT\"}' | convoy query"
)]
pub(crate) struct Args {}

/// Serves stdin until it ends.
pub(crate) fn run(_: &Args) -> anyhow::Result<()> {
    match serve(io::stdin().lock(), io::stdout().lock()) {
        // Whoever asked has gone: nothing is left to answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("query"),
    }
}

/// Answers line by line. Output is flushed whenever no further line is at hand, so that a
/// program that waits for each answer gets it, and one that sends thousands is not slowed.
fn serve(input: impl Read, output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        answer.clear();
        match line::read(&mut input, &mut line)? {
            Line::End => return output.flush(),
            Line::TooLong => refuse_long_line(&mut answer),
            Line::Text if line.trim_ascii().is_empty() => {}
            Line::Text => answer_line(line.trim_ascii(), &mut answer),
        }
        if !answer.is_empty() {
            answer.push(b'\n');
            output.write_all(&answer)?;
        }
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn ask(lines: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        serve(lines, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn a_bad_line_is_refused_and_the_next_one_served() {
        let answers = ask(b"{\n\xff\n\n{\"id\":7,\"game\":\"go\",\"op\":\"moves\"}\n[]");
        assert_eq!(answers.len(), 4);
        assert_eq!(answers[1]["error"]["message"], "the line is not UTF-8");
        assert_eq!(answers[2]["id"], 7);
        assert_eq!(answers[2]["error"]["code"], "unknown-game");
        assert_eq!(answers[3]["error"]["code"], "malformed");
    }

    #[test]
    fn an_endless_line_is_refused_without_being_kept() {
        let mut lines = vec![b'x'; 3 << 20];
        lines.extend_from_slice(b"\n{}\n");
        let answers = ask(&lines);
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0]["error"]["code"], "too-long");
    }
}
