//! How homework is read: list, view and export show the same. What they count of students is within the scope.

use infra::{
    Error, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{
    HomeworkForm, Homeworks,
    form::{form_of, within},
};
use crate::enums::{HomeworkKind, HomeworkPaperMode, HomeworkPhase, HomeworkPurpose, HomeworkStatus};

/// A homework, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Homework {
    /// 编号
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程编号
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 作业名称
    pub title: String,
    /// 用途
    pub purpose: HomeworkPurpose,
    /// 章节
    pub chapter_title: Option<String>,
    /// 形式
    pub kind: HomeworkKind,
    /// 出卷方式
    pub paper_mode: Option<HomeworkPaperMode>,
    /// 总分
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 开始时间
    pub starts_at: Moment,
    /// 截止时间
    pub ends_at: Moment,
    /// 补交截止
    pub late_until: Option<Moment>,
    /// 批阅截止
    pub mark_due_at: Option<Moment>,
    /// 次数
    /// 允许作答的次数
    pub max_attempts: i32,
    /// 权重
    pub weight: f64,
    /// 学生数
    pub student_count: i64,
    /// 应交
    /// 不含免做和作废
    pub due_count: i64,
    /// 已交
    pub handed_count: i64,
    /// 已批
    pub marked_count: i64,
    /// 待批
    pub pending_count: i64,
    /// 平均分
    /// 已批阅学生的折百分平均
    pub average_score: Option<f64>,
    /// 状态
    pub status: HomeworkStatus,
    /// 阶段
    pub phase: HomeworkPhase,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 创建人
    pub created_by_name: String,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// An opening, or a class of it, that has a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkTarget {
    /// 开课
    pub opening_id: i64,
    /// 开课名称
    pub opening_name: String,
    /// 班级
    pub class_id: Option<i64>,
    /// 班级名称
    pub class_name: Option<String>,
    /// 人数
    pub student_count: i64,
}

/// Who marks a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkMarker {
    /// 教师
    pub teacher_id: i64,
    /// 教师姓名
    pub teacher_name: String,
    /// 班级
    pub class_id: Option<i64>,
    /// 班级名称
    pub class_name: Option<String>,
}

/// A paper of a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkPaper {
    /// 试卷
    pub id: i64,
    /// 试卷编号
    pub code: String,
    /// 试卷名称
    pub name: String,
}

/// A homework with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkView {
    #[oai(flatten)]
    pub homework: Homework,
    /// 设置
    pub form: HomeworkForm,
    /// 试卷
    pub papers: Vec<HomeworkPaper>,
    /// 组卷策略名称
    pub rule_name: Option<String>,
    /// 对象
    pub targets: Vec<HomeworkTarget>,
    /// 批阅教师
    pub markers: Vec<HomeworkMarker>,
    /// 快照
    /// 每人随机时为前100份
    pub snapshot_ids: Vec<i64>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 作业名称
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 用途
    pub purpose: Option<HomeworkPurpose>,
    /// 形式
    pub kind: Option<HomeworkKind>,
    /// 状态
    pub status: Option<HomeworkStatus>,
    /// 阶段
    pub phase: Option<HomeworkPhase>,
    /// 创建人
    #[oai(validator(max_length = 50))]
    pub created_by_name: Option<String>,
    /// 截止时间起
    pub ends_from: Option<Moment>,
    /// 截止时间止
    pub ends_to: Option<Moment>,
    /// 编号
    #[oai(validator(max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

impl Keyed for Homeworks {
    type Filter = HomeworkFilter;
    type Row = Homework;

    fn id(row: &Homework) -> i64 {
        row.id
    }

