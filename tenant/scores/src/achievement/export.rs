//! What the export of scores looks like (part 04 §7).

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use scores_rules::enums::CourseScoreStatus;
use sqlx::PgConnection;

use super::{
    scores::{Achievement, AchievementFilter, CourseScores},
    standing::Standings,
};

fn score(score: Option<f64>) -> Cell {
    score.map_or(Cell::Empty, tenths)
}

fn whole(count: Option<i64>) -> Cell {
    count.map_or(Cell::Empty, Cell::Int)
}

fn hundredths(point: Option<f64>) -> Cell {
    point.map_or(Cell::Empty, |point| Cell::Decimal((point * 100.0).round() as i64, 2))
}

/// 性质 as people read it.
pub(super) fn nature(word: Option<&str>) -> &'static str {
    word.and_then(teaching_plan::enums::CourseNature::parse).map_or("", teaching_plan::enums::CourseNature::zh)
}

impl Export for CourseScores {
    type Filter = AchievementFilter;
    type Row = Achievement;
    const KIND: &'static str = "achievement.export";
    type Permission = super::ExportAchievements;
    const FURTHER: Option<&'static str> = Some(super::VIEW_DRAFT);
    const TITLE: &'static str = "课程成绩";
    const COLUMNS: &'static [Column<Achievement>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::text(row.study_form.as_deref()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "教学站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::text(row.semester_name.as_deref()) },
        Column { heading: "课程编码", width: 14, cell: |row| Cell::text(row.course_code.as_deref()) },
        Column { heading: "课程名称", width: 28, cell: |row| Cell::text(row.course_name.as_deref()) },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(nature(row.nature.as_deref()).to_owned()) },
        Column { heading: "学分", width: 8, cell: |row| score(row.credits) },
        Column { heading: "学习成绩", width: 10, cell: |row| score(row.study) },
        Column { heading: "作业成绩", width: 10, cell: |row| score(row.homework) },
        Column { heading: "考勤成绩", width: 10, cell: |row| score(row.attendance) },
        Column { heading: "答疑成绩", width: 10, cell: |row| score(row.questions) },
        Column { heading: "卷面成绩", width: 10, cell: |row| score(row.exam) },
        Column { heading: "总评", width: 8, cell: |row| score(row.total) },
        Column { heading: "成绩显示", width: 12, cell: |row| Cell::text(row.display_text.as_deref()) },
        Column {
            heading: "补考次数",
            width: 8,
            cell: |row| row.makeup_used.map_or(Cell::Empty, |count| Cell::Int(count.into())),
        },
        Column { heading: "绩点", width: 8, cell: |row| hundredths(row.grade_point) },
        Column { heading: "获得学分", width: 10, cell: |row| score(row.earned_credits) },
        Column { heading: "状态", width: 10, cell: |row| Cell::text(row.status.map(CourseScoreStatus::zh)) },
    ];

    fn open(filter: &mut AchievementFilter, scope: Scope) {
        filter.drafts_of = scope;
    }

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Achievement>> {
        Self::all(connection, filter, scope).await
    }
}

/// All of each student together, as the tabs of students and of warnings list it.
impl Export for Standings {
    type Filter = AchievementFilter;
    type Row = Achievement;
    const KIND: &'static str = "achievement_student.export";
    type Permission = super::ExportAchievements;
    const TITLE: &'static str = "学生成绩";
    const COLUMNS: &'static [Column<Achievement>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.student_status.clone()) },
        Column { heading: "已修门数", width: 10, cell: |row| whole(row.taken) },
        Column { heading: "通过门数", width: 10, cell: |row| whole(row.passed_count) },
        Column { heading: "不及格门数", width: 10, cell: |row| whole(row.failed_count) },
        Column { heading: "已获学分", width: 10, cell: |row| score(row.credits_earned) },
        Column { heading: "应修学分", width: 10, cell: |row| score(row.credits_required) },
        Column { heading: "不及格必修学分", width: 14, cell: |row| score(row.credits_failed) },
        Column { heading: "加权平均", width: 10, cell: |row| score(row.average) },
        Column { heading: "GPA", width: 8, cell: |row| hundredths(row.gpa) },
        Column { heading: "班级排名", width: 10, cell: |row| whole(row.class_rank) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Achievement>> {
        Self::all(connection, filter, scope).await
    }
}
