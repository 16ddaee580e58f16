//! A malicious server that holds three seats against one honest person. It may do whatever it likes
//! once the honest seat has revealed; the file it then publishes must not agree with what that seat
//! kept, unless nothing was changed.

use std::fmt;

use proptest::prelude::*;

use super::*;

/// What the honest seat saw and kept while the round was shuffled.
struct Honest {
    seat: u8,
    bits: Bits,
    kept: Receipt,
}

/// The round as it truly was.
#[derive(Debug, Clone)]
struct Truth {
    table: String,
    setup: Setup,
    attempt: u32,
    draw: Draw,
    seats: [Does; 4],
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.to_bytes()))
    }
}

impl Truth {
    fn context(&self) -> AttemptContext<'_> {
        AttemptContext {
            table: &self.table,
            setup: &self.setup,
            attempt: self.attempt,
        }
    }

    /// The attempts of a file that ends with this one; those before were voided by seats that are
    /// absent from it.
    fn attempts(&self) -> Option<Vec<Attempt>> {
        let absent: Vec<usize> = (0..4)
            .filter(|seat| self.seats[*seat] == Does::Absent)
            .collect();
        let mut attempts = Vec::new();
        for number in 1..self.attempt {
            let mut seats = self.seats;
            let voided = *absent.get(number as usize - 1)?;
            seats[voided] = Does::Withholds([9; 32]);
            let context = AttemptContext {
                attempt: number,
                ..self.context()
            };
            attempts.push(attempt(&context, self.draw, seats));
        }
        attempts.push(attempt(&self.context(), self.draw, self.seats));
        Some(attempts)
    }

    fn file(&self) -> Option<Proof> {
        Some(play(self.setup, &self.table, &self.attempts()?))
    }

    /// What the honest seat kept: the roster it revealed for, and its bits.
    fn honest(&self, seat: u8) -> Honest {
        let Does::Adds(bits) = self.seats[usize::from(seat)] else {
            panic!("an honest seat adds");
        };
        let shown = attempt(&self.context(), self.draw, self.seats);
        let kept = Receipt {
            commitment: hex_of(shown.roster.map(|roster| roster.hash)),
            mine: Some((seat, hex(&bits))),
            record: None,
        };
        Honest { seat, bits, kept }
    }
}

/// One thing that the server changes after everyone has revealed.
#[derive(Debug, Clone)]
enum Change {
    Secret([u8; 32]),
    Salt([u8; 16]),
    /// Other bits of a seat, the honest one included.
    Bits(usize, Bits),
    /// Another kind of seat.
    Kind(usize, bool),
    /// Two seats exchanged.
    Order(usize, usize),
    Round(u32),
    Table(u8),
    /// One more attempt that was never made.
    Attempt,
    Levels(u8),
    Rules,
    Starter(usize),
    /// The honest seat's part is taken over from another table: a replayed commitment.
    Replay,
}

impl Change {
    fn apply(&self, truth: &mut Truth, honest: &Honest) {
        let honest_seat = usize::from(honest.seat);
        match *self {
            Self::Secret(secret) => truth.draw.secret = secret,
            Self::Salt(salt) => truth.draw.salt = salt,
            Self::Bits(seat, bits) => truth.seats[seat] = Does::Adds(bits),
            Self::Kind(seat, bot) => truth.seats[seat] = if bot { Does::Bot } else { Does::Absent },
            Self::Order(a, b) => truth.seats.swap(a, b),
            Self::Round(number) => truth.setup.number = number,
            Self::Table(letter) => truth
                .table
                .replace_range(0..1, &char::from(b'0' + letter).to_string()),
            Self::Attempt => truth.attempt += 1,
            Self::Levels(level) => {
                let rank = tractor::Rank::ALL[usize::from(level)];
                truth.setup.start.levels = [rank.into(); 2];
            }
            Self::Rules => truth.setup.rules.end_early ^= true,
            Self::Starter(seat) => {
                truth.setup.start.starter = Seat::ALL[seat];
                truth.setup.start.defending = Seat::ALL[seat].team();
            }
            Self::Replay => {
                truth.table = "zzzzzzzzzzzz".to_owned();
                truth.seats[honest_seat] = Does::Adds(honest.bits);
            }
        }
    }
}

fn bytes<const N: usize>() -> impl Strategy<Value = [u8; N]> {
    proptest::array::uniform(any::<u8>())
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        bytes().prop_map(Change::Secret),
        bytes().prop_map(Change::Salt),
        (0..4_usize, bytes()).prop_map(|(seat, bits)| Change::Bits(seat, bits)),
        (0..4_usize, any::<bool>()).prop_map(|(seat, bot)| Change::Kind(seat, bot)),
        (0..4_usize, 0..4_usize).prop_map(|(a, b)| Change::Order(a, b)),
        (2..9_u32).prop_map(Change::Round),
        (1..9_u8).prop_map(Change::Table),
        Just(Change::Attempt),
        (1..13_u8).prop_map(Change::Levels),
        Just(Change::Rules),
        (1..4_usize).prop_map(Change::Starter),
        Just(Change::Replay),
    ]
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        bytes().prop_map(Does::Adds),
        Just(Does::Bot),
        Just(Does::Absent)
    ]
}

