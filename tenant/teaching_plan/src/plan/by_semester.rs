//! 按学期查看计划: of every plan in effect the courses whose term a semester is, with how many students take them and whether
//! they were opened (part 03 B1, §0.3).

use std::collections::BTreeMap;

use courses::course::ExamForm;
use futures_util::{StreamExt, stream};
use infra::{
    Allowed, App, Body, Error, Reply, Result, Scope,
    naming::tenths,
    reply,
    sheet::{Cell, Column, Writer},
    transfer::{self, Export, Exported, Rows},
};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use term::{Season, Term, term_no};

use super::{ExportPlansOfSemester, ListPlansOfSemester};
use crate::enums::CourseNature;

/// A course that a plan has in the semester.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SemesterPlanCourse {
    /// 计划课程
    pub id: i64,
    /// 教学计划
    pub plan_id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 层次
    pub level_id: i64,
    /// 层次名称
    pub level_name: String,
    /// 专业
    pub major_id: i64,
    /// 专业名称
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学期序
    pub term_no: i32,
    /// 课程性质
    pub nature: CourseNature,
    /// 学分
    pub credits: f64,
    /// 总学时
    pub hours: i32,
    /// 考核类型
    pub exam_form: ExamForm,
    /// 人数
    /// 该年级专业的在籍学生
    pub student_count: i64,
    /// 已开课
    pub opened: bool,
}

/// A course with all plans that have it in the semester.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SemesterCourse {
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 计划数
    pub plan_count: i64,
    /// 人数
    pub student_count: i64,
    /// 已开课计划数
    pub opened_count: i64,
}

/// 学期的教学计划
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SemesterPlan {
    /// 学期
    pub semester_id: i64,
    /// 学期名称
    pub semester_name: String,
    /// 各计划的课程
    pub list: Vec<SemesterPlanCourse>,
    /// 按课程汇总
    pub courses: Vec<SemesterCourse>,
}

/// What is asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SemesterPlanFilter {
    /// 学期
    /// 不填为当前学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程性质
    pub nature: Option<CourseNature>,
}

impl Example for SemesterPlanFilter {
    fn example() -> Self {
        Self { semester_id: Some(1), ..Self::default() }
    }
}

pub struct OfSemester;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl OfSemester {
    /// 按学期查看计划
    /// 不指明学期时为当前学期
    #[oai(path = "/bySemester", method = "get", operation_id = "listTeachingPlansOfSemester")]
    async fn by_semester(
        &self,
        caller: Allowed<ListPlansOfSemester>,
        /// 学期
        #[oai(name = "semesterId")]
        semester_id: Query<Option<i64>>,
        /// 年级
        #[oai(name = "gradeId")]
        grade_id: Query<Option<i64>>,
        /// 层次
        #[oai(name = "levelId")]
        level_id: Query<Option<i64>>,
        /// 专业
        #[oai(name = "majorId")]
        major_id: Query<Option<i64>>,
        /// 课程
        #[oai(name = "courseId")]
        course_id: Query<Option<i64>>,
        /// 课程性质
        nature: Query<Option<CourseNature>>,
    ) -> Result<Reply<SemesterPlan>> {
        let mut tx = caller.read().await?;
        let semester = semester(&mut tx, semester_id.0).await?;
        let asked = SemesterPlanFilter {
            semester_id: semester_id.0,
            grade_id: grade_id.0,
            level_id: level_id.0,
            major_id: major_id.0,
            course_id: course_id.0,
            nature: nature.0,
        };
        let list = courses_in(&mut tx, &semester, &asked, &caller.scope()).await?;
        let courses = summed(&list);
        Ok(reply(SemesterPlan { semester_id: semester.id, semester_name: semester.name, list, courses }))
    }

    /// 导出学期教学计划
    /// 各计划的课程之后一张按课程汇总的工作表
    #[oai(path = "/bySemester/export", method = "post", operation_id = "exportTeachingPlansOfSemester")]
    async fn export(
        &self,
        caller: Allowed<ExportPlansOfSemester>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<SemesterPlanFilter>,
    ) -> Result<Exported> {
        semester(&mut *caller.read().await?, asked.semester_id).await?;
        transfer::export::<Self>(&caller, asked, job.0).await
    }
}

/// Columns of the sheet by course, with their widths.
const BY_COURSE: &[(&str, u8)] = &[("课程代码", 14), ("课程", 28), ("计划数", 10), ("人数", 10), ("已开课计划数", 14)];

