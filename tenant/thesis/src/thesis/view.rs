//! One thesis with all its versions.

use chrono::NaiveDate;
use infra::{App, Result, Scope, across::Keyed, clock::Moment, files};
use poem_openapi::Object;
use scores_rules::enums::ScoreKind;
use sqlx::PgConnection;
use thesis_rules::enums::{ReviewOpinion, ThesisDecision, ThesisDocumentKind, ThesisStage};

use super::select::{StudentThesis, Theses};
use crate::marks::{ThesisMarkItem, listed, rule};

/// A version of a document.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisDocument {
    /// 编号
    pub id: i64,
    /// 文稿类型
    pub kind: ThesisDocumentKind,
    /// 版本号
    pub version_no: i32,
    /// 文件名
    pub file_name: String,
    /// 页数
    /// 只有PDF文稿有
    pub pages: Option<i32>,
    /// 地址
    pub url: Option<String>,
    /// 提交人
    pub submitted_by_name: String,
    /// 提交时间
    pub submitted_at: Moment,
    /// 审阅结论
    pub decision: ThesisDecision,
    /// 意见
    pub comment: Option<String>,
    /// 审阅人
    pub decided_by_name: Option<String>,
    /// 审阅时间
    pub decided_at: Option<Moment>,
}

/// More time for a stage.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisExtension {
    /// 论文阶段
    pub stage: ThesisStage,
    /// 延至
    pub until: NaiveDate,
    /// 原因
    pub reason: String,
    /// 办理时间
    pub created_at: Moment,
}

/// A review of a thesis.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisReview {
    /// 评阅教师编号
    pub reviewer_id: i64,
    /// 评阅教师
    pub reviewer_name: String,
    /// 成绩
    pub score: Option<f64>,
    /// 评分项
    /// 按规则列出，未录入的没有成绩
    pub items: Vec<ThesisMarkItem>,
    /// 评阅意见
    pub opinion: Option<ReviewOpinion>,
    /// 评语
    pub comment: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// A thesis with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisView {
    #[oai(flatten)]
    pub thesis: StudentThesis,
    /// 文稿
    /// 各版本，新的在前
    pub documents: Vec<ThesisDocument>,
    /// 延期
    pub extensions: Vec<ThesisExtension>,
    /// 评阅
    pub reviews: Vec<ThesisReview>,
    /// 评阅须按评分项录入
    pub review_items_required: bool,
}

/// # Errors
/// 404 beyond the scope.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<ThesisView> {
    let thesis = Theses::find(connection, id, scope).await?;
    of(app, connection, thesis).await
}

/// The parts of a thesis that was found.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of(app: &App, connection: &mut PgConnection, thesis: StudentThesis) -> Result<ThesisView> {
    let id = thesis.id;
    let documents = documents(app, connection, id).await?;
    let extensions = sqlx::query_as!(
        ThesisExtension,
        r#"select stage as "stage: _", until, reason, created_at from thesis_extension where thesis_id = $1 order by id"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let rule = rule(&mut *connection, ScoreKind::Review, id).await?;
    let reviews = sqlx::query!(
        r#"select r.reviewer_id, t.name as reviewer_name, r.score::float8 as score, r.items, r.opinion as "opinion: ReviewOpinion",
                  r.comment, r.submitted_at, r.version
           from thesis_review r join teacher t on t.id = r.reviewer_id where r.thesis_id = $1 order by r.id"#,
        id
    )
    .fetch_all(connection)
    .await?;
    let reviews = reviews.into_iter().map(|row| ThesisReview {
        reviewer_id: row.reviewer_id,
        reviewer_name: row.reviewer_name,
        score: row.score,
        items: listed(Some(&rule), &row.items),
        opinion: row.opinion,
        comment: row.comment,
        submitted_at: row.submitted_at,
        version: row.version,
    });
    Ok(ThesisView {
        thesis,
        documents,
        extensions,
        reviews: reviews.collect(),
        review_items_required: rule.items_required,
    })
}

/// All versions of a thesis' documents, the newest first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn documents(app: &App, connection: &mut PgConnection, thesis: i64) -> Result<Vec<ThesisDocument>> {
    let rows = sqlx::query!(
        r#"select d.id, d.kind as "kind: ThesisDocumentKind", d.version_no, f.key, f.original_name, d.pages, d.submitted_by_name,
                  d.submitted_at, d.decision as "decision: ThesisDecision", d.comment, d.decided_by_name, d.decided_at
           from thesis_document d join file_object f on f.id = d.file_id
           where d.thesis_id = $1 order by d.id desc"#,
        thesis
    )
    .fetch_all(connection)
    .await?;
    let mut documents = Vec::with_capacity(rows.len());
    for row in rows {
        documents.push(ThesisDocument {
            id: row.id,
            kind: row.kind,
            version_no: row.version_no,
            url: Some(files::url_of(app, &row.key, &row.original_name).await?),
            file_name: row.original_name,
            pages: row.pages,
            submitted_by_name: row.submitted_by_name,
            submitted_at: row.submitted_at,
            decision: row.decision,
            comment: row.comment,
            decided_by_name: row.decided_by_name,
            decided_at: row.decided_at,
        });
    }
    Ok(documents)
}
