//! What the export of selections looks like: half a million rows go through a thousand at a time.

use std::collections::HashMap;

use courses::course::ExamForm;
use futures_util::{TryStreamExt, stream};
use infra::{
    App, Result, Scope, mask,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    Selection, SelectionFilter, Selections,
    select::{in_order, parts},
};

/// A selection with what only its sheet shows.
pub struct SheetLine {
    selection: Selection,
    id_card_no: String,
    exam_form: ExamForm,
}

impl SheetLine {
    pub(super) fn selection(&self) -> &Selection {
        &self.selection
    }
}

impl Export for Selections {
    type Filter = SelectionFilter;
    type Row = SheetLine;
    const KIND: &'static str = "course_selection.export";
    type Permission = super::ExportSelections;
    const PLAIN: Option<&'static str> = Some("adult:pc:adult:selection:exportPlain");
    const TITLE: &'static str = "选课";
    const COLUMNS: &'static [Column<SheetLine>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.selection.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.selection.name.clone()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.selection.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.selection.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.selection.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.selection.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.selection.class_name.as_deref()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.selection.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.selection.course_code.clone()) },
        Column { heading: "课程名称", width: 28, cell: |row| Cell::Text(row.selection.course_name.clone()) },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(row.selection.nature.zh().to_owned()) },
        Column { heading: "学分", width: 8, cell: |row| tenths(row.selection.credits) },
        Column { heading: "考核类型", width: 10, cell: |row| Cell::Text(row.exam_form.zh().to_owned()) },
        Column { heading: "来源", width: 8, cell: |row| Cell::Text(row.selection.source.zh().to_owned()) },
        Column { heading: "修读次数", width: 10, cell: |row| Cell::Int(row.selection.attempt_no.into()) },
        Column { heading: "主讲教师", width: 12, cell: |row| Cell::text(row.selection.lecturer.as_deref()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.selection.status.zh().to_owned()) },
        Column { heading: "选课时间", width: 20, cell: |row| Cell::time(row.selection.selected_at) },
        Column { heading: "学习进度", width: 10, cell: |row| row.selection.progress.map_or(Cell::Empty, tenths) },
        Column {
            heading: "总评成绩", width: 10, cell: |row| row.selection.final_score.map_or(Cell::Empty, tenths)
        },
        Column { heading: "是否通过", width: 10, cell: |row| row.selection.passed.map_or(Cell::Empty, Cell::Bool) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SelectionFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SheetLine>> {
        let parts = parts(connection, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let lines = lines(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(lines.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }

    fn mask(row: &mut SheetLine) {
        row.id_card_no = mask::id_card(&row.id_card_no);
    }
}

async fn lines(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<SheetLine>> {
    let selections = in_order(connection, ids).await?;
    let beside = sqlx::query!(
        r#"select c.id, s.id_card_no, o.exam_form as "exam_form: ExamForm"
           from course_selection c join student s on s.id = c.student_id join course_opening o on o.id = c.opening_id
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut beside: HashMap<i64, (String, ExamForm)> =
        beside.into_iter().map(|row| (row.id, (row.id_card_no, row.exam_form))).collect();
    let line = |selection: Selection| {
        let (id_card_no, exam_form) = beside.remove(&selection.id)?;
        Some(SheetLine { selection, id_card_no, exam_form })
    };
    Ok(selections.into_iter().filter_map(line).collect())
}
