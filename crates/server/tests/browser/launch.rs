//! How the tests' browser is started: with fonts, a home, a language and a time zone of its own, so
//! that nothing of the machine's reaches it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Debian's Chromium without windows of its own; `CONVOY_CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium-headless-shell";

const FLAGS: [&str; 23] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--mute-audio",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--lang=en-US",
    "--accept-lang=en-US",
    "--window-size=1280,800",
    // Many people share one browser, and none of them is in the background.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    // A page that was left is gone, and the server stops working for it.
    "--disable-features=BackForwardCache",
    "--remote-debugging-pipe",
];

/// The families that named folders are likely to have, for letters of one width and for all others.
const PREFERRED: &str = "<alias><family>monospace</family><prefer>\
    <family>Liberation Mono</family><family>Noto Sans Mono</family></prefer></alias>\
    <match target=\"pattern\"><edit name=\"family\" mode=\"append_last\">\
    <string>Noto Sans</string><string>Liberation Sans</string></edit></match>";

/// Which fonts a browser has: one family and nothing else. `CONVOY_FONTS` names folders to take in
/// place of both, separated as in `PATH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fonts {
    /// DejaVu Sans, one of the widest there are.
    Wide,
    /// Roboto Condensed, a third narrower.
    Narrow,
}

impl Fonts {
    /// The folders, and what the names of the files look like.
    fn files(self) -> (Vec<PathBuf>, &'static [&'static str]) {
        if let Some(named) = std::env::var_os("CONVOY_FONTS") {
            return (std::env::split_paths(&named).collect(), &["*"]);
        }
        let (folder, files): (_, &[_]) = match self {
            Self::Wide => (
                "/usr/share/fonts/truetype/dejavu",
                &["*/DejaVuSans.*", "*/DejaVuSans-*"],
            ),
            Self::Narrow => (
                "/usr/share/fonts/truetype/roboto/unhinted",
                &["*/RobotoCondensed-*"],
            ),
        };
        (vec![folder.into()], files)
    }

    /// A font configuration that knows these files and no others. Where a folder has several families, pages get the one
    /// without serifs, as with the configuration that Debian comes with.
    fn config(self, cache: &Path) -> String {
        let (folders, files) = self.files();
        let files = files.iter().map(|name| format!("<glob>{name}</glob>"));
        let files: String = files.collect();
        let mut dirs = String::new();
        for folder in folders {
            assert!(
                folder.is_dir(),
                "the browser tests need the fonts of {}: `cargo xtask test` installs them",
                folder.display()
            );
            let _ = write!(dirs, "<dir>{}</dir>", folder.display());
        }
        format!(
            "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n\
             <fontconfig>{dirs}<cachedir>{}</cachedir><selectfont>\
             <rejectfont><glob>*</glob></rejectfont><acceptfont>{files}</acceptfont>\
             </selectfont>{PREFERRED}</fontconfig>\n",
            cache.display()
        )
    }
}

fn chromium() -> PathBuf {
    let named = std::env::var_os("CONVOY_CHROMIUM");
    let path = named.map_or_else(|| CHROMIUM.into(), PathBuf::from);
    assert!(
        path.exists(),
        "the browser tests need {}: `cargo xtask test` installs it",
        path.display()
    );
    path
}

/// Starts a browser with an empty profile. It speaks over its standard input and output, and ends
/// when they are closed: with the process of the tests, whatever that ends of.
pub(crate) fn start(fonts: Fonts) -> Child {
    let name = format!("browser-{}-{fonts:?}", std::process::id());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let config = home.join("fonts.conf");
    std::fs::write(&config, fonts.config(&home.join("fonts-cache"))).unwrap();
    // The protocol's pipe is expected at the numbers 3 and 4.
    Command::new("sh")
        .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
        .arg(chromium())
        .args(FLAGS)
        .arg(format!(
            "--user-data-dir={}",
            home.join("profile").display()
        ))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", &home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_DATA_HOME", home.join("data"))
        .env("FONTCONFIG_FILE", &config)
        .env("LANG", "en_US.UTF-8")
        .env("LANGUAGE", "en_US")
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromium starts")
}

/// Removes what browsers of earlier runs have left.
pub(crate) fn sweep() {
    let Ok(entries) = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR")) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| {
            let (pid, _) = name.strip_prefix("browser-")?.split_once('-')?;
            pid.parse::<u32>().ok()
        });
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
