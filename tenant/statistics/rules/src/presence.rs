//! Who is there: what a sign-in and a beat of a client count for (part 05 A1, A2).

use chrono::Duration;
use infra::clock::Moment;

/// Seconds that one beat adds at the most; a client beats every sixty.
const MOST_SECONDS: i64 = 90;
/// After so long a silence the person went away: no further beat of the sign-in counts.
const GONE: Duration = Duration::minutes(10);
/// Who signs in again so soon with the same kind of device lost the connection.
const AGAIN: Duration = Duration::minutes(30);

/// What a beat does to its sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// The person was there for so many seconds more.
    Adds(i32),
    /// The person was away: the sign-in ended with the beat before.
    Ends,
}

/// A beat at `now`, `last` being the one before or the sign-in. Of a page that nobody looks at no time counts.
pub fn beat(last: Moment, now: Moment, visible: bool) -> Beat {
    let gap = now - last;
    if gap > GONE {
        return Beat::Ends;
    }
    let seconds = if visible { gap.num_seconds().clamp(0, MOST_SECONDS) } else { 0 };
    Beat::Adds(i32::try_from(seconds).unwrap_or(0))
}

/// Whether a sign-in counts, `before` being the one before of the same person and kind of device.
pub fn counts(before: Option<Moment>, at: Moment) -> bool {
    before.is_none_or(|before| at - before >= AGAIN)
}

/// The bit of a kind of device.
pub fn device_bit(device: &str) -> i32 {
    match device {
        "pc" => 1,
        "mobile" => 2,
        "tablet" => 4,
        _ => 8,
    }
}

/// The kinds of devices of a mask, in words.
pub fn devices(mask: i32) -> String {
    let words = [(1, "电脑"), (2, "手机"), (4, "平板"), (8, "小程序")];
    let named: Vec<&str> = words.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, word)| *word).collect();
    named.join("、")
}

/// The kind of device of a browser, as [`infra::http::RequestOrigin::device`] tells it of a call.
pub fn device_of(user_agent: &str) -> &'static str {
    let agent = user_agent.to_lowercase();
    if agent.contains("miniprogram") {
        "mini_program"
    } else if agent.contains("ipad") || agent.contains("tablet") {
        "tablet"
    } else if agent.contains("mobile") {
        "mobile"
    } else {
        "pc"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Moment {
        format!("2026-04-10T{time}+08:00").parse().expect("a moment")
    }

    #[test]
    fn a_beat_adds_the_time_since_the_last_but_never_more_than_ninety_seconds() {
        assert_eq!(beat(at("08:00:00"), at("08:01:00"), true), Beat::Adds(60));
        assert_eq!(beat(at("08:00:00"), at("08:05:00"), true), Beat::Adds(90));
        assert_eq!(beat(at("08:00:00"), at("08:01:00"), false), Beat::Adds(0));
        assert_eq!(beat(at("08:00:00"), at("08:10:00"), true), Beat::Adds(90));
        assert_eq!(beat(at("08:00:00"), at("08:10:01"), true), Beat::Ends);
        assert_eq!(beat(at("08:00:30"), at("08:00:00"), true), Beat::Adds(0), "of another server's clock");
    }

    /// 05 A9-6: 08:00, 08:20 on the same telephone, 08:25 at a computer.
    #[test]
    fn a_sign_in_after_a_lost_connection_is_none() {
        assert!(counts(None, at("08:00:00")));
        assert!(!counts(Some(at("08:00:00")), at("08:20:00")));
        assert!(counts(Some(at("08:00:00")), at("08:30:00")));
    }

    #[test]
    fn devices_are_told_in_words() {
        assert_eq!(devices(device_bit("pc") | device_bit("mobile")), "电脑、手机");
        assert_eq!(devices(0), "");
        assert_eq!(device_of("Mozilla/5.0 (iPad; CPU OS 17_0)"), "tablet");
        assert_eq!(device_of("Mozilla/5.0 (Linux; Android 14) Mobile Safari"), "mobile");
    }
}
