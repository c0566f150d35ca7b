//! What the sheet of types looks like. They are not imported.

use course_rules::curriculum_type::matches;
use futures_util::{StreamExt, TryStreamExt, future};
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CurriculumType, CurriculumTypeFilter, CurriculumTypes, select};
use crate::course::ExamForm;

impl Export for CurriculumTypes {
    type Filter = CurriculumTypeFilter;
    type Row = CurriculumType;
    const KIND: &'static str = "curriculum_type.export";
    type Permission = super::ExportCurriculumTypes;
    const TITLE: &'static str = "课程类型";
    const COLUMNS: &'static [Column<CurriculumType>] = &[
        Column { heading: "名称", width: 24, cell: |kind| Cell::Text(kind.name.clone()) },
        Column { heading: "编码", width: 14, cell: |kind| Cell::Text(kind.code.clone()) },
        Column { heading: "上级类型", width: 24, cell: |kind| Cell::text(kind.parent_name.clone()) },
        Column { heading: "系统类别", width: 18, cell: |kind| Cell::Text(kind.system_kind.zh().to_owned()) },
        Column {
            heading: "默认考核类型",
            width: 14,
            cell: |kind| Cell::text(kind.default_exam_form.map(ExamForm::zh).map(ToOwned::to_owned)),
        },
        Column { heading: "课程数", width: 10, cell: |kind| Cell::Int(kind.course_count) },
        Column { heading: "启用", width: 8, cell: |kind| Cell::Bool(kind.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CurriculumTypeFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CurriculumType>> {
        let filter = filter.clone();
        Ok(select(connection, None).try_filter(move |kind| future::ready(matches(kind, &filter))).boxed())
    }
}
