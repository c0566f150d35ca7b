//! 我的作业: which homework a student has, and beginning one (part 03 B10).

use homework_rules::{begin::may_begin, times::grace};
use infra::{Body, Change, Client, Error, OnConstraint, Reads, Reply, Result, Saved, Tx, clock::Moment, reply};
use online_study::{StudentClient, WritesOwn};
use papers::snapshot::sections_of;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use super::{answer::ran_out, studies};
use crate::{
    enums::{HomeworkKind, HomeworkPurpose, HomeworkStatus, HomeworkStudentState},
    sheet::{
        TaskPaper,
        answers::{SavedAnswer, saved_answers},
        follow, held_task, sheet, task, task_paper, with_items,
    },
};

/// A homework of a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnTask {
    /// 学生作业编号
    pub homework_student_id: i64,
    /// 作业
    pub title: String,
    /// 课程
    pub course: String,
    /// 用途
    pub purpose: HomeworkPurpose,
    /// 形式
    pub kind: HomeworkKind,
    /// 开始时间
    pub starts_at: Moment,
    /// 截止时间
    pub ends_at: Moment,
    /// 补交截止
    pub late_until: Option<Moment>,
    /// 延期至
    pub extended_until: Option<Moment>,
    /// 重做截止
    pub redo_until: Option<Moment>,
    /// 限时(分钟)
    pub duration_minutes: Option<i32>,
    /// 剩余次数
    pub attempts_left: i32,
    /// 状态
    pub state: HomeworkStudentState,
    /// 得分
    /// 已批阅且可以查看时
    pub final_raw: Option<f64>,
    /// 总分
    pub total_score: f64,
    /// 最近一次答卷
    pub sheet_id: Option<i64>,
}

/// Which homework is begun.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TaskStart {
    /// 学生作业编号
    pub homework_student_id: i64,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的答卷
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
}

impl Example for TaskStart {
    fn example() -> Self {
        Self { homework_student_id: 1, request_id: "7d1f0c82".to_owned() }
    }
}

/// A sheet that is answered.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TaskStarted {
    /// 答卷
    pub sheet_id: i64,
    /// 次数
    pub attempt_no: i32,
    /// 作业
    pub title: String,
    /// 开始时间
    pub started_at: Moment,
    /// 作答截止
    pub deadline_at: Moment,
    /// 服务器时间
    pub server_time: Moment,
    /// 已收到的最大客户端序号
    pub last_client_seq: i64,
    /// 试卷
    pub paper: TaskPaper,
    /// 已保存的答案
    pub saved_answers: Vec<SavedAnswer>,
}

pub struct OwnTasks;

#[OpenApi(prefix_path = "/exam/client/tasks", tag = "crate::Tag::Homework")]
impl OwnTasks {
    /// 我的作业
    #[oai(path = "/list", method = "get", operation_id = "listOwnTasks")]
    async fn list(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 学期
        /// 不填为当前学期
        #[oai(name = "semesterId")]
        semester_id: Query<Option<i64>>,
        /// 状态
        state: Query<Option<HomeworkStudentState>>,
    ) -> Result<Reply<Vec<OwnTask>>> {
        let mut tx = caller.read().await?;
        let now = caller.app.clock().now();
        let rows = sqlx::query_as!(
            OwnTask,
            r#"select s.id as "homework_student_id!", h.title as "title!", u.name as "course!", h.purpose as "purpose!: _",
                      h.kind as "kind!: _", h.starts_at as "starts_at!", h.ends_at as "ends_at!", h.late_until,
                      s.extended_until, s.redo_until, h.duration_minutes,
                      greatest(h.max_attempts + s.extra_attempts - s.attempts_used, 0) as "attempts_left!",
                      s.state as "state!: _",
                      case when s.state = 'marked'
                                and (h.show_answer <> 'after_close'
                                     or h.status = 'closed'
                                        and (s.extended_until is null or s.extended_until < $4
                                             or h.max_attempts + s.extra_attempts <= s.attempts_used))
                           then s.final_raw::float8 end as final_raw,
                      h.total_score::float8 as "total_score!",
                      (select a.id from answer_sheet a where a.homework_student_id = s.id and a.mark_state <> 'void'
                       order by a.attempt_no desc limit 1) as sheet_id
               from homework_student s
               join homework h on h.id = s.homework_id
               join course u on u.id = h.course_id
               join course_selection c on c.id = s.selection_id
               where c.student_id = $1 and h.status in ('published', 'closed') and s.state <> 'void'
                 and h.semester_id = coalesce($2, (select id from semester where current limit 1))
                 and ($3::text is null or s.state = $3)
               order by h.ends_at desc, s.id limit 500"#,
            caller.session.person_id,
            semester_id.0,
            state.0.map(HomeworkStudentState::as_str),
            now as _
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }

    /// 开始作业
    /// 已有作答中的答卷时返回该答卷
    #[oai(path = "/start", method = "post", operation_id = "startTask")]
    async fn start(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<TaskStart>,
    ) -> Result<Reply<TaskStarted>> {
        let mut once = match caller.begin_once(&wanted.request_id, &wanted).await {
            Ok(once) => once,
            Err(error) => {
                let Some(id) = error.replayed() else { return Err(error) };
                return Ok(reply(started(&caller, id).await?));
            }
        };
        let person = caller.session.person_id;
        studies(&mut once, person).await?;
        own_task(&mut once, wanted.homework_student_id, person).await?;
        // Held, so that of two that come beside each other the second finds the sheet of the first.
        let of = held_task(&mut once, wanted.homework_student_id).await?;
        if let Some(id) = open_sheet(&mut once, of.id).await? {
            let now = caller.app.clock().now();
            if sheet(&mut once, id).await?.deadline_at + grace() >= now {
                let change = Change::event("answer_sheet", id, "resume", json!({}));
                once.commit(change, Saved { id }).await?;
                return Ok(reply(started(&caller, id).await?));
            }
            drop(once);
            ran_out(&caller, id).await?;
            once = caller.begin_once(&wanted.request_id, &wanted).await?;
        }
        let (ip, device) = (caller.visit.ip.clone(), caller.visit.device());
        let (id, changes) = begin(&mut once, (wanted.homework_student_id, person), (&ip, device)).await?;
        once.record(&changes).await?;
        let change = Change::event("answer_sheet", id, "insert", json!({ "homeworkStudentId": of.id }));
        once.commit(change, Saved { id }).await?;
        Ok(reply(started(&caller, id).await?))
    }
}

/// # Errors
/// 404 for another's row.
async fn own_task(tx: &mut Tx, id: i64, student: i64) -> Result<()> {
    if task(tx, id).await?.student_id == student { Ok(()) } else { Err(Error::not_found()) }
}

async fn open_sheet(tx: &mut Tx, of: i64) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from answer_sheet where homework_student_id = $1 and mark_state = 'in_progress'",
        of
    )
    .fetch_optional(&mut **tx)
    .await?)
}

