//! 领取通知: whoever's certificate is printed is told where to fetch it, once, from the day of the batch on (part 04 §13).

use std::collections::BTreeMap;

use certificate_rules::enums::CertificateKind;
use infra::{
    Change, Part, Result, Tx,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use student_status::nightly::in_each_school;

use crate::settings::COLLECT_PLACE;

const DAILY: JobKind =
    JobKind { kind: "certificates.ready", code: None, run: |run| Box::pin(daily(run)), headings: None };

pub(crate) const PART: Part = Part {
    jobs: &[DAILY],
    schedules: &[Schedule { kind: DAILY.kind, title: "通知领取证书", when: When::Daily { hour: 9, minute: 0 } }],
    ..Part::NONE
};

/// Certificates of one transaction.
const AT_ONCE: usize = 500;

async fn daily(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "通知领取证书", due).await?;
    Ok(Outcome { message: format!("已通知{done}人领取证书"), errors, ..Outcome::default() })
}

async fn due(run: &JobRun, school: &School) -> Result<usize> {
    let today = run.app().clock().today();
    let ids = sqlx::query_scalar!(
        "select c.id from certificate c join graduation_batch b on b.id = c.batch_id
         where c.status = 'printed' and c.told_at is null and (b.collect_from is null or b.collect_from <= $1)
         order by c.id limit 200000",
        today
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in ids.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        sqlx::query_scalar!("select id from certificate where id = any($1) order by id for update", part)
            .fetch_all(&mut *tx)
            .await?;
        let changes = tell(&mut tx, part).await?;
        done += changes.len();
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
    }
    Ok(done)
}

/// Tells the holders of printed certificates that they can be fetched, and where; who was told is not told again, and nobody before
/// the day of their batch. The certificates are held.
///
/// # Errors
/// Those of the database.
pub(super) async fn tell(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    let usual = COLLECT_PLACE.value(tx).await?.as_str().unwrap_or_default().to_owned();
    let (by, now, today) = (tx.by(), tx.app().clock().now(), tx.app().clock().today());
    let rows = sqlx::query!(
        r#"update certificate c set told_at = $2, updated_at = $2, updated_by = $3, version = c.version + 1
           from graduation_batch b, student y, site t
           where c.id = any($1) and c.status = 'printed' and c.told_at is null
             and b.id = c.batch_id and (b.collect_from is null or b.collect_from <= $4)
             and y.id = c.student_id and t.id = y.site_id
           returning c.id as "id!", c.student_id as "student!", c.kind as "kind!: CertificateKind",
                     coalesce(b.collect_place, nullif($5::text, ''),
                              t.name || coalesce('（' || nullif(t.address, '') || '）', '')) as "place!""#,
        ids,
        now as _,
        by,
        today,
        usual
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut places: BTreeMap<(&'static str, String), Vec<Person>> = BTreeMap::new();
    let mut changes = Vec::with_capacity(rows.len());
    for row in rows {
        changes.push(Change::event("certificate", row.id, "notify", json!({ "collectPlace": row.place })));
        let person = Person { kind: PersonKind::Student, id: row.student };
        places.entry((row.kind.zh(), row.place)).or_default().push(person);
    }
    for ((kind, place), people) in places {
        let values = [("place".to_owned(), place), ("lines".to_owned(), format!("请携带身份证领取{kind}"))];
        notify(tx, "certificate_ready", Persons::Recipients(people), values.into(), None).await?;
    }
    Ok(changes)
}
