//! Every number that tunes the search, in one table.
//!
//! Scores and margins are in centipawns of the engine, hundredths of an infantry; depths and plies
//! are whole turns. A change here changes play: it needs a match, and a new `Bench:` line.

/// Half the width of the first aspiration window, the factor by which it grows after a fail, the
/// width from which it is opened on that side, and the first iteration that has one.
pub(crate) const ASPIRATION_DELTA: i32 = 30;
pub(crate) const ASPIRATION_GROWTH: i32 = 3;
pub(crate) const ASPIRATION_MAX: i32 = 1_000;
pub(crate) const ASPIRATION_MIN_DEPTH: u32 = 4;

/// Reverse futility pruning: the margin for every ply of depth, what an improving side may fall
/// short of it, and the greatest depth.
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 110;
pub(crate) const REVERSE_FUTILITY_IMPROVING: i32 = 70;
pub(crate) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 6;

/// Null-move pruning: the least depth, the fewest occupied squares of the side to move (zugzwang
/// is likely below), and the reduction `BASE + depth / DEPTH + min((eval - beta) / EVAL, CAP)`.
pub(crate) const NULL_MOVE_MIN_DEPTH: i32 = 2;
pub(crate) const NULL_MOVE_MIN_STACKS: u32 = 4;
pub(crate) const NULL_MOVE_BASE: i32 = 3;
pub(crate) const NULL_MOVE_DEPTH: i32 = 4;
pub(crate) const NULL_MOVE_EVAL: i32 = 250;
pub(crate) const NULL_MOVE_EVAL_CAP: i32 = 3;

/// Internal iterative reduction: the least depth.
pub(crate) const IIR_MIN_DEPTH: i32 = 4;

/// Singular extension: the least depth, how much shallower the table entry may be, and the margin
/// for every ply of depth by which all other moves must fall short.
pub(crate) const SINGULAR_MIN_DEPTH: i32 = 6;
pub(crate) const SINGULAR_ENTRY_DEPTH: i32 = 3;
pub(crate) const SINGULAR_MARGIN: i32 = 2;

/// Check extension: no further than this ply.
pub(crate) const CHECK_EXTENSION_MAX_PLY: usize = 40;

/// Late move pruning: the greatest depth, and how many quiet moves are tried at depth `d`:
/// `.0 + .1 * d * d`, for improving and for other nodes.
pub(crate) const LATE_MOVE_MAX_DEPTH: i32 = 5;
pub(crate) const LATE_MOVES_IMPROVING: (i32, i32) = (6, 4);
pub(crate) const LATE_MOVES: (i32, i32) = (4, 2);

/// Futility pruning: the greatest depth, the margin `BASE + DEPTH * depth`, and the alpha beyond
/// which it is off: where a side is that far ahead only a mate counts, and no move is hopeless.
pub(crate) const FUTILITY_MAX_DEPTH: i32 = 5;
pub(crate) const FUTILITY_BASE: i32 = 90;
pub(crate) const FUTILITY_DEPTH: i32 = 110;
pub(crate) const FUTILITY_MAX_ALPHA: i32 = 1_000;

/// In PV nodes quiet moves are pruned up to this depth only.
pub(crate) const PV_PRUNING_MAX_DEPTH: i32 = 2;

/// SEE pruning of losing captures: the greatest depth.
pub(crate) const SEE_PRUNING_MAX_DEPTH: i32 = 4;

/// Late move reductions: the least depth, how many turns are searched in full, the reduction
/// `BASE + ln(depth) * ln(turns) / DIVISOR`, and how a history score changes it.
pub(crate) const REDUCTION_MIN_DEPTH: i32 = 2;
pub(crate) const REDUCTION_MIN_TURNS: i32 = 2;
pub(crate) const REDUCTION_BASE: f32 = 0.4;
pub(crate) const REDUCTION_DIVISOR: f32 = 1.9;
pub(crate) const REDUCTION_HISTORY: i32 = 8_000;
/// Scores beyond this are no history scores but those of killers, captures and hash moves.
pub(crate) const REDUCTION_HISTORY_MAX: i32 = 100_000;

/// Delta pruning in the quiescence search: the margin.
pub(crate) const DELTA_MARGIN: i32 = 200;

/// The history heuristic: the bonus for every ply of depth and its limit, the largest change of
/// an entry, and the largest entry.
pub(crate) const HISTORY_BONUS: i32 = 120;
pub(crate) const HISTORY_BONUS_MAX: i32 = 1_600;
pub(crate) const HISTORY_CHANGE_MAX: i32 = 2_000;
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Move ordering: the classes, from first to last. Quiet moves have their history scores.
pub(crate) const ORDER_HASH: i32 = 10_000_000;
pub(crate) const ORDER_WINNING: i32 = 5_000_000;
pub(crate) const ORDER_COMMIT: i32 = 4_000_000;
pub(crate) const ORDER_KILLER: i32 = 3_000_000;
pub(crate) const ORDER_LOSING: i32 = -1_000_000;
/// The most that the captures within a class differ by.
pub(crate) const ORDER_CAPTURE_SPAN: i32 = 900_000;
/// Move ordering: the bonus for a quiet move that may give check.
pub(crate) const ORDER_CHECK: i32 = 12_000;
/// Move ordering: the bonus for leaving an attacked square and the malus for entering one, for
/// every centipawn of what moves up to the limit.
pub(crate) const ORDER_THREAT: i32 = 8;
pub(crate) const ORDER_THREAT_MAX: i32 = 1_000;
/// Move ordering among captures: weights of the victim and of what an exchange loses; the mover
/// counts once (MVV/LVA).
pub(crate) const ORDER_VICTIM: i32 = 8;
pub(crate) const ORDER_EXCHANGE: i32 = 4;

/// SEE: a capture of at least the value of the mover costs this part of the mover, in case it is
/// recaptured.
pub(crate) const SEE_SAFE_DIVISOR: i32 = 8;

/// Evaluations stay within this, far below the mate scores.
pub(crate) const EVAL_MAX: i32 = 20_000;
/// Evaluations shrink by `clock / CLOCK_SCALE` as the fifty-move clock runs.
pub(crate) const CLOCK_SCALE: i32 = 220;

/// Time management: the turns that a clock is divided by, the shares of increment and clock, and
/// the factors of the soft and the hard limit.
pub(crate) const TIME_TURNS: u32 = 30;
pub(crate) const TIME_INCREMENT: f64 = 0.8;
pub(crate) const TIME_HARD_FACTOR: u32 = 3;
pub(crate) const TIME_HARD_SHARE: f64 = 0.35;
pub(crate) const TIME_LAST_TURN_SHARE: f64 = 0.9;
pub(crate) const TIME_SOFT_FACTOR: f64 = 0.6;
/// Time management: the soft limit is scaled by `BASE`, less `STABLE` for every iteration that
/// kept the best move (up to `STABLE_MAX`), and more by the fall of the score over `FALL_MAX`.
pub(crate) const STABILITY_BASE: f64 = 1.5;
pub(crate) const STABILITY_STEP: f64 = 0.15;
pub(crate) const STABILITY_MAX: i32 = 5;
pub(crate) const STABILITY_FALL_MAX: i32 = 200;

/// The transposition table: an entry of another search is replaced as if it were this much
/// shallower for every search since; one of this search is kept if it is this much deeper.
pub(crate) const TABLE_AGE_WEIGHT: i32 = 4;
pub(crate) const TABLE_KEEP_DEPTH: i32 = 3;
