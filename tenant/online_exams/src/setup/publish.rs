//! 发布: papers are frozen and dealt, candidates are told (part 04 §2.2).

use exam_rules::{enums::PaperVariant, setup::SetupTurn, slots::deal as places};
use exams::{
    candidate::{dealt, newly_eligible},
    enums::{ExamMode, ExamPaperMode, ExamSetupStatus, MarkingMode, TestBatchStatus},
    setup::{self, HeldSetup, Said},
};
use infra::{Change, Error, Result, Scope, Tx};
use papers::{rule::deal, snapshot::freeze};
use scenes::{Person, PersonKind, Persons, notify};

use super::steps::OnlineSetupItem;

/// Publishes one examination.
///
/// # Errors
/// 404 and 403 as [`setup::held`]; 409 for what is not a draft, without time, papers or candidates; 422 for papers that do not fit.
pub(super) async fn publish(tx: &mut Tx, item: OnlineSetupItem, scope: &Scope) -> Result<Change> {
    let held = setup::held(tx, item.id, ExamMode::Online, scope).await?;
    held.as_read(tx, item.version).await?;
    let to = held.after(SetupTurn::Publish)?;
    if held.batch_status != TestBatchStatus::Active {
        return Err(Error::conflict(format!("批次{}，不能发布考试", held.batch_status.zh())));
    }
    let now = tx.app().clock().now();
    if held.starts_at.is_none_or(|starts| starts <= now) {
        return Err(Error::conflict("考试开始时间已过"));
    }
    let mut bytes = [0; 4];
    tx.app().random().fill(&mut bytes);
    let students = given_out(tx, &held, i64::from(u32::from_be_bytes(bytes))).await?;
    let change = setup::turned(tx, &held, to, Said::default()).await?;
    let once = format!("exam_published:{}:{}", held.id, held.version);
    tell(tx, &held, "exam_published", &students, Some(&once)).await?;
    Ok(change)
}

