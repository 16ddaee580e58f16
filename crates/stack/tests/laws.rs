//! What must hold for every set of roles, every blueprint and every collection of pieces.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use convoy_stack::{
    Attempt, Blueprint, COTULENH, CombineErrorKind, Role, RoleSet, Stack, StackTable, Stacker,
    State,
};
use proptest::prelude::*;

/// Many more cases where the long run is asked for.
fn config() -> ProptestConfig {
    let cases = if std::env::var_os("CONVOY_DEEP").is_some() {
        20_000
    } else {
        128
    };
    ProptestConfig::with_cases(cases)
}

/// A piece with more to it than its role. Some roles are none of the built-in blueprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    role: u8,
    heroic: bool,
}

fn stacker(table: &StackTable) -> Stacker<'_, Piece, fn(&Piece) -> Option<Role>> {
    Stacker::new(table, |piece| Role::new(piece.role))
}

fn piece() -> impl Strategy<Value = Piece> {
    (0..13u8, any::<bool>()).prop_map(|(role, heroic)| Piece { role, heroic })
}

/// The pieces of a lawful stack of the built-in blueprint, in any order.
fn lawful_pieces() -> impl Strategy<Value = Vec<Piece>> {
    let lawful: Vec<State> = COTULENH.lawful().collect();
    (prop::sample::select(lawful), any::<[bool; 4]>())
        .prop_map(|(state, heroic)| {
            let roles = state
                .roles()
                .map(|role| u8::try_from(role.index()).unwrap());
            let pieces = roles.zip(heroic);
            pieces
                .map(|(role, heroic)| Piece { role, heroic })
                .collect()
        })
        .prop_flat_map(|pieces: Vec<Piece>| Just(pieces).prop_shuffle())
}

/// A blueprint of 1 to 10 roles whose slots are what the numbers make of them.
fn blueprint() -> impl Strategy<Value = Blueprint> {
    let rows = prop::collection::vec(prop::collection::vec(0..12usize, 10), 1..=10);
    rows.prop_map(|rows| {
        let mut text = String::new();
        for index in 0..rows.len() {
            let letter = char::from(b'A' + u8::try_from(index).unwrap());
            writeln!(text, "role {letter} role{index}").unwrap();
        }
        for (carrier, row) in rows.iter().enumerate() {
            let mut slots = vec![Vec::new(); 3];
            for (role, choice) in row.iter().enumerate().take(rows.len()) {
                // Only lower roles, so that no two carry each other.
                if role < carrier && *choice < 3 {
                    slots[*choice].push(format!("role{role}"));
                }
            }
            slots.retain(|slot| !slot.is_empty());
            let slots: Vec<String> = slots.iter().map(|slot| slot.join(" ")).collect();
            if !slots.is_empty() {
                writeln!(text, "carrier role{carrier} [{}]", slots.join("] [")).unwrap();
            }
        }
        text.parse().unwrap()
    })
}

/// Every way to divide `pieces`, lawful or not.
fn partitions(pieces: &[Piece]) -> Vec<Vec<Vec<Piece>>> {
    let Some((first, rest)) = pieces.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for partition in partitions(rest) {
        for index in 0..partition.len() {
            let mut joined = partition.clone();
            joined[index].push(*first);
            all.push(joined);
        }
        let mut alone = partition;
        alone.push(vec![*first]);
        all.push(alone);
    }
    all
}

/// A division in a form that does not depend on any order.
fn canonical(division: impl IntoIterator<Item = Vec<Piece>>) -> Vec<Vec<Piece>> {
    let mut groups: Vec<Vec<Piece>> = division.into_iter().collect();
    for group in &mut groups {
        group.sort();
    }
    groups.sort();
    groups
}

fn pieces_of(stack: Stack<Piece>) -> Vec<Piece> {
    stack.into_iter().collect()
}

#[test]
fn any_part_of_a_lawful_set_is_lawful() {
    assert_eq!(COTULENH.lawful().count(), 34);
    assert_eq!(COTULENH.broken_part(), None);
    for state in COTULENH.lawful() {
        let mut parts = state.set().parts().skip(1);
        assert!(parts.all(|part| COTULENH.is_lawful(part)));
    }
}

