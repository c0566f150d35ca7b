//! What the sheet of recommendations looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{QuizRecommend, QuizRecommendFilter, QuizRecommends, list::select};

impl Export for QuizRecommends {
    type Filter = QuizRecommendFilter;
    type Row = QuizRecommend;
    const KIND: &'static str = "exam_recommend.export";
    type Permission = super::ExportQuizRecommends;
    const TITLE: &'static str = "推荐试卷";
    const COLUMNS: &'static [Column<QuizRecommend>] = &[
        Column { heading: "试卷名称", width: 32, cell: |each| Cell::Text(each.exam_name.clone()) },
        Column { heading: "位置", width: 12, cell: |each| Cell::Text(each.position.zh().to_owned()) },
        Column { heading: "分类", width: 16, cell: |each| Cell::text(each.category_name.clone()) },
        Column { heading: "开始时间", width: 20, cell: |each| Cell::time(each.begins_at) },
        Column { heading: "结束时间", width: 20, cell: |each| Cell::time(each.ends_at) },
        Column { heading: "展示状态", width: 10, cell: |each| Cell::Text(each.standing.zh().to_owned()) },
        Column { heading: "排序", width: 8, cell: |each| Cell::Int(each.sort.into()) },
        Column { heading: "启用", width: 8, cell: |each| Cell::Bool(each.enabled) },
        Column { heading: "创建时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizRecommendFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, QuizRecommend>> {
        Ok(select(connection, app.clock().now(), None, filter, None))
    }
}
