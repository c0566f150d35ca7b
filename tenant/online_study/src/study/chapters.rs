//! 课程章节: what a course holds, and how far its student is.

use courses::period::PeriodKind;
use infra::{Result, clock::Moment};
use online_study_rules::{
    course::Course,
    periods::{Line, locked},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::periods::lines;
use crate::enums::StudyWindow;

/// A period as its student sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyPeriod {
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
    /// 直播开始
    pub live_starts_at: Option<Moment>,
    /// 直播结束
    pub live_ends_at: Option<Moment>,
    /// 必修
    pub required: bool,
    /// 学习进度(%)
    pub progress: f64,
    /// 已完成
    pub finished: bool,
    /// 上次位置
    /// 秒，文档为页码
    pub last_position: i32,
    /// 未解锁
    /// 按顺序学习时，前面的必修课时尚未完成
    pub locked: bool,
}

/// A section with its periods.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudySection {
    /// 章节编号
    pub chapter_id: i64,
    /// 章节标题
    pub title: String,
    /// 课时
    pub periods: Vec<StudyPeriod>,
}

/// A chapter with its own periods and its sections.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyChapter {
    /// 章节编号
    pub chapter_id: i64,
    /// 章节标题
    pub title: String,
    /// 课时
    pub periods: Vec<StudyPeriod>,
    /// 下级章节
    pub sections: Vec<StudySection>,
}

/// A course as its student sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyCourse {
    /// 选课编号
    pub selection_id: i64,
    /// 课程
    pub course_name: String,
    /// 课程进度(%)
    pub progress: f64,
    /// 已完成的必修课时
    pub finished_periods: i32,
    /// 必修课时
    pub total_periods: i32,
    /// 学习开始时间
    pub study_starts_at: Moment,
    /// 学习结束时间
    pub study_ends_at: Moment,
    /// 学习状态
    pub window: StudyWindow,
    /// 按顺序学习
    pub sequential: bool,
    /// 最高倍速
    pub max_speed: f64,
    /// 每日学习上限(分钟)
    /// 0为不限
    pub daily_limit_minutes: i32,
    /// 人脸核验
    pub face_check: bool,
    /// 服务器时间
    pub server_time: Moment,
    /// 章节
    pub chapters: Vec<StudyChapter>,
}

/// # Errors
/// 409 for a course that the student is not in.
pub(super) async fn of(connection: &mut PgConnection, course: &Course, now: Moment) -> Result<StudyCourse> {
    course.is_taken()?;
    let lines = match course.record_id {
        Some(record) => lines(connection, record, course.selection_id).await?,
        None => Vec::new(),
    };
    let locked = locked(&lines, course.sequential);
    let progress = crate::progress_of(connection, course.selection_id).await?;
    let chapters = sqlx::query!(
        "select id, parent_id, title from course_chapter where course_id = $1 order by sort_no, id",
        course.course_id
    )
    .fetch_all(connection)
    .await?;
    let periods_of = |chapter: i64| -> Vec<StudyPeriod> {
        lines.iter().zip(&locked).filter(|(line, _)| line.chapter_id == chapter).map(shown).collect()
    };
    let sections_of = |chapter: i64| -> Vec<StudySection> {
        let own = chapters.iter().filter(|row| row.parent_id == Some(chapter));
        own.map(|row| StudySection { chapter_id: row.id, title: row.title.clone(), periods: periods_of(row.id) })
            .collect()
    };
    let top = chapters.iter().filter(|row| row.parent_id.is_none());
    let count = |lines: usize| i32::try_from(lines).unwrap_or(i32::MAX);
    Ok(StudyCourse {
        selection_id: course.selection_id,
        course_name: course.course_name.clone(),
        progress: progress.unwrap_or(0.0),
        finished_periods: count(lines.iter().filter(|line| line.required && line.is_finished()).count()),
        total_periods: count(lines.iter().filter(|line| line.required).count()),
        study_starts_at: course.starts_at,
        study_ends_at: course.ends_at,
        window: StudyWindow::at(now, course.starts_at, course.ends_at),
        sequential: course.sequential,
        max_speed: course.max_speed,
        daily_limit_minutes: course.daily_limit_minutes,
        face_check: course.face_check,
        server_time: now,
        chapters: top
            .map(|row| StudyChapter {
                chapter_id: row.id,
                title: row.title.clone(),
                periods: periods_of(row.id),
                sections: sections_of(row.id),
            })
            .collect(),
    })
}

fn shown((line, locked): (&Line, &bool)) -> StudyPeriod {
    StudyPeriod {
        period_id: line.id,
        title: line.title.clone(),
        kind: line.kind,
        duration_seconds: line.duration_seconds,
        page_count: line.page_count,
        live_starts_at: line.live_starts_at,
        live_ends_at: line.live_ends_at,
        required: line.required,
        progress: line.progress,
        finished: line.is_finished(),
        last_position: line.last_position,
        locked: *locked,
    }
}
