//! What is typed of an examination on paper, and how it is written: with its session and its candidates.

use chrono::{NaiveDate, NaiveTime};
use exam_rules::{
    enums::{AssessMode, ExamRound, PaperVariant},
    setup::SetupPlan,
};
use exam_seats::offered::{TimeClash, clashes, session_at};
use exams::{
    candidate::{expected, refresh},
    enums::{ExamMode, ExamSetupStatus},
    setup,
};
use infra::{
    Change, Edit, Error, Result, Scope, Tx,
    clock::{Moment, day_began},
};
use poem_openapi::{Object, types::Example};
use question_bank::score::{is_score, points, tenths};
use sqlx::PgConnection;

/// So many candidates are listed while the call waits.
const DIRECT: i64 = 2_000;

/// A paper of an examination.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfflineExamPaper {
    /// 卷别
    pub slot: PaperVariant,
    /// 试卷
    pub paper_id: i64,
}

/// What is typed.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflineExamForm {
    /// 批次
    pub batch_id: i64,
    /// 课程
    pub course_id: i64,
    /// 学期
    /// 课程修读的学期
    pub semester_id: i64,
    /// 考试名称
    /// 不填时为课程和批次
    #[oai(validator(max_length = 80))]
    pub name: Option<String>,
    /// 考试性质
    /// 不填时按批次的类型
    pub round: Option<ExamRound>,
    /// 考核方式
    /// 不填时与开课相同
    pub assess_mode: Option<AssessMode>,
    /// 场次
    /// 不填时按日期和时间取场次，没有时新建
    pub session_id: Option<i64>,
    /// 考试日期
    pub date: Option<NaiveDate>,
    /// 开始时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub start_time: Option<String>,
    /// 结束时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub end_time: Option<String>,
    /// 时长(分)
    /// 不填为场次的时长
    #[oai(validator(minimum(value = "10"), maximum(value = "300")))]
    pub duration_minutes: Option<i32>,
    /// 考试对象
    /// 班级
    #[oai(default, validator(max_items = 1000))]
    pub class_ids: Vec<i64>,
    /// 最低学习进度(%)
    pub min_progress: Option<f64>,
    /// 作业最低完成率(%)
    pub min_homework: Option<f64>,
    /// 缺课上限(%)
    pub max_absence: Option<f64>,
    /// 须缴费
    #[oai(default)]
    pub require_fee: bool,
    /// 纳入缓考学生
    /// 不填为是
    pub include_deferred: Option<bool>,
    /// 不编排座位
    /// 口试、实操和大作业
    #[oai(default)]
    pub no_seating: bool,
    /// 试卷
    /// 用于打印
    #[oai(default, validator(max_items = 6))]
    pub papers: Vec<OfflineExamPaper>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for OfflineExamForm {
    fn example() -> Self {
        Self {
            batch_id: 1,
            course_id: 1,
            semester_id: 1,
            name: None,
            round: Some(ExamRound::First),
            assess_mode: Some(AssessMode::ClosedBook),
            session_id: Some(1),
            date: None,
            start_time: None,
            end_time: None,
            duration_minutes: None,
            class_ids: vec![1],
            min_progress: None,
            min_homework: None,
            max_absence: None,
            require_fee: false,
            include_deferred: None,
            no_seating: false,
            papers: Vec::new(),
            remark: None,
        }
    }
}

/// A percent in tenths.
fn percent(field: &str, value: Option<f64>) -> Result<Option<i64>> {
    match value {
        Some(value) if !is_score(value, 0, 1_000) => Err(Error::field(field, "应在0到100之间，最多一位小数")),
        other => Ok(other.map(tenths)),
    }
}

