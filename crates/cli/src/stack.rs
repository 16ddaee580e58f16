//! `convoy stack`: who may carry whom, and why not.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Subcommand;
use convoy_stack::{
    Blueprint, COTULENH, COTULENH_BLUEPRINT, CombineError, RemoveError, Role, Stack, StackTable,
    Stacker,
};
use serde_json::json;

/// Which pieces form a stack, under the rules of Cờ Tư Lệnh or of any blueprint file.
///
/// PIECES are letters (NFT), one stack or several ((N|F) T), or names (navy tank); a plus marks a piece as
/// heroic (+T), which never matters here but is shown. Upper and lower case are two colours.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  convoy stack combine TFN                what they make: N|FT
  convoy stack explain N T I              why a navy can't carry both
  convoy stack remove NFT navy            what is left
  convoy stack splits NFT                 every way to divide them
  convoy stack tree NFTI                  everything they can make, as a picture
  convoy stack tree --svg > tree.svg      the same for all roles, drawn
  convoy stack blueprint > my.blueprint   a file to begin a variant with
  convoy stack tree --blueprint my.blueprint")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// Read the rules from this file, a blueprint or YAML, instead of those of Cờ Tư Lệnh
    #[arg(long, value_name = "FILE", global = true)]
    blueprint: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// The stack that all the pieces make, its mask and its packed state
    #[command(after_help = "Example:\n  convoy stack combine N|F T")]
    Combine {
        #[command(flatten)]
        pieces: Pieces,
    },
    /// What is left of a stack without one of its roles
    #[command(
        after_help = "Examples:\n  convoy stack remove NFT N\n  convoy stack remove NFT air_force"
    )]
    Remove {
        /// Letters, the carrier first or not
        stack: String,
        /// The role to go, by letter or name
        role: String,
    },
    /// Every reason why the pieces make no stack; fails if there is one
    #[command(after_help = "Example:\n  convoy stack validate TTA")]
    Validate {
        #[command(flatten)]
        pieces: Pieces,
    },
    /// Masks, each carrier tried, and why it failed
    #[command(after_help = "Example:\n  convoy stack explain NTI")]
    Explain {
        #[command(flatten)]
        pieces: Pieces,
    },
    /// The smallest groups among the pieces that no stack holds together
    #[command(after_help = "Example:\n  convoy stack conflicts NFAT")]
    Conflicts {
        #[command(flatten)]
        pieces: Pieces,
    },
    /// Every stack that some of the pieces make, with its mask and state (of all roles if no piece is named)
    #[command(
        after_help = "Examples:\n  convoy stack combinations NTI\n  convoy stack combinations --json"
    )]
    Combinations {
        #[command(flatten)]
        pieces: SomePieces,
        /// Write one JSON array of stack, mask and state
        #[arg(long)]
        json: bool,
    },
    /// Every way to divide the pieces into stacks, those with the fewest stacks first
    #[command(
        after_help = "Examples:\n  convoy stack splits NFT\n  convoy stack splits CIMAGSTFENH | tail -1"
    )]
    Splits {
        #[command(flatten)]
        pieces: Pieces,
    },
    /// Everything the pieces can make, as a tree (of all roles if no piece is named)
    #[command(
        after_help = "Examples:\n  convoy stack tree NFTI\n  convoy stack tree NFTI --svg > tree.svg"
    )]
    Tree {
        #[command(flatten)]
        pieces: SomePieces,
        /// Draw it as an SVG document
        #[arg(long)]
        svg: bool,
    },
    /// Check the blueprint and print it
    #[command(
        after_help = "Examples:\n  convoy stack blueprint\n  convoy stack blueprint --blueprint my.blueprint"
    )]
    Blueprint,
}

#[derive(Debug, clap::Args)]
struct Pieces {
    /// Letters (NFT), stacks ('(N|F)' T) or names (navy tank); a plus marks a heroic piece (+T)
    #[arg(required = true, value_name = "PIECES")]
    words: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct SomePieces {
    /// Letters (NFT), stacks ('(N|F)' T) or names (navy tank); all roles if there is none
    #[arg(value_name = "PIECES")]
    words: Vec<String>,
}

/// A piece as it was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    role: Role,
    letter: char,
    heroic: bool,
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.heroic { "+" } else { "" };
        write!(f, "{mark}{}", self.letter)
    }
}

/// Answers one command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let loaded;
    let table = match &args.blueprint {
        None => &COTULENH,
        Some(path) => {
            loaded = load(path)?;
            &loaded
        }
    };
    let mut output = BufWriter::new(io::stdout().lock());
    match answer(args, table, &mut output).and_then(|()| Ok(output.flush()?)) {
        // Whoever read has seen enough.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        other => other,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn load(path: &Path) -> anyhow::Result<StackTable> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let blueprint: Blueprint = text.parse().with_context(|| path.display().to_string())?;
    Ok(StackTable::new(blueprint))
}

