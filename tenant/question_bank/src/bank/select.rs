//! How banks are read: list, view and export show the same.

use infra::{
    App, Error, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought_word,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::QuestionBanks;
use crate::enums::{BankUsage, BankVisibility, QuestionDifficulty, QuestionType};

/// How many questions of a type there are.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct BankTypeCount {
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题量
    pub count: i64,
}

/// A bank, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionBank {
    /// 编号
    pub id: i64,
    /// 题库编码
    pub code: String,
    /// 题库名称
    pub name: String,
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 用途
    pub usage: BankUsage,
    /// 所属机构
    pub organization_id: Option<i64>,
    /// 所属机构名称
    pub organization_name: Option<String>,
    /// 可见范围
    pub visibility: BankVisibility,
    /// 成员
    pub member_account_ids: Vec<i64>,
    /// 启用
    pub enabled: bool,
    /// 题量
    /// 不含小题
    pub question_count: i64,
    /// 待审核题数
    pub pending_count: i64,
    /// 各题型题量
    pub type_counts: Vec<BankTypeCount>,
    /// 创建人
    pub created_by_id: i64,
    /// 创建人姓名
    pub created_by_name: String,
    /// 创建时间
    pub created_at: Moment,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// A member, as people know them.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct BankMember {
    /// 账号编号
    pub id: i64,
    /// 姓名
    pub name: String,
}

/// Questions of a type and difficulty.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct BankSpread {
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 题量
    pub count: i64,
}

/// Questions of a chapter; those without one have none.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct BankChapterCount {
    /// 章节
    pub chapter_id: Option<i64>,
    /// 章节标题
    pub chapter_title: Option<String>,
    /// 题量
    pub count: i64,
}

/// A bank with its members and figures.
#[derive(Debug, Clone, Object)]
pub struct QuestionBankView {
    #[oai(flatten)]
    pub bank: QuestionBank,
    /// 成员姓名
    pub members: Vec<BankMember>,
    /// 题型与难度分布
    pub spread: Vec<BankSpread>,
    /// 章节分布
    pub chapters: Vec<BankChapterCount>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionBankFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 用途
    pub usage: Option<BankUsage>,
    /// 所属机构
    pub organization_id: Option<i64>,
    /// 可见范围
    pub visibility: Option<BankVisibility>,
    /// 启用
    pub enabled: Option<bool>,
}

/// The same for one account; without one, all banks.
#[derive(Debug, Clone, Default, Object)]
pub struct BanksSeen {
    #[oai(flatten)]
    pub filter: QuestionBankFilter,
    pub viewer: Option<i64>,
}

struct Row {
    id: i64,
    code: String,
    name: String,
    course_id: i64,
    course_code: String,
    course_name: String,
    usage: BankUsage,
    organization_id: Option<i64>,
    organization_name: Option<String>,
    visibility: BankVisibility,
    member_account_ids: Vec<i64>,
    enabled: bool,
    question_count: i64,
    pending_count: i64,
    types: Vec<QuestionType>,
    counts: Vec<i64>,
    created_by_id: i64,
    created_by_name: String,
    created_at: Moment,
    updated_at: Moment,
    version: i32,
}

impl From<Row> for QuestionBank {
    fn from(row: Row) -> Self {
        let type_counts =
            row.types.into_iter().zip(row.counts).map(|(kind, count)| BankTypeCount { kind, count }).collect();
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            course_id: row.course_id,
            course_code: row.course_code,
            course_name: row.course_name,
            usage: row.usage,
            organization_id: row.organization_id,
            organization_name: row.organization_name,
            visibility: row.visibility,
            member_account_ids: row.member_account_ids,
            enabled: row.enabled,
            question_count: row.question_count,
            pending_count: row.pending_count,
            type_counts,
            created_by_id: row.created_by_id,
            created_by_name: row.created_by_name,
            created_at: row.created_at,
            updated_at: row.updated_at,
            version: row.version,
        }
    }
}

impl Keyed for QuestionBanks {
    type Filter = BanksSeen;
    type Row = QuestionBank;

    fn id(row: &QuestionBank) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        seen: &BanksSeen,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let filter = &seen.filter;
        sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!"
               from question_bank b join course c on c.id = b.course_id
               where ($1::bigint is null or b.id = $1)
                 and ($2::timestamptz is null or b.created_at <= $2)
                 and ($3::text is null or strpos(b.name, $3) > 0 or starts_with(lower(b.code), lower($3))
                      or starts_with(b.initials, lower($3)))
                 and ($4::bigint is null or b.course_id = $4)
                 and ($12::text is null or b.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), $12) > 0 or strpos(lower(x.name), $12) > 0)))
                 and ($5::text is null or b.usage = $5)
                 and ($6::bigint is null or b.organization_id = $6)
                 and ($7::text is null or b.visibility = $7)
                 and ($8::boolean is null or b.enabled = $8)
                 and ($9::bigint is null or b.visibility = 'school' or b.created_by = $9
                      or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $9))
               order by case when $2::timestamptz is not null then b.created_at end desc,
                        case when $2::timestamptz is not null then b.id end, c.code, b.code
               limit $10 offset $11"#,
            wanted.id,
            wanted.newest_until,
            filter.keyword,
            filter.course_id,
            filter.usage.map(BankUsage::as_str),
            filter.organization_id,
            filter.visibility.map(BankVisibility::as_str),
            filter.enabled,
            seen.viewer,
            wanted.limit,
            wanted.offset,
            sought_word(filter.course_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<QuestionBank>> {
        let rows = sqlx::query_as!(
            Row,
            r#"select b.id, b.code, b.name, b.course_id, c.code as course_code, c.name as course_name, b.usage as "usage: _",
                      b.organization_id, o.name as "organization_name?", b.visibility as "visibility: _",
                      (select coalesce(array_agg(m.account_id order by m.account_id), '{}')
                       from question_bank_member m where m.bank_id = b.id) as "member_account_ids!",
                      b.enabled, q.whole as "question_count!", q.pending as "pending_count!",
                      q.types as "types!: Vec<QuestionType>", q.counts as "counts!",
                      b.created_by as created_by_id, b.created_by_name, b.created_at, b.updated_at, b.version
               from question_bank b
               join course c on c.id = b.course_id
               left join organization o on o.id = b.organization_id
               cross join lateral (
                   select coalesce(sum(t.count), 0)::bigint as whole, coalesce(sum(t.pending), 0)::bigint as pending,
                          coalesce(array_agg(t.type order by t.type), '{}') as types,
                          coalesce(array_agg(t.count order by t.type), '{}') as counts
                   from (select x.type, count(*) as count, count(*) filter (where x.status = 'pending_review') as pending
                         from question x where x.bank_id = b.id and x.parent_id is null group by x.type) t) q
               where b.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(QuestionBank::from).collect())
    }
}

