//! 导入面授成绩: every row or none, each as if somebody had typed it (part 03 B8).

use std::collections::{HashMap, HashSet};

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ByRow, ImportAnswer, ImportForm, Imported, RowImport},
};
use instruction_rules::held::{Held, ScoreContent, in_tenths, points};
use poem_openapi::{Object, OpenApi};
use serde_json::{Value, json};
use student_status::{id_card::fold, student::check::NOT_YOURS};

use super::{
    FetchScoreSheet, ImportScores,
    edit::change,
    held::{hold, one, write},
};

pub struct ImportScore;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction", tag = "crate::Tag::Instruction")]
impl ImportScore {
    /// 导入面授成绩
    #[oai(path = "/import", method = "post", operation_id = "importInstructionScores")]
    async fn import(&self, caller: Allowed<ImportScores>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ScoreSheet>>(&caller, form).await
    }

    /// 面授成绩导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchInstructionScoreImportTemplate")]
    async fn template(&self, caller: Allowed<FetchScoreSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ScoreSheet>, _>(&caller).await
    }
}

/// A row of the sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct ScoreLine {
    /// 学号
    student_no: String,
    /// 学期
    semester_id: i64,
    /// 课程
    course_id: i64,
    /// 出勤成绩
    attendance_score: Option<f64>,
    /// 表现成绩
    performance_score: f64,
}

/// One import, with what its rows may name.
pub(super) struct ScoreSheet {
    scope: Scope,
    semesters: Codes<i64>,
    courses: Codes<i64>,
    /// The selections of the rows at hand, held.
    held: HashMap<Key, Held>,
    /// Those of them that lie outside the scope.
    beyond: HashSet<Key>,
    /// Of all rows so far.
    done: HashSet<Key>,
}

/// Number of the student, semester, course.
type Key = (String, i64, i64);

impl RowImport for ScoreSheet {
    type Form = ScoreLine;
    const KIND: &'static str = "instruction_score.import";
    type Permission = ImportScores;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("studentNo", "学号"),
        ("semesterId", "学期编码"),
        ("courseId", "课程代码"),
        ("attendanceScore", "出勤成绩"),
        ("performanceScore", "表现成绩"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    const CODES: &'static [(&'static str, &'static str)] = &[("学期编码", "semester"), ("课程代码", "course")];

    fn template() -> Template {
        Template {
            title: "面授成绩",
            columns: vec![
                InputColumn::required("学号", ""),
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::required("课程代码", ""),
                InputColumn::optional("出勤成绩", "0至100，一位小数；有课次的课程由考勤计算，不填"),
                InputColumn::required("表现成绩", "0至100，一位小数"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        Ok(Self {
            scope,
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            held: HashMap::new(),
            beyond: HashSet::new(),
            done: HashSet::new(),
        })
    }

    /// The selections that these rows name, in their order.
    async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        let (mut numbers, mut semesters, mut courses) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let semester = row.peek("学期编码").and_then(|code| self.semesters.get(&code).copied());
            let course = row.peek("课程代码").and_then(|code| self.courses.get(&code).copied());
            if let (Some(number), Some(semester), Some(course)) = (row.peek("学号"), semester, course) {
                numbers.push(fold(&number));
                semesters.push(semester);
                courses.push(course);
            }
        }
        let found = sqlx::query!(
            r#"select distinct c.id as "id!", w.number as "number!", w.semester as "semester!", w.course as "course!"
               from unnest($1::text[], $2::bigint[], $3::bigint[]) as w (number, semester, course)
               join student s on s.student_no = w.number
               join course_selection c on c.student_id = s.id and c.semester_id = w.semester and c.course_id = w.course
                    and c.status in ('selected', 'completed')"#,
            &numbers,
            &semesters,
            &courses
        )
        .fetch_all(&mut **tx)
        .await?;
        let ids: Vec<i64> = found.iter().map(|row| row.id).collect();
        let held = hold(tx, &ids, &self.scope).await?;
        (self.held, self.beyond) = (HashMap::new(), HashSet::new());
        for row in found {
            let key = (row.number, row.semester, row.course);
            match held.get(&row.id) {
                Some(held) => {
                    self.held.insert(key, held.clone());
                }
                None => {
                    self.beyond.insert(key);
                }
            }
        }
        Ok(())
    }

    fn form(&self, row: &mut Row) -> Value {
        let score = |row: &mut Row, heading: &str| row.decimal(heading, 1).map(points);
        json!({
            "studentNo": row.text("学号").map(|number| fold(&number)),
            "semesterId": referred(row, "学期编码", &self.semesters),
            "courseId": referred(row, "课程代码", &self.courses),
            "attendanceScore": score(row, "出勤成绩"),
            "performanceScore": score(row, "表现成绩"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: ScoreLine) -> Result<Change> {
        let key = (form.student_no, form.semester_id, form.course_id);
        if self.beyond.contains(&key) {
            return Err(Error::field("studentNo", NOT_YOURS));
        }
        if self.done.contains(&key) {
            return Err(Error::field("studentNo", "该学生的这门课程与前面的行重复"));
        }
        let before = self.held.remove(&key).ok_or_else(|| Error::field("studentNo", "该学期的课程名单上没有该学生"))?;
        self.done.insert(key);
        before.may_change()?;
        before.is_draft()?;
        let tenths = |field: &str, score: f64| {
            in_tenths(score).ok_or_else(|| Error::field(field, "应在0到100之间，最多一位小数"))
        };
        let performance = Some(tenths("performanceScore", form.performance_score)?);
        let typed = match form.attendance_score {
            Some(_) if before.sessions > 0 || before.attended.is_any() => {
                return Err(Error::field("attendanceScore", "该课程已有课次，出勤成绩由考勤计算，请留空"));
            }
            Some(score) => Some(tenths("attendanceScore", score)?),
            None => before.typed,
        };
        let after = Held { performance, typed, ..before.clone() };
        let change = change(&before, &after);
        let written = write(tx, std::slice::from_ref(&after)).await?;
        Ok(match written.get(&after.selection_id) {
            Some((id, _)) => change.numbered(*id),
            None => change,
        })
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let selection = sqlx::query_scalar!("select selection_id from instruction_score where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let held = hold(tx, &[selection], scope).await?;
        let before = one(&held, selection)?;
        before.may_change()?;
        before.is_draft()?;
        if record.is_new("instruction_score") {
            if before.attended.is_any() {
                return Err(Imported::changed());
            }
            tx.remove("instruction_score", record.id, &before.student_name).await?;
            return Ok(Some(Change::deleted("instruction_score", record.id, &before.content())));
        }
        let former: ScoreContent = record.former(&before.content())?;
        let of = |score: Option<f64>| score.and_then(in_tenths);
        let after =
            Held { performance: of(former.performance_score), typed: of(former.attendance_score), ..before.clone() };
        write(tx, std::slice::from_ref(&after)).await?;
        Ok(Some(change(before, &after)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select s.name from instruction_score x join course_selection c on c.id = x.selection_id
             join student s on s.id = c.student_id where x.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}
