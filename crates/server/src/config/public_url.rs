//! The address under which visitors reach the server.

use std::fmt;

use axum::http::Uri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Scheme, host and port, without a path.
///
/// ```
/// use convoy_server::PublicUrl;
///
/// let url = PublicUrl::try_from("https://play.example/".to_owned())?;
/// assert_eq!(url.join("/game/x.png"), "https://play.example/game/x.png");
/// assert!(url.is_https());
/// assert!(PublicUrl::try_from("play.example".to_owned()).is_err());
/// # Ok::<_, String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The absolute address of a path of this server, which begins with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Whether visitors come by TLS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl TryFrom<String> for PublicUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not of the form https://host or http://host:port");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let scheme = uri.scheme_str().filter(|s| matches!(*s, "http" | "https"));
        let authority = uri.authority().filter(|a| !a.as_str().contains('@'));
        match (scheme, authority, uri.path(), uri.query()) {
            (Some(scheme), Some(authority), "" | "/", None) => {
                Ok(Self(format!("{scheme}://{authority}")))
            }
            _ => Err(wrong()),
        }
    }
}

impl From<PublicUrl> for String {
    fn from(url: PublicUrl) -> Self {
        url.0
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
