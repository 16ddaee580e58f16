//! Who may carry whom.

use convoy_stack::{Blueprint, COTULENH, COTULENH_BLUEPRINT, StackTable, Stacker};
use pyo3::prelude::*;

use crate::errors::{cannot_combine, invalid_text};

/// The lawful stacks of a blueprint: which roles may stand together, and who carries the others. Without a text, those of Cờ Tư Lệnh.
/// Stacks are told by the letters of their roles, in any order.
///
/// >>> from convoy_games.stack import Table
/// >>> table = Table()
/// >>> table.combine("TNF")
/// 'N|FT'
/// >>> table.is_lawful("CI"), len(table.lawful())
/// (False, 34)
/// >>> table.splits("TI")
/// [['T|I'], ['T', 'I']]
#[pyclass(name = "Table", module = "convoy_games.stack", frozen)]
struct PyTable {
    table: StackTable,
}

impl PyTable {
    fn stacker(&self) -> Stacker<'_, char, impl Fn(&char) -> Option<convoy_stack::Role> + '_> {
        Stacker::new(&self.table, |letter: &char| {
            self.table.blueprint().role(&letter.to_string())
        })
    }
}

/// A stack as letters, the carrier first, `N|FT`.
fn show(stack: &convoy_stack::Stack<char>) -> String {
    let mut letters: Vec<String> = stack.iter().map(char::to_string).collect();
    let cargo = letters.split_off(1).concat();
    let bar = if cargo.is_empty() { "" } else { "|" };
    format!("{}{bar}{cargo}", letters.concat())
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (blueprint=None))]
    fn new(blueprint: Option<&str>) -> PyResult<Self> {
        let table = match blueprint {
            None => StackTable::new(*COTULENH.blueprint()),
            Some(text) => StackTable::new(text.parse::<Blueprint>().map_err(invalid_text)?),
        };
        Ok(Self { table })
    }

    /// The stack that these pieces make; what forbids it is told.
    fn combine(&self, letters: &str) -> PyResult<String> {
        let pieces: Vec<char> = letters.chars().collect();
        let stack = self.stacker().combine(&pieces).map(|stack| show(&stack));
        stack.map_err(cannot_combine)
    }

    /// Whether these pieces make a stack.
    fn is_lawful(&self, letters: &str) -> bool {
        self.combine(letters).is_ok()
    }

    /// Every way to split a stack into lawful stacks, the whole first.
    fn splits(&self, letters: &str) -> PyResult<Vec<Vec<String>>> {
        self.combine(letters)?;
        let pieces: Vec<char> = letters.chars().collect();
        let splits = self.stacker();
        Ok(splits
            .splits(&pieces)
            .map(|parts| parts.iter().map(show).collect())
            .collect())
    }

    /// Every lawful stack, the carrier first.
    fn lawful(&self) -> Vec<String> {
        let lawful = self.table.lawful();
        lawful
            .map(|state| self.table.blueprint().show(state))
            .collect()
    }

    /// The text of the blueprint.
    #[getter]
    fn blueprint(&self) -> String {
        self.table.blueprint().to_string()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.blueprint(),)
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} stacks>", self.table.lawful().count())
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("COTULENH_BLUEPRINT", COTULENH_BLUEPRINT)?;
    module.add_class::<PyTable>()
}
