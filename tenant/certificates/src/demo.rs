//! Demonstration data: archives of the batches that ended, some of them sealed; numbers of their graduates and bachelors, most of them
//! handed out, some printed or waiting, one void and given anew.

use certificate_rules::enums::{CertificateKind, CertificateStatus};
use chrono::NaiveDate;
use infra::{Change, Result, Tx};
use serde_json::json;

use crate::{
    archive,
    numbers::{Codes, give, wanted},
    offered::{open_archives, void},
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
            "select student_id, decision from graduation_user
             where batch_id = $1 and status = 'confirmed' and decision <> 'delay' order by student_id",
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
        again(tx, batch, &codes).await?;
        // Of six one waits for its print, and one in the office.
        let issued = sqlx::query_scalar!(
            "update certificate c set status = 'issued', print_count = 1, printed_at = now(), told_at = now(), receiver = c.holder ->> 'name',
                    receiver_relation = '本人', issued_on = $2, version = c.version + 1
             where c.batch_id = $1 and c.status = 'allocated' and c.seq_no % 3 <> 0 returning c.id",
            batch,
            today
        )
        .fetch_all(&mut **tx)
        .await?;
        sqlx::query!(
            "update certificate set status = 'printed', print_count = 1, printed_at = now(), told_at = now()
             where batch_id = $1 and status = 'allocated' and seq_no % 6 = 3",
            batch
        )
        .execute(&mut **tx)
        .await?;
        let changes: Vec<Change> = issued
            .into_iter()
            .map(|id| Change::event("certificate", id, "issue", json!({ "receiverRelation": "本人" })))
            .collect();
        tx.record(&changes).await?;
        archive::demo::fill(tx, batch, school).await?;
    }
    Ok(())
}

/// A number that was given in error, and the one behind it; degrees of those who had them awarded.
async fn again(tx: &mut Tx, batch: i64, codes: &Codes) -> Result<()> {
    let wrong = sqlx::query!(
        "select id, student_id from certificate
         where batch_id = $1 and kind = 'graduation' and status = 'allocated' order by id limit 1",
        batch
    )
    .fetch_optional(&mut **tx)
    .await?;
    let mut who = Vec::new();
    if let Some(wrong) = wrong {
        let change = void(tx, wrong.id, CertificateStatus::Allocated, "姓名更正后重新编号").await?;
        tx.record(&[change]).await?;
        who.push((wrong.student_id, batch, CertificateKind::Graduation));
    }
    let bachelors = sqlx::query_scalar!(
        "select student_id from degree_application where batch_id = $1 and status = 'awarded' order by student_id",
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    who.extend(bachelors.into_iter().map(|student| (student, batch, CertificateKind::Degree)));
    let wanted = wanted(tx, &who).await?;
    let given = give(tx, &wanted, codes).await?;
    tx.record(&given).await
}
