//! What the rules answer, as JSON and the like: one set of names for the query command, the server
//! and whoever else speaks to other languages. Needs the feature `serde`.

use alloc::string::String;
use core::fmt::Write as _;

use serde::ser::{SerializeSeq as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

use crate::notation::of_square;
use crate::{Move, MoveKind, Namer, Outcome, Position, Stack, StackRules, Standard};

/// A position with all its legal moves, in the form of `docs/protocol.md`, op `moves`.
///
/// ```
/// use cotulenh::{Position, wire::Moves};
/// let answer = serde_json::to_value(Moves::of(&Position::start()))?;
/// assert_eq!(answer["turn"], "r");
/// assert_eq!(answer["moves"][0]["san"], "Ic6");
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Moves<'a, R: StackRules = Standard> {
    /// The position.
    pub position: &'a Position<R>,
    /// How the game has ended: more than the position alone may be known of it.
    pub outcome: Option<Outcome>,
    /// Whether the legal moves are listed, or every pseudo-legal one.
    pub legal: bool,
}

impl<'a, R: StackRules> Moves<'a, R> {
    /// The answer for a position by itself.
    pub fn of(position: &'a Position<R>) -> Self {
        let outcome = position.outcome();
        Self {
            position,
            outcome,
            legal: true,
        }
    }
}

impl<R: StackRules> Serialize for Moves<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let position = self.position;
        let mut text = String::with_capacity(160);
        position.write_fen(&mut text);
        let open = position.deploy().is_some();
        let mut fields = serializer.serialize_struct("Moves", 6 + usize::from(open))?;
        fields.serialize_field("fen", &text)?;
        fields.serialize_field("turn", &position.turn())?;
        fields.serialize_field("check", &position.in_check())?;
        fields.serialize_field("danger", &position.in_danger(position.turn()))?;
        if open {
            fields.serialize_field("canCommit", &position.can_commit())?;
        }
        fields.serialize_field("outcome", &self.outcome)?;
        fields.serialize_field("moves", &List(position, self.legal))?;
        fields.end()
    }
}

/// The moves of a position, the legal ones or all, each written as it is made: only buffers are kept.
struct List<'a, R: StackRules>(&'a Position<R>, bool);

impl<R: StackRules> Serialize for List<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = if self.1 {
            self.0.legal_moves()
        } else {
            self.0.pseudo_legal_moves().collect()
        };
        let namer = Namer::new(self.0, &moves);
        let mut texts = Texts::default();
        let mut list = serializer.serialize_seq(Some(moves.len()))?;
        for mv in &moves {
            list.serialize_element(&texts.entry(self.0, &namer, *mv))?;
        }
        list.end()
    }
}

#[derive(Default)]
struct Texts {
    lan: String,
    san: String,
    after: String,
    captured: String,
    combined: String,
}

/// One move; what is false or empty is left out.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a field on the wire")]
struct Entry<'a> {
    lan: &'a str,
    san: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    role: Option<char>,
    flags: &'static str,
    #[serde(skip_serializing_if = "is_false")]
    heroic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    carry: Option<Cargo>,
    #[serde(skip_serializing_if = "str::is_empty")]
    captured: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    combined: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    recombine: bool,
    #[serde(skip_serializing_if = "is_false")]
    deploy: bool,
    after: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    open: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Texts {
    fn entry<R: StackRules>(
        &mut self,
        position: &Position<R>,
        namer: &Namer<'_, R>,
        mv: Move,
    ) -> Entry<'_> {
        let mut after = position.clone();
        after.play_unchecked(mv);
        for text in [
            &mut self.lan,
            &mut self.san,
            &mut self.after,
            &mut self.captured,
            &mut self.combined,
        ] {
            text.clear();
        }
        namer.lan(mv, &mut self.lan);
        namer.san(mv, &mut self.san);
        after.write_fen(&mut self.after);
        put(position.captured(mv), &mut self.captured);
        let commit = mv.is_commit();
        if mv.kind() == MoveKind::Combine {
            put(after.stack_at(mv.to()), &mut self.combined);
        }
        let mover = position.mover(mv);
        Entry {
            lan: &self.lan,
            san: &self.san,
            from: (!commit).then(|| of_square(mv.from())),
            to: (!commit).then(|| of_square(mv.to())),
            role: (!commit).then(|| mv.role().letter().to_ascii_lowercase()),
            flags: mv.flags().as_str(),
            heroic: mover.is_some_and(|mover| mover.carrier().heroic),
            carry: mover.filter(|mover| mover.len() > 1).map(Cargo),
            captured: &self.captured,
            combined: &self.combined,
            recombine: mv.is_recombine(),
            deploy: mv.is_step() && !commit,
            after: &self.after,
            open: after.deploy().is_some(),
        }
    }
}

fn put(stack: Option<Stack>, text: &mut String) {
    if let Some(stack) = stack {
        // Writing to a string cannot fail.
        let _ = write!(text, "{stack}");
    }
}

/// The cargo of a stack, upper case for both sides: `["F", "+T"]`.
struct Cargo(Stack);

impl Serialize for Cargo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len() - 1))?;
        for piece in self.0.pieces().skip(1) {
            let letter = [b'+', piece.role.letter() as u8];
            let text =
                core::str::from_utf8(&letter[usize::from(!piece.heroic)..]).unwrap_or_default();
            list.serialize_element(text)?;
        }
        list.end()
    }
}
