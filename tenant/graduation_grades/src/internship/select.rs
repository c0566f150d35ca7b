//! How internships are read: a row for each selection of a course of that kind.

use chrono::NaiveDate;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    files, mask,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use thesis_rules::enums::InternshipStatus;

/// The list of internships.
pub struct Internships;

/// An internship, as stored and as shown; where nobody wrote anything yet, the selection alone.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Internship {
    /// 编号
    /// 实习课程的选课编号
    pub id: i64,
    /// 实习编号
    /// 尚未填写时为空
    pub internship_id: Option<i64>,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 专业
    pub major_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 学期
    pub semester_name: String,
    /// 课程
    pub course_name: String,
    /// 修读次数
    pub attempt_no: i32,
    /// 论文批次
    pub plan_name: Option<String>,
    /// 论文题目
    pub title: Option<String>,
    /// 指导教师
    pub adviser_name: Option<String>,
    /// 实习单位
    pub unit: Option<String>,
    /// 岗位
    pub post: Option<String>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
    /// 单位指导人
    pub mentor: Option<String>,
    /// 指导人电话
    pub mentor_phone: Option<String>,
    /// 申请免实习
    pub apply_waiver: bool,
    /// 有实习报告
    pub has_report: bool,
    /// 有实习鉴定
    pub has_appraisal: bool,
    /// 单位评分
    pub unit_score: Option<f64>,
    /// 教师评分
    pub teacher_score: Option<f64>,
    /// 成绩
    pub score: Option<f64>,
    /// 免实习
    pub waived: bool,
    /// 实习状态
    pub status: InternshipStatus,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 评分人
    pub scored_by_name: Option<String>,
    /// 审核人
    pub audited_by_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 版本
    /// 尚未填写时为0
    pub version: i32,
}

impl Internship {
    pub(crate) fn masked(mut self) -> Self {
        self.mentor_phone = self.mentor_phone.as_deref().map(mask::phone);
        self
    }

    /// Without what was given, until somebody else passed it.
    pub(crate) fn seen_by_its_student(self) -> Self {
        if self.status == InternshipStatus::Passed {
            return self;
        }
        Self { unit_score: None, teacher_score: None, score: None, scored_by_name: None, ..self }
    }
}

/// An internship with its papers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InternshipView {
    #[oai(flatten)]
    pub internship: Internship,
    /// 实习报告地址
    pub report_url: Option<String>,
    /// 实习报告文件名
    pub report_file_name: Option<String>,
    /// 实习鉴定地址
    pub appraisal_url: Option<String>,
    /// 实习鉴定文件名
    pub appraisal_file_name: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct InternshipFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
    /// 指导教师
    /// 论文的
    pub adviser_id: Option<i64>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 实习状态
    pub status: Option<InternshipStatus>,
    /// 已评分
    pub entered: Option<bool>,
    /// 申请免实习
    pub apply_waiver: Option<bool>,
    /// 关键字
    /// 学号、姓名或实习单位
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
}

impl Keyed for Internships {
    type Filter = InternshipFilter;
    type Row = Internship;

    fn id(row: &Internship) -> i64 {
        row.id
    }

    /// An internship lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &InternshipFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!"
               from course_selection c
               join course u on u.id = c.course_id and u.kind = 'internship'
               join student y on y.id = c.student_id
               left join internship i on i.selection_id = c.id
               where c.status in ('selected', 'completed')
                 and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or c.semester_id = $3)
                 and ($4::bigint is null or y.grade_id = $4)
                 and ($5::bigint is null or y.level_id = $5)
                 and ($6::bigint is null or y.major_id = $6)
                 and ($7::bigint is null or y.class_id = $7)
                 and ($8::bigint is null or y.site_id = $8)
                 and ($9::bigint is null or c.student_id = $9)
                 and ($10::text is null or coalesce(i.status, 'draft') = $10)
                 and ($11::boolean is null or $11 = (i.unit_score is not null and i.teacher_score is not null))
                 and ($12::boolean is null or coalesce(i.apply_waiver, false) = $12)
                 and ($13::text is null or y.student_no = $13 or strpos(y.name, $13) > 0 or strpos(i.unit, $13) > 0)
                 and ($14::bigint is null or c.id = $14)
                 and ($15::timestamptz is null or c.created_at <= $15)
                 and (($18::bigint is null and $19::bigint is null) or exists (
                          select from thesis t
                          where t.student_id = c.student_id and t.status <> 'cancelled'
                            and ($18 is null or t.plan_id = $18) and ($19 is null or t.adviser_id = $19)))
               order by c.created_at desc, c.id
               limit $16 offset $17"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.student_id,
            filter.status.map(InternshipStatus::as_str),
            filter.entered,
            filter.apply_waiver,
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset,
            filter.plan_id,
            filter.adviser_id
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Internship>> {
        sqlx::query_as!(
            Internship,
            r#"select c.id as "id!", i.id as "internship_id?", c.student_id as "student_id!", y.student_no as "student_no?",
                      y.name as "student_name!", m.name as "major_name!", k.name as "class_name?", s.name as "site_name!",
                      e.name as "semester_name!", u.name as "course_name!", c.attempt_no as "attempt_no!", x.plan as "plan_name?",
                      x.title as "title?", x.adviser as "adviser_name?", i.unit as "unit?",
                      i.post as "post?", i.starts_on as "starts_on?", i.ends_on as "ends_on?", i.mentor as "mentor?",
                      i.mentor_phone as "mentor_phone?", coalesce(i.apply_waiver, false) as "apply_waiver!",
                      i.report_file_id is not null as "has_report!", i.appraisal_file_id is not null as "has_appraisal!",
                      i.unit_score::float8 as "unit_score?", i.teacher_score::float8 as "teacher_score?", i.score::float8 as "score?",
                      coalesce(i.waived, false) as "waived!", coalesce(i.status, 'draft') as "status!: _",
                      i.return_reason as "return_reason?", i.scored_by_name as "scored_by_name?",
                      i.audited_by_name as "audited_by_name?", i.audited_at as "audited_at?", coalesce(i.version, 0) as "version!"
               from course_selection c
               join course u on u.id = c.course_id
               join semester e on e.id = c.semester_id
               join student y on y.id = c.student_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               left join class k on k.id = y.class_id
               left join internship i on i.selection_id = c.id
               left join lateral (
                   select p.name as plan, t.title, a.name as adviser
                   from thesis t join thesis_plan p on p.id = t.plan_id left join teacher a on a.id = t.adviser_id
                   where t.student_id = c.student_id and t.status <> 'cancelled' order by t.id desc limit 1) x on true
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// An internship that was found, with addresses of its papers.
///
/// # Errors
/// Those of the database and the store.
pub(crate) async fn with_papers(
    app: &App,
    connection: &mut PgConnection,
    internship: Internship,
) -> Result<InternshipView> {
    let of =
        sqlx::query!("select report_file_id, appraisal_file_id from internship where selection_id = $1", internship.id)
            .fetch_optional(&mut *connection)
            .await?;
    let (report, appraisal) = of.map_or((None, None), |row| (row.report_file_id, row.appraisal_file_id));
    let (mut found, wanted) = (Vec::with_capacity(2), [report, appraisal]);
    for id in wanted {
        found.push(match id {
            Some(id) => files::address(app, connection, id).await?,
            None => None,
        });
    }
    let (appraisal_url, appraisal_file_name) = found.pop().flatten().unzip();
    let (report_url, report_file_name) = found.pop().flatten().unzip();
    Ok(InternshipView { internship, report_url, report_file_name, appraisal_url, appraisal_file_name })
}
