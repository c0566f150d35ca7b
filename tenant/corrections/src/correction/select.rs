//! How corrections are read, with their evidence and the way that they went.

use std::collections::HashMap;

use chrono::NaiveDate;
use correction_rules::changes::side;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::{Moment, day_began, day_ended},
    files, mask,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::{
    keyword::{Keyword, classify},
    student::{
        correct::KeyFields,
        references::{Word, words},
    },
};

use super::{CorrectionKind, CorrectionSource, CorrectionStatus, Corrections, EvidenceKind};

/// A correction with its student, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Correction {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 姓名
    pub name: String,
    /// 学号
    pub student_no: Option<String>,
    /// 更正状态
    pub status: CorrectionStatus,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 年级
    pub grade_name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 手机
    pub phone: Option<String>,
    /// 更正类型
    pub kind: CorrectionKind,
    /// 更正前
    pub before: KeyFields,
    /// 更正后
    pub after: KeyFields,
    /// 说明
    pub reason: String,
    /// 提醒
    /// 值得核对的内容，不影响办理
    pub warnings: Vec<String>,
    /// 来源
    pub source: CorrectionSource,
    /// 申请人
    pub applicant_name: String,
    /// 申请时间
    pub created_at: Moment,
    /// 省厅文号
    pub province_doc_no: Option<String>,
    /// 办结日期
    pub decided_on: Option<NaiveDate>,
    /// 本人申请
    /// 由当前人员提交，须由他人审核
    pub own: bool,
    /// 版本
    pub version: i32,
    #[oai(skip)]
    pub(super) created_by: i64,
}

impl Correction {
    /// As a person of the console sees it: personal values masked; whose it is.
    pub(super) fn show_to(&mut self, account: i64) {
        self.mask();
        self.own = self.is_of(account);
    }

    /// As everybody sees it; a whole number is one call for one correction (05 E4).
    pub(super) fn mask(&mut self) {
        self.phone = self.phone.as_deref().map(mask::phone);
        for fields in [&mut self.before, &mut self.after] {
            fields.id_card_no = fields.id_card_no.as_deref().map(mask::id_card);
        }
    }

    /// Whether this account asked for it.
    pub(super) fn is_of(&self, account: i64) -> bool {
        self.created_by == account && account != 0
    }
}

/// A paper, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct CorrectionEvidence {
    /// 更正材料
    pub kind: EvidenceKind,
    /// 文件
    pub key: String,
    /// 文件名
    pub name: String,
    /// 地址
    #[oai(skip_serializing_if_is_none)]
    pub url: Option<String>,
}

/// Who asked, or decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CorrectionStep {
    /// 原状态
    pub from_status: Option<CorrectionStatus>,
    /// 新状态
    pub to_status: CorrectionStatus,
    /// 意见
    pub remark: Option<String>,
    /// 经办人
    pub actor_name: String,
    /// 时间
    pub created_at: Moment,
}

/// A correction with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CorrectionView {
    #[oai(flatten)]
    pub correction: Correction,
    /// 更正前民族
    pub ethnicity_before: Option<String>,
    /// 更正后民族
    pub ethnicity_after: Option<String>,
    /// 材料
    pub attachments: Vec<CorrectionEvidence>,
    /// 办理过程
    pub steps: Vec<CorrectionStep>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CorrectionFilter {
    /// 更正状态
    pub status: Option<CorrectionStatus>,
    /// 更正类型
    pub kind: Option<CorrectionKind>,
    /// 来源
    pub source: Option<CorrectionSource>,
    /// 学生
    pub student_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 申请日期起
    pub created_from: Option<NaiveDate>,
    /// 申请日期止
    pub created_to: Option<NaiveDate>,
}

impl Keyed for Corrections {
    type Filter = CorrectionFilter;
    type Row = Correction;

