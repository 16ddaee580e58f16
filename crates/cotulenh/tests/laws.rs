//! Laws that hold in every position, tried on random play.

#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use cotulenh::{
    Color, Direction, Move, MoveKind, MoveList, MoveVisitor, Position, Role, RoleSet, Setup,
    Square, Stack, Terrain,
};
use proptest::prelude::*;

fn cases() -> ProptestConfig {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    ProptestConfig::with_cases(if deep { 10_000 } else { 256 })
}

/// Positions to start from: the beginning, and thick ones with stacks, heroes and carried
/// commanders.
const STARTS: [&str; 8] = [
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
    "6c4/1(nf)3h1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE5EI/2N1GT1(TM)G2/3A2S2A1/1N2FH1HF2/6C4 r - - 2 2",
    "2G5F2/5e3cI/2f+I2mi3/2f6am/3M1F2g2/6Fa1TF/(nt)2(+FI)A1Ie2a/(+nf)4I1a1i1/2n1(FTC)H2Fm1/4s6/2g7f/5m5 r - - 0 59",
    "5c5/4+h6/2+s4+i3/5+t5/1+n2+m6/11/6+A4/3+G7/2+N3(+T+I)4/8+E2/5+H5/4C6 r - - 5 20",
    "6c4/7C3/1(NFT)1(tm)1i5/11/11/4n6/+N7m2/2N8/11/11/5+I5/n10 r - - 16 61",
    "8c2/11/11/6a4/11/11/6(TC)4/4I6/11/2n8/11/11 r - - 0 10",
    "2(nfc)8/3(eg)(es)6/1n1(fti)2t4/4(tm)1f4/3e1a1s3/5g5/4G1A4/3S1E1(EA)3/2(NT)1(FTM)1F4/1N3(ES)1T3/4M1I4/2(NFC)8 r - - 0 1",
    "11/4c6/11/6f4/2n8/11/3I7/11/5A5/11/6C4/11 b - - 40 60",
];

/// A position some random moves away from one of the starts, and the one before.
fn played() -> impl Strategy<Value = (Position, Position, Move)> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 1..80);
    (0..STARTS.len(), choices).prop_map(|(start, choices)| {
        let mut position: Position = STARTS[start].parse().unwrap();
        let first = position.legal_moves()[0];
        let mut last = (position.clone(), position.clone(), first);
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            let before = position.clone();
            position.play_unchecked(mv);
            last = (before, position.clone(), mv);
        }
        last
    })
}

/// Lawful stacks thrown on the board wherever terrain allows, with at most one commander a side,
/// carried or not.
fn thrown() -> impl Strategy<Value = Position> {
    let lawful = |commander: u16| -> Vec<u16> {
        (1..2048)
            .filter(|roles| roles & 1 == commander)
            .filter(|roles| {
                Stack::of(RoleSet::from_bits(*roles), RoleSet::EMPTY, Color::Red).is_some()
            })
            .collect()
    };
    let stack = |commander: u16| {
        let heroic = (any::<u16>(), any::<u16>()).prop_map(|(a, b)| a & b);
        (
            0..Square::COUNT,
            prop::sample::select(lawful(commander)),
            heroic,
        )
    };
    let others = prop::collection::vec((stack(0), any::<bool>()), 2..60);
    (others, [stack(1), stack(1)], any::<bool>()).prop_map(|(others, commanders, turn)| {
        let color = |blue: bool| if blue { Color::Blue } else { Color::Red };
        let squares: Vec<Square> = Square::all().collect();
        let mut setup = Setup::new();
        setup.turn = color(turn);
        let commanders = commanders.into_iter().zip([false, true]);
        for ((square, roles, heroic), blue) in others.into_iter().chain(commanders) {
            let [roles, heroic] = [roles, heroic & roles].map(RoleSet::from_bits);
            let stack = Stack::of(roles, heroic, color(blue)).unwrap();
            if Terrain::admits(stack.carrier().role, squares[square]) {
                setup.set(squares[square], Some(stack));
            }
        }
        Position::try_from(&setup).unwrap()
    })
}

