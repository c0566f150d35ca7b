//! 保存和提交答案: what a student answers, with its files (part 03 B10).

use std::collections::HashMap;

use homework_rules::{
    questions::{SheetQuestion, as_shown, kept},
    shuffle::Shuffle,
    times::grace,
};
use infra::{
    App, Body, Change, Client, Error, Reply, Result, Tx,
    access::{MayWrite, Mode},
    clock::Moment,
    files::{self, Announced, TicketForm, UploadTicket, Uploader, adopt_kind},
    reply,
};
use online_study::{StudentClient, WritesOften, WritesOwn};
use papers::{content::DetailSection, snapshot::sections_of};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use question_bank::{marking::GivenAnswer, question::stored, score::points};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::studies;
use crate::{
    enums::{SheetMarkState, ShowAnswer, SubmitKind},
    sheet::{Sheet, held, questions::questions_of, sheet, submit_sheet, task},
};

/// Told to whoever comes too late.
const TIME_OVER: &str = "作答时间已结束";
const HANDED_IN: &str = "已提交";
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

/// Answers that changed since the last save.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TaskAnswers {
    /// 答卷
    pub sheet_id: i64,
    /// 客户端序号
    /// 每次保存递增；较小的序号不覆盖已保存的答案
    #[oai(validator(minimum(value = "1")))]
    pub client_seq: i64,
    /// 答案
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<TaskAnswer>,
}

impl Example for TaskAnswers {
    fn example() -> Self {
        let answer = GivenAnswer { letters: Some(vec!["A".to_owned()]), ..GivenAnswer::default() };
        Self { sheet_id: 1, client_seq: 1, items: vec![TaskAnswer { seq: "1".to_owned(), answer, file_ids: None }] }
    }
}

/// What was saved.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskAnswersSaved {
    /// 保存时间
    pub saved_at: Moment,
    /// 已收到的最大客户端序号
    pub last_client_seq: i64,
    /// 服务器时间
    pub server_time: Moment,
}

/// A sheet that is handed in, with what changed since the last save.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TaskSubmit {
    /// 答卷
    pub sheet_id: i64,
    /// 答案
    #[oai(validator(max_items = 500))]
    pub items: Option<Vec<TaskAnswer>>,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
}

impl Example for TaskSubmit {
    fn example() -> Self {
        Self { sheet_id: 1, items: None, request_id: "7d1f0c83".to_owned() }
    }
}

/// What came of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskSubmitted {
    /// 状态
    pub state: SheetMarkState,
    /// 客观分
    /// 提交后可见答案的作业
    pub objective_score: Option<f64>,
    /// 未作答题数
    pub unanswered: i64,
    /// 服务器时间
    pub server_time: Moment,
}

/// A file that a student wants to send in for a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TaskUpload {
    /// 答卷
    pub sheet_id: i64,
    /// 题号
    #[oai(validator(min_length = 1, max_length = 20))]
    pub seq: String,
    /// 文件名
    #[oai(validator(min_length = 1, max_length = 255))]
    pub file_name: String,
    /// 大小(字节)
    #[oai(validator(minimum(value = "1")))]
    pub size: i64,
}

impl Example for TaskUpload {
    fn example() -> Self {
        Self { sheet_id: 1, seq: "3".to_owned(), file_name: "作业.docx".to_owned(), size: 20_480 }
    }
}

/// Where to send it, and its number for the answer.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskTicket {
    /// 文件编号
    /// 上传完成后随答案保存
    pub file_id: i64,
    #[oai(flatten)]
    pub ticket: UploadTicket,
}

pub struct OwnAnswers;