fn truth() -> impl Strategy<Value = (Truth, u8)> {
    let seats = proptest::array::uniform4(does());
    (bytes(), bytes(), seats, bytes(), 0..4_u8).prop_map(|(secret, salt, mut seats, bits, seat)| {
        seats[usize::from(seat)] = Does::Adds(bits);
        let truth = Truth {
            table: TABLE.to_owned(),
            setup: setup(),
            attempt: 1,
            draw: Draw { secret, salt },
            seats,
        };
        (truth, seat)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever the server changes, the file is refused by what the honest seat kept; and it is the
    /// kept values that refuse it, for each file by itself is consistent.
    #[test]
    fn no_dishonest_file_agrees_with_what_one_honest_seat_kept(
        (truth, seat) in truth(),
        changes in proptest::collection::vec(change(), 0..4),
    ) {
        let honest = truth.honest(seat);
        let mut told = truth.clone();
        for change in &changes {
            change.apply(&mut told, &honest);
        }
        let Some(file) = told.file() else {
            // More attempts than seats that could have voided them cannot even be written down.
            return Ok(());
        };
        prop_assert_eq!(file.check(&Receipt::default()).map(|_| ()), Ok(()));
        let same = told.seats == truth.seats
            && told.draw == truth.draw
            && told.table == truth.table
            && told.setup == truth.setup
            && told.attempt == truth.attempt;
        prop_assert_eq!(file.check(&honest.kept).is_ok(), same, "{:?}", changes);
    }
}

fn jokers(file: &Proof, seat: usize) -> usize {
    let joker = |card: &&String| card.starts_with("sj") || card.starts_with("bj");
    file.hands[seat].iter().filter(joker).count()
}

/// The attack of the old protocol: the server tries bits of a seat of its own until it likes the
/// cards. It still can after everyone has revealed, but the honest seat has the roster of before.
#[test]
fn grinding_finds_the_cards_and_verification_finds_the_grinding() {
    let truth = Truth {
        table: TABLE.to_owned(),
        setup: setup(),
        attempt: 1,
        draw: DRAW,
        seats: [
            Does::Adds([7; 32]),
            Does::Adds([0; 32]),
            Does::Bot,
            Does::Bot,
        ],
    };
    let honest = truth.honest(0);
    let ground = (1_u32..).find_map(|number| {
        let mut told = truth.clone();
        let mut bits = [0; 32];
        bits[..4].copy_from_slice(&number.to_le_bytes());
        told.seats[1] = Does::Adds(bits);
        let attempt = attempt(&told.context(), told.draw, told.seats);
        let deck = Deck::of(&attempt.seed().unwrap(), 1);
        let four = dealt(&deck, Seat::ALL[0])[1]
            .iter()
            .filter(|card| card.starts_with("sj") || card.starts_with("bj"))
            .count();
        (four == 4).then(|| told.file().unwrap())
    });
    let file = ground.unwrap();
    assert_eq!(jokers(&file, 1), 4);
    assert!(file.check(&Receipt::default()).is_ok(), "a consistent lie");
    assert_eq!(file.check(&honest.kept), Err(VerifyError::Commitment));
    // The bits of the honest seat are in it: the roster is what tells.
    let bits_alone = Receipt {
        commitment: None,
        ..honest.kept
    };
    assert!(file.check(&bits_alone).is_ok());
}

/// Aborts are bounded and shown: each needs a seat that has not aborted before.
#[test]
fn a_seat_aborts_once_and_the_file_shows_it() {
    let setup = setup();
    let context = |attempt| AttemptContext {
        table: TABLE,
        setup: &setup,
        attempt,
    };
    let honest = Does::Adds([7; 32]);
    let withholds = Does::Withholds([8; 32]);
    // Three seats of the server abort one after the other; then it has to deal.
    let rows = [
        [honest, withholds, Does::Adds([1; 32]), Does::Adds([2; 32])],
        [honest, Does::Absent, withholds, Does::Adds([2; 32])],
        [honest, Does::Absent, Does::Absent, withholds],
        [honest, Does::Absent, Does::Absent, Does::Absent],
    ];
    let attempts: Vec<Attempt> = (1..)
        .zip(rows)
        .map(|(number, seats)| attempt(&context(number), DRAW, seats))
        .collect();
    let file = play(setup, TABLE, &attempts);
    let verified = file.check(&Receipt::default()).unwrap();
    assert_eq!((verified.voided, verified.contributions), (3, 1));

    // A seat that aborts a second time.
    let again = [
        attempt(&context(1), DRAW, rows[0]),
        attempt(&context(2), DRAW, rows[0]),
        attempt(&context(3), DRAW, rows[3]),
    ];
    let file = play(setup, TABLE, &again);
    assert_eq!(
        file.check(&Receipt::default()),
        Err(VerifyError::Dropped(1))
    );

    // An attempt that nobody had voided.
    let whole = [
        attempt(&context(1), DRAW, rows[3]),
        attempt(&context(2), DRAW, rows[3]),
    ];
    let file = play(setup, TABLE, &whole);
    assert_eq!(file.check(&Receipt::default()), Err(VerifyError::Attempts));

    // The last attempt without a reveal deals nothing, and a voided one cannot be left out.
    let mut fewer = play(setup, TABLE, &attempts);
    fewer.attempts.remove(0);
    assert_eq!(fewer.check(&Receipt::default()), Err(VerifyError::Attempts));
    let mut open = play(setup, TABLE, &attempts);
    open.attempts.pop();
    assert_eq!(open.check(&Receipt::default()), Err(VerifyError::Seed));
    open.attempts.clear();
    assert_eq!(open.check(&Receipt::default()), Err(VerifyError::Attempts));
}