    fn states(filter: &HomeworkFilter) -> Vec<(&'static str, HomeworkFilter)> {
        let of = |status: HomeworkStatus| HomeworkFilter { status: Some(status), ..filter.clone() };
        HomeworkStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status))).collect()
    }

    /// A homework of somebody, or of a class, of the scope.
    async fn matching(
        connection: &mut PgConnection,
        filter: &HomeworkFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.semester_text.as_deref(), filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select h.id, h.created_at, count(*) over () as "total!"
               from homework h
               where ($1::bigint[] is null or exists (
                          select from homework_target t
                          left join class k on k.id = t.class_id
                          where t.homework_id = h.id
                            and (k.site_id = any($1) or k.id = any($2::bigint[])
                                 or exists (
                                     select from course_selection c join student y on y.id = c.student_id
                                     where c.opening_id = t.opening_id and (t.class_id is null or c.class_id = t.class_id)
                                       and c.status in ('pending', 'selected', 'completed')
                                       and (y.site_id = any($1) or y.class_id = any($2))))))
                 and ($3::bigint is null or h.semester_id = $3)
                 and ($4::bigint is null or h.course_id = $4)
                 and ($5::text is null or strpos(h.title, $5) > 0 or starts_with(h.initials, lower($5)))
                 and ($6::text is null or h.purpose = $6)
                 and ($7::text is null or h.kind = $7)
                 and ($8::text is null or h.status = $8)
                 and ($9::text is null or strpos(h.created_by_name, $9) > 0)
                 and ($10::timestamptz is null or h.ends_at >= $10)
                 and ($11::timestamptz is null or h.ends_at <= $11)
                 and ($12::bigint[] is null or h.id = any($12))
                 and ($13::text is null or $13 = case
                          when h.status = 'closed' then 'over'
                          when h.status <> 'published' or now() < h.starts_at then 'not_started'
                          when now() <= h.ends_at then 'running'
                          when now() <= h.late_until then 'late'
                          else 'over' end)
                 and (($14::text[])[1] is null or h.semester_id = any(array(
                          select x.id from semester x where strpos(lower(x.code), ($14::text[])[1]) > 0 or strpos(lower(x.name), ($14::text[])[1]) > 0)))
                 and (($14::text[])[2] is null or h.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($14::text[])[2]) > 0 or strpos(lower(x.name), ($14::text[])[2]) > 0)))
                 and ($15::bigint is null or h.id = $15)
                 and ($16::timestamptz is null or h.created_at <= $16)
                 and ($17::bigint is null or exists (
                          select from homework_target t where t.homework_id = h.id and t.opening_id = $17))
               order by h.created_at desc, h.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.title,
            filter.purpose.map(HomeworkPurpose::as_str),
            filter.kind.map(HomeworkKind::as_str),
            filter.status.map(HomeworkStatus::as_str),
            filter.created_by_name,
            filter.ends_from as _,
            filter.ends_to as _,
            filter.ids.as_deref(),
            filter.phase.map(HomeworkPhase::as_str),
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until as _,
            filter.opening_id,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<Homework>> {
        sqlx::query_as!(
            Homework,
            r#"select h.id, h.semester_id as "semester_id!", e.name as "semester_name!", h.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", h.title as "title!", h.purpose as "purpose!: _",
                      a.title as "chapter_title?", h.kind as "kind!: _", h.paper_mode as "paper_mode?: _",
                      h.total_score::float8 as "total_score!", h.pass_score::float8 as "pass_score!",
                      h.starts_at as "starts_at!", h.ends_at as "ends_at!", h.late_until, h.mark_due_at,
                      h.max_attempts as "max_attempts!", h.weight::float8 as "weight!", n.students as "student_count!", n.due as "due_count!",
                      n.handed as "handed_count!", n.marked as "marked_count!", n.pending as "pending_count!",
                      n.average as average_score, h.status as "status!: _",
                      case when h.status = 'closed' then 'over'
                           when h.status <> 'published' or now() < h.starts_at then 'not_started'
                           when now() <= h.ends_at then 'running'
                           when now() <= h.late_until then 'late'
                           else 'over' end as "phase!: _",
                      h.published_at, h.created_by_name as "created_by_name!", h.created_at as "created_at!",
                      h.version as "version!"
               from homework h
               join semester e on e.id = h.semester_id
               join course u on u.id = h.course_id
               left join course_chapter a on a.id = h.chapter_id
               cross join lateral (
                   select count(*) as students,
                          count(*) filter (where s.state not in ('exempt', 'void')) as due,
                          count(*) filter (where s.state not in ('exempt', 'void') and s.submitted_at is not null) as handed,
                          count(*) filter (where s.state = 'marked') as marked,
                          count(*) filter (where s.state = 'submitted') as pending,
                          round(avg(s.final_score) filter (where s.state = 'marked'), 1)::float8 as average
                   from homework_student s
                   join course_selection c on c.id = s.selection_id
                   join student y on y.id = c.student_id
                   where s.homework_id = h.id
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
               where h.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

/// A homework with its parts; of classes beyond the scope neither names, nor who marks them, nor figures.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<HomeworkView> {
    let homework = Homeworks::find(connection, id, scope).await?;
    let form = form_of(connection, id).await?;
    let papers = sqlx::query_as!(
        HomeworkPaper,
        "select p.id, p.code, p.name from homework_paper x join paper p on p.id = x.paper_id
         where x.homework_id = $1 order by x.sort_no",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let rule_name = sqlx::query_scalar!("select name from paper_rule where id = $1", form.rule_id)
        .fetch_optional(&mut *connection)
        .await?;
    let mut targets = sqlx::query_as!(
        HomeworkTarget,
        r#"select t.opening_id as "opening_id!", concat(u.name, '（' || nullif(concat(g.name, m.name), '') || '）') as "opening_name!",
                  t.class_id, k.name as "class_name?",
                  (select count(*) from course_selection c join student y on y.id = c.student_id
                   where c.opening_id = t.opening_id and (t.class_id is null or c.class_id = t.class_id)
                     and c.status = 'selected'
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "student_count!"
           from homework_target t
           join course_opening o on o.id = t.opening_id
           join course u on u.id = o.course_id
           left join grade g on g.id = o.grade_id
           left join major m on m.id = o.major_id
           left join class k on k.id = t.class_id
           where t.homework_id = $1 order by t.id"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut markers = sqlx::query_as!(
        HomeworkMarker,
        r#"select m.teacher_id as "teacher_id!", t.name as "teacher_name!", m.class_id, k.name as "class_name?"
           from homework_marker m join teacher t on t.id = m.teacher_id left join class k on k.id = m.class_id
           where m.homework_id = $1 order by m.id"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    if !scope.is_whole() {
        let of_targets = targets.iter().map(|target| target.class_id);
        let classes: Vec<i64> = of_targets.chain(markers.iter().map(|marker| marker.class_id)).flatten().collect();
        let seen = within(connection, &classes, scope).await?;
        let shown = |class: Option<i64>| class.is_none_or(|id| seen.contains(&id));
        targets.retain(|target| shown(target.class_id));
        markers.retain(|marker| shown(marker.class_id));
    }
    let snapshot_ids = sqlx::query_scalar!(
        "select snapshot_id from homework_snapshot where homework_id = $1 order by sort_no, snapshot_id limit 100",
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(HomeworkView { homework, form, papers, rule_name, targets, markers, snapshot_ids })
}

/// The homework of this number, whoever asks: for a name in a message.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn title_of(connection: &mut PgConnection, id: i64) -> Result<String> {
    sqlx::query_scalar!("select title from homework where id = $1", id)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
}
