//! What the sheet of 文库资源 looks like. They are not imported.

use futures_util::TryStreamExt;
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use crate::course::score;

use super::{KIND, ResourceCourse, ResourceCourseFilter, ResourceCourses, select};

impl Export for ResourceCourses {
    type Filter = ResourceCourseFilter;
    type Row = ResourceCourse;
    const KIND: &'static str = "resource_course.export";
    type Permission = super::ExportResourceCourses;
    const TITLE: &'static str = "文库资源";
    const COLUMNS: &'static [Column<ResourceCourse>] = &[
        Column { heading: "资源名称", width: 32, cell: |course| Cell::Text(course.course_name.clone()) },
        Column { heading: "分类", width: 16, cell: |course| Cell::Text(course.category_name.clone()) },
        Column { heading: "讲师", width: 12, cell: |course| Cell::Text(course.lecturer_name.clone()) },
        Column { heading: "免费", width: 8, cell: |course| Cell::Bool(course.is_free) },
        Column { heading: "原价(元)", width: 12, cell: |course| Cell::Decimal(course.price_original, 2) },
        Column { heading: "优惠价(元)", width: 12, cell: |course| Cell::Decimal(course.price_sale, 2) },
        Column {
            heading: "有效天数",
            width: 10,
            cell: |course| course.valid_days.map_or(Cell::Text("永久".to_owned()), |days| Cell::Int(days.into())),
        },
        Column { heading: "文件类型", width: 10, cell: |course| Cell::text(course.resource_ext.clone()) },
        Column {
            heading: "页数",
            width: 8,
            cell: |course| course.resource_pages.map_or(Cell::Empty, |pages| Cell::Int(pages.into())),
        },
        Column {
            heading: "大小(字节)", width: 14, cell: |course| course.resource_size.map_or(Cell::Empty, Cell::Int)
        },
        Column { heading: "下载数", width: 8, cell: |course| Cell::Int(course.download_count) },
        Column { heading: "购买数", width: 10, cell: |course| Cell::Int(course.count_buy) },
        Column { heading: "购买基数", width: 10, cell: |course| Cell::Int(course.count_buy_base) },
        Column { heading: "评分", width: 8, cell: |course| score(course.score_avg) },
        Column { heading: "评分人数", width: 10, cell: |course| Cell::Int(course.score_count) },
        Column { heading: "上架状态", width: 10, cell: |course| Cell::Text(course.putaway.zh().to_owned()) },
        Column { heading: "审核状态", width: 10, cell: |course| Cell::Text(course.audit_status.zh().to_owned()) },
        Column {
            heading: "未发布版本",
            width: 12,
            cell: |course| Cell::text(course.revision_status.map(|status| status.zh())),
        },
        Column { heading: "推荐中", width: 8, cell: |course| Cell::Bool(course.recommended) },
        Column { heading: "启用", width: 8, cell: |course| Cell::Bool(course.enabled) },
        Column { heading: "创建时间", width: 20, cell: |course| Cell::DateTime(course.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &ResourceCourseFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, ResourceCourse>> {
        let courses = select(connection, KIND, app.clock().now(), None, &filter.into(), None);
        Ok(Box::pin(courses.map_ok(ResourceCourse::from)))
    }
}
