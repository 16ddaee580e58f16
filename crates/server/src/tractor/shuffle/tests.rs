//! The example of `docs/fairness.md`: computed by this crate, computed from the layout in the
//! document, and written in the document.

use tractor::{Rules, Setup};

use super::*;

const DOCUMENT: &str = include_str!("../../../../../docs/fairness.md");
const TABLE: &str = "0123456789ab";
const BITS_0: Bits = [0x22; 32];
const BITS_3: Bits = [0x33; 32];
const DRAW: Draw = Draw {
    secret: [0; 32],
    salt: [0x11; 16],
};

fn context(setup: &Setup) -> AttemptContext<'_> {
    AttemptContext {
        table: TABLE,
        setup,
        attempt: 1,
    }
}

/// Seat 0 and seat 3 are persons, seat 1 is a bot, seat 2 is absent.
fn example(setup: &Setup) -> Attempt {
    let mut attempt = Attempt::new(&context(setup), DRAW);
    for (seat, bits) in [(0, BITS_0), (3, BITS_3)] {
        let hash = seat_hash(&attempt.server, seat, &bits);
        attempt.commit(seat, hash).unwrap();
    }
    attempt.fix_roster([false, true, false, false]).unwrap();
    attempt.reveal(0, BITS_0).unwrap();
    attempt.reveal(3, BITS_3).unwrap();
    attempt
}

/// The length of a message in the document's table of that name, added up from its rows; the rows
/// must follow one another.
fn documented_length(name: &str) -> usize {
    let (_, section) = DOCUMENT.split_once(&format!("### {name}\n")).unwrap();
    let mut end = 0;
    for line in section.lines().skip_while(|line| !line.starts_with("| 0")) {
        let Some(range) = line.strip_prefix("| ").and_then(|l| l.split(' ').next()) else {
            break;
        };
        let (first, last) = range.split_once('–').unwrap_or((range, range));
        assert_eq!(first.parse::<usize>().unwrap(), end, "{name}: {line}");
        end = last.parse::<usize>().unwrap() + 1;
    }
    end
}

/// SHA-256 of a message that is put together as the document's tables say.
fn documented(name: &str, tag: &str, parts: &[&[u8]]) -> Hash {
    let mut message = tag.as_bytes().to_vec();
    message.resize(24, 0);
    message.extend(parts.concat());
    assert_eq!(message.len(), documented_length(name), "{name}");
    Sha256::digest(&message).into()
}

#[test]
fn the_example_of_the_document_holds() {
    let setup = Setup::first(Rules::DEFAULT);
    let attempt = example(&setup);
    let roster = attempt.roster.unwrap();
    let seed = attempt.seed().unwrap().to_bytes();

    let rules: Hash = Sha256::digest(b"convoy tractor rules 2\0\0default").into();
    let server = documented(
        "server",
        "convoy tractor server 2",
        &[
            TABLE.as_bytes(),
            &[1, 0, 0, 0],
            &[1, 0, 0, 0],
            &rules,
            &[0, 0],
            &[0],
            &[0; 32],
            &[0x11; 16],
        ],
    );
    assert_eq!(server, attempt.server);
    let seat = |seat: u8, bits: &Bits| {
        documented("seat", "convoy tractor seat 2", &[&server, &[seat], bits])
    };
    let (zero, three) = (seat(0, &BITS_0), seat(3, &BITS_3));
    assert_eq!(attempt.commits, [Some(zero), None, None, Some(three)]);
    let none = [0; 32];
    let entries: [&[u8]; 9] = [&server, &[2], &zero, &[1], &none, &[0], &none, &[2], &three];
    assert_eq!(
        roster.hash,
        documented("roster", "convoy tractor roster 2", &entries)
    );
    let parts: [&[u8]; 7] = [
        &roster.hash,
        &[0; 32],
        &[0x11; 16],
        &BITS_0,
        &none,
        &none,
        &BITS_3,
    ];
    assert_eq!(seed, documented("seed", "convoy tractor seed 2", &parts));
    let record = record_hash(&roster.hash, "tractor 1\n");
    for (name, hash) in [
        ("rules", rules),
        ("server", server),
        ("seat 0", zero),
        ("seat 3", three),
        ("roster", roster.hash),
        ("seed", seed),
        ("record", record),
    ] {
        let line = format!("{name:<8}{}", hex(&hash));
        assert!(DOCUMENT.contains(&line), "{line}");
    }
}

#[test]
fn every_input_changes_the_roster_and_the_seed() {
    let first = Setup::first(Rules::DEFAULT);
    let mut later = first;
    later.number = 2;
    let mut started = first;
    started.start.starter = tractor::Seat::ALL[1];
    let mut climbed = first;
    climbed.start.levels[1] = tractor::Level::ACE;
    let house = Setup::first(Rules {
        take_back: true,
        ..Rules::DEFAULT
    });
    let mut seen = Vec::new();
    for setup in [first, later, started, climbed, house] {
        let attempt = example(&setup);
        seen.push(attempt.roster.unwrap().hash);
        seen.push(attempt.seed().unwrap().to_bytes());
    }
    for draw in [
        Draw {
            secret: [1; 32],
            ..DRAW
        },
        Draw {
            salt: [2; 16],
            ..DRAW
        },
    ] {
        seen.push(Attempt::new(&context(&first), draw).server);
    }
    let again = AttemptContext {
        attempt: 2,
        ..context(&first)
    };
    let elsewhere = AttemptContext {
        table: "zzzzzzzzzzzz",
        ..context(&first)
    };
    seen.push(Attempt::new(&context(&first), DRAW).server);
    seen.push(Attempt::new(&again, DRAW).server);
    seen.push(Attempt::new(&elsewhere, DRAW).server);
    for bots in [[false; 4], [true; 4]] {
        let mut attempt = Attempt::new(&context(&first), DRAW);
        attempt.fix_roster(bots).unwrap();
        seen.push(attempt.roster.unwrap().hash);
        seen.push(attempt.seed().unwrap().to_bytes());
    }
    for (at, hash) in seen.iter().enumerate() {
        assert!(!seen[..at].contains(hash), "{at}");
    }
}

#[test]
fn nobody_commits_or_reveals_out_of_turn() {
    let setup = Setup::first(Rules::DEFAULT);
    let mut attempt = Attempt::new(&context(&setup), DRAW);
    let hash = seat_hash(&attempt.server, 0, &BITS_0);
    assert!(attempt.reveal(0, BITS_0).is_none(), "no roster");
    assert!(attempt.commit(4, hash).is_none(), "no such seat");
    attempt.commit(0, hash).unwrap();
    assert!(attempt.commit(0, hash).is_none(), "twice");
    assert!(attempt.seed().is_none(), "no roster");
    attempt.fix_roster([false, true, true, true]).unwrap();
    assert!(attempt.fix_roster([true; 4]).is_none(), "fixed");
    assert!(attempt.commit(1, hash).is_none(), "late");
    assert!(attempt.reveal(1, BITS_0).is_none(), "a bot");
    assert!(attempt.reveal(0, BITS_3).is_none(), "other bits");
    assert!(attempt.seed().is_none(), "not revealed");
    assert_eq!(attempt.missing(), [true, false, false, false]);
    attempt.reveal(0, BITS_0).unwrap();
    assert!(attempt.reveal(0, BITS_0).is_none(), "twice");
    assert!(attempt.seed().is_some());
    assert_eq!(format!("{attempt:?}"), "Attempt(..)");
}
