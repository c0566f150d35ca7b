//! 导入选课: every row or none, by the same rules as 补选; which opening is meant follows from the student (part 03 B4).
//!
//! The rows are read as they come and judged together behind the last: each counts for those after it, and openings and students
//! are held once, in their order.

use std::collections::HashMap;

use course_selection_rules::sheet::{Candidate, meant};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, RowError, Template},
    token::Area,
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported, SentFile},
};
use poem_openapi::OpenApi;
use student_status::{id_card::fold, student::check::NOT_YOURS};

use super::{
    FetchSelectionSheet, ImportSelections, locked,
    save::{NO_RETAKES, RETAKES, tell_added},
};
use crate::{
    admission::{Accepted, Applying, Pair, Refusal, Standing, decide, put_back, standing, write},
    enums::{OpeningKind, SelectionSource},
    opening::hold_of,
    tell,
};

/// The sources that a sheet may name.
const SOURCES: &[(&str, SelectionSource)] = &[
    ("自选", SelectionSource::Own),
    ("补选", SelectionSource::Admin),
    ("重修", SelectionSource::Retake),
    ("补修", SelectionSource::MakeupStudy),
];
/// Of a selection that goes with its sheet.
const UNDONE: &str = "撤销导入";

pub struct ImportSelection;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl ImportSelection {
    /// 导入选课
    #[oai(path = "/import", method = "post", operation_id = "importSelections")]
    async fn import(&self, caller: Allowed<ImportSelections>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<SelectionSheet>(&caller, form).await
    }

    /// 选课导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSelectionImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSelectionSheet>) -> Result<Attachment> {
        transfer::template::<SelectionSheet, _>(&caller).await
    }
}

/// A student that a row names.
struct Known {
    id: i64,
    grade_id: i64,
    major_id: i64,
    site_id: i64,
    class_id: Option<i64>,
}

/// A row that is right by itself.
struct Line {
    row: u32,
    pair: Pair,
}

/// One import, with what its rows may name.
pub(super) struct SelectionSheet {
    scope: Scope,
    dry_run: bool,
    /// Whom whoever sent it may put where they repeat a course.
    retakes: Option<Scope>,
    /// By code, in lower case.
    semesters: HashMap<String, i64>,
    courses: HashMap<String, i64>,
    classes: HashMap<String, i64>,
    /// Opened ones by semester and course.
    openings: HashMap<(i64, i64), Vec<Candidate>>,
    /// The row in which a student and a course of a semester stood first.
    seen: HashMap<(i64, i64, i64), u32>,
    lines: Vec<Line>,
}