    fn id(row: &Correction) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &CorrectionFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let Keyword { id_card_no, phone, number, name_grams } =
            filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select c.id, c.created_at, count(*) over () as "total!"
               from student_correction c join student s on s.id = c.student_id
               where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and ($3::text is null or c.status = $3)
                 and ($4::text is null or c.kind = $4)
                 and ($5::text is null or c.source = $5)
                 and ($6::bigint is null or c.student_id = $6)
                 and ($7::bigint is null or s.grade_id = $7)
                 and ($8::bigint is null or s.level_id = $8)
                 and ($9::bigint is null or s.major_id = $9)
                 and ($10::bigint is null or s.site_id = $10)
                 and ($11::bigint is null or s.class_id = $11)
                 and ($12::text is null or s.id_card_no = $12)
                 and ($13::text is null or s.phone = $13)
                 and ($14::text is null or s.student_no like $14 or s.examinee_no like $14
                      or ($14 !~ '[0-9]' and s.initials like lower(rtrim($14, '%')) || '%'))
                 and ($15::text[] is null or s.name_grams @> $15)
                 and ($16::timestamptz is null or c.created_at >= $16)
                 and ($17::timestamptz is null or c.created_at < $17)
                 and ($18::bigint is null or c.id = $18)
                 and ($19::timestamptz is null or c.created_at <= $19)
               order by c.created_at desc, c.id
               limit $20 offset $21"#,
            scope.sites(),
            scope.classes(),
            filter.status.map(CorrectionStatus::as_str),
            filter.kind.map(CorrectionKind::as_str),
            filter.source.map(CorrectionSource::as_str),
            filter.student_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.site_id,
            filter.class_id,
            id_card_no,
            phone,
            number,
            name_grams.as_deref(),
            filter.created_from.map(day_began),
            filter.created_to.map(day_ended),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Correction>> {
        let rows = sqlx::query!(
            r#"select c.id, c.student_id, s.name, s.student_no, c.status as "status: CorrectionStatus", l.name as level_name,
                      m.name as major_name, g.name as grade_name, t.name as site_name, k.name as "class_name?", s.phone,
                      c.kind as "kind: CorrectionKind", c.changes, c.reason, c.warnings,
                      c.source as "source: CorrectionSource", c.applicant_name, c.created_at, c.province_doc_no, c.decided_on, c.version, c.created_by
               from student_correction c
               join student s on s.id = c.student_id
               join grade g on g.id = s.grade_id
               join level l on l.id = s.level_id
               join major m on m.id = s.major_id
               join site t on t.id = s.site_id
               left join class k on k.id = s.class_id
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(Correction {
                    id: row.id,
                    student_id: row.student_id,
                    name: row.name,
                    student_no: row.student_no,
                    status: row.status,
                    level_name: row.level_name,
                    major_name: row.major_name,
                    grade_name: row.grade_name,
                    site_name: row.site_name,
                    class_name: row.class_name,
                    phone: row.phone,
                    kind: row.kind,
                    before: side(&row.changes, "from")?,
                    after: side(&row.changes, "to")?,
                    reason: row.reason,
                    warnings: row.warnings,
                    source: row.source,
                    applicant_name: row.applicant_name,
                    created_at: row.created_at,
                    province_doc_no: row.province_doc_no,
                    decided_on: row.decided_on,
                    own: false,
                    version: row.version,
                    created_by: row.created_by,
                })
            })
            .collect()
    }
}

/// Corrections with their evidence, each as an address that soon expires, and their way.
pub(super) async fn viewed(
    app: &App,
    connection: &mut PgConnection,
    corrections: Vec<Correction>,
) -> Result<Vec<CorrectionView>> {
    let (ethnicities, _) = words(app).await?;
    let label = |value: Option<&str>| {
        let found = |word: &&Word| Some(word.value.as_str()) == value;
        ethnicities.iter().find(found).map(|word| word.label.clone())
    };
    let ids: Vec<i64> = corrections.iter().map(|correction| correction.id).collect();
    let mut papers = evidence(connection, &ids).await?;
    let mut steps = steps(connection, &ids).await?;
    let mut views = Vec::with_capacity(corrections.len());
    for correction in corrections {
        let mut attachments = papers.remove(&correction.id).unwrap_or_default();
        for paper in &mut attachments {
            paper.url = Some(files::url_of(app, &paper.key, &paper.name).await?);
        }
        views.push(CorrectionView {
            ethnicity_before: label(correction.before.ethnicity.as_deref()),
            ethnicity_after: label(correction.after.ethnicity.as_deref()),
            attachments,
            steps: steps.remove(&correction.id).unwrap_or_default(),
            correction,
        });
    }
    Ok(views)
}

/// Who asked and who decided, by correction.
async fn steps(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<CorrectionStep>>> {
    let rows = sqlx::query!(
        r#"select student_correction_id, from_status as "from_status: CorrectionStatus",
                  to_status as "to_status: CorrectionStatus", remark, actor_name, created_at
           from student_correction_step where student_correction_id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut steps: HashMap<i64, Vec<CorrectionStep>> = HashMap::new();
    for row in rows {
        steps.entry(row.student_correction_id).or_default().push(CorrectionStep {
            from_status: row.from_status,
            to_status: row.to_status,
            remark: row.remark,
            actor_name: row.actor_name,
            created_at: row.created_at,
        });
    }
    Ok(steps)
}

/// The evidence as stored, by correction.
pub(super) async fn evidence(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<CorrectionEvidence>>> {
    let rows = sqlx::query!(
        r#"select f.student_correction_id, f.kind as "kind: EvidenceKind", o.key, o.original_name
           from student_correction_file f join file_object o on o.id = f.file_id
           where f.student_correction_id = any($1) order by f.id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut papers: HashMap<i64, Vec<CorrectionEvidence>> = HashMap::new();
    for row in rows {
        let paper = CorrectionEvidence { kind: row.kind, key: row.key, name: row.original_name, url: None };
        papers.entry(row.student_correction_id).or_default().push(paper);
    }
    Ok(papers)
}