fn lines(position: &Position) -> Vec<String> {
    let mut lines: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
    lines.sort();
    lines
}

fn flip(mv: Move) -> Move {
    let (from, to) = (mv.from().flipped(), mv.to().flipped());
    match mv.kind() {
        MoveKind::Commit => Move::commit(from, mv.role()),
        _ if mv.is_recombine() => Move::recombine(from, to, mv.role()),
        kind if mv.is_step() => Move::step(from, to, mv.role(), kind),
        kind => Move::whole(from, to, mv.role(), kind),
    }
}

/// The sight of commanders on one rank runs down the board (Rule 3.8), which a heroic one, sliding
/// diagonally, can tell from up.
fn is_lopsided(position: &Position) -> bool {
    let rank = |color| position.commander(color).map(Square::rank);
    let heroic = |(_, stack): (Square, Stack)| !stack.heroic().is_disjoint(Role::Commander.set());
    rank(Color::Red) == rank(Color::Blue) && position.stacks().any(heroic)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_was_played_from_stays_as_it_was((before, after, mv) in played()) {
        let copy = before.clone();
        if before.is_legal(mv) {
            prop_assert_eq!(before.play(mv), Ok(after));
        }
        prop_assert_eq!(copy, before);
    }

    #[test]
    fn a_position_is_what_its_fen_says((_, after, _) in played()) {
        if after.deploy().is_none() {
            let read: Position = after.board_fen().parse().unwrap();
            prop_assert_eq!(read.key(), after.key());
            prop_assert_eq!(&read, &after);
            prop_assert_eq!(lines(&read), lines(&after));
        }
    }

    #[test]
    fn an_open_deploy_is_its_start_and_its_steps((_, after, _) in played()) {
        let Some(deploy) = after.deploy() else { return Ok(()) };
        let mut again = after.turn_start();
        prop_assert!(again.deploy().is_none());
        for step in deploy.steps() {
            let mut roles = Role::of_set(step.roles());
            let first = deploy.original().only(step.roles()).unwrap().carrier().role;
            again.play_unchecked(Move::step(deploy.origin(), step.to(), first, step.kind()));
            for role in roles.by_ref().filter(|role| *role != first) {
                again.play_unchecked(Move::recombine(deploy.origin(), step.to(), role));
            }
        }
        prop_assert_eq!(again, after);
    }

    #[test]
    fn every_open_deploy_can_end((_, after, _) in played()) {
        fn ends(position: &Position) -> bool {
            position.deploy().is_none()
                || position.legal_moves().iter().any(|mv| ends(&position.play(*mv).unwrap()))
        }
        prop_assert!(ends(&after));
        for mv in &after.legal_moves() {
            prop_assert!(ends(&after.play(*mv).unwrap()));
        }
    }

    #[test]
    fn the_mover_is_never_left_in_danger((before, after, _) in played()) {
        if after.turn() != before.turn() {
            prop_assert!(!after.in_danger(before.turn()));
        }
    }

    #[test]
    fn flipping_ranks_and_colours_flips_the_moves((before, after, mv) in played()) {
        let flipped = |position: &Position| Position::try_from(&Setup::from(position).flipped());
        if before.deploy().is_some() || is_lopsided(&before) || !before.is_legal(mv) {
            return Ok(());
        }
        let mirror = flipped(&before).unwrap();
        let mut ours: Vec<Move> = before.legal_moves().iter().map(|mv| flip(*mv)).collect();
        let mut theirs: Vec<Move> = mirror.legal_moves().to_vec();
        ours.sort_unstable();
        theirs.sort_unstable();
        prop_assert_eq!(ours, theirs);
        if after.deploy().is_none() {
            let next = mirror.play(flip(mv)).unwrap();
            prop_assert_eq!(next.key(), flipped(&after).unwrap().key());
        }
    }

    #[test]
    fn fast_legality_is_legality_by_trial((before, after, _) in played()) {
        for position in [before, after] {
            prop_assert_eq!(&*position.legal_moves(), &*position.legal_moves_by_trial());
        }
    }

    #[test]
    fn fast_legality_is_legality_by_trial_anywhere(position in thrown(), choice: prop::sample::Index) {
        let moves = position.legal_moves();
        prop_assert_eq!(&*moves, &*position.legal_moves_by_trial());
        if !moves.is_empty() {
            let mut next = position.play(*choice.get(&moves)).unwrap();
            prop_assert_eq!(&*next.legal_moves(), &*next.legal_moves_by_trial());
            // And inside a deploy, if there is one.
            let steps: Vec<Move> = moves.iter().filter(|mv| mv.is_step()).copied().collect();
            if !steps.is_empty() {
                next = position.play(*choice.get(&steps)).unwrap();
            }
            while next.deploy().is_some() {
                let moves = next.legal_moves();
                prop_assert_eq!(&*moves, &*next.legal_moves_by_trial());
                prop_assert!(!moves.is_empty());
                next = next.play(*choice.get(&moves)).unwrap();
            }
        }
    }

    #[test]
    fn visiting_is_listing((before, after, _) in played(), position in thrown()) {
        for position in [before, after, position] {
            let moves = position.legal_moves();
            let mut listed = Listed::default();
            position.visit_legal_moves(&mut listed);
            prop_assert_eq!(&listed.moves[..], &moves[..]);
            for mv in moves.iter().filter(|mv| !mv.is_commit()) {
                let stays = mv.kind() == MoveKind::StayCapture;
                let found = position.move_against(mv.from(), mv.to(), mv.role(), mv.is_step(), stays);
                prop_assert_eq!(found, Some(*mv), "{}", position);
            }
        }
    }

    #[test]
    fn counting_is_listing((_, after, _) in played()) {
        let moves = after.legal_moves();
        prop_assert_eq!(after.count_legal_moves(), moves.len());
        prop_assert_eq!(!after.has_legal_move(), moves.is_empty());
        let captures: Vec<Move> = moves.iter().filter(|mv| mv.is_capture()).copied().collect();
        let mut list = MoveList::new();
        after.legal_captures_into(&mut list);
        prop_assert_eq!(&*list, &captures[..]);
        let mut sorted = moves.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), moves.len());
    }
}

