//! 导入清查结果: what 学信网 found of the former diplomas, by sheet; all or none (02 §11.5).
//!
//! What is found after an approval does not take it back: the form stays approved and its conclusion becomes unqualified, and
//! qualified again when a later sheet says that all is well.

use std::collections::HashMap;

use chrono::NaiveDate;
use information_review_rules::pre_check::{EXAMINEE_NO, Found, ID_CARD_NO, Line, NAME, concluded, judged};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use student_status::{
    id_card::{IdCardType, fold, normalise},
    student::check::NOT_YOURS,
};

use super::{FetchPreCheckSheet, ImportPreChecks};
use crate::enums::{ChsiPreCheck, CommitmentConclusion, InformationStage};

const RESULT: &str = "清查结果";
const DAY: &str = "清查日期";

/// What a sheet may say.
const RESULTS: [(&str, ChsiPreCheck); 3] = [
    (ChsiPreCheck::Passed.zh(), ChsiPreCheck::Passed),
    (ChsiPreCheck::ToCheck.zh(), ChsiPreCheck::ToCheck),
    (ChsiPreCheck::Failed.zh(), ChsiPreCheck::Failed),
];

pub struct PreCheck;

#[OpenApi(prefix_path = "/user/pc/admissionCommitment", tag = "crate::Tag::InformationReview")]
impl PreCheck {
    /// 导入清查结果
    #[oai(path = "/preCheck/import", method = "post", operation_id = "importPreChecks")]
    async fn import(&self, caller: Allowed<ImportPreChecks>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<PreCheckSheet>(&caller, form).await
    }

    /// 清查结果导入模板
    #[oai(path = "/preCheck/import/template", method = "get", operation_id = "fetchPreCheckTemplate")]
    async fn template(&self, caller: Allowed<FetchPreCheckSheet>) -> Result<Attachment> {
        transfer::template::<PreCheckSheet, _>(&caller).await
    }
}

/// One import. Forms are held in the order of their numbers, all of them behind the last row.
pub(crate) struct PreCheckSheet {
    scope: Scope,
    today: NaiveDate,
    lines: Vec<Line>,
}

