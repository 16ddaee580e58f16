//! The keys of the configuration with their help, read from the types.

use std::fmt::Write as _;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::Config;

/// One value that can be set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    /// Such as `limits.sockets-per-session`.
    pub(super) path: String,
    /// What it means.
    pub(super) help: String,
    pub(super) kind: Kind,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    List,
}

impl Key {
    /// The environment variable of this key.
    pub(super) fn variable(&self) -> String {
        let name = self.path.to_uppercase().replace(['.', '-'], "_");
        format!("CONVOY_{name}")
    }

    /// Section and name within it; a key at the top has no section.
    fn parts(&self) -> (&str, &str) {
        self.path.split_once('.').unwrap_or(("", &self.path))
    }
}

/// Every key: those at the top first, then section by section.
pub(super) fn keys() -> Vec<Key> {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Config>();
    let mut keys = Vec::new();
    collect(schema.as_value(), "", &mut keys);
    keys.sort_by(|a, b| a.parts().cmp(&b.parts()));
    keys
}

fn collect(schema: &Value, path: &str, keys: &mut Vec<Key>) {
    let Some(properties) = schema["properties"].as_object() else {
        let types = &schema["type"];
        let is = |name: &str| types == name || types[0] == name;
        let kind = match () {
            () if is("array") => Kind::List,
            () if is("integer") || is("number") || is("boolean") => Kind::Number,
            () => Kind::Text,
        };
        let help = schema["description"].as_str().unwrap_or_default();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let path = path.to_owned();
        return keys.push(Key { path, help, kind });
    };
    for (name, property) in properties {
        let path = match path {
            "" => name.clone(),
            section => format!("{section}.{name}"),
        };
        // The two numbers of a rate belong to what the rate is for.
        let mut property = property.clone();
        if property["properties"].is_object() && path.contains('.') {
            let of = property["description"].as_str().unwrap_or_default();
            let of = of.trim_end_matches('.').to_owned();
            for (part, words) in [("burst", "at once"), ("per-second", "more each second")] {
                let text = format!("{of}: {words}.");
                property["properties"][part]["description"] = text.into();
            }
        }
        collect(&property, &path, keys);
    }
}

/// The value of a key in a configuration, as TOML.
fn value_at(table: &toml::Table, path: &str) -> Option<String> {
    let mut value = table;
    let (sections, name) = path.rsplit_once('.').unwrap_or(("", path));
    for section in sections.split('.').filter(|section| !section.is_empty()) {
        value = value.get(section)?.as_table()?;
    }
    value.get(name).map(ToString::to_string)
}

impl Config {
    pub(super) fn table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("a configuration is plain data")
    }

    /// The whole configuration as a commented file that [`Config::read`] reads back.
    ///
    /// ```
    /// use convoy_server::Config;
    ///
    /// let text = Config::default().commented();
    /// assert!(text.contains("\nlisten = \"127.0.0.1:8080\"\n"));
    /// assert_eq!(Config::read("convoy.toml", &text)?.commented(), text);
    /// # Ok::<_, convoy_server::ConfigError>(())
    /// ```
    ///
    /// Passwords in addresses are left out.
    pub fn commented(&self) -> String {
        let mut table = self.table();
        if let Some(database) = &self.database {
            table.insert("database".to_owned(), database.to_string().into());
        }
        if let Some(nats) = &self.nats {
            table.insert("nats".to_owned(), nats.to_string().into());
        }
        let (mut text, mut last) = (String::new(), String::new());
        for key in keys() {
            let (section, _) = key.path.rsplit_once('.').unwrap_or(("", &key.path));
            let name = key.path.rsplit('.').next().unwrap_or_default();
            if section != last {
                section.clone_into(&mut last);
                write!(text, "\n[{section}]").expect("a string takes all text");
            }
            let line = match value_at(&table, &key.path) {
                Some(value) => format!("{name} = {value}"),
                None => format!("# {name} ="),
            };
            write!(text, "\n# {}\n{line}\n", key.help).expect("a string takes all text");
        }
        text.trim_start().to_owned()
    }

    /// The table of all keys for `docs/configuration.md`, in Markdown.
    ///
    /// ```
    /// let table = convoy_server::Config::documentation();
    /// assert!(table.contains("| `log.level` | `CONVOY_LOG_LEVEL` | `\"info\"` |"));
    /// ```
    pub fn documentation() -> String {
        let table = Self::default().table();
        let mut text =
            "| key | environment variable | default | meaning |\n|---|---|---|---|\n".to_owned();
        for key in keys() {
            let default = match (&*key.path, value_at(&table, &key.path)) {
                // It depends on the machine.
                ("thinking.threads", _) => "cores − 1".to_owned(),
                (_, Some(value)) => format!("`{value}`"),
                (_, None) => String::new(),
            };
            let (path, variable, help) = (&key.path, key.variable(), &key.help);
            writeln!(text, "| `{path}` | `{variable}` | {default} | {help} |")
                .expect("a string takes all text");
        }
        text
    }
}
