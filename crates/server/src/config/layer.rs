//! Where the configuration comes from: defaults, a file, the environment, the command line.

use std::fmt;

use serde::Deserialize as _;

use super::Config;
use super::schema::{Key, Kind, keys};

/// Why a configuration cannot be used: one line that names the key and where it stands.
///
/// ```
/// use convoy_server::Config;
///
/// let error = Config::read("convoy.toml", "[limits]\nbody-bytes = \"large\"\n").unwrap_err();
/// assert!(error.to_string().starts_with("convoy.toml:2: limits.body-bytes: "), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// One value that replaces what the file says.
///
/// ```
/// use convoy_server::{Config, Override};
///
/// let set = Override::from_argument("limits.body-bytes=1000")?;
/// assert_eq!(Config::default().with([set])?.limits.body_bytes, 1000);
/// # Ok::<_, convoy_server::ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    path: String,
    value: String,
    /// Where it comes from, for messages.
    source: String,
}

impl Override {
    /// The value of a key, given by `source`, such as the name of a flag.
    pub fn new(path: &str, value: &str, source: &str) -> Self {
        Self {
            path: path.to_owned(),
            value: value.to_owned(),
            source: source.to_owned(),
        }
    }

    /// Reads `KEY=VALUE`.
    pub fn from_argument(text: &str) -> Result<Self, ConfigError> {
        let (path, value) = text
            .split_once('=')
            .ok_or_else(|| ConfigError(format!("{text:?} is not of the form KEY=VALUE")))?;
        let source = format!("--set {path}");
        Ok(Self::new(path.trim(), value.trim(), &source))
    }

    /// The values among these environment variables. An empty variable counts as not set, and one
    /// that belongs to no key is left alone: other programs set variables of this prefix too, such
    /// as the links between containers.
    ///
    /// ```
    /// use convoy_server::{Config, Override};
    ///
    /// let variables = [("CONVOY_LOG_LEVEL", "debug"), ("HOME", "/root")];
    /// let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    /// let overrides = Override::from_environment(variables);
    /// assert_eq!(overrides, [Override::new("log.level", "debug", "CONVOY_LOG_LEVEL")]);
    /// ```
    pub fn from_environment(variables: impl IntoIterator<Item = (String, String)>) -> Vec<Self> {
        let keys = keys();
        let find = |name: &str| keys.iter().find(|key| key.variable() == name);
        let mut found: Vec<Self> = variables
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .filter_map(|(name, value)| Some(Self::new(&find(&name)?.path, &value, &name)))
            .collect();
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// The value as TOML, by the type of its key.
    fn toml(&self, key: &Key) -> toml::Value {
        let text = |text: &str| toml::Value::String(text.trim().to_owned());
        match key.kind {
            Kind::Text => text(&self.value),
            Kind::Number => {
                let number = self.value.parse().map(toml::Value::Integer).ok();
                let real = || self.value.parse().map(toml::Value::Float).ok();
                // What is no number is refused by the type, which knows what it expects.
                number.or_else(real).unwrap_or_else(|| text(&self.value))
            }
            Kind::List => {
                let items = self.value.split(',').filter(|item| !item.trim().is_empty());
                toml::Value::Array(items.map(text).collect())
            }
        }
    }
}

impl Config {
    /// Reads a file; `name` is what messages call it.
    pub fn read(name: &str, text: &str) -> Result<Self, ConfigError> {
        let line = |at: Option<std::ops::Range<usize>>| {
            let before = text.get(..at.map_or(0, |span| span.start)).unwrap_or(text);
            before.matches('\n').count() + 1
        };
        let de = toml::Deserializer::parse(text).map_err(|error| {
            let line = line(error.span());
            ConfigError(format!("{name}:{line}: {}", one_line(error.message())))
        })?;
        serde_path_to_error::deserialize(de).map_err(|error| {
            let (path, error) = (error.path().to_string(), error.into_inner());
            let line = line(error.span());
            ConfigError(format!(
                "{name}:{line}: {path}: {}",
                one_line(error.message())
            ))
        })
    }

