//! Who may carry whom, under the blueprint of Cờ Tư Lệnh or another.

use convoy_protocol::{Error, ErrorCode};
use convoy_stack::{Blueprint, COTULENH, Role, Stack, StackTable, Stacker};

use crate::boundary::{Failure, answer, answer_text, exports, put_text};
use crate::slots::Slots;

thread_local! {
    static TABLES: Slots<StackTable> = const { Slots::new() };
}

fn with<T>(slot: u32, read: impl FnOnce(&StackTable) -> Result<T, Failure>) -> Result<T, Failure> {
    TABLES.with(|tables| tables.with(slot, read))
}

fn stacker(table: &StackTable) -> Stacker<'_, char, impl Fn(&char) -> Option<Role> + '_> {
    Stacker::new(table, |letter: &char| {
        table.blueprint().role(&letter.to_string())
    })
}

fn refuse(error: impl std::fmt::Display) -> Failure {
    Error::new(ErrorCode::CannotCombine, error.to_string()).into()
}

/// The letters of a stack, the carrier first.
fn letters(stack: &Stack<char>) -> String {
    stack.iter().collect()
}

exports! {
    /// Puts the table of the blueprint in the input into a slot; an empty one is that of Cờ Tư Lệnh.
    fn stack_read(slot: u32) -> i32 {
        answer_text(|text, _| {
            let blueprint = match text {
                "" => *COTULENH.blueprint(),
                text => text.parse::<Blueprint>().map_err(|error| {
                    Failure::new("bad-blueprint", &error.to_string())
                })?,
            };
            TABLES.with(|tables| tables.put(slot, StackTable::new(blueprint)))
        })
    }

    /// Writes the blueprint.
    fn stack_blueprint(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |table| {
                put_text(output, &table.blueprint().to_string());
                Ok(())
            })
        })
    }

    /// Writes the stack that the pieces in the input make, the carrier first.
    fn stack_combine(slot: u32) -> i32 {
        answer_text(|text, output| {
            with(slot, |table| {
                let pieces: Vec<char> = text.chars().collect();
                let stack = stacker(table).combine(&pieces).map_err(refuse)?;
                put_text(output, &letters(&stack));
                Ok(())
            })
        })
    }

    /// Writes every way to split the stack in the input, one a line, with blanks between its parts.
    fn stack_splits(slot: u32) -> i32 {
        answer_text(|text, output| {
            with(slot, |table| {
                let pieces: Vec<char> = text.chars().collect();
                let stacker = stacker(table);
                stacker.combine(&pieces).map_err(refuse)?;
                for parts in stacker.splits(&pieces) {
                    let parts: Vec<String> = parts.iter().map(letters).collect();
                    put_text(output, &parts.join(" "));
                    output.push(b'\n');
                }
                Ok(())
            })
        })
    }

    /// Writes every lawful stack, one a line.
    fn stack_lawful(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |table| {
                for state in table.lawful() {
                    let shown = table.blueprint().show(state).replace('|', "");
                    put_text(output, &shown);
                    output.push(b'\n');
                }
                Ok(())
            })
        })
    }
}
