//! 保存和交卷 of an examination, with the files of its answers (part 04 §2.3, §2.6).

use exam_rules::deadline::may_submit;
use exams::enums::{ExamMode, ShowScoreMode};
use homework::{
    enums::{SheetMarkState, SubmitKind},
    sheet::{
        answers::{TaskAnswer, check_upload, question_of, room_for_one, save},
        noted, submit_sheet,
    },
};
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
use question_bank::score::points;
use serde_json::json;

use crate::sheet::{HeldSheet, held, shuffle};

/// Told to whoever comes too late.
const TIME_OVER: &str = "考试时间已到，答卷已自动提交";

/// Answers that changed since the last save.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnExamAnswers {
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

impl Example for OwnExamAnswers {
    fn example() -> Self {
        let answer = question_bank::marking::GivenAnswer {
            letters: Some(vec!["A".to_owned()]),
            ..question_bank::marking::GivenAnswer::default()
        };
        Self { sheet_id: 1, client_seq: 1, items: vec![TaskAnswer { seq: "1".to_owned(), answer, file_ids: None }] }
    }
}

/// What was saved.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamSaved {
    /// 保存时间
    pub saved_at: Moment,
    /// 已收到的最大客户端序号
    pub last_client_seq: i64,
    /// 剩余秒数
    pub remaining_seconds: i64,
}

/// A sheet that is handed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnExamSubmit {
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

impl Example for OwnExamSubmit {
    fn example() -> Self {
        Self { sheet_id: 1, items: None, request_id: "7d1f0c86".to_owned() }
    }
}

/// What came of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamSubmitted {
    /// 交卷时间
    pub submitted_at: Moment,
    /// 未作答题数
    pub unanswered: i64,
    /// 客观题得分
    /// 交卷后公布成绩的考试
    pub score: Option<f64>,
}

/// A file that a student wants to send in: an answer's, or a picture of the camera.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnExamUpload {
    /// 答卷
    pub sheet_id: i64,
    /// 题号
    /// 监考照片不填
    #[oai(validator(min_length = 1, max_length = 20))]
    pub seq: Option<String>,
    /// 文件名
    #[oai(validator(min_length = 1, max_length = 255))]
    pub file_name: String,
    /// 大小(字节)
    #[oai(validator(minimum(value = "1")))]
    pub size: i64,
}

impl Example for OwnExamUpload {
    fn example() -> Self {
        Self { sheet_id: 1, seq: Some("3".to_owned()), file_name: "答案.docx".to_owned(), size: 20_480 }
    }
}

/// Where to send it, and its number.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamTicket {
    /// 文件编号
    pub file_id: i64,
    #[oai(flatten)]
    pub ticket: UploadTicket,
}

pub struct OwnAnswers;

