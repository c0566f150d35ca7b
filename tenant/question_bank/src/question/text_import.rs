//! 导入文本试题: a text, or an archive with the text and its pictures and audio; all questions or none (part 03 A7).

use std::path::Path;

use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::RowError,
    transfer::{self, DIRECT_ROWS, ImportAnswer, Imported, SentSheet, Undo, folder, undone},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use question_bank_rules::{
    archive::{Media, Opened, read},
    text_form::LINES,
};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{
    ImportQuestionText, QuestionImportAnswer,
    lines::{Intake, Taken},
    sheet::named,
    write::remove,
};

const KIND: &str = "question.import_text";
const TITLE: &str = "文本试题";
/// Questions of one text.
const MOST: usize = 20_000;
/// Mistakes that an answer tells.
const TOLD: usize = 1_000;

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct QuestionTextForm {
    /// 文件
    pub file: Upload,
    /// 题库
    pub bank_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 跳过重复的试题
    pub skip_duplicates: Option<bool>,
}

/// What goes back of such an import.
pub(super) struct TextImport;

impl Undo for TextImport {
    const KIND: &'static str = KIND;
    type Permission = ImportQuestionText;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        named(tx, record.id).await
    }
}

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<ImportQuestionText as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct QuestionTexts;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionTexts {
    /// 导入文本试题
    /// 文本文件（UTF-8或GB18030），或含文本与media文件夹的压缩包
    #[oai(path = "/import/text", method = "post", operation_id = "importQuestionText")]
    async fn import(
        &self,
        caller: Allowed<ImportQuestionText>,
        form: QuestionTextForm,
    ) -> Result<Reply<QuestionImportAnswer>> {
        let app = caller.app();
        let aim = Aim {
            bank: form.bank_id,
            dry_run: form.dry_run.unwrap_or(false),
            skip: form.skip_duplicates.unwrap_or(false),
            school: caller.school_id(),
        };
        let sent = SentSheet::receive(app, TITLE, form.file, form.sha256.as_deref()).await?;
        let text = opened(app, sent.path()).await?;
        let total = i64::try_from(text.parsed.groups.len()).unwrap_or(i64::MAX);
        if total > DIRECT_ROWS {
            let file =
                files::keep_result(app, aim.school, caller.user_id(), &format!("{TITLE}.zip"), sent.path()).await?;
            let job = NewJob {
                kind: KIND,
                target: String::new(),
                title: format!("导入{TITLE}"),
                params: json!({
                    "file": file, "fileName": sent.name, "sha256": sent.sha256, "dryRun": aim.dry_run, "total": total,
                    "into": aim.bank, "skipDuplicates": aim.skip,
                }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            let answer = ImportAnswer { job_id, sha256: sent.sha256.clone(), ..ImportAnswer::default() };
            return Ok(reply(QuestionImportAnswer { answer, skipped: 0 }));
        }
        let mut tx = caller.begin_long().await?;
        let went = taken(&mut tx, &text, aim).await?;
        let mut answer = ImportAnswer { total, sha256: sent.sha256.clone(), ..ImportAnswer::default() };
        if went.errors.is_empty() && !aim.dry_run {
            answer.imported = went.written;
            let batch = transfer::keep::<TextImport>(&mut tx, TITLE, &sent.name, total, &went.changes).await?;
            commit(tx, went.changes, batch, aim.bank).await?;
        } else {
            drop(tx);
        }
        sent.noted(&caller, total, answer.imported, went.errors.len());
        answer.inserted = Some(went.written);
        answer.unchanged = Some(went.skipped);
        answer.errors = went.errors;
        Ok(reply(QuestionImportAnswer { answer, skipped: went.skipped }))
    }
}

/// Commits what was written; of an import that skipped everything the trail keeps that it came.
async fn commit(tx: Tx, changes: Vec<Change>, batch: sqlx::types::Uuid, bank: i64) -> Result<()> {
    if changes.is_empty() {
        return tx
            .commit(Change::event("question_bank", bank, "import", json!({ "imported": 0 })).in_batch(batch))
            .await;
    }
    tx.commit_all(changes.into_iter().map(|change| change.imported(batch)).collect()).await
}

async fn work(run: JobRun) -> Result<Outcome> {
    if let Some(outcome) = undone::<TextImport>(&run).await? {
        return Ok(outcome);
    }
    let app = run.app();
    run.scope(<ImportQuestionText as Permission>::CODE).await?;
    let number = |name: &str| run.params[name].as_i64().ok_or_else(|| Error::internal("the job names no file"));
    let stored = transfer::kept(app, number("file")?).await?;
    let text = opened(app, stored.path()).await?;
    let flag = |name: &str| run.params[name].as_bool().unwrap_or(false);
    let school = run.school.as_ref().map(|school| school.id);
    let aim = Aim { bank: number("into")?, dry_run: flag("dryRun"), skip: flag("skipDuplicates"), school };
    let total = i64::try_from(text.parsed.groups.len()).unwrap_or(i64::MAX);
    run.progress("检查并写入", 0, total).await?;
    let mut tx = run.begin().await?;
    let went = taken(&mut tx, &text, aim).await?;
    if !went.errors.is_empty() {
        let errors = went.errors.iter().take(1_000).map(|error| json!(error)).collect();
        let message = format!("共{total}题，{}处有误，未导入任何数据", went.errors.len());
        return Ok(Outcome { message, errors, ..Outcome::default() });
    }
    if aim.dry_run {
        let message = format!("共{total}题，检查通过，{}题重复将跳过", went.skipped);
        return Ok(Outcome { message, ..Outcome::default() });
    }
    let message = format!("共{total}题，已导入{}题，跳过{}题", total - went.skipped, went.skipped);
    let outcome = Outcome { message, ..Outcome::default() };
    let name = run.params["fileName"].as_str().unwrap_or(TITLE);
    let batch = transfer::keep::<TextImport>(&mut tx, TITLE, name, total, &went.changes).await?;
    run.mark_done(&mut tx, &outcome).await?;
    commit(tx, went.changes, batch, aim.bank).await?;
    Ok(outcome)
}

/// Where the questions go, and whether they stay there.
#[derive(Debug, Clone, Copy)]
struct Aim {
    bank: i64,
    dry_run: bool,
    skip: bool,
    school: Option<i64>,
}

/// How an import went; in questions.
#[derive(Debug, Default)]
struct Went {
    written: i64,
    skipped: i64,
    errors: Vec<RowError>,
    changes: Vec<Change>,
}

/// Checks all questions, then writes them when all are right.
async fn taken(tx: &mut Tx, text: &Opened, aim: Aim) -> Result<Went> {
    let mut went = passed(tx, text, aim, &text.supposed(), false).await?;
    went.errors.extend(text.parsed.errors.iter().cloned());
    went.errors.sort_by_key(|error| error.row);
    went.errors.truncate(TOLD);
    if aim.dry_run || !went.errors.is_empty() {
        return Ok(went);
    }
    let media = stored(tx, text, aim.school).await?;
    passed(tx, text, aim, &media, true).await
}

async fn passed(tx: &mut Tx, text: &Opened, aim: Aim, media: &Media, write: bool) -> Result<Went> {
    let mut intake = Intake::start(tx, aim.bank).await?;
    intake.skip_duplicates = aim.skip;
    let mut went = Went::default();
    for group in &text.parsed.groups {
        match intake.take(tx, group, media, "章节", write).await? {
            Taken::Written(change) => {
                went.written += 1;
                went.changes.push(change);
            }
            Taken::Right => went.written += 1,
            Taken::Skipped => went.skipped += 1,
            Taken::Wrong(errors) => went.errors.extend(errors.into_iter().take(TOLD)),
        }
    }
    Ok(went)
}

/// Stores the files that the questions name. Until a question adopts one it is nobody's.
async fn stored(tx: &mut Tx, text: &Opened, school: Option<i64>) -> Result<Media> {
    let (app, by) = (tx.app().clone(), tx.by());
    let mut media = Media::default();
    for file in &text.files {
        let bytes = tokio::fs::read(&file.path).await.map_err(Error::of_disk)?;
        let name = file.name.rsplit('/').next().unwrap_or(&file.name);
        let new = NewFile {
            name,
            content_type: file.content_type,
            kind: FileType::Private,
            owner: None,
            uploader: Uploader::Account(by),
            expires_at: None,
        };
        let (_, key) = files::keep_bytes(&app, tx, school, &new, bytes.into()).await?;
        media.digests.insert(key.clone(), file.sha256.clone());
        media.keys.insert(file.name.clone(), key);
    }
    Ok(media)
}

async fn opened(app: &App, path: &Path) -> Result<Opened> {
    let (path, folder) = (path.to_owned(), folder(app).await?);
    let opened = spawn_blocking(move || read(&path, &folder)).await.map_err(Error::internal)??;
    if opened.parsed.groups.is_empty() && opened.parsed.errors.is_empty() {
        return Err(Error::field("file", "文件中没有可导入的试题"));
    }
    let lines: usize = opened.parsed.groups.iter().map(|group| 1 + group.subs.len()).sum();
    if opened.parsed.groups.len() > MOST || lines >= LINES {
        return Err(Error::field("file", format!("一次最多导入{MOST}题，请分成几个文件导入")));
    }
    Ok(opened)
}
