//! An open deploy, step by step.

use cotulenh::{Deploy, Move, Position, ReadError, Stack, Step, Terrain};

use super::{Board, change, with};
use crate::boundary::{Failure, answer, exports};
use crate::saved_game::read_bits;

impl Board {
    fn deploy(&self) -> Result<&Deploy, Failure> {
        let deploy = self.position.deploy();
        deploy.ok_or_else(|| Failure::new("internal", "no deploy is open"))
    }

    /// Rule 6.3, and without a commander if the turn began without one, which only pseudo-legal play allows.
    fn can_commit(&self, deploy: &Deploy) -> bool {
        let (position, origin) = (&self.position, deploy.origin());
        if position.can_commit() {
            return true;
        }
        let rest = position.stack_at(origin);
        let stands = rest.is_none_or(|rest| Terrain::admits(rest.carrier().role, origin));
        let began_without = position.turn_start().commander(position.turn()).is_none();
        stands && began_without && position.commander(position.turn()).is_none()
    }

    fn offers_step(&self) -> bool {
        self.position.pseudo_legal_moves().any(|mv| !mv.is_commit())
    }

    /// What a step took: its pieces may have made several moves.
    fn captured(&self, step: Step) -> Option<Stack> {
        let mut moves = self.steps.iter();
        moves.find_map(|(mv, taken)| taken.filter(|_| !step.roles().is_disjoint(mv.role().set())))
    }

    /// The SAN of the turn so far: its steps have no hint to their origin unless the turn could not be read without.
    fn san(&self, lan: &str) -> String {
        let start = self.position.turn_start();
        let mut fields = lan.splitn(3, ':').skip(1);
        let (stay, steps) = (
            fields.next().unwrap_or_default(),
            fields.next().unwrap_or_default(),
        );
        let sign = if stay.is_empty() { "" } else { "<" };
        let san = [stay, sign, steps].concat();
        match start.read(&san) {
            Err(ReadError::Ambiguous { .. }) => {
                let moves: Vec<Move> = self.steps.iter().map(|(mv, _)| *mv).collect();
                start.turn_san(&moves)
            }
            _ => san,
        }
    }

    /// The LAN of the turn so far: the seventh field of its FEN without dots.
    fn lan(&self) -> String {
        let mut text = String::with_capacity(160);
        self.position.write_fen(&mut text);
        let field = text.rsplit(' ').next().unwrap_or_default();
        field.trim_end_matches('.').to_owned()
    }

    /// The groups of the steps as they were when they left, replayed from the start of the turn.
    fn groups(&self, deploy: &Deploy) -> Vec<Option<Stack>> {
        let mut position = self.position.turn_start();
        let mut groups = Vec::new();
        for step in deploy.steps() {
            let stack = position.stack_at(deploy.origin());
            groups.push(stack.and_then(|stack| stack.only(step.roles())));
            for (mv, _) in &self.steps {
                if !step.roles().is_disjoint(mv.role().set()) {
                    position.step_unchecked(*mv);
                }
            }
        }
        groups
    }
}

/// A stack as a FEN writes it; `-` for none.
fn push_stack(stack: Option<Stack>, text: &mut String) {
    match stack {
        Some(stack) => text.push_str(&stack.to_string()),
        None => text.push('-'),
    }
}

fn flag(text: &mut String, on: bool) {
    text.push(if on { '1' } else { '0' });
    text.push('\n');
}

exports! {
    /// Makes a step of a deploy, which it opens if need be, and leaves it open.
    fn compat_step(slot: u32, bits: u32) -> i32 {
        answer(|_| {
            let mv = read_bits(bits)?;
            change(slot, |board| {
                let taken = board.position.captured(mv);
                board.position.step_unchecked(mv);
                board.steps.push((mv, taken));
                Ok(())
            })
        })
    }

    /// Lines about the open deploy: whether it can be committed, whether a step is left to offer, its SAN, its LAN, the
    /// FEN of the board, the original stack, what remains, and for each step its pieces, its target, the
    /// number of its kind and what it took, with a blank between them.
    fn compat_session(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                let deploy = board.deploy()?;
                let mut text = String::with_capacity(320);
                flag(&mut text, board.can_commit(deploy));
                flag(&mut text, board.offers_step());
                let lan = board.lan();
                text.push_str(&board.san(&lan));
                text.push('\n');
                text.push_str(&lan);
                text.push('\n');
                text.push_str(&board.position.board_fen());
                text.push('\n');
                push_stack(Some(deploy.original()), &mut text);
                text.push('\n');
                push_stack(board.position.remaining(), &mut text);
                for (step, group) in deploy.steps().iter().zip(board.groups(deploy)) {
                    text.push('\n');
                    push_stack(group, &mut text);
                    text.push(' ');
                    text.push_str(&step.to().to_string());
                    text.push(' ');
                    text.push(char::from(b'0' + step.kind() as u8));
                    text.push(' ');
                    push_stack(board.captured(*step), &mut text);
                }
                output.extend_from_slice(text.as_bytes());
                Ok(())
            })
        })
    }

    /// Ends the open deploy, whatever becomes of the commander; writes the FEN after it.
    fn compat_commit(slot: u32) -> i32 {
        answer(|output| {
            change(slot, |board| {
                let commit = board.deploy()?.commit();
                board.position.play_unchecked(commit);
                board.steps.clear();
                output.extend_from_slice(fen(&board.position).as_bytes());
                Ok(())
            })
        })
    }

    /// The roles that made the last step, as a mask: what an undo takes back.
    fn compat_last_step(slot: u32) -> i32 {
        let roles = with(slot, |board| {
            Ok(board.deploy()?.steps().last().map_or(0, |step| i32::from(step.roles().bits())))
        });
        roles.unwrap_or(0)
    }

    /// The bits of the moves that open the deploy of the extended FEN in the slot, four bytes each.
    fn compat_opening(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |board| {
                let game = cotulenh::Game::new(board.position.clone());
                super::write_bits(game.open_moves().iter().copied(), output);
                Ok(())
            })
        })
    }
}

fn fen(position: &Position) -> String {
    let mut text = String::with_capacity(160);
    position.write_fen(&mut text);
    text
}