/// Combines the pieces of the command line under a table.
type PieceStacker<'t> = Stacker<'t, Piece, fn(&Piece) -> Option<Role>>;

fn answer(args: &Args, table: &StackTable, output: &mut impl Write) -> anyhow::Result<()> {
    let blueprint = table.blueprint();
    let stacker: PieceStacker<'_> = Stacker::new(table, |piece| Some(piece.role));
    match &args.action {
        Action::Combine { pieces } => {
            let pieces = read_pieces(blueprint, &pieces.words)?;
            write_combined(&stacker, &pieces, output)
        }
        Action::Remove { stack, role } => write_rest(&stacker, stack, role, output),
        Action::Validate { pieces } => {
            let pieces = read_pieces(blueprint, &pieces.words)?;
            write_verdict(&stacker, &pieces, output)
        }
        Action::Explain { pieces } => {
            let pieces = read_pieces(blueprint, &pieces.words)?;
            Ok(write!(output, "{}", stacker.explain(&pieces))?)
        }
        Action::Conflicts { pieces } => {
            let pieces = read_pieces(blueprint, &pieces.words)?;
            Ok(write_conflicts(&stacker, &pieces, output)?)
        }
        Action::Combinations { pieces, json } => {
            let pieces = pieces_or_all(blueprint, &pieces.words)?;
            Ok(write_combinations(
                &stacker.combinations(&pieces),
                *json,
                output,
            )?)
        }
        Action::Splits { pieces } => {
            let pieces = read_pieces(blueprint, &pieces.words)?;
            Ok(write_splits(stacker.splits(&pieces), output)?)
        }
        Action::Tree { pieces, svg } => {
            let pieces = pieces_or_all(blueprint, &pieces.words)?;
            let tree = table.tree(pieces.iter().map(|piece| piece.role).collect());
            if *svg {
                write!(output, "{}", tree.to_svg())?;
            } else {
                write!(output, "{tree}")?;
            }
            Ok(())
        }
        Action::Blueprint => Ok(write_blueprint(args, table, output)?),
    }
}

fn write_combined(
    stacker: &PieceStacker<'_>,
    pieces: &[Piece],
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let Ok(stack) = stacker.combine(pieces) else {
        let errors = stacker.validate(pieces).err().unwrap_or_default();
        bail!("{} make no stack: {}", list(pieces), list_errors(&errors));
    };
    let state = stack.state();
    let mask = state.set().bits();
    Ok(writeln!(
        output,
        "{}  mask {mask}  state {state:#x}",
        show(&stack)
    )?)
}

fn write_rest(
    stacker: &PieceStacker<'_>,
    stack: &str,
    role: &str,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let table = stacker.table();
    let pieces = read_pieces(table.blueprint(), &[stack.to_owned()])?;
    let stack = stacker
        .combine(&pieces)
        .map_err(|error| anyhow!("{stack} is no stack: {error}"))?;
    match stacker.remove_named(&stack, role) {
        Ok(Some(rest)) => writeln!(output, "{}", show(&rest))?,
        Ok(None) => writeln!(output, "nothing is left")?,
        Err(RemoveError::UnknownName) => bail!("{}", unknown(role, table.blueprint())),
        Err(RemoveError::Rest(_, rest)) => bail!(
            "what is left of {} is no stack: {}",
            show(&stack),
            list_errors(&table.errors(rest))
        ),
        Err(RemoveError::Absent(_) | RemoveError::AbsentPiece) => {
            bail!("{} holds no {role}", show(&stack))
        }
    }
    Ok(())
}

fn write_verdict(
    stacker: &PieceStacker<'_>,
    pieces: &[Piece],
    output: &mut impl Write,
) -> anyhow::Result<()> {
    match stacker.validate(pieces) {
        Ok(state) => {
            let shown = stacker.table().blueprint().show(state);
            Ok(writeln!(output, "{shown} is a lawful stack")?)
        }
        Err(errors) => {
            for error in errors {
                writeln!(output, "{error}")?;
            }
            output.flush()?;
            bail!("{} make no stack", list(pieces))
        }
    }
}

fn write_conflicts(
    stacker: &PieceStacker<'_>,
    pieces: &[Piece],
    output: &mut impl Write,
) -> io::Result<()> {
    let conflicts = stacker.conflicts(pieces);
    if conflicts.is_empty() {
        writeln!(output, "no conflict")?;
    }
    for conflict in conflicts {
        let words = conflict.describe(stacker.table().blueprint());
        writeln!(output, "{words}")?;
    }
    Ok(())
}

