//! The nightly scrub of every open school's batches that are due and not held. A small transaction takes its rows, their
//! files and its line of the trail together; what is interrupted goes on with the rows that are left.

use infra::{
    App, Change, Result, Tx,
    clock::Moment,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use recruitment_rules::due::ended_before;
use serde_json::json;

use crate::pre_registration::files;

pub const KIND: JobKind = JobKind { kind: "privacy.scrub", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "清理预报名个人信息", when: When::Daily { hour: 4, minute: 40 } };

/// Rows of one transaction.
const AT_ONCE: i64 = 200;

/// How much was taken away.
#[derive(Debug, Default, PartialEq, Eq)]
struct Gone {
    rows: usize,
    files: usize,
}

/// Suspended and archived schools stay as they are, and a school that is being migrated waits for the next night.
async fn work(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let before = ended_before(app.clock().today());
    let schools = sqlx::query!(
        "select id, name from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let (mut gone, mut errors) = (Gone::default(), Vec::new());
    for (row, done) in schools.into_iter().zip(0..) {
        run.progress("清理", done, total).await?;
        let Some(school) = app.school(row.id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        // One school's store may be out of reach; the others go on, and this one is tried again tomorrow.
        if let Err(error) = of_school(&run, &school, before, &mut gone).await {
            errors.push(json!({ "id": row.id, "name": row.name, "msg": error.msg }));
        }
    }
    let Gone { rows, files } = gone;
    let message = format!("已清理{rows}条预报名的个人信息，删除{files}个文件");
    Ok(Outcome { message, errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School, before: Moment, gone: &mut Gone) -> Result<()> {
    let batches = sqlx::query_scalar!(
        "select b.id from pre_registration_batch b
         where b.ends_at < $1 and not b.privacy_hold
           and exists (select from pre_registration p
                       where p.batch_id = b.id and p.exam_status <> 'admitted' and p.scrubbed_at is null
                         and not exists (select from admission a where a.pre_registration_id = p.id and a.deleted_at is null))
         order by b.id",
        before
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    for batch in batches {
        while let Some(part) = some_of(run.begin_in(school).await?, run.app(), batch, before).await? {
            gone.rows += part.rows;
            gone.files += part.files;
        }
    }
    Ok(())
}

/// One small transaction; none when nothing of the batch is left to do.
async fn some_of(mut tx: Tx, app: &App, batch: i64, before: Moment) -> Result<Option<Gone>> {
    // Whoever holds the batch back, or moves its end, waits for these rows and is heard before the next.
    let due = sqlx::query!(
        "select id from pre_registration_batch where id = $1 and ends_at < $2 and not privacy_hold for share",
        batch,
        before
    )
    .fetch_optional(&mut *tx)
    .await?;
    if due.is_none() {
        return Ok(None);
    }
    let ids = sqlx::query_scalar!(
        "select p.id from pre_registration p
         where p.batch_id = $1 and p.exam_status <> 'admitted' and p.scrubbed_at is null
           and not exists (select from admission a where a.pre_registration_id = p.id and a.deleted_at is null)
         order by p.id limit $2 for update",
        batch,
        AT_ONCE
    )
    .fetch_all(&mut *tx)
    .await?;
    if ids.is_empty() {
        return Ok(None);
    }
    let files = files::taken_from(&mut tx, &ids).await?;
    blank(&mut tx, &ids).await?;
    let gone = Gone { rows: ids.len(), files: files::remove_nobodys(&mut tx, app, &files).await? };
    let what = json!({ "rows": gone.rows, "fileCount": gone.files });
    tx.commit(Change::event("pre_registration_batch", batch, "scrub", what)).await?;
    Ok(Some(gone))
}

/// Takes away what tells who somebody is. Batch, level, major, site, gender, former education, status and times stay: they
/// are what is counted.
async fn blank(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update pre_registration
         set name = '*', name_grams = '{}', pinyin = '', initials = '', id_card_no = '*', phone = '*',
             address = case when address is not null then '*' end, postal_code = null, email = null, birthday = null,
             hukou_place = null, work_unit = null, occupation = null, referrer = null, pre_edu_certificate_no = null,
             provincial_reg_no = null, examinee_no = null, photo_id = null, extra = '{}', audit_remark = null,
             query_code_hash = null, visitor_key = null,
             scrubbed_at = now(), updated_at = now(), updated_by = $2, version = version + 1
         where id = any($1)",
        ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    tx.forget_imported("pre_registration", ids).await
}
