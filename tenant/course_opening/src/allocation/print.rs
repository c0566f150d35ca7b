//! 打印任课通知书: what a teacher has in a semester, on A4 upright, to be sealed and signed (part 03 B3).

use ::paper::{Cell, Line, Paper, Row, Side};
use infra::{Allowed, Error, Result, Scope, transfer::Printed};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::PrintNotice;
use crate::enums::{AllocationRole, TeachingMode};

/// Widths of the columns, as shares.
const COLUMNS: [(&str, u16); 7] =
    [("序号", 7), ("课程", 30), ("班级", 27), ("角色", 8), ("人数", 8), ("学时", 8), ("上课方式", 12)];

/// What stands on the sheet.
#[derive(Debug)]
struct Notice {
    school: String,
    semester: String,
    teacher: String,
    work_no: String,
    organization: String,
    date: String,
    lines: Vec<Taught>,
}

/// A line of it.
#[derive(Debug)]
struct Taught {
    course: String,
    /// None: all classes for which nobody else is named.
    class: Option<String>,
    role: AllocationRole,
    students: i64,
    hours: i32,
    mode: TeachingMode,
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl Prints {
    /// 打印任课通知书
    /// 一名教师一个学期的全部任课，A4纵向
    #[oai(path = "/print", method = "get", operation_id = "printAllocationNotice")]
    async fn print(
        &self,
        caller: Allowed<PrintNotice>,
        /// 学期
        #[oai(name = "semesterId")]
        semester_id: Query<i64>,
        /// 教师
        #[oai(name = "teacherId")]
        teacher_id: Query<i64>,
    ) -> Result<Printed> {
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let mut tx = caller.read().await?;
        let lines = taught(&mut tx, semester_id.0, teacher_id.0, &caller.scope()).await?;
        if lines.is_empty() {
            return Err(Error::new(404, "该教师在这个学期没有任课"));
        }
        let about = sqlx::query!(
            r#"select t.name, t.work_no, g.name as organization, e.name as semester
               from teacher t join organization g on g.id = t.organization_id cross join semester e
               where t.id = $1 and e.id = $2"#,
            teacher_id.0,
            semester_id.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        drop(tx);
        let notice = Notice {
            school,
            semester: about.semester,
            teacher: about.name,
            work_no: about.work_no,
            organization: about.organization,
            date: caller.app().clock().now().format("%Y-%m-%d").to_string(),
            lines,
        };
        let name = format!("任课通知书_{}_{}.pdf", notice.semester, notice.teacher);
        let drawn = spawn_blocking(move || sheet(&notice).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name, bytes })
    }
}

/// What the teacher has that lies in the scope.
async fn taught(
    connection: &mut PgConnection,
    semester: i64,
    teacher: i64,
    scope: &Scope,
) -> sqlx::Result<Vec<Taught>> {
    sqlx::query_as!(
        Taught,
        r#"select u.name as course, k.name as "class?", a.role as "role: _", n.students as "students!",
                  coalesce(a.hours, case a.role when 'lecturer' then o.hours else 0 end) as "hours!",
                  o.teaching_mode as "mode: _"
           from course_allocation a
           join course_opening o on o.id = a.opening_id
           join course u on u.id = o.course_id
           left join class k on k.id = a.class_id
           cross join lateral (
               select count(*) as students from course_selection c join student s on s.id = c.student_id
               where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                 and (c.class_id = a.class_id
                      or a.class_id is null and not exists (
                          select from course_allocation y
                          where y.opening_id = o.id and y.role = a.role and y.class_id = c.class_id))
                 and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))) n
           where o.semester_id = $1 and a.teacher_id = $2 and o.status <> 'cancelled'
             and ($3 is null or k.site_id = any($3) or k.id = any($4) or a.class_id is null and n.students > 0)
           order by u.code, k.code, a.role, a.id"#,
        semester,
        teacher,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await
}

fn sheet(notice: &Notice) -> Paper {
    let Notice { school, semester, teacher, work_no, organization, date, lines } = notice;
    let mut sheet = Paper::new(format!("任课通知书 {teacher}"), school.clone());
    sheet.heading("任课通知书");
    sheet.note(&format!("教师：{teacher}（{work_no}）　机构：{organization}　学期：{semester}　日期：{date}"));
    sheet.space(2.0).listing(&head(), lines.iter().zip(1..).map(|(line, no)| row(line, no)));
    sheet.space(3.0);
    sheet.line(&Line::of("教务部门（盖章）：").signature(None).words("教师签收：").signature(None), Side::Right);
    sheet
}

fn head() -> Row {
    Row::of(COLUMNS.iter().map(|(heading, share)| Cell::label(*share, *heading))).small()
}

fn row(line: &Taught, no: i32) -> Row {
    let words = [
        no.to_string(),
        line.course.clone(),
        line.class.clone().unwrap_or_else(|| "全部班级".to_owned()),
        line.role.zh().to_owned(),
        line.students.to_string(),
        line.hours.to_string(),
        line.mode.zh().to_owned(),
    ];
    Row::of(COLUMNS.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
}
