//! What the sheet of scores looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CourseRating, CourseRatingFilter, Ratings, list::select};

impl Export for Ratings {
    type Filter = CourseRatingFilter;
    type Row = CourseRating;
    const KIND: &'static str = "course_rating.export";
    type Permission = super::ExportCourseRatings;
    const TITLE: &'static str = "课程评分";
    const COLUMNS: &'static [Column<CourseRating>] = &[
        Column { heading: "课程名称", width: 32, cell: |each| Cell::Text(each.course_name.clone()) },
        Column { heading: "课程类型", width: 12, cell: |each| Cell::Text(each.course_type.zh().to_owned()) },
        Column { heading: "用户", width: 14, cell: |each| Cell::Text(each.learner_name.clone()) },
        Column { heading: "评分", width: 8, cell: |each| Cell::Int(each.score.into()) },
        Column { heading: "内容", width: 50, cell: |each| Cell::text(each.content.clone()) },
        Column { heading: "评分时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseRatingFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CourseRating>> {
        Ok(select(connection, None, filter, None))
    }
}
