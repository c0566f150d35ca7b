//! 我的考试: which examinations a student has, and entering one (part 04 §2.6).

use exam_rules::{
    anti_cheat::AntiCheat,
    deadline::{deadline, may_enter},
    risk::points,
    setup::phase,
};
use exams::{
    candidate::attended,
    enums::{ExamAttendance, ExamEligibility, ExamEvent, ExamMode, ExamPhase},
    setup::{HeldSetup, known},
};
use homework::sheet::{
    NewSheet, TaskPaper,
    answers::{SavedAnswer, saved_answers},
    begin_exam, sheet, task_paper,
};
use homework_rules::{pool::chance, times::grace};
use infra::{
    Body, Change, Client, Error, Reads, Reply, Result, Saved, Tx,
    access::{MayWrite, Mode},
    clock::Moment,
    reply,
};
use online_study::{StudentClient, WritesOwn};
use papers::snapshot::sections_of;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;

use super::answer::ran_out;
use crate::{
    attempt::{Told, level, note},
    sheet::{Candidate, candidate, candidate_of, is_open, shuffle, window},
};

/// An examination of a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExam {
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub name: String,
    /// 课程
    pub course: String,
    /// 考试方式
    pub mode: ExamMode,
    /// 开始时间
    pub starts_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 时长(分)
    pub duration_minutes: Option<i32>,
    /// 阶段
    pub phase: ExamPhase,
    /// 剩余次数
    pub attempts_left: i64,
    /// 考试资格
    pub eligibility: ExamEligibility,
    /// 原因
    pub reason: Option<String>,
    /// 场次
    /// 线下考试，准考证开放后可见
    pub session_code: Option<String>,
    /// 考点
    pub site_name: Option<String>,
    /// 考场号
    pub exam_room_no: Option<String>,
    /// 座位号
    pub seat_no: Option<i32>,
    /// 最近一次答卷
    pub sheet_id: Option<i64>,
}

/// The same with its rules.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamView {
    #[oai(flatten)]
    pub exam: OwnExam,
    /// 批次须知
    pub notice: Option<String>,
    /// 防作弊要求
    pub rules: AntiCheat,
    /// 迟到限制(分)
    pub late_limit_minutes: Option<i32>,
    /// 最早交卷(分)
    pub earliest_submit_minutes: i32,
    /// 及格线
    /// 百分制，只用于显示
    pub pass_score: f64,
}

/// Which examination is entered, from where.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnExamStart {
    /// 考试
    pub setup_id: i64,
    /// 设备
    #[oai(validator(min_length = 1, max_length = 100))]
    pub device_id: String,
    /// 进入时的照片
    pub face_file_id: Option<i64>,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的答卷
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
}

impl Example for OwnExamStart {
    fn example() -> Self {
        Self { setup_id: 1, device_id: "web-5f2c".to_owned(), face_file_id: None, request_id: "7d1f0c85".to_owned() }
    }
}

/// A sheet that is answered.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamStarted {
    /// 答卷
    pub sheet_id: i64,
    /// 次数
    pub attempt_no: i32,
    /// 服务器时间
    pub server_time: Moment,
    /// 作答截止
    pub deadline_at: Moment,
    /// 心跳间隔(秒)
    pub beat_seconds: i32,
    /// 已收到的最大客户端序号
    pub last_client_seq: i64,
    /// 试卷
    pub paper: TaskPaper,
    /// 已保存的答案
    pub saved_answers: Vec<SavedAnswer>,
}

/// Seconds between two beats.
const BEAT_SECONDS: i32 = 30;
/// A device that is silent for so long gives way.
const SILENT_MINUTES: i64 = 5;

/// Why a player is refused that is not where its sheet is answered.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elsewhere {
    Device,
    Address,
}

impl Elsewhere {
    /// By whether it comes from another device and from another address.
    pub(super) fn of(anti: &AntiCheat, (device, address): (bool, bool)) -> Option<Self> {
        match (device && anti.single_device, address && anti.ip_lock) {
            (true, _) => Some(Self::Device),
            (false, true) => Some(Self::Address),
            (false, false) => None,
        }
    }
}

pub struct OwnExams;

#[OpenApi(prefix_path = "/exam/client/exam", tag = "crate::Tag::OnlineExams")]
impl OwnExams {
    /// 我的考试
    #[oai(path = "/list", method = "get", operation_id = "listOwnExams")]
    async fn list(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 阶段
        phase: Query<Option<ExamPhase>>,
    ) -> Result<Reply<Vec<OwnExam>>> {
        let rows = exams_of(&caller, None).await?;
        Ok(reply(rows.into_iter().filter(|row| phase.0.is_none_or(|wanted| row.phase == wanted)).collect()))
    }

