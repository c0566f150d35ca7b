//! How theses are read.

use chrono::NaiveDate;
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use thesis_rules::enums::{DefenseResult, ThesisStage, ThesisStageStatus, ThesisStatus};

/// The list of theses.
pub struct Theses;

/// A thesis, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentThesis {
    /// 编号
    pub id: i64,
    /// 论文批次编号
    pub plan_id: i64,
    /// 论文批次
    pub plan_name: String,
    /// 选课编号
    pub selection_id: i64,
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
    /// 修读次数
    pub attempt_no: i32,
    /// 选题编号
    pub topic_id: Option<i64>,
    /// 题目
    pub title: Option<String>,
    /// 指导教师编号
    pub adviser_id: Option<i64>,
    /// 指导教师
    pub adviser_name: Option<String>,
    /// 论文阶段
    pub stage: ThesisStage,
    /// 阶段状态
    pub stage_status: ThesisStageStatus,
    /// 总文字复制比(%)
    pub similarity_rate: Option<f64>,
    /// 查重系统
    pub similarity_tool: Option<String>,
    /// 检测日期
    pub similarity_on: Option<NaiveDate>,
    /// 查重次数
    pub similarity_count: i32,
    /// 评阅数
    pub review_count: i64,
    /// 评阅均分
    pub review_score: Option<f64>,
    /// 答辩结论
    pub defense_result: Option<DefenseResult>,
    /// 截止日期
    /// 当前阶段，含延期
    pub due_on: Option<NaiveDate>,
    /// 逾期天数
    pub overdue_days: i32,
    /// 论文状态
    pub status: ThesisStatus,
    /// 说明
    pub remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
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
    /// 指导教师
    pub adviser_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 论文阶段
    pub stage: Option<ThesisStage>,
    /// 阶段状态
    pub stage_status: Option<ThesisStageStatus>,
    /// 论文状态
    pub status: Option<ThesisStatus>,
    /// 逾期
    pub overdue: Option<bool>,
    /// 关键字
    /// 学号、姓名或题目
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
}

impl Keyed for Theses {
    type Filter = ThesisFilter;
    type Row = StudentThesis;

    fn id(row: &StudentThesis) -> i64 {
        row.id
    }

    /// A thesis lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ThesisFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select t.id, t.created_at, count(*) over () as "total!"
               from thesis t
               join student y on y.id = t.student_id
               join thesis_plan p on p.id = t.plan_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or t.plan_id = $3)
                 and ($4::bigint is null or y.grade_id = $4)
                 and ($5::bigint is null or y.level_id = $5)
                 and ($6::bigint is null or y.major_id = $6)
                 and ($7::bigint is null or y.class_id = $7)
                 and ($8::bigint is null or y.site_id = $8)
                 and ($9::bigint is null or t.adviser_id = $9)
                 and ($10::text is null or t.stage = $10)
                 and ($11::text is null or t.stage_status = $11)
                 and ($12::text is null or t.status = $12)
                 and ($13::boolean is null or $13 = coalesce(t.status = 'active' and t.stage_status in ('pending', 'returned')
                          and greatest(
                              case t.stage when 'topic' then p.topic_to when 'proposal' then p.proposal_due
                                           when 'draft' then p.draft_due when 'final' then p.final_due
                                           when 'similarity' then p.similarity_due when 'review' then p.review_due
                                           when 'defense' then p.defense_to end,
                              (select x.until from thesis_extension x
                               where x.thesis_id = t.id and x.stage = t.stage order by x.id desc limit 1)) < (now() at time zone 'Asia/Shanghai')::date, false))
                 and ($14::text is null or y.student_no = $14 or strpos(y.name, $14) > 0 or strpos(t.title, $14) > 0)
                 and ($15::bigint is null or t.id = $15)
                 and ($16::timestamptz is null or t.created_at <= $16)
                 and ($17::bigint is null or t.student_id = $17)
               order by t.created_at desc, t.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.plan_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.adviser_id,
            filter.stage.map(ThesisStage::as_str),
            filter.stage_status.map(ThesisStageStatus::as_str),
            filter.status.map(ThesisStatus::as_str),
            filter.overdue,
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            filter.student_id,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<StudentThesis>> {
        sqlx::query_as!(
            StudentThesis,
            r#"select t.id as "id!", t.plan_id as "plan_id!", p.name as "plan_name!", t.selection_id as "selection_id!",
                      t.student_id as "student_id!", y.student_no, y.name as "student_name!", m.name as "major_name!",
                      k.name as "class_name?", s.name as "site_name!", t.attempt_no as "attempt_no!", t.topic_id, t.title,
                      t.adviser_id, a.name as "adviser_name?", t.stage as "stage!: _", t.stage_status as "stage_status!: _",
                      t.similarity_rate::float8 as "similarity_rate?", t.similarity_tool, t.similarity_on,
                      t.similarity_count as "similarity_count!",
                      (select count(*) from thesis_review r where r.thesis_id = t.id) as "review_count!",
                      (select round(avg(r.score), 1)::float8 from thesis_review r where r.thesis_id = t.id) as "review_score?",
                      t.defense_result as "defense_result?: _", d.due as "due_on?",
                      case when t.status = 'active' and t.stage_status in ('pending', 'returned') and d.due < (now() at time zone 'Asia/Shanghai')::date
                           then (now() at time zone 'Asia/Shanghai')::date - d.due else 0 end as "overdue_days!",
                      t.status as "status!: _", t.remark, t.created_at as "created_at!", t.version as "version!"
               from thesis t
               join thesis_plan p on p.id = t.plan_id
               join student y on y.id = t.student_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               left join class k on k.id = y.class_id
               left join teacher a on a.id = t.adviser_id
               cross join lateral (
                   select greatest(
                       case t.stage when 'topic' then p.topic_to when 'proposal' then p.proposal_due
                                    when 'draft' then p.draft_due when 'final' then p.final_due
                                           when 'similarity' then p.similarity_due when 'review' then p.review_due
                                           when 'defense' then p.defense_to end,
                       (select x.until from thesis_extension x
                        where x.thesis_id = t.id and x.stage = t.stage order by x.id desc limit 1)) as due) d
               where t.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}
