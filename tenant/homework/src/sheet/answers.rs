//! What a sheet is answered with, and its files: of homework and of examinations alike (part 03 B10).

use std::collections::HashMap;

use homework_rules::{
    questions::{SheetQuestion, as_shown, kept},
    shuffle::Shuffle,
};
use infra::{
    App, Error, Result, Tx,
    files::{self, adopt_kind},
};
use papers::{content::DetailSection, snapshot::sections_of};
use poem_openapi::{Object, types::ToJSON};
use question_bank::{marking::GivenAnswer, question::stored};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{Sheet, questions::questions_of};

/// Extensions and the types that they are stored under.
const TYPES: [(&str, &str); 17] = [
    ("pdf", "application/pdf"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("txt", "text/plain"),
    ("zip", "application/zip"),
    ("rar", "application/vnd.rar"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("mp4", "video/mp4"),
];

/// An answer to one question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskAnswer {
    /// 题号
    #[oai(validator(min_length = 1, max_length = 20))]
    pub seq: String,
    /// 答案
    /// 选项字母按本卷显示的字母
    pub answer: GivenAnswer,
    /// 附件
    #[oai(validator(max_items = 9))]
    pub file_ids: Option<Vec<i64>>,
}

/// A file of an answer as its student sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AnswerFile {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// An answer that was saved.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SavedAnswer {
    /// 题号
    pub seq: String,
    /// 答案
    pub answer: GivenAnswer,
    /// 附件
    pub files: Vec<AnswerFile>,
}

/// The question of a sheet at this place of its paper.
///
/// # Errors
/// 422 for none.
pub async fn question_of(tx: &mut Tx, sheet: &Sheet, seq: &str) -> Result<SheetQuestion> {
    let sections = sections_of(tx, sheet.snapshot_id).await?;
    let questions = questions_of(tx, sheet.snapshot_id, &sections).await?;
    let found = questions.into_iter().find(|question| question.seq == seq);
    found.ok_or_else(|| Error::field("seq", format!("没有第{seq}题")))
}

/// The type under which a file of this name and size is stored.
///
/// # Errors
/// 422 for what the question does not take.
pub fn check_upload(question: &SheetQuestion, (file_name, size): (&str, i64)) -> Result<String> {
    let rule = question.files.as_ref().ok_or_else(|| Error::field("seq", "该题不能上传附件"))?;
    let kind = file_name.rsplit_once('.').map(|(_, kind)| kind.to_lowercase()).unwrap_or_default();
    if !rule.extensions.iter().any(|known| known.eq_ignore_ascii_case(&kind)) {
        return Err(Error::field("fileName", format!("不支持该文件格式，可上传：{}", rule.extensions.join("、"))));
    }
    if size > i64::from(rule.max_size_mb) << 20 {
        return Err(Error::field("size", format!("文件大小不能超过{}MB", rule.max_size_mb)));
    }
    let known = TYPES.iter().find(|(known, _)| *known == kind).map(|(_, known)| *known);
    Ok(known.unwrap_or("application/octet-stream").to_owned())
}

/// # Errors
/// 422 where the answer has as many files as it may.
pub async fn room_for_one(tx: &mut Tx, sheet: &Sheet, question: &SheetQuestion) -> Result<()> {
    let held = sqlx::query_scalar!(
        r#"select count(*) as "held!" from answer_file x join answer_item i on i.id = x.item_id
           where i.sheet_id = $1 and i.snapshot_question_id = $2"#,
        sheet.id,
        question.id
    )
    .fetch_one(&mut **tx)
    .await?;
    match &question.files {
        Some(rule) if held >= i64::from(rule.max_files) => {
            let told = format!("最多上传{}个附件，请先移除已有的附件并保存", rule.max_files);
            Err(Error::field("fileName", told))
        }
        _ => Ok(()),
    }
}

/// Saves answers of a sheet that is held: each as long as nothing younger was saved. Without a number all are the youngest.
///
/// # Errors
/// 422 for an answer that the sheet does not ask for, or that its question does not take.
pub async fn save(
    tx: &mut Tx,
    sheet: &Sheet,
    items: &[TaskAnswer],
    client_seq: Option<i64>,
    (student, shuffle): (i64, Shuffle),
) -> Result<()> {
    let sections = sections_of(tx, sheet.snapshot_id).await?;
    let questions: HashMap<String, SheetQuestion> = questions_of(tx, sheet.snapshot_id, &sections)
        .await?
        .into_iter()
        .map(|question| (question.seq.clone(), question))
        .collect();
    let now = tx.app().clock().now();
    for item in items {
        let question =
            questions.get(&item.seq).ok_or_else(|| Error::field("items", format!("没有第{}题", item.seq)))?;
        let mut given = item.answer.clone();
        if let Some(files) = &item.file_ids {
            given.file_ids = Some(files.clone());
        }
        let given = kept(question, &shuffle.letters(&question.seq, question.options), given)?;
        let files = given.file_ids.clone().unwrap_or_default();
        let answer = if given.is_blank() { None } else { given.to_json() };
        let written = sqlx::query_scalar!(
            "update answer_item set answer = $3, saved_at = $4, client_seq = coalesce($5, client_seq)
             where sheet_id = $1 and snapshot_question_id = $2 and ($5::bigint is null or client_seq <= $5) returning id",
            sheet.id,
            question.id,
            answer,
            now as _,
            client_seq
        )
        .fetch_optional(&mut **tx)
        .await?;
        // Something younger was saved.
        let Some(id) = written else { continue };
        attach(tx, (id, sheet.id), question, &files, student).await?;
    }
    Ok(())
}

