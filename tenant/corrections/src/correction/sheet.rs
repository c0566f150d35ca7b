//! What the export of corrections looks like.

use futures_util::TryStreamExt;
use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;
use student_status::student::{
    correct::KeyFields,
    references::{Word, words},
};

use super::{Correction, CorrectionFilter, Corrections};

/// The values of one side in words: `姓名：张三；证件号：110***********002X`.
fn told(fields: &KeyFields) -> String {
    let values = [
        ("姓名", fields.name.clone()),
        ("性别", fields.gender.map(|gender| gender.zh().to_owned())),
        ("出生日期", fields.birthday.map(|day| day.to_string())),
        ("民族", fields.ethnicity.clone()),
        ("证件类型", fields.id_card_type.map(|kind| kind.zh().to_owned())),
        ("证件号", fields.id_card_no.clone()),
        ("考生号", fields.examinee_no.clone()),
    ];
    let told: Vec<String> =
        values.into_iter().filter_map(|(label, value)| Some(format!("{label}：{}", value?))).collect();
    told.join("；")
}

fn in_words(code: Option<String>, words: &[Word]) -> Option<String> {
    code.map(|code| words.iter().find(|word| word.value == code).map_or(code.clone(), |word| word.label.clone()))
}

impl Export for Corrections {
    type Filter = CorrectionFilter;
    type Row = Correction;
    const KIND: &'static str = "student_correction.export";
    type Permission = super::ExportCorrections;
    const PLAIN: Option<&'static str> = Some("adult:pc:correction:exportPlain");
    const TITLE: &'static str = "信息更正";
    const COLUMNS: &'static [Column<Correction>] = &[
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "更正状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "更正类型", width: 14, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "更正前", width: 36, cell: |row| Cell::Text(told(&row.before)) },
        Column { heading: "更正后", width: 36, cell: |row| Cell::Text(told(&row.after)) },
        Column { heading: "说明", width: 30, cell: |row| Cell::Text(row.reason.clone()) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "申请人", width: 12, cell: |row| Cell::Text(row.applicant_name.clone()) },
        Column { heading: "申请时间", width: 20, cell: |row| Cell::time(Some(row.created_at)) },
        Column { heading: "省厅文号", width: 20, cell: |row| Cell::text(row.province_doc_no.as_deref()) },
        Column { heading: "办结日期", width: 12, cell: |row| Cell::date(row.decided_on) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &CorrectionFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Correction>> {
        let (ethnicities, _) = words(app).await?;
        let rows = Self::all(connection, filter, scope).await?;
        Ok(Box::pin(rows.map_ok(move |mut row| {
            row.before.ethnicity = in_words(row.before.ethnicity, &ethnicities);
            row.after.ethnicity = in_words(row.after.ethnicity, &ethnicities);
            row
        })))
    }

    fn mask(row: &mut Correction) {
        row.mask();
    }
}
