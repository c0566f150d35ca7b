//! 到期: each night what has run out is marked, and whose coupon ends within three days is told once (01 §6.4, §12).

use chrono::TimeDelta;
use infra::{
    Change, Result,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scenes::{Person, PersonKind, Persons, notify, template::Values};

pub(super) const KIND: JobKind =
    JobKind { kind: "coupon.expiry", code: None, run: |run| Box::pin(work(run)), headings: None };
pub(super) const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "优惠券到期", when: When::Daily { hour: 1, minute: 10 } };

/// The scene of the warning: which coupon, and until when.
const SCENE: &str = "coupon_expiring";
/// Days before the end.
const WARNED_DAYS: i64 = 3;
/// Rows of one transaction.
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let expired = expire(&run).await?;
    let warned = warn(&run).await?;
    Ok(Outcome { message: format!("到期{expired}张，提醒{warned}张"), ..Outcome::default() })
}

async fn expire(run: &JobRun) -> Result<usize> {
    let now = run.app().clock().now();
    let mut all = 0;
    loop {
        let mut tx = run.begin_in_platform().await?;
        let ended = sqlx::query_scalar!(
            "update platform.coupon_user set status = 'expired', updated_at = now(), updated_by = 0, version = version + 1
             where id in (select id from platform.coupon_user where status = 'unused' and valid_to <= $1
                          order by valid_to limit $2 for update skip locked)
             returning id",
            now,
            AT_ONCE
        )
        .fetch_all(&mut *tx)
        .await?;
        if ended.is_empty() {
            return Ok(all);
        }
        all += ended.len();
        let changes = ended.into_iter().map(|id| Change::status("coupon_user", id, "status", "unused", "expired"));
        tx.commit_all(changes.collect()).await?;
    }
}

/// The key of the event names the coupon, so nobody is told twice.
async fn warn(run: &JobRun) -> Result<usize> {
    let now = run.app().clock().now();
    let soon = now + TimeDelta::days(WARNED_DAYS);
    let (mut all, mut after) = (0, 0);
    loop {
        let mut tx = run.begin_in_platform().await?;
        let ending = sqlx::query!(
            "select u.id, u.learner_id, u.valid_to, k.coupon_name
             from platform.coupon_user u join platform.coupon k on k.id = u.coupon_id
             where u.status = 'unused' and u.valid_to > $1 and u.valid_to <= $2 and u.id > $3
               and u.valid_from < u.valid_to - interval '3 days'
             order by u.id limit $4",
            now,
            soon,
            after,
            AT_ONCE
        )
        .fetch_all(&mut *tx)
        .await?;
        let Some(last) = ending.last() else { return Ok(all) };
        (all, after) = (all + ending.len(), last.id);
        for row in &ending {
            let persons = Persons::Recipients(vec![Person { kind: PersonKind::Learner, id: row.learner_id }]);
            let values = Values::from([
                ("coupon".to_owned(), row.coupon_name.clone()),
                ("endsOn".to_owned(), row.valid_to.date_naive().to_string()),
            ]);
            notify(&mut tx, SCENE, persons, values, Some(&format!("{SCENE}:{}", row.id))).await?;
        }
        tx.commit_untracked("events of the outbox").await?;
    }
}
