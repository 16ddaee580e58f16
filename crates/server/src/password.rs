//! Hashing of passwords: on a few threads of their own, each with memory that it uses again and
//! again, so that no flood of guesses takes more. Known devices come first: guesses of others, from
//! however many addresses, take neither their turn nor their place in the queue.

use std::cell::RefCell;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use crate::client::Client;
use crate::id;
use crate::pool::{Class, Pool};
use crate::refusal::Refusal;

thread_local! {
    /// The memory of one thread. Left to the allocator, every thread's share would stay with it.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// The pool that hashes.
#[derive(Debug)]
pub(crate) struct Hasher(pub(crate) Pool);

/// Whose password it is.
#[derive(Debug, Clone)]
pub(crate) struct Applicant {
    pub(crate) client: Client,
    /// Whether the account was logged in to on this device before.
    pub(crate) is_known: bool,
}

impl Applicant {
    const fn class(&self) -> Class {
        if self.is_known {
            Class::Short
        } else {
            Class::Move
        }
    }
}

impl Hasher {
    /// The hash of a new password, in the PHC format.
    pub(crate) async fn hash(&self, of: Applicant, password: String) -> Result<String, Refusal> {
        let hash = self.run(of, move || hash(password.as_bytes())).await?;
        hash.ok_or(Refusal::BadPassword)
    }

    /// Whether a password is the one of this hash.
    pub(crate) async fn verify(
        &self,
        of: Applicant,
        password: String,
        known: String,
    ) -> Result<bool, Refusal> {
        self.run(of, move || verify(password.as_bytes(), &known))
            .await
    }

    async fn run<T: Send + 'static>(
        &self,
        of: Applicant,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let class = of.class();
        self.0.run(of.client, class, work).await
    }
}

/// The hash of a password that no account has.
pub(crate) fn dummy_hash() -> String {
    hash(&id::random::<16>()).unwrap_or_default()
}

fn compute(argon: &Argon2<'_>, password: &[u8], salt: &[u8], out: &mut [u8]) -> Option<()> {
    MEMORY.with_borrow_mut(|memory| {
        memory.resize(argon.params().block_count(), Block::new());
        let hashed = argon.hash_password_into_with_memory(password, salt, out, memory);
        hashed.ok()
    })
}

fn hash(password: &[u8]) -> Option<String> {
    let argon = Argon2::default();
    let salt = id::random::<16>();
    let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
    compute(&argon, password, &salt, &mut out)?;
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon.params()).ok()?,
        salt: Some(Salt::new(&salt).ok()?),
        hash: Some(Output::new(&out).ok()?),
    };
    Some(hash.to_string())
}

fn verify(password: &[u8], known: &str) -> bool {
    let fits = || {
        let known = PasswordHash::new(known).ok()?;
        let params = Params::try_from(&known).ok()?;
        let algorithm = Algorithm::try_from(known.algorithm.as_str()).ok()?;
        let version = known.version.map(Version::try_from).transpose().ok()?;
        let argon = Argon2::new(algorithm, version.unwrap_or_default(), params);
        let (salt, hash) = (known.salt?, known.hash?);
        let mut out = vec![0; hash.len()];
        compute(&argon, password, &salt, &mut out)?;
        // Outputs compare in a time that does not tell how much was right.
        Some(Output::new(&out).ok()? == hash)
    };
    fits().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    #[test]
    fn hashes_are_those_of_the_library() {
        let ours = hash(b"correct horse").unwrap();
        assert!(
            ours.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{ours}"
        );
        let parsed = PasswordHash::new(&ours).unwrap();
        let library = Argon2::default();
        assert!(library.verify_password(b"correct horse", &parsed).is_ok());
        assert!(verify(b"correct horse", &ours));
        assert!(!verify(b"correct hors", &ours));
        let theirs = library.hash_password(b"battery").unwrap().to_string();
        assert!(verify(b"battery", &theirs) && !verify(b"staple", &theirs));
        assert_ne!(hash(b"same").unwrap(), hash(b"same").unwrap());
        for broken in ["", "$argon2id$", "plain"] {
            assert!(!verify(b"", broken));
        }
    }
}