    /// 查看我的考试
    #[oai(path = "/view", method = "get", operation_id = "viewOwnExam")]
    async fn view(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
    ) -> Result<Reply<OwnExamView>> {
        let exam = exams_of(&caller, Some(setup_id.0)).await?.pop().ok_or_else(Error::not_found)?;
        let mut tx = caller.read().await?;
        let setup = known(&mut tx, setup_id.0, exam.mode).await?;
        let said = sqlx::query!(
            r#"select b.notice, s.pass_score::float8 as "pass_score!"
               from exam_setup s join test_batch b on b.id = s.batch_id where s.id = $1"#,
            setup.id
        )
        .fetch_one(&mut *tx)
        .await?;
        Ok(reply(OwnExamView {
            exam,
            notice: said.notice,
            pass_score: said.pass_score,
            late_limit_minutes: setup.late_limit_minutes,
            earliest_submit_minutes: setup.earliest_submit_minutes,
            rules: setup.anti_cheat,
        }))
    }

    /// 开始考试
    /// 已有作答中的答卷时返回该答卷
    #[oai(path = "/start", method = "post", operation_id = "startOwnExam")]
    async fn start(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnExamStart>,
    ) -> Result<Reply<OwnExamStarted>> {
        let mut once = match caller.begin_once(&wanted.request_id, &wanted).await {
            Ok(once) => once,
            Err(error) => {
                let Some(id) = error.replayed() else { return Err(error) };
                return Ok(reply(started(&caller, id).await?));
            }
        };
        let person = caller.session.person_id;
        let (mut setup, mut one) = sitting(&mut once, wanted.setup_id, person).await?;
        if let Some((id, deadline)) = open_sheet(&mut once, one.id).await? {
            if deadline + grace() >= caller.app.clock().now() {
                let from = (wanted.device_id.as_str(), caller.visit.ip.as_str());
                let changes = match taken_up(&mut once, &setup, id, from).await? {
                    Ok(changes) => changes,
                    Err(why) => {
                        drop(once);
                        return Err(refused(&caller, id, why, from).await?);
                    }
                };
                once.record(&changes).await?;
                once.commit(Change::event("answer_sheet", id, "resume", json!({})), Saved { id }).await?;
                return Ok(reply(started(&caller, id).await?));
            }
            drop(once);
            if !ran_out(&caller, id).await? {
                return Err(Error::conflict("考试时间已延长，请重新进入考试"));
            }
            once = caller.begin_once(&wanted.request_id, &wanted).await?;
            (setup, one) = sitting(&mut once, wanted.setup_id, person).await?;
        }
        let from = (wanted.device_id.as_str(), caller.visit.ip.as_str());
        let (id, changes) = begun(&mut once, &setup, &one, from, wanted.face_file_id).await?;
        once.record(&changes).await?;
        let change = Change::event("answer_sheet", id, "insert", json!({ "examCandidateId": one.id }));
        once.commit(change, Saved { id }).await?;
        Ok(reply(started(&caller, id).await?))
    }
}

/// The examinations of the caller, or one of them; seats as soon as tickets are open.
async fn exams_of(caller: &Client<StudentClient, Reads>, setup: Option<i64>) -> Result<Vec<OwnExam>> {
    let now = caller.app.clock().now();
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.name as "name!", u.name as "course!", s.mode as "mode!: ExamMode", w.starts_at as "starts_at?",
                  coalesce(c.reopened_until, w.ends_at) as "ends_at?",
                  coalesce(s.duration_minutes, x.duration_minutes) as "duration?",
                  greatest(s.max_attempts - (select count(*) from answer_sheet a
                                             where a.exam_candidate_id = c.id and a.mark_state <> 'void'), 0) as "left!",
                  c.eligibility as "eligibility!: ExamEligibility", c.eligibility_reason, x.code as "session?", t.name as "site?",
                  r.exam_room_no as "room?", z.seat_no as "seat?",
                  (select a.id from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state <> 'void'
                   order by a.attempt_no desc limit 1) as "sheet?",
                  b.ticket_publish_at is not null and b.ticket_publish_at <= $3 as "tickets!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join test_batch b on b.id = c.batch_id
           join course u on u.id = s.course_id
           join exam_setup_time w on w.setup_id = s.id
           left join offline_session x on x.id = s.session_id
           left join offline_seat z on z.candidate_id = c.id
           left join offline_session_room r on r.id = z.session_room_id
           left join site t on t.id = r.site_id
           where c.student_id = $1 and not c.removed and s.status in ('published', 'closed') and ($2::bigint is null or s.id = $2)
           order by w.starts_at desc nulls last, s.id limit 200"#,
        caller.session.person_id,
        setup,
        now as _
    )
    .fetch_all(&mut *caller.read().await?)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OwnExam {
            setup_id: row.id,
            name: row.name,
            course: row.course,
            mode: row.mode,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            duration_minutes: row.duration,
            phase: phase(row.starts_at.zip(row.ends_at), now),
            attempts_left: row.left,
            eligibility: row.eligibility,
            reason: row.eligibility_reason,
            session_code: row.session.filter(|_| row.tickets),
            site_name: row.site.filter(|_| row.tickets),
            exam_room_no: row.room.filter(|_| row.tickets),
            seat_no: row.seat.filter(|_| row.tickets),
            sheet_id: row.sheet,
        })
        .collect())
}

