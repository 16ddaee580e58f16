//! What the text of a move or a turn says, before it is matched against a position.

use crate::{Role, RoleSet, Square};

/// The letters of one group of pieces: which roles, and which of them are marked heroic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Group {
    pub(crate) roles: RoleSet,
    pub(crate) heroic: RoleSet,
}

/// The separator between a group and its target, less the `>` of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Move,
    Capture,
    Stay,
    Kamikaze,
    Combine,
}

/// The text of one move, SAN or LAN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveText {
    pub(crate) group: Group,
    pub(crate) file: Option<u8>,
    pub(crate) rank: Option<u8>,
    pub(crate) step: bool,
    pub(crate) sign: Sign,
    pub(crate) to: Square,
}

/// What a turn's text says of those who stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Nothing: the deploy may stay open.
    Unsaid,
    /// Nobody stays, and the turn ends.
    Nobody,
    /// These stay, and the turn ends.
    Group(Group),
}

/// The steps of a deploy. A stack has at most three pieces, so there are at most three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnText {
    pub(crate) origin: Option<Square>,
    pub(crate) stay: Stay,
    steps: [Option<MoveText>; 3],
}

impl TurnText {
    pub(crate) fn steps(&self) -> impl Iterator<Item = &MoveText> + Clone {
        self.steps.iter().flatten()
    }
}

/// A readable text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// `.`
    Commit,
    /// One move of the list of legal ones.
    Move(MoveText),
    /// Steps of a deploy, perhaps a whole turn.
    Turn(TurnText),
}

/// The byte at which a text leaves the grammar.
pub(crate) type Offset = usize;

/// Reads a move or a turn.
pub(crate) fn parse(text: &str) -> Result<Text, Offset> {
    if text == "." {
        return Ok(Text::Commit);
    }
    let (mut origin, mut stay, mut at) = (None, Stay::Unsaid, 0);
    let mut rest = text;
    if let Some(colon) = text.find(':') {
        origin = Some(text[..colon].parse().map_err(|_| 0_usize)?);
        let second = text[colon + 1..].find(':').ok_or(text.len())? + colon + 1;
        stay = match &text[colon + 1..second] {
            "" => Stay::Nobody,
            letters => Stay::Group(whole_group(letters).map_err(|n| colon + 1 + n)?),
        };
        at = second + 1;
        rest = &text[at..];
    } else if let Some((letters, steps)) = rest.split_once('<')
        && steps.contains('>')
        && let Ok(group) = whole_group(letters)
    {
        stay = Stay::Group(group);
        at = letters.len() + 1;
        rest = steps;
    }
    if let Some((steps, last)) = rest.rsplit_once(',')
        && let Some(letters) = last.strip_suffix('<')
    {
        let place = at + steps.len() + 1;
        if stay != Stay::Unsaid {
            return Err(place);
        }
        stay = Stay::Group(whole_group(letters).map_err(|n| place + n)?);
        rest = steps;
    }
    let mut steps = [None; 3];
    for (index, item) in rest.split(',').enumerate() {
        let slot = steps.get_mut(index).ok_or(at)?;
        *slot = Some(one_move(item).map_err(|n| at + n)?);
        at += item.len() + 1;
    }
    match steps {
        [Some(only), None, None] if stay == Stay::Unsaid && lone(&only) => Ok(Text::Move(only)),
        _ if steps.iter().flatten().all(|step| step.step) => Ok(Text::Turn(TurnText {
            origin,
            stay,
            steps,
        })),
        _ => Err(0),
    }
}

/// Whether the text can be one legal move: all of them but steps that recombining made.
fn lone(mv: &MoveText) -> bool {
    !mv.step || mv.group.roles.len() == 1
}

/// Reads a group that fills the whole text.
pub(crate) fn whole_group(text: &str) -> Result<Group, Offset> {
    let (group, length) = group(text)?;
    if length == text.len() {
        Ok(group)
    } else {
        Err(length)
    }
}

/// Reads the group that opens a text, and how long it is.
fn group(text: &str) -> Result<(Group, usize), Offset> {
    let bytes = text.as_bytes();
    let many = bytes.first() == Some(&b'(');
    let mut at = usize::from(many);
    let mut group = Group::default();
    let mut count = 0;
    loop {
        let heroic = bytes.get(at) == Some(&b'+');
        at += usize::from(heroic);
        let role = match bytes.get(at) {
            Some(letter @ b'A'..=b'Z') => Role::from_letter(char::from(*letter)).ok_or(at)?.set(),
            _ => return Err(at),
        };
        if !group.roles.is_disjoint(role) {
            return Err(at);
        }
        group.roles |= role;
        if heroic {
            group.heroic |= role;
        }
        count += 1;
        at += 1;
        if !many {
            return Ok((group, at));
        }
        if bytes.get(at) == Some(&b')') {
            return if count > 1 {
                Ok((group, at + 1))
            } else {
                Err(at)
            };
        }
    }
}

