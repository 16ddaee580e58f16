//! The reader of blueprints. It runs at compile time for the built-in one, so it is a `const fn`: loops
//! are spelled out, and `?` is a macro.

use super::{Blueprint, BlueprintError, ParseBlueprintError, Word};
use crate::{Role, RoleSet};

/// `?` for a `const fn`.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

impl Blueprint {
    /// Reads a blueprint, at run time or in a `const`.
    ///
    /// A `#` opens a comment to the end of the line; commas count as spaces. Roles are declared above the
    /// carriers that name them, by letter or by name:
    ///
    /// ```text
    /// role LETTER NAME
    /// carrier ROLE [ROLE ROLE…] [ROLE…] …
    /// ```
    ///
    /// ```
    /// use convoy_stack::Blueprint;
    ///
    /// const TEXT: &str = "role T tank\nrole I infantry\ncarrier T [I]";
    /// const BLUEPRINT: Blueprint = Blueprint::parse_or_panic(TEXT);
    /// assert_eq!(Blueprint::parse(TEXT), Ok(BLUEPRINT));
    /// ```
    pub const fn parse(text: &str) -> Result<Self, ParseBlueprintError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut blueprint = Self::EMPTY;
        loop {
            match reader.token() {
                Token::Word(word) if is(word, b"role") => {
                    attempt!(blueprint.read_role(&mut reader));
                }
                Token::Word(word) if is(word, b"carrier") => {
                    attempt!(blueprint.read_carrier(&mut reader));
                }
                Token::Word(word) => {
                    return Err(reader.fault(BlueprintError::Statement(quote(word))));
                }
                Token::Open => return Err(reader.fault(BlueprintError::Statement(quote(b"[")))),
                Token::Close => return Err(reader.fault(BlueprintError::Statement(quote(b"]")))),
                Token::Line => {}
                Token::End if blueprint.len == 0 => {
                    return Err(reader.fault(BlueprintError::NoRoles));
                }
                Token::End => return Ok(blueprint),
            }
        }
    }

    /// [`parse`](Self::parse) for a `const`, where a fault stops the compiler.
    ///
    /// # Panics
    ///
    /// If the text is no blueprint.
    pub const fn parse_or_panic(text: &str) -> Self {
        match Self::parse(text) {
            Ok(blueprint) => blueprint,
            Err(_) => panic!("the text is no blueprint; Blueprint::parse tells why"),
        }
    }

    /// The rest of a line after `role`.
    const fn read_role(&mut self, reader: &mut Reader<'_>) -> Result<(), ParseBlueprintError> {
        if self.len == Role::MAX {
            return Err(reader.fault(BlueprintError::TooManyRoles));
        }
        let letter = match reader.token() {
            Token::Word([letter]) if letter.is_ascii_alphabetic() => letter.to_ascii_uppercase(),
            Token::Word(word) => return Err(reader.fault(BlueprintError::Letter(quote(word)))),
            _ => return Err(reader.fault(BlueprintError::MissingLetter)),
        };
        if self.role_of(&[letter]).is_some() {
            return Err(reader.fault(BlueprintError::LetterTwice(letter as char)));
        }
        let name = match reader.token() {
            Token::Word(word) if is_name(word) => Word::new(word, true),
            Token::Word(word) => return Err(reader.fault(BlueprintError::Name(quote(word)))),
            _ => return Err(reader.fault(BlueprintError::MissingName)),
        };
        if self.role(name.as_str()).is_some() {
            return Err(reader.fault(BlueprintError::NameTwice(name)));
        }
        self.letters[self.len] = letter;
        self.names[self.len] = name;
        self.len += 1;
        match reader.token() {
            Token::Word(word) => Err(reader.fault(BlueprintError::Surplus(quote(word)))),
            Token::Open => Err(reader.fault(BlueprintError::Surplus(quote(b"[")))),
            Token::Close => Err(reader.fault(BlueprintError::Surplus(quote(b"]")))),
            Token::Line | Token::End => Ok(()),
        }
    }

    /// The rest of a line after `carrier`.
    const fn read_carrier(&mut self, reader: &mut Reader<'_>) -> Result<(), ParseBlueprintError> {
        let carrier = match reader.token() {
            Token::Word(word) => attempt!(self.known(word, reader)),
            _ => return Err(reader.fault(BlueprintError::MissingCarrier)),
        };
        let (index, name) = (carrier.index(), self.names[carrier.index()]);
        if !self.slots[index][0].is_empty() {
            return Err(reader.fault(BlueprintError::CarrierTwice(name)));
        }
        let mut count = 0;
        loop {
            match reader.token() {
                Token::Open if count == Self::MAX_SLOTS => {
                    return Err(reader.fault(BlueprintError::TooManySlots(name)));
                }
                Token::Open => {
                    self.slots[index][count] = attempt!(self.read_slot(carrier, reader));
                    count += 1;
                }
                Token::Line | Token::End if count == 0 => {
                    return Err(reader.fault(BlueprintError::NoSlot(name)));
                }
                Token::Line | Token::End => return Ok(()),
                Token::Word(word) => {
                    return Err(reader.fault(BlueprintError::Surplus(quote(word))));
                }
                Token::Close => return Err(reader.fault(BlueprintError::Surplus(quote(b"]")))),
            }
        }
    }

    /// The roles of a slot up to its closing bracket.
    const fn read_slot(
        &self,
        carrier: Role,
        reader: &mut Reader<'_>,
    ) -> Result<RoleSet, ParseBlueprintError> {
        let mut slot = RoleSet::EMPTY;
        loop {
            match reader.token() {
                Token::Word(word) => {
                    let role = attempt!(self.known(word, reader));
                    if let Err(error) = self.admit(carrier, slot, role) {
                        return Err(reader.fault(error));
                    }
                    slot = slot.union(role.set());
                }
                Token::Close if slot.is_empty() => {
                    return Err(reader.fault(BlueprintError::EmptySlot));
                }
                Token::Close => return Ok(slot),
                Token::Open | Token::Line | Token::End => {
                    return Err(reader.fault(BlueprintError::OpenSlot));
                }
            }
        }
    }

    /// Whether a role may stand in a slot of a carrier that holds these roles already.
    pub(super) const fn admit(
        &self,
        carrier: Role,
        slot: RoleSet,
        role: Role,
    ) -> Result<(), BlueprintError> {
        let name = self.names[role.index()];
        if role.index() == carrier.index() {
            return Err(BlueprintError::CarriesItself(name));
        }
        if slot.contains(role) {
            return Err(BlueprintError::RoleTwice(name));
        }
        if self.cargo_of(carrier).contains(role) {
            return Err(BlueprintError::SlotsOverlap(name));
        }
        if self.cargo_of(role).contains(carrier) {
            return Err(BlueprintError::Ambiguous(self.names[carrier.index()], name));
        }
        Ok(())
    }

    /// The roles that have a slot in a carrier.
    const fn cargo_of(&self, carrier: Role) -> RoleSet {
        let [a, b, c] = self.slots[carrier.index()];
        a.union(b).union(c)
    }

    const fn known(&self, word: &[u8], reader: &Reader<'_>) -> Result<Role, ParseBlueprintError> {
        match self.role_of(word) {
            Some(role) => Ok(role),
            None => Err(reader.fault(BlueprintError::UnknownRole(quote(word)))),
        }
    }
}