/// A student in an examination, and the examination as it stands then. The candidate is held: of two calls that come beside each other
/// the second finds the sheet of the first, and what is cancelled or ended meanwhile is not entered.
///
/// # Errors
/// 404 for who does not sit for it.
async fn sitting(tx: &mut Tx, setup: i64, student: i64) -> Result<(HeldSetup, Candidate)> {
    let of = candidate_of(tx, setup, student).await?;
    tx.lock("exam_candidate", of.id).await?;
    let one = candidate(tx, of.id).await?;
    if one.removed {
        return Err(Error::not_found());
    }
    Ok((known(tx, setup, ExamMode::Online).await?, one))
}

async fn open_sheet(tx: &mut Tx, candidate: i64) -> Result<Option<(i64, Moment)>> {
    let row = sqlx::query!(
        "select id, deadline_at from answer_sheet where exam_candidate_id = $1 and mark_state = 'in_progress'",
        candidate
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| (row.id, row.deadline_at)))
}

/// Goes on with a sheet, perhaps from another device or address; or why not: another device has it, or the address may not change.
async fn taken_up(
    tx: &mut Tx,
    setup: &HeldSetup,
    id: i64,
    (device, ip): (&str, &str),
) -> Result<std::result::Result<Vec<Change>, Elsewhere>> {
    let now = tx.app().clock().now();
    let row = sqlx::query!(
        r#"select m.device_id, m.holds_device, m.last_beat_at, a.ip from exam_sheet_monitor m join answer_sheet a on a.id = m.id
           where m.id = $1 for update of m"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let other = row.device_id != device;
    let silent = now - row.last_beat_at >= chrono::TimeDelta::minutes(SILENT_MINUTES);
    let moved = !row.ip.is_empty() && row.ip != ip;
    if let Some(why) = Elsewhere::of(&setup.anti_cheat, (other && row.holds_device && !silent, moved)) {
        return Ok(Err(why));
    }
    let by = tx.by();
    sqlx::query!(
        "update exam_sheet_monitor
         set device_id = $2, holds_device = true, last_beat_at = $3, last_activity_at = $3, updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        id,
        device,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    if other {
        note(tx, id, Told { kind: ExamEvent::Enter, detail: Some("更换设备继续作答"), by: None }).await?;
    }
    Ok(Ok(vec![Change::event("exam_sheet_monitor", id, "device", json!({ "changed": other }))]))
}

/// Keeps that a player came from elsewhere, each device and address once, in a transaction of its own: the call itself is refused and
/// leaves nothing. What it is told.
///
/// # Errors
/// Those of the database.
pub(super) async fn refused<M: Mode + MayWrite>(
    caller: &Client<StudentClient, M>,
    sheet: i64,
    why: Elsewhere,
    (device, ip): (&str, &str),
) -> Result<Error> {
    let (kind, from, told) = match why {
        Elsewhere::Device => (ExamEvent::MultiDevice, device, "您已在其他设备上作答，请联系监考老师解除"),
        Elsewhere::Address => (ExamEvent::IpChange, ip, "网络地址已变化，请联系监考老师"),
    };
    let mut tx = caller.begin().await?;
    let before = sqlx::query_scalar!("select risk_score from exam_sheet_monitor where id = $1 for update", sheet)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let noted = sqlx::query_scalar!(
        r#"select exists (select from exam_event where sheet_id = $1 and type = $2 and detail = $3) as "noted!""#,
        sheet,
        kind.as_str(),
        from
    )
    .fetch_one(&mut *tx)
    .await?;
    if !noted {
        let risk = i64::from(before) + points(kind);
        note(&mut tx, sheet, Told { kind, detail: Some(from), by: None }).await?;
        sqlx::query!(
            "update exam_sheet_monitor set risk_score = $2, risk_level = $3, updated_at = now() where id = $1",
            sheet,
            i32::try_from(risk).unwrap_or(i32::MAX),
            level(risk).as_str()
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(Change::event("exam_sheet_monitor", sheet, "refuse", json!({ "event": kind.as_str() }))).await?;
    }
    Ok(Error::conflict(told))
}

/// Begins an attempt.
///
/// # Errors
/// 409 with the first reason why not.
async fn begun(
    tx: &mut Tx,
    setup: &HeldSetup,
    one: &Candidate,
    (device, ip): (&str, &str),
    face: Option<i64>,
) -> Result<(i64, Vec<Change>)> {
    if !is_open(setup) {
        return Err(Error::conflict(if setup.is_given() { "考试已结束" } else { "考试未开始" }));
    }
    if setup.reopened_until.is_some() && one.reopened_until.is_none() {
        return Err(Error::conflict("考试已结束"));
    }
    let now = tx.app().clock().now();
    let window = window(setup, one)?;
    may_enter(&window, now).map_err(|why| Error::conflict(why.to_string()))?;
    if one.eligibility != ExamEligibility::Eligible {
        let reason = one.reason.as_deref().unwrap_or(one.eligibility.zh());
        return Err(Error::conflict(format!("您没有参加本场考试的资格：{reason}")));
    }
    let used = sqlx::query!(
        r#"select count(*) filter (where mark_state <> 'void') as "used!", coalesce(max(attempt_no), 0) as "last!"
           from answer_sheet where exam_candidate_id = $1"#,
        one.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if used.used >= i64::from(setup.max_attempts) {
        return Err(Error::conflict("作答次数已用完"));
    }
    let snapshot = one.snapshot_id.ok_or_else(|| Error::conflict("试卷还未分发，请联系监考老师"))?;
    let attempt_no = used.last + 1;
    let seed = i64::try_from(chance(one.id, i64::from(attempt_no)) >> 32).unwrap_or_default();
    let new = NewSheet {
        candidate: one.id,
        attempt_no,
        snapshot,
        seed,
        deadline: deadline(&window, now),
        ip: ip.to_owned(),
        device: device.chars().take(100).collect(),
    };
    let id = begin_exam(tx, &new).await?;
    let by = tx.by();
    let face = match face {
        Some(file) => own_picture(tx, id, file, one.student_id).await?,
        None => None,
    };
    sqlx::query!(
        "insert into exam_sheet_monitor (id, candidate_id, device_id, last_beat_at, last_activity_at, face_file_id, created_by,
             updated_by)
         values ($1, $2, $3, $4, $4, $5, $6, $6)",
        id,
        one.id,
        new.device,
        now as _,
        face,
        by
    )
    .execute(&mut **tx)
    .await?;
    note(tx, id, Told { kind: ExamEvent::Enter, detail: None, by: None }).await?;
    let changes = attended(tx, &[(one.id, ExamAttendance::Present)]).await?;
    Ok((id, changes))
}

/// A picture of the student's own, kept with the sheet.
pub(super) async fn own_picture(tx: &mut Tx, sheet: i64, file: i64, student: i64) -> Result<Option<i64>> {
    let key = sqlx::query_scalar!(
        "select key from file_object where id = $1 and uploader_type = 'student' and uploader_id = $2",
        file,
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    match key {
        Some(key) => {
            let kept =
                infra::files::adopt_kind(tx, &key, ("exam_sheet_monitor", sheet), &["jpg", "jpeg", "png"], 2).await?;
            Ok(Some(kept))
        }
        None => Ok(None),
    }
}

/// What a student sees of a sheet that they answer.
async fn started(caller: &Client<StudentClient, WritesOwn>, id: i64) -> Result<OwnExamStarted> {
    let mut tx = caller.read().await?;
    let sheet = sheet(&mut tx, id).await?;
    let one = candidate(&mut tx, sheet.exam_candidate_id.ok_or_else(Error::not_found)?).await?;
    if one.student_id != caller.session.person_id {
        return Err(Error::not_found());
    }
    let setup = known(&mut tx, one.setup_id, ExamMode::Online).await?;
    let shuffle = shuffle(&setup, sheet.seed);
    let sections = sections_of(&mut tx, sheet.snapshot_id).await?;
    let saved_answers = saved_answers(&caller.app, &mut tx, &sheet, &sections, shuffle).await?;
    let paper = task_paper(&caller.app, &mut tx, sections, shuffle).await?;
    Ok(OwnExamStarted {
        sheet_id: id,
        attempt_no: sheet.attempt_no,
        server_time: caller.app.clock().now(),
        deadline_at: sheet.deadline_at,
        beat_seconds: BEAT_SECONDS,
        last_client_seq: sheet.last_client_seq,
        paper,
        saved_answers,
    })
}