#[test]
fn a_lawful_set_has_one_carrier_and_an_unlawful_one_none() {
    for mask in 1..2048 {
        let set = RoleSet::from_bits(mask);
        let fitting: Vec<Role> = COTULENH
            .attempts(set)
            .filter_map(|attempt| attempt.fits().then_some(attempt.carrier))
            .collect();
        let carrier = COTULENH.lookup(set).map(State::carrier);
        assert_eq!(fitting, carrier.into_iter().collect::<Vec<_>>(), "{mask}");
        assert_eq!(COTULENH.errors(set).is_empty(), carrier.is_some());
        assert_eq!(COTULENH.conflicts(set).is_empty(), carrier.is_some());
    }
}

#[test]
fn combining_is_mutual_and_undone_by_removal() {
    for a in COTULENH.lawful() {
        for b in COTULENH.lawful() {
            let both = COTULENH.combine(a, b);
            assert_eq!(both, COTULENH.combine(b, a));
            if let Some(both) = both {
                assert_eq!(COTULENH.remove(both, b.set()), Some(a));
                assert_eq!(COTULENH.remove(both, a.set()), Some(b));
            }
            for c in COTULENH.lawful() {
                let left = both.and_then(|both| COTULENH.combine(both, c));
                if let Some(left) = left {
                    let right = COTULENH.combine(b, c);
                    let right = right.and_then(|right| COTULENH.combine(a, right));
                    assert_eq!(Some(left), right);
                }
            }
        }
    }
}

#[test]
fn a_conflict_is_in_no_stack_and_without_any_role_in_some() {
    let together = |set: RoleSet| COTULENH.lawful().any(|state| set.is_subset(state.set()));
    for conflict in COTULENH.conflicts(COTULENH.blueprint().all()) {
        assert!(!together(conflict));
        for role in conflict {
            assert!(together(conflict - role.set()));
        }
    }
}

#[test]
fn a_tree_holds_every_stack_once() {
    let tree = COTULENH.tree(COTULENH.blueprint().all());
    let nodes: BTreeSet<State> = tree.nodes().iter().map(|node| node.state).collect();
    assert_eq!(nodes, COTULENH.lawful().collect());
    assert_eq!(tree.nodes().len(), 34);
    for node in tree.nodes() {
        let parent = node.parent.map(|parent| tree.nodes()[parent].state);
        assert_eq!(parent.map_or(0, State::len) + 1, node.state.len());
        assert!(parent.is_none_or(|parent| parent.carrier() == node.state.carrier()));
    }
    let svg = tree.to_svg();
    assert_eq!(svg.matches("<rect").count(), 34);
    assert_eq!(svg.matches("<path").count(), 23);
    assert_eq!(tree.to_string().lines().count(), 35);
    assert_eq!(COTULENH.tree(RoleSet::EMPTY).to_string(), "\n");
    assert!(COTULENH.tree(RoleSet::EMPTY).to_svg().ends_with("</svg>\n"));
}

#[test]
fn a_removal_that_names_what_is_not_there_is_refused() {
    use convoy_stack::RemoveError;

    let stacker = stacker(&COTULENH);
    let [infantry, tank] = [1, 6].map(|role| Piece {
        role,
        heroic: false,
    });
    let heroic = Piece {
        heroic: true,
        ..infantry
    };
    let stack = stacker.combine(&[infantry, tank]).unwrap();
    let navy = COTULENH.blueprint().role("navy").unwrap();
    assert_eq!(
        stacker.remove(&stack, navy),
        Err(RemoveError::Absent("navy"))
    );
    assert_eq!(
        stacker.remove_piece(&stack, &heroic),
        Err(RemoveError::AbsentPiece)
    );
    assert_eq!(
        stacker.remove_named(&stack, "balloon"),
        Err(RemoveError::UnknownName)
    );
    let rest = stacker.remove_piece(&stack, &infantry).unwrap();
    assert_eq!(rest.map(pieces_of), Some(vec![tank]));
    let rest = stacker.remove_named(&stack, "Tank").unwrap();
    assert_eq!(rest.map(pieces_of), Some(vec![infantry]));
    assert_eq!(stacker.remove(&stack, stack.state().set()), Ok(None));
    assert_eq!(pieces_of(stack), [tank, infantry]);
}