/// Builds the moves that it is shown.
#[derive(Default)]
struct Listed {
    group: Option<(Square, Role, bool)>,
    moves: Vec<Move>,
}

impl MoveVisitor for Listed {
    fn group(&mut self, from: Square, role: Role, step: bool) {
        self.group = Some((from, role, step));
    }

    fn quiet(&mut self, slots: u64) {
        let (from, role, step) = self.group.unwrap();
        for slot in (0..64).filter(|slot| slots >> slot & 1 == 1) {
            let (direction, distance) = (Direction::ALL[slot / 8], slot % 8);
            let found = direction.ray(from).into_iter().find(|to| {
                let away = from.file().abs_diff(to.file());
                usize::from(away.max(from.rank().abs_diff(to.rank()))) == distance
            });
            let to = found.unwrap();
            self.moves.push(if step {
                Move::step(from, to, role, MoveKind::Quiet)
            } else {
                Move::whole(from, to, role, MoveKind::Quiet)
            });
        }
    }

    fn one(&mut self, mv: Move) {
        assert_eq!(self.group, Some((mv.from(), mv.role(), mv.is_step())));
        self.moves.push(mv);
    }
}

/// More moves than a list holds in place.
#[test]
fn a_board_full_of_aircraft_spills_over() {
    let mut setup = Setup::new();
    let heroic = Stack::of(Role::AirForce, Role::AirForce, Color::Red).unwrap();
    for square in Square::all().filter(|square| square.file() >= 2 && square.rank() % 2 == 0) {
        setup.set(square, Some(heroic));
    }
    setup.set("k1".parse().unwrap(), Some("C".parse().unwrap()));
    setup.set("c12".parse().unwrap(), Some("c".parse().unwrap()));
    let position = Position::try_from(&setup).unwrap();
    let moves = position.legal_moves();
    assert!(moves.len() > 550, "{}", moves.len());
    assert_eq!(moves.len(), position.count_legal_moves());
    assert_eq!(&*moves, &*position.legal_moves_by_trial());
}
