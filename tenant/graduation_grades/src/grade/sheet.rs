//! What the export of scores of theses looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;
use thesis_rules::enums::{DefenseResult, ReviewOpinion};

use super::select::{GraduationScore, GraduationScoreFilter, GraduationScores};

fn score(score: Option<f64>) -> Cell {
    score.map_or(Cell::Empty, tenths)
}

impl Export for GraduationScores {
    type Filter = GraduationScoreFilter;
    type Row = GraduationScore;
    const KIND: &'static str = "graduation_score.export";
    type Permission = super::ExportGrades;
    const TITLE: &'static str = "毕业成绩";
    const COLUMNS: &'static [Column<GraduationScore>] = &[
        Column { heading: "论文批次", width: 24, cell: |row| Cell::text(row.plan_name.as_deref()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "题目", width: 40, cell: |row| Cell::text(row.title.as_deref()) },
        Column { heading: "指导教师", width: 12, cell: |row| Cell::text(row.adviser_name.as_deref()) },
        Column { heading: "实习成绩", width: 10, cell: |row| score(row.internship_score) },
        Column { heading: "论文成绩", width: 10, cell: |row| score(row.thesis_score) },
        Column { heading: "评阅教师", width: 16, cell: |row| Cell::text(row.reviewer_names.as_deref()) },
        Column { heading: "评阅成绩", width: 10, cell: |row| score(row.review_score) },
        Column {
            heading: "评阅意见", width: 12, cell: |row| Cell::text(row.review_opinion.map(ReviewOpinion::zh))
        },
        Column { heading: "答辩组", width: 16, cell: |row| Cell::text(row.defense_group_name.as_deref()) },
        Column { heading: "答辩成绩", width: 10, cell: |row| score(row.defense_score) },
        Column {
            heading: "答辩结论", width: 10, cell: |row| Cell::text(row.defense_result.map(DefenseResult::zh))
        },
        Column { heading: "总评", width: 8, cell: |row| score(row.total) },
        Column { heading: "等级", width: 8, cell: |row| Cell::text(row.grade_word.as_deref()) },
        Column { heading: "否决原因", width: 20, cell: |row| Cell::text(row.veto.as_deref()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GraduationScoreFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, GraduationScore>> {
        Self::all(connection, filter, scope).await
    }
}
