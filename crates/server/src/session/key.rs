//! What signs cookies and forms.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::asset::hex;
use crate::id;

/// The key that signs; made once and kept in the storage.
#[derive(Clone)]
pub(crate) struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// The key that a storage holds.
    pub(crate) fn from_text(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// A text for a new key.
    pub(crate) fn fresh_text() -> String {
        hex(&id::random::<32>())
    }

    fn mac(&self, purpose: &str, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length is a key");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac
    }

    /// The signature of a text: 64 hexadecimal digits in lower case.
    pub(crate) fn sign(&self, purpose: &str, text: &str) -> String {
        hex(&self.mac(purpose, text).finalize().into_bytes())
    }

    /// Whether this is the signature to the letter, in a time that does not tell how much of it was
    /// right.
    pub(crate) fn verifies(&self, purpose: &str, text: &str, signature: &str) -> bool {
        let digit = |byte: &u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let digits: Option<Vec<u8>> = signature.as_bytes().iter().map(digit).collect();
        let Some(digits) = digits.filter(|digits| digits.len() == 64) else {
            return false;
        };
        let bytes: Vec<u8> = digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect();
        self.mac(purpose, text).verify_slice(&bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_our_own_signature_is_believed() {
        let (ours, theirs) = (Key::from_text("a"), Key::from_text("b"));
        let signature = ours.sign("session", "g0");
        assert!(ours.verifies("session", "g0", &signature));
        assert!(!ours.verifies("form", "g0", &signature));
        assert!(!ours.verifies("session", "g1", &signature));
        assert!(!theirs.verifies("session", "g0", &signature));
        let upper = signature.to_uppercase();
        let plus = format!("+{}", &signature[1..]);
        let padded = format!(" {signature}");
        let longer = format!("{signature}00");
        for forged in [
            "",
            "00",
            &signature[..62],
            &longer,
            "é",
            &upper,
            &plus,
            &padded,
        ] {
            assert!(!ours.verifies("session", "g0", forged), "{forged}");
        }
    }

    proptest! {
        #[test]
        fn one_text_is_the_signature(
            text in "\\PC{0,40}",
            at in 0_usize..64,
            other in proptest::char::range(' ', '~'),
        ) {
            let key = Key::from_text("a");
            let signature = key.sign("session", &text);
            prop_assert!(key.verifies("session", &text, &signature));
            let mut changed: Vec<char> = signature.chars().collect();
            changed[at] = other;
            let changed: String = changed.into_iter().collect();
            prop_assert_eq!(key.verifies("session", &text, &changed), changed == signature);
        }
    }
}
