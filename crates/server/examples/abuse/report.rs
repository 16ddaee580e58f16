//! What was measured, against what must hold.

use std::time::Duration;

/// What another player noticed.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// From a move to the answer of a bot of level 1.
    pub(crate) bot: Vec<Duration>,
    /// From a question to the first line of an analysis.
    pub(crate) analysis: Vec<Duration>,
    /// From a move to its echo at both sides.
    pub(crate) echo: Vec<Duration>,
    /// From name and password to a session.
    pub(crate) login: Vec<Duration>,
    /// Looks at the lobby, and those in which an attended table was missing.
    pub(crate) looks: usize,
    pub(crate) missing: usize,
    /// The most memory of the server in megabytes.
    pub(crate) memory: u64,
}

/// A line of the server's status in the process table, in megabytes.
pub(crate) fn megabytes(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// The value that so many of a hundred do not exceed.
fn percentile(times: &[Duration], of_hundred: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().saturating_sub(1);
    sorted
        .get(last * of_hundred / 100)
        .copied()
        .unwrap_or_default()
}

/// Prints the table, and answers whether every goal was reached.
pub(crate) fn print(calm: &Report, flooded: &Report) -> bool {
    println!(
        "\n{:<34} {:>10} {:>10} {:>10} {:>10} {:>6}  goal",
        "", "calm p99", "p50", "p99", "max", "count"
    );
    let seconds = Duration::from_secs;
    let rows = [
        ("level-1 bot answers", &calm.bot, &flooded.bot, seconds(1)),
        (
            "first line of an analysis",
            &calm.analysis,
            &flooded.analysis,
            seconds(2),
        ),
        (
            "a move between people",
            &calm.echo,
            &flooded.echo,
            Duration::from_millis(100),
        ),
        (
            "the owner logs in, unknown device",
            &calm.login,
            &flooded.login,
            seconds(10),
        ),
    ];
    let mut reached = true;
    for (name, before, times, goal) in rows {
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let p99 = percentile(times, 99);
        let fits = !times.is_empty() && p99 < goal;
        reached &= fits;
        println!(
            "{name:<34} {:>10} {:>10} {:>10} {:>10} {:>6}  under {goal:?}{}",
            ms(percentile(before, 99)),
            ms(percentile(times, 50)),
            ms(p99),
            ms(percentile(times, 100)),
            times.len(),
            if fits { "" } else { "  MISSED" },
        );
    }
    let listed = flooded.looks > 0 && flooded.missing == 0;
    let small = flooded.memory < 300;
    println!(
        "lobby without the attended table: {} of {} looks, goal 0{}",
        flooded.missing,
        flooded.looks,
        if listed { "" } else { "  MISSED" }
    );
    println!(
        "memory of the server: {} MB before, {} MB at most, goal under 300 MB{}",
        calm.memory,
        flooded.memory,
        if small { "" } else { "  MISSED" }
    );
    reached && listed && small
}
