//! Internships as their steps know them, by the selection that they are of.

use std::collections::BTreeMap;

use infra::{Error, Result, Scope, Tx};
use scores_rules::arith::in_tenths;
use thesis_rules::{
    enums::InternshipStatus,
    grade::{InternshipTurn, after_internship},
};

use super::write::InternshipContent;

/// An internship that is held; where nobody wrote anything yet, what its selection says.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub selection: i64,
    pub student: i64,
    /// None as long as nobody wrote anything.
    pub record: Option<i64>,
    pub content: InternshipContent,
    pub report: Option<i64>,
    pub appraisal: Option<i64>,
    pub status: InternshipStatus,
    /// Everybody who gave a score: none of them passes it.
    pub given_by: Vec<i64>,
    pub version: i32,
}

impl Held {
    /// # Errors
    /// 409 from where it does not lead.
    pub fn to(&self, turn: InternshipTurn) -> Result<InternshipStatus> {
        after_internship(self.status, turn).map_err(Error::conflict)
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(stale(tx, self.record).await) }
    }

    /// Both scores in tenths.
    pub fn scores(&self) -> Option<(i64, i64)> {
        let of = |score: Option<f64>| in_tenths(score?, 1_000);
        Some((of(self.content.unit_score)?, of(self.content.teacher_score)?))
    }
}

/// The refusal of what changed since it was read; of a record that nobody had then, too.
pub(crate) async fn stale(tx: &mut Tx, record: Option<i64>) -> Error {
    match record {
        Some(id) => tx.stale("internship", id).await,
        None => Error::conflict("数据已被他人修改，请刷新后重试"),
    }
}

/// Internships by their selections, as far as they lie within the scope.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, selections: &[i64], scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!("select id from internship where selection_id = any($1) order by id for update", selections)
        .fetch_all(&mut **tx)
        .await?;
    let rows = sqlx::query!(
        r#"select c.id as "selection!", c.student_id as "student!", i.id as "record?", i.unit as "unit?",
                  i.post as "post?", i.starts_on as "starts_on?", i.ends_on as "ends_on?", i.mentor as "mentor?",
                  i.mentor_phone as "mentor_phone?", coalesce(i.apply_waiver, false) as "apply_waiver!",
                  i.report_file_id as "report?", i.appraisal_file_id as "appraisal?", i.unit_score::float8 as "unit_score?",
                  i.teacher_score::float8 as "teacher_score?", coalesce(i.status, 'draft') as "status!: InternshipStatus",
                  coalesce(i.given_by, '{}') as "given_by!", coalesce(i.version, 0) as "version!"
           from course_selection c
           join course u on u.id = c.course_id and u.kind = 'internship'
           join student y on y.id = c.student_id
           left join internship i on i.selection_id = c.id
           where c.id = any($1) and c.status in ('selected', 'completed')
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        selections,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = rows.into_iter().map(|row| {
        let content = InternshipContent {
            unit: row.unit,
            post: row.post,
            starts_on: row.starts_on,
            ends_on: row.ends_on,
            mentor: row.mentor,
            mentor_phone: row.mentor_phone,
            apply_waiver: row.apply_waiver,
            unit_score: row.unit_score,
            teacher_score: row.teacher_score,
        };
        let one = Held {
            selection: row.selection,
            student: row.student,
            record: row.record,
            content,
            report: row.report,
            appraisal: row.appraisal,
            status: row.status,
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