/// Makes these files the answer's own, and lets go of those that it has no more.
async fn attach(
    tx: &mut Tx,
    (item, sheet): (i64, i64),
    question: &SheetQuestion,
    wanted: &[i64],
    student: i64,
) -> Result<()> {
    let before = sqlx::query_scalar!("select file_id from answer_file where item_id = $1 order by sort_no", item)
        .fetch_all(&mut **tx)
        .await?;
    if before == wanted {
        return Ok(());
    }
    let told = |message: &str| Error::field("items", format!("第{}题：{message}", question.seq));
    let new: Vec<i64> = wanted.iter().copied().filter(|id| !before.contains(id)).collect();
    let known = sqlx::query!(
        "select id, key from file_object where id = any($1) and uploader_type = 'student' and uploader_id = $2",
        &new,
        student
    )
    .fetch_all(&mut **tx)
    .await?;
    if known.len() < new.len() {
        return Err(told("附件不存在，请重新上传"));
    }
    if let Some(rule) = &question.files {
        let extensions: Vec<String> = rule.extensions.iter().map(|one| one.to_lowercase()).collect();
        let extensions: Vec<&str> = extensions.iter().map(String::as_str).collect();
        for file in known {
            adopt_kind(tx, &file.key, ("answer_sheet", sheet), &extensions, i64::from(rule.max_size_mb))
                .await
                .map_err(|error| if error.code == 422 { told(&error.msg) } else { error })?;
        }
    }
    sqlx::query!("delete from answer_file where item_id = $1", item).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into answer_file (item_id, file_id, sort_no)
         select $1, f.id, f.place::integer from unnest($2::bigint[]) with ordinality as f (id, place)",
        item,
        wanted
    )
    .execute(&mut **tx)
    .await?;
    let left: Vec<i64> = before.into_iter().filter(|id| !wanted.contains(id)).collect();
    // Another question of the sheet may show the same file.
    let free = sqlx::query_scalar!(
        r#"select f.id as "id!" from unnest($1::bigint[]) as f (id)
           where not exists (select from answer_file x where x.file_id = f.id)"#,
        &left
    )
    .fetch_all(&mut **tx)
    .await?;
    files::let_go(tx, &free).await
}

/// The answers of a sheet that were saved, as it shows them.
///
/// # Errors
/// Those of the store.
pub async fn saved_answers(
    app: &App,
    connection: &mut PgConnection,
    sheet: &Sheet,
    sections: &[DetailSection],
    shuffle: Shuffle,
) -> Result<Vec<SavedAnswer>> {
    let questions = questions_of(connection, sheet.snapshot_id, sections).await?;
    let options: HashMap<&str, usize> =
        questions.iter().map(|question| (question.seq.as_str(), question.options)).collect();
    let rows = sqlx::query!(
        r#"select id, seq, answer as "answer!: Json<Value>" from answer_item
           where sheet_id = $1 and answer is not null order by id"#,
        sheet.id
    )
    .fetch_all(&mut *connection)
    .await?;
    let files = sqlx::query!(
        "select x.item_id, f.id, f.key, f.original_name
         from answer_file x
         join answer_item i on i.id = x.item_id
         join file_object f on f.id = x.file_id and f.state = 'stored'
         where i.sheet_id = $1 order by x.item_id, x.sort_no",
        sheet.id
    )
    .fetch_all(connection)
    .await?;
    let mut by_item: HashMap<i64, Vec<AnswerFile>> = HashMap::new();
    for file in files {
        let url = files::url_of(app, &file.key, &file.original_name).await?;
        by_item.entry(file.item_id).or_default().push(AnswerFile { id: file.id, name: file.original_name, url });
    }
    let mut saved = Vec::with_capacity(rows.len());
    for row in rows {
        let mut answer: GivenAnswer = stored(row.answer.0)?;
        let count = options.get(row.seq.as_str()).copied().unwrap_or_default();
        as_shown(&mut answer, &shuffle.letters(&row.seq, count));
        let files = by_item.remove(&row.id).unwrap_or_default();
        saved.push(SavedAnswer { seq: row.seq, answer, files });
    }
    Ok(saved)
}
