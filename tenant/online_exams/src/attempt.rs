//! 学生考试: each candidate with each of their sheets, watched while it is answered (part 04 §2.4, §2.5).

mod select;
mod watch;

use exam_rules::deadline::deadline;
use exams::{
    enums::{ExamCommandKind, ExamEvent, RiskLevel},
    setup::HeldSetup,
};
use homework::sheet::prolong;
use infra::{
    Allowed, Body, Change, Entity, Page, Paged, Part, Reply, Result, Tx,
    across::{self, SchoolPage},
    clock::Moment,
    permissions, reply,
};
use poem_openapi::{OpenApi, param::Query};
use question_bank::question::sees_answers;
use serde_json::json;

pub use select::{Attempt, AttemptFile, AttemptFilter, AttemptStat, ExamEventRow};
pub use watch::Watching;

use crate::sheet::{candidate, window};

permissions! {
    pages
        "/schoolPC/examination/onlineIndex/onlineExamination",
        "/platformPC/examination/onlineIndex/onlineExamination";
    EachSchool Reads  ListAttempts     = "exam:pc:online:attempt:list" "学生考试列表";
    EachSchool Reads  ViewAttempt      = "exam:pc:online:attempt:view" "查看学生考试";
    EachSchool Reads  ListExamEvents   = "exam:pc:online:attempt:view" "查看学生考试";
    EachSchool Reads  CountAttempts    = "exam:pc:online:attempt:view" "查看学生考试";
    InSchool   Writes WarnAttempts     = "exam:pc:online:attempt:warn" "警告考生";
    InSchool   Writes ForceAttempts    = "exam:pc:online:attempt:forceSubmit" "强制交卷";
    InSchool   Writes ExtendAttempts   = "exam:pc:online:attempt:extend" "考试加时";
    InSchool   Writes ReleaseDevice    = "exam:pc:online:attempt:releaseDevice" "解除设备";
    InSchool   Writes VoidAttempts     = "exam:pc:online:attempt:void" "作废答卷";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "exam_sheet_monitor", name: "监考记录", counted: "条监考记录" },
        Entity { table: "exam_event", name: "考试事件", counted: "条考试事件" },
        Entity { table: "exam_command", name: "监考指令", counted: "条监考指令" },
    ],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of attempts.
pub struct Attempts;

#[OpenApi(prefix_path = "/exam/pc/online/attempt", tag = "crate::Tag::OnlineExams")]
impl Attempts {
    /// 学生考试列表
    #[oai(path = "/list", method = "post", operation_id = "listAttempts")]
    async fn list(
        &self,
        caller: Allowed<ListAttempts>,
        Body(asked): Body<Paged<AttemptFilter>>,
    ) -> Result<Reply<SchoolPage<Attempt>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看学生考试
    /// 试卷、答案、得分和监考记录
    #[oai(path = "/view", method = "get", operation_id = "viewAttempt")]
    async fn view(
        &self,
        caller: Allowed<ViewAttempt>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<AttemptFile>> {
        let mut tx = caller.read().await?;
        crate::sheet::see(&mut tx, sheet_id.0, &caller.scope()).await?;
        let mut file = select::file_of(caller.app(), &mut tx, sheet_id.0).await?;
        // Whoever watches does not see the key of what others still answer.
        if !sees_answers(&caller) {
            for item in &mut file.items {
                (item.reference, item.analysis) = (None, None);
            }
        }
        Ok(reply(file))
    }

    /// 考试事件
    #[oai(path = "/events", method = "get", operation_id = "listExamEvents")]
    async fn events(
        &self,
        caller: Allowed<ListExamEvents>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
        /// 页码
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
    ) -> Result<Reply<Page<ExamEventRow>>> {
        let paging = infra::Paging::of(page_current.0, page_size.0)?;
        let mut tx = caller.read().await?;
        crate::sheet::see(&mut tx, sheet_id.0, &caller.scope()).await?;
        let (total, rows) = select::events(caller.app(), &mut tx, sheet_id.0, paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 考试监控统计
    #[oai(path = "/stat", method = "get", operation_id = "countAttempts")]
    async fn stat(
        &self,
        caller: Allowed<CountAttempts>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
    ) -> Result<Reply<AttemptStat>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::stat(&mut tx, setup_id.0, &caller.scope()).await?))
    }
}

/// What an event of the server's own tells.
pub(crate) struct Told<'a> {
    pub kind: ExamEvent,
    pub detail: Option<&'a str>,
    pub by: Option<&'a str>,
}

/// Keeps an event of the server's own.
pub(crate) async fn note(tx: &mut Tx, sheet: i64, told: Told<'_>) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "insert into exam_event (sheet_id, type, received_at, detail, by_name) values ($1, $2, $3, $4, $5)",
        sheet,
        told.kind.as_str(),
        now as _,
        told.detail,
        told.by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Tells the player of a sheet something with its next beat.
pub(crate) async fn command(tx: &mut Tx, sheet: i64, kind: ExamCommandKind, text: Option<&str>) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into exam_command (sheet_id, type, text, created_by, updated_by) values ($1, $2, $3, $4, $4)",
        sheet,
        kind.as_str(),
        text,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Brings the deadlines of open sheets up to the time of their candidates: of a setup, or of some of them.
///
/// # Errors
/// Those of the database.
pub(crate) async fn follow_deadlines(tx: &mut Tx, setup: &HeldSetup, of: Option<&[i64]>) -> Result<Vec<Change>> {
    let rows = sqlx::query!(
        r#"select a.id as "id!", a.exam_candidate_id as "candidate!", a.started_at as "started_at!", a.deadline_at as "deadline_at!"
           from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
           where c.setup_id = $1 and a.mark_state = 'in_progress' and ($2::bigint[] is null or c.id = any($2))
           order by a.id for update of a"#,
        setup.id,
        of
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    for row in rows {
        let one = candidate(tx, row.candidate).await?;
        let until: Moment = deadline(&window(setup, &one)?, row.started_at);
        // What was taken up again keeps the time that it was given.
        if until <= row.deadline_at {
            continue;
        }
        changes.extend(prolong(tx, &[row.id], until).await?);
        let text = format!("考试时间已延长至{}", until.format("%H:%M"));
        command(tx, row.id, ExamCommandKind::Extend, Some(&text)).await?;
        note(tx, row.id, Told { kind: ExamEvent::Extend, detail: Some(&text), by: None }).await?;
    }
    Ok(changes)
}

/// What a risk score is called.
pub(crate) fn level(score: i64) -> RiskLevel {
    exam_rules::risk::level(score)
}

/// The trail of something that was done to a sheet.
pub(crate) fn done(sheet: i64, action: &'static str, reason: Option<&str>) -> Change {
    Change::event("exam_sheet_monitor", sheet, action, json!({})).because(reason)
}
