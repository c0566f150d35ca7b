//! Scores of theses as their steps know them, by the selection that they are of.

use std::collections::BTreeMap;

use infra::{Error, Result, Scope, Tx};
use scores::rule::Place;
use scores_rules::{arith::points, graduation::GraduationParts};
use serde_json::Value;
use thesis_rules::{
    enums::{GraduationScoreStatus, ThesisStage, ThesisStatus},
    grade::{GradeTurn, after},
};

use super::{enter::GradeContent, select::stored};

/// A score that is held; where nothing was entered yet, what its selection says.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub selection: i64,
    pub student: i64,
    pub name: String,
    pub place: Place,
    /// None as long as nothing was entered.
    pub record: Option<i64>,
    pub thesis: Option<i64>,
    pub plan: Option<i64>,
    pub stage: Option<ThesisStage>,
    pub thesis_status: Option<ThesisStatus>,
    pub parts: GraduationParts,
    pub content: GradeContent,
    pub total: Option<i64>,
    pub word: Option<String>,
    pub veto: Option<String>,
    pub formula: Option<Value>,
    pub status: GraduationScoreStatus,
    pub submitted_by: Option<i64>,
    /// Everybody who entered a part: none of them reviews it.
    pub given_by: Vec<i64>,
    pub version: i32,
}

impl Held {
    /// Whether its thesis failed by itself.
    pub fn failed(&self) -> bool {
        self.thesis_status == Some(ThesisStatus::Failed)
    }

    /// # Errors
    /// 409 from where it does not lead.
    pub fn to(&self, turn: GradeTurn) -> Result<GraduationScoreStatus> {
        after(self.status, turn).map_err(Error::conflict)
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(stale(tx, self.record).await) }
    }
}

/// The refusal of what changed since it was read; of a record that nobody had then, too.
pub(crate) async fn stale(tx: &mut Tx, record: Option<i64>) -> Error {
    match record {
        Some(id) => tx.stale("graduation_score", id).await,
        None => Error::conflict("数据已被他人修改，请刷新后重试"),
    }
}

/// Scores by their selections, as far as they lie within the scope.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, selections: &[i64], scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!(
        "select id from graduation_score where selection_id = any($1) order by id for update",
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    let rows = sqlx::query!(
        r#"select c.id as "selection!", c.student_id as "student!", y.name as "name!", y.grade_id as "grade!", y.level_id as "level!",
                  y.major_id as "major!", c.course_id as "course!", g.id as "record?", t.id as "thesis?", t.plan_id as "plan?",
                  t.stage as "stage?: ThesisStage", t.status as "thesis_status?: ThesisStatus",
                  (g.internship_score * 10)::bigint as "internship?", (g.thesis_score * 10)::bigint as "thesis_score?",
                  (g.review_score * 10)::bigint as "review_score?", (g.defense_score * 10)::bigint as "defense_score?",
                  g.thesis_items as "thesis_items?", g.review_items as "review_items?", g.defense_items as "defense_items?",
                  g.thesis_comment as "thesis_comment?", g.review_comment as "review_comment?", g.defense_comment as "defense_comment?",
                  (g.total * 10)::bigint as "total?", g.grade_word as "word?", g.veto as "veto?", g.formula as "formula?",
                  coalesce(g.status, 'pending') as "status!: GraduationScoreStatus", g.submitted_by as "submitted_by?",
                  coalesce(g.given_by, '{}') as "given_by!",
                  coalesce(g.version, 0) as "version!"
           from course_selection c
           join course u on u.id = c.course_id and u.kind = 'thesis'
           join student y on y.id = c.student_id
           left join thesis t on t.selection_id = c.id and t.status <> 'cancelled'
           left join graduation_score g on g.selection_id = c.id
           where c.id = any($1) and c.status in ('selected', 'completed')
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        selections,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = rows.into_iter().map(|row| {
        let parts = GraduationParts {
            internship: row.internship,
            thesis: row.thesis_score,
            review: row.review_score,
            defense: row.defense_score,
        };
        let content = GradeContent {
            thesis_score: parts.thesis.map(points),
            thesis_items: row.thesis_items.map(stored).unwrap_or_default(),
            thesis_comment: row.thesis_comment,
            review_score: parts.review.map(points),
            review_items: row.review_items.map(stored).unwrap_or_default(),
            review_comment: row.review_comment,
            defense_score: parts.defense.map(points),
            defense_items: row.defense_items.map(stored).unwrap_or_default(),
            defense_comment: row.defense_comment,
        };
        let one = Held {
            selection: row.selection,
            student: row.student,
            name: row.name,
            place: Place { grade: row.grade, level: row.level, major: row.major, course: Some(row.course) },
            record: row.record,
            thesis: row.thesis,
            plan: row.plan,
            stage: row.stage,
            thesis_status: row.thesis_status,
            parts,
            content,
            total: row.total,
            word: row.word,
            veto: row.veto,
            formula: row.formula,
            status: row.status,
            submitted_by: row.submitted_by,
            given_by: row.given_by,
            version: row.version,
        };
        (one.selection, one)
    });
    Ok(held.collect())
}

/// One of them.
///
/// # Errors
/// 404 beyond the scope.
pub(crate) async fn held(tx: &mut Tx, selection: i64, scope: &Scope) -> Result<Held> {
    hold(tx, &[selection], scope).await?.remove(&selection).ok_or_else(Error::not_found)
}
