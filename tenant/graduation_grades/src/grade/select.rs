//! How scores of theses are read: a row for each selection of a course of that kind.

use infra::{
    Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    enumeration,
};
use poem_openapi::{Object, types::ParseFromJSON};
use serde_json::Value;
use sqlx::PgConnection;
use thesis_rules::enums::{
    DefenseResult, GraduationScoreStatus, ReviewOpinion, ThesisStage, ThesisStageStatus, ThesisStatus,
};

enumeration! {
    /// 毕业成绩项
    pub enum GraduationPart = "graduationPart" {
        Internship = "internship" "实习成绩",
        Thesis = "thesis" "论文成绩",
        Review = "review" "评阅成绩",
        Defense = "defense" "答辩成绩",
    }
}

/// The list of scores of theses.
pub struct GraduationScores;

/// The score of a thesis, as stored and as shown; where nothing was entered yet, the selection and its thesis alone.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationScore {
    /// 编号
    /// 毕业论文课程的选课编号
    pub id: i64,
    /// 毕业成绩编号
    /// 尚未录入时为空
    pub score_id: Option<i64>,
    /// 论文编号
    pub thesis_id: Option<i64>,
    /// 论文批次编号
    pub plan_id: Option<i64>,
    /// 论文批次
    pub plan_name: Option<String>,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 专业编号
    pub major_id: i64,
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
    /// 题目
    pub title: Option<String>,
    /// 指导教师
    pub adviser_name: Option<String>,
    /// 论文阶段
    pub stage: Option<ThesisStage>,
    /// 阶段状态
    pub stage_status: Option<ThesisStageStatus>,
    /// 论文状态
    pub thesis_status: Option<ThesisStatus>,
    /// 实习成绩
    pub internship_score: Option<f64>,
    /// 论文成绩
    pub thesis_score: Option<f64>,
    /// 论文评语
    pub thesis_comment: Option<String>,
    /// 论文成绩录入人
    pub thesis_by_name: Option<String>,
    /// 评阅教师
    /// 以顿号分隔
    pub reviewer_names: Option<String>,
    /// 评阅成绩
    pub review_score: Option<f64>,
    /// 评阅意见
    /// 有多份时取最严的
    pub review_opinion: Option<ReviewOpinion>,
    /// 评阅评语
    pub review_comment: Option<String>,
    /// 评阅成绩录入人
    /// 为空时取自论文评阅
    pub review_by_name: Option<String>,
    /// 答辩组
    pub defense_group_name: Option<String>,
    /// 答辩时间
    pub defense_held_at: Option<Moment>,
    /// 成员评分
    /// 以顿号分隔
    pub member_scores: Option<String>,
    /// 答辩成绩
    pub defense_score: Option<f64>,
    /// 答辩结论
    pub defense_result: Option<DefenseResult>,
    /// 答辩评语
    pub defense_comment: Option<String>,
    /// 答辩成绩录入人
    /// 为空时取自答辩登记
    pub defense_by_name: Option<String>,
    /// 总评
    pub total: Option<f64>,
    /// 等级
    pub grade_word: Option<String>,
    /// 否决原因
    pub veto: Option<String>,
    /// 毕业成绩状态
    pub status: GraduationScoreStatus,
    /// 提交人
    pub submitted_by_name: Option<String>,
    /// 审核人
    pub reviewed_by_name: Option<String>,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 版本
    /// 尚未录入时为0
    pub version: i32,
}

/// One item of a part.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationItem {
    /// 评分项代码
    pub code: String,
    /// 评分项
    pub name: String,
    /// 权重
    pub weight: i32,
    /// 成绩
    pub score: Option<f64>,
}

/// The score of a thesis with the items of its parts.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationScoreView {
    #[oai(flatten)]
    pub score: GraduationScore,
    /// 论文评分项
    /// 按规则列出，未录入的没有成绩；下同
    pub thesis_items: Vec<GraduationItem>,
    /// 评阅评分项
    pub review_items: Vec<GraduationItem>,
    /// 答辩评分项
    pub defense_items: Vec<GraduationItem>,
    /// 论文须按评分项录入
    pub thesis_items_required: bool,
    /// 评阅须按评分项录入
    pub review_items_required: bool,
    /// 答辩须按评分项录入
    pub defense_items_required: bool,
    /// 总评公式
    pub formula_summary: String,
    /// 缺少的成绩
    pub missing: Vec<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationScoreFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
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
    /// 指导教师
    pub adviser_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 毕业成绩状态
    pub status: Option<GraduationScoreStatus>,
    /// 毕业成绩项
    /// 与 entered 一起使用
    pub part: Option<GraduationPart>,
    /// 已录入
    /// 有 part 时为该项，否则为总评
    pub entered: Option<bool>,
    /// 关键字
    /// 学号、姓名或题目
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
}

impl Keyed for GraduationScores {
    type Filter = GraduationScoreFilter;
    type Row = GraduationScore;

    fn id(row: &GraduationScore) -> i64 {
        row.id
    }

