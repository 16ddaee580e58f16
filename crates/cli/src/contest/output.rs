//! Where the games of a match are written, one by one as they end.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use super::game::Played;

/// The files of a match; each game is in them as soon as it has ended.
#[derive(Debug, Default)]
pub(super) struct Output {
    pgn: Option<(PathBuf, File)>,
    json: Option<(PathBuf, File)>,
}

impl Output {
    pub(super) fn create(pgn: Option<&Path>, json: Option<&Path>) -> anyhow::Result<Self> {
        let create = |path: Option<&Path>| {
            path.map(|path| {
                let file = File::create(path)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                anyhow::Ok((path.to_owned(), file))
            })
            .transpose()
        };
        Ok(Self {
            pgn: create(pgn)?,
            json: create(json)?,
        })
    }

    pub(super) fn game(&mut self, game: &Played) -> anyhow::Result<()> {
        write(&mut self.pgn, &game.pgn)?;
        self.json_line(&game.json)
    }

    pub(super) fn json_line(&mut self, value: &Value) -> anyhow::Result<()> {
        write(&mut self.json, &value.to_string())
    }
}

fn write(file: &mut Option<(PathBuf, File)>, text: &str) -> anyhow::Result<()> {
    let Some((path, file)) = file else {
        return Ok(());
    };
    writeln!(file, "{text}").with_context(|| format!("cannot write {}", path.display()))
}
