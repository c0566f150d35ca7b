//! Demonstration data: archives of the batches that ended, some of them sealed; numbers of their graduates, most of them handed out.

use certificate_rules::enums::CertificateKind;
use chrono::NaiveDate;
use infra::{Change, Result, Tx};
use serde_json::json;

use crate::{
    archive,
    numbers::{Codes, give, wanted},
    offered::open_archives,
};

/// The national code of the school that is shown.
const CODE: &str = "10999";

/// Fills a school with certificates and archives of the batches whose audits are over.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate, school: (i64, &str)) -> Result<()> {
    let batches = sqlx::query_scalar!(
        "select id from graduation_batch where status in ('confirmed', 'registered', 'archived') order by id"
    )
    .fetch_all(&mut **tx)
    .await?;
    let codes = Codes { national: CODE.to_owned(), unit: CODE.to_owned() };
    for batch in batches {
        let rows = sqlx::query!(
            "select student_id, decision from graduation_user where batch_id = $1 and status = 'confirmed' order by student_id",
            batch
        )
        .fetch_all(&mut **tx)
        .await?;
        let students: Vec<i64> = rows.iter().map(|row| row.student_id).collect();
        let opened = open_archives(tx, batch, &students).await?;
        tx.record(&opened).await?;
        let who: Vec<_> = rows
            .iter()
            .filter_map(|row| match row.decision.as_str() {
                "graduate" => Some((row.student_id, batch, CertificateKind::Graduation)),
                "complete" => Some((row.student_id, batch, CertificateKind::Completion)),
                _ => None,
            })
            .collect();
        let wanted = wanted(tx, &who).await?;
        let given = give(tx, &wanted, &codes).await?;
        tx.record(&given).await?;
        // Every sixth waits in the office.
        let issued = sqlx::query_scalar!(
            "update certificate c set status = 'issued', print_count = 1, printed_at = now(), receiver = c.holder ->> 'name',
                    receiver_relation = '本人', issued_on = $2, version = c.version + 1
             where c.batch_id = $1 and c.seq_no % 6 <> 0 returning c.id",
            batch,
            today
        )
        .fetch_all(&mut **tx)
        .await?;
        let changes: Vec<Change> = issued
            .into_iter()
            .map(|id| Change::event("certificate", id, "issue", json!({ "receiverRelation": "本人" })))
            .collect();
        tx.record(&changes).await?;
        archive::demo::fill(tx, batch, school, today).await?;
    }
    Ok(())
}
