//! 短信验证码: how often one may leave (01 §9.11).

use infra::clock::Moment;

/// Minutes for which a code is good.
pub const MINUTES: i64 = 5;
/// Seconds between two codes for one phone.
pub const APART_SECONDS: i64 = 60;
/// Codes for one phone on a day, and for one address in an hour.
pub const A_DAY: i64 = 10;
pub const AN_HOUR: i64 = 20;
/// Wrong tries that end a code.
pub const TRIES: i32 = 5;

/// What left before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sent {
    /// The last one for the phone.
    pub last: Option<Moment>,
    /// For the phone, today.
    pub today: i64,
    /// For the address, within an hour.
    pub here: i64,
}

/// Why no code leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMany {
    #[error("验证码已发送，请{0}秒后再获取")]
    TooSoon(i64),
    #[error("该手机今天已获取{}次验证码，请明天再试", A_DAY)]
    Today,
    #[error("当前网络获取验证码过于频繁，请一小时后再试")]
    Here,
}

/// Whether one more code may leave.
///
/// # Errors
/// Why not, in words for whoever asks.
pub fn may_leave(sent: Sent, now: Moment) -> Result<(), TooMany> {
    let wait = sent.last.map_or(0, |last| APART_SECONDS - (now - last).num_seconds());
    if wait > 0 {
        Err(TooMany::TooSoon(wait))
    } else if sent.today >= A_DAY {
        Err(TooMany::Today)
    } else if sent.here >= AN_HOUR {
        Err(TooMany::Here)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    /// 01 §9.11: 60 s between, 10 a day per phone.
    #[test]
    fn codes_leave_a_minute_apart_and_ten_a_day() {
        let now = at("2027-01-31T10:00:00+08:00");
        let of = |last: &str, today, here| may_leave(Sent { last: Some(at(last)), today, here }, now);
        assert_eq!(may_leave(Sent::default(), now), Ok(()));
        assert_eq!(of("2027-01-31T09:59:01+08:00", 1, 1), Err(TooMany::TooSoon(1)));
        assert_eq!(of("2027-01-31T09:59:00+08:00", 9, 1), Ok(()));
        assert_eq!(of("2027-01-31T09:59:00+08:00", 10, 1), Err(TooMany::Today));
        assert_eq!(of("2027-01-31T09:00:00+08:00", 1, 20), Err(TooMany::Here));
        assert_eq!(TooMany::Today.to_string(), "该手机今天已获取10次验证码，请明天再试");
    }
}
