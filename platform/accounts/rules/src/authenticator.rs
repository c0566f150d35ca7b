//! Codes of authenticators (RFC 6238: SHA-1, six digits, thirty seconds).

use aws_lc_rs::constant_time;
use infra::{Error, Result, clock::Moment};
use totp_rs::{Algorithm, TOTP};

/// Whose codes they are, as authenticators show it.
const ISSUER: &str = "成教云";
const STEP_SECONDS: i64 = 30;
pub const DIGITS: usize = 6;

/// The authenticator of a secret; the login name stands beside its codes.
///
/// # Errors
/// 500 for a secret that is too short.
pub fn authenticator(secret: Vec<u8>, login_name: &str) -> Result<TOTP> {
    // A colon would end the issuer.
    let name = login_name.replace(':', " ");
    TOTP::new(Algorithm::SHA1, DIGITS, 1, STEP_SECONDS.unsigned_abs(), secret, Some(ISSUER.to_owned()), name)
        .map_err(Error::internal)
}

/// The step whose code this is: the present one, or the one before or after it.
pub fn step_of(totp: &TOTP, code: &str, now: Moment) -> Option<i64> {
    let present = now.timestamp() / STEP_SECONDS;
    (present - 1..=present + 1).find(|step| {
        let right = totp.generate((step * STEP_SECONDS).unsigned_abs());
        constant_time::verify_slices_are_equal(right.as_bytes(), code.as_bytes()).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;

    /// RFC 6238, appendix B: the secret "12345678901234567890" at 59 s and 1,111,111,109 s.
    #[test]
    fn codes_are_the_standards() {
        let totp = authenticator(b"12345678901234567890".to_vec(), "zhang").expect("a right secret");
        assert_eq!(totp.generate(59), "287082");
        assert_eq!(totp.generate(1_111_111_109), "081804");
    }

    #[test]
    fn one_step_early_or_late_is_forgiven() {
        let totp = authenticator(vec![7; 20], "zhang").expect("a right secret");
        let now = Moment::default() + Duration::seconds(1_795_000_020);
        let code = totp.generate(1_795_000_020);
        let present = 1_795_000_020 / 30;
        assert_eq!(step_of(&totp, &code, now), Some(present));
        assert_eq!(step_of(&totp, &code, now + Duration::seconds(30)), Some(present));
        assert_eq!(step_of(&totp, &code, now - Duration::seconds(30)), Some(present));
        assert_eq!(step_of(&totp, &code, now + Duration::seconds(60)), None);
        assert_eq!(step_of(&totp, "", now), None);
    }
}