#[test]
fn a_rest_that_nobody_carries_is_refused() {
    use convoy_stack::RemoveError;

    let text = "role W wagon\nrole D drone\nrole X crate\ncarrier wagon [drone] [crate]";
    let table = StackTable::new(text.parse().unwrap());
    let stacker = Stacker::new(&table, |letter: &char| {
        table.blueprint().role(letter.encode_utf8(&mut [0; 4]))
    });
    let stack = stacker.combine(&['D', 'W', 'X']).unwrap();
    let rest = table.blueprint().read_set("DX").unwrap();
    assert_eq!(
        stacker.remove_named(&stack, "wagon"),
        Err(RemoveError::Rest(table.blueprint(), rest))
    );
    assert_eq!(table.broken_part(), Some((stack.state(), rest)));
    assert_eq!(table.conflicts(rest), []);
    assert_eq!(
        table.errors(rest)[0].kind,
        CombineErrorKind::NoCarrier(rest)
    );
}

#[test]
fn a_variant_with_sixteen_roles_and_three_slots_works() {
    let mut text = String::new();
    for (index, letter) in ('A'..='P').enumerate() {
        writeln!(text, "role {letter} role_{letter}{index}").unwrap();
    }
    text += "carrier A [B C D E F] [G H I J K] [L M N O P]\ncarrier P [O]\n";
    let table = StackTable::new(text.parse().unwrap());
    assert_eq!(table.lawful().count(), 6 * 6 * 6 + 2 + 14);
    let all = table.blueprint().read_set("ABGP").unwrap();
    let state = table.lookup(all).unwrap();
    assert_eq!(table.blueprint().show(state), "A|BGP");
    assert_eq!(state.bits(), 0x8000_0040_0002_0001);
    assert_eq!(table.read_state(state.bits()), Some(state));
    assert_eq!(table.tree(table.blueprint().all()).nodes().len(), 232);
    assert!(!table.is_lawful(table.blueprint().all()));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_order_of_the_input_never_matters(
        (pieces, shuffled) in prop::collection::vec(piece(), 0..6)
            .prop_flat_map(|pieces| (Just(pieces.clone()), Just(pieces).prop_shuffle()))
    ) {
        let stacker = stacker(&COTULENH);
        let before = pieces.clone();
        prop_assert_eq!(stacker.combine(&pieces).ok(), stacker.combine(&shuffled).ok());
        prop_assert_eq!(stacker.validate(&pieces).ok(), stacker.validate(&shuffled).ok());
        prop_assert_eq!(stacker.conflicts(&pieces), stacker.conflicts(&shuffled));
        prop_assert_eq!(
            stacker.combinations(&pieces).len(),
            stacker.combinations(&shuffled).len()
        );
        prop_assert_eq!(pieces, before);
    }

    #[test]
    fn all_verdicts_agree(pieces in prop::collection::vec(piece(), 0..7)) {
        let stacker = stacker(&COTULENH);
        let verdict = stacker.validate(&pieces);
        let combined = stacker.combine(&pieces);
        prop_assert_eq!(stacker.can_combine(&pieces), verdict.is_ok());
        prop_assert_eq!(combined.map(|stack| stack.state()).ok(), verdict.clone().ok());
        let explanation = stacker.explain(&pieces);
        prop_assert_eq!(explanation.state(), verdict.clone().ok());
        prop_assert!(!explanation.to_string().is_empty());
        if let Err(reasons) = verdict {
            prop_assert!(!reasons.is_empty());
            prop_assert!(reasons.contains(&combined.unwrap_err()));
            prop_assert_eq!(explanation.errors(), &reasons[..]);
            let told: BTreeSet<String> = reasons
                .iter()
                .map(ToString::to_string)
                .collect();
            prop_assert_eq!(told.len(), reasons.len());
        }
    }

    #[test]
    fn a_stack_keeps_its_pieces(pieces in lawful_pieces()) {
        let stacker = stacker(&COTULENH);
        let stack = stacker.combine(&pieces).unwrap();
        let mut kept = pieces_of(stack);
        prop_assert_eq!(kept.first(), Some(stack.carrier()));
        for (role, piece) in stack.state().roles().zip(&stack) {
            prop_assert_eq!(Some(role), stacker.role(piece));
        }
        kept.sort();
        let mut given = pieces.clone();
        given.sort();
        prop_assert_eq!(kept, given);
        for piece in &pieces {
            let rest = stacker.remove_piece(&stack, piece).unwrap();
            if let Some(rest) = rest {
                let whole = stacker.combine(rest.iter().chain([piece])).unwrap();
                prop_assert_eq!(whole, stack);
            } else {
                prop_assert_eq!(pieces.len(), 1);
            }
        }
    }

    #[test]
    fn splits_are_all_divisions_into_stacks(pieces in prop::collection::vec(piece(), 0..7)) {
        let stacker = stacker(&COTULENH);
        let known: Vec<Piece> = pieces.iter().copied().filter(|piece| piece.role < 11).collect();
        let splits: Vec<Vec<Stack<Piece>>> = stacker.splits(&pieces).collect();
        let sizes: Vec<usize> = splits.iter().map(Vec::len).collect();
        prop_assert!(sizes.is_sorted());
        let mut found: Vec<_> = splits
            .into_iter()
            .map(|split| canonical(split.into_iter().map(pieces_of)))
            .collect();
        let mut expected: Vec<_> = partitions(&known)
            .into_iter()
            .filter(|division| division.iter().all(|group| stacker.can_combine(group)))
            .filter(|division| !division.is_empty())
            .map(canonical)
            .collect();
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn combinations_are_all_stacks_of_some_pieces(
        pieces in prop::collection::vec(piece(), 0..8)
    ) {
        let stacker = stacker(&COTULENH);
        let mut found: Vec<Vec<Piece>> =
            stacker.combinations(&pieces).into_iter().map(pieces_of).collect();
        let mut expected = Vec::new();
        for chosen in 1..1u32 << pieces.len() {
            let some = (0..pieces.len()).filter(|index| chosen >> index & 1 == 1);
            let some: Vec<Piece> = some.map(|index| pieces[index]).collect();
            expected.extend(stacker.combine(&some).map(pieces_of));
        }
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn every_blueprint_has_one_carrier_a_stack(blueprint in blueprint()) {
        let table = StackTable::new(blueprint);
        for mask in 1..blueprint.sets() {
            let set = RoleSet::from_bits(u16::try_from(mask).unwrap());
            let fitting: Vec<_> = table.attempts(set).filter(Attempt::fits).collect();
            prop_assert!(fitting.len() <= 1);
            let state = table.lookup(set);
            let carrier = fitting.first().map(|attempt| attempt.carrier);
            prop_assert_eq!(state.map(State::carrier), carrier);
            prop_assert_eq!(state.map_or(set, State::set), set);
            prop_assert_eq!(table.errors(set).is_empty(), state.is_some());
        }
        let nodes = table.tree(blueprint.all()).nodes().len();
        prop_assert_eq!(nodes, table.lawful().count());
        prop_assert_eq!(Blueprint::parse(&blueprint.to_string()), Ok(blueprint));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        if let Err(error) = Blueprint::parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in any::<Vec<u8>>()) {
        let _ = Blueprint::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string());
    }

    #[test]
    fn no_words_make_the_reader_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "role", "carrier", "A", "b", "C", "tank", "infantry", "navy", "[", "]", "\n", ",",
                "#", "hải_quân", "a_name_that_is_too_long_to_be_kept_whole_ở_đây",
            ]),
            0..40,
        )
    ) {
        if let Ok(blueprint) = Blueprint::parse(&words.join(" ")) {
            prop_assert_eq!(Blueprint::parse(&blueprint.to_string()), Ok(blueprint));
            prop_assert!(StackTable::new(blueprint).lawful().count() >= blueprint.len());
        }
    }
}
