//! What the sheet of scores looks like: a line for each member and exam.

use infra::{
    App, Result, Scope, mask,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    QuizClassScores,
    list::{QuizClassScoreFilter, QuizScoreLine, lines},
};

fn score(line: &QuizScoreLine) -> Cell {
    match line.score {
        Some(score) => Cell::Decimal(score, 1),
        None if line.waiting => Cell::Text("待批改".to_owned()),
        None if line.attempts == 0 => Cell::Text("未参加".to_owned()),
        None => Cell::Empty,
    }
}

impl Export for QuizClassScores {
    type Filter = QuizClassScoreFilter;
    type Row = QuizScoreLine;
    const KIND: &'static str = "quiz_class_score.export";
    type Permission = super::ExportQuizClassScores;
    const TITLE: &'static str = "考试班级成绩";
    const COLUMNS: &'static [Column<QuizScoreLine>] = &[
        Column { heading: "班级名称", width: 24, cell: |line| Cell::Text(line.grade_name.clone()) },
        Column {
            heading: "学员昵称",
            width: 18,
            cell: |line| Cell::Text(line.nickname.clone().unwrap_or_else(|| mask::phone(&line.phone))),
        },
        // A class is no reason to see anybody's number whole.
        Column { heading: "手机号", width: 16, cell: |line| Cell::Text(mask::phone(&line.phone)) },
        Column { heading: "试卷名称", width: 32, cell: |line| Cell::Text(line.exam_name.clone()) },
        Column { heading: "总分", width: 8, cell: |line| Cell::Decimal(line.total_score, 1) },
        Column { heading: "考试次数", width: 10, cell: |line| Cell::Int(line.attempts) },
        Column { heading: "得分", width: 10, cell: score },
        Column { heading: "及格", width: 8, cell: |line| line.passed.map_or(Cell::Empty, Cell::Bool) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizClassScoreFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, QuizScoreLine>> {
        Ok(lines(connection, filter))
    }
}
