//! What the sheet of figures looks like.

use infra::{
    App, Result, Scope,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CourseFigures, CourseFiguresFilter, SiteFigures, list::select};

impl Export for SiteFigures {
    type Filter = CourseFiguresFilter;
    type Row = CourseFigures;
    const KIND: &'static str = "site_figures.export";
    type Permission = super::ExportSiteFigures;
    const TITLE: &'static str = "课程统计";
    const COLUMNS: &'static [Column<CourseFigures>] = &[
        Column { heading: "课程名称", width: 32, cell: |each| Cell::Text(each.course_name.clone()) },
        Column { heading: "课程类型", width: 12, cell: |each| Cell::Text(each.course_type.zh().to_owned()) },
        Column { heading: "分类", width: 16, cell: |each| Cell::Text(each.category_name.clone()) },
        Column { heading: "讲师", width: 12, cell: |each| Cell::Text(each.lecturer_name.clone()) },
        Column { heading: "购买数", width: 10, cell: |each| Cell::Int(each.count_buy) },
        Column { heading: "收入(元)", width: 12, cell: |each| Cell::Decimal(each.income, 2) },
        Column { heading: "学习人数", width: 10, cell: |each| Cell::Int(each.learners) },
        Column { heading: "学习时长(分钟)", width: 14, cell: |each| Cell::Int(each.studied_seconds / 60) },
        Column { heading: "完课率(%)", width: 10, cell: |each| each.finished_rate.map_or(Cell::Empty, tenths) },
        Column {
            heading: "平均进度(%)", width: 12, cell: |each| each.average_progress.map_or(Cell::Empty, tenths)
        },
        Column { heading: "评分", width: 8, cell: |each| each.score_avg.map_or(Cell::Empty, tenths) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseFiguresFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CourseFigures>> {
        Ok(select(connection, filter, None))
    }
}
