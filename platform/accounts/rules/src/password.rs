//! Which passwords of back-office accounts are good enough (01 §1.4.11).

/// A password that an attacker finds within so many guesses stands in every list of common ones.
const GUESSES: u64 = 10_000;

/// Why a new password is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weak {
    Shape,
    Personal,
    Common,
    Former,
}

impl Weak {
    pub fn zh(self) -> &'static str {
        match self {
            Self::Shape => "密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类",
            Self::Personal => "密码不能包含账号或手机号",
            Self::Common => "密码过于简单，请更换",
            Self::Former => "新密码不能与最近5次使用过的密码相同",
        }
    }
}

/// The rules that need no database.
pub fn check(password: &str, login_name: &str, phone: Option<&str>) -> Result<(), Weak> {
    let length = password.chars().count();
    let kinds = [
        password.chars().any(|c| c.is_ascii_uppercase()),
        password.chars().any(|c| c.is_ascii_lowercase()),
        password.chars().any(|c| c.is_ascii_digit()),
        password.chars().any(|c| !c.is_ascii_alphanumeric()),
    ];
    if !(8..=32).contains(&length)
        || password.chars().any(char::is_whitespace)
        || kinds.into_iter().filter(|found| *found).count() < 3
    {
        return Err(Weak::Shape);
    }
    let lower = password.to_lowercase();
    if lower.contains(&login_name.to_lowercase()) || phone.is_some_and(|phone| password.contains(phone)) {
        return Err(Weak::Personal);
    }
    if zxcvbn::zxcvbn(password, &[login_name]).guesses() <= GUESSES {
        return Err(Weak::Common);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_characters_and_nothing_personal() {
        let refused = |password| check(password, "registrar1", Some("13800000001")).expect_err("refused");
        assert_eq!(refused("Short1!"), Weak::Shape);
        assert_eq!(refused("alllowercase1"), Weak::Shape);
        assert_eq!(refused("With Space1!"), Weak::Shape);
        assert_eq!(refused("Registrar1!x"), Weak::Personal);
        assert_eq!(refused("Ab13800000001!"), Weak::Personal);
        assert_eq!(refused("Password1"), Weak::Common);
        assert_eq!(check("Xian#2026qiu", "registrar1", None), Ok(()));
    }
}
