//! 课程学分: credits and hours of the courses of plans, changed across plans, and the credits of students (part 03 B2).
//!
//! The courses are the plans'; what is changed is written by [`teaching_plan::credits`], of a plan in effect as its next version.

mod student;

use std::collections::{BTreeMap, HashMap, HashSet};

use infra::{
    Allowed, App, Body, BulkFailure, Error, Paged, Part, Reply, Result, Scope, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    naming::tenths,
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use teaching_plan::{
    credits::{self, CreditChange, CreditsChanged},
    enums::{CourseNature, PlanStatus},
};

use crate::of_whole_school;

permissions! {
    pages "/schoolPC/educational/selection/courseCredit", "/platformPC/educational/selection/courseCredit";
    EachSchool Reads       ListCourseCredits    = "adult:pc:courseCredit:list" "课程学分列表";
    EachSchool Reads       ListStudentCredits   = "adult:pc:courseCredit:list" "课程学分列表";
    EachSchool Writes      EditCourseCredits    = "adult:pc:courseCredit:edit" "编辑课程学分";
    EachSchool ReadsLogged ExportCourseCredits  = "adult:pc:courseCredit:export" "导出课程学分";
    EachSchool ReadsLogged ExportStudentCredits = "adult:pc:courseCredit:export" "导出课程学分";
}

/// Whoever holds it for the whole school, as an audit asks, lets a next version take effect at once.
const AUDITS: &str = "adult:pc:teachingPlan:audit";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<CourseCredits>(), export_job::<student::StudentCredits>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// A course of a plan with its credits.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCredit {
    /// 计划课程编号
    pub id: i64,
    /// 教学计划
    pub plan_id: i64,
    /// 教学计划名称
    pub plan_name: String,
    /// 教学计划状态
    pub plan_status: PlanStatus,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学期序
    pub term_no: i32,
    /// 性质
    pub nature: CourseNature,
    /// 学分
    pub credits: f64,
    /// 总学时
    pub hours: i32,
    /// 面授学时
    pub lecture_hours: i32,
    /// 线上学时
    pub online_hours: i32,
    /// 实践学时
    pub practice_hours: i32,
    /// 自学学时
    pub self_study_hours: i32,
    /// 已开课
    /// 已开课的课程不能修改学分学时
    pub opened: bool,
    /// 计划必修学分合计
    pub plan_compulsory: f64,
    /// 计划必修学分要求
    pub plan_compulsory_required: f64,
    /// 计划总学分要求
    pub plan_total_required: f64,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCreditFilter {
    /// 教学计划
    pub plan_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学期序
    pub term_no: Option<i32>,
    /// 性质
    pub nature: Option<CourseNature>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

/// What is wanted of one course of a plan; what is left out stays.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCreditItem {
    /// 计划课程
    pub plan_course_id: i64,
    /// 版本
    pub version: i32,
    /// 学分
    pub credits: Option<f64>,
    /// 面授学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub lecture_hours: Option<i32>,
    /// 线上学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub online_hours: Option<i32>,
    /// 实践学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub practice_hours: Option<i32>,
    /// 自学学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub self_study_hours: Option<i32>,
}

/// Several courses, of one plan or of many.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct CourseCreditsEdit {
    /// 计划课程
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<CourseCreditItem>,
}

impl Example for CourseCreditsEdit {
    fn example() -> Self {
        let item = CourseCreditItem {
            plan_course_id: 1,
            version: 1,
            credits: Some(4.0),
            lecture_hours: None,
            online_hours: None,
            practice_hours: None,
            self_study_hours: None,
        };
        Self { items: vec![item] }
    }
}

/// What became of a plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanOfCredits {
    /// 教学计划
    /// 生效的计划修订后为新版本
    pub plan_id: i64,
    /// 已修订为新版本
    pub revised: bool,
    /// 教学计划状态
    pub status: PlanStatus,
    /// 提醒
    pub warnings: Vec<String>,
}

/// How it went, plan by plan.
#[derive(Debug, Clone, Default, Object)]
pub struct CourseCreditsEdited {
    /// 修改的课程数
    pub done: i64,
    /// 失败明细
    /// 以教学计划为单位
    pub failed: Vec<BulkFailure>,
    /// 教学计划
    pub plans: Vec<PlanOfCredits>,
}

/// The list of courses of plans.
pub struct CourseCredits;

pub struct CreditRows;