    /// The configuration with these values instead of its own; the last one of a key counts.
    pub fn with(self, overrides: impl IntoIterator<Item = Override>) -> Result<Self, ConfigError> {
        let keys = keys();
        let mut config = self;
        for set in overrides {
            let key = keys.iter().find(|key| key.path == set.path);
            let key =
                key.ok_or_else(|| ConfigError(format!("{}: there is no such key", set.source)))?;
            let mut table = config.table();
            insert(&mut table, &key.path, set.toml(key));
            let games = config.games;
            config = Self::deserialize(table).map_err(|error| {
                ConfigError(format!("{}: {}", set.source, one_line(error.message())))
            })?;
            config.games = games;
        }
        Ok(config)
    }
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(" ")
}

fn insert(table: &mut toml::Table, path: &str, value: toml::Value) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((section, rest)) => {
            let section = table.entry(section.to_owned());
            let inner = section.or_insert_with(|| toml::Table::new().into());
            if let Some(inner) = inner.as_table_mut() {
                insert(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn refused(text: &str) -> String {
        let error = Config::read("convoy.toml", text).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    }

    #[test]
    fn a_fault_of_the_file_is_one_line_with_key_and_line() {
        let unknown = refused("listen = \"127.0.0.1:1\"\n[limits]\nsokets = 3\n");
        assert!(unknown.starts_with("convoy.toml:3: limits"), "{unknown}");
        assert!(unknown.contains("sokets"), "{unknown}");
        let typed = refused("\n[rates]\nframes = { burst = \"x\", per-second = 1 }\n");
        assert!(typed.starts_with("convoy.toml:3: rates.frames"), "{typed}");
        let broken = refused("[limits\n");
        assert!(broken.starts_with("convoy.toml:1: "), "{broken}");
        for (text, key) in [
            ("[thinking]\npresence = 90\n", "thinking.presence"),
            ("trusted-proxies = [\"10.0.0.0/33\"]\n", "trusted-proxies"),
            ("public-url = \"play.example\"\n", "public-url"),
            ("[log]\nlevel = \"loud\"\n", "log.level"),
            (
                "[rates]\nframes = { burst = 5, per-second = 0 }\n",
                "rates.frames",
            ),
            ("[limits]\nbody-bytes = -1\n", "limits.body-bytes"),
            ("[storag]\n", "storag"),
            ("[thinking]\nthreads = 0\n", "thinking.threads"),
            ("[passwords]\nthreads = 100000\n", "passwords.threads"),
            (
                "[thinking]\nqueue = 9000000000000000000\n",
                "thinking.queue",
            ),
            ("[storage]\nconnections = 0\n", "storage.connections"),
            (
                "[storage]\nconnections = 4294967295\n",
                "storage.connections",
            ),
            ("[retention]\nevery = \"0s\"\n", "retention.every"),
            ("[limits]\nwrite-time = \"0s\"\n", "limits.write-time"),
            (
                "[thinking]\npresence = \"9000000000years\"\n",
                "thinking.presence",
            ),
        ] {
            assert!(refused(text).contains(key), "{}", refused(text));
        }
    }

    #[test]
    fn the_last_layer_wins() {
        let file = "listen = \"127.0.0.1:1\"\n[log]\nlevel = \"warn\"\nformat = \"json\"\n";
        let variables = [
            ("CONVOY_LISTEN", "127.0.0.1:2"),
            ("CONVOY_LOG_LEVEL", "debug"),
            ("CONVOY_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
            ("CONVOY_RATES_FRAMES_PER_SECOND", "2.5"),
            ("CONVOY_PUBLIC_URL", ""),
            ("CONVOY_SERVICE_HOST", "10.0.0.1"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let flag = Override::new("listen", "127.0.0.1:3", "--listen");
        let layers = Override::from_environment(variables)
            .into_iter()
            .chain([flag]);
        let config = Config::read("f", file).unwrap().with(layers).unwrap();
        assert_eq!(config.listen.port(), 3);
        let text = config.commented();
        assert!(text.contains("level = \"debug\"") && text.contains("format = \"json\""));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert!((config.rates.frames.per_second - 2.5).abs() < 1e-9);
        assert!((config.rates.frames.burst - 40.0).abs() < 1e-9);
        assert_eq!(config.public_url, None);
        // What is printed is what is read.
        assert_eq!(Config::read("printed", &text).unwrap().commented(), text);
    }

    #[test]
    fn a_fault_of_a_variable_or_a_flag_names_it() {
        let refused = |path: &str, value: &str| {
            let set = Override::new(path, value, "THERE");
            Config::default().with([set]).unwrap_err().to_string()
        };
        assert!(refused("log.level", "loud").starts_with("THERE: "));
        assert!(refused("thinking.threads", "many").starts_with("THERE: "));
        assert_eq!(refused("log.lvel", "info"), "THERE: there is no such key");
        assert!(Override::from_argument("listen").is_err());
    }

    #[test]
    fn every_key_has_a_variable_of_its_own_and_help() {
        let keys = keys();
        let names: BTreeSet<String> = keys.iter().map(Key::variable).collect();
        assert_eq!(names.len(), keys.len());
        for key in &keys {
            assert!(key.help.len() > 10, "{key:?}");
        }
        let presence = Duration::from_secs(90);
        assert_eq!(Config::default().thinking.presence, presence);
    }
}
