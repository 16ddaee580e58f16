//! The node count of fixed searches: it changes whenever the search does.

use cotulenh::Position;

use crate::engine::{Engine, Options, Search};
use crate::time::Limits;

/// The positions of the bench: openings, middlegames, stacks, endgames.
pub const BENCH_POSITIONS: [&str; 8] = [
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
    "6c4/4fh1h3/3a2s2a1/1n2gtftg2/2ie2m2ei/11/11/2I(EA)2M2EI/2N1GT1TG2/6S2A1/4FH1HF2/6C4 r - - 2 4",
    "6c4/1n1f1h1hf2/5ts2a1/2nag2tg2/2ie2m2ei/11/11/2IE3M1EI/1N2GT1TG2/3A5A1/1N2FHSH3/6C2F1 b - - 9 5",
    "6c1f2/5h1h3/3a2s4/1n2gt1tg1a/3ie3e1i/11/3A7/2E4F2(fm)/4G2TGE1/6M2A1/1Nn2TSH1F1/6C4 r - - 0 19",
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/4(FTI)6/2IE2M2E1/2N1G2TG2/3A2S2A1/1N3H1HF2/6C4 b - - 0 1",
    "6c4/5h1h3/6s4/3a1t5/2i3m4/11/2(NFT)8/11/2I1GT5/3A2S4/5H5/6C4 r - - 3 30",
    "6c4/9ii/11/11/11/4g6/4(FTI)6/11/2(NT)8/11/9II/5C5 r - - 0 40",
    "4c6/3h7/4g6/11/11/3a7/11/4T6/5S5/11/6H4/6C4 b - - 11 60",
];

/// The nodes of searches of fixed depth from an empty table, on one thread.
///
/// # Panics
///
/// Never: the positions of the bench are legal.
///
/// ```
/// assert_eq!(cotulenh_engine::bench_nodes(2), cotulenh_engine::bench_nodes(2));
/// ```
pub fn bench_nodes(depth: u32) -> u64 {
    let mut engine = Engine::new(Options::default());
    let nodes = BENCH_POSITIONS.iter().map(|fen| {
        let position: Position = fen.parse().expect("the positions of the bench are legal");
        engine.clear();
        let search = Search::new(&position).limits(Limits::depth(depth));
        engine.analyse(&search, |_| {}).nodes
    });
    nodes.sum()
}
