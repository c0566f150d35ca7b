//! 导入学习进度: what students studied on another platform, the least that is shown of their courses from now on. Never lowers
//! anything; a row that brings nothing new is imported all the same.

use std::collections::HashMap;

use chrono::NaiveDate;
use course_selection::enums::SelectionStatus;
use infra::{
    Change, Error, Result, Scope, Tx,
    clock::{Moment, day_began, day_ended},
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{Import, Imported},
};
use poem_openapi::Object;
use student_status::{id_card::fold, student::check::NOT_YOURS};

use super::ImportProgress;
use crate::counting::{self, Counting};

/// What of a course came from another platform.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
struct FromElsewhere {
    /// 导入的进度(%)
    imported_progress: Option<f64>,
    /// 导入的学习时长(秒)
    imported_seconds: i64,
    /// 完成时间
    finished_at: Option<Moment>,
}

/// A student that a row names, with their selections.
struct Known {
    site_id: i64,
    class_id: Option<i64>,
    selections: Vec<Candidate>,
}

/// A selection that a row may mean.
struct Candidate {
    id: i64,
    status: SelectionStatus,
    semester_id: i64,
    course_id: i64,
}

/// A semester that a row names.
struct Semester {
    id: i64,
    name: String,
    closed: bool,
}

impl Semester {
    fn is_closed(&self) -> String {
        format!("学期“{}”已关闭，不能修改", self.name)
    }
}

/// A row that is right.
struct Line {
    semester: i64,
    selection: i64,
    progress: f64,
    seconds: i64,
    finished_on: Option<NaiveDate>,
}

/// One import, with what its rows may name.
pub(super) struct ProgressSheet {
    scope: Scope,
    semesters: Codes<Semester>,
    courses: Codes<i64>,
    /// The row in which a selection stood first.
    seen: HashMap<i64, u32>,
}

