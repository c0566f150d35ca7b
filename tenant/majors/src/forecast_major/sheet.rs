//! What the export of filings looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{ForecastMajor, ForecastMajorFilter, ForecastMajors};

impl Export for ForecastMajors {
    type Filter = ForecastMajorFilter;
    type Row = ForecastMajor;
    const KIND: &'static str = "forecast_major.export";
    type Permission = super::ExportForecastMajors;
    const TITLE: &'static str = "拟招生专业";
    const COLUMNS: &'static [Column<ForecastMajor>] = &[
        Column { heading: "招生年份", width: 10, cell: |row| Cell::Int(row.year.into()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "校内专业代码", width: 14, cell: |row| Cell::Text(row.major_code.clone()) },
        Column { heading: "国家专业代码", width: 14, cell: |row| Cell::Text(row.national_code.clone()) },
        Column { heading: "专业", width: 28, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "层次", width: 12, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "学制", width: 8, cell: |row| tenths(row.schooling_years) },
        Column { heading: "拟招人数", width: 10, cell: |row| Cell::Int(row.planned_quota.into()) },
        Column { heading: "学费(元/年)", width: 12, cell: |row| Cell::decimal(row.tuition_per_year, 2) },
        Column { heading: "站点数", width: 8, cell: |row| Cell::Int(row.site_count) },
        Column {
            heading: "拟招站点",
            width: 40,
            cell: |row| {
                let names: Vec<&str> = row.sites.iter().map(|site| site.name.as_str()).collect();
                Cell::Text(names.join("、"))
            },
        },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "备案号", width: 20, cell: |row| Cell::text(row.filing_no.clone()) },
        Column { heading: "备案日期", width: 12, cell: |row| Cell::date(row.filed_on) },
        Column { heading: "结果说明", width: 30, cell: |row| Cell::text(row.filing_result.clone()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ForecastMajorFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ForecastMajor>> {
        Self::all(connection, filter, scope).await
    }
}
