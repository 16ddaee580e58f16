//! The lines that other programs send, each of bounded length.

use std::io::{self, BufRead, Read as _};

use convoy_protocol::LONGEST_LINE;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line.
    Text,
    /// A line of which nothing is kept.
    TooLong,
    /// Nothing more.
    End,
}

/// Reads the next line into `line`, with the line break that ends it.
pub(crate) fn read(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let most = LONGEST_LINE as u64 + b"\r\n".len() as u64;
    if input.by_ref().take(most).read_until(b'\n', line)? == 0 {
        return Ok(Line::End);
    }
    let text = line.strip_suffix(b"\n");
    let is_whole = text.is_some();
    let text = text.map_or(&line[..], |text| text.strip_suffix(b"\r").unwrap_or(text));
    if text.len() <= LONGEST_LINE {
        return Ok(Line::Text);
    }
    if !is_whole {
        input.skip_until(b'\n')?;
    }
    line.clear();
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a text of so many letters with an end, and of the line after it.
    fn first_two(letters: usize, end: &str) -> [Line; 2] {
        let mut bytes = vec![b'x'; letters];
        bytes.extend_from_slice(end.as_bytes());
        let (mut input, mut line) = (&bytes[..], Vec::new());
        [(); 2].map(|()| read(&mut input, &mut line).unwrap())
    }

    #[test]
    fn a_line_of_a_mebibyte_is_read_however_it_ends_and_a_longer_one_is_not() {
        for end in ["\n", "\r\n"] {
            let next = &format!("{end}next");
            assert_eq!(first_two(LONGEST_LINE, next), [Line::Text, Line::Text]);
            for longer in [LONGEST_LINE + 1, LONGEST_LINE + 2, 3 * LONGEST_LINE] {
                assert_eq!(first_two(longer, next), [Line::TooLong, Line::Text]);
            }
        }
        assert_eq!(first_two(LONGEST_LINE, ""), [Line::Text, Line::End]);
        assert_eq!(first_two(LONGEST_LINE + 1, ""), [Line::TooLong, Line::End]);
    }
}