impl Export for OfSemester {
    type Filter = SemesterPlanFilter;
    type Row = SemesterPlanCourse;
    const KIND: &'static str = "teaching_plan.export_semester";
    type Permission = ExportPlansOfSemester;
    const TITLE: &'static str = "学期教学计划";
    const COLUMNS: &'static [Column<SemesterPlanCourse>] = &[
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 12, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 24, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "学期序", width: 8, cell: |row| Cell::Int(row.term_no.into()) },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(row.nature.zh().to_owned()) },
        Column { heading: "学分", width: 8, cell: |row| tenths(row.credits) },
        Column { heading: "学时", width: 8, cell: |row| Cell::Int(row.hours.into()) },
        Column { heading: "考核", width: 8, cell: |row| Cell::Text(row.exam_form.zh().to_owned()) },
        Column { heading: "人数", width: 8, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "是否已开课", width: 12, cell: |row| Cell::Bool(row.opened) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SemesterPlanFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SemesterPlanCourse>> {
        let semester = semester(connection, filter.semester_id).await?;
        let list = courses_in(connection, &semester, filter, scope).await?;
        Ok(stream::iter(list.into_iter().map(Ok)).boxed())
    }

    async fn sheets(
        connection: &mut PgConnection,
        filter: &SemesterPlanFilter,
        scope: &Scope,
        writer: &mut Writer,
    ) -> Result<()> {
        let semester = semester(connection, filter.semester_id).await?;
        let list = courses_in(connection, &semester, filter, scope).await?;
        writer.sheet("按课程汇总", BY_COURSE.to_vec()).await?;
        for course in summed(&list) {
            let numbers = [course.plan_count, course.student_count, course.opened_count].map(Cell::Int);
            let words = [course.course_code, course.course_name].map(Cell::Text);
            writer.row(words.into_iter().chain(numbers).collect()).await?;
        }
        Ok(())
    }
}

struct Semester {
    id: i64,
    name: String,
    term: Term,
}

/// # Errors
/// 404 for a semester that is not there, or while none is the current one.
async fn semester(connection: &mut PgConnection, wanted: Option<i64>) -> Result<Semester> {
    let row = sqlx::query!(
        r#"select id, name, year, season as "season: Season" from semester
           where ($1::bigint is null and current) or id = $1"#,
        wanted
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| match wanted {
        Some(_) => Error::not_found(),
        None => Error::new(404, "尚未设置当前学期，请选择学期"),
    })?;
    Ok(Semester { id: row.id, name: row.name, term: Term { year: row.year, season: row.season } })
}

/// Each enabled grade has a term of its own in the semester; where it lies before the first, or behind the last of the level,
/// nothing matches.
async fn courses_in(
    connection: &mut PgConnection,
    semester: &Semester,
    asked: &SemesterPlanFilter,
    scope: &Scope,
) -> Result<Vec<SemesterPlanCourse>> {
    let grades = sqlx::query!(
        r#"select id, entry_year, entry_season as "entry_season: Season" from grade
           where enabled and ($1::bigint is null or id = $1)"#,
        asked.grade_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let (ids, terms): (Vec<i64>, Vec<i32>) = grades
        .into_iter()
        .map(|grade| (grade.id, term_no(semester.term, Term { year: grade.entry_year, season: grade.entry_season })))
        .filter(|(_, term)| *term >= 1)
        .unzip();
    Ok(sqlx::query_as!(
        SemesterPlanCourse,
        r#"select c.id, c.plan_id, c.course_id, k.code as course_code, k.name as course_name, p.grade_id, g.name as grade_name,
                  p.level_id, l.name as level_name, p.major_id, m.name as major_name, m.study_form as "study_form: _", c.term_no,
                  c.nature as "nature: _", c.credits::float8 as "credits!", c.hours, c.exam_form as "exam_form: _",
                  (select count(*) from student s
                   where s.grade_id = p.grade_id and s.level_id = p.level_id and s.major_id = p.major_id
                     and s.active
                     and ($6::bigint[] is null or s.site_id = any($6) or s.class_id = any($7::bigint[]))) as "student_count!",
                  exists (select from course_opening o
                          where o.semester_id = $8 and o.course_id = c.course_id and o.grade_id = p.grade_id
                            and o.major_id = p.major_id and o.kind = 'plan' and o.status in ('opened', 'closed')) as "opened!"
           from unnest($1::bigint[], $2::integer[]) as wanted (grade, term)
           join teaching_plan p on p.grade_id = wanted.grade and p.status = 'effective'
           join plan_course c on c.plan_id = p.id and c.term_no = wanted.term
           join course k on k.id = c.course_id
           join grade g on g.id = p.grade_id
           join level l on l.id = p.level_id
           join major m on m.id = p.major_id
           where wanted.term <= (l.schooling_years * 2)::integer
             and ($9::bigint is null or p.level_id = $9)
             and ($3::bigint is null or p.major_id = $3)
             and ($4::bigint is null or c.course_id = $4)
             and ($5::text is null or c.nature = $5)
           order by g.entry_year desc, g.entry_season, l.sort_no, l.code, m.sort_no, m.code, c.sort_no, k.code"#,
        &ids,
        &terms,
        asked.major_id,
        asked.course_id,
        asked.nature.map(CourseNature::as_str),
        scope.sites(),
        scope.classes(),
        semester.id,
        asked.level_id
    )
    .fetch_all(connection)
    .await?)
}

/// By course code.
fn summed(list: &[SemesterPlanCourse]) -> Vec<SemesterCourse> {
    let mut courses: BTreeMap<(&str, i64), SemesterCourse> = BTreeMap::new();
    for row in list {
        let of_course = courses.entry((row.course_code.as_str(), row.course_id)).or_insert_with(|| SemesterCourse {
            course_id: row.course_id,
            course_code: row.course_code.clone(),
            course_name: row.course_name.clone(),
            plan_count: 0,
            student_count: 0,
            opened_count: 0,
        });
        of_course.plan_count += 1;
        of_course.student_count += row.student_count;
        of_course.opened_count += i64::from(row.opened);
    }
    courses.into_values().collect()
}
