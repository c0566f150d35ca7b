//! 更正: the key fields of a person change here alone, by what was approved (02 §9.6). Who asked, with which evidence and who
//! allowed it, the caller knows; whether the values may stand (02 §0.2, §0.3) and how they are written is said here.

use chrono::NaiveDate;
use infra::{Change, Error, FieldError, OnConstraint, Result, Scope, Tx, naming::tidy, pinyin};
use people::{
    account::{self, OwnerKind},
    session,
};
use poem_openapi::types::ToJSON;
use serde_json::Value;
use sqlx::PgConnection;
use student_status_rules::{
    check::{Identity, identity},
    key_fields::corrected,
    student::Student,
};

use super::{enrol::refused, find, lock, references::words};
use crate::{
    enums::StatusChangeKind,
    id_card::{self, Typed, typed_by_hand},
};

pub use student_status_rules::key_fields::KeyFields;

/// Wanted values that may stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// What differs from what the student has, with the birthday and the gender that a new number brings.
    pub values: KeyFields,
    /// What is worth a second look.
    pub warnings: Vec<String>,
}

/// The student, kept from others until the transaction ends.
///
/// # Errors
/// 404 outside the scope.
pub async fn hold(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Student> {
    lock(tx, id, scope).await
}

/// The same student without holding them, for somebody who only looks.
///
/// # Errors
/// 404 outside the scope.
pub async fn seen(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Student> {
    find(connection, Some(id), None, scope).await
}

/// Whether the values may stand.
///
/// # Errors
/// 422 at each wrong field.
pub async fn check(tx: &mut Tx, student: &Student, wanted: &KeyFields) -> Result<Checked> {
    typed_by_hand(wanted.id_card_type, Some(student.id_card_type))?;
    let (today, app) = (tx.app().clock().today(), tx.app().clone());
    let (ethnicities, _) = words(&app).await?;
    let kind = wanted.id_card_type.unwrap_or(student.id_card_type);
    let number = wanted.id_card_no.as_deref().unwrap_or(&student.id_card_no);
    let name = wanted.name.as_deref().map(tidy);
    let said = Identity {
        name: name.as_deref().unwrap_or(&student.name),
        id_card_type: kind,
        id_card_no: number,
        typed: Typed { birthday: wanted.birthday, gender: wanted.gender },
        // A word that was switched off since may stay.
        ethnicity: wanted.ethnicity.as_deref().filter(|word| student.ethnicity.as_deref() != Some(*word)),
        enrolled_on: student.enrolled_on,
    };
    let (card, wrong) = identity(&said, &ethnicities, today);
    let Some(card) = card.filter(|_| wrong.is_empty()) else { return Err(Error::fields(wrong)) };
    let values = corrected(student, KeyFields { name, ..wanted.clone() }, kind, &card);
    let wrong = taken(tx, student, &values).await?;
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let age = values.birthday.map(|birthday| id_card::age_at_entry(birthday, student.enrolled_on));
    let warnings = age.and_then(Result::ok).flatten().map(|warning| warning.to_string());
    Ok(Checked { values, warnings: warnings.into_iter().collect() })
}

/// Whether another student has the number (02 §0.2). Who asks holds the number until the transaction ends.
async fn taken(tx: &mut Tx, student: &Student, values: &KeyFields) -> Result<Vec<FieldError>> {
    let mut wrong = Vec::new();
    let mut at = |field: &str, message: String| wrong.push(FieldError { field: field.to_owned(), message });
    if values.id_card_no.is_some() || values.id_card_type.is_some() {
        let kind = values.id_card_type.unwrap_or(student.id_card_type);
        let number = values.id_card_no.as_deref().unwrap_or(&student.id_card_no);
        id_card::hold(tx, &[number]).await?;
        let other = sqlx::query_scalar!(
            r#"select coalesce(student_no, examinee_no, '学号未生成') as "number!" from student
               where id_card_type = $1 and id_card_no = $2 and active and id <> $3"#,
            kind.as_str(),
            number,
            student.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(other) = other.filter(|_| student.status.is_active()) {
            at("idCardNo", format!("该证件号已属于在籍学生（{other}）"));
        }
    }
    if let Some(number) = &values.examinee_no {
        let other = sqlx::query_scalar!(
            r#"select exists (select from student where examinee_no = $1 and id <> $2) as "taken!""#,
            number,
            student.id
        )
        .fetch_one(&mut **tx)
        .await?;
        let signs_in = student.student_no.is_none();
        if other {
            at("examineeNo", format!("考生号“{number}”已存在"));
        } else if signs_in && !account::taken_logins(tx, std::slice::from_ref(number)).await?.is_empty() {
            at("examineeNo", format!("登录名“{number}”已被其他账号使用"));
        }
    }
    Ok(wrong)
}

/// By what a correction was allowed.
#[derive(Debug, Clone, Copy)]
pub struct Approval<'a> {
    pub reason: &'a str,
    /// Of the province, where it was asked.
    pub document_no: Option<&'a str>,
    pub on: NaiveDate,
}

/// Writes approved values of a student who is held, with a row of the history; the account and the sessions follow. What was
/// recorded at 学信网 and at the admission stays.
///
/// # Errors
/// As [`check`]; 422 when nothing differs any more.
pub async fn correct(tx: &mut Tx, student: &Student, wanted: &KeyFields, approval: &Approval<'_>) -> Result<()> {
    let Checked { values, .. } = check(tx, student, wanted).await?;
    if values.is_empty() {
        return Err(Error::refused("学生信息与更正内容相同，无需更正"));
    }
    write(tx, student, &values).await?;
    note(tx, student, &values, approval).await?;
    follow(tx, student, &values).await?;
    let after = find(tx, Some(student.id), None, &Scope::whole_school()).await?;
    tx.record(&[Change::edited("student", student.id, student, &after).because(Some(approval.reason))]).await
}

async fn write(tx: &mut Tx, student: &Student, values: &KeyFields) -> Result<()> {
    let by = tx.by();
    let name = values.name.as_deref();
    let grams = name.map(pinyin::grams);
    sqlx::query!(
        "update student set name = coalesce($2, name), name_grams = coalesce($3, name_grams), pinyin = coalesce($4, pinyin),
                initials = coalesce($5, initials), gender = coalesce($6, gender), birthday = coalesce($7, birthday),
                ethnicity = coalesce($8, ethnicity), id_card_type = coalesce($9, id_card_type),
                id_card_no = coalesce($10, id_card_no), examinee_no = coalesce($11, examinee_no),
                updated_at = now(), updated_by = $12, version = version + 1
         where id = $1",
        student.id,
        name,
        grams.as_deref(),
        name.map(pinyin::pinyin),
        name.map(pinyin::initials),
        values.gender as _,
        values.birthday,
        values.ethnicity,
        values.id_card_type as _,
        values.id_card_no,
        values.examinee_no,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(refused)?;
    Ok(())
}

/// The row of the history.
async fn note(tx: &mut Tx, student: &Student, values: &KeyFields, approval: &Approval<'_>) -> Result<()> {
    let by = tx.by();
    let told = |fields: &KeyFields| fields.to_json().unwrap_or(Value::Null);
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, before, after, reason, document_no,
                                            effective_on, created_by, updated_by)
         values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $9)",
        student.id,
        StatusChangeKind::Correction.as_str(),
        student.status.as_str(),
        told(&KeyFields::of(student).beside(values)),
        told(values),
        approval.reason,
        approval.document_no,
        approval.on,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Where the former values stand beside the register: the login name of who has no 学号 is the 考生号, a session knows the name,
/// and modules have copies. The initial password is made of the number when somebody signs in.
async fn follow(tx: &mut Tx, student: &Student, values: &KeyFields) -> Result<()> {
    // Who had no number to sign in with gets an account by 生成账号.
    if let Some(number) = values.examinee_no.as_deref().filter(|_| student.student_no.is_none())
        && let Some(account) = account::lock(tx, OwnerKind::Student, student.id).await?
    {
        let renamed = account.rename(tx, number).await?;
        tx.record(&[renamed]).await?;
    }
    if let Some(name) = &values.name {
        session::rename(tx, OwnerKind::Student, student.id, name).await?;
    }
    tx.corrected("student", student.id).await
}
