//! 导入联系记录: what was written down on paper, every row or none (part 05 C6).

use std::collections::HashMap;

use chrono::{NaiveDate, NaiveDateTime};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    clock::{Moment, china, day_began},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use supervision_rules::enums::SuperviseContactBy;

use super::{FetchContactSheet, ImportContacts, SuperviseContactContent, SuperviseContactForm, Who, Words, insert};
use crate::{case::hold, words::value_of};

pub struct ImportContactSheet;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl ImportContactSheet {
    /// 导入督学联系记录
    #[oai(path = "/import", method = "post", operation_id = "importSuperviseContacts")]
    async fn import(&self, caller: Allowed<ImportContacts>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ContactSheet>(&caller, form).await
    }

    /// 督学联系记录导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSuperviseContactTemplate")]
    async fn template(&self, caller: Allowed<FetchContactSheet>) -> Result<Attachment> {
        transfer::template::<ContactSheet, _>(&caller).await
    }
}

/// One import.
pub(super) struct ContactSheet {
    scope: Scope,
    words: Words,
}

/// The case of a student of a line.
struct Meant {
    name: String,
    case: Option<i64>,
    /// The day on which it was opened.
    began: Option<NaiveDate>,
}

impl Import for ContactSheet {
    const KIND: &'static str = "supervise_contact.import";
    type Permission = ImportContacts;

    fn template() -> Template {
        Template {
            title: "督学联系记录",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::required("联系时间", "例如 2026-04-20 19:30"),
                InputColumn::required("方式", "例如 电话"),
                InputColumn::required("结果", "例如 已联系上"),
                InputColumn::optional("原因", "例如 工作繁忙"),
                InputColumn::required("内容", "2至500个字符"),
                InputColumn::optional("下次联系", "例如 2026-04-27"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let words = Words::of(tx.app()).await?;
        Ok(Self { scope, words })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let meant = meant(tx, rows, &self.scope).await?;
        if write {
            // In the order in which everybody holds cases, so that nobody waits for each other.
            let cases: Vec<i64> = meant.values().filter_map(|one| one.case).collect();
            sqlx::query!("select id from supervise_case where id = any($1) order by id for update", &cases)
                .fetch_all(&mut **tx)
                .await?;
        }
        let now = tx.app().clock().now();
        let who = Who { kind: SuperviseContactBy::Staff, id: tx.by() };
        let mut changes = Vec::new();
        for row in rows {
            let Some((form, at)) = self.read(row, &meant, now) else { continue };
            if !write || !row.errors().is_empty() {
                continue;
            }
            let (_, written) = insert(tx, &form, who, at, &self.scope).await?;
            changes.extend(written);
        }
        Ok(changes)
    }

    /// The contact goes; the case stays as far as it came.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if !record.is_new("supervise_contact") {
            return Ok(None);
        }
        let case = sqlx::query_scalar!("select case_id from supervise_contact where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let case = hold(tx, case, scope).await?;
        let row = sqlx::query!(
            "select contact_way, contact_result, lag_reason, content, next_contact_on
             from supervise_contact where id = $1 for update",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        sqlx::query!("delete from supervise_contact where id = $1", record.id).execute(&mut **tx).await?;
        sqlx::query!(
            "update supervise_case c
             set last_contact_at = (select max(x.contacted_at) from supervise_contact x where x.case_id = c.id),
                 next_contact_on = (select x.next_contact_on from supervise_contact x where x.case_id = c.id
                                    order by x.contacted_at desc, x.id desc limit 1)
             where c.id = $1",
            case.id
        )
        .execute(&mut **tx)
        .await?;
        tx.forget_imported("supervise_contact", &[record.id]).await?;
        let content = SuperviseContactContent {
            contact_way: row.contact_way,
            contact_result: row.contact_result,
            lag_reason: row.lag_reason,
            content: row.content,
            next_contact_on: row.next_contact_on,
        };
        Ok(Some(Change::deleted("supervise_contact", record.id, &content)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select s.name from supervise_contact x join supervise_case c on c.id = x.case_id
             join student s on s.id = c.student_id where x.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

/// Students within the scope by their number, with the case that they have this semester.
async fn meant(tx: &mut Tx, rows: &[Row], scope: &Scope) -> Result<HashMap<String, Meant>> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).collect();
    let found = sqlx::query!(
        r#"select s.student_no as "student_no!", s.name as "name!", c.id as "case?",
                  (c.first_flagged_at at time zone 'Asia/Shanghai')::date as "began?"
           from student s
           left join (supervise_case c join semester e on e.id = c.semester_id and e.current)
                on c.student_id = s.id and c.status <> 'closed'
           where s.student_no = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"#,
        &numbers,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let meant =
        found.into_iter().map(|row| (row.student_no, Meant { name: row.name, case: row.case, began: row.began }));
    Ok(meant.collect())
}

/// A moment as people write it.
fn moment(text: &str) -> Option<Moment> {
    let text = text.trim().replace('/', "-");
    let formats = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"];
    let at = formats.into_iter().find_map(|format| NaiveDateTime::parse_from_str(&text, format).ok())?;
    at.and_local_timezone(china()).single().map(Moment::from)
}

impl ContactSheet {
    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read(
        &self,
        row: &mut Row,
        meant: &HashMap<String, Meant>,
        now: Moment,
    ) -> Option<(SuperviseContactForm, Moment)> {
        let (number, name) = (row.required("学号"), row.required("姓名"));
        let (time, way, result) = (row.required("联系时间"), row.required("方式"), row.required("结果"));
        let content = row.required("内容");
        let at = moment(&time);
        match at {
            None if !time.is_empty() => row.refuse("联系时间", "应为日期和时间，例如 2026-04-20 19:30"),
            Some(at) if at > now => row.refuse("联系时间", "联系时间不能晚于现在"),
            _ => {}
        }
        let words = [("方式", &self.words.ways, &way), ("结果", &self.words.results, &result)];
        for (heading, known, text) in words {
            if !text.is_empty() && value_of(known, text).is_none() {
                row.refuse(heading, format!("没有“{text}”这个选项"));
            }
        }
        let reason = row.text("原因");
        if let Some(text) = &reason
            && value_of(&self.words.reasons, text).is_none()
        {
            row.refuse("原因", format!("没有“{text}”这个选项"));
        }
        if !content.is_empty() && !(2..=500).contains(&content.chars().count()) {
            row.refuse("内容", "应为2至500个字符");
        }
        let next_contact_on = row.date("下次联系");
        let Some(one) = meant.get(&number) else {
            if !number.is_empty() {
                row.refuse("学号", "学号不存在");
            }
            return None;
        };
        if one.name != name {
            row.refuse("姓名", "姓名与学号不符");
            return None;
        }
        let Some(case_id) = one.case else {
            row.refuse("学号", "该生本学期没有督学案例");
            return None;
        };
        if let (Some(at), Some(began)) = (at, one.began)
            && at < day_began(began)
        {
            row.refuse("联系时间", format!("联系时间不能早于案例开始的日期{began}"));
        }
        let form = SuperviseContactForm {
            case_id,
            contact_way: value_of(&self.words.ways, &way)?.to_owned(),
            contact_result: value_of(&self.words.results, &result)?.to_owned(),
            lag_reason: reason.and_then(|text| value_of(&self.words.reasons, &text).map(ToOwned::to_owned)),
            content,
            next_contact_on,
            file_ids: Vec::new(),
        };
        Some((form, at?))
    }
}
