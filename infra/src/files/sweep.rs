//! The nightly clean-up of files (01 §4.2.4), objects first, rows then, so that what is left after a crash is found again; and of
//! imports that can no longer be undone.

use serde_json::json;
use sqlx::{PgConnection, Row};

use super::{remove_object, usage};
use crate::{
    Change, Error, Result,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
    transfer::undo,
};

pub const SWEEP: JobKind = JobKind { kind: "file.sweep", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule {
        kind: SWEEP.kind, title: "清理过期文件和导入记录", when: When::Daily { hour: 2, minute: 40 }
    };

/// Files that are removed between two looks at the table.
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let schools = sqlx::query_scalar!(
        "select id from platform.school where deleted_at is null and provision_state = 'ready' order by id"
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let mut removed = sweep(&run, None).await?;
    let mut errors = Vec::new();
    for (id, done) in schools.into_iter().zip(0..) {
        run.progress("清理", done, total).await?;
        let swept = match app.school(id).await? {
            Some(school) if school.key().is_ok() => sweep(&run, Some(&school)).await,
            _ => continue,
        };
        match swept {
            Ok(many) => removed += many,
            // One school's store may be out of reach; the others go on, and this one is tried again tomorrow.
            Err(error) => errors.push(json!({ "id": id, "name": "", "msg": error.msg })),
        }
    }
    Ok(Outcome { message: format!("已清理{removed}个文件"), errors, ..Outcome::default() })
}

/// One schema: uploads that were not completed in a day, results whose time is over, what belonged to nobody for a week.
/// What a school's files fill afterwards is written down.
async fn sweep(run: &JobRun, school: Option<&crate::directory::School>) -> Result<usize> {
    let mut removed = 0;
    loop {
        let mut tx = match school {
            Some(school) => run.begin_in(school).await?,
            None => run.begin_in_platform().await?,
        };
        let due = due(&mut tx, run.app().clock().now()).await?;
        if due.is_empty() {
            undo::forget_old(&mut tx).await?;
            if school.is_some() {
                usage::count(&mut tx).await?;
            }
            tx.commit_untracked("the sum of the files, whose own rows are recorded; imports that nobody can undo")
                .await?;
            return Ok(removed);
        }
        for (_, key, upload) in &due {
            remove_object(run.app(), key, upload.as_deref()).await?;
        }
        let ids: Vec<i64> = due.iter().map(|(id, ..)| *id).collect();
        // Unchecked because the table stands in `platform` and in every school; the path decides.
        sqlx::query("delete from file_object where id = any($1)").bind(&ids).execute(&mut *tx).await?;
        let changes = due.iter().map(|(id, key, _)| Change::event("file_object", *id, "delete", json!({ "key": key })));
        tx.commit_all(changes.collect()).await?;
        removed += due.len();
    }
}

/// Pictures are named by their address in records of every kind, so a picture without owner may still be shown.
async fn due(connection: &mut PgConnection, now: crate::clock::Moment) -> Result<Vec<(i64, String, Option<String>)>> {
    let rows = sqlx::query(
        "select id, key, upload_id from file_object
         where expires_at < $1
            or (state = 'stored' and owner_type is null and file_type <> 1 and expires_at is null
                and created_at < $1 - interval '7 days')
         order by id limit $2",
    )
    .bind(now)
    .bind(AT_ONCE)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok::<_, Error>((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))).collect()
}