/// Whether a word may be the name of a role. One letter would be taken for the letter of a role.
const fn is_name(word: &[u8]) -> bool {
    if word.len() < 2 || word.len() > Word::MAX || !word[0].is_ascii_alphabetic() {
        return false;
    }
    let mut index = 0;
    while index < word.len() {
        if !matches!(word[index], b'_' | b'-') && !word[index].is_ascii_alphanumeric() {
            return false;
        }
        index += 1;
    }
    true
}

pub(super) const fn quote(word: &[u8]) -> Word {
    Word::new(word, false)
}

const fn is(word: &[u8], keyword: &[u8]) -> bool {
    let mut index = 0;
    while index < word.len() && index < keyword.len() && word[index] == keyword[index] {
        index += 1;
    }
    index == word.len() && index == keyword.len()
}

enum Token<'a> {
    Word(&'a [u8]),
    Open,
    Close,
    /// The end of a line.
    Line,
    /// The end of the text.
    End,
}

/// Cuts a text into tokens and knows where it is.
struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
    column: usize,
    /// Where the last token began.
    at: (usize, usize),
}

impl<'a> Reader<'a> {
    const fn new(rest: &'a [u8]) -> Self {
        Self {
            rest,
            line: 1,
            column: 1,
            at: (1, 1),
        }
    }

    /// A fault at the last token.
    const fn fault(&self, error: BlueprintError) -> ParseBlueprintError {
        let (line, column) = self.at;
        ParseBlueprintError {
            line,
            column,
            error,
        }
    }

    const fn token(&mut self) -> Token<'a> {
        let mut comment = false;
        while let [byte, ..] = self.rest {
            match byte {
                b'\n' => break,
                b'#' => comment = true,
                b' ' | b'\t' | b'\r' | b',' => {}
                _ if comment => {}
                _ => break,
            }
            self.advance(1);
        }
        self.at = (self.line, self.column);
        match self.rest {
            [] => Token::End,
            [b'\n', ..] => {
                self.advance(1);
                self.line += 1;
                self.column = 1;
                Token::Line
            }
            [b'[', ..] => {
                self.advance(1);
                Token::Open
            }
            [b']', ..] => {
                self.advance(1);
                Token::Close
            }
            _ => {
                let mut len = 0;
                while len < self.rest.len() && !is_end(self.rest[len]) {
                    len += 1;
                }
                Token::Word(self.advance(len))
            }
        }
    }

    /// Takes `len` bytes, counting characters.
    const fn advance(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(len);
        let mut index = 0;
        while index < len {
            if taken[index] & 0xc0 != 0x80 {
                self.column += 1;
            }
            index += 1;
        }
        self.rest = rest;
        taken
    }
}

/// Whether a word stops before this byte.
const fn is_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'#'
    )
}