#[OpenApi(prefix_path = "/exam/client/exam", tag = "crate::Tag::OnlineExams")]
impl OwnAnswers {
    /// 保存考试答案
    #[oai(path = "/save", method = "put", operation_id = "saveOwnExamAnswers")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOften>,
        Body(wanted): Body<OwnExamAnswers>,
    ) -> Result<Reply<OwnExamSaved>> {
        settle_overdue(&caller, wanted.sheet_id).await?;
        let person = caller.session.person_id;
        let mut tx = caller.begin().await?;
        let held = answered(&mut tx, wanted.sheet_id, person).await?;
        let shuffle = shuffle(&held.setup, held.sheet.seed);
        save(&mut tx, &held.sheet, &wanted.items, Some(wanted.client_seq), (person, shuffle)).await?;
        let last_client_seq = noted(&mut tx, held.sheet.id, wanted.client_seq).await?;
        let what = json!({ "clientSeq": wanted.client_seq, "answers": wanted.items.len() });
        tx.commit(Change::event("answer_sheet", held.sheet.id, "save", what)).await?;
        let now = caller.app.clock().now();
        let remaining_seconds = (held.sheet.deadline_at - now).num_seconds().max(0);
        Ok(reply(OwnExamSaved { saved_at: now, last_client_seq, remaining_seconds }))
    }

    /// 考试附件上传凭证
    /// 答案附件按题目的要求核对；监考照片为2MB以内的图片
    #[oai(path = "/uploadTicket", method = "post", operation_id = "announceOwnExamFile")]
    async fn ticket(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnExamUpload>,
    ) -> Result<Reply<OwnExamTicket>> {
        settle_overdue(&caller, wanted.sheet_id).await?;
        let mut tx = caller.begin().await?;
        let held = answered(&mut tx, wanted.sheet_id, caller.session.person_id).await?;
        let content_type = match &wanted.seq {
            Some(seq) => {
                let question = question_of(&mut tx, &held.sheet, seq).await?;
                let content_type = check_upload(&question, (&wanted.file_name, wanted.size))?;
                room_for_one(&mut tx, &held.sheet, &question).await?;
                content_type
            }
            None => picture(&wanted)?,
        };
        drop(tx);
        let form = TicketForm { file_name: wanted.file_name, size: wanted.size, content_type, kind: 3, purpose: None };
        let announced = Announced::of(&caller.app, Some(caller.school.id), form).await?;
        let mut tx = caller.begin().await?;
        let uploader = Uploader::Person(&caller.session.kind, caller.session.person_id);
        let (ticket, change) = announced.note(&mut tx, uploader).await?;
        let file_id = change.id();
        tx.commit(change).await?;
        Ok(reply(OwnExamTicket { file_id, ticket }))
    }

    /// 交卷
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnExam")]
    async fn submit(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnExamSubmit>,
    ) -> Result<Reply<OwnExamSubmitted>> {
        // What was answered before is answered again, before anybody looks whether it is over.
        drop(caller.begin_once(&wanted.request_id, &wanted).await?);
        settle_overdue(&caller, wanted.sheet_id).await?;
        let mut once = caller.begin_once(&wanted.request_id, &wanted).await?;
        let person = caller.session.person_id;
        let held = answered(&mut once, wanted.sheet_id, person).await?;
        let now = caller.app.clock().now();
        let begun = held.setup.starts_at.unwrap_or(held.sheet.started_at);
        may_submit(begun, held.setup.earliest_submit_minutes, now).map_err(Error::conflict)?;
        if let Some(items) = &wanted.items {
            let shuffle = shuffle(&held.setup, held.sheet.seed);
            save(&mut once, &held.sheet, items, None, (person, shuffle)).await?;
        }
        let submitted = submit_sheet(&mut once, held.sheet.id, SubmitKind::Student).await?;
        let shown = held.setup.show_score == ShowScoreMode::AfterSubmit;
        let answer = OwnExamSubmitted {
            submitted_at: now,
            unanswered: submitted.unanswered,
            score: shown.then(|| points(submitted.objective)),
        };
        let mut changes = submitted.changes;
        let last = changes.pop().ok_or_else(|| Error::internal("a sheet was handed in without a trace"))?;
        once.record(&changes).await?;
        once.commit(last, answer).await
    }
}

/// # Errors
/// 422 for what is no small picture.
fn picture(wanted: &OwnExamUpload) -> Result<String> {
    let kind = wanted.file_name.rsplit_once('.').map(|(_, kind)| kind.to_lowercase()).unwrap_or_default();
    if wanted.size > 2 << 20 {
        return Err(Error::field("size", "图片大小不能超过2MB"));
    }
    match kind.as_str() {
        "jpg" | "jpeg" => Ok("image/jpeg".to_owned()),
        "png" => Ok("image/png".to_owned()),
        _ => Err(Error::field("fileName", "监考照片应为jpg或png图片")),
    }
}

/// # Errors
/// 409 when its time is over; it was handed in by itself then.
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
               select from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
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
    let held = held(&mut tx, id).await?;
    if held.sheet.mark_state == SheetMarkState::InProgress {
        // Somebody gave them more time since it was looked at.
        if held.sheet.deadline_at + grace() >= now {
            return Ok(false);
        }
        let submitted = submit_sheet(&mut tx, id, SubmitKind::AutoTime).await?;
        tx.commit_all(submitted.changes).await?;
    }
    Ok(true)
}

/// The caller's own sheet, held while it is answered.
///
/// # Errors
/// 404 for another's; 409 for one that was handed in, or whose time is over.
pub(super) async fn answered(tx: &mut Tx, id: i64, student: i64) -> Result<HeldSheet> {
    let held = held(tx, id).await?;
    if held.candidate.student_id != student || held.setup.mode != ExamMode::Online {
        return Err(Error::not_found());
    }
    let now = tx.app().clock().now();
    match held.sheet.mark_state {
        SheetMarkState::InProgress if held.sheet.deadline_at + grace() >= now => Ok(held),
        SheetMarkState::InProgress => Err(Error::conflict(TIME_OVER)),
        SheetMarkState::Void => Err(Error::conflict("该答卷已作废，请联系监考老师")),
        SheetMarkState::Submitted | SheetMarkState::Marked | SheetMarkState::Returned => {
            let by_itself = sqlx::query_scalar!(
                r#"select submit_kind = 'auto_time' as "over!" from answer_sheet where id = $1"#,
                id
            )
            .fetch_one(&mut **tx)
            .await?;
            Err(Error::conflict(if by_itself { TIME_OVER } else { "答卷已提交" }))
        }
    }
}
