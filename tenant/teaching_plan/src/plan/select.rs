//! How plans are read: the list with its figures, one with its versions, and as others choose it.

use std::collections::HashMap;

use infra::{
    App, Error, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    files,
    naming::tenths as one_place,
    options::{Asked, OptionItem},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use majors::major::StudyForm;
use poem_openapi::Object;
use sqlx::PgConnection;
use teaching_plan_rules::measure::{Measure, measure};

use super::Plans;
use crate::{
    course::{
        PlanCourse, PlanGroup,
        select::{courses_of, groups_of},
    },
    enums::PlanStatus,
};

/// A version of a teaching plan, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Plan {
    /// 编号
    pub id: i64,
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
    /// 校内专业代码
    pub major_code: String,
    /// 专业名称
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学院
    pub organization_id: Option<i64>,
    /// 学院名称
    pub organization_name: Option<String>,
    /// 版本号
    pub version_no: i32,
    /// 最新版本
    pub latest: bool,
    /// 名称
    pub name: String,
    /// 总学分
    pub total_credits: f64,
    /// 必修学分
    pub min_compulsory_credits: f64,
    /// 选修学分
    pub min_elective_credits: f64,
    /// 学期数
    pub term_count: i32,
    /// 状态
    pub status: PlanStatus,
    /// 课程数
    pub course_count: i64,
    /// 总学时
    pub total_hours: f64,
    /// 线下比例(%)
    pub offline_ratio: Option<f64>,
    /// 提交人
    pub submitted_by_id: Option<i64>,
    /// 提交人姓名
    pub submitted_by_name: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 审核人
    pub audited_by_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 生效时间
    pub effective_at: Option<Moment>,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// Another version of the same grade and major.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanVersion {
    /// 编号
    pub id: i64,
    /// 版本号
    pub version_no: i32,
    /// 状态
    pub status: PlanStatus,
    /// 课程数
    pub course_count: i64,
    /// 提交人姓名
    pub submitted_by_name: Option<String>,
    /// 审核人
    pub audited_by_name: Option<String>,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 生效时间
    pub effective_at: Option<Moment>,
    /// 更新时间
    pub updated_at: Moment,
}

/// A plan with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanView {
    #[oai(flatten)]
    pub plan: Plan,
    /// 培养目标
    pub objective: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 附件
    pub file_key: Option<String>,
    /// 附件名称
    pub file_name: Option<String>,
    /// 附件地址
    pub file_url: Option<String>,
    /// 各版本
    pub versions: Vec<PlanVersion>,
}

/// What the trail keeps of a plan's head.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct PlanHead {
    /// 年级
    pub(crate) grade_id: i64,
    /// 专业
    pub(crate) major_id: i64,
    /// 版本号
    pub(crate) version_no: i32,
    /// 名称
    pub(crate) name: String,
    /// 总学分
    pub(crate) total_credits: f64,
    /// 必修学分
    pub(crate) min_compulsory_credits: f64,
    /// 选修学分
    pub(crate) min_elective_credits: f64,
    /// 学期数
    pub(crate) term_count: i32,
    /// 培养目标
    pub(crate) objective: Option<String>,
    /// 备注
    pub(crate) remark: Option<String>,
    /// 附件
    pub(crate) file_key: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanFilter {
    /// 名称或专业
    /// 计划名称、专业名称的一部分，或校内专业代码的开头
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 学院
    pub organization_id: Option<i64>,
    /// 状态
    pub status: Option<PlanStatus>,
    /// 只看最新版本
    pub latest_only: Option<bool>,
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
}

/// A row as it is stored; figures are counted from its courses.
struct Stored {
    id: i64,
    grade_id: i64,
    grade_name: String,
    level_id: i64,
    level_name: String,
    major_id: i64,
    major_code: String,
    major_name: String,
    study_form: StudyForm,
    organization_id: Option<i64>,
    organization_name: Option<String>,
    version_no: i32,
    latest: bool,
    name: String,
    total_credits: f64,
    min_compulsory_credits: f64,
    min_elective_credits: f64,
    term_count: i32,
    status: PlanStatus,
    submitted_by_id: Option<i64>,
    submitted_by_name: Option<String>,
    submitted_at: Option<Moment>,
    audited_by_name: Option<String>,
    audited_at: Option<Moment>,
    audit_opinion: Option<String>,
    effective_at: Option<Moment>,
    updated_at: Moment,
    version: i32,
}

impl Stored {
    fn with(self, courses: &[PlanCourse], groups: &[PlanGroup]) -> Plan {
        let Measure { hours, offline_ratio, .. } = measure(courses, groups);
        Plan {
            id: self.id,
            grade_id: self.grade_id,
            grade_name: self.grade_name,
            level_id: self.level_id,
            level_name: self.level_name,
            major_id: self.major_id,
            major_code: self.major_code,
            major_name: self.major_name,
            study_form: self.study_form,
            organization_id: self.organization_id,
            organization_name: self.organization_name,
            version_no: self.version_no,
            latest: self.latest,
            name: self.name,
            total_credits: self.total_credits,
            min_compulsory_credits: self.min_compulsory_credits,
            min_elective_credits: self.min_elective_credits,
            term_count: self.term_count,
            status: self.status,
            course_count: i64::try_from(courses.len()).unwrap_or(i64::MAX),
            total_hours: hours.rounded(),
            offline_ratio,
            submitted_by_id: self.submitted_by_id,
            submitted_by_name: self.submitted_by_name,
            submitted_at: self.submitted_at,
            audited_by_name: self.audited_by_name,
            audited_at: self.audited_at,
            audit_opinion: self.audit_opinion,
            effective_at: self.effective_at,
            updated_at: self.updated_at,
            version: self.version,
        }
    }
}

