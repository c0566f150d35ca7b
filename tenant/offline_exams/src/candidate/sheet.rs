//! 导入补充考生: candidates that a refresh does not find, for one examination; each goes the way of 添加线下考生, all or none.

use std::collections::{HashMap, HashSet};

use exam_rules::enums::ExamRound;
use exams::{
    candidate,
    enums::ExamMode,
    setup::{self, HeldSetup},
};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported, refuse},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};

use super::{FetchCandidateSheet, ImportOfflineCandidates, without_clash};
use crate::setup::steps::tell_new;

const NUMBER: &str = "学号";
const NAME: &str = "姓名";
const COURSE: &str = "课程编码";
const ROUND: &str = "性质";
const COLUMNS: &[(&str, &str)] = &[("selectionIds", NUMBER)];
/// Why somebody stands in the list, and why no more.
const REASON: &str = "导入补充考生";
const UNDONE: &str = "撤销导入";

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct OfflineCandidateImportForm {
    /// 文件
    pub file: Upload,
    /// 考试
    pub setup_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct CandidateImport;

#[OpenApi(prefix_path = "/offline/pc/offline/candidate", tag = "crate::Tag::OfflineExams")]
impl CandidateImport {
    /// 导入补充考生
    /// 一场考试的考生；已在名单中的不能再导入
    #[oai(path = "/import", method = "post", operation_id = "importOfflineCandidates")]
    async fn import(
        &self,
        caller: Allowed<ImportOfflineCandidates>,
        form: OfflineCandidateImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let OfflineCandidateImportForm { file, setup_id, dry_run, sha256 } = form;
        transfer::import_into::<CandidateSheet>(&caller, ImportForm { file, dry_run, sha256 }, Some(setup_id)).await
    }

    /// 补充考生导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchOfflineCandidateTemplate")]
    async fn template(&self, caller: Allowed<FetchCandidateSheet>) -> Result<Attachment> {
        transfer::template::<CandidateSheet, _>(&caller).await
    }
}

/// One import, with the examination that it fills.
pub(crate) struct CandidateSheet {
    scope: Scope,
    held: HeldSetup,
    course: String,
    /// By student number, in lower case.
    selections: HashMap<String, (i64, String)>,
    seen: HashSet<i64>,
}

impl Import for CandidateSheet {
    const KIND: &'static str = "offline_exam.candidate.import";
    type Permission = ImportOfflineCandidates;
    const CODES: &'static [(&'static str, &'static str)] = &[(COURSE, "course")];

    fn template() -> Template {
        Template {
            title: "补充考生",
            columns: vec![
                InputColumn::required(NUMBER, ""),
                InputColumn::required(NAME, ""),
                InputColumn::required(COURSE, "课程管理中的编码"),
                InputColumn::optional(ROUND, "正考、缓考、补考或毕业补考；不填为考试的性质"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let id = into.ok_or_else(Error::malformed)?;
        setup::viewable(tx, id, ExamMode::Offline, &scope)
            .await
            .map_err(|_| Error::field("setupId", "所选考试不存在，请重新选择"))?;
        let held = setup::hold(tx, id, ExamMode::Offline).await?;
        let course =
            sqlx::query_scalar!("select code from course where id = $1", held.course_id).fetch_one(&mut **tx).await?;
        // Of several attempts the last.
        let rows = sqlx::query!(
            r#"select distinct on (c.student_id) c.id as "id!", lower(y.student_no) as "number!", y.name as "name!"
               from course_selection c join student y on y.id = c.student_id
               where c.course_id = $1 and c.status in ('selected', 'completed') and y.student_no is not null
                 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
               order by c.student_id, c.attempt_no desc"#,
            held.course_id,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        let selections = rows.into_iter().map(|row| (row.number, (row.id, row.name))).collect();
        Ok(Self { scope, held, course, selections, seen: HashSet::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        let before = candidate::eligible_of(tx, self.held.id).await?;
        for row in rows {
            let Some(selection) = self.read(row) else { continue };
            tx.savepoint().await?;
            match self.added(tx, selection).await {
                Ok(made) => {
                    tx.row_done().await?;
                    changes.extend(made);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, COLUMNS, &error);
                }
            }
        }
        tell_new(tx, &self.held, &before).await?;
        Ok(changes)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.entity != "exam_candidate" {
            return Ok(None);
        }
        let row = sqlx::query!(
            "select c.removed, y.site_id, y.class_id from exam_candidate c join student y on y.id = c.student_id where c.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        let Some(row) = row else { return Ok(None) };
        if !scope.sees(Some(row.site_id), row.class_id) {
            return Err(Error::not_found());
        }
        // What the import wrote of it besides, for example whether it may sit, goes with it.
        if row.removed {
            return Ok(None);
        }
        let told = candidate::remove(tx, &[record.id], UNDONE, ExamMode::Offline, scope).await?;
        match told.failed.into_iter().next() {
            Some(failed) => Err(Error::conflict(failed.msg)),
            None => Ok(None),
        }
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from exam_candidate c join student y on y.id = c.student_id where c.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

impl CandidateSheet {
    async fn added(&self, tx: &mut Tx, selection: i64) -> Result<Vec<Change>> {
        let made = candidate::add(tx, &self.held, &[selection], REASON, &self.scope).await?;
        without_clash(tx, &self.held, &[selection]).await?;
        Ok(made)
    }

    /// The selection of a row that is right.
    fn read(&mut self, row: &mut Row) -> Option<i64> {
        let number = row.required(NUMBER);
        let name = row.required(NAME);
        let course = row.required(COURSE);
        let rounds: Vec<(&str, ExamRound)> = ExamRound::CHOICES.iter().map(|(zh, round)| (*zh, *round)).collect();
        let round = row.one_of(ROUND, &rounds);
        if !course.is_empty() && course != self.course {
            row.refuse(COURSE, format!("本场考试的课程为{}", self.course));
        }
        if round.is_some_and(|round| round != self.held.round && round != ExamRound::Deferred) {
            row.refuse(ROUND, format!("本场考试的性质为{}", self.held.round.zh()));
        }
        if !row.errors().is_empty() {
            return None;
        }
        let Some((selection, known)) = self.selections.get(&number.to_lowercase()) else {
            row.refuse(NUMBER, "该学号没有选修该课程");
            return None;
        };
        if *known != name {
            row.refuse(NAME, "姓名与学号不符");
            return None;
        }
        if !self.seen.insert(*selection) {
            row.refuse(NUMBER, "文件中学号重复");
            return None;
        }
        Some(*selection)
    }
}
