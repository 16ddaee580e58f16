//! Blueprints in YAML, as the founding document of Cờ Tư Lệnh's stacks writes them.
//!
//! Only what such a file needs is read: one mapping of carriers, and for each a list of slots, each slot a
//! list of roles. Lists are written in brackets or with dashes.

use super::parse::quote;
use super::{Blueprint, BlueprintError, ParseBlueprintError};
use crate::{COTULENH, Role, RoleSet};

/// Whether a text is YAML of this form: its first word is `blueprints:`.
pub(super) fn is_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.trim_start_matches('\u{feff}'));
    let first = lines.find(|line| !content(line).is_empty() && content(line) != "---");
    first.is_some_and(|line| key(content(line)).is_some_and(|(name, _)| name == "blueprints"))
}

/// A line without its comment and its outer blanks.
fn content(line: &str) -> &str {
    let bytes = line.as_bytes();
    let comment = (0..bytes.len())
        .find(|at| bytes[*at] == b'#' && (*at == 0 || bytes[*at - 1].is_ascii_whitespace()));
    line[..comment.unwrap_or(line.len())].trim()
}

/// The name before a colon, and what follows it.
fn key(content: &str) -> Option<(&str, &str)> {
    let (name, rest) = content.split_once(':')?;
    let plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_- \"'".contains(&byte));
    (plain && !name.starts_with('-')).then(|| (unquoted(name.trim()), rest.trim()))
}

fn unquoted(word: &str) -> &str {
    let inner = |mark: char| word.strip_prefix(mark)?.strip_suffix(mark);
    inner('"').or_else(|| inner('\'')).unwrap_or(word)
}

/// Where the reader is.
struct Reader {
    blueprint: Blueprint,
    carrier: Option<Role>,
    /// The indentation of the carrier's dashes, once one was seen.
    dash: Option<usize>,
    /// A list in brackets that goes on in the next line.
    open: bool,
    slot: RoleSet,
    line: usize,
}

impl Blueprint {
    /// Reads a blueprint in YAML. Its roles are those of the built-in blueprint, by name or by letter; what
    /// it does not mention carries nobody.
    ///
    /// ```
    /// use convoy_stack::{Blueprint, StackTable};
    ///
    /// let blueprint = Blueprint::parse_yaml("
    /// blueprints:
    ///   NAVY:
    ///     - [AIR_FORCE] # Slot 1: Air Force only
    ///     - [COMMANDER, INFANTRY, MILITIA, TANK] # Slot 2: Humanlike or Tank
    ///
    ///   TANK:
    ///     - [COMMANDER, INFANTRY, MILITIA] # Slot 1: Humanlike only
    /// ")?;
    /// let table = StackTable::new(blueprint);
    /// assert_eq!(blueprint.show_set(blueprint.carriers()), "TN");
    /// assert!(table.is_lawful(blueprint.read_set("NFT").expect("three roles")));
    /// # Ok::<_, convoy_stack::ParseBlueprintError>(())
    /// ```
    pub fn parse_yaml(text: &str) -> Result<Self, ParseBlueprintError> {
        let mut reader = Reader {
            blueprint: COTULENH.blueprint().without_carriers(),
            carrier: None,
            dash: None,
            open: false,
            slot: RoleSet::EMPTY,
            line: 0,
        };
        let mut headed = false;
        for line in text.lines() {
            reader.line += 1;
            let line = line.trim_start_matches('\u{feff}');
            let content = content(line);
            let indent = line.len() - line.trim_start().len();
            if content.is_empty() || content == "---" && !headed {
                continue;
            }
            if !headed {
                headed = key(content) == Some(("blueprints", ""));
                if !headed {
                    return Err(reader.error(indent, BlueprintError::YamlHead));
                }
                continue;
            }
            reader.take(indent, content)?;
        }
        let end = reader.line;
        reader.line = end.max(1);
        if !headed {
            return Err(reader.error(0, BlueprintError::YamlHead));
        }
        if reader.open {
            return Err(reader.error(0, BlueprintError::OpenSlot));
        }
        reader.close_slot(0)?;
        reader.close_carrier(0)?;
        Ok(reader.blueprint)
    }
}

impl Reader {
    fn error(&self, column: usize, error: BlueprintError) -> ParseBlueprintError {
        ParseBlueprintError {
            line: self.line,
            column: column + 1,
            error,
        }
    }

