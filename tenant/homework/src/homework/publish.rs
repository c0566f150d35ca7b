//! 发布: papers are frozen, each student of the targets gets a row with what they answer, and is told (part 03 B6).

use std::collections::HashMap;

use homework_rules::pool::chance;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx,
    across::ItemOfSchool,
    reply,
    steps::{Chosen, Step, SteppedOfSchools, over_schools},
};
use papers::{
    rule::deal,
    snapshot::{UploadTask, freeze, freeze_task},
};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::score::tenths;
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;

use super::{
    Held, Homework, HomeworkFilter, HomeworkForm, HomeworkItem, Homeworks, PublishHomework, form::form_of, locked,
    of_row,
};
use crate::enums::{HomeworkKind, HomeworkPaperMode, HomeworkStatus};

/// Papers that a call itself draws, one a student; more are drawn by a job.
const DRAWN_DIRECTLY: i64 = 300;

/// Homework that goes on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HomeworkChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<HomeworkItem>, HomeworkFilter>,
}

impl Example for HomeworkChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![HomeworkItem::example().into()]) }
    }
}

pub struct Publishing;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl Publishing {
    /// 发布作业
    /// 冻结试卷，通知学生；每人随机且人数较多时转为后台任务
    #[oai(path = "/publish", method = "put", operation_id = "publishHomework")]
    async fn publish(
        &self,
        caller: Allowed<PublishHomework>,
        Body(wanted): Body<HomeworkChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        let rows = drawn_by_job(&caller, wanted.rows).await?;
        Ok(reply(over_schools(&caller, rows, PublishAll {}).await?))
    }
}

/// The same rows by a filter, where more papers are drawn than a call does.
async fn drawn_by_job(
    caller: &Allowed<PublishHomework>,
    rows: Chosen<ItemOfSchool<HomeworkItem>, HomeworkFilter>,
) -> Result<Chosen<ItemOfSchool<HomeworkItem>, HomeworkFilter>> {
    let (Some(items), Some(_)) = (&rows.items, caller.school_id()) else { return Ok(rows) };
    let ids: Vec<i64> = items.iter().map(|item| item.item.id).collect();
    let mut tx = caller.read().await?;
    let drawn = sqlx::query_scalar!(
        r#"select count(*) as "drawn!"
           from homework h
           join homework_target t on t.homework_id = h.id
           join course_selection c on c.opening_id = t.opening_id and c.status = 'selected'
                                  and (t.class_id is null or c.class_id = t.class_id)
           where h.id = any($1) and h.paper_mode = 'random_rule'"#,
        &ids
    )
    .fetch_one(&mut *tx)
    .await?;
    if drawn <= DRAWN_DIRECTLY {
        return Ok(rows);
    }
    let filter = HomeworkFilter { ids: Some(ids), ..HomeworkFilter::default() };
    Ok(Chosen { items: None, filter: Some(filter) })
}

/// Whoever gets a homework.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipient {
    pub selection_id: i64,
    pub student_id: i64,
}

