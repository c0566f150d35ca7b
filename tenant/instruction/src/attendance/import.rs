//! 导入面授考勤: every row or none, each as if somebody had registered it (part 03 B8).

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ByRow, ImportAnswer, ImportForm, Imported, RowImport},
};
use poem_openapi::{Object, OpenApi};
use serde_json::{Value, json};
use student_status::{id_card::fold, student::check::NOT_YOURS};

use super::{
    AttendanceContent, AttendanceItem, FetchAttendanceSheet, ImportAttendance, OpenSession, Registrar, hold_sessions,
    open_session, register, take_back,
};
use crate::enums::{AttendanceResult, AttendanceSource};

pub struct ImportAttendanceSheet;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction/attendance", tag = "crate::Tag::Instruction")]
impl ImportAttendanceSheet {
    /// 导入面授考勤
    #[oai(path = "/import", method = "post", operation_id = "importAttendance")]
    async fn import(&self, caller: Allowed<ImportAttendance>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<AttendanceSheet>>(&caller, form).await
    }

    /// 面授考勤导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchAttendanceImportTemplate")]
    async fn template(&self, caller: Allowed<FetchAttendanceSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<AttendanceSheet>, _>(&caller).await
    }
}

/// A row of the sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct AttendanceLine {
    /// 学号
    student_no: String,
    /// 课程
    course_id: i64,
    /// 上课日期
    date: NaiveDate,
    /// 开始节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    period_from: i32,
    /// 结果
    result: AttendanceResult,
}

/// One import, with what its rows may name.
pub(super) struct AttendanceSheet {
    scope: Scope,
    courses: Codes<i64>,
    /// Session and selection of all rows so far.
    done: HashSet<(i64, i64)>,
    /// Sessions of the rows so far: they are held, so that they stay as they are.
    opened: HashMap<i64, OpenSession>,
}

impl RowImport for AttendanceSheet {
    type Form = AttendanceLine;
    const KIND: &'static str = "instruction_attendance.import";
    type Permission = ImportAttendance;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("studentNo", "学号"),
        ("courseId", "课程代码"),
        ("date", "上课日期"),
        ("periodFrom", "开始节次"),
        ("result", "结果"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    const CODES: &'static [(&'static str, &'static str)] = &[("课程代码", "course")];

    fn template() -> Template {
        Template {
            title: "面授考勤",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("课程代码", ""),
                InputColumn::required("上课日期", "例如 2026-03-21"),
                InputColumn::required("开始节次", "1至14"),
                InputColumn::required("结果", "").one_of(AttendanceResult::CHOICES.iter().map(|(word, _)| *word)),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let courses = courses.into_iter().map(|row| (row.code, row.id)).collect();
        Ok(Self { scope, courses, done: HashSet::new(), opened: HashMap::new() })
    }

    /// The sessions of these rows, then the selections of all their students, in their order.
    async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        let (mut numbers, mut courses, mut days, mut lessons) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let course = row.peek("课程代码").and_then(|code| self.courses.get(&code).copied());
            let lesson = row.peek("开始节次").and_then(|no| no.parse::<i32>().ok());
            if let (Some(number), Some(course), Some(day), Some(lesson)) =
                (row.peek("学号"), course, row.peek_date("上课日期"), lesson)
            {
                numbers.push(fold(&number));
                courses.push(course);
                days.push(day);
                lessons.push(lesson);
            }
        }
        let found = sqlx::query!(
            r#"select distinct q.id as "session_id!", z.id as "selection_id!"
               from unnest($1::text[], $2::bigint[], $3::date[], $4::integer[]) as w (number, course, day, lesson)
               join student s on s.student_no = w.number
               join course_selection z on z.student_id = s.id and z.course_id = w.course
                    and z.status in ('selected', 'completed')
               join course_arrange_class c on c.opening_id = z.opening_id and c.class_id = z.class_id
               join course_arrange_session q on q.arrange_id = c.arrange_id and q.held_on = w.day
                    and q.period_from = w.lesson"#,
            &numbers,
            &courses,
            &days,
            &lessons
        )
        .fetch_all(&mut **tx)
        .await?;
        let (sessions, selections): (Vec<i64>, Vec<i64>) =
            found.into_iter().map(|row| (row.session_id, row.selection_id)).unzip();
        hold_sessions(tx, &sessions).await?;
        sqlx::query_scalar!(
            "select id from course_selection where id = any($1) order by id for no key update",
            &selections
        )
        .fetch_all(&mut **tx)
        .await?;
        Ok(())
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "studentNo": row.text("学号").map(|number| fold(&number)),
            "courseId": referred(row, "课程代码", &self.courses),
            "date": row.date("上课日期"),
            "periodFrom": row.integer("开始节次"),
            "result": row.one_of("结果", AttendanceResult::CHOICES).map(AttendanceResult::as_str),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: AttendanceLine) -> Result<Change> {
        let found = sqlx::query!(
            r#"select q.id as "session_id!", z.id as "selection_id!",
                      ($5::bigint[] is null or s.site_id = any($5) or s.class_id = any($6::bigint[])) as "seen!"
               from student s
               join course_selection z on z.student_id = s.id and z.course_id = $2 and z.status in ('selected', 'completed')
               join course_arrange_class c on c.opening_id = z.opening_id and c.class_id = z.class_id
               join course_arrange_session q on q.arrange_id = c.arrange_id and q.held_on = $3 and q.period_from = $4
               where s.student_no = $1
               order by q.status desc, q.id desc limit 1"#,
            form.student_no,
            form.course_id,
            form.date,
            form.period_from,
            self.scope.sites(),
            self.scope.classes()
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("date", "该学生这门课程在该日期和节次没有课"))?;
        if !found.seen {
            return Err(Error::field("studentNo", NOT_YOURS));
        }
        if !self.done.insert((found.session_id, found.selection_id)) {
            return Err(Error::field("studentNo", "该学生这次课的考勤与前面的行重复"));
        }
        let item = AttendanceItem { selection_id: found.selection_id, result: form.result, version: None };
        // Who sees the student may register them, wherever the class is.
        let session = match self.opened.get(&found.session_id) {
            Some(session) => session.clone(),
            None => {
                let session = open_session(tx, found.session_id, Registrar::Staff(&Scope::whole_school())).await?;
                self.opened.insert(session.id, session.clone());
                session
            }
        };
        let changes = register(tx, &session, &[item], AttendanceSource::Import, &self.scope).await?;
        changes.into_iter().next().ok_or_else(Error::not_found)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        // A row that changed nothing left a note on its session alone.
        if record.entity != "instruction_attendance" {
            return Ok(None);
        }
        let former = |now: &AttendanceContent| -> Result<Option<AttendanceResult>> {
            if record.is_new("instruction_attendance") {
                return Ok(None);
            }
            let before: AttendanceContent = record.former(now)?;
            Ok(Some(before.result))
        };
        take_back(tx, record.id, former, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select s.name from instruction_attendance x join course_selection c on c.id = x.selection_id
             join student s on s.id = c.student_id where x.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}