    /// A score lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &GraduationScoreFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!"
               from course_selection c
               join course u on u.id = c.course_id and u.kind = 'thesis'
               join student y on y.id = c.student_id
               left join thesis t on t.selection_id = c.id and t.status <> 'cancelled'
               left join graduation_score g on g.selection_id = c.id
               where c.status in ('selected', 'completed')
                 and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or t.plan_id = $3)
                 and ($4::bigint is null or c.semester_id = $4)
                 and ($5::bigint is null or y.grade_id = $5)
                 and ($6::bigint is null or y.level_id = $6)
                 and ($7::bigint is null or y.major_id = $7)
                 and ($8::bigint is null or y.class_id = $8)
                 and ($9::bigint is null or y.site_id = $9)
                 and ($10::bigint is null or t.adviser_id = $10)
                 and ($11::bigint is null or c.student_id = $11)
                 and ($12::text is null or coalesce(g.status, 'pending') = $12)
                 and ($13::boolean is null or $13 = (case coalesce($14::text, 'total')
                          when 'internship' then g.internship_score when 'thesis' then g.thesis_score
                          when 'review' then g.review_score when 'defense' then g.defense_score else g.total end is not null))
                 and ($15::text is null or y.student_no = $15 or strpos(y.name, $15) > 0 or strpos(t.title, $15) > 0)
                 and ($16::bigint is null or c.id = $16)
                 and ($17::timestamptz is null or c.created_at <= $17)
               order by c.created_at desc, c.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.plan_id,
            filter.semester_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.adviser_id,
            filter.student_id,
            filter.status.map(GraduationScoreStatus::as_str),
            filter.entered,
            filter.part.map(GraduationPart::as_str),
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<GraduationScore>> {
        sqlx::query_as!(
            GraduationScore,
            r#"select c.id as "id!", g.id as "score_id?", t.id as "thesis_id?", t.plan_id as "plan_id?", p.name as "plan_name?",
                      c.student_id as "student_id!", y.student_no as "student_no?", y.name as "student_name!",
                      y.major_id as "major_id!", m.name as "major_name!", k.name as "class_name?", s.name as "site_name!",
                      e.name as "semester_name!", u.name as "course_name!", c.attempt_no as "attempt_no!", t.title as "title?",
                      a.name as "adviser_name?", t.stage as "stage?: _", t.stage_status as "stage_status?: _",
                      t.status as "thesis_status?: _", g.internship_score::float8 as "internship_score?",
                      g.thesis_score::float8 as "thesis_score?", g.thesis_comment as "thesis_comment?",
                      g.thesis_by_name as "thesis_by_name?", r.names as "reviewer_names?", g.review_score::float8 as "review_score?",
                      r.opinion as "review_opinion?: _", g.review_comment as "review_comment?", g.review_by_name as "review_by_name?",
                      d.name as "defense_group_name?", d.held_at as "defense_held_at?", d.scores as "member_scores?",
                      g.defense_score::float8 as "defense_score?", t.defense_result as "defense_result?: _",
                      g.defense_comment as "defense_comment?", g.defense_by_name as "defense_by_name?", g.total::float8 as "total?",
                      g.grade_word as "grade_word?", g.veto as "veto?", coalesce(g.status, 'pending') as "status!: _",
                      g.submitted_by_name as "submitted_by_name?", g.reviewed_by_name as "reviewed_by_name?",
                      g.published_at as "published_at?", g.return_reason as "return_reason?", coalesce(g.version, 0) as "version!"
               from course_selection c
               join course u on u.id = c.course_id
               join semester e on e.id = c.semester_id
               join student y on y.id = c.student_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               left join class k on k.id = y.class_id
               left join thesis t on t.selection_id = c.id and t.status <> 'cancelled'
               left join thesis_plan p on p.id = t.plan_id
               left join teacher a on a.id = t.adviser_id
               left join graduation_score g on g.selection_id = c.id
               left join lateral (
                   select string_agg(x.name, '、' order by v.id) as names,
                          case when bool_or(v.opinion = 'disagree') then 'disagree' when bool_or(v.opinion = 'revise') then 'revise'
                               when bool_or(v.opinion = 'agree') then 'agree' end as opinion
                   from thesis_review v join teacher x on x.id = v.reviewer_id where v.thesis_id = t.id) r on true
               left join lateral (
                   select q.name, q.held_at,
                          (select string_agg(trim_scale(w.score)::text, '、' order by w.id) from defense_score w where w.slot_id = z.id)
                              as scores
                   from defense_slot z join defense_group q on q.id = z.group_id
                   where z.thesis_id = t.id order by z.round_no desc limit 1) d on true
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// Items that are stored of a part.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Stored {
    pub code: String,
    pub score: f64,
}

pub(crate) fn stored(items: Value) -> Vec<Stored> {
    ParseFromJSON::parse_from_json(Some(items)).unwrap_or_default()
}

/// The items of the three parts of a selection, as they are stored.
///
/// # Errors
/// Those of the database.
pub(crate) async fn items_of(connection: &mut PgConnection, selection: i64) -> Result<[Vec<Stored>; 3]> {
    let row = sqlx::query!(
        "select thesis_items, review_items, defense_items from graduation_score where selection_id = $1",
        selection
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map_or_else(Default::default, |row| {
        [stored(row.thesis_items), stored(row.review_items), stored(row.defense_items)]
    }))
}