impl Keyed for Plans {
    type Filter = PlanFilter;
    type Row = Plan;

    fn id(row: &Plan) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &PlanFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.grade_text.as_deref(),
            filter.level_text.as_deref(),
            filter.major_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select p.id, p.created_at, count(*) over () as "total!"
               from teaching_plan p join major m on m.id = p.major_id
               where ($1::bigint is null or p.id = $1)
                 and ($2::timestamptz is null or p.created_at <= $2)
                 and ($3::text is null or strpos(p.name, $3) > 0 or strpos(m.name, $3) > 0
                      or starts_with(lower(m.code), lower($3)))
                 and ($4::bigint is null or p.grade_id = $4)
                 and ($5::bigint is null or p.level_id = $5)
                 and ($6::bigint is null or p.major_id = $6)
                 and ($7::text is null or m.study_form = $7)
                 and ($8::bigint is null or m.organization_id = $8)
                 and ($9::text is null or p.status = $9)
                 and (not coalesce($10::boolean, false) or not exists (
                      select from teaching_plan later
                      where later.grade_id = p.grade_id and later.major_id = p.major_id and later.version_no > p.version_no))
                 and (($11::text[])[1] is null or p.grade_id = any(array(
                          select y.id from grade y where strpos(lower(y.code), ($11::text[])[1]) > 0 or strpos(lower(y.name), ($11::text[])[1]) > 0)))
                 and (($11::text[])[2] is null or p.level_id = any(array(
                          select y.id from level y where strpos(lower(y.code), ($11::text[])[2]) > 0 or strpos(lower(y.name), ($11::text[])[2]) > 0)))
                 and (($11::text[])[3] is null or p.major_id = any(array(
                          select y.id from major y where strpos(lower(y.code), ($11::text[])[3]) > 0 or strpos(lower(y.name), ($11::text[])[3]) > 0)))
               order by p.created_at desc, p.id
               limit $12 offset $13"#,
            wanted.id,
            wanted.newest_until,
            filter.keyword,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.study_form.map(StudyForm::as_str),
            filter.organization_id,
            filter.status.map(PlanStatus::as_str),
            filter.latest_only,
            texts.as_deref() as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Plan>> {
        let stored = sqlx::query_as!(
            Stored,
            r#"select p.id, p.grade_id, g.name as grade_name, p.level_id, l.name as level_name, p.major_id,
                      m.code as major_code, m.name as major_name, m.study_form as "study_form: _", m.organization_id,
                      o.name as "organization_name?", p.version_no,
                      not exists (select from teaching_plan later
                                  where later.grade_id = p.grade_id and later.major_id = p.major_id
                                    and later.version_no > p.version_no) as "latest!",
                      p.name, p.total_credits::float8 as "total_credits!",
                      p.min_compulsory_credits::float8 as "min_compulsory_credits!",
                      p.min_elective_credits::float8 as "min_elective_credits!", p.term_count, p.status as "status: _",
                      p.submitted_by as submitted_by_id, p.submitted_by_name, p.submitted_at, p.audited_by_name, p.audited_at,
                      p.audit_opinion, p.effective_at, p.updated_at, p.version
               from teaching_plan p
               join grade g on g.id = p.grade_id
               join level l on l.id = p.level_id
               join major m on m.id = p.major_id
               left join organization o on o.id = m.organization_id
               where p.id = any($1)"#,
            ids
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut courses: HashMap<i64, Vec<PlanCourse>> = HashMap::new();
        for course in courses_of(connection, ids).await? {
            courses.entry(course.plan_id).or_default().push(course);
        }
        let mut groups: HashMap<i64, Vec<PlanGroup>> = HashMap::new();
        for group in groups_of(connection, ids).await? {
            groups.entry(group.plan_id).or_default().push(group);
        }
        let with = |plan: Stored| {
            let courses = courses.get(&plan.id).map_or(&[][..], Vec::as_slice);
            let groups = groups.get(&plan.id).map_or(&[][..], Vec::as_slice);
            plan.with(courses, groups)
        };
        Ok(stored.into_iter().map(with).collect())
    }

    fn states(filter: &PlanFilter) -> Vec<(&'static str, PlanFilter)> {
        let of = |status: PlanStatus| (status.as_str(), PlanFilter { status: Some(status), ..filter.clone() });
        PlanStatus::CHOICES.iter().map(|(_, status)| of(*status)).collect()
    }
}

/// All versions of a grade and major, the newest first.
pub(super) async fn versions(connection: &mut PgConnection, grade: i64, major: i64) -> Result<Vec<PlanVersion>> {
    Ok(sqlx::query_as!(
        PlanVersion,
        r#"select p.id, p.version_no, p.status as "status: _",
                  (select count(*) from plan_course c where c.plan_id = p.id) as "course_count!",
                  p.submitted_by_name, p.audited_by_name, p.audit_opinion, p.effective_at, p.updated_at
           from teaching_plan p where p.grade_id = $1 and p.major_id = $2 order by p.version_no desc"#,
        grade,
        major
    )
    .fetch_all(connection)
    .await?)
}

/// One plan with what its own page needs.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, id: i64) -> Result<PlanView> {
    let plan = Plans::find(connection, id, &Scope::whole_school()).await?;
    let more = sqlx::query!(
        r#"select p.objective, p.remark, p.file_id, f.key as "key?", f.original_name as "file_name?"
           from teaching_plan p left join file_object f on f.id = p.file_id where p.id = $1"#,
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let file_url = match more.file_id {
        Some(file) => files::address(app, connection, file).await?.map(|(url, _)| url),
        None => None,
    };
    let versions = versions(connection, plan.grade_id, plan.major_id).await?;
    Ok(PlanView {
        plan,
        objective: more.objective,
        remark: more.remark,
        file_key: more.key,
        file_name: more.file_name,
        file_url,
        versions,
    })
}

/// A plan's head for the trail.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn told(connection: &mut PgConnection, id: i64) -> Result<PlanHead> {
    sqlx::query_as!(
        PlanHead,
        r#"select p.grade_id, p.major_id, p.version_no, p.name, p.total_credits::float8 as "total_credits!",
                  p.min_compulsory_credits::float8 as "min_compulsory_credits!",
                  p.min_elective_credits::float8 as "min_elective_credits!", p.term_count, p.objective, p.remark,
                  f.key as "file_key?"
           from teaching_plan p left join file_object f on f.id = p.file_id where p.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// What a plan has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct PlanFields {
    /// 年级
    grade_id: Option<i64>,
    /// 学期数
    term_count: Option<i32>,
}

/// Plans of the major `parent_id`, or of all; enabled is what is in effect.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, name, version_no, grade_id, major_id, term_count, status = 'effective' as "effective!"
           from teaching_plan
           where (status = 'effective' or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(initials, lower($1)))
             and ($3::bigint is null or major_id = $3)
           order by created_at desc, id limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = PlanFields { grade_id: Some(row.grade_id), term_count: Some(row.term_count) };
            let number = format!("V{}", row.version_no);
            OptionItem::of(row.id, row.name, number, row.effective).below(row.major_id).with(&fields)
        })
        .collect())
}