    /// One line that is not empty.
    fn take(&mut self, indent: usize, content: &str) -> Result<(), ParseBlueprintError> {
        if self.open {
            return self.roles(indent, content);
        }
        if let Some(item) = content.strip_prefix('-') {
            let item_at = indent + content.len() - item.trim_start().len();
            return self.item(indent, item_at, item.trim_start());
        }
        let Some((name, "")) = key(content) else {
            let word = quote(content.as_bytes());
            return Err(self.error(indent, BlueprintError::YamlLine(word)));
        };
        if indent == 0 {
            return Err(self.error(indent, BlueprintError::YamlLine(quote(name.as_bytes()))));
        }
        self.close_slot(indent)?;
        self.close_carrier(indent)?;
        let carrier = self.role(indent, name)?;
        if !self.blueprint.slots(carrier).is_empty() {
            let twice = BlueprintError::CarrierTwice(self.blueprint.names[carrier.index()]);
            return Err(self.error(indent, twice));
        }
        (self.carrier, self.dash) = (Some(carrier), None);
        Ok(())
    }

    /// What follows a dash: a slot, or one role of a slot whose dashes stand further right.
    fn item(&mut self, indent: usize, at: usize, item: &str) -> Result<(), ParseBlueprintError> {
        if self.carrier.is_none() {
            return Err(self.error(indent, BlueprintError::MissingCarrier));
        }
        let slot = *self.dash.get_or_insert(indent) == indent;
        if slot {
            self.close_slot(indent)?;
        }
        if item.starts_with('[') {
            return self.roles(at, item);
        }
        // `- - ROLE` opens a slot with its first role.
        if let Some(inner) = item.strip_prefix('-') {
            let inner_at = at + item.len() - inner.trim_start().len();
            return self.add(inner_at, inner.trim_start());
        }
        if slot && item.is_empty() {
            return Ok(());
        }
        self.add(at, item)
    }

    /// The roles of a list in brackets, which may go on in the next line.
    fn roles(&mut self, at: usize, text: &str) -> Result<(), ParseBlueprintError> {
        let mut offset = 0;
        let mut closed = false;
        for word in text.split_inclusive(['[', ']', ',']) {
            let name = word.trim_end_matches(['[', ']', ',']);
            let blank = name.len() - name.trim_start().len();
            if closed && !word.trim().is_empty() {
                let surplus = BlueprintError::Surplus(quote(word.trim().as_bytes()));
                return Err(self.error(at + offset + blank, surplus));
            }
            if !name.trim().is_empty() {
                self.add(at + offset + blank, name.trim())?;
            }
            closed |= word.ends_with(']');
            offset += word.len();
        }
        self.open = !closed;
        if closed && self.slot.is_empty() {
            return Err(self.error(at, BlueprintError::EmptySlot));
        }
        Ok(())
    }

    fn role(&self, column: usize, name: &str) -> Result<Role, ParseBlueprintError> {
        let role = self.blueprint.role(unquoted(name));
        let unknown = BlueprintError::UnknownRole(quote(name.as_bytes()));
        role.ok_or_else(|| self.error(column, unknown))
    }

    /// One more role for the slot.
    fn add(&mut self, column: usize, name: &str) -> Result<(), ParseBlueprintError> {
        let role = self.role(column, name)?;
        let carrier = self.carrier.expect("a slot has a carrier");
        let fits = self.blueprint.admit(carrier, self.slot, role);
        fits.map_err(|error| self.error(column, error))?;
        self.slot |= role.set();
        Ok(())
    }

    /// Gives the slot that was read to its carrier.
    fn close_slot(&mut self, column: usize) -> Result<(), ParseBlueprintError> {
        let (Some(carrier), false) = (self.carrier, self.slot.is_empty()) else {
            return Ok(());
        };
        let count = self.blueprint.slots(carrier).len();
        if count == Blueprint::MAX_SLOTS {
            let name = self.blueprint.names[carrier.index()];
            return Err(self.error(column, BlueprintError::TooManySlots(name)));
        }
        self.blueprint.slots[carrier.index()][count] = self.slot;
        self.slot = RoleSet::EMPTY;
        Ok(())
    }

    /// A carrier without slots is refused, as it is in the other format.
    fn close_carrier(&mut self, column: usize) -> Result<(), ParseBlueprintError> {
        match self.carrier {
            Some(carrier) if self.blueprint.slots(carrier).is_empty() => {
                let name = self.blueprint.names[carrier.index()];
                Err(self.error(column, BlueprintError::NoSlot(name)))
            }
            _ => Ok(()),
        }
    }
}
