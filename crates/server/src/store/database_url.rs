//! Where the database is.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnectOptions;
use url::Url;

/// The address of a PostgreSQL database. It is printed without its password.
///
/// ```
/// use convoy_server::DatabaseUrl;
///
/// let url: DatabaseUrl = "postgres://convoy:secret@db.example/convoy".parse()?;
/// assert_eq!(url.to_string(), "postgres://convoy@db.example/convoy");
/// assert!("mysql://db.example/convoy".parse::<DatabaseUrl>().is_err());
/// # Ok::<_, String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct DatabaseUrl(Url);

/// What may stand behind the `?`; anything else is a slip of the pen.
const PARAMETERS: [&str; 9] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "port",
    "user",
    "password",
    "options",
];

impl DatabaseUrl {
    pub(super) fn options(&self) -> PgConnectOptions {
        self.0.as_str().parse().expect("it was parsed before")
    }
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The address may hold a password: no message repeats it.
        let url = Url::parse(text).map_err(|error| format!("not an address: {error}"))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err("not of the form postgres://user@host/database".to_owned());
        }
        let unknown = url.query_pairs().find(|(key, _)| {
            let is_setting = key.starts_with("options[") && key.ends_with(']');
            !is_setting && !PARAMETERS.contains(&&**key)
        });
        if let Some((key, _)) = unknown {
            return Err(format!("{key:?} is not a parameter of a database address"));
        }
        let parsed = url.as_str().parse::<PgConnectOptions>();
        parsed.map_err(|error| error.to_string())?;
        Ok(Self(url))
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<DatabaseUrl> for String {
    fn from(url: DatabaseUrl) -> Self {
        url.0.into()
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        // An address without a host has no password either.
        let _ = shown.set_password(None);
        if shown.query_pairs().any(|(key, _)| key == "password") {
            shown.set_query(None);
        }
        f.write_str(shown.as_str())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for text in [
            "postgres://ann:hidden@db/convoy",
            "postgres://ann@db/convoy?password=hidden",
        ] {
            let url: DatabaseUrl = text.parse().unwrap();
            assert!(!format!("{url} {url:?}").contains("hidden"), "{url}");
            assert!(String::from(url).contains("hidden"), "it is kept");
        }
        let refused = "mysql://ann:hidden@db".parse::<DatabaseUrl>().unwrap_err();
        assert!(!refused.contains("hidden"), "{refused}");
    }

    #[test]
    fn parameters_are_checked() {
        let refused = |text: &str| text.parse::<DatabaseUrl>().unwrap_err();
        assert!(refused("postgres://db/x?sslmod=require").contains("sslmod"));
        assert!(refused("postgres://db/x?sslmode=maybe").contains("maybe"));
        assert!(refused("db.example").contains("not an address"));
        let search: DatabaseUrl = "postgres://db/x?options[search_path]=a".parse().unwrap();
        assert_eq!(search.options().get_options(), Some("-c search_path=a"));
    }
}
