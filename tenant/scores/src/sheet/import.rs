//! 导入成绩: into the rows of sheets, every row or none, each as if somebody had typed it (part 04 §6.3). What the page of offline
//! scores imports goes the same way.

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{OpenApi, param::Query};
use scores_rules::{
    arith::{parsed, points},
    enums::{ExamScoreSource, ScoreMark},
    sheet::{SheetTurn, after},
};
use student_status::id_card::fold;

use super::{
    FetchSheetSheet, ImportSheets,
    enter::{EntryContent, hold_of_rows, judged, rows_of, write_row},
    hold::Reach,
    write::{count, follow_rows},
};
use crate::score::settle;

pub struct ImportSheetRows;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl ImportSheetRows {
    /// 导入成绩登记表
    /// 一张登记表，或按登记表号导入多张
    #[oai(path = "/import", method = "post", operation_id = "importScoreSheets")]
    async fn import(
        &self,
        caller: Allowed<ImportSheets>,
        /// 登记表
        /// 不填为按各行的登记表号
        #[oai(name = "sheetId")]
        sheet_id: Query<Option<i64>>,
        form: ImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        transfer::import_into::<SheetRows>(&caller, form, sheet_id.0).await
    }

    /// 成绩登记表导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchScoreSheetImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSheetSheet>) -> Result<Attachment> {
        transfer::template::<SheetRows, _>(&caller).await
    }
}

/// One import of marks.
pub(crate) struct Marks {
    scope: Scope,
    /// The one sheet that is meant.
    sheet: Option<i64>,
    /// The line at which each row of a sheet stood first.
    seen: HashMap<i64, u32>,
    /// Who imports.
    name: String,
}

/// A row of a sheet that a line may mean.
struct Meant {
    row: i64,
    sheet: i64,
    sheet_no: String,
    name: String,
}

impl Marks {
    pub fn template(title: &'static str) -> Template {
        Template {
            title,
            columns: vec![
                InputColumn::optional("登记表号", "导入多张时必填，导入本表时不填"),
                InputColumn::required("课程编码", ""),
                InputColumn::required("学号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::optional("卷面成绩", "最多一位小数；与特殊情况填一项"),
                InputColumn::optional("特殊情况", "只能填缺考"),
            ],
        }
    }

    pub fn start(tx: &Tx, scope: Scope, sheet: Option<i64>) -> Self {
        Self { scope, sheet, seen: HashMap::new(), name: tx.actor().name.clone() }
    }

    /// Rows of the sheets within the scope by course and number of the student. Those beyond it are as unknown as others.
    async fn meant(&self, tx: &mut Tx, rows: &[Row]) -> Result<HashMap<(String, String), Vec<Meant>>> {
        let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).map(|number| fold(&number)).collect();
        let found = sqlx::query!(
            r#"select r.id as "id!", r.sheet_id as "sheet_id!", h.sheet_no as "sheet_no!", u.code as "code!",
                      y.student_no as "student_no!", y.name as "name!"
               from student y
               join course_score s on s.student_id = y.id
               join score_sheet_row r on r.course_score_id = s.id
               join score_sheet h on h.id = r.sheet_id
               join course u on u.id = h.course_id
               left join class k on k.id = h.class_id
               where y.student_no = any($1) and ($2::bigint is null or h.id = $2)
                 and ($3::bigint[] is null or k.site_id = any($3) or k.id = any($4::bigint[]))
               order by h.id desc"#,
            &numbers,
            self.sheet,
            self.scope.sites(),
            self.scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut meant: HashMap<(String, String), Vec<Meant>> = HashMap::new();
        for row in found {
            let key = (row.code.to_lowercase(), row.student_no);
            let one = Meant { row: row.id, sheet: row.sheet_id, sheet_no: row.sheet_no, name: row.name };
            meant.entry(key).or_default().push(one);
        }
        Ok(meant)
    }

    pub async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let meant = self.meant(tx, rows).await?;
        let of: Vec<i64> = meant.values().flatten().map(|one| one.row).collect();
        let sheets = hold_of_rows(tx, &of).await?;
        let held = rows_of(tx, &of).await?;
        let now = tx.app().clock().now();
        let (mut changes, mut done, mut touched, mut scores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let Some((found, raw, mark)) = self.read(row, &meant) else { continue };
            let (Some(before), Some(sheet)) = (held.get(&found.row), sheets.get(&found.sheet)) else { continue };
            if !sheet.status.is_open() || after(sheet.status, SheetTurn::Enter, sheet.review_levels).is_err() {
                row.refuse("登记表号", format!("登记表状态为{}，不能导入", sheet.status.zh()));
                continue;
            }
            if let Err(error) = sheet.in_time(now) {
                row.refuse("登记表号", error.msg.into_owned());
                continue;
            }
            let first = *self.seen.entry(found.row).or_insert(row.number());
            if first != row.number() {
                row.refuse("学号", format!("第 {} 行与第 {first} 行重复", row.number()));
                continue;
            }
            let (raw, mark) = match judged(before, raw.map(points), mark) {
                Ok(judged) => judged,
                Err(error) => {
                    let column = if mark.is_some() { "特殊情况" } else { "卷面成绩" };
                    row.refuse(column, error.msg.into_owned());
                    continue;
                }
            };
            if !write || !row.errors().is_empty() {
                continue;
            }
            changes.push(write_row(tx, before, raw, mark).await?);
            done.push(before.id);
            touched.push(before.sheet_id);
            scores.push(before.score_id);
        }
        if !done.is_empty() {
            follow_rows(tx, &done, Some(ExamScoreSource::Import), &self.name).await?;
            count(tx, &touched).await?;
            settle(tx, &scores).await?;
        }
        Ok(changes)
    }

