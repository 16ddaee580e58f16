//! Order and shares, on a clock that the tests move.

use std::net::IpAddr;

use super::*;

fn client(host: u8) -> Client {
    Client {
        session: PlayerId::random(),
        network: Some(IpAddr::from([192, 0, 2, host]).into()),
    }
}

fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

struct Clock(Instant);

impl Clock {
    fn pass(&mut self, n: u64) -> Instant {
        self.0 += millis(n);
        self.0
    }
}

fn start(most: usize) -> (Schedule<u32>, Clock) {
    (Schedule::new(most), Clock(Instant::now()))
}

#[test]
fn h1_a_flood_waits_for_whoever_has_used_less() {
    let (mut schedule, mut clock) = start(1000);
    let flood = client(1);
    for job in 0..500 {
        assert_eq!(
            schedule.push(job, &flood, Class::Move, clock.pass(0)),
            Push::Queued
        );
    }
    let (running, _, job) = schedule.pick(Takes::All, clock.pass(1)).unwrap();
    assert_eq!(job, 0);
    // A short move overtakes at once, whatever is queued before it.
    schedule.push(1000, &client(2), Class::Short, clock.pass(1));
    assert_eq!(schedule.overtaken(clock.pass(1)), Some(running.id));
    assert_eq!(schedule.overtaken(clock.pass(1)), None, "asked once");
    schedule.finish(running.id, Some(0), clock.pass(5));
    let (short, waited, job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
    assert_eq!((job, waited), (1000, millis(7)));
    schedule.finish(short.id, None, clock.pass(3));
    // The paused job goes on before new ones of the same client.
    assert_eq!(schedule.pick(Takes::All, clock.pass(0)).unwrap().2, 0);
}

#[test]
fn m1_an_analysis_gets_its_turn_during_a_flood_of_moves_and_analyses() {
    let (mut schedule, mut clock) = start(1000);
    for job in 0..100 {
        schedule.push(job, &client(1), Class::Analysis, clock.pass(0));
        schedule.push(job, &client(2), Class::Move, clock.pass(0));
    }
    let (mut running, _, mut job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
    schedule.push(1000, &client(3), Class::Analysis, clock.pass(0));
    // Slices end when somebody else's turn has come; count them until the newcomer's.
    let mut slices = 0;
    while job != 1000 {
        slices += 1;
        assert!(slices < 4, "each address goes first once at most");
        let mut waited = 0;
        while schedule.overtaken(clock.pass(20)).is_none() {
            waited += 20;
            assert!(waited < 1000, "somebody's turn has come");
        }
        schedule.finish(running.id, Some(job), clock.pass(0));
        (running, _, job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
    }
}

#[test]
fn sessions_of_one_address_share_and_classes_decide_among_equals() {
    let (mut schedule, mut clock) = start(1000);
    let [ann, bob] = [(), ()].map(|()| client(1));
    schedule.push(1, &ann, Class::Move, clock.pass(0));
    schedule.push(2, &ann, Class::Move, clock.pass(0));
    schedule.push(3, &bob, Class::Hint, clock.pass(0));
    schedule.push(4, &bob, Class::Analysis, clock.pass(0));
    let mut order = Vec::new();
    while let Some((ticket, _, job)) = schedule.pick(Takes::All, clock.pass(0)) {
        order.push(job);
        schedule.finish(ticket.id, None, clock.pass(1000));
    }
    // Ann's move first, as moves come first; then Bob, who has used nothing; then Ann again.
    assert_eq!(order, [1, 4, 2, 3]);
}

#[test]
fn time_is_shared_equally_however_many_jobs_somebody_has() {
    let (mut schedule, mut clock) = start(1000);
    let (many, one) = (client(1), client(2));
    for job in 0..50 {
        schedule.push(job, &many, Class::Move, clock.pass(0));
    }
    schedule.push(100, &one, Class::Move, clock.pass(0));
    let mut used = [0, 0];
    for _ in 0..200 {
        let (ticket, _, job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
        let mut slice = 0;
        while schedule.overtaken(clock.pass(20)).is_none() && slice < 5000 {
            slice += 20;
        }
        used[usize::from(job == 100)] += slice + 20;
        schedule.finish(ticket.id, Some(job), clock.pass(0));
    }
    let share = f64::from(used[1]) / f64::from(used[0] + used[1]);
    assert!((0.45..0.55).contains(&share), "{used:?}");
}

#[test]
fn a_full_queue_makes_room_at_the_cost_of_whoever_has_most() {
    let (mut schedule, mut clock) = start(3);
    let (flood, other) = (client(1), client(2));
    for job in 0..3 {
        schedule.push(job, &flood, Class::Move, clock.pass(1));
    }
    assert_eq!(
        schedule.push(3, &flood, Class::Move, clock.pass(1)),
        Push::Full(3)
    );
    assert_eq!(
        schedule.push(10, &other, Class::Hint, clock.pass(1)),
        Push::Displaced(2)
    );
    assert_eq!(
        schedule.push(11, &other, Class::Hint, clock.pass(1)),
        Push::Full(11)
    );
    assert_eq!(
        schedule.push(20, &client(3), Class::Short, clock.pass(1)),
        Push::Displaced(1)
    );
    let rest = schedule.drain(|job| *job != 20);
    assert_eq!(rest, [10, 0]);
    assert_eq!(schedule.pick(Takes::All, clock.pass(1)).unwrap().2, 20);
}

#[test]
fn a_queue_full_of_strangers_has_room_for_what_is_urgent_and_for_whoever_has_used_least() {
    let (mut schedule, mut clock) = start(3);
    let strangers = [client(1), client(2), client(3)];
    for (job, stranger) in (0..).zip(&strangers) {
        schedule.push(job, stranger, Class::Move, clock.pass(1));
    }
    // All have asked for as much: whoever comes late is refused, unless it is urgent.
    let late = schedule.push(3, &client(4), Class::Move, clock.pass(1));
    assert_eq!(late, Push::Full(3));
    let known = client(5);
    let urgent = schedule.push(10, &known, Class::Short, clock.pass(1));
    assert_eq!(urgent, Push::Displaced(2));
    assert_eq!(schedule.pick(Takes::All, clock.pass(1)).unwrap().2, 10);
    // One of the others runs for a while, and comes again: somebody new has used less.
    let (ticket, _, job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
    assert_eq!(job, 0);
    schedule.push(20, &strangers[0], Class::Move, clock.pass(50));
    schedule.push(21, &client(6), Class::Move, clock.pass(0));
    schedule.finish(ticket.id, None, clock.pass(0));
    let new = schedule.push(22, &client(7), Class::Move, clock.pass(0));
    assert_eq!(new, Push::Displaced(20));
    let late = schedule.push(23, &strangers[0], Class::Move, clock.pass(0));
    assert_eq!(late, Push::Full(23));
}

#[test]
fn whoever_has_a_share_of_its_own_waits_for_no_crowd_of_newcomers() {
    let (mut schedule, mut clock) = start(1000);
    let device = || Client {
        session: PlayerId::random(),
        network: None,
    };
    schedule.push(0, &client(0), Class::Move, clock.pass(0));
    for turn in 1..20 {
        // Strangers come all the time, each for the first time.
        for host in 0..5 {
            schedule.push(1, &client(turn * 10 + host), Class::Move, clock.pass(0));
        }
        schedule.push(1000, &device(), Class::Short, clock.pass(0));
        let (ticket, waited, job) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
        assert_eq!((job, waited), (1000, Duration::ZERO));
        schedule.finish(ticket.id, None, clock.pass(60));
        let (ticket, ..) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
        schedule.finish(ticket.id, None, clock.pass(60));
    }
}

#[test]
fn in_a_full_queue_the_urgent_work_of_an_address_takes_the_place_of_its_other_work() {
    let (mut schedule, mut clock) = start(2);
    let [ann, bob] = [(), ()].map(|()| client(1));
    schedule.push(1, &ann, Class::Hint, clock.pass(1));
    schedule.push(2, &ann, Class::Move, clock.pass(1));
    let hint = schedule.push(3, &bob, Class::Hint, clock.pass(1));
    assert_eq!(hint, Push::Full(3));
    let short = schedule.push(4, &bob, Class::Short, clock.pass(1));
    assert_eq!(short, Push::Displaced(1));
}

#[test]
fn nobody_is_remembered_once_all_are_gone() {
    let (mut schedule, mut clock) = start(10);
    schedule.push(1, &client(1), Class::Move, clock.pass(0));
    let (ticket, ..) = schedule.pick(Takes::All, clock.pass(0)).unwrap();
    schedule.push(2, &client(2), Class::Move, clock.pass(9));
    schedule.finish(ticket.id, None, clock.pass(9));
    assert_eq!(schedule.groups.0.len(), 2);
    schedule.drain(|_| true);
    assert!(schedule.groups.0.is_empty() && schedule.sessions.0.is_empty());
}
