//! Whose job is next: pure bookkeeping, without threads and without a clock of its own.
//!
//! Shares are fair by address, within an address by session, within a session by job: whoever has
//! used less time goes first, as in the scheduler of an operating system. A newcomer starts level
//! with the least of those who are active, so nobody saves up time by staying away. Classes only
//! decide among those who have used about the same.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::client::{Client, Network};
use crate::id::PlayerId;

/// What a job is for, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Class {
    /// A bot's move that takes milliseconds, or a password on a known device.
    Short,
    /// A bot's move that is searched for, or a password of somebody unknown.
    Move,
    /// An analysis.
    Analysis,
    /// A hint.
    Hint,
    /// The review of a finished game.
    Review,
}

impl Class {
    pub(crate) const ALL: [Self; 5] = [
        Self::Short,
        Self::Move,
        Self::Analysis,
        Self::Hint,
        Self::Review,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Move => "move",
            Self::Analysis => "analysis",
            Self::Hint => "hint",
            Self::Review => "review",
        }
    }

    /// What is added to the time that its client has used.
    const fn handicap(self) -> Duration {
        Duration::from_millis(match self {
            Self::Short => 0,
            Self::Move => 20,
            Self::Analysis => 100,
            Self::Hint => 200,
            Self::Review => 400,
        })
    }
}

/// What a thread takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    All,
    /// Only [`Class::Short`].
    Short,
}

impl Takes {
    fn admits(self, ticket: &Ticket) -> bool {
        self == Self::All || ticket.class == Class::Short
    }
}

/// How much more a running job's client must have used before a job that is no more urgent takes the
/// thread. Every change costs some milliseconds of searching again.
const QUANTUM: Duration = Duration::from_millis(200);
/// The same among the jobs of one session, where nobody else gains by a change.
const LONG_QUANTUM: Duration = Duration::from_secs(1);
/// With more entries than this, a ledger forgets those who are not active.
const MOST_ENTRIES: usize = 4096;

/// What shares are first divided by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Group {
    Network(Network),
    /// A client whose address does not count.
    Session(PlayerId),
}

impl Group {
    fn of(client: &Client) -> Self {
        match client.network {
            Some(network) => Self::Network(network),
            None => Self::Session(client.session.clone()),
        }
    }
}

/// Time that somebody has used, and how many of their jobs wait or run.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    spent: Duration,
    active: usize,
}

#[derive(Debug)]
struct Ledger<K>(HashMap<K, Usage>);

impl<K: Hash + Eq + Clone> Ledger<K> {
    fn spent(&self, key: &K) -> Duration {
        self.0.get(key).map_or(Duration::ZERO, |usage| usage.spent)
    }

    /// The least that somebody active has used, among those who count.
    fn level(&self, counts: impl Fn(&K) -> bool) -> Duration {
        let active = self.0.iter().filter(|(_, usage)| usage.active > 0);
        let active = active.filter(|(key, _)| counts(key));
        active
            .map(|(_, usage)| usage.spent)
            .min()
            .unwrap_or_default()
    }

    /// What somebody has used who comes now: no less than the least of those who are active.
    fn entry(&self, key: &K) -> Duration {
        let usage = self.0.get(key).copied().unwrap_or_default();
        if usage.active > 0 {
            usage.spent
        } else {
            usage.spent.max(self.level(|_| true))
        }
    }

    fn enter(&mut self, key: &K, level: Duration) {
        let usage = self.0.entry(key.clone()).or_default();
        if usage.active == 0 {
            usage.spent = usage.spent.max(level);
        }
        usage.active += 1;
    }

    fn charge(&mut self, key: &K, took: Duration) {
        if let Some(usage) = self.0.get_mut(key) {
            usage.spent += took;
        }
    }

    fn leave(&mut self, key: &K) {
        if let Some(usage) = self.0.get_mut(key) {
            usage.active -= 1;
        }
        // Once nobody is active, all are level again.
        if self.0.values().all(|usage| usage.active == 0) {
            self.0.clear();
        }
        if self.0.len() > MOST_ENTRIES {
            self.0.retain(|_, usage| usage.active > 0);
        }
    }
}

