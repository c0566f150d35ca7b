//! How rules are read.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought_word,
    options::{Asked, OptionItem},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use paper_rules::rule_item::PaperRuleItem;
use poem_openapi::Object;
use question_bank::{
    enums::{MultipleRule, PaperKind, QuestionDifficulty, QuestionType},
    score::tenths,
};
use sqlx::PgConnection;

use super::PaperRules;

/// A rule, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperRule {
    /// 编号
    pub id: i64,
    /// 策略名称
    pub name: String,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 用途
    pub kind: PaperKind,
    /// 总分
    pub total_score: f64,
    /// 时长(分钟)
    pub duration_minutes: Option<i32>,
    /// 避开最近几个学期用过的试题
    pub avoid_recent_semesters: i32,
    /// 避开作业用过的试题
    pub avoid_homework_questions: bool,
    /// 启用
    pub enabled: bool,
    /// 题数
    pub question_count: i64,
    /// 各大题合计分
    pub score_sum: f64,
    /// 创建时间
    pub created_at: Moment,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// A rule with its sections.
#[derive(Debug, Clone, Object)]
pub struct PaperRuleView {
    #[oai(flatten)]
    pub rule: PaperRule,
    /// 大题
    pub items: Vec<PaperRuleItem>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperRuleFilter {
    /// 策略名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 用途
    pub kind: Option<PaperKind>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Keyed for PaperRules {
    type Filter = PaperRuleFilter;
    type Row = PaperRule;

    fn id(row: &PaperRule) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &PaperRuleFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!"
               from paper_rule r
               where ($1::bigint is null or r.id = $1)
                 and ($2::timestamptz is null or r.created_at <= $2)
                 and ($3::text is null or strpos(r.name, $3) > 0 or starts_with(r.initials, lower($3)))
                 and ($4::bigint is null or r.course_id = $4)
                 and ($9::text is null or r.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), $9) > 0 or strpos(lower(x.name), $9) > 0)))
                 and ($5::text is null or r.kind = $5)
                 and ($6::boolean is null or r.enabled = $6)
               order by case when $2::timestamptz is not null then r.created_at end desc,
                        case when $2::timestamptz is not null then r.id end, r.updated_at desc, r.id desc
               limit $7 offset $8"#,
            wanted.id,
            wanted.newest_until,
            filter.keyword,
            filter.course_id,
            filter.kind.map(PaperKind::as_str),
            filter.enabled,
            wanted.limit,
            wanted.offset,
            sought_word(filter.course_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<PaperRule>> {
        sqlx::query_as!(
            PaperRule,
            r#"select r.id, r.name, r.course_id, c.name as course_name, r.kind as "kind: _",
                      r.total_score::float8 as "total_score!", r.duration_minutes, r.avoid_recent_semesters,
                      r.avoid_homework_questions, r.enabled, i.questions as "question_count!", i.score as "score_sum!",
                      r.created_at, r.updated_at, r.version
               from paper_rule r
               join course c on c.id = r.course_id
               cross join lateral (
                   select coalesce(sum(x.count), 0)::bigint as questions,
                          coalesce(sum(x.count * x.score_each), 0)::float8 as score
                   from paper_rule_item x where x.rule_id = r.id) i
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// One rule with its sections.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64) -> Result<PaperRuleView> {
    let rule = PaperRules::find(connection, id, &Scope::whole_school()).await?;
    let rows = sqlx::query!(
        r#"select i.sort_no, i.title, i.type as "kind: QuestionType", i.difficulties, i.count,
                  i.score_each::float8 as "score_each!", i.multiple_rule as "multiple_rule: MultipleRule",
                  (select coalesce(array_agg(b.bank_id order by b.bank_id), '{}')
                   from paper_rule_bank b where b.item_id = i.id) as "bank_ids!",
                  (select coalesce(array_agg(c.chapter_id order by c.chapter_id), '{}')
                   from paper_rule_chapter c where c.item_id = i.id) as "chapter_ids!",
                  (select coalesce(array_agg(k.knowledge_point_id order by k.knowledge_point_id), '{}')
                   from paper_rule_point k where k.item_id = i.id) as "knowledge_point_ids!"
           from paper_rule_item i where i.rule_id = $1 order by i.sort_no"#,
        id
    )
    .fetch_all(connection)
    .await?;
    let items = rows.into_iter().map(|row| PaperRuleItem {
        sort_no: row.sort_no,
        title: row.title,
        kind: row.kind,
        bank_ids: row.bank_ids,
        chapter_ids: row.chapter_ids,
        knowledge_point_ids: row.knowledge_point_ids,
        difficulties: row.difficulties.into_iter().map(QuestionDifficulty::of).collect(),
        count: row.count,
        score_each: row.score_each,
        multiple_rule: row.multiple_rule,
    });
    Ok(PaperRuleView { rule, items: items.collect() })
}

impl PaperRuleView {
    /// All banks that its sections name.
    pub(super) fn banks(&self) -> Vec<i64> {
        self.items.iter().flat_map(|item| item.bank_ids.iter().copied()).collect()
    }

    /// Without the banks that are kept from an account.
    pub(super) async fn seen_by(mut self, connection: &mut PgConnection, viewer: i64) -> Result<Self> {
        let named = self.banks();
        let seen = sqlx::query_scalar!(
            "select b.id from question_bank b
             where b.id = any($1) and (b.visibility = 'school' or b.created_by = $2 or exists (
                 select from question_bank_member m where m.bank_id = b.id and m.account_id = $2))",
            &named,
            viewer
        )
        .fetch_all(connection)
        .await?;
        for item in &mut self.items {
            item.bank_ids.retain(|bank| seen.contains(bank));
        }
        Ok(self)
    }
}

/// Rules of the course `parent_id`, or of all.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select id, name, enabled, course_id from paper_rule
         where (enabled or not $2) and ($1::text is null or strpos(name, $1) > 0 or starts_with(initials, lower($1)))
           and ($3::bigint is null or course_id = $3)
         order by updated_at desc, id desc limit 200",
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    let item = |id, name, enabled| OptionItem::of(id, name, String::new(), enabled);
    Ok(rows.into_iter().map(|row| item(row.id, row.name, row.enabled).below(row.course_id)).collect())
}

impl Export for PaperRules {
    type Filter = PaperRuleFilter;
    type Row = PaperRule;
    const KIND: &'static str = "paper_rule.export";
    type Permission = super::ExportPaperRules;
    const TITLE: &'static str = "组卷策略";
    const COLUMNS: &'static [Column<PaperRule>] = &[
        Column { heading: "策略名称", width: 32, cell: |rule| Cell::Text(rule.name.clone()) },
        Column { heading: "课程", width: 28, cell: |rule| Cell::Text(rule.course_name.clone()) },
        Column { heading: "用途", width: 8, cell: |rule| Cell::Text(rule.kind.zh().to_owned()) },
        Column { heading: "题数", width: 8, cell: |rule| Cell::Int(rule.question_count) },
        Column { heading: "总分", width: 8, cell: |rule| Cell::Decimal(tenths(rule.total_score), 1) },
        Column {
            heading: "时长(分钟)",
            width: 10,
            cell: |rule| rule.duration_minutes.map_or(Cell::Empty, |minutes| Cell::Int(minutes.into())),
        },
        Column {
            heading: "避开最近学期数", width: 16, cell: |rule| Cell::Int(rule.avoid_recent_semesters.into())
        },
        Column { heading: "避开作业试题", width: 14, cell: |rule| Cell::Bool(rule.avoid_homework_questions) },
        Column { heading: "启用", width: 8, cell: |rule| Cell::Bool(rule.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PaperRuleFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, PaperRule>> {
        Self::all(connection, filter, scope).await
    }
}