/// One bank, for an account that may see it.
///
/// # Errors
/// 404 when there is none, or its creator keeps it to others.
pub(super) async fn find(connection: &mut PgConnection, id: i64, viewer: i64) -> Result<QuestionBank> {
    let seen = BanksSeen { viewer: Some(viewer), ..BanksSeen::default() };
    let wanted = KeyQuery { id: Some(id), limit: Some(1), ..KeyQuery::default() };
    let keys = QuestionBanks::matching(connection, &seen, &Scope::whole_school(), wanted).await?;
    if keys.is_empty() {
        return Err(Error::not_found());
    }
    let found = <QuestionBanks as Keyed>::rows(connection, &[id], &Scope::whole_school()).await?;
    found.into_iter().next().ok_or_else(Error::not_found)
}

/// What of a bank decides whether somebody may use it.
#[derive(Debug, Clone)]
pub struct SeenBank {
    pub name: String,
    pub course_id: i64,
    pub usage: BankUsage,
    pub enabled: bool,
}

/// A bank that the account may see.
///
/// # Errors
/// Those of the database.
pub async fn seen(connection: &mut PgConnection, id: i64, viewer: i64) -> Result<Option<SeenBank>> {
    Ok(sqlx::query_as!(
        SeenBank,
        r#"select b.name, b.course_id, b.usage as "usage: _", b.enabled from question_bank b
           where b.id = $1
             and (b.visibility = 'school' or b.created_by = $2
                  or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $2))"#,
        id,
        viewer
    )
    .fetch_optional(connection)
    .await?)
}

/// Members and figures of a bank.
pub(super) async fn spread(connection: &mut PgConnection, bank: QuestionBank) -> Result<QuestionBankView> {
    let members = sqlx::query_as!(
        BankMember,
        "select account_id as id, name from question_bank_member where bank_id = $1 order by name, account_id",
        bank.id
    )
    .fetch_all(&mut *connection)
    .await?;
    let spread = sqlx::query!(
        r#"select type as "kind: QuestionType", difficulty, count(*) as "count!" from question
           where bank_id = $1 and parent_id is null group by type, difficulty order by type, difficulty"#,
        bank.id
    )
    .fetch_all(&mut *connection)
    .await?;
    let chapters = sqlx::query_as!(
        BankChapterCount,
        r#"select q.chapter_id, min(h.title) as chapter_title, count(*) as "count!"
           from question q left join course_chapter h on h.id = q.chapter_id left join course_chapter p on p.id = h.parent_id
           where q.bank_id = $1 and q.parent_id is null
           group by q.chapter_id
           order by min(coalesce(p.sort_no, h.sort_no)), min(coalesce(p.id, h.id)), min(h.sort_no)"#,
        bank.id
    )
    .fetch_all(connection)
    .await?;
    let spread = spread.into_iter().map(|row| BankSpread {
        kind: row.kind,
        difficulty: QuestionDifficulty::of(row.difficulty),
        count: row.count,
    });
    Ok(QuestionBankView { bank, members, spread: spread.collect(), chapters })
}

impl Export for QuestionBanks {
    type Filter = BanksSeen;
    type Row = QuestionBank;
    const KIND: &'static str = "question_bank.export";
    type Permission = super::ExportQuestionBanks;
    const TITLE: &'static str = "题库";
    const COLUMNS: &'static [Column<QuestionBank>] = &[
        Column { heading: "题库编码", width: 16, cell: |bank| Cell::Text(bank.code.clone()) },
        Column { heading: "题库名称", width: 32, cell: |bank| Cell::Text(bank.name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |bank| Cell::Text(bank.course_code.clone()) },
        Column { heading: "课程名称", width: 28, cell: |bank| Cell::Text(bank.course_name.clone()) },
        Column { heading: "用途", width: 8, cell: |bank| Cell::Text(bank.usage.zh().to_owned()) },
        Column { heading: "所属机构", width: 24, cell: |bank| Cell::text(bank.organization_name.clone()) },
        Column { heading: "可见范围", width: 14, cell: |bank| Cell::Text(bank.visibility.zh().to_owned()) },
        Column { heading: "题量", width: 8, cell: |bank| Cell::Int(bank.question_count) },
        Column { heading: "待审核", width: 8, cell: |bank| Cell::Int(bank.pending_count) },
        Column { heading: "创建人", width: 14, cell: |bank| Cell::Text(bank.created_by_name.clone()) },
        Column { heading: "启用", width: 8, cell: |bank| Cell::Bool(bank.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &BanksSeen,
        scope: &Scope,
    ) -> Result<Rows<'c, QuestionBank>> {
        Self::all(connection, filter, scope).await
    }
}
