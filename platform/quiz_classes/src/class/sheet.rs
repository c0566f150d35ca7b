//! What the sheet of classes looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{QuizClass, QuizClassFilter, QuizClasses, list::select};

impl Export for QuizClasses {
    type Filter = QuizClassFilter;
    type Row = QuizClass;
    const KIND: &'static str = "quiz_class.export";
    type Permission = super::ExportQuizClasses;
    const TITLE: &'static str = "考试班级";
    const COLUMNS: &'static [Column<QuizClass>] = &[
        Column { heading: "班级名称", width: 24, cell: |class| Cell::Text(class.grade_name.clone()) },
        Column { heading: "讲师", width: 12, cell: |class| Cell::text(class.lecturer_name.clone()) },
        Column { heading: "邀请码", width: 10, cell: |class| Cell::Text(class.invite_code.clone()) },
        Column { heading: "已加入人数", width: 12, cell: |class| Cell::Int(class.joined_count) },
        Column { heading: "待审核人数", width: 12, cell: |class| Cell::Int(class.pending_count) },
        Column { heading: "人数上限", width: 10, cell: |class| Cell::Int(class.max_members.into()) },
        Column { heading: "考试数", width: 8, cell: |class| Cell::Int(class.exam_count) },
        Column { heading: "入班方式", width: 10, cell: |class| Cell::Text(class.verify.zh().to_owned()) },
        Column { heading: "开始日期", width: 12, cell: |class| Cell::Date(class.starts_on) },
        Column { heading: "结束日期", width: 12, cell: |class| Cell::Date(class.ends_on) },
        Column { heading: "启用", width: 8, cell: |class| Cell::Bool(class.enabled) },
        Column { heading: "创建时间", width: 20, cell: |class| Cell::DateTime(class.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizClassFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, QuizClass>> {
        Ok(select(connection, None, filter, None))
    }
}
