//! Clocks in comments, `[%clk 1:02:03.5]`.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

/// `h:mm:ss`, with as much of the milliseconds as is not zero.
pub(super) fn show(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    match clock.subsec_millis() {
        0 => text,
        millis => {
            let fraction = format!("{millis:03}");
            format!("{text}.{}", fraction.trim_end_matches('0'))
        }
    }
}

/// Reads what [`show`] writes.
pub(super) fn read(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut parts = whole.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let lawful = parts.next().is_none()
        && [hours, minutes, seconds, fraction].into_iter().all(digits)
        && !hours.is_empty()
        && minutes.len() == 2
        && seconds.len() == 2
        && (1..=3).contains(&fraction.len());
    if !lawful {
        return None;
    }
    let number = |part: &str| part.parse::<u64>().ok();
    let (minutes, seconds) = (number(minutes)?, number(seconds)?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    let millis = number(&format!("{fraction:0<3}"))?;
    let seconds = number(hours)?
        .checked_mul(3600)?
        .checked_add(minutes * 60 + seconds)?;
    Some(Duration::from_secs(seconds) + Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_back_as_written() {
        for millis in [0, 1, 500, 9_500, 59_999, 299_000, 3_600_000, 90_061_010] {
            let clock = Duration::from_millis(millis);
            assert_eq!(read(&show(clock)), Some(clock));
        }
        let longest = Duration::new(u64::MAX, 999_000_000);
        assert_eq!(read(&show(longest)), Some(longest));
        assert_eq!(show(Duration::from_millis(9_500)), "0:00:09.5");
        for bad in [
            "",
            "1:00",
            "1:60:00",
            "1:00:60",
            "-1:00:00",
            "1:0:00",
            "1:00:00.",
            "1:00:00.1234",
            "1:00:00:00",
            ":00:00",
            "5124095576030432:00:00",
            "99999999999999999999:00:00",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
