//! 文稿: handed in, never replaced, decided by the adviser or staff.

use chrono::NaiveDate;
use infra::{Change, Error, Result, Tx, files};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use sha2::{Digest, Sha256};
use thesis_rules::{
    enums::{ThesisDecision, ThesisDocumentKind, ThesisStage},
    stage::{ThesisTurn, may_submit},
};
use tokio::task::spawn_blocking;

use super::hold::{Held, turned};

/// What a thesis may be.
pub(super) const KINDS: [&str; 3] = ["pdf", "doc", "docx"];
pub(super) const MOST_MB: i64 = 20;

/// Somebody who hands in or decides.
pub(crate) struct By {
    /// `student`, `staff` or `system`.
    pub kind: &'static str,
    pub name: String,
}

/// Somebody who decides: an account, or the adviser in their client.
pub(crate) struct Decider {
    pub kind: &'static str,
    pub id: i64,
    pub name: String,
}

/// Hands a document in. The thesis is held.
///
/// # Errors
/// 409 in another stage, behind its day, and for the same file again; 422 for a file of another kind.
pub(crate) async fn hand_in(
    tx: &mut Tx,
    thesis: &Held,
    kind: ThesisDocumentKind,
    key: &str,
    by: &By,
) -> Result<Vec<Change>> {
    thesis.goes_on()?;
    let due = match kind {
        ThesisDocumentKind::Proposal => thesis.proposal_due,
        ThesisDocumentKind::Draft => thesis.draft_due,
        ThesisDocumentKind::Final => thesis.final_due,
        _ => None,
    };
    let extended = extended(tx, thesis).await?;
    let today = tx.app().clock().today();
    may_submit(kind, thesis.standing(), due, extended, today).map_err(Error::conflict)?;
    let file = adopted(tx, key, thesis.id).await?;
    let app = tx.app().clone();
    let most = usize::try_from(MOST_MB << 20).map_err(Error::internal)?;
    let bytes =
        files::beginning(&app, key, most).await?.ok_or_else(|| Error::field("fileKey", "文件不存在，请重新上传"))?;
    let (bytes, pages) = counted(bytes).await?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let last = sqlx::query!(
        "select version_no, sha256 from thesis_document where thesis_id = $1 and kind = $2 order by version_no desc limit 1",
        thesis.id,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?;
    if last.as_ref().is_some_and(|last| last.sha256 == digest) {
        return Err(Error::conflict("与上一版本内容相同"));
    }
    let version_no = last.map_or(1, |last| last.version_no + 1);
    let (account, now) = (tx.by(), tx.app().clock().now());
    let id = sqlx::query_scalar!(
        "insert into thesis_document (thesis_id, kind, version_no, file_id, sha256, pages, submitted_at, submitted_by, submitted_by_name,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $10, $6, $7, $8, $9, $9) returning id",
        thesis.id,
        kind.as_str(),
        version_no,
        file,
        digest,
        now as _,
        by.kind,
        by.name,
        account,
        pages
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "kind": kind.as_str(), "versionNo": version_no, "thesisId": thesis.id });
    let mut changes = vec![Change::event("thesis_document", id, "insert", what)];
    // What stands beside a stage leads to none.
    if stage_of(kind) == Some(thesis.stage) {
        changes.push(turned(tx, thesis, thesis.to(ThesisTurn::Submit)?, None).await?);
    }
    Ok(changes)
}

/// How many pages a document has; nobody counts those of a word processor before they are set.
async fn counted(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<i32>)> {
    let counting = spawn_blocking(move || {
        let pages = ::paper::pages(&bytes).and_then(|pages| i32::try_from(pages).ok());
        (bytes, pages.filter(|pages| *pages > 0))
    });
    counting.await.map_err(Error::internal)
}

/// Until when the student got more time for the stage at hand.
///
/// # Errors
/// Those of the database.
pub(crate) async fn extended(tx: &mut Tx, thesis: &Held) -> Result<Option<NaiveDate>> {
    Ok(sqlx::query_scalar!(
        "select until from thesis_extension where thesis_id = $1 and stage = $2 order by id desc limit 1",
        thesis.id,
        thesis.stage.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?)
}

async fn adopted(tx: &mut Tx, key: &str, thesis: i64) -> Result<i64> {
    files::adopt_kind(tx, key, ("thesis", thesis), &KINDS, MOST_MB).await.map_err(|error| match error.code {
        422 => Error::field("fileKey", error.msg),
        _ => error,
    })
}

fn stage_of(kind: ThesisDocumentKind) -> Option<ThesisStage> {
    match kind {
        ThesisDocumentKind::Proposal => Some(ThesisStage::Proposal),
        ThesisDocumentKind::Draft => Some(ThesisStage::Draft),
        ThesisDocumentKind::Final => Some(ThesisStage::Final),
        ThesisDocumentKind::Midterm
        | ThesisDocumentKind::Revision
        | ThesisDocumentKind::SimilarityReport
        | ThesisDocumentKind::Slides
        | ThesisDocumentKind::Archived => None,
    }
}

/// Decides the document of the stage that waits. The thesis is held.
///
/// # Errors
/// 409 where none waits; 422 to give back without a comment.
pub(crate) async fn decide(
    tx: &mut Tx,
    thesis: &Held,
    pass: bool,
    comment: Option<&str>,
    who: &Decider,
) -> Result<Vec<Change>> {
    thesis.goes_on()?;
    let comment = comment.map(str::trim).filter(|comment| !comment.is_empty());
    if !pass && comment.is_none() {
        return Err(Error::field("comment", "请填写修改意见"));
    }
    let to = thesis.to(if pass { ThesisTurn::Pass } else { ThesisTurn::Return })?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let decision = if pass { ThesisDecision::Passed } else { ThesisDecision::Returned };
    let document = sqlx::query_scalar!(
        "update thesis_document
         set decision = $3, comment = $4, decided_by_kind = $5, decided_by = $6, decided_by_name = $7, decided_at = $8,
             updated_at = now(), updated_by = $9, version = version + 1
         where id = (select x.id from thesis_document x where x.thesis_id = $1 and x.kind = $2 order by x.version_no desc limit 1)
           and decision = 'pending'
         returning id",
        thesis.id,
        thesis.stage.as_str(),
        decision.as_str(),
        comment,
        who.kind,
        who.id,
        who.name,
        now as _,
        by
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("没有待审阅的文稿"))?;
    if !pass {
        tell_returned(tx, thesis, comment.unwrap_or_default()).await?;
    }
    let decided = Change::status("thesis_document", document, "decision", "pending", decision.as_str());
    Ok(vec![decided.because(comment), turned(tx, thesis, to, comment).await?])
}

/// Tells the student that the thesis came back, and why.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell_returned(tx: &mut Tx, thesis: &Held, why: &str) -> Result<()> {
    let title = thesis.title.clone().unwrap_or_default();
    let values = [("title".to_owned(), title), ("remark".to_owned(), why.to_owned())];
    let person = Person { kind: PersonKind::Student, id: thesis.student_id };
    notify(tx, "thesis_returned", Persons::Recipients(vec![person]), values.into(), None).await
}