impl Import for SelectionSheet {
    const KIND: &'static str = "course_selection.import";
    type Permission = ImportSelections;
    const COUNTED: &'static [&'static str] = &["学期编码", "来源"];

    const CODES: &'static [(&'static str, &'static str)] =
        &[("学期编码", "semester"), ("课程代码", "course"), ("上课班级编码", "class")];

    fn template() -> Template {
        Template {
            title: "选课",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::required("课程代码", ""),
                InputColumn::required("来源", "").one_of(SOURCES.iter().map(|(word, _)| *word)),
                InputColumn::optional("上课班级编码", "不填为学生所在班级"),
                InputColumn::optional("备注", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let lower = |rows: Vec<(String, i64)>| rows.into_iter().map(|(code, id)| (code.to_lowercase(), id)).collect();
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let classes = sqlx::query!("select code, id from class").fetch_all(&mut **tx).await?;
        let rows = sqlx::query!(
            r#"select id, semester_id, course_id, kind as "kind: OpeningKind", grade_id, major_id
               from course_opening where status = 'opened' order by id"#
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut openings: HashMap<(i64, i64), Vec<Candidate>> = HashMap::new();
        for row in rows {
            let candidate = Candidate { id: row.id, kind: row.kind, grade_id: row.grade_id, major_id: row.major_id };
            openings.entry((row.semester_id, row.course_id)).or_default().push(candidate);
        }
        Ok(Self {
            scope,
            dry_run: false,
            retakes: None,
            semesters: lower(semesters.into_iter().map(|row| (row.code, row.id)).collect()),
            courses: lower(courses.into_iter().map(|row| (row.code, row.id)).collect()),
            classes: lower(classes.into_iter().map(|row| (row.code, row.id)).collect()),
            openings,
            seen: HashMap::new(),
            lines: Vec::new(),
        })
    }

    /// The right is that of this moment: a job may begin long after the file was sent.
    async fn begin(&mut self, tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        self.dry_run = sent.dry_run;
        let rights = tx.app().rights(tx.actor().id, Area::School, sent.school).await?;
        self.retakes = rights.get(RETAKES).cloned();
        Ok(())
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).map(|number| fold(&number)).collect();
        let found = sqlx::query!(
            r#"select student_no as "student_no!", id, grade_id, major_id, site_id, class_id from student
               where student_no = any($1)"#,
            &numbers
        )
        .fetch_all(&mut **tx)
        .await?;
        let known = |id, grade_id, major_id, site_id, class_id| Known { id, grade_id, major_id, site_id, class_id };
        let students: HashMap<String, Known> = found
            .into_iter()
            .map(|row| (row.student_no, known(row.id, row.grade_id, row.major_id, row.site_id, row.class_id)))
            .collect();
        for row in rows {
            if let Some(pair) = self.read(row, &students) {
                self.lines.push(Line { row: row.number(), pair });
            }
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write_them: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let pairs: Vec<Pair> = lines.iter().map(|line| line.pair.clone()).collect();
        let now = tx.app().clock().now();
        let retakes = self.retakes.as_ref().unwrap_or(&self.scope);
        let applying = Applying { scope: &self.scope, retakes, learner: false, writes: !self.dry_run, now };
        let decision = decide(tx, &pairs, applying).await?;
        let note = |place: usize, column: &str, message: String| RowError {
            row: lines[place].row,
            column: column.to_owned(),
            message,
        };
        let mut finished = Finished {
            errors: decision.refused.iter().map(|(place, why)| note(*place, column_of(why), why.to_string())).collect(),
            warnings: decision.warnings.iter().map(|(place, text)| note(*place, "课程代码", text.clone())).collect(),
            changes: Vec::new(),
        };
        if write_them && finished.errors.is_empty() {
            let accepted: Vec<&Accepted> = decision.accepted.iter().map(|(_, accepted)| accepted).collect();
            finished.changes = write(tx, &accepted).await?;
            tell_added(tx, &accepted).await?;
        }
        Ok(finished)
    }

    /// All openings of the sheet at once and in their order, whichever the order of its rows.
    async fn hold(tx: &mut Tx, records: &[i64]) -> Result<()> {
        hold_of(tx, records).await?;
        Ok(())
    }

    /// A new selection goes, one that was taken up again stands as it stood; whoever has a score meanwhile stays.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let openings = hold_of(tx, &[record.id]).await?;
        let before = locked(tx, record.id, scope).await?;
        openings.get(&before.opening_id).ok_or_else(Error::not_found)?.roster_may_change()?;
        if !before.status.is_active() {
            return Err(Imported::changed());
        }
        if record.is_new("course_selection") {
            tx.remove("course_selection", record.id, &before.name).await?;
            tell(tx, &[before.student_id], format!("退选《{}》（{UNDONE}）", before.course_name)).await?;
            return Ok(Some(Change::deleted("course_selection", record.id, &before)));
        }
        let now = standing(tx, &[record.id]).await?.remove(&record.id).ok_or_else(Error::not_found)?;
        let stood: Standing = record.former(&now)?;
        put_back(tx, record.id, &stood).await?;
        tell(tx, &[before.student_id], format!("退选《{}》（{UNDONE}）", before.course_name)).await?;
        Ok(Some(Change::edited("course_selection", record.id, &now, &stood).because(Some(UNDONE))))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select s.name from course_selection c join student s on s.id = c.student_id where c.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

/// The column at which a refusal is told.
fn column_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotYours | Refusal::Status(_) => "学号",
        Refusal::ClassNotYours | Refusal::ClassOff(_) | Refusal::OtherClass(_) => "上课班级编码",
        Refusal::ClosedSemester(_) => "学期编码",
        _ => "课程代码",
    }
}

impl SelectionSheet {
    /// What the row asks for; none, with the reasons on the row, when it is wrong.
    fn read(&mut self, row: &mut Row, students: &HashMap<String, Known>) -> Option<Pair> {
        let number = fold(&row.required("学号"));
        let semester = referred(row, "学期编码", &self.semesters);
        let course = referred(row, "课程代码", &self.courses);
        let source = row.one_of("来源", SOURCES);
        if source == Some(SelectionSource::Retake) && self.retakes.is_none() {
            row.refuse("来源", NO_RETAKES);
        }
        let class_id = referred(row, "上课班级编码", &self.classes);
        let remark = row.text("备注");
        if remark.as_deref().is_some_and(|remark| remark.chars().count() > 200) {
            row.refuse("备注", "不能超过200个字符");
        }
        let student = match students.get(&number) {
            Some(student) => student,
            None => {
                if !number.is_empty() {
                    row.refuse("学号", "没有该学号的学生");
                }
                return None;
            }
        };
        if !self.scope.sees(Some(student.site_id), student.class_id) {
            row.refuse("学号", NOT_YOURS);
            return None;
        }
        let (semester, course, source) = (semester?, course?, source?);
        let first = *self.seen.entry((student.id, semester, course)).or_insert(row.number());
        if first != row.number() {
            row.refuse("课程代码", format!("与第{first}行是同一名学生的同一门课程"));
        }
        let candidates = self.openings.get(&(semester, course)).map_or(&[] as &[Candidate], Vec::as_slice);
        let Some(opening_id) = meant(candidates, source, student.grade_id, student.major_id) else {
            row.refuse("课程代码", Refusal::NotOpened.to_string());
            return None;
        };
        if !row.errors().is_empty() {
            return None;
        }
        Some(Pair { student_id: student.id, opening_id, source, class_id, remark })
    }
}

/// The id behind a code; one that nothing has is refused on the row.
fn referred(row: &mut Row, heading: &str, known: &HashMap<String, i64>) -> Option<i64> {
    let code = row.text(heading)?;
    let found = known.get(&code.to_lowercase()).copied();
    if found.is_none() {
        row.refuse(heading, format!("编码“{code}”不存在"));
    }
    found
}