#[OpenApi(prefix_path = "/adult/pc/courseCredit", tag = "crate::Tag::CourseOpening")]
impl CreditRows {
    /// 课程学分列表
    #[oai(path = "/list", method = "post", operation_id = "listCourseCredits")]
    async fn list(
        &self,
        caller: Allowed<ListCourseCredits>,
        Body(asked): Body<Paged<CourseCreditFilter>>,
    ) -> Result<Reply<SchoolPage<CourseCredit>>> {
        across::list::<CourseCredits, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 编辑课程学分
    /// 草稿直接修改；生效的计划自动修订为新版本，可审核教学计划的人员修改后即生效
    #[oai(path = "/edit", method = "put", operation_id = "editCourseCredits")]
    async fn edit(
        &self,
        caller: Allowed<EditCourseCredits>,
        Body(wanted): Body<CourseCreditsEdit>,
    ) -> Result<Reply<CourseCreditsEdited>> {
        of_whole_school(&caller.scope())?;
        let audits = caller.rights().get(AUDITS).is_some_and(Scope::is_whole);
        let mut tx = caller.begin().await?;
        let by_plan = by_plan(&mut tx, &wanted.items).await?;
        credits::hold(&mut tx, &by_plan.keys().copied().collect::<Vec<_>>()).await?;
        let mut answer = CourseCreditsEdited::default();
        let mut changes = Vec::new();
        for (plan, items) in by_plan {
            tx.savepoint().await?;
            match credits::change(&mut tx, plan, &items, audits).await {
                Ok(CreditsChanged { plan_id, revised, status, warnings, changes: made }) => {
                    tx.row_done().await?;
                    answer.done += i64::try_from(items.len()).map_err(Error::internal)?;
                    answer.plans.push(PlanOfCredits { plan_id, revised, status, warnings });
                    changes.extend(made);
                }
                Err(error) => {
                    let msg = tx.row_failed(error).await?.0;
                    let name = sqlx::query_scalar!("select name from teaching_plan where id = $1", plan)
                        .fetch_optional(&mut *tx)
                        .await?;
                    answer.failed.push(BulkFailure { id: plan, name: name.unwrap_or_default(), msg });
                }
            }
        }
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(answer))
    }

    /// 导出课程学分
    #[oai(path = "/export", method = "post", operation_id = "exportCourseCredits")]
    async fn export(
        &self,
        caller: Allowed<ExportCourseCredits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseCreditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<CourseCredits>(&caller, asked.filter, job.0).await
    }
}

/// The operations on credits.
pub(crate) fn api() -> impl OpenApi {
    (CreditRows, student::StudentCreditRows)
}

/// The items of each plan, in the order of the plans.
///
/// # Errors
/// 422 at the item whose course is not there, or stands in an earlier one already.
async fn by_plan(tx: &mut Tx, items: &[CourseCreditItem]) -> Result<BTreeMap<i64, Vec<CreditChange>>> {
    let ids: Vec<i64> = items.iter().map(|item| item.plan_course_id).collect();
    let rows =
        sqlx::query!("select id, plan_id from plan_course where id = any($1)", &ids).fetch_all(&mut **tx).await?;
    let plans: HashMap<i64, i64> = rows.into_iter().map(|row| (row.id, row.plan_id)).collect();
    let mut wanted: BTreeMap<i64, Vec<CreditChange>> = BTreeMap::new();
    let mut seen = HashSet::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let field = format!("items[{place}].planCourseId");
        if !seen.insert(item.plan_course_id) {
            return Err(Error::field(&field, "计划课程重复，请合并为一条"));
        }
        let missing = || Error::field(&field, "所选计划课程不存在，请刷新后重试");
        let plan = *plans.get(&item.plan_course_id).ok_or_else(missing)?;
        wanted.entry(plan).or_default().push(CreditChange {
            plan_course_id: item.plan_course_id,
            version: item.version,
            credits: item.credits,
            lecture_hours: item.lecture_hours,
            online_hours: item.online_hours,
            practice_hours: item.practice_hours,
            self_study_hours: item.self_study_hours,
        });
    }
    Ok(wanted)
}

impl Keyed for CourseCredits {
    type Filter = CourseCreditFilter;
    type Row = CourseCredit;

    fn id(row: &CourseCredit) -> i64 {
        row.id
    }

