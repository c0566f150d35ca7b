//! What the sheet of exams looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    Quizzes,
    select::{QuizRow, select},
    wire::QuizFilter,
};

impl Export for Quizzes {
    type Filter = QuizFilter;
    type Row = QuizRow;
    const KIND: &'static str = "quiz.export";
    type Permission = super::ExportQuizzes;
    const TITLE: &'static str = "线上试卷";
    const COLUMNS: &'static [Column<QuizRow>] = &[
        Column { heading: "试卷名称", width: 32, cell: |exam| Cell::Text(exam.exam_name.clone()) },
        Column { heading: "分类", width: 16, cell: |exam| Cell::text(exam.category_name.clone()) },
        Column { heading: "讲师", width: 12, cell: |exam| Cell::text(exam.lecturer_name.clone()) },
        Column { heading: "题数", width: 8, cell: |exam| Cell::Int(exam.problem_total.into()) },
        Column { heading: "总分", width: 8, cell: |exam| Cell::Decimal(exam.total_score, 1) },
        Column { heading: "及格分", width: 8, cell: |exam| Cell::Decimal(exam.pass_score, 1) },
        Column { heading: "时长(分钟)", width: 12, cell: |exam| Cell::Int(exam.duration_minutes.into()) },
        Column {
            heading: "考试次数",
            width: 10,
            cell: |exam| match exam.attempt_limit {
                0 => Cell::Text("不限".to_owned()),
                limit => Cell::Int(limit.into()),
            },
        },
        Column { heading: "免费", width: 8, cell: |exam| Cell::Bool(exam.is_free) },
        Column { heading: "原价(元)", width: 12, cell: |exam| Cell::Decimal(exam.price_original, 2) },
        Column { heading: "优惠价(元)", width: 12, cell: |exam| Cell::Decimal(exam.price_sale, 2) },
        Column { heading: "参考数", width: 10, cell: |exam| Cell::Int(exam.count_join) },
        Column { heading: "待批改数", width: 10, cell: |exam| Cell::Int(exam.count_marking) },
        Column { heading: "购买数", width: 10, cell: |exam| Cell::Int(exam.count_buy) },
        Column { heading: "上架状态", width: 10, cell: |exam| Cell::Text(exam.putaway.zh().to_owned()) },
        Column { heading: "审核状态", width: 10, cell: |exam| Cell::Text(exam.audit_status.zh().to_owned()) },
        Column {
            heading: "未发布版本",
            width: 12,
            cell: |exam| Cell::text(exam.revision_status.map(|status| status.zh())),
        },
        Column { heading: "推荐中", width: 8, cell: |exam| Cell::Bool(exam.recommended) },
        Column { heading: "启用", width: 8, cell: |exam| Cell::Bool(exam.enabled) },
        Column { heading: "创建时间", width: 20, cell: |exam| Cell::DateTime(exam.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, QuizRow>> {
        Ok(select(connection, app.clock().now(), None, filter, None))
    }
}