/// Freezes the papers of a draft and deals them to its candidates; the students of them who may sit.
///
/// # Errors
/// 409 without papers or candidates; 422 for papers that do not fit.
pub(crate) async fn given_out(tx: &mut Tx, held: &HeldSetup, seed: i64) -> Result<Vec<i64>> {
    let papers = sqlx::query!(
        r#"select slot as "slot: PaperVariant", paper_id from exam_setup_paper where setup_id = $1 order by slot"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let by_rule = held.paper_mode == Some(ExamPaperMode::RandomRule);
    if papers.is_empty() && !by_rule {
        return Err(Error::conflict("请先选择试卷"));
    }
    let people = sqlx::query!(
        r#"select c.id, c.student_id, y.class_id, c.eligibility = 'eligible' as "eligible!"
           from exam_candidate c join student y on y.id = c.student_id
           where c.setup_id = $1 and not c.removed order by c.id"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if !people.iter().any(|one| one.eligible) {
        return Err(Error::conflict("没有符合条件的考生"));
    }
    let candidates: Vec<(i64, Option<i64>)> = people.iter().map(|one| (one.id, one.class_id)).collect();
    let mut slots = Vec::with_capacity(papers.len());
    for paper in papers {
        slots.push((paper.slot, freeze(tx, paper.paper_id).await?.id));
    }
    let given = given(tx, held, seed, &slots, &candidates).await?;
    let mut snapshots: Vec<i64> = given.iter().map(|(_, snapshot, _)| *snapshot).collect();
    snapshots.extend(slots.iter().map(|(_, snapshot)| *snapshot));
    snapshots.sort_unstable();
    snapshots.dedup();
    let total = fitting(tx, held, &snapshots).await?;
    dealt(tx, &given).await?;
    setup::frozen(tx, held.id, (seed, Some(total)), &slots).await?;
    Ok(people.iter().filter(|one| one.eligible).map(|one| one.student_id).collect())
}

/// Which paper each candidate gets, with its slot where it has one.
pub(crate) async fn given(
    tx: &mut Tx,
    held: &HeldSetup,
    seed: i64,
    slots: &[(PaperVariant, i64)],
    candidates: &[(i64, Option<i64>)],
) -> Result<Vec<(i64, i64, Option<PaperVariant>)>> {
    if let (Some(ExamPaperMode::RandomRule), Some(rule)) = (held.paper_mode, held.rule_id) {
        let ids: Vec<i64> = candidates.iter().map(|(id, _)| *id).collect();
        let drawn = deal(tx, rule, seed, &ids).await?;
        return Ok(drawn.into_iter().map(|(id, frozen)| (id, frozen.id, None)).collect());
    }
    let mode = held.paper_mode.unwrap_or(ExamPaperMode::Fixed);
    let places = places(mode, seed, slots.len(), candidates);
    let of = |id: &i64| places.get(id).and_then(|place| slots.get(*place));
    Ok(candidates.iter().filter_map(|(id, _)| of(id).map(|(slot, snapshot)| (*id, *snapshot, Some(*slot)))).collect())
}

/// What the papers come to, in tenths.
async fn fitting(tx: &mut Tx, held: &HeldSetup, snapshots: &[i64]) -> Result<i64> {
    let rows = sqlx::query!(
        r#"select (s.total_score * 10)::bigint as "total!",
                  exists (select from snapshot_question q
                          where q.snapshot_id = s.id and q.type in ('short_answer', 'essay', 'file_upload')) as "subjective!"
           from paper_snapshot s where s.id = any($1)"#,
        snapshots
    )
    .fetch_all(&mut **tx)
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    if rows.iter().any(|row| row.total != total) {
        return Err(Error::field("papers", "各试卷的总分应相同"));
    }
    if held.marking_mode == MarkingMode::Auto && rows.iter().any(|row| row.subjective) {
        return Err(Error::field("markingMode", "试卷含主观题，不能选择全自动阅卷"));
    }
    Ok(total)
}

/// Gives papers to candidates who came after the publication.
///
/// # Errors
/// Those of the database, and of a rule that cannot be served.
async fn deal_missing(tx: &mut Tx, held: &HeldSetup) -> Result<()> {
    if !held.is_given() {
        return Ok(());
    }
    let rows = sqlx::query!(
        r#"select c.id, y.class_id from exam_candidate c join student y on y.id = c.student_id
           where c.setup_id = $1 and not c.removed and c.snapshot_id is null order by c.id"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Ok(());
    }
    let slots = sqlx::query!(
        r#"select slot as "slot: PaperVariant", snapshot_id as "snapshot!" from exam_setup_paper
           where setup_id = $1 and snapshot_id is not null order by slot"#,
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let slots: Vec<(PaperVariant, i64)> = slots.into_iter().map(|row| (row.slot, row.snapshot)).collect();
    let candidates: Vec<(i64, Option<i64>)> = rows.iter().map(|row| (row.id, row.class_id)).collect();
    let papers = given(tx, held, held.seed, &slots, &candidates).await?;
    dealt(tx, &papers).await
}

/// Deals papers to candidates who came after the publication, and tells those who may sit by now and could not before.
///
/// # Errors
/// As [`deal_missing`].
pub(crate) async fn welcome(tx: &mut Tx, held: &HeldSetup, before: &[i64]) -> Result<()> {
    deal_missing(tx, held).await?;
    if held.status != ExamSetupStatus::Published {
        return Ok(());
    }
    let new = newly_eligible(tx, held.id, before).await?;
    tell(tx, held, "exam_published", &new, None).await
}

/// Tells students of an examination.
pub(crate) async fn tell(
    tx: &mut Tx,
    held: &HeldSetup,
    scene: &str,
    students: &[i64],
    once: Option<&str>,
) -> Result<()> {
    if students.is_empty() {
        return Ok(());
    }
    let people = students.iter().map(|id| Person { kind: PersonKind::Student, id: *id }).collect();
    let starts = held.starts_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
    let values = [
        ("course".to_owned(), held.course_name.clone()),
        ("startsAt".to_owned(), starts),
        ("place".to_owned(), "学习平台在线考试".to_owned()),
    ];
    notify(tx, scene, Persons::Recipients(people), values.into(), once).await
}
