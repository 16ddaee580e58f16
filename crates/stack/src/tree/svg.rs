//! The tree as a drawing.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Tree;

/// Pixels from one column of stacks to the next, from one row to the next, and the size of a stack.
const COLUMN: usize = 150;
const ROW: usize = 38;
const WIDTH: usize = 104;
const HEIGHT: usize = 28;
const MARGIN: usize = 16;

/// Plain colours on their own ground, so the drawing reads on light and dark pages alike.
const STYLE: &str = "\
text{font:600 15px ui-monospace,monospace;fill:#1d2b24;text-anchor:middle;dominant-baseline:central}\
rect{fill:#eef3ea;stroke:#5b7a66}.carrier{fill:#cfe0c8}.whole{fill:#ffd97a;stroke:#9a6b00;stroke-width:2}\
path{fill:none;stroke:#8aa394;stroke-width:1.5}";

impl Tree {
    /// The tree as an SVG document: lone pieces on the left, larger stacks to the right, the stack of all
    /// pieces marked.
    ///
    /// ```
    /// use convoy_stack::COTULENH;
    ///
    /// let set = COTULENH.blueprint().read_set("TI").expect("two roles");
    /// let svg = COTULENH.tree(set).to_svg();
    /// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    /// assert!(svg.contains(">T|I</text>"));
    /// ```
    pub fn to_svg(&self) -> String {
        let places = self.places();
        let columns = places.iter().map(|(x, _)| x + 1).max().unwrap_or(0);
        let rows = places.iter().map(|(_, y)| y / 2 + 1).max().unwrap_or(0);
        let width = 2 * MARGIN + WIDTH + COLUMN * columns.saturating_sub(1);
        let height = 2 * MARGIN + HEIGHT + ROW * rows.saturating_sub(1);
        let mut boxes = String::new();
        let mut lines = String::new();
        for (node, place) in self.nodes.iter().zip(&places) {
            let (x, y) = corner(*place);
            let shown = self.blueprint.show(node.state);
            let names = self.blueprint.names(node.state.set());
            let class = if self.is_whole(node.state) {
                "whole"
            } else if node.parent.is_none() {
                "carrier"
            } else {
                "loaded"
            };
            let (middle, centre) = (x + WIDTH / 2, y + HEIGHT / 2);
            push(
                &mut boxes,
                format_args!(
                    "<g><title>{names}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" \
                     width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\
                     <text x=\"{middle}\" y=\"{centre}\">{shown}</text></g>"
                ),
            );
            if let Some(parent) = node.parent {
                let (from_x, from_y) = corner(places[parent]);
                let (begin, from) = (from_x + WIDTH, from_y + HEIGHT / 2);
                let bend = usize::midpoint(begin, x);
                push(
                    &mut lines,
                    format_args!("<path d=\"M{begin} {from}H{bend}V{centre}H{x}\"/>"),
                );
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>stacks of {}</title>\n\
             <style>{STYLE}</style>\n{lines}{boxes}</svg>\n",
            self.title()
        )
    }

    /// The column of each node, and its row counted in halves: a leaf has a row of its own, and any other
    /// stands in the middle of what hangs on it.
    fn places(&self) -> Vec<(usize, usize)> {
        let mut places = vec![(0, 0); self.nodes.len()];
        let mut row = 0;
        for number in 0..self.nodes.len() {
            let parent = self.nodes[number].parent;
            places[number].0 = parent.map_or(0, |parent| places[parent].0 + 1);
            if self.children(Some(number)).next().is_none() {
                places[number].1 = 2 * row;
                row += 1;
            }
        }
        for number in (0..self.nodes.len()).rev() {
            let rows: Vec<usize> = self.children(Some(number)).map(|n| places[n].1).collect();
            if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
                places[number].1 = usize::midpoint(*first, *last);
            }
        }
        places
    }
}

/// The upper left corner of a stack.
const fn corner((column, half_row): (usize, usize)) -> (usize, usize) {
    (MARGIN + COLUMN * column, MARGIN + ROW * half_row / 2)
}

fn push(text: &mut String, line: core::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a String takes any text");
}
