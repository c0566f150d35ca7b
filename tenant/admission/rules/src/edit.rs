//! 编辑联系方式: what of it is wrong (02 §0.4, §6).

use infra::FieldError;

use crate::person::Person;

/// What is wrong with what was typed. What the authority's file has stays as it is there, however it looks.
pub fn wrong(before: &Person, after: &Person) -> Vec<FieldError> {
    let typed = |was: &Option<String>, now: &Option<String>| now.clone().filter(|_| was != now);
    let phone = typed(&before.phone, &after.phone).and_then(|phone| {
        let fits = (5..=20).contains(&phone.len())
            && phone.bytes().all(|sign| sign.is_ascii_digit() || b"()+ -".contains(&sign));
        let why = if phone.contains('*') { "请填写完整的手机号" } else { "手机格式不正确" };
        (!fits).then(|| FieldError { field: "phone".to_owned(), message: why.to_owned() })
    });
    let postal_code = typed(&before.postal_code, &after.postal_code).and_then(|code| {
        let fits = code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit());
        (!fits).then(|| FieldError { field: "postalCode".to_owned(), message: "邮编格式不正确".to_owned() })
    });
    phone.into_iter().chain(postal_code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person::tests::person;

    #[test]
    fn what_the_file_has_is_not_judged() {
        let before =
            Person { phone: Some("转123".to_owned()), postal_code: Some("43000".to_owned()), ..person(1, "张伟") };
        assert!(wrong(&before, &before).is_empty());
        let of = |phone: &str, code: &str| {
            let after = Person { phone: Some(phone.to_owned()), postal_code: Some(code.to_owned()), ..before.clone() };
            wrong(&before, &after).into_iter().map(|error| error.message).collect::<Vec<_>>()
        };
        assert!(of("027-87654321", "430000").is_empty());
        assert_eq!(of("1390", "4300"), ["手机格式不正确", "邮编格式不正确"]);
        assert_eq!(of("154****0001", "43000"), ["请填写完整的手机号"]);
    }
}
