//! `convoy config`, and the options of `convoy serve` that are part of the configuration.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Context as _;
use convoy_server::{Config, Override};

/// Print the effective configuration as a commented TOML file.
///
/// Every key can be set in the file, by an environment variable and with --set. Flags and --set
/// override the environment, the environment overrides the file, the file overrides the default.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convoy config > convoy.toml\n  \
                        convoy config --config convoy.toml --set limits.tables-per-session=10")]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Print the table of all keys for docs/configuration.md instead
    #[arg(long)]
    table: bool,
}

/// Which installation is meant.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Location {
    /// Read this configuration file; `CONVOY_CONFIG` does the same
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder for games and accounts [default: the user's data directory]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,
    /// PostgreSQL database for games and accounts, such as `postgres://convoy@db.example/convoy`
    /// [default: an SQLite file in the data folder]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
}

/// The flags that a server and a worker have in common.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Common {
    /// NATS server that connects to workers and other nodes, such as `nats://node:password@nats.example`
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// error, warn, info, debug or trace [default: info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
    /// text or json [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// Set any key of the configuration, such as limits.tables-per-session=10; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Where the configuration comes from.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Sources {
    #[command(flatten)]
    location: Location,
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Address under which visitors reach the server, such as `https://play.example`
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Reverse proxy whose X-Forwarded-For is trusted: an address or a network; repeatable
    #[arg(long, value_name = "NET")]
    trusted_proxy: Vec<String>,
    /// Serve HTTPS with this certificate, a file in PEM
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<String>,
    /// The private key of the certificate, a file in PEM
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// What an acknowledged move survives: full, a power cut; normal, only a crash of the process
    /// [default: full]
    #[arg(long, value_name = "full|normal")]
    durability: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// The variable that names the file.
const FILE_VARIABLE: &str = "CONVOY_CONFIG";

impl Location {
    /// The configuration from all layers.
    pub(crate) fn load(&self) -> anyhow::Result<Config> {
        self.load_with(Vec::new())
    }

    /// The configuration from all layers, with more flags.
    fn load_with(&self, flags: Vec<Override>) -> anyhow::Result<Config> {
        let mut own = given([
            ("data", "--data", self.data.as_deref()),
            ("database", "--database", self.database.as_deref()),
        ]);
        own.extend(flags);
        load(self.config.as_deref(), own)
    }
}

/// The configuration from this file, the environment and these flags.
pub(crate) fn load(file: Option<&Path>, flags: Vec<Override>) -> anyhow::Result<Config> {
    let named = env::var_os(FILE_VARIABLE).filter(|name| !name.is_empty());
    let file = file.map(Path::to_owned);
    let config = match file.or_else(|| named.map(PathBuf::from)) {
        Some(file) => {
            let name = file.display().to_string();
            let text = fs::read_to_string(&file).with_context(|| name.clone())?;
            Config::read(&name, &text)?
        }
        None => Config::default(),
    };
    // A variable that is not text cannot be a value.
    let variables = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let layers = Override::from_environment(variables).into_iter();
    Ok(config.with(layers.chain(flags))?)
}

/// The flags that were given: key, flag and value of each.
pub(crate) fn given<const N: usize>(flags: [(&str, &str, Option<&str>); N]) -> Vec<Override> {
    let flags = flags.into_iter();
    let given = flags.filter_map(|(path, flag, value)| Some(Override::new(path, value?, flag)));
    given.collect()
}

impl Sources {
    /// The configuration from all layers.
    pub(crate) fn load(&self) -> anyhow::Result<Config> {
        self.location.load_with(self.overrides()?)
    }

    /// What the flags say; `--set` last, in the order given.
    fn overrides(&self) -> anyhow::Result<Vec<Override>> {
        let proxies = self.trusted_proxy.join(",");
        let proxies = (!proxies.is_empty()).then_some(&*proxies);
        let mut all = given([
            ("listen", "--listen", self.listen.as_deref()),
            ("public-url", "--public-url", self.public_url.as_deref()),
            ("trusted-proxies", "--trusted-proxy", proxies),
            (
                "tls.certificate",
                "--tls-certificate",
                self.tls_certificate.as_deref(),
            ),
            ("tls.key", "--tls-key", self.tls_key.as_deref()),
            (
                "storage.durability",
                "--durability",
                self.durability.as_deref(),
            ),
        ]);
        all.extend(self.common.overrides()?);
        Ok(all)
    }
}

impl Common {
    /// What the flags say; `--set` last, in the order given.
    pub(crate) fn overrides(&self) -> anyhow::Result<Vec<Override>> {
        let mut all = given([
            ("nats", "--nats", self.nats.as_deref()),
            ("log.level", "--log-level", self.log_level.as_deref()),
            ("log.format", "--log-format", self.log_format.as_deref()),
        ]);
        for text in &self.set {
            all.push(Override::from_argument(text)?);
        }
        Ok(all)
    }
}

/// Prints the configuration.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let config = args.sources.load()?;
    if args.table {
        print!("{}", Config::documentation());
    } else {
        print!("{}", config.commented());
    }
    Ok(())
}
