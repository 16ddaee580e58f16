//! Messages that only a node can have written.

use std::collections::HashMap;
use std::sync::Mutex;

use serde::de::DeserializeOwned;

use super::lock;
use crate::asset::hex;
use crate::id;
use crate::room::unix_now;
use crate::session::Key;

/// A request that is older, in milliseconds, is not served: whoever asked has given it up. The clocks
/// of the nodes must agree as well as that.
const EXPIRY: i64 = 5_000;

/// Signs messages and checks signatures, by the key that all nodes read from the database.
#[derive(Debug)]
pub(super) struct Seal {
    key: Key,
    seen: Mutex<Seen>,
}

/// Messages that were heard once and count no more.
#[derive(Debug, Default)]
struct Seen {
    nonces: HashMap<String, i64>,
    /// When those that have expired were last forgotten.
    swept: i64,
}

/// What is signed of a message: where it goes, when it was written in milliseconds of Unix time, what
/// makes it unlike any other, and what it says.
fn signed(subject: &str, at: i64, nonce: &str, body: &str) -> String {
    format!("{subject} {at} {nonce} {body}")
}

impl Seal {
    pub(super) fn new(key: Key) -> Self {
        Self {
            key,
            seen: Mutex::default(),
        }
    }

    /// A message for a subject, with proof that a node wrote it.
    pub(super) fn seal(&self, subject: &str, body: &str) -> Vec<u8> {
        let (at, nonce) = (unix_now(), hex(&id::random::<12>()));
        let text = signed(subject, at, &nonce, body);
        let signature = self.key.sign("node", &text);
        format!("{at} {nonce} {signature}\n{body}").into_bytes()
    }

    /// What a message says that a node has written for this subject, and when and how it is unlike
    /// any other.
    fn verified<'a>(&self, subject: &str, payload: &'a [u8]) -> Option<(i64, &'a str, &'a str)> {
        let (head, body) = std::str::from_utf8(payload).ok()?.split_once('\n')?;
        let mut words = head.split(' ');
        let (at, nonce) = (words.next()?.parse::<i64>().ok()?, words.next()?);
        let signed = signed(subject, at, nonce, body);
        let is_ours = self.key.verifies("node", &signed, words.next()?);
        if !is_ours {
            tracing::warn!(subject, "a message that no node has signed was ignored");
        }
        is_ours.then_some((at, nonce, body))
    }

    /// The text of a message for whom a repetition does no harm.
    pub(super) fn open_text<'a>(&self, subject: &str, payload: &'a [u8]) -> Option<&'a str> {
        let (_, _, body) = self.verified(subject, payload)?;
        Some(body)
    }

    /// The same, as data.
    pub(super) fn open<T: DeserializeOwned>(&self, subject: &str, payload: &[u8]) -> Option<T> {
        serde_json::from_str(self.open_text(subject, payload)?).ok()
    }

    /// A message that was written a short while ago and is read for the first time.
    pub(super) fn open_once<T: DeserializeOwned>(
        &self,
        subject: &str,
        payload: &[u8],
    ) -> Option<T> {
        let (at, nonce, body) = self.verified(subject, payload)?;
        let now = unix_now();
        if (now - at).abs() > EXPIRY {
            tracing::warn!(subject, "a message came too late and was ignored");
            return None;
        }
        let mut seen = lock(&self.seen);
        if now - seen.swept > EXPIRY {
            seen.swept = now;
            seen.nonces.retain(|_, at| now - *at <= EXPIRY);
        }
        let is_first = seen.nonces.insert(nonce.to_owned(), at).is_none();
        drop(seen);
        is_first.then(|| serde_json::from_str(body).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_counts_once_at_its_subject() {
        let key = Key::from_text(&Key::fresh_text());
        let (seal, other) = (Seal::new(key.clone()), Seal::new(key));
        let sent = seal.seal("node.a", "7");
        assert_eq!(
            other.open_once::<u8>("node.b", &sent),
            None,
            "meant for another"
        );
        assert_eq!(other.open_once("node.a", &sent), Some(7));
        assert_eq!(other.open_once::<u8>("node.a", &sent), None, "repeated");
        assert_eq!(other.open("node.a", &sent), Some(7), "does no harm twice");
        let stranger = Seal::new(Key::from_text(&Key::fresh_text()));
        assert_eq!(stranger.open::<u8>("node.a", &sent), None);
        let changed: Vec<u8> = [&sent[..sent.len() - 1], b"8"].concat();
        assert_eq!(other.open::<u8>("node.a", &changed), None);
        for bad in [&b""[..], b"\n", b"1 2\n3", &[0xff, b'\n']] {
            assert_eq!(other.open::<u8>("node.a", bad), None);
        }
    }
}
