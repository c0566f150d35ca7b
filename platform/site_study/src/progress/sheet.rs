//! What the sheet of progress looks like.

use infra::{
    App, Result, Scope,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{SiteProgress, SiteProgressFilter, SiteProgresses, list::select};

impl Export for SiteProgresses {
    type Filter = SiteProgressFilter;
    type Row = SiteProgress;
    const KIND: &'static str = "site_progress.export";
    type Permission = super::ExportSiteProgress;
    const PLAIN: Option<&'static str> = Some("course:pc:progress:exportPlain");
    const TITLE: &'static str = "学习进度";
    const COLUMNS: &'static [Column<SiteProgress>] = &[
        Column { heading: "学员", width: 14, cell: |each| Cell::Text(each.learner_name.clone()) },
        Column { heading: "手机", width: 16, cell: |each| Cell::Text(each.phone.clone()) },
        Column { heading: "课程名称", width: 32, cell: |each| Cell::Text(each.course_name.clone()) },
        Column { heading: "已学课时", width: 10, cell: |each| Cell::Int(each.finished) },
        Column { heading: "总课时", width: 10, cell: |each| Cell::Int(each.period_total) },
        Column { heading: "进度(%)", width: 10, cell: |each| tenths(each.progress) },
        Column { heading: "学习时长(分钟)", width: 14, cell: |each| Cell::Int(each.watched_seconds / 60) },
        Column { heading: "开始学习", width: 20, cell: |each| Cell::DateTime(each.started_at) },
        Column { heading: "最近学习", width: 20, cell: |each| Cell::DateTime(each.last_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SiteProgressFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, SiteProgress>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(each: &mut SiteProgress) {
        each.mask();
    }
}
