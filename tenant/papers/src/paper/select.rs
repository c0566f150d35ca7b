//! How papers are read.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought_word,
    options::{Asked, OptionItem},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use question_bank::{enums::PaperKind, score::tenths};
use sqlx::PgConnection;

use super::Papers;
use crate::enums::{PaperComposeMode, PaperStatus, PaperVariant};

/// A paper, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Paper {
    /// 编号
    pub id: i64,
    /// 试卷编号
    pub code: String,
    /// 试卷名称
    pub name: String,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 用途
    pub kind: PaperKind,
    /// 组卷方式
    pub compose_mode: PaperComposeMode,
    /// 策略
    pub rule_id: Option<i64>,
    /// 策略名称
    pub rule_name: Option<String>,
    /// 随机种子
    pub rule_seed: Option<i64>,
    /// 目标总分
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 时长(分钟)
    pub duration_minutes: Option<i32>,
    /// 版本族
    pub family_id: i64,
    /// 版本号
    pub version_no: i32,
    /// 卷别
    pub variant: PaperVariant,
    /// 状态
    pub status: PaperStatus,
    /// 题数
    pub question_count: i32,
    /// 总分
    pub score_sum: f64,
    /// 客观题分
    pub objective_score: f64,
    /// 主观题分
    pub subjective_score: f64,
    /// 难度系数
    pub difficulty_coefficient: Option<f64>,
    /// 各卷重复题上限(%)
    pub overlap_max_percent: i32,
    /// 退回原因
    pub reject_reason: Option<String>,
    /// 提交人
    pub submitted_by_id: Option<i64>,
    /// 使用次数
    pub used_count: i64,
    /// 停用或待审核的题数
    pub disabled_count: i64,
    /// 创建人
    pub created_by_id: i64,
    /// 创建人姓名
    pub created_by_name: String,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// A bank besides those of the course.
#[derive(Debug, Clone, Object)]
pub struct ExtraBank {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
}

/// Another version or variant of a paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FamilyPaper {
    /// 编号
    pub id: i64,
    /// 试卷编号
    pub code: String,
    /// 版本号
    pub version_no: i32,
    /// 卷别
    pub variant: PaperVariant,
    /// 状态
    pub status: PaperStatus,
}

/// A paper with its relatives.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperView {
    #[oai(flatten)]
    pub paper: Paper,
    /// 其他题库编号
    pub extra_bank_ids: Vec<i64>,
    /// 其他题库
    pub extra_banks: Vec<ExtraBank>,
    /// 各版本和卷别
    pub family: Vec<FamilyPaper>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperFilter {
    /// 编号或名称
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
    /// 组卷方式
    pub compose_mode: Option<PaperComposeMode>,
    /// 状态
    pub status: Option<PaperStatus>,
    /// 创建人
    pub created_by_id: Option<i64>,
    /// 版本族
    pub family_id: Option<i64>,
    /// 只看最新版本
    pub latest_only: Option<bool>,
}

impl Keyed for Papers {
    type Filter = PaperFilter;
    type Row = Paper;

