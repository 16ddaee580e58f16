//! TLS served directly, from files of certificates.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// How often the files are looked at: certificates are renewed while the server runs.
const RELOADING: Duration = Duration::from_mins(1);

/// A certificate with its key, read again when the files change.
///
/// ```
/// use std::path::Path;
///
/// use convoy_server::Tls;
///
/// let error = Tls::load(Path::new("nowhere.pem"), Path::new("key.pem")).unwrap_err();
/// assert!(error.to_string().contains("nowhere.pem"));
/// ```
#[derive(Debug)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    config: Arc<ServerConfig>,
    changed: [SystemTime; 2],
    checked: Instant,
}

impl Tls {
    /// Reads a certificate with those that sign it, and its key, both in PEM.
    pub fn load(certificate: &Path, key: &Path) -> io::Result<Self> {
        let current = Current {
            changed: changed(certificate, key)?,
            config: read(certificate, key)?,
            checked: Instant::now(),
        };
        Ok(Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            current: Mutex::new(current),
        })
    }

    /// What the next connection is served with.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let mut current = self.current.lock().expect("no holder of this lock panics");
        if current.checked.elapsed() >= RELOADING {
            current.checked = Instant::now();
            self.reload(&mut current);
        }
        Arc::clone(&current.config).into()
    }

    /// Files that are half written, or do not fit together yet, are tried again later.
    fn reload(&self, current: &mut Current) {
        let now = changed(&self.certificate, &self.key);
        if now.as_ref().is_ok_and(|now| *now == current.changed) {
            return;
        }
        let read = now.and_then(|now| Ok((now, read(&self.certificate, &self.key)?)));
        match read {
            Ok((now, config)) => {
                tracing::info!("the TLS certificate was read again");
                current.changed = now;
                current.config = config;
            }
            Err(error) => tracing::error!(%error, "the TLS certificate could not be read again"),
        }
    }
}

fn changed(certificate: &Path, key: &Path) -> io::Result<[SystemTime; 2]> {
    let of = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified());
    Ok([
        of(certificate).map_err(|error| named(certificate, error))?,
        of(key).map_err(|error| named(key, error))?,
    ])
}

fn read(certificate: &Path, key: &Path) -> io::Result<Arc<ServerConfig>> {
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| named(certificate, error))?;
    if chain.is_empty() {
        return Err(named(certificate, "there is no certificate in it"));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
        pem::Error::NoItemsFound => named(key, "there is no key in it, or it needs a password"),
        error => named(key, error),
    })?;
    let provider = Arc::new(ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_no_client_auth()
                .with_single_cert(chain, secret)
        })
        .map_err(|error| named(key, format!("with {}: {error}", certificate.display())))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn named(path: &Path, why: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {why}", path.display()))
}