    /// Courses of plans that are in effect or worked on.
    async fn matching(
        connection: &mut PgConnection,
        filter: &CourseCreditFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.grade_text.as_deref(),
            filter.level_text.as_deref(),
            filter.major_text.as_deref(),
            filter.course_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select x.id, x.created_at, count(*) over () as "total!"
               from plan_course x
               join teaching_plan p on p.id = x.plan_id
               join grade g on g.id = p.grade_id
               join course u on u.id = x.course_id
               where p.status in ('draft', 'submitted', 'rejected', 'effective')
                 and ($1::bigint is null or x.plan_id = $1)
                 and ($2::bigint is null or p.grade_id = $2)
                 and ($3::bigint is null or p.level_id = $3)
                 and ($4::bigint is null or p.major_id = $4)
                 and ($5::bigint is null or x.course_id = $5)
                 and ($6::integer is null or x.term_no = $6)
                 and ($7::text is null or x.nature = $7)
                 and (($8::text[])[1] is null or p.grade_id = any(array(
                          select y.id from grade y where strpos(lower(y.code), ($8::text[])[1]) > 0 or strpos(lower(y.name), ($8::text[])[1]) > 0)))
                 and (($8::text[])[2] is null or p.level_id = any(array(
                          select y.id from level y where strpos(lower(y.code), ($8::text[])[2]) > 0 or strpos(lower(y.name), ($8::text[])[2]) > 0)))
                 and (($8::text[])[3] is null or p.major_id = any(array(
                          select y.id from major y where strpos(lower(y.code), ($8::text[])[3]) > 0 or strpos(lower(y.name), ($8::text[])[3]) > 0)))
                 and (($8::text[])[4] is null or x.course_id = any(array(
                          select y.id from course y where strpos(lower(y.code), ($8::text[])[4]) > 0 or strpos(lower(y.name), ($8::text[])[4]) > 0)))
                 and ($9::bigint is null or x.id = $9)
                 and ($10::timestamptz is null or x.created_at <= $10)
               order by case when $10::timestamptz is null then g.code end desc,
                        case when $10::timestamptz is null then p.id end desc,
                        case when $10::timestamptz is null then x.term_no end,
                        case when $10::timestamptz is null then u.code end, x.created_at desc, x.id
               limit $11 offset $12"#,
            filter.plan_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.course_id,
            filter.term_no,
            filter.nature.map(CourseNature::as_str),
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<CourseCredit>> {
        sqlx::query_as!(
            CourseCredit,
            r#"select x.id, x.plan_id, p.name as plan_name, p.status as "plan_status: _", g.name as grade_name,
                      l.name as level_name, m.name as major_name, u.code as course_code, u.name as course_name, x.term_no,
                      x.nature as "nature: _", x.credits::float8 as "credits!", x.hours, x.lecture_hours, x.online_hours,
                      x.practice_hours, x.self_study_hours,
                      exists (select from course_opening o
                              where o.course_id = x.course_id and o.grade_id = p.grade_id and o.major_id = p.major_id
                                and o.kind = 'plan' and o.status in ('opened', 'closed')) as "opened!",
                      (select coalesce(sum(y.credits), 0) from plan_course y
                       where y.plan_id = x.plan_id and y.nature = 'compulsory')::float8 as "plan_compulsory!",
                      p.min_compulsory_credits::float8 as "plan_compulsory_required!",
                      p.total_credits::float8 as "plan_total_required!", x.created_at, x.version
               from plan_course x
               join teaching_plan p on p.id = x.plan_id
               join grade g on g.id = p.grade_id
               join level l on l.id = p.level_id
               join major m on m.id = p.major_id
               join course u on u.id = x.course_id
               where x.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for CourseCredits {
    type Filter = CourseCreditFilter;
    type Row = CourseCredit;
    const KIND: &'static str = "course_credit.export";
    type Permission = ExportCourseCredits;
    const TITLE: &'static str = "课程学分";
    const COLUMNS: &'static [Column<CourseCredit>] = &[
        Column { heading: "教学计划", width: 40, cell: |row| Cell::Text(row.plan_name.clone()) },
        Column { heading: "教学计划状态", width: 14, cell: |row| Cell::Text(row.plan_status.zh().to_owned()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "学期序", width: 8, cell: |row| Cell::Int(row.term_no.into()) },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(row.nature.zh().to_owned()) },
        Column { heading: "学分", width: 8, cell: |row| tenths(row.credits) },
        Column { heading: "总学时", width: 8, cell: |row| Cell::Int(row.hours.into()) },
        Column { heading: "面授学时", width: 10, cell: |row| Cell::Int(row.lecture_hours.into()) },
        Column { heading: "线上学时", width: 10, cell: |row| Cell::Int(row.online_hours.into()) },
        Column { heading: "实践学时", width: 10, cell: |row| Cell::Int(row.practice_hours.into()) },
        Column { heading: "自学学时", width: 10, cell: |row| Cell::Int(row.self_study_hours.into()) },
        Column { heading: "已开课", width: 8, cell: |row| Cell::Bool(row.opened) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseCreditFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CourseCredit>> {
        Self::all(connection, filter, scope).await
    }
}