/// A job that waits or runs, without what it does.
#[derive(Debug, Clone)]
pub(super) struct Ticket {
    pub(super) id: u64,
    pub(super) class: Class,
    client: Client,
    group: Group,
    /// Time that the job itself has used.
    pub(super) spent: Duration,
    /// Since when it waits, or up to when its run is charged.
    pub(super) since: Instant,
}

/// What became of a job that was to be queued.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Push<J> {
    /// It waits.
    Queued,
    /// It waits in the place of this one.
    Displaced(J),
    /// There is no room, and nobody has more jobs waiting than its address.
    Full(J),
}

/// The queue, and who runs.
#[derive(Debug)]
pub(super) struct Schedule<J> {
    most: usize,
    last_id: u64,
    waiting: Vec<(Ticket, J)>,
    /// Running jobs, and whether they were asked to pause.
    running: Vec<(Ticket, bool)>,
    groups: Ledger<Group>,
    sessions: Ledger<Client>,
}

impl<J> Schedule<J> {
    /// At most so many jobs wait.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            last_id: 0,
            waiting: Vec::new(),
            running: Vec::new(),
            groups: Ledger(HashMap::new()),
            sessions: Ledger(HashMap::new()),
        }
    }

    /// How many jobs of a class wait.
    pub(super) fn waiting(&self, class: Class) -> usize {
        let of = |(ticket, _): &&(Ticket, J)| ticket.class == class;
        self.waiting.iter().filter(of).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Queues a job.
    pub(super) fn push(&mut self, job: J, client: &Client, class: Class, now: Instant) -> Push<J> {
        let group = Group::of(client);
        self.charge_running(now);
        let mut displaced = None;
        if self.waiting.len() >= self.most {
            let Some(at) = self.crowded_out(&group, class) else {
                return Push::Full(job);
            };
            displaced = Some(self.remove(at));
        }
        self.last_id += 1;
        let ticket = Ticket {
            id: self.last_id,
            class,
            client: client.clone(),
            group,
            spent: Duration::ZERO,
            since: now,
        };
        let level = self.groups.level(|_| true);
        self.groups.enter(&ticket.group, level);
        let level = self
            .sessions
            .level(|other| Group::of(other) == ticket.group);
        self.sessions.enter(&ticket.client, level);
        self.waiting.push((ticket, job));
        displaced.map_or(Push::Queued, Push::Displaced)
    }

    /// The job that makes room for one of `group`: the last and least urgent one of whoever has most
    /// jobs waiting, as long as that is more than `group` would have. Where nobody has more, it is a less
    /// urgent one, or one of an address that has used more: however many addresses a flood comes from,
    /// whoever has asked for little gets in.
    fn crowded_out(&self, group: &Group, class: Class) -> Option<usize> {
        let mut counts: HashMap<&Group, usize> = HashMap::new();
        for (ticket, _) in &self.waiting {
            *counts.entry(&ticket.group).or_default() += 1;
        }
        let own = counts.get(group).copied().unwrap_or(0);
        let most = counts.values().copied().max()?;
        let count = |at: usize| counts[&self.waiting[at].0.group];
        let largest = (0..self.waiting.len()).filter(|&at| count(at) == most);
        if most > own + 1 {
            return largest.max_by_key(|&at| (self.waiting[at].0.class, self.waiting[at].0.id));
        }
        let rank = |at: usize| {
            let ticket = &self.waiting[at].0;
            (ticket.class, self.groups.spent(&ticket.group))
        };
        let entering = (class, self.groups.entry(group));
        let is_own = |at: usize| self.waiting[at].0.group == *group;
        let gives_way = |at: &usize| {
            let is_less_urgent = self.waiting[*at].0.class > class;
            count(*at) > own && rank(*at) > entering || is_own(*at) && is_less_urgent
        };
        let all = (0..self.waiting.len()).filter(gives_way);
        all.max_by_key(|&at| (rank(at), self.waiting[at].0.id))
    }

    fn remove(&mut self, at: usize) -> J {
        let (ticket, job) = self.waiting.remove(at);
        self.leave(&ticket);
        job
    }

    fn leave(&mut self, ticket: &Ticket) {
        self.groups.leave(&ticket.group);
        self.sessions.leave(&ticket.client);
    }

    /// Takes every waiting job for which `unwanted` holds out of the queue.
    pub(super) fn drain(&mut self, mut unwanted: impl FnMut(&J) -> bool) -> Vec<J> {
        let mut out = Vec::new();
        for at in (0..self.waiting.len()).rev() {
            if unwanted(&self.waiting[at].1) {
                out.push(self.remove(at));
            }
        }
        out
    }

    /// Charges those who run for what they have used until now.
    fn charge_running(&mut self, now: Instant) {
        for (ticket, _) in &mut self.running {
            let took = now.saturating_duration_since(ticket.since);
            ticket.since = now;
            ticket.spent += took;
            self.groups.charge(&ticket.group, took);
            self.sessions.charge(&ticket.client, took);
        }
    }

    fn group_key(&self, ticket: &Ticket) -> Duration {
        self.groups.spent(&ticket.group) + ticket.class.handicap()
    }

    fn session_key(&self, ticket: &Ticket) -> Duration {
        self.sessions.spent(&ticket.client) + ticket.class.handicap()
    }

    /// The waiting job that is next: of the address, then of the session, then of the class that
    /// comes first; a job that was begun before one that was not.
    fn next(&self, takes: Takes) -> Option<usize> {
        let all = (0..self.waiting.len()).filter(|&at| takes.admits(&self.waiting[at].0));
        let ticket = |at: usize| &self.waiting[at].0;
        let first = all
            .clone()
            .min_by_key(|&at| (self.group_key(ticket(at)), ticket(at).id))?;
        let group = &ticket(first).group;
        let all = all.filter(|&at| ticket(at).group == *group);
        let first = all
            .clone()
            .min_by_key(|&at| (self.session_key(ticket(at)), ticket(at).id))?;
        let client = &ticket(first).client;
        let all = all.filter(|&at| ticket(at).client == *client);
        // A job that was begun goes on before another is begun, until it has used much more.
        let turns = |at: usize| ticket(at).spent.as_millis() / LONG_QUANTUM.as_millis();
        let is_new = |at: usize| ticket(at).spent.is_zero();
        all.min_by_key(|&at| (ticket(at).class, turns(at), is_new(at), ticket(at).id))
    }

    /// Takes the next job for a thread that is free, with what it waited.
    pub(super) fn pick(&mut self, takes: Takes, now: Instant) -> Option<(Ticket, Duration, J)> {
        self.charge_running(now);
        let (mut ticket, job) = self.waiting.remove(self.next(takes)?);
        let waited = now.saturating_duration_since(ticket.since);
        ticket.since = now;
        self.running.push((ticket.clone(), false));
        Some((ticket, waited, job))
    }

    /// A running job has come to an end, or to a pause in which it waits again.
    pub(super) fn finish(&mut self, id: u64, paused: Option<J>, now: Instant) -> Option<Ticket> {
        self.charge_running(now);
        let at = self
            .running
            .iter()
            .position(|(ticket, _)| ticket.id == id)?;
        let (ticket, _) = self.running.swap_remove(at);
        match paused {
            Some(job) => self.waiting.push((ticket.clone(), job)),
            None => self.leave(&ticket),
        }
        Some(ticket)
    }

    /// The running job that must make way for the next one, if it must and was not told yet.
    pub(super) fn overtaken(&mut self, now: Instant) -> Option<u64> {
        self.charge_running(now);
        let next = &self.waiting[self.next(Takes::All)?].0;
        if self.running.iter().any(|(_, is_pausing)| *is_pausing) {
            return None;
        }
        let worst = (0..self.running.len())
            .filter(|&at| self.overtakes(next, &self.running[at].0))
            .max_by_key(|&at| self.group_key(&self.running[at].0))?;
        self.running[worst].1 = true;
        Some(self.running[worst].0.id)
    }

    fn overtakes(&self, next: &Ticket, running: &Ticket) -> bool {
        let is_urgent = next.class < running.class;
        let (own, other) = if next.group != running.group {
            (self.group_key(next), self.group_key(running))
        } else if next.client != running.client {
            (self.session_key(next), self.session_key(running))
        } else {
            let alike = next.class == running.class;
            return is_urgent || alike && next.spent + LONG_QUANTUM < running.spent;
        };
        // A more urgent job does not wait for somebody who has used as much.
        own + if is_urgent { Duration::ZERO } else { QUANTUM } < other
    }
}

#[cfg(test)]
mod tests;
