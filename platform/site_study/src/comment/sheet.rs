//! What the sheet of comments looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Comments, CourseComment, CourseCommentFilter, list::select};

impl Export for Comments {
    type Filter = CourseCommentFilter;
    type Row = CourseComment;
    const KIND: &'static str = "course_comment.export";
    type Permission = super::ExportCourseComments;
    const TITLE: &'static str = "课程评论";
    const COLUMNS: &'static [Column<CourseComment>] = &[
        Column { heading: "课程名称", width: 32, cell: |each| Cell::Text(each.course_name.clone()) },
        Column { heading: "课程类型", width: 12, cell: |each| Cell::Text(each.course_type.zh().to_owned()) },
        Column { heading: "用户", width: 14, cell: |each| Cell::Text(each.learner_name.clone()) },
        Column { heading: "内容", width: 60, cell: |each| Cell::Text(each.content.clone()) },
        Column { heading: "审核状态", width: 10, cell: |each| Cell::Text(each.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 30, cell: |each| Cell::text(each.audit_opinion.clone()) },
        Column { heading: "置顶", width: 8, cell: |each| Cell::Bool(each.is_top) },
        Column { heading: "点赞", width: 8, cell: |each| Cell::Int(each.like_count) },
        Column { heading: "回复数", width: 8, cell: |each| Cell::Int(each.answer_count) },
        Column { heading: "发表时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseCommentFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CourseComment>> {
        Ok(select(connection, None, filter, None))
    }
}