impl Import for ProgressSheet {
    const KIND: &'static str = "study_progress.import";
    type Permission = ImportProgress;
    const COUNTED: &'static [&'static str] = &["学期编码", "课程代码"];

    const CODES: &'static [(&'static str, &'static str)] = &[("课程代码", "course"), ("学期编码", "semester")];

    fn template() -> Template {
        Template {
            title: "学习进度",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("课程代码", ""),
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::required("课程进度(%)", "0到100，最多一位小数"),
                InputColumn::optional("学习时长(分钟)", "整数"),
                InputColumn::optional("完成日期", "进度为100时可填"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let semesters = sqlx::query!(r#"select code, id, name, closed_at is not null as "closed!" from semester"#)
            .fetch_all(&mut **tx)
            .await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let semester = |id, name, closed| Semester { id, name, closed };
        Ok(Self {
            scope,
            semesters: semesters.into_iter().map(|row| (row.code, semester(row.id, row.name, row.closed))).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            seen: HashMap::new(),
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek("学号")).map(|number| fold(&number)).collect();
        let known = sqlx::query!(
            r#"select student_no as "student_no!", site_id, class_id from student where student_no = any($1)"#,
            &numbers
        )
        .fetch_all(&mut **tx)
        .await?;
        let found = sqlx::query!(
            r#"select s.student_no as "student_no!", c.id, c.status as "status: SelectionStatus", c.semester_id, c.course_id
               from student s join course_selection c on c.student_id = s.id
               where s.student_no = any($1)"#,
            &numbers
        )
        .fetch_all(&mut **tx)
        .await?;
        let student = |site_id, class_id| Known { site_id, class_id, selections: Vec::new() };
        let mut students: HashMap<String, Known> =
            known.into_iter().map(|row| (row.student_no, student(row.site_id, row.class_id))).collect();
        for row in found {
            if let Some(student) = students.get_mut(&row.student_no) {
                student.selections.push(Candidate {
                    id: row.id,
                    status: row.status,
                    semester_id: row.semester_id,
                    course_id: row.course_id,
                });
            }
        }
        let today = tx.app().clock().today();
        let lines: Vec<Line> = rows.iter_mut().filter_map(|row| self.read(row, &students, today)).collect();
        if write { write_all(tx, &lines).await } else { Ok(Vec::new()) }
    }

    async fn hold(tx: &mut Tx, records: &[i64]) -> Result<()> {
        counting::alone(tx).await?;
        counting::hold(tx, records).await
    }

    /// What stood there before stands there again; what was studied meanwhile stays.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        super::select::find(tx, record.id, scope).await?;
        let semester = sqlx::query_scalar!("select semester_id from course_selection where id = $1", record.id)
            .fetch_one(&mut **tx)
            .await?;
        in_open_semesters(tx, &[semester]).await?;
        counting::hold(tx, &[record.id]).await?;
        let now = from_elsewhere(tx, &[record.id]).await?.remove(&record.id).ok_or_else(Error::not_found)?;
        let stood: FromElsewhere = record.former(&now)?;
        let at = tx.app().clock().now();
        sqlx::query!(
            "update study_course_progress
             set imported_progress = round($2::float8::numeric, 1), imported_seconds = $3, finished_at = $4::timestamptz,
                 progress = case when $4 is not null then 100 else coalesce(round($2::float8::numeric, 1), 0) end
             where id = $1",
            record.id,
            stood.imported_progress,
            stood.imported_seconds,
            stood.finished_at as _
        )
        .execute(&mut **tx)
        .await?;
        counting::recount(tx, &[record.id], Counting::anew_at(at)).await?;
        Ok(Some(Change::edited("study_course_progress", record.id, &now, &stood)))
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

impl ProgressSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn read(&mut self, row: &mut Row, students: &HashMap<String, Known>, today: NaiveDate) -> Option<Line> {
        let number = fold(&row.required("学号"));
        let course = referred(row, "课程代码", &self.courses).copied();
        let semester = referred(row, "学期编码", &self.semesters);
        if let Some(closed) = semester.filter(|semester| semester.closed) {
            row.refuse("学期编码", closed.is_closed());
        }
        let tenths = row.decimal("课程进度(%)", 1);
        if tenths.is_some_and(|tenths| !(0..=1_000).contains(&tenths)) {
            row.refuse("课程进度(%)", "应在0到100之间");
        }
        let minutes = row.integer("学习时长(分钟)");
        if minutes.is_some_and(|minutes| !(0..=1_000_000).contains(&minutes)) {
            row.refuse("学习时长(分钟)", "应在0到1000000之间");
        }
        let finished_on = row.date("完成日期");
        if finished_on.is_some() && tenths != Some(1_000) {
            row.refuse("完成日期", "进度为100时才能填写完成日期");
        }
        if finished_on.is_some_and(|day| day > today) {
            row.refuse("完成日期", "不能晚于今天");
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
        // Of somebody beyond the scope nothing else is told.
        if !self.scope.sees(Some(student.site_id), student.class_id) {
            row.refuse("学号", NOT_YOURS);
            return None;
        }
        let (course, semester, tenths) = (course?, semester?.id, tenths?);
        let own = |candidate: &&Candidate| candidate.semester_id == semester && candidate.course_id == course;
        // Who repeats a course in the same semester goes on with the one that is not over.
        let of_course = student.selections.iter().filter(own).min_by_key(|candidate| match candidate.status {
            SelectionStatus::Selected => 0,
            SelectionStatus::Completed => 1,
            SelectionStatus::Pending => 2,
            SelectionStatus::Dropped | SelectionStatus::Exempted => 3,
        });
        let Some(candidate) = of_course else {
            row.refuse("课程代码", "该学生在该学期没有选这门课程");
            return None;
        };
        if candidate.status != SelectionStatus::Selected {
            row.refuse("课程代码", format!("该学生的选课为{}，不能导入学习进度", candidate.status.zh()));
        }
        let first = *self.seen.entry(candidate.id).or_insert(row.number());
        if first != row.number() {
            row.refuse("课程代码", format!("与第{first}行是同一名学生的同一门课程"));
        }
        if !row.errors().is_empty() {
            return None;
        }
        Some(Line {
            semester,
            selection: candidate.id,
            progress: tenths as f64 / 10.0,
            seconds: minutes.unwrap_or(0) * 60,
            finished_on,
        })
    }
}

/// What these selections have from other platforms.
async fn from_elsewhere(tx: &mut Tx, selections: &[i64]) -> Result<HashMap<i64, FromElsewhere>> {
    let rows = sqlx::query!(
        r#"select id, imported_progress::float8 as imported_progress, imported_seconds, finished_at
           from study_course_progress where id = any($1)"#,
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    let of = |imported_progress, imported_seconds, finished_at| FromElsewhere {
        imported_progress,
        imported_seconds,
        finished_at,
    };
    Ok(rows.into_iter().map(|row| (row.id, of(row.imported_progress, row.imported_seconds, row.finished_at))).collect())
}

/// Holds semesters against their closing.
///
/// # Errors
/// 409 when one is closed.
async fn in_open_semesters(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let semesters = sqlx::query_as!(
        Semester,
        r#"select id, name, closed_at is not null as "closed!" from semester where id = any($1) order by id for share"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    match semesters.iter().find(|semester| semester.closed) {
        Some(closed) => Err(Error::conflict(closed.is_closed())),
        None => Ok(()),
    }
}

async fn write_all(tx: &mut Tx, lines: &[Line]) -> Result<Vec<Change>> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let now = tx.app().clock().now();
    let ids: Vec<i64> = lines.iter().map(|line| line.selection).collect();
    counting::alone(tx).await?;
    let semesters: Vec<i64> = lines.iter().map(|line| line.semester).collect();
    in_open_semesters(tx, &semesters).await?;
    counting::hold(tx, &ids).await?;
    let before = from_elsewhere(tx, &ids).await?;
    let progress: Vec<f64> = lines.iter().map(|line| line.progress).collect();
    let seconds: Vec<i64> = lines.iter().map(|line| line.seconds).collect();
    // Whoever finished on a day did so by its end.
    let finished: Vec<Option<Moment>> =
        lines.iter().map(|line| line.finished_on.map(|day| day_ended(day).min(now).max(day_began(day)))).collect();
    sqlx::query!(
        "update study_course_progress x
         set imported_progress = greatest(coalesce(x.imported_progress, 0), round(n.progress::numeric, 1)),
             imported_seconds = greatest(x.imported_seconds, n.seconds),
             progress = case when n.finished is not null then 100 else x.progress end,
             finished_at = coalesce(x.finished_at, n.finished)
         from unnest($1::bigint[], $2::float8[], $3::bigint[], $4::timestamptz[]) as n (id, progress, seconds, finished)
         where x.id = n.id",
        &ids,
        &progress,
        &seconds,
        &finished as &[Option<Moment>]
    )
    .execute(&mut **tx)
    .await?;
    counting::recount(tx, &ids, Counting::added_at(now)).await?;
    let after = from_elsewhere(tx, &ids).await?;
    let change = |id: &i64| {
        let (before, after) = (before.get(id)?, after.get(id)?);
        Some(Change::edited("study_course_progress", *id, before, after))
    };
    Ok(ids.iter().filter_map(change).collect())
}
