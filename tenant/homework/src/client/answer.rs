//! 保存和提交答案: what a student answers, with its files (part 03 B10).

use homework_rules::times::grace;
use infra::{
    Body, Change, Client, Error, Reply, Result, Tx,
    access::{MayWrite, Mode},
    clock::Moment,
    files::{Announced, TicketForm, UploadTicket, Uploader},
    reply,
};
use online_study::{StudentClient, WritesOften, WritesOwn};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{marking::GivenAnswer, score::points};
use serde_json::json;
use sqlx::PgConnection;

use super::studies;
use crate::{
    enums::{SheetMarkState, ShowAnswer, SubmitKind},
    sheet::{
        Sheet,
        answers::{TaskAnswer, check_upload, question_of, room_for_one},
        held, sheet, submit_sheet, task,
    },
};

/// Told to whoever comes too late.
const TIME_OVER: &str = "作答时间已结束";
const HANDED_IN: &str = "已提交";
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
        let content_type = check_upload(&question, (&wanted.file_name, wanted.size))?;
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

/// The sheet of a student, whoever holds it.
///
/// # Errors
/// 404 for another's.
pub(super) async fn own_sheet(connection: &mut PgConnection, id: i64, student: i64) -> Result<Sheet> {
    let sheet = sheet(connection, id).await?;
    let of = sheet.homework_student_id.ok_or_else(Error::not_found)?;
    if task(connection, of).await?.student_id == student { Ok(sheet) } else { Err(Error::not_found()) }
}

/// Saves answers of a student's sheet of a homework, which is held.
async fn write(tx: &mut Tx, sheet: &Sheet, items: &[TaskAnswer], client_seq: Option<i64>, student: i64) -> Result<()> {
    let of = sheet.homework_student_id.ok_or_else(Error::not_found)?;
    let shuffle = task(tx, of).await?.shuffle(sheet.seed);
    crate::sheet::answers::save(tx, sheet, items, client_seq, (student, shuffle)).await
}