impl OfflineExamForm {
    /// # Errors
    /// 422 at a percent that is none, and when there is no such batch.
    async fn plan(&self, connection: &mut PgConnection, session: Option<i64>) -> Result<SetupPlan> {
        let of = (self.batch_id, self.course_id, self.semester_id);
        let usual = setup::usual(connection, of, ExamMode::Offline).await?;
        Ok(SetupPlan {
            name: self.name.clone(),
            round: self.round.unwrap_or(usual.round),
            assess_mode: self.assess_mode.unwrap_or(usual.assess_mode),
            duration_minutes: self.duration_minutes,
            min_progress: percent("minProgress", self.min_progress)?,
            min_homework: percent("minHomework", self.min_homework)?,
            max_absence: percent("maxAbsence", self.max_absence)?,
            require_fee: self.require_fee,
            include_deferred: self.include_deferred.unwrap_or(true),
            session_id: session,
            no_seating: self.no_seating,
            remark: self.remark.clone(),
            class_ids: self.class_ids.clone(),
            papers: self.papers.iter().map(|paper| (paper.slot, paper.paper_id)).collect(),
            ..usual
        })
    }

    /// As it stands.
    pub fn of(plan: &SetupPlan) -> Self {
        Self {
            batch_id: plan.batch_id,
            course_id: plan.course_id,
            semester_id: plan.semester_id,
            name: plan.name.clone(),
            round: Some(plan.round),
            assess_mode: Some(plan.assess_mode),
            session_id: plan.session_id,
            date: None,
            start_time: None,
            end_time: None,
            duration_minutes: plan.duration_minutes,
            class_ids: plan.class_ids.clone(),
            min_progress: plan.min_progress.map(points),
            min_homework: plan.min_homework.map(points),
            max_absence: plan.max_absence.map(points),
            require_fee: plan.require_fee,
            include_deferred: Some(plan.include_deferred),
            no_seating: plan.no_seating,
            papers: plan
                .papers
                .iter()
                .map(|(slot, paper)| OfflineExamPaper { slot: *slot, paper_id: *paper })
                .collect(),
            remark: plan.remark.clone(),
        }
    }
}

/// The session that a form means: the one that it names, or that of its time.
///
/// # Errors
/// 422 at a time that is no whole one, or at a session of another batch; at a time without a session for who may not make one.
async fn session_of(tx: &mut Tx, form: &OfflineExamForm, scope: &Scope) -> Result<(Option<i64>, Option<Change>)> {
    if let Some(session) = form.session_id {
        let batch = sqlx::query_scalar!("select batch_id from offline_session where id = $1", session)
            .fetch_optional(&mut **tx)
            .await?;
        if batch != Some(form.batch_id) {
            return Err(Error::field("sessionId", "所选场次不是该批次的场次，请重新选择"));
        }
        return Ok((Some(session), None));
    }
    let (Some(date), Some(start), Some(end)) = (form.date, form.start_time.as_deref(), form.end_time.as_deref()) else {
        return if form.date.is_none() && form.start_time.is_none() && form.end_time.is_none() {
            Ok((None, None))
        } else {
            Err(Error::field("date", "请同时填写考试日期、开始和结束时间"))
        };
    };
    let at = |field: &str, text: &str| -> Result<Moment> {
        let time = NaiveTime::parse_from_str(text, "%H:%M").map_err(|_| Error::field(field, "时间应为 HH:MM"))?;
        Ok(day_began(date) + (time - NaiveTime::MIN))
    };
    let (starts, ends) = (at("startTime", start)?, at("endTime", end)?);
    if ends <= starts {
        return Err(Error::field("endTime", "结束时间应晚于开始时间"));
    }
    let whole = i32::try_from((ends - starts).num_minutes()).unwrap_or(i32::MAX);
    let duration = form.duration_minutes.unwrap_or(whole).min(whole).clamp(10, 300);
    let sites = points_of(tx, form).await?;
    let (id, change) = session_at(tx, form.batch_id, (starts, ends), duration, (&sites, scope)).await?;
    Ok((Some(id), change))
}