/// Begins an attempt.
///
/// # Errors
/// 404 for another's row, and for a homework that is not given; 409 when it cannot be begun.
async fn begin(tx: &mut Tx, (id, student): (i64, i64), (ip, device): (&str, &str)) -> Result<(i64, Vec<Change>)> {
    let task = held_task(tx, id).await?;
    if task.student_id != student || !matches!(task.status, HomeworkStatus::Published | HomeworkStatus::Closed) {
        return Err(Error::not_found());
    }
    let now = tx.app().clock().now();
    let progress = online_study::progress_of(tx, task.selection_id).await?.unwrap_or(0.0);
    may_begin(&task, progress, now).map_err(|why| Error::conflict(why.to_string()))?;
    let mut bytes = [0; 4];
    tx.app().random().fill(&mut bytes);
    let seed = i64::from(u32::from_be_bytes(bytes));
    let by = tx.by();
    let again = task.state == HomeworkStudentState::Returned;
    let deadline = task.window(again).deadline(now, task.duration_minutes);
    let sheet = sqlx::query_scalar!(
        "insert into answer_sheet (homework_student_id, attempt_no, redo, snapshot_id, seed, started_at, deadline_at, ip, device,
             created_by, updated_by)
         select $1, coalesce(max(a.attempt_no), 0) + 1, $9, $2, $3, $4, $5, $6, $7, $8, $8
         from answer_sheet a where a.homework_student_id = $1
         returning id",
        task.id,
        task.snapshot_id,
        seed,
        now as _,
        deadline as _,
        ip,
        device,
        by,
        again
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "answer_sheet_open_taken").then(|| Error::conflict("该作业已有作答中的答卷，请重新打开"))
    })?;
    with_items(tx, sheet, task.snapshot_id).await?;
    let mut changes = Vec::new();
    if again {
        let ended = sqlx::query_scalar!(
            "update sheet_return r set ended = 'redone', ended_at = $2, updated_at = now(), version = r.version + 1
             from answer_sheet a
             where r.sheet_id = a.id and a.homework_student_id = $1 and r.ended is null returning r.id",
            task.id,
            now as _
        )
        .fetch_all(&mut **tx)
        .await?;
        changes.extend(
            ended.into_iter().map(|id| Change::event("sheet_return", id, "status", json!({ "ended": "redone" }))),
        );
    }
    changes.extend(follow(tx, &task).await?);
    Ok((sheet, changes))
}

/// What a student sees of a sheet that they answer.
async fn started(caller: &Client<StudentClient, WritesOwn>, id: i64) -> Result<TaskStarted> {
    let mut tx = caller.read().await?;
    let sheet = sheet(&mut tx, id).await?;
    let task = task(&mut tx, sheet.homework_student_id.ok_or_else(Error::not_found)?).await?;
    if task.student_id != caller.session.person_id {
        return Err(Error::not_found());
    }
    let shuffle = task.shuffle(sheet.seed);
    let sections = sections_of(&mut tx, sheet.snapshot_id).await?;
    let saved_answers = saved_answers(&caller.app, &mut tx, &sheet, &sections, shuffle).await?;
    let paper = task_paper(&caller.app, &mut tx, sections, shuffle).await?;
    Ok(TaskStarted {
        sheet_id: id,
        attempt_no: sheet.attempt_no,
        title: task.title,
        started_at: sheet.started_at,
        deadline_at: sheet.deadline_at,
        server_time: caller.app.clock().now(),
        last_client_seq: sheet.last_client_seq,
        paper,
        saved_answers,
    })
}
