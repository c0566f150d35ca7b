//! What the sheet of recommendations looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CourseRecommend, CourseRecommendFilter, Recommends, list::select};

impl Export for Recommends {
    type Filter = CourseRecommendFilter;
    type Row = CourseRecommend;
    const KIND: &'static str = "course_recommend.export";
    type Permission = super::ExportRecommends;
    const TITLE: &'static str = "推荐课程";
    const COLUMNS: &'static [Column<CourseRecommend>] = &[
        Column { heading: "课程名称", width: 32, cell: |each| Cell::Text(each.course_name.clone()) },
        Column { heading: "课程类型", width: 12, cell: |each| Cell::Text(each.course_type.zh().to_owned()) },
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
        filter: &CourseRecommendFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CourseRecommend>> {
        Ok(select(connection, app.clock().now(), None, filter, None))
    }
}
