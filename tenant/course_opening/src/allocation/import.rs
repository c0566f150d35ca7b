//! 导入任课安排: every row or none, by the same rules as if somebody had typed it (part 03 B3). A row without a class is of all
//! classes of the openings of its course.
//!
//! The rows are read and judged as they come, without holding anything: a check keeps nobody from selecting. What they ask for
//! is written together behind the last, while the openings that they name are held in their order and looked at again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use course_opening_rules::allocation_sheet::{Known, KnownClass, Taken, of_class};
use course_selection::opening;
use infra::{
    Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    naming::{Codes, is_switched_off, referred},
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use super::{
    AllocationForm, FetchAllocationSheet, ImportAllocations,
    form::{explain, left, remove, takes_teachers},
    select::find,
    workload::expected,
};
use crate::{NOT_ALL_CLASSES, beyond, enums::AllocationRole, open_semester};

/// The columns at which a refusal is told.
const COURSE: &str = "课程代码";
const CLASS: &str = "班级编码";
const TEACHER: &str = "教师工号";

pub struct ImportAllocation;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl ImportAllocation {
    /// 导入任课安排
    #[oai(path = "/import", method = "post", operation_id = "importCourseAllocations")]
    async fn import(&self, caller: Allowed<ImportAllocations>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<AllocationSheet>(&caller, form).await
    }

    /// 任课安排导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchCourseAllocationImportTemplate")]
    async fn template(&self, caller: Allowed<FetchAllocationSheet>) -> Result<Attachment> {
        transfer::template::<AllocationSheet, _>(&caller).await
    }
}

/// A teacher whom a row names.
#[derive(Debug, Clone)]
struct KnownTeacher {
    id: i64,
    name: String,
    active: bool,
}

/// A row that is right by itself.
struct Line {
    row: u32,
    semester_id: i64,
    teacher: String,
    form: AllocationForm,
}

/// Who has what in these openings.
async fn taken_of(connection: &mut PgConnection, openings: &[i64]) -> Result<Taken> {
    let rows = sqlx::query!(
        r#"select a.opening_id, a.class_id, a.teacher_id, a.role as "role: AllocationRole", t.name
           from course_allocation a join teacher t on t.id = a.teacher_id where a.opening_id = any($1)"#,
        openings
    )
    .fetch_all(connection)
    .await?;
    let mut taken = Taken::default();
    for row in rows {
        if row.role == AllocationRole::Lecturer {
            taken.lecturers.insert((row.opening_id, row.class_id), row.name);
        }
        taken.rows.insert((row.opening_id, row.class_id, row.teacher_id, row.role));
    }
    Ok(taken)
}

/// One import, with what its rows may name.
pub(super) struct AllocationSheet {
    scope: Scope,
    semesters: Codes<i64>,
    courses: Codes<i64>,
    classes: Codes<KnownClass>,
    teachers: Codes<KnownTeacher>,
    /// By semester and course; those that take teachers.
    openings: HashMap<(i64, i64), Vec<Known>>,
    /// Classes of which somebody is in an opening, by both.
    rosters: HashSet<(i64, i64)>,
    /// Openings of which the caller does not see everything.
    beyond: HashSet<i64>,
    taken: Taken,
    lines: Vec<Line>,
}

impl Import for AllocationSheet {
    const KIND: &'static str = "course_allocation.import";
    type Permission = ImportAllocations;
    const COUNTED: &'static [&'static str] = &["学期编码", "角色"];

    const CODES: &'static [(&'static str, &'static str)] =
        &[("学期编码", "semester"), (COURSE, "course"), (CLASS, "class"), (TEACHER, "teacher")];

    fn template() -> Template {
        Template {
            title: "任课安排",
            columns: vec![
                InputColumn::required("学期编码", "例如 2026-1"),
                InputColumn::required("课程代码", ""),
                InputColumn::optional("班级编码", "不填为该课程的全部班级"),
                InputColumn::required("教师工号", ""),
                InputColumn::required("角色", "").one_of(AllocationRole::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("学时", "0至1000"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let rows = sqlx::query!(
            "select o.id, o.semester_id, o.course_id, o.grade_id, o.major_id
             from course_opening o join semester e on e.id = o.semester_id
             where o.status in ('draft', 'opened') and e.closed_at is null order by o.id"
        )
        .fetch_all(&mut **tx)
        .await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut openings: HashMap<(i64, i64), Vec<Known>> = HashMap::new();
        for row in rows {
            let known =
                Known { id: row.id, semester_id: row.semester_id, grade_id: row.grade_id, major_id: row.major_id };
            openings.entry((row.semester_id, row.course_id)).or_default().push(known);
        }
        let rosters = sqlx::query!(
            r#"select distinct opening_id, class_id as "class_id!" from course_selection
               where opening_id = any($1) and class_id is not null and status in ('pending', 'selected', 'completed')"#,
            &ids
        )
        .fetch_all(&mut **tx)
        .await?;
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let teachers = sqlx::query!(r#"select work_no, id, name, status = 'active' as "active!" from teacher"#)
            .fetch_all(&mut **tx)
            .await?;
        let classes = sqlx::query!("select code, id, name, enabled, grade_id, major_id, site_id from class")
            .fetch_all(&mut **tx)
            .await?;
        Ok(Self {
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            classes: classes
                .into_iter()
                .map(|row| {
                    let class = KnownClass {
                        id: row.id,
                        name: row.name,
                        enabled: row.enabled,
                        grade_id: row.grade_id,
                        major_id: row.major_id,
                        site_id: row.site_id,
                    };
                    (row.code, class)
                })
                .collect(),
            teachers: teachers
                .into_iter()
                .map(|row| (row.work_no, KnownTeacher { id: row.id, name: row.name, active: row.active }))
                .collect(),
            openings,
            rosters: rosters.into_iter().map(|row| (row.opening_id, row.class_id)).collect(),
            beyond: beyond(tx, &ids, &scope).await?.into_iter().collect(),
            taken: taken_of(tx, &ids).await?,
            scope,
            lines: Vec::new(),
        })
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            self.read(row);
        }
        Ok(Vec::new())
    }

    /// What others did since the rows were read is seen here.
    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let warnings = too_much(tx, &lines).await?;
        if !write {
            return Ok(Finished { warnings, ..Finished::default() });
        }
        let semesters: BTreeSet<i64> = lines.iter().map(|line| line.semester_id).collect();
        for semester in semesters {
            open_semester(tx, semester, "学期编码").await?;
        }
        let ids: BTreeSet<i64> = lines.iter().map(|line| line.form.opening_id).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        let held = opening::hold(tx, &ids).await?;
        let mut taken = taken_of(tx, &ids).await?;
        let mut errors = Vec::new();
        for line in &lines {
            let refused = match held.get(&line.form.opening_id).map(takes_teachers) {
                None => Some((COURSE, "该学期没有开设此课程".to_owned())),
                Some(Err(error)) => Some((COURSE, error.msg.into_owned())),
                Some(Ok(())) => taken.take(&line.form, &line.teacher).err().map(|why| (TEACHER, why)),
            };
            if let Some((column, message)) = refused {
                errors.push(RowError { row: line.row, column: column.to_owned(), message });
            }
        }
        let changes = if errors.is_empty() { insert_all(tx, &lines).await? } else { Vec::new() };
        Ok(Finished { errors, warnings, changes })
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        match find(tx, record.id, &Scope::whole_school()).await {
            Ok(found) => Ok(format!("{} {}", found.course_name, found.teacher_name)),
            Err(Error { code: 404, .. }) => Ok(String::new()),
            Err(error) => Err(error),
        }
    }
}

/// Who comes to more hours than the school lets one teacher have, each at the last of their rows.
async fn too_much(connection: &mut PgConnection, lines: &[Line]) -> Result<Vec<RowError>> {
    let (mut more, mut last) = (BTreeMap::new(), BTreeMap::new());
    for line in lines {
        let of = (line.form.teacher_id, line.semester_id);
        *more.entry(of).or_insert(0_i64) += i64::from(line.form.hours.unwrap_or_default());
        last.insert(of, line.row);
    }
    let told = expected(connection, &more).await?.into_iter().filter_map(|(of, message)| {
        let row = *last.get(&of)?;
        Some(RowError { row, column: TEACHER.to_owned(), message })
    });
    Ok(told.collect())
}

/// Writes the lines, whose openings are held.
async fn insert_all(tx: &mut Tx, lines: &[Line]) -> Result<Vec<Change>> {
    let of = |number: fn(&AllocationForm) -> i64| lines.iter().map(|line| number(&line.form)).collect::<Vec<i64>>();
    let (openings, teachers) = (of(|form| form.opening_id), of(|form| form.teacher_id));
    let classes: Vec<Option<i64>> = lines.iter().map(|line| line.form.class_id).collect();
    let roles: Vec<String> = lines.iter().map(|line| line.form.role.as_str().to_owned()).collect();
    let hours: Vec<Option<i32>> = lines.iter().map(|line| line.form.hours).collect();
    let by = tx.by();
    let made = sqlx::query!(
        r#"insert into course_allocation (opening_id, class_id, teacher_id, role, hours, created_by, updated_by)
           select w.opening, w.class, w.teacher, w.role, w.hours, $6::bigint, $6::bigint
           from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::integer[])
                as w (opening, class, teacher, role, hours)
           returning id, opening_id, class_id, teacher_id, role as "role: AllocationRole""#,
        &openings,
        &classes as &[Option<i64>],
        &teachers,
        &roles,
        &hours as &[Option<i32>],
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(explain)?;
    let ids: HashMap<(i64, Option<i64>, i64, AllocationRole), i64> =
        made.into_iter().map(|row| ((row.opening_id, row.class_id, row.teacher_id, row.role), row.id)).collect();
    let change = |Line { form, .. }: &Line| {
        let id = ids.get(&(form.opening_id, form.class_id, form.teacher_id, form.role))?;
        Some(Change::created("course_allocation", *id, form))
    };
    Ok(lines.iter().filter_map(change).collect())
}

impl AllocationSheet {
    /// Keeps what the row asks for, one of a class or one of all classes of each opening of the course; or says on the row what
    /// is wrong with it.
    fn read(&mut self, row: &mut Row) {
        let semester = referred(row, "学期编码", &self.semesters).copied();
        let course = referred(row, COURSE, &self.courses).copied();
        let class = referred(row, CLASS, &self.classes).cloned();
        let teacher = referred(row, TEACHER, &self.teachers).cloned();
        let role = row.one_of("角色", AllocationRole::CHOICES);
        let wanted = row.integer("学时");
        let hours = wanted.and_then(|hours| i32::try_from(hours).ok()).filter(|hours| (0..=1000).contains(hours));
        if wanted.is_some() && hours.is_none() {
            row.refuse("学时", "应在0到1000之间");
        }
        let (Some(semester), Some(course), Some(teacher), Some(role)) = (semester, course, teacher, role) else {
            return;
        };
        let openings = self.openings.get(&(semester, course)).map_or(&[] as &[Known], Vec::as_slice);
        let meant: Vec<Known> = match &class {
            None => openings.to_vec(),
            Some(class) => of_class(openings, class, &self.rosters).into_iter().collect(),
        };
        if meant.is_empty() {
            let told = if class.is_some() {
                "该学期没有为该班级开设此课程"
            } else {
                "该学期没有开设此课程"
            };
            row.refuse(COURSE, told);
        }
        match &class {
            Some(class) if !self.scope.sees(Some(class.site_id), Some(class.id)) => row.refuse(CLASS, NOT_YOURS),
            Some(class) if !class.enabled => row.refuse(CLASS, is_switched_off(&class.name)),
            None if meant.iter().any(|opening| self.beyond.contains(&opening.id)) => row.refuse("", NOT_ALL_CLASSES),
            Some(_) | None => {}
        }
        if !teacher.active {
            row.refuse(TEACHER, left(&teacher.name));
        }
        if !row.errors().is_empty() {
            return;
        }
        for opening in meant {
            let form = AllocationForm {
                opening_id: opening.id,
                class_id: class.as_ref().map(|class| class.id),
                teacher_id: teacher.id,
                role,
                hours,
                remark: None,
            };
            match self.taken.take(&form, &teacher.name) {
                Ok(()) => self.lines.push(Line {
                    row: row.number(),
                    semester_id: opening.semester_id,
                    teacher: teacher.name.clone(),
                    form,
                }),
                Err(why) => row.refuse_once(TEACHER, why),
            }
        }
    }
}
