//! What was told to people of whom nothing is to be left (02 §8): their deliveries, the messages that were theirs alone,
//! and the events behind them.

use futures_util::future::BoxFuture;
use infra::{Part, Result, Tx};
use scenes::{PersonKind, outbox};

pub const PART: Part = Part { leaving: Some(leaving), ..Part::NONE };

/// Whoever goes out of the register of their kind was told nothing. A look at all events is taken only for who was told something.
fn leaving<'a>(tx: &'a mut Tx, table: &'static str, id: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let Some(kind) = PersonKind::ALL.into_iter().find(|kind| kind.as_str() == table) else { return Ok(()) };
        let told = sqlx::query_scalar!(
            r#"select exists (select from msg_delivery where recipient_type = $1 and recipient_id = $2) as "told!""#,
            kind.as_str(),
            id
        )
        .fetch_one(&mut **tx)
        .await?;
        if told { forget(tx, kind, &[id]).await } else { Ok(()) }
    })
}

/// Takes away what these persons were told and to whom it went; counters of messages to many stay.
pub async fn forget(tx: &mut Tx, kind: PersonKind, ids: &[i64]) -> Result<()> {
    let gone = sqlx::query!(
        "delete from msg_delivery where recipient_type = $1 and recipient_id = any($2) returning id, msg_id",
        kind.as_str(),
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let (deliveries, messages): (Vec<i64>, Vec<i64>) = gone.into_iter().map(|row| (row.id, row.msg_id)).unzip();
    if !deliveries.is_empty() {
        sqlx::query!("delete from msg_recorded where delivery_id = any($1)", &deliveries).execute(&mut **tx).await?;
        sqlx::query!(
            "delete from msg m
             where m.id = any($1) and m.audience = 'scene'
               and not exists (select from msg_delivery d where d.msg_id = m.id)",
            &messages
        )
        .execute(&mut **tx)
        .await?;
    }
    outbox::forget(tx, kind, ids).await
}