#[OpenApi(prefix_path = "/exam/client/tasks", tag = "crate::Tag::Homework")]
impl OwnAnswers {
    /// 保存作业答案
    #[oai(path = "/save", method = "put", operation_id = "saveTaskAnswers")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOften>,
        Body(wanted): Body<TaskAnswers>,
    ) -> Result<Reply<TaskAnswersSaved>> {
        settle_overdue(&caller, wanted.sheet_id).await?;
        let mut tx = caller.begin().await?;
        studies(&mut tx, caller.session.person_id).await?;
        let sheet = answered(&mut tx, wanted.sheet_id, caller.session.person_id).await?;
        write(&mut tx, &sheet, &wanted.items, Some(wanted.client_seq), caller.session.person_id).await?;
        let last = sqlx::query_scalar!(
            "update answer_sheet set last_client_seq = greatest(last_client_seq, $2), updated_at = now() where id = $1
             returning last_client_seq",
            sheet.id,
            wanted.client_seq
        )
        .fetch_one(&mut *tx)
        .await?;
        let what = json!({ "clientSeq": wanted.client_seq, "answers": wanted.items.len() });
        tx.commit(Change::event("answer_sheet", sheet.id, "save", what)).await?;
        let now = caller.app.clock().now();
        Ok(reply(TaskAnswersSaved { saved_at: now, last_client_seq: last, server_time: now }))
    }

    /// 作业附件上传凭证
    /// 按题目的附件要求核对格式和大小；上传后以 /user/client/upload/complete 完成
    #[oai(path = "/uploadTicket", method = "post", operation_id = "announceTaskFile")]
    async fn ticket(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<TaskUpload>,
    ) -> Result<Reply<TaskTicket>> {
        settle_overdue(&caller, wanted.sheet_id).await?;
        let mut tx = caller.begin().await?;
        studies(&mut tx, caller.session.person_id).await?;
        let sheet = answered(&mut tx, wanted.sheet_id, caller.session.person_id).await?;
        let question = question_of(&mut tx, &sheet, &wanted.seq).await?;
        let content_type = check_upload(&question, &wanted)?;
        room_for_one(&mut tx, &sheet, &question).await?;
        drop(tx);
        let form = TicketForm {
            file_name: wanted.file_name,
            size: wanted.size,
            content_type,
            // Private.
            kind: 3,
            purpose: None,
        };
        let announced = Announced::of(&caller.app, Some(caller.school.id), form).await?;
        let mut tx = caller.begin().await?;
        let uploader = Uploader::Person(&caller.session.kind, caller.session.person_id);
        let (ticket, change) = announced.note(&mut tx, uploader).await?;
        let file_id = change.id();
        tx.commit(change).await?;
        Ok(reply(TaskTicket { file_id, ticket }))
    }

    /// 提交作业
    #[oai(path = "/submit", method = "post", operation_id = "submitTask")]
    async fn submit(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<TaskSubmit>,
    ) -> Result<Reply<TaskSubmitted>> {
        // What was answered before is answered again, before anybody looks whether it is over.
        let once = caller.begin_once(&wanted.request_id, &wanted).await?;
        drop(once);
        settle_overdue(&caller, wanted.sheet_id).await?;
        let mut once = caller.begin_once(&wanted.request_id, &wanted).await?;
        let person = caller.session.person_id;
        studies(&mut once, person).await?;
        let sheet = answered(&mut once, wanted.sheet_id, person).await?;
        if let Some(items) = &wanted.items {
            write(&mut once, &sheet, items, None, person).await?;
        }
        let submitted = submit_sheet(&mut once, sheet.id, SubmitKind::Student).await?;
        let show = task(&mut once, sheet.homework_student_id.ok_or_else(Error::not_found)?).await?.show_answer;
        let answer = TaskSubmitted {
            state: submitted.state,
            objective_score: (show == ShowAnswer::AfterSubmit).then(|| points(submitted.objective)),
            unanswered: submitted.unanswered,
            server_time: caller.app.clock().now(),
        };
        let mut changes = submitted.changes;
        let last = changes.pop().ok_or_else(|| Error::internal("a sheet was handed in without a trace"))?;
        once.record(&changes).await?;
        once.commit(last, answer).await
    }
}

/// Hands a sheet of the caller in whose time is over, by itself; anything else of it is refused then.
///
/// # Errors
/// 409 when its time is over.
async fn settle_overdue<M: Mode + MayWrite>(caller: &Client<StudentClient, M>, id: i64) -> Result<()> {
    if ran_out(caller, id).await? { Err(Error::conflict(TIME_OVER)) } else { Ok(()) }
}