impl Export for Plans {
    type Filter = PlanFilter;
    type Row = Plan;
    const KIND: &'static str = "teaching_plan.export";
    type Permission = super::ExportPlans;
    const TITLE: &'static str = "教学计划";
    const COLUMNS: &'static [Column<Plan>] = &[
        Column { heading: "年级", width: 12, cell: |plan| Cell::Text(plan.grade_name.clone()) },
        Column { heading: "层次", width: 12, cell: |plan| Cell::Text(plan.level_name.clone()) },
        Column { heading: "专业代码", width: 12, cell: |plan| Cell::Text(plan.major_code.clone()) },
        Column { heading: "专业", width: 24, cell: |plan| Cell::Text(plan.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |plan| Cell::Text(plan.study_form.zh().to_owned()) },
        Column { heading: "学院", width: 24, cell: |plan| Cell::text(plan.organization_name.clone()) },
        Column { heading: "名称", width: 36, cell: |plan| Cell::Text(plan.name.clone()) },
        Column { heading: "版本", width: 8, cell: |plan| Cell::Int(plan.version_no.into()) },
        Column { heading: "课程数", width: 8, cell: |plan| Cell::Int(plan.course_count) },
        Column { heading: "总学分", width: 8, cell: |plan| one_place(plan.total_credits) },
        Column { heading: "必修学分", width: 10, cell: |plan| one_place(plan.min_compulsory_credits) },
        Column { heading: "选修学分", width: 10, cell: |plan| one_place(plan.min_elective_credits) },
        Column { heading: "学期数", width: 8, cell: |plan| Cell::Int(plan.term_count.into()) },
        Column { heading: "总学时", width: 10, cell: |plan| one_place(plan.total_hours) },
        Column {
            heading: "线下比例(%)", width: 12, cell: |plan| plan.offline_ratio.map_or(Cell::Empty, one_place)
        },
        Column { heading: "状态", width: 10, cell: |plan| Cell::Text(plan.status.zh().to_owned()) },
        Column { heading: "提交人", width: 12, cell: |plan| Cell::text(plan.submitted_by_name.clone()) },
        Column { heading: "审核人", width: 12, cell: |plan| Cell::text(plan.audited_by_name.clone()) },
        Column { heading: "审核意见", width: 30, cell: |plan| Cell::text(plan.audit_opinion.clone()) },
        Column { heading: "生效时间", width: 20, cell: |plan| Cell::time(plan.effective_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PlanFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Plan>> {
        Self::all(connection, filter, scope).await
    }
}
