//! Whether a student may be entered (02 §0.2–0.4, §9.1, §9.3, §9.7).
//!
//! [`student_status_rules::check::check`] looks at the form and what it refers to, [`duplicates`] at the students there are.

use std::collections::HashMap;

use infra::{FieldError, Result};
use sqlx::PgConnection;
use student_numbers::allocation::used;
use student_status_rules::{
    check::{Wrong, active_already},
    new_student::NewStudent,
};

use crate::id_card::IdCardType;

pub use student_status_rules::check::{NOT_YOURS, place_differs};

/// What the new students have in common with those there are: for each of them the sentences, mostly none.
pub async fn duplicates(connection: &mut PgConnection, students: &[&NewStudent]) -> Result<Vec<Vec<FieldError>>> {
    let active = || students.iter().filter(|new| new.status.is_active());
    let kinds: Vec<&str> = active().map(|new| new.id_card_type.as_str()).collect();
    let cards: Vec<&str> = active().map(|new| new.id_card_no.as_str()).collect();
    // Here and below each is looked for in the index: within the transaction of a long sheet nothing is known of how the table
    // has grown, and it would be read from end to end for every part.
    let there = sqlx::query!(
        r#"select p.id_card_type as "id_card_type!: IdCardType", p.id_card_no as "id_card_no!", p.number
           from unnest($1::text[], $2::text[]) as n (kind, no)
           cross join lateral (
               select s.id_card_type, s.id_card_no, coalesce(s.student_no, s.examinee_no) as number from student s
               where s.id_card_type = n.kind and s.id_card_no = n.no and s.active offset 0) p"#,
        kinds as _,
        cards as _
    )
    .fetch_all(&mut *connection)
    .await?;
    let persons: HashMap<(IdCardType, String), Option<String>> =
        there.into_iter().map(|row| ((row.id_card_type, row.id_card_no), row.number)).collect();
    let numbers: Vec<String> = students.iter().filter_map(|new| new.student_no.clone()).collect();
    let student_nos = sqlx::query_scalar!(
        r#"select p.no as "no!" from unnest($1::text[]) as n (no)
           cross join lateral (select s.student_no as no from student s where s.student_no = n.no offset 0) p"#,
        &numbers
    )
    .fetch_all(&mut *connection)
    .await?;
    let given = used(connection, &numbers).await?;
    let numbers: Vec<String> = students.iter().filter_map(|new| new.examinee_no.clone()).collect();
    let examinee_nos = sqlx::query_scalar!(
        r#"select p.no as "no!" from unnest($1::text[]) as n (no)
           cross join lateral (select s.examinee_no as no from student s where s.examinee_no = n.no offset 0) p"#,
        &numbers
    )
    .fetch_all(&mut *connection)
    .await?;
    let logins: Vec<String> = students.iter().filter_map(|new| new.login_name().map(str::to_owned)).collect();
    let logins = people::account::taken_logins(connection, &logins).await?;
    Ok(students
        .iter()
        .map(|new| {
            let mut wrong = Wrong::default();
            if new.status.is_active()
                && let Some(number) = persons.get(&(new.id_card_type, new.id_card_no.clone()))
            {
                wrong.at("idCardNo", active_already(number.as_deref()));
            }
            if let Some(no) = new.student_no.as_ref().filter(|no| student_nos.contains(no)) {
                wrong.at("studentNo", format!("学号“{no}”已存在"));
            } else if new.student_no.as_ref().is_some_and(|no| given.contains(no)) {
                wrong.at("studentNo", "学号已被使用过，不能重复使用");
            }
            if let Some(no) = new.examinee_no.as_ref().filter(|no| examinee_nos.contains(no)) {
                wrong.at("examineeNo", format!("考生号“{no}”已存在"));
            }
            if wrong.0.is_empty()
                && let Some(login) = new.login_name().filter(|login| logins.contains(&login.to_lowercase()))
            {
                let field = if new.student_no.is_some() { "studentNo" } else { "examineeNo" };
                wrong.at(field, format!("登录名“{login}”已被其他账号使用"));
            }
            wrong.0
        })
        .collect())
}
