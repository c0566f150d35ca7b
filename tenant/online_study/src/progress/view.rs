//! 明细: each period of a course with what one student did of it, and the sessions in which they did it.

use chrono::NaiveDate;
use courses::period::PeriodKind;
use infra::{Result, Scope, clock::Moment};
use online_study_rules::periods::Line;
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{StudyProgress, select::find};
use crate::{course::course_of, enums::StudyEnd, study::lines};

/// Sessions that are told, the newest first.
const SESSIONS: i64 = 200;

/// A period with what a student did of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyDetailPeriod {
    /// 课时编号
    pub period_id: i64,
    /// 课时标题
    pub title: String,
    /// 类型
    pub kind: PeriodKind,
    /// 时长(秒)
    pub duration_seconds: Option<i32>,
    /// 页数
    pub page_count: Option<i32>,
    /// 必修
    pub required: bool,
    /// 权重
    pub weight: i32,
    /// 学习进度(%)
    pub progress: f64,
    /// 学习时长(秒)
    pub watched_seconds: i32,
    /// 首次学习
    pub first_at: Option<Moment>,
    /// 最近学习
    pub last_at: Option<Moment>,
    /// 完成时间
    pub finished_at: Option<Moment>,
}

/// A session of a student's player.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudySession {
    /// 会话编号
    pub id: i64,
    /// 课时标题
    pub period_title: String,
    /// 开始时间
    pub started_at: Moment,
    /// 最近心跳
    pub last_beat_at: Moment,
    /// 结束时间
    pub ended_at: Option<Moment>,
    /// 结束原因
    pub end_reason: Option<StudyEnd>,
    /// 计入秒数
    pub credited_seconds: i32,
    /// 未计入秒数
    pub rejected_seconds: i32,
    /// IP地址
    pub ip: String,
    /// 设备
    pub device: String,
}

/// A day on which a student studied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyDay {
    /// 日期
    pub day: NaiveDate,
    /// 学习时长(秒)
    pub seconds: i32,
}

/// How far a student is, in all its parts.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyDetail {
    #[oai(flatten)]
    pub progress: StudyProgress,
    /// 未计入秒数
    /// 心跳申报而未计入的合计
    pub rejected_seconds: i64,
    /// 最近督促
    pub reminded_at: Option<Moment>,
    /// 课时
    pub periods: Vec<StudyDetailPeriod>,
    /// 学习会话
    /// 最近200次
    pub sessions: Vec<StudySession>,
    /// 学习日
    pub days: Vec<StudyDay>,
}

/// # Errors
/// 404 outside the scope.
pub(super) async fn of(connection: &mut PgConnection, selection: i64, scope: &Scope) -> Result<StudyDetail> {
    let progress = find(connection, selection, scope).await?;
    let periods = match course_of(connection, selection).await?.record_id {
        Some(record) => lines(connection, record, selection).await?,
        None => Vec::new(),
    };
    let sessions = sqlx::query_as!(
        StudySession,
        r#"select z.id, p.title as period_title, z.started_at, z.last_beat_at, z.ended_at, z.end_reason as "end_reason: _",
                  z.credited_seconds, z.rejected_seconds, z.ip, z.device
           from study_session z join course_period p on p.id = z.period_id
           where z.selection_id = $1 order by z.started_at desc, z.id desc limit $2"#,
        selection,
        SESSIONS
    )
    .fetch_all(&mut *connection)
    .await?;
    let rejected_seconds = sqlx::query_scalar!(
        r#"select coalesce(sum(rejected_seconds), 0)::bigint as "rejected!" from study_session where selection_id = $1"#,
        selection
    )
    .fetch_one(&mut *connection)
    .await?;
    let reminded_at = sqlx::query_scalar!(
        r#"select max(reminded_at) as "reminded_at?" from study_reminder where selection_id = $1"#,
        selection
    )
    .fetch_one(&mut *connection)
    .await?;
    let days =
        sqlx::query_as!(StudyDay, "select day, seconds from study_day where selection_id = $1 order by day", selection)
            .fetch_all(connection)
            .await?;
    let periods = periods.into_iter().map(shown).collect();
    Ok(StudyDetail { progress, rejected_seconds, reminded_at, periods, sessions, days })
}

fn shown(line: Line) -> StudyDetailPeriod {
    StudyDetailPeriod {
        period_id: line.id,
        title: line.title,
        kind: line.kind,
        duration_seconds: line.duration_seconds,
        page_count: line.page_count,
        required: line.required,
        weight: line.weight,
        progress: line.progress,
        watched_seconds: line.watched_seconds,
        first_at: line.first_at,
        last_at: line.last_at,
        finished_at: line.finished_at,
    }
}