/// One line for each stack with its mask and state, each stack once however many pieces could make it.
fn write_combinations(
    stacks: &[Stack<Piece>],
    json: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut written = HashSet::new();
    let mut rows = Vec::new();
    for stack in stacks {
        let (name, state) = (show(stack), stack.state());
        if written.insert(name.clone()) {
            rows.push((name, state.set().bits(), format!("{state:#x}")));
        }
    }
    if json {
        let rows: Vec<serde_json::Value> = rows
            .iter()
            .map(|(stack, mask, state)| json!({ "stack": stack, "mask": mask, "state": state }))
            .collect();
        return writeln!(output, "{}", serde_json::Value::from(rows));
    }
    for (stack, mask, state) in rows {
        writeln!(output, "{stack:<6} mask {mask:>5}  state {state}")?;
    }
    Ok(())
}

/// One line for each split, and their number. Pieces that look alike can stand for each other, so each
/// line is written once.
fn write_splits(
    splits: impl Iterator<Item = Vec<Stack<Piece>>>,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut written = HashSet::new();
    for split in splits {
        let stacks: Vec<String> = split.iter().map(show).collect();
        let line = stacks.join(" ");
        let mut key = stacks;
        key.sort_unstable();
        if written.insert(key) {
            writeln!(output, "{line}")?;
        }
    }
    let noun = if written.len() == 1 {
        "split"
    } else {
        "splits"
    };
    writeln!(output, "{} {noun}", written.len())
}

/// The blueprint as a file could hold it, with what it comes to as a comment.
fn write_blueprint(args: &Args, table: &StackTable, output: &mut impl Write) -> io::Result<()> {
    let blueprint = table.blueprint();
    match args.blueprint {
        None => write!(output, "{COTULENH_BLUEPRINT}")?,
        Some(_) => write!(output, "{blueprint}")?,
    }
    let (stacks, roles) = (table.lawful().count() - blueprint.len(), blueprint.len());
    writeln!(output, "\n# {roles} roles and {stacks} stacks")?;
    if let Some((whole, rest)) = table.broken_part() {
        let (whole, rest) = (blueprint.show(whole), blueprint.show_set(rest));
        writeln!(
            output,
            "# note: {whole} is a stack, its part {rest} is none"
        )?;
    }
    Ok(())
}

fn show(stack: &Stack<Piece>) -> String {
    let mut text = stack.carrier().to_string();
    for (index, piece) in stack.cargo().enumerate() {
        if index == 0 {
            text.push('|');
        }
        text += &piece.to_string();
    }
    text
}

fn list(pieces: &[Piece]) -> String {
    let shown: Vec<String> = pieces.iter().map(Piece::to_string).collect();
    shown.join(" ")
}

fn list_errors(errors: &[CombineError<'_>]) -> String {
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    told.join("; ")
}

fn unknown(word: &str, blueprint: &Blueprint) -> String {
    let letters: Vec<String> = blueprint
        .all()
        .iter()
        .filter_map(|role| blueprint.letter(role).map(String::from))
        .collect();
    format!(
        "no role is called {word:?}; there are {}",
        letters.join(" ")
    )
}

fn pieces_or_all(blueprint: &Blueprint, words: &[String]) -> anyhow::Result<Vec<Piece>> {
    if words.is_empty() {
        read_pieces(blueprint, &[blueprint.show_set(blueprint.all())])
    } else {
        read_pieces(blueprint, words)
    }
}

/// The pieces that the words name. A word is the name of a role, or letters with the marks of stacks.
fn read_pieces(blueprint: &Blueprint, words: &[String]) -> anyhow::Result<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    // The letter that settled the colour.
    let mut first: Option<char> = None;
    for word in words {
        let bare = word.strip_prefix('+').unwrap_or(word);
        if let Some(role) = blueprint.role(bare).filter(|_| bare.len() > 1) {
            let letter = blueprint.letter(role).unwrap_or('?');
            pieces.push(Piece {
                role,
                letter,
                heroic: bare != word,
            });
            continue;
        }
        let mut heroic = false;
        for letter in word.chars() {
            match letter {
                '+' if heroic => bail!("{word:?} has two pluses in a row"),
                '+' => heroic = true,
                '(' | ')' | '|' | ',' | ' ' => {}
                _ => {
                    let role = blueprint.role(letter.encode_utf8(&mut [0; 4]));
                    let role = role.with_context(|| match word.chars().count() {
                        1 => unknown(word, blueprint),
                        _ => format!("{} (in {word:?})", unknown(&letter.to_string(), blueprint)),
                    })?;
                    let colour = *first.get_or_insert(letter);
                    if colour.is_uppercase() != letter.is_uppercase() {
                        bail!("{colour} and {letter} are of two colours, and a stack is of one");
                    }
                    pieces.push(Piece {
                        role,
                        letter,
                        heroic,
                    });
                    heroic = false;
                }
            }
        }
        if heroic {
            bail!("{word:?} ends in a plus that marks no piece");
        }
    }
    if pieces.is_empty() {
        bail!("{:?} names no piece", words.join(" "));
    }
    Ok(pieces)
}
