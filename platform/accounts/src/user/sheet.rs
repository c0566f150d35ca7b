//! One row of the sheet by which platform accounts are imported (01 §2.4), read and checked as far as the row itself goes.

use std::collections::HashMap;

use infra::sheet::{InputColumn, Row, Template};

use super::{AccountGender, details::check_phone};
use crate::password;

const NAME: &str = "账号";
const PHONE: &str = "手机号";
const PASSWORD: &str = "初始密码";

pub(super) fn template() -> Template {
    let genders = AccountGender::CHOICES.iter().map(|(word, _)| *word).filter(|word| *word != "未知");
    Template {
        title: "账号",
        columns: vec![
            InputColumn::required(NAME, "4至32位字母、数字或 _ . @ -"),
            InputColumn::required("姓名", "2至30个字符"),
            InputColumn::optional(PHONE, "11位手机号"),
            InputColumn::optional("邮箱", ""),
            InputColumn::optional("性别", "").one_of(genders),
            InputColumn::optional(PASSWORD, "留空时自动生成12位密码；自填须为8至32位，且含三类字符"),
            InputColumn::optional("备注", "不超过255个字符"),
        ],
    }
}

/// An account as a row names it.
#[derive(Debug, Clone, Default)]
pub(super) struct Typed {
    pub(super) login_name: String,
    pub(super) real_name: String,
    pub(super) phone: Option<String>,
    pub(super) email: Option<String>,
    pub(super) gender: Option<AccountGender>,
    pub(super) password: Option<String>,
    pub(super) remark: Option<String>,
}

/// Where a name or a phone was first seen in the file.
#[derive(Debug, Default)]
pub(super) struct Seen {
    names: HashMap<String, u32>,
    phones: HashMap<String, u32>,
}

fn is_login_name(text: &str) -> bool {
    (4..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.@-".contains(&b))
}

fn is_email(text: &str) -> bool {
    text.chars().count() <= 60
        && !text.contains(char::is_whitespace)
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

/// Reads a row and notes in it what is wrong. Judging a password takes a millisecond: off the async threads.
pub(super) fn read(row: &mut Row) -> Typed {
    let typed = Typed {
        login_name: row.required(NAME),
        real_name: row.required("姓名"),
        phone: row.text(PHONE),
        email: row.text("邮箱"),
        gender: row.one_of("性别", AccountGender::CHOICES),
        password: row.text(PASSWORD),
        remark: row.text("备注"),
    };
    if !typed.login_name.is_empty() && !is_login_name(&typed.login_name) {
        row.refuse(NAME, "账号格式不正确：4至32位字母、数字或 _ . @ -");
    }
    if !typed.real_name.is_empty() && !(2..=30).contains(&typed.real_name.chars().count()) {
        row.refuse("姓名", "姓名长度应为2至30个字符");
    }
    if let Err(error) = check_phone(typed.phone.as_deref()) {
        row.refuse(PHONE, error.msg.into_owned());
    }
    if typed.email.as_deref().is_some_and(|email| !is_email(email)) {
        row.refuse("邮箱", "邮箱格式不正确");
    }
    if let Some(plain) = &typed.password
        && let Err(weak) = password::check(plain, &typed.login_name, typed.phone.as_deref())
    {
        row.refuse(PASSWORD, weak.zh());
    }
    if typed.remark.as_deref().is_some_and(|remark| remark.chars().count() > 255) {
        row.refuse("备注", "备注不能超过255个字符");
    }
    typed
}

impl Seen {
    /// The later of two rows with the same name or phone is wrong.
    pub(super) fn refuse_repeated(&mut self, row: &mut Row, typed: &Typed) {
        let number = row.number();
        let first = *self.names.entry(typed.login_name.to_lowercase()).or_insert(number);
        if first != number && !typed.login_name.is_empty() {
            row.refuse(NAME, format!("账号与第{first}行重复"));
        }
        if let Some(phone) = &typed.phone {
            let first = *self.phones.entry(phone.clone()).or_insert(number);
            if first != number {
                row.refuse(PHONE, format!("手机号与第{first}行重复"));
            }
        }
    }
}

/// Notes in a row that somebody has its name or phone already.
pub(super) fn refuse_taken(row: &mut Row, name_taken: bool, phone_taken: bool) {
    if name_taken {
        row.refuse(NAME, "账号已存在");
    }
    if phone_taken {
        row.refuse(PHONE, "手机号已被其他账号使用");
    }
}