impl Import for PreCheckSheet {
    const KIND: &'static str = "admission_commitment.pre_check_import";
    type Permission = ImportPreChecks;
    const COUNTED: &'static [&'static str] = &[RESULT];

    fn template() -> Template {
        Template {
            title: "清查结果",
            columns: vec![
                InputColumn::required(EXAMINEE_NO, ""),
                InputColumn::required(NAME, "与学籍一致"),
                InputColumn::required(ID_CARD_NO, "与学籍一致"),
                InputColumn::required(RESULT, "").one_of(RESULTS.map(|(word, _)| word)),
                InputColumn::optional(DAY, "例如 2026-06-20，不填为导入当日"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let today = tx.app().clock().today();
        Ok(Self { scope, today, lines: Vec::new() })
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            if let Some(line) = self.line(row) {
                self.lines.push(line);
            }
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let known = held(tx, &lines, &self.scope).await?;
        let mut finished = Finished::default();
        let (mut first, mut right) = (HashMap::new(), Vec::with_capacity(lines.len()));
        for line in &lines {
            let Some(found) = known.get(&line.examinee_no) else {
                let whole = self.scope.is_whole();
                let told = if whole { "没有该考生号的入学资格审查" } else { NOT_YOURS };
                finished.errors.push(line.note(EXAMINEE_NO, told));
                continue;
            };
            let row = *first.entry(found.id).or_insert(line.row);
            match judged(line, found, row) {
                Ok(()) => right.push((found, line)),
                Err(wrong) => finished.errors.push(wrong),
            }
        }
        if write && finished.errors.is_empty() {
            finished.changes = written(tx, &right).await?;
        }
        Ok(finished)
    }

    /// The result that stood before it, with the conclusion; the way of the form tells both.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let found = held_one(tx, record.id, scope).await?;
        let now = (found.conclusion, found.pre_check, found.checked_on);
        let (conclusion, result, on) =
            (record.after("conclusion")?, record.after("chsiPreCheck")?, record.after("chsiCheckedOn")?);
        if now != (conclusion.unwrap_or(now.0), result.unwrap_or(now.1), on.unwrap_or(now.2)) {
            return Err(Imported::changed());
        }
        let (conclusion, result, on) =
            (record.before("conclusion")?, record.before("chsiPreCheck")?, record.before("chsiCheckedOn")?);
        let was = (conclusion.unwrap_or(now.0), result.unwrap_or(now.1), on.unwrap_or(now.2));
        if was == now {
            return Ok(None);
        }
        let (conclusion, result, on) = was;
        let remark = format!("撤销导入，恢复为{}", result.zh());
        write(tx, &[Written { id: found.id, conclusion, result, on, remark }]).await?;
        let (from, to) = (Found::told(now.0, now.1, now.2), Found::told(conclusion, result, on));
        Ok(Some(Change::edited("student_information", found.id, &from, &to)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            r#"select s.name as "name!" from student_information i join student s on s.id = i.student_id where i.id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

impl PreCheckSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn line(&self, row: &mut Row) -> Option<Line> {
        let examinee_no = row.required(EXAMINEE_NO);
        let name = row.required(NAME);
        let id_card_no = row.required(ID_CARD_NO);
        let result = row.one_of(RESULT, &RESULTS);
        let day = row.date(DAY);
        if day.is_some_and(|day| day > self.today) {
            row.refuse(DAY, "不能晚于今天");
        }
        if !row.errors().is_empty() {
            return None;
        }
        Some(Line {
            row: row.number(),
            examinee_no: fold(&examinee_no),
            name,
            id_card_no: normalise(IdCardType::ResidentId, &id_card_no),
            result: result?,
            on: day.unwrap_or(self.today),
        })
    }
}

/// The forms of these 考生号 that the scope opens, held with their students until the transaction ends.
async fn held(tx: &mut Tx, lines: &[Line], scope: &Scope) -> Result<HashMap<String, Found>> {
    // Numbers are compared in capitals; those that stand otherwise are found in small letters.
    let numbers: Vec<String> =
        lines.iter().flat_map(|line| [line.examinee_no.to_lowercase(), line.examinee_no.clone()]).collect();
    let students = sqlx::query_scalar!(
        "select id from student
         where examinee_no = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
         order by id for update",
        &numbers,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let rows = sqlx::query_as!(
        Found,
        r#"select i.id, s.examinee_no as "examinee_no!", s.name as "name!", s.id_card_no as "id_card_no!",
                  s.active as "active!", i.status as "status: _", i.conclusion as "conclusion: _",
                  i.chsi_pre_check as "pre_check!: _", i.chsi_checked_on as checked_on
           from student_information i join student s on s.id = i.student_id
           where i.kind = 'admission_commitment' and i.student_id = any($1)
           order by i.id for update of i"#,
        &students
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|found| (fold(&found.examinee_no), found)).collect())
}

/// One of them, held with its student.
///
/// # Errors
/// 404 outside the scope.
async fn held_one(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Found> {
    // A statement of its own: everybody holds a student before their forms.
    sqlx::query_scalar!(
        "select id from student
         where id = (select student_id from student_information where id = $1)
           and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
         for update",
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    sqlx::query_as!(
        Found,
        r#"select i.id, coalesce(s.examinee_no, '') as "examinee_no!", s.name as "name!", s.id_card_no as "id_card_no!",
                  s.active as "active!", i.status as "status: _", i.conclusion as "conclusion: _",
                  i.chsi_pre_check as "pre_check!: _", i.chsi_checked_on as checked_on
           from student_information i join student s on s.id = i.student_id
           where i.id = $1 and i.kind = 'admission_commitment' for update of i"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// Writes the results; what stands so already is not touched. Each row has a record: that it was said again is one too.
async fn written(tx: &mut Tx, right: &[(&Found, &Line)]) -> Result<Vec<Change>> {
    let (mut changes, mut others) = (Vec::with_capacity(right.len()), Vec::new());
    for (found, line) in right {
        let conclusion = concluded(found.status, found.conclusion, line.result);
        let before = Found::told(found.conclusion, found.pre_check, found.checked_on);
        let after = Found::told(conclusion, line.result, Some(line.on));
        changes.push(Change::edited("student_information", found.id, &before, &after));
        if !found.is_settled(line) {
            let (result, remark) = (line.result, line.result.zh().to_owned());
            others.push(Written { id: found.id, conclusion, result, on: Some(line.on), remark });
        }
    }
    write(tx, &others).await?;
    Ok(changes)
}

/// What a form holds from now on, and how its way tells it.
struct Written {
    id: i64,
    conclusion: Option<CommitmentConclusion>,
    result: ChsiPreCheck,
    on: Option<NaiveDate>,
    remark: String,
}

async fn write(tx: &mut Tx, forms: &[Written]) -> Result<()> {
    let (by, actor) = (tx.by(), tx.actor().clone());
    let ids: Vec<i64> = forms.iter().map(|form| form.id).collect();
    let results: Vec<&str> = forms.iter().map(|form| form.result.as_str()).collect();
    let days: Vec<Option<NaiveDate>> = forms.iter().map(|form| form.on).collect();
    let conclusions: Vec<Option<&str>> =
        forms.iter().map(|form| form.conclusion.map(CommitmentConclusion::as_str)).collect();
    let remarks: Vec<&str> = forms.iter().map(|form| form.remark.as_str()).collect();
    sqlx::query!(
        "update student_information i
         set chsi_pre_check = w.result, chsi_checked_on = w.checked_on, conclusion = w.conclusion, updated_at = now(),
             updated_by = $5, version = i.version + 1
         from unnest($1::bigint[], $2::text[], $3::date[], $4::text[]) as w (id, result, checked_on, conclusion)
         where i.id = w.id",
        &ids,
        &results as _,
        days as _,
        &conclusions as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into student_information_step (student_information_id, step, remark, actor_kind, actor_id, actor_name)
         select w.id, $3, w.remark, $4, $5, $6 from unnest($1::bigint[], $2::text[]) as w (id, remark)",
        &ids,
        &remarks as _,
        InformationStage::PreCheck.as_str(),
        actor.kind,
        actor.id,
        actor.on_behalf_of.map_or_else(|| actor.name.clone(), |staff| format!("{}（{staff}代）", actor.name))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