/// Hands a sheet of the caller in whose time is over; answers whether it was.
///
/// # Errors
/// Those of the database.
pub(super) async fn ran_out<M: Mode + MayWrite>(caller: &Client<StudentClient, M>, id: i64) -> Result<bool> {
    let now = caller.app.clock().now();
    let over = sqlx::query_scalar!(
        r#"select exists (
               select from answer_sheet a
               join homework_student s on s.id = a.homework_student_id
               join course_selection c on c.id = s.selection_id
               where a.id = $1 and a.mark_state = 'in_progress' and a.deadline_at < $2 and c.student_id = $3) as "over!""#,
        id,
        (now - grace()) as _,
        caller.session.person_id
    )
    .fetch_one(&mut *caller.read().await?)
    .await?;
    if !over {
        return Ok(false);
    }
    let mut tx = caller.begin().await?;
    let (_, sheet) = held(&mut tx, id).await?;
    if sheet.mark_state == SheetMarkState::InProgress {
        let submitted = submit_sheet(&mut tx, id, SubmitKind::AutoTime).await?;
        tx.commit_all(submitted.changes).await?;
    }
    Ok(true)
}

/// The caller's own sheet, held while it is answered.
///
/// # Errors
/// 404 for another's; 409 for one that was handed in, or whose time is over.
async fn answered(tx: &mut Tx, id: i64, student: i64) -> Result<Sheet> {
    let (task, sheet) = held(tx, id).await?;
    if task.student_id != student {
        return Err(Error::not_found());
    }
    match sheet.mark_state {
        SheetMarkState::InProgress if sheet.deadline_at + grace() >= tx.app().clock().now() => Ok(sheet),
        SheetMarkState::InProgress => Err(Error::conflict(TIME_OVER)),
        SheetMarkState::Void => Err(Error::not_found()),
        SheetMarkState::Submitted | SheetMarkState::Marked | SheetMarkState::Returned => {
            // What ran out by itself is told so.
            let by_itself = sqlx::query_scalar!(
                r#"select submit_kind = 'auto_time' as "over!" from answer_sheet where id = $1"#,
                id
            )
            .fetch_one(&mut **tx)
            .await?;
            Err(Error::conflict(if by_itself { TIME_OVER } else { HANDED_IN }))
        }
    }
}

async fn question_of(tx: &mut Tx, sheet: &Sheet, seq: &str) -> Result<SheetQuestion> {
    let sections = sections_of(tx, sheet.snapshot_id).await?;
    let questions = questions_of(tx, sheet.snapshot_id, &sections).await?;
    let found = questions.into_iter().find(|question| question.seq == seq);
    found.ok_or_else(|| Error::field("seq", format!("没有第{seq}题")))
}

/// # Errors
/// 422 for what the question does not take.
fn check_upload(question: &SheetQuestion, wanted: &TaskUpload) -> Result<String> {
    let rule = question.files.as_ref().ok_or_else(|| Error::field("seq", "该题不能上传附件"))?;
    let kind = wanted.file_name.rsplit_once('.').map(|(_, kind)| kind.to_lowercase()).unwrap_or_default();
    if !rule.extensions.iter().any(|known| known.eq_ignore_ascii_case(&kind)) {
        return Err(Error::field("fileName", format!("不支持该文件格式，可上传：{}", rule.extensions.join("、"))));
    }
    if wanted.size > i64::from(rule.max_size_mb) << 20 {
        return Err(Error::field("size", format!("文件大小不能超过{}MB", rule.max_size_mb)));
    }
    let known = TYPES.iter().find(|(known, _)| *known == kind).map(|(_, known)| *known);
    Ok(known.unwrap_or("application/octet-stream").to_owned())
}

/// # Errors
/// 422 where the answer has as many files as it may.
async fn room_for_one(tx: &mut Tx, sheet: &Sheet, question: &SheetQuestion) -> Result<()> {
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
async fn write(tx: &mut Tx, sheet: &Sheet, items: &[TaskAnswer], client_seq: Option<i64>, student: i64) -> Result<()> {
    let of = sheet.homework_student_id.ok_or_else(Error::not_found)?;
    let shuffle = task(tx, of).await?.shuffle(sheet.seed);
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
pub(super) async fn saved_answers(
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

/// The sheet of a student, whoever holds it.
///
/// # Errors
/// 404 for another's.
pub(super) async fn own_sheet(connection: &mut PgConnection, id: i64, student: i64) -> Result<Sheet> {
    let sheet = sheet(connection, id).await?;
    let of = sheet.homework_student_id.ok_or_else(Error::not_found)?;
    if task(connection, of).await?.student_id == student { Ok(sheet) } else { Err(Error::not_found()) }
}
