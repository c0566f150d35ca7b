//! Lecturers of the demonstration: one who teaches and earned something, and one who asks to.

use infra::{Change, Result, Tx};
use lecturer_rules::{account::Movement, lecturer::LecturerForm};
use serde_json::json;

use crate::{
    account::book,
    extract::{BankCard, apply},
    lecturer_audit,
};

/// What [`fill`] made: who teaches, table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    /// None when there were lecturers already.
    pub lecturer: Option<i64>,
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The first of two learners teaches, the second asks to. Does nothing where there are lecturers; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, [teaching, asking]: [i64; 2]) -> Result<Made> {
    let known = sqlx::query_scalar!(r#"select exists (select from platform.lecturer) as "known!""#)
        .fetch_one(&mut **tx)
        .await?;
    if known {
        return Ok(Made::default());
    }
    let lecturer = sqlx::query_scalar!(
        "insert into platform.lecturer (learner_id, lecturer_name, phone, position, lecturer_proportion, initials, created_by,
             updated_by)
         values ($1, '苏明远', '13900009001', '教授', 0.7, 'smy', 0, 0) returning id",
        teaching
    )
    .fetch_one(&mut **tx)
    .await?;
    let made = Change::event("lecturer", lecturer, "insert", json!({ "lecturerName": "苏明远" }));
    let form = LecturerForm {
        lecturer_name: "江若宁".to_owned(),
        phone: "13900009002".to_owned(),
        email: Some("jiangruoning@example.com".to_owned()),
        position: Some("讲师".to_owned()),
        head_img: None,
        lecturer_proportion: None,
        introduce: Some("从事成人学历教育英语教学十年".to_owned()),
    };
    let (audit, asked) = lecturer_audit::apply(tx, asking, form, 0.7).await?;
    // As of a sale that was settled.
    book(tx, teaching, Movement::Income(112_770), ("lecturer", lecturer)).await?;
    book(tx, teaching, Movement::Settle(112_770), ("lecturer", lecturer)).await?;
    let card = BankCard {
        bank_card_no: "6222020200112230000".to_owned(),
        bank_name: "中国工商银行".to_owned(),
        bank_branch: Some("海口国贸支行".to_owned()),
        bank_user_name: "苏明远".to_owned(),
        phone: "13900009001".to_owned(),
    };
    let (extract, taken) = apply(tx, teaching, 100_000, &card).await?;
    Ok(Made {
        lecturer: Some(lecturer),
        rows: vec![("lecturer", lecturer), ("lecturer_audit", audit), ("account_extract_log", extract)],
        changes: vec![made, asked, taken],
    })
}

/// Removes them with their accounts; a lecturer of another course stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, lecturers: &[i64], audits: &[i64], extracts: &[i64]) -> Result<()> {
    let learners = sqlx::query_scalar!(
        r#"select learner_id as "learner_id!" from platform.lecturer where id = any($1) and learner_id is not null
           union select learner_id from platform.lecturer_audit where id = any($2)"#,
        lecturers,
        audits
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.account_extract_log where id = any($1)", extracts).execute(&mut **tx).await?;
    // An account that somebody else took money out of stays, and its journal with it.
    sqlx::query!(
        "delete from platform.account_journal j where learner_id = any($1)
           and not exists (select from platform.account_extract_log e where e.learner_id = j.learner_id)",
        &learners
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.user_account a where learner_id = any($1)
           and not exists (select from platform.account_extract_log e where e.learner_id = a.learner_id)",
        &learners
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.lecturer_audit where id = any($1)", audits).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.lecturer l where id = any($1)
           and not exists (select from platform.online_course c where c.lecturer_id = l.id)
           and not exists (select from platform.order_info o where o.lecturer_id = l.id)

           and not exists (select from platform.online_exam e where e.lecturer_id = l.id)
           and not exists (select from platform.exam_grade_info g where g.lecturer_id = l.id)",
        lecturers
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