    fn id(row: &Paper) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &PaperFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select p.id, p.created_at, count(*) over () as "total!"
               from paper p
               where ($1::bigint is null or p.id = $1)
                 and ($2::timestamptz is null or p.created_at <= $2)
                 and ($3::text is null or strpos(p.name, $3) > 0 or starts_with(lower(p.code), lower($3))
                      or starts_with(p.initials, lower($3)))
                 and ($4::bigint is null or p.course_id = $4)
                 and ($13::text is null or p.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), $13) > 0 or strpos(lower(x.name), $13) > 0)))
                 and ($5::text is null or p.kind = $5)
                 and ($6::text is null or p.compose_mode = $6)
                 and ($7::text is null or p.status = $7)
                 and ($8::bigint is null or p.created_by = $8)
                 and ($9::bigint is null or coalesce(p.family_id, p.id) = $9)
                 and ($10::boolean is not true or not exists (
                      select from paper n where coalesce(n.family_id, n.id) = coalesce(p.family_id, p.id)
                          and n.variant = p.variant and n.version_no > p.version_no))
               order by case when $2::timestamptz is not null then p.created_at end desc,
                        case when $2::timestamptz is not null then p.id end, p.updated_at desc, p.id desc
               limit $11 offset $12"#,
            wanted.id,
            wanted.newest_until,
            filter.keyword,
            filter.course_id,
            filter.kind.map(PaperKind::as_str),
            filter.compose_mode.map(PaperComposeMode::as_str),
            filter.status.map(PaperStatus::as_str),
            filter.created_by_id,
            filter.family_id,
            filter.latest_only,
            wanted.limit,
            wanted.offset,
            sought_word(filter.course_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Paper>> {
        sqlx::query_as!(
            Paper,
            r#"select p.id, p.code, p.name, p.course_id, c.name as course_name, p.kind as "kind: _",
                      p.compose_mode as "compose_mode: _", p.rule_id,
                      (select r.name from paper_rule r where r.id = p.rule_id) as rule_name, p.rule_seed,
                      p.total_score::float8 as "total_score!", p.pass_score::float8 as "pass_score!", p.duration_minutes,
                      coalesce(p.family_id, p.id) as "family_id!", p.version_no, p.variant as "variant: _",
                      p.status as "status: _", p.question_count, p.score_sum::float8 as "score_sum!",
                      p.objective_score::float8 as "objective_score!", p.subjective_score::float8 as "subjective_score!",
                      p.difficulty_coefficient::float8 as "difficulty_coefficient", p.overlap_max_percent, p.reject_reason,
                      p.submitted_by as submitted_by_id,
                      (select count(*) from paper_snapshot s where s.paper_id = p.id) as "used_count!",
                      (select count(*) from paper_question x join question q on q.id = x.question_id
                       where x.paper_id = p.id and q.status <> 'enabled') as "disabled_count!",
                      p.created_by as created_by_id, p.created_by_name, p.updated_at, p.version
               from paper p
               join course c on c.id = p.course_id
               where p.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }

    fn states(filter: &PaperFilter) -> Vec<(&'static str, PaperFilter)> {
        let of = |status: PaperStatus| (status.as_str(), PaperFilter { status: Some(status), ..filter.clone() });
        PaperStatus::CHOICES.iter().map(|(_, status)| of(*status)).collect()
    }
}

/// One paper with its relatives; of the banks that it names besides those that the account, or without one everybody, sees.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64, viewer: Option<i64>) -> Result<PaperView> {
    let paper = Papers::find(connection, id, &Scope::whole_school()).await?;
    let extra_banks = sqlx::query_as!(
        ExtraBank,
        "select b.id, b.name from paper_extra_bank x join question_bank b on b.id = x.bank_id
         where x.paper_id = $1 and (b.visibility = 'school' or b.created_by = $2 or exists (
             select from question_bank_member m where m.bank_id = b.id and m.account_id = $2))
         order by b.code",
        id,
        viewer
    )
    .fetch_all(&mut *connection)
    .await?;
    let family = sqlx::query_as!(
        FamilyPaper,
        r#"select id, code, version_no, variant as "variant: _", status as "status: _" from paper
           where coalesce(family_id, id) = $1 order by version_no, variant"#,
        paper.family_id
    )
    .fetch_all(connection)
    .await?;
    let extra_bank_ids = extra_banks.iter().map(|bank| bank.id).collect();
    Ok(PaperView { paper, extra_bank_ids, extra_banks, family })
}

/// Papers of the course `parent_id` that may be used, or all of it.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, status = 'approved' as "usable!", course_id from paper
           where (status = 'approved' or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)) or starts_with(initials, lower($1)))
             and ($3::bigint is null or course_id = $3)
           order by updated_at desc, id desc limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, row.name, row.code, row.usable).below(row.course_id))
        .collect())
}

fn score(score: f64) -> Cell {
    Cell::Decimal(tenths(score), 1)
}

impl Export for Papers {
    type Filter = PaperFilter;
    type Row = Paper;
    const KIND: &'static str = "paper.export";
    type Permission = super::ExportPapers;
    const TITLE: &'static str = "试卷";
    const COLUMNS: &'static [Column<Paper>] = &[
        Column { heading: "试卷编号", width: 18, cell: |paper| Cell::Text(paper.code.clone()) },
        Column { heading: "试卷名称", width: 36, cell: |paper| Cell::Text(paper.name.clone()) },
        Column { heading: "课程", width: 28, cell: |paper| Cell::Text(paper.course_name.clone()) },
        Column { heading: "用途", width: 8, cell: |paper| Cell::Text(paper.kind.zh().to_owned()) },
        Column { heading: "组卷方式", width: 10, cell: |paper| Cell::Text(paper.compose_mode.zh().to_owned()) },
        Column { heading: "卷别", width: 8, cell: |paper| Cell::Text(paper.variant.zh().to_owned()) },
        Column { heading: "版本号", width: 8, cell: |paper| Cell::Int(paper.version_no.into()) },
        Column { heading: "题数", width: 8, cell: |paper| Cell::Int(paper.question_count.into()) },
        Column { heading: "总分", width: 8, cell: |paper| score(paper.score_sum) },
        Column { heading: "客观题分", width: 10, cell: |paper| score(paper.objective_score) },
        Column { heading: "主观题分", width: 10, cell: |paper| score(paper.subjective_score) },
        Column {
            heading: "难度系数",
            width: 10,
            cell: |paper| {
                paper.difficulty_coefficient.map_or(Cell::Empty, |own| Cell::Decimal((own * 1_000.0).round() as i64, 3))
            },
        },
        Column { heading: "状态", width: 10, cell: |paper| Cell::Text(paper.status.zh().to_owned()) },
        Column { heading: "使用次数", width: 10, cell: |paper| Cell::Int(paper.used_count) },
        Column { heading: "创建人", width: 12, cell: |paper| Cell::Text(paper.created_by_name.clone()) },
        Column { heading: "更新时间", width: 20, cell: |paper| Cell::DateTime(paper.updated_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PaperFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Paper>> {
        Self::all(connection, filter, scope).await
    }
}
