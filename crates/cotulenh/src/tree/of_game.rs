//! A game of one line as a tree.

use crate::{Annotation, Game, GameTree, NodeId, StackRules, TurnMoves};

impl<R: StackRules> From<&Game<R>> for GameTree<R> {
    /// The tree of a game: its tags, its turns, an open deploy among them, and what is written about them.
    ///
    /// ```
    /// use cotulenh::{Game, GameTree};
    /// let mut game = Game::default();
    /// game.play_text("Ic6")?;
    /// game.set_comment(1, "[%cal Gc5c6] quiet").expect("a comment");
    /// assert_eq!(GameTree::from(&game).pgn(), game.pgn());
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    fn from(game: &Game<R>) -> Self {
        let mut tree = Self::new(game.start().clone());
        for (name, value) in game.headers() {
            let set = tree.headers_mut().set(name, value);
            set.expect("it was set in the game");
        }
        tree.note(NodeId::ROOT, game, 0);
        let mut node = NodeId::ROOT;
        for (turn, played) in (1..).zip(game.turns()) {
            let moves = TurnMoves::of(played.moves).expect("a turn that was played");
            node = tree.push(node, moves);
            tree.note(node, game, turn);
        }
        if let Some(open) = TurnMoves::of(game.open_moves()) {
            tree.push(node, open);
        }
        tree
    }
}

impl<R: StackRules> GameTree<R> {
    /// Writes what a game says after so many turns.
    fn note(&mut self, node: NodeId, game: &Game<R>, turn: usize) {
        let text = game.comment(turn).unwrap_or_default();
        let mut annotation = Annotation::read(text).expect("it was set in the game");
        annotation.set_clock(game.clock(turn));
        if let Some(known) = self.annotation_mut(node) {
            *known = annotation;
        }
    }
}