/// Where the classes of a form sit.
async fn points_of(connection: &mut PgConnection, form: &OfflineExamForm) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        r#"select distinct coalesce(p.exam_site_id, k.site_id) as "site!"
           from class k left join offline_point p on p.batch_id = $1 and p.site_id = k.site_id
           where k.id = any($2) order by 1"#,
        form.batch_id,
        &form.class_ids
    )
    .fetch_all(connection)
    .await?)
}

/// Who would sit for a first examination: who studies the course in these classes.
pub(super) async fn students_of(connection: &mut PgConnection, plan: &SetupPlan) -> Result<Vec<i64>> {
    if plan.round != ExamRound::First {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_scalar!(
        "select student_id from course_selection
         where course_id = $1 and semester_id = $2 and class_id = any($3) and status = 'selected' order by student_id",
        plan.course_id,
        plan.semester_id,
        &plan.class_ids
    )
    .fetch_all(connection)
    .await?)
}

/// `与《大学英语》有 15 名学生时间冲突`.
pub(crate) fn told(found: &[TimeClash]) -> Option<String> {
    let first = found.first()?;
    let count = found.iter().filter(|clash| clash.course == first.course).count();
    Some(format!("与《{}》有 {count} 名学生时间冲突", first.course))
}

/// # Errors
/// 422 at the session when somebody would be in two examinations at once.
async fn nobody_twice(tx: &mut Tx, setup: Option<i64>, plan: &SetupPlan) -> Result<()> {
    let Some(session) = plan.session_id else { return Ok(()) };
    let students = students_of(tx, plan).await?;
    match told(&clashes(tx, setup, &students, session).await?) {
        Some(why) => Err(Error::field("sessionId", why)),
        None => Ok(()),
    }
}

/// Lists the candidates of a draft, where they are few enough for a call.
pub(crate) async fn listed(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Vec<Change>> {
    let held = setup::hold(tx, id, ExamMode::Offline).await?;
    if held.status != ExamSetupStatus::Draft || expected(tx, &held).await? > DIRECT {
        return Ok(Vec::new());
    }
    Ok(refresh(tx, &held, scope).await?.changes)
}

/// Makes a draft with its candidates.
///
/// # Errors
/// 403 for classes beyond the scope; 422 by field.
pub(crate) async fn insert(tx: &mut Tx, form: &OfflineExamForm, scope: &Scope) -> Result<(i64, Vec<Change>)> {
    let (session, made) = session_of(tx, form, scope).await?;
    let plan = form.plan(tx, session).await?;
    nobody_twice(tx, None, &plan).await?;
    let (id, change) = setup::insert(tx, &plan, ExamMode::Offline, scope).await?;
    let mut changes = vec![change];
    changes.extend(made);
    changes.extend(listed(tx, id, scope).await?);
    Ok((id, changes))
}

/// # Errors
/// As [`insert`]; 409 for one that is reviewed.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<OfflineExamForm>, scope: &Scope) -> Result<Vec<Change>> {
    let before = setup::known(tx, edit.id, ExamMode::Offline).await?;
    if matches!(before.status, ExamSetupStatus::Submitted | ExamSetupStatus::Approved) {
        return Err(Error::conflict("请先退回考试安排"));
    }
    let (session, made) = session_of(tx, &edit.form, scope).await?;
    let plan = edit.form.plan(tx, session).await?;
    nobody_twice(tx, Some(edit.id), &plan).await?;
    let moved = before.session_id != session;
    let mut changes = vec![setup::update(tx, edit.id, edit.version, &plan, ExamMode::Offline, scope).await?];
    changes.extend(made);
    if moved {
        // Seats are of the session that was left.
        let candidates = sqlx::query_scalar!("select id from exam_candidate where setup_id = $1 order by id", edit.id)
            .fetch_all(&mut **tx)
            .await?;
        changes.extend(exam_seats::offered::free(tx, &candidates).await?);
    }
    changes.extend(listed(tx, edit.id, scope).await?);
    Ok(changes)
}
