//! 导入分班: number, name and class from a sheet; all rows or none.

use std::collections::HashMap;

use classes::class::{Cohort, class_seats};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use student_status_rules::{
    check::{NOT_YOURS, place_differs},
    division::seatable,
};

use super::{DivideStudents, FetchDivisionSheet, Move, SCORED, scored, seat};
use crate::{enums::StudentStatus, id_card::fold};

pub struct Sheet;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Sheet {
    /// 导入分班
    #[oai(path = "/divide/import", method = "post", operation_id = "importDivision")]
    async fn import(&self, caller: Allowed<DivideStudents>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<DivisionSheet>(&caller, form).await
    }

    /// 分班导入模板
    #[oai(path = "/divide/import/template", method = "get", operation_id = "fetchDivisionImportTemplate")]
    async fn template(&self, caller: Allowed<FetchDivisionSheet>) -> Result<Attachment> {
        transfer::template::<DivisionSheet, _>(&caller).await
    }
}

/// A class that a row may name.
#[derive(Debug)]
struct KnownClass {
    id: i64,
    cohort: Cohort,
    enabled: bool,
    capacity: i64,
    /// Who sits there, with those whom earlier rows seated.
    taken: i64,
}

/// A student that a row may name.
#[derive(Debug, Clone)]
struct Known {
    id: i64,
    name: String,
    status: StudentStatus,
    cohort: Cohort,
    class_id: Option<i64>,
}

/// An import of seats, with the classes of the school by grade and name.
pub(crate) struct DivisionSheet {
    scope: Scope,
    classes: HashMap<(i64, String), KnownClass>,
    /// The grade and name under which a class is found above.
    named: HashMap<i64, (i64, String)>,
    seen: HashMap<i64, u32>,
}

/// The students whom the rows of a batch name, by either number.
#[derive(Debug, Default)]
struct Batch {
    by_student_no: HashMap<String, Known>,
    by_examinee_no: HashMap<String, Known>,
}

impl Import for DivisionSheet {
    const KIND: &'static str = "student.divide_import";
    type Permission = super::DivideStudents;

    fn template() -> Template {
        Template {
            title: "分班",
            columns: vec![
                InputColumn::optional("学号", "学号和考生号至少填一项"),
                InputColumn::optional("考生号", ""),
                InputColumn::required("姓名", ""),
                InputColumn::required("班级名称", "学生所在年级中班级的完整名称"),
            ],
        }
    }