/// Reads one move, its suffixes included.
pub(crate) fn one_move(text: &str) -> Result<MoveText, Offset> {
    let (group, length) = group(text)?;
    let rest = text[length..].trim_end_matches(['^', '#', '+', '!', '?']);
    let target = rest
        .rfind(|letter: char| letter.is_ascii_lowercase() && letter != 'x')
        .ok_or(length)?;
    let to = rest[target..].parse().map_err(|_| length + target)?;
    let mut middle = &rest.as_bytes()[..target];
    let file = match middle {
        [letter @ b'a'..=b'k', tail @ ..] => {
            middle = tail;
            Some(letter - b'a')
        }
        _ => None,
    };
    let rank = match middle {
        [b'1', digit @ b'0'..=b'2', tail @ ..] => {
            middle = tail;
            Some(9 + digit - b'0')
        }
        [digit @ b'1'..=b'9', tail @ ..] => {
            middle = tail;
            Some(digit - b'1')
        }
        _ => None,
    };
    let step = middle.first() == Some(&b'>');
    let sign = match &middle[usize::from(step)..] {
        b"" => Sign::Move,
        b"-" if !step => Sign::Move,
        b"x" => Sign::Capture,
        b"_" | b"<" => Sign::Stay,
        b"@" => Sign::Kamikaze,
        b"&" => Sign::Combine,
        _ => return Err(length + target - middle.len() + usize::from(step)),
    };
    Ok(MoveText {
        group,
        file,
        rank,
        step,
        sign,
        to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn move_of(text: &str) -> MoveText {
        match parse(text) {
            Ok(Text::Move(mv)) => mv,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn hints_and_signs_are_told_apart() {
        for (text, file, rank, step, sign) in [
            ("Ic6", None, None, false, Sign::Move),
            ("Icc6", Some(2), None, false, Sign::Move),
            ("I5c6", None, Some(4), false, Sign::Move),
            ("Ic5-c6!?", Some(2), Some(4), false, Sign::Move),
            ("T12d11", None, Some(11), false, Sign::Move),
            ("Fe5<e7", Some(4), Some(4), false, Sign::Stay),
            ("F<e7", None, None, false, Sign::Stay),
            ("T><b5", None, None, true, Sign::Stay),
            ("Na>&c8", Some(0), None, true, Sign::Combine),
            ("(N+FT)xc5#", None, None, false, Sign::Capture),
            ("Fe5xe10", Some(4), Some(4), false, Sign::Capture),
        ] {
            let mv = move_of(text);
            assert_eq!(
                (mv.file, mv.rank, mv.step, mv.sign),
                (file, rank, step, sign),
                "{text}"
            );
        }
    }

    #[test]
    fn turns_have_steps_and_perhaps_a_stay_group() {
        let turn = |text| match parse(text) {
            Ok(Text::Turn(turn)) => (
                turn.origin.is_some(),
                turn.stay != Stay::Unsaid,
                turn.steps().count(),
            ),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(turn("(FI)<T>e6"), (false, true, 1));
        assert_eq!(turn("T>e6,(FI)<"), (false, true, 1));
        assert_eq!(turn("F>e8,T>e6,I>d4"), (false, false, 3));
        assert_eq!(turn("(NT)>xc5"), (false, false, 1));
        assert_eq!(turn("e4:(FI):T>e6"), (true, true, 1));
        assert_eq!(turn("e4::F>e8,T>e6"), (true, true, 2));
        assert_eq!(turn("N<T><b5"), (false, true, 1));
    }

    #[test]
    fn what_leaves_the_grammar_is_refused_there() {
        for (text, offset) in [
            ("", 0),
            ("ic6", 0),
            ("c5c6", 0),
            ("I", 1),
            ("IC6", 1),
            ("Ic99", 1),
            ("Zc6", 0),
            ("(I)c6", 2),
            ("(II)c6", 2),
            ("I c6", 1),
            ("Ic6 ", 1),
            ("I(xyz)c6", 1),
            ("Ic5=c6", 3),
            ("Ixxc6", 1),
            ("e4:(FI)", 7),
            ("e4:(FI):Te6", 0),
            ("z9::T>e6", 0),
            ("(FI)<T>e6,(FI)<", 10),
            ("F>e8,T>e6,I>d4,M>d5", 15),
            ("F>e8,Te6", 0),
            ("(FI)<", 4),
            ("0-0", 0),
            ("--", 0),
            ("é", 0),
            ("Ié6", 1),
        ] {
            assert_eq!(parse(text), Err(offset), "{text:?}");
        }
    }
}
