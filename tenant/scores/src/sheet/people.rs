//! 分配录入人, 延长录入 and 催办.

use std::collections::BTreeMap;

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use student_status::student::check::NOT_YOURS;

use super::{
    AssignSheets, ExtendSheets, RemindSheets,
    hold::{HeldSheet, Reach, hold},
};

/// Who enters which sheets.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreSheetsAssign {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 教师
    pub teacher_id: i64,
}

impl Example for ScoreSheetsAssign {
    fn example() -> Self {
        Self { ids: vec![1], teacher_id: 1 }
    }
}

/// Until when sheets may be entered.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreSheetsExtend {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 截止时间
    pub until: Moment,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ScoreSheetsExtend {
    fn example() -> Self {
        Self { ids: vec![1], until: Moment::default(), reason: "教师出差".to_owned() }
    }
}

/// Whose teachers are reminded.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreSheetsRemind {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
}

impl Example for ScoreSheetsRemind {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

pub struct People;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl People {
    /// 分配成绩录入人
    #[oai(path = "/assign", method = "put", operation_id = "assignScoreSheets")]
    async fn assign(
        &self,
        caller: Allowed<AssignSheets>,
        Body(wanted): Body<ScoreSheetsAssign>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let teacher = sqlx::query!(
            r#"select name, status = 'active' as "active!" from teacher where id = $1 for share"#,
            wanted.teacher_id
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::field("teacherId", "教师不存在"))?;
        if !teacher.active {
            return Err(Error::field("teacherId", format!("教师“{}”已离职或停用", teacher.name)));
        }
        let reach = Reach::Scope(caller.scope());
        Ok(reply(each(tx, &wanted.ids, &reach, What::Teacher(wanted.teacher_id)).await?))
    }

    /// 延长成绩录入
    #[oai(path = "/extendEntry", method = "put", operation_id = "extendScoreEntry")]
    async fn extend(
        &self,
        caller: Allowed<ExtendSheets>,
        Body(wanted): Body<ScoreSheetsExtend>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        if wanted.until <= tx.app().clock().now() {
            return Err(Error::field("until", "截止时间应晚于现在"));
        }
        let reach = Reach::Scope(caller.scope());
        Ok(reply(each(tx, &wanted.ids, &reach, What::Until(wanted.until, &wanted.reason)).await?))
    }

    /// 催办成绩录入
    /// 提醒未提交登记表的录入人
    #[oai(path = "/remind", method = "post", operation_id = "remindScoreEntry")]
    async fn remind(
        &self,
        caller: Allowed<RemindSheets>,
        Body(wanted): Body<ScoreSheetsRemind>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, &wanted.ids, &Reach::Scope(caller.scope()), What::Remind).await?))
    }
}

/// What is done to a sheet.
#[derive(Debug, Clone, Copy)]
enum What<'a> {
    Teacher(i64),
    Until(Moment, &'a str),
    Remind,
}

/// The same over several sheets, each for itself.
async fn each(mut tx: Tx, ids: &[i64], reach: &Reach, what: What<'_>) -> Result<BulkResult> {
    let held: BTreeMap<i64, HeldSheet> = hold(&mut tx, ids).await?;
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut bulk = Bulk::named(tx, "score_sheet", "sheet_no");
    for id in ids {
        let outcome = match held.get(&id).filter(|sheet| reach.sees(sheet)) {
            Some(sheet) => one(bulk.row().await?, sheet, what).await,
            None => {
                bulk.row().await?;
                Err(Error::new(404, NOT_YOURS))
            }
        };
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

async fn one(tx: &mut Tx, sheet: &HeldSheet, what: What<'_>) -> Result<Change> {
    if !sheet.status.is_open() {
        let told = format!("成绩登记表状态为{}，不需再录入", sheet.status.zh());
        return Err(Error::conflict(told));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    match what {
        What::Teacher(teacher) => {
            sqlx::query!(
                "update score_sheet set teacher_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
                sheet.id,
                teacher,
                by
            )
            .execute(&mut **tx)
            .await?;
            Ok(Change::status("score_sheet", sheet.id, "teacherId", json!(sheet.teacher_id), teacher))
        }
        What::Until(until, reason) => {
            sqlx::query!(
                "update score_sheet set entry_open_until = $2, extend_reason = $3, updated_at = now(), updated_by = $4,
                        version = version + 1
                 where id = $1",
                sheet.id,
                until as _,
                reason,
                by
            )
            .execute(&mut **tx)
            .await?;
            let shown = |at: Option<Moment>| json!(at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()));
            let (from, to) = (shown(sheet.entry_open_until), shown(Some(until)));
            Ok(Change::status("score_sheet", sheet.id, "entryOpenUntil", from, to).because(Some(reason)))
        }
        What::Remind => {
            let Some(teacher) = sheet.teacher_id else {
                return Err(Error::conflict("未分配录入人，请先分配"));
            };
            sqlx::query!(
                "update score_sheet set reminded_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
                sheet.id,
                now as _,
                by
            )
            .execute(&mut **tx)
            .await?;
            let until = sheet.entry_open_until.max(sheet.window.map(|(_, to)| to));
            let until = until.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default();
            let values = [("course".to_owned(), sheet.course_name.clone()), ("endsAt".to_owned(), until)];
            let person = Person { kind: PersonKind::Teacher, id: teacher };
            let once = format!("score_entry_remind:{}:{}", sheet.id, now.format("%Y-%m-%d"));
            notify(tx, "score_entry_remind", Persons::Recipients(vec![person]), values.into(), Some(&once)).await?;
            Ok(Change::event("score_sheet", sheet.id, "remind", json!({ "teacherId": teacher })))
        }
    }
}