    /// Locks the classes: what is counted here is what is filled later.
    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        sqlx::query!("select id from class order by id for update").fetch_all(&mut **tx).await?;
        let rows = sqlx::query!(
            r#"select c.id, c.name, c.grade_id, c.level_id, c.major_id, c.site_id, c.enabled, c.capacity,
                      (select count(*) from student s where s.class_id = c.id and s.active) as "taken!"
               from class c where ($1::bigint[] is null or c.site_id = any($1) or c.id = any($2::bigint[]))"#,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut **tx)
        .await?;
        let named = rows.iter().map(|row| (row.id, (row.grade_id, row.name.clone()))).collect();
        let classes = rows
            .into_iter()
            .map(|row| {
                let cohort = Cohort {
                    grade_id: row.grade_id,
                    level_id: row.level_id,
                    major_id: row.major_id,
                    site_id: row.site_id,
                };
                let class = KnownClass {
                    id: row.id,
                    cohort,
                    enabled: row.enabled,
                    capacity: row.capacity.into(),
                    taken: row.taken,
                };
                ((row.grade_id, row.name), class)
            })
            .collect();
        Ok(Self { scope, classes, named, seen: HashMap::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let batch = students(tx, rows).await?;
        let moves: Vec<Move> = rows.iter_mut().filter_map(|row| self.seat(row, &batch)).collect();
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        seat(tx, &moves, None).await
    }

    /// Back into the class they were in, when there is a seat; who had none has none again.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let (was, is) = (record.before::<Option<i64>>("classId")?, record.after::<Option<i64>>("classId")?);
        let (Some(was), Some(is)) = (was, is) else { return Ok(None) };
        let student = sqlx::query!(
            r#"select status as "status: StudentStatus", grade_id, level_id, major_id, site_id, class_id
               from student where id = $1 for update"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?
        .filter(|student| scope.sees(Some(student.site_id), student.class_id))
        .ok_or_else(Error::not_found)?;
        if student.class_id != is {
            return Err(Imported::changed());
        }
        seatable(student.status).map_err(Error::conflict)?;
        if let Some(class) = was {
            let seats = class_seats(tx, class).await.map_err(|error| match error.code {
                404 => Error::conflict("原班级已被删除，不能撤销"),
                _ => error,
            })?;
            let Cohort { grade_id, level_id, major_id, site_id } = seats.cohort;
            if !scope.sees(Some(site_id), Some(class)) {
                return Err(Error::new(404, NOT_YOURS));
            }
            let own = [student.grade_id, student.level_id, student.major_id, student.site_id];
            if let Some(why) = place_differs(own, [grade_id, level_id, major_id, site_id]) {
                return Err(Error::conflict(why));
            }
            seats.admit(1)?;
        } else if !scored(tx, &[record.id]).await?.is_empty() {
            return Err(Error::conflict(SCORED));
        }
        Ok(seat(tx, &[Move { student_id: record.id, from: is, to: was }], None).await?.pop())
    }
}

impl DivisionSheet {
    /// Where the row seats its student; none, with the reasons on the row, when it is wrong, and none when they sit there.
    fn seat(&mut self, row: &mut Row, batch: &Batch) -> Option<Move> {
        let (student_no, examinee_no) = (numbered(row, "学号"), numbered(row, "考生号"));
        let (name, class) = (row.required("姓名"), row.required("班级名称"));
        let student = match (student_no.as_ref(), examinee_no.as_ref()) {
            (None, None) => {
                row.refuse("学号", "请填写学号或考生号");
                return None;
            }
            (Some(number), _) => named(row, "学号", batch.by_student_no.get(number))?,
            (None, Some(number)) => named(row, "考生号", batch.by_examinee_no.get(number))?,
        };
        if let Some(number) = examinee_no
            && batch.by_examinee_no.get(&number).is_none_or(|other| other.id != student.id)
        {
            row.refuse("考生号", "与学号不是同一名学生");
        }
        if !self.scope.sees(Some(student.cohort.site_id), student.class_id) {
            row.refuse("", NOT_YOURS);
            return None;
        }
        if student.name != name && !name.is_empty() {
            row.refuse("姓名", "与学籍中的姓名不一致");
        }
        if let Err(why) = seatable(student.status) {
            row.refuse("", why);
        }
        let first = *self.seen.entry(student.id).or_insert(row.number());
        if first != row.number() {
            row.refuse("", format!("与第{first}行是同一名学生"));
        }
        if class.is_empty() {
            return None;
        }
        self.take(row, &student, class)
    }

    /// Takes a seat of the class that the row names.
    fn take(&mut self, row: &mut Row, student: &Known, name: String) -> Option<Move> {
        let own = &student.cohort;
        let Some(class) = self.classes.get_mut(&(own.grade_id, name.clone())) else {
            row.refuse("班级名称", format!("学生所在年级没有班级“{name}”"));
            return None;
        };
        let other = &class.cohort;
        if let Some(why) = place_differs(
            [own.grade_id, own.level_id, own.major_id, own.site_id],
            [other.grade_id, other.level_id, other.major_id, other.site_id],
        ) {
            row.refuse("班级名称", why);
            return None;
        }
        if student.class_id == Some(class.id) {
            return None;
        }
        let (id, capacity) = (class.id, class.capacity);
        if !class.enabled {
            row.refuse("班级名称", format!("班级“{name}”已停用"));
            return None;
        }
        class.taken += 1;
        if class.taken > capacity {
            let (taken, over) = (class.taken - 1, class.taken - capacity);
            row.refuse("班级名称", format!("班级容量{capacity}，已有{taken}人，超出{over}人"));
        }
        // The seat that they leave is free for the rows behind.
        if let Some(left) = student.class_id.and_then(|id| self.named.get(&id))
            && let Some(left) = self.classes.get_mut(left)
        {
            left.taken -= 1;
        }
        row.errors().is_empty().then_some(Move { student_id: student.id, from: student.class_id, to: Some(id) })
    }
}

/// A number as it is stored.
fn numbered(row: &mut Row, heading: &str) -> Option<String> {
    row.text(heading).map(|number| fold(&number))
}

/// The student behind a number; one that nobody has is refused on the row.
fn named(row: &mut Row, heading: &str, found: Option<&Known>) -> Option<Known> {
    if found.is_none() {
        row.refuse(heading, format!("没有该{heading}的学生"));
    }
    found.cloned()
}

/// The students of a batch, locked.
async fn students(tx: &mut Tx, rows: &mut [Row]) -> Result<Batch> {
    let student_nos: Vec<String> = rows.iter_mut().filter_map(|row| numbered(row, "学号")).collect();
    let examinee_nos: Vec<String> = rows.iter_mut().filter_map(|row| numbered(row, "考生号")).collect();
    let found = sqlx::query!(
        r#"select id, name, student_no, examinee_no, status as "status: StudentStatus", grade_id, level_id, major_id, site_id, class_id
           from student where student_no = any($1) or examinee_no = any($2) order by id for update"#,
        &student_nos,
        &examinee_nos
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut batch = Batch::default();
    for row in found {
        let cohort =
            Cohort { grade_id: row.grade_id, level_id: row.level_id, major_id: row.major_id, site_id: row.site_id };
        let known = Known { id: row.id, name: row.name, status: row.status, cohort, class_id: row.class_id };
        if let Some(number) = row.student_no {
            batch.by_student_no.insert(number, known.clone());
        }
        if let Some(number) = row.examinee_no {
            batch.by_examinee_no.insert(number, known);
        }
    }
    Ok(batch)
}
