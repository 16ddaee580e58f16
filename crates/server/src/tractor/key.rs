//! The key that keeps the secrets of running rounds from whoever reads the database.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest as _, Sha256};

use super::shuffle::unhex;
use crate::asset::hex;
use crate::id;

/// The bytes of a nonce. They are drawn at random: 24 are enough never to draw one twice.
const NONCE: usize = 24;

/// Encrypts what the server draws for a shuffle until the round is over.
///
/// It is kept in a file beside the database, not in it: a copy of the database alone does not tell
/// the cards of a running round.
///
/// ```
/// use convoy_server::ShuffleKey;
///
/// let folder = std::env::temp_dir().join(format!("convoy-key-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let first = ShuffleKey::load(&folder.join("shuffle.key"))?;
/// let again = ShuffleKey::load(&folder.join("shuffle.key"))?;
/// assert_eq!(first.fingerprint(), again.fingerprint());
/// assert_ne!(first.fingerprint(), ShuffleKey::random().fingerprint());
/// assert_eq!(format!("{first:?}"), "ShuffleKey(..)");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ShuffleKey([u8; 32]);

impl ShuffleKey {
    /// A key that is kept nowhere: what it encrypts is lost with the process.
    pub fn random() -> Self {
        Self(id::random())
    }

    /// The key of a file, which is made if it is missing. Only the owner may read the file.
    pub fn load(path: &Path) -> io::Result<Self> {
        if !path.try_exists()? {
            Self::random().create(path)?;
        }
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        let text = fs::read_to_string(path)?;
        let bad = || {
            let error = format!("{} is not a key of 64 hexadecimal digits", path.display());
            io::Error::new(io::ErrorKind::InvalidData, error)
        };
        unhex(text.trim_end()).map(Self).ok_or_else(bad)
    }

    /// Writes the key to a new file; the file appears whole or not at all, and an existing one stays.
    fn create(&self, path: &Path) -> io::Result<()> {
        // Nodes that share the folder may begin at the same moment; in containers they have one process number.
        let draft = path.with_extension(format!("{}.new", hex(&id::random::<8>())));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft)?;
        writeln!(file, "{}", hex(&self.0))?;
        file.sync_all()?;
        let linked = fs::hard_link(&draft, path);
        fs::remove_file(&draft)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => File::open(path.parent().unwrap_or(path))?.sync_all(),
        }
    }

    /// What tells this key from another without telling the key.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new_with_prefix(b"convoy shuffle key\n");
        hash.update(self.0);
        hex(&hash.finalize()[..8])
    }

    /// Encrypts `plain`. `context` says what it is for: nothing else can be decrypted in its place.
    pub(super) fn encrypt(&self, context: &str, plain: &[u8]) -> String {
        let nonce = id::random::<NONCE>();
        let payload = Payload {
            msg: plain,
            aad: context.as_bytes(),
        };
        let cipher = XChaCha20Poly1305::new(&self.0.into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.expect("some bytes can be encrypted");
        hex(&nonce) + &hex(&sealed)
    }

    /// What was encrypted for the same context.
    pub(super) fn decrypt(&self, context: &str, text: &str) -> Option<Vec<u8>> {
        let (nonce, sealed) = text.split_at_checked(2 * NONCE)?;
        let nonce: [u8; NONCE] = unhex(nonce)?;
        let pairs = sealed.as_bytes().chunks(2);
        let byte = |pair: &[u8]| unhex::<1>(std::str::from_utf8(pair).ok()?);
        let sealed = pairs.map(byte).collect::<Option<Vec<[u8; 1]>>>()?;
        let payload = Payload {
            msg: sealed.as_flattened(),
            aad: context.as_bytes(),
        };
        let cipher = XChaCha20Poly1305::new(&self.0.into());
        cipher.decrypt(&XNonce::from(nonce), payload).ok()
    }
}

impl fmt::Debug for ShuffleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShuffleKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nodes_that_begin_at_once_all_have_one_key() {
        let folder = std::env::temp_dir().join(format!("convoy-keys-{}", std::process::id()));
        for _ in 0..20 {
            fs::create_dir_all(&folder).unwrap();
            let path = folder.join("shuffle.key");
            let start = std::sync::Barrier::new(8);
            let load = || {
                start.wait();
                ShuffleKey::load(&path).unwrap().fingerprint()
            };
            let mut keys: Vec<String> = std::thread::scope(|scope| {
                let nodes: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
                nodes.into_iter().map(|node| node.join().unwrap()).collect()
            });
            keys.dedup();
            assert_eq!(keys, [ShuffleKey::load(&path).unwrap().fingerprint()]);
            fs::remove_dir_all(&folder).unwrap();
        }
    }

    #[test]
    fn what_is_encrypted_comes_back_for_its_key_and_context_alone() {
        let key = ShuffleKey::random();
        let text = key.encrypt("table 1 1", b"secret");
        assert_eq!(
            key.decrypt("table 1 1", &text).as_deref(),
            Some(&b"secret"[..])
        );
        assert_ne!(text, key.encrypt("table 1 1", b"secret"));
        assert_eq!(key.decrypt("table 1 2", &text), None);
        assert_eq!(ShuffleKey::random().decrypt("table 1 1", &text), None);
        for bad in ["", "00", &text[1..], &text[..text.len() - 1], "é"] {
            assert_eq!(key.decrypt("table 1 1", bad), None, "{bad}");
        }
        for at in 0..text.len() {
            let digit = if &text[at..=at] == "0" { "1" } else { "0" };
            let changed = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
            assert_eq!(key.decrypt("table 1 1", &changed), None, "{at}");
        }
    }

    #[test]
    fn the_file_is_private_and_a_damaged_one_is_named() {
        let folder = std::env::temp_dir().join(format!("convoy-key-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("shuffle.key");
        let key = ShuffleKey::load(&path).unwrap();
        assert_eq!(key, ShuffleKey::load(&path).unwrap());
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        ShuffleKey::load(&path).unwrap();
        assert_eq!(mode(), 0o600);
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "no draft is left"
        );
        fs::write(&path, "").unwrap();
        let error = ShuffleKey::load(&path).unwrap_err();
        assert!(error.to_string().contains("shuffle.key"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