/// Who is on the rosters of a homework's targets and has no row of it; held.
pub(crate) async fn missing(tx: &mut Tx, homework: i64) -> Result<Vec<Recipient>> {
    Ok(sqlx::query_as!(
        Recipient,
        "select c.id as selection_id, c.student_id
         from course_selection c
         where c.status = 'selected'
           and exists (
               select from homework_target t
               where t.homework_id = $1 and t.opening_id = c.opening_id
                 and (t.class_id is null or t.class_id = c.class_id))
           and not exists (select from homework_student s where s.homework_id = $1 and s.selection_id = c.id)
         order by c.id for share of c",
        homework
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// The snapshots of a homework that is published now, in the order of its papers; of what is drawn for each student there are
/// none yet.
pub(crate) async fn frozen(tx: &mut Tx, held: &Held, form: &HomeworkForm) -> Result<Vec<i64>> {
    if form.kind == HomeworkKind::Upload {
        let (Some(instruction), Some(upload)) = (form.instruction.clone(), form.upload.clone()) else {
            return Err(Error::conflict(format!("作业“{}”没有作业要求，不能发布", held.title)));
        };
        let total = tenths(form.total_score.unwrap_or_default());
        let task = UploadTask { course_id: held.course_id, title: held.title.clone(), instruction, upload, total };
        return Ok(vec![freeze_task(tx, &task).await?.id]);
    }
    let mut snapshots = Vec::with_capacity(form.paper_ids.len());
    for paper in &form.paper_ids {
        let id = freeze(tx, *paper).await?.id;
        // Two papers may hold the same.
        if !snapshots.contains(&id) {
            snapshots.push(id);
        }
    }
    Ok(snapshots)
}

/// Gives a homework to students: each their snapshot and their row. What is drawn for each is frozen for them.
///
/// # Errors
/// 409 and 422 when the papers of a rule cannot be drawn; nothing is written then.
pub(crate) async fn give(
    tx: &mut Tx,
    homework: i64,
    form: &HomeworkForm,
    (seed, snapshots): (i64, &[i64]),
    to: &[Recipient],
) -> Result<Vec<i64>> {
    let students: Vec<i64> = to.iter().map(|one| one.student_id).collect();
    let dealt: HashMap<i64, i64> = match (form.paper_mode, form.rule_id) {
        (Some(HomeworkPaperMode::RandomRule), Some(rule)) => {
            deal(tx, rule, seed, &students).await?.into_iter().map(|(student, frozen)| (student, frozen.id)).collect()
        }
        _ => {
            let count = u64::try_from(snapshots.len()).unwrap_or(1).max(1);
            let of = |student: &i64| {
                let place = usize::try_from(chance(seed, *student) % count).ok()?;
                Some((*student, *snapshots.get(place)?))
            };
            students.iter().filter_map(of).collect()
        }
    };
    let mut papers = Vec::with_capacity(to.len());
    for one in to {
        papers.push(*dealt.get(&one.student_id).ok_or_else(|| Error::internal("a student got no paper"))?);
    }
    let selections: Vec<i64> = to.iter().map(|one| one.selection_id).collect();
    // Also those that nobody got by now: whoever comes later is dealt of the same.
    let mut used = snapshots.to_vec();
    let mut drawn: Vec<i64> = papers.iter().copied().filter(|paper| !snapshots.contains(paper)).collect();
    drawn.sort_unstable();
    drawn.dedup();
    used.extend(drawn);
    sqlx::query!(
        "insert into homework_snapshot (homework_id, snapshot_id, sort_no)
         select $1, s.id, s.place::integer from unnest($2::bigint[]) with ordinality as s (id, place)
         on conflict (homework_id, snapshot_id) do nothing",
        homework,
        &used
    )
    .execute(&mut **tx)
    .await?;
    let by = tx.by();
    Ok(sqlx::query_scalar!(
        "insert into homework_student (homework_id, selection_id, snapshot_id, created_by, updated_by)
         select $1, w.selection, w.snapshot, $4, $4 from unnest($2::bigint[], $3::bigint[]) as w (selection, snapshot)
         on conflict (homework_id, selection_id) do nothing returning id",
        homework,
        &selections,
        &papers,
        by
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Tells students that there is a homework.
pub(crate) async fn tell(tx: &mut Tx, held: &Held, to: &[Recipient], once: &str) -> Result<()> {
    if to.is_empty() {
        return Ok(());
    }
    let persons = to.iter().map(|one| Person { kind: PersonKind::Student, id: one.student_id }).collect();
    let values = [
        ("course".to_owned(), held.course_name.clone()),
        ("title".to_owned(), held.title.clone()),
        ("endsAt".to_owned(), held.ends_at.format("%Y-%m-%d %H:%M").to_string()),
    ];
    notify(tx, "homework_published", Persons::Recipients(persons), values.into(), Some(once)).await
}

/// Publishes one homework.
///
/// # Errors
/// 404 outside the scope; 403 for classes beyond it; 409 when it was published, its time is over, an opening is not opened or a
/// paper is not in use; 422 without students, and when a rule cannot be served.
pub(crate) async fn publish(tx: &mut Tx, item: HomeworkItem, scope: &Scope) -> Result<Change> {
    let held = locked(tx, item.id, scope).await?;
    match held.status {
        HomeworkStatus::Draft | HomeworkStatus::Withdrawn => {}
        HomeworkStatus::Published => return Err(Error::conflict("作业已发布")),
        HomeworkStatus::Closed => return Err(Error::conflict("作业已截止，请重新开放")),
    }
    held.as_read(tx, item.version).await?;
    let form = form_of(tx, item.id).await?;
    let now = tx.app().clock().now();
    if form.ends_at <= now {
        return Err(Error::conflict("截止时间已过，请修改截止时间后再发布"));
    }
    let waiting = sqlx::query_scalar!(
        r#"select exists (
               select from homework_target t join course_opening o on o.id = t.opening_id
               where t.homework_id = $1 and o.status <> 'opened') as "waiting!""#,
        item.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if waiting {
        return Err(Error::conflict(format!("“{}”有未开课或已结课的开课，不能发布", held.course_name)));
    }
    let to = missing(tx, item.id).await?;
    if to.is_empty() {
        return Err(Error::field("targets", "所选对象还没有学生，请先同步名单"));
    }
    let mut bytes = [0; 4];
    tx.app().random().fill(&mut bytes);
    let seed = i64::from(u32::from_be_bytes(bytes));
    let snapshots = frozen(tx, &held, &form).await?;
    give(tx, item.id, &form, (seed, &snapshots), &to).await?;
    let by = tx.by();
    sqlx::query!(
        "update homework set status = 'published', published_at = $2, closed_at = null, rule_seed = $3, updated_at = now(),
                updated_by = $4, version = version + 1
         where id = $1",
        item.id,
        now as _,
        seed,
        by
    )
    .execute(&mut **tx)
    .await?;
    tell(tx, &held, &to, &format!("homework_published:{}:{}", item.id, item.version)).await?;
    let what = json!({ "status": HomeworkStatus::Published.as_str(), "students": to.len() });
    Ok(Change::event("homework", item.id, "status", what))
}

/// 批量发布作业
#[derive(Debug, Object)]
pub(super) struct PublishAll {}

impl Step for PublishAll {
    const KIND: &'static str = "homework.publish";
    const TITLE: &'static str = "批量发布作业";
    const DIRECT: usize = 20;
    const AT_ONCE: usize = 1;
    type Permission = PublishHomework;
    type Item = HomeworkItem;
    type List = Homeworks;

    fn item(row: &Homework) -> HomeworkItem {
        HomeworkItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, mut items: Vec<HomeworkItem>, scope: &Scope) -> Result<BulkResult> {
        items.sort_by_key(|item| item.id);
        let mut bulk = Bulk::named(tx, "homework", "title");
        for item in items {
            let outcome = publish(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        bulk.commit().await
    }
}
