//! The tree of combinations, and its pictures.

mod svg;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{Blueprint, Role, RoleSet, StackTable, State};

/// All stacks that a set of roles allows, as a tree: below each stack those with one more piece in a later
/// slot of the carrier. Every stack stands in it once.
///
/// Print it for a picture in text; [`Tree::to_svg`] draws it.
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let set = COTULENH.blueprint().read_set("NFT").expect("three roles");
/// let tree = COTULENH.tree(set);
/// assert_eq!(
///     tree.to_string(),
///     "\
/// NFT
/// ├─ N
/// │  ├─ N|F
/// │  │  └─ N|FT  all of them
/// │  └─ N|T
/// ├─ F
/// │  └─ F|T
/// └─ T
/// "
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    blueprint: Blueprint,
    set: RoleSet,
    nodes: Vec<Node>,
}

/// A stack in a [`Tree`].
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let tree = COTULENH.tree(COTULENH.blueprint().read_set("TI").expect("two roles"));
/// let [tank, loaded, infantry] = tree.nodes() else { unreachable!() };
/// assert_eq!((tank.parent, loaded.parent, infantry.parent), (None, Some(0), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The stack.
    pub state: State,
    /// The number of the node it hangs on, or `None` for a lone piece.
    pub parent: Option<usize>,
}

impl StackTable {
    /// The tree of the stacks that some of these roles make.
    pub fn tree(&self, set: RoleSet) -> Tree {
        let set = set & self.blueprint().all();
        let mut tree = Tree {
            blueprint: *self.blueprint(),
            set,
            nodes: Vec::new(),
        };
        for carrier in set.iter().rev() {
            tree.grow(State::single(carrier), None, 0);
        }
        tree
    }
}

impl Tree {
    /// The stacks, each after the one it hangs on; the carriers with the highest numbers come first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The roles that the stacks are made of.
    pub const fn set(&self) -> RoleSet {
        self.set
    }

    /// Enters a stack, then those that fill the slots from number `slot` on.
    fn grow(&mut self, state: State, parent: Option<usize>, slot: usize) {
        let number = self.nodes.len();
        self.nodes.push(Node { state, parent });
        let slots = self.blueprint.slots_at(state.carrier().index());
        for (slot, room) in slots.into_iter().enumerate().skip(slot) {
            for role in room & self.set {
                self.grow(state.load(role), Some(number), slot + 1);
            }
        }
    }

    fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(move |(number, node)| (node.parent == parent).then_some(number))
    }

    /// The letters of the set in the order of the tree.
    fn title(&self) -> String {
        let roles = self.set.iter().rev();
        roles
            .filter_map(|role: Role| self.blueprint.letter(role))
            .collect()
    }

    /// Whether this stack has a piece of every role.
    fn is_whole(&self, state: State) -> bool {
        state.set() == self.set && state.len() > 1
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, node: Option<usize>, margin: &str) -> fmt::Result {
        let children: Vec<usize> = self.children(node).collect();
        for (index, child) in children.iter().enumerate() {
            let last = index + 1 == children.len();
            let state = self.nodes[*child].state;
            let branch = if last { "└─ " } else { "├─ " };
            write!(f, "{margin}{branch}{}", self.blueprint.show(state))?;
            if self.is_whole(state) {
                write!(f, "  all of them")?;
            }
            writeln!(f)?;
            let below = if last { "   " } else { "│  " };
            self.write(f, Some(*child), &format!("{margin}{below}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title())?;
        self.write(f, None, "")
    }
}