    /// What a line says; none, with the reasons on it, when it is wrong.
    fn read<'m>(
        &self,
        row: &mut Row,
        meant: &'m HashMap<(String, String), Vec<Meant>>,
    ) -> Option<(&'m Meant, Option<i64>, Option<ScoreMark>)> {
        let sheet_no = row.text("登记表号");
        let (code, number, name) = (row.required("课程编码"), fold(&row.required("学号")), row.required("姓名"));
        let (raw, mark) = (row.text("卷面成绩"), row.text("特殊情况"));
        let raw = match raw {
            None => None,
            Some(text) => match parsed(&text, 10_000) {
                Some(raw) => Some(raw),
                None => {
                    row.refuse("卷面成绩", "卷面成绩应为不小于0的数字，最多一位小数");
                    return None;
                }
            },
        };
        let mark = match mark.as_deref() {
            None => None,
            Some(word) => match ScoreMark::CHOICES.iter().find(|(zh, _)| *zh == word) {
                Some((_, mark)) => Some(*mark),
                None => {
                    row.refuse("特殊情况", "特殊情况只能填缺考");
                    return None;
                }
            },
        };
        if raw.is_some() == mark.is_some() {
            row.refuse("卷面成绩", "卷面成绩和特殊情况须填写一项");
            return None;
        }
        if code.is_empty() || number.is_empty() || name.is_empty() {
            return None;
        }
        let all = meant.get(&(code.to_lowercase(), number)).map_or(&[] as &[Meant], Vec::as_slice);
        let found = match &sheet_no {
            Some(no) => all.iter().find(|one| one.sheet_no == *no),
            None if self.sheet.is_some() => all.first(),
            // A course has a sheet of each batch, class and round: only its number says which.
            None => {
                row.refuse("登记表号", "请填写登记表号");
                return None;
            }
        };
        let Some(found) = found else {
            row.refuse("学号", "登记表中没有该学生的这门课程");
            return None;
        };
        if found.name != name {
            row.refuse("姓名", "姓名与学号不符");
            return None;
        }
        Some((found, raw, mark))
    }

    pub async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let sheets = hold_of_rows(tx, &[record.id]).await?;
        let row = rows_of(tx, &[record.id]).await?.remove(&record.id).ok_or_else(Error::not_found)?;
        let sheet = sheets.get(&row.sheet_id).filter(|sheet| Reach::Scope(scope.clone()).sees(sheet));
        let sheet = sheet.ok_or_else(Error::not_found)?;
        after(sheet.status, SheetTurn::Enter, sheet.review_levels).map_err(|why| Error::conflict(why.to_string()))?;
        // Whoever takes marks back changes them: within the time of entering, too.
        sheet.in_time(tx.app().clock().now())?;
        if row.fixed {
            return Err(Imported::changed());
        }
        let former: EntryContent = record.former(&row.content())?;
        let raw = former.raw.and_then(|raw| scores_rules::arith::in_tenths(raw, row.paper_total));
        let change = write_row(tx, &row, raw, former.mark).await?;
        follow_rows(tx, &[row.id], None, "").await?;
        count(tx, &[row.sheet_id]).await?;
        settle(tx, &[row.score_id]).await?;
        Ok(Some(change))
    }

    pub async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        Ok(rows_of(tx, &[record.id]).await?.remove(&record.id).map(|row| row.name).unwrap_or_default())
    }
}

/// 成绩登记表.
pub(crate) struct SheetRows(Marks);

impl Import for SheetRows {
    const KIND: &'static str = "score_sheet.import";
    type Permission = ImportSheets;
    const CODES: &'static [(&'static str, &'static str)] = &[("课程编码", "course")];

    fn template() -> Template {
        Marks::template("成绩登记表")
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        Ok(Self(Marks::start(tx, scope, into)))
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        self.0.rows(tx, rows, write).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        Marks::undo(tx, scope, record).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        Marks::named(tx, record).await
    }
}
