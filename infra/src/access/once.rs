//! Writing calls of the clients that may come twice: a telephone that lost the answer sends the same again (02 §13). Visitors
//! without a session may too; whoever takes their calls says whose numbers they are.

use std::ops::{Deref, DerefMut};

use aws_lc_rs::digest;
use poem_openapi::types::{ParseFromJSON, ToJSON, Type};
use serde_json::Value;
use sqlx::{PgConnection, Row};

use super::{Client, Clients, MayWrite, Mode};
use crate::{
    audit::Change,
    error::{Error, Result},
    reply::{Reply, reply},
    tx::Tx,
};

/// A writing transaction of a call with a number of its own; it ends with the answer, which a repetition is given again.
pub struct Once {
    tx: Tx,
    sent: Sent,
}

/// Who sent what.
struct Sent {
    person_kind: String,
    person_id: i64,
    request_id: String,
    operation: String,
    body_hash: Vec<u8>,
}

impl Deref for Once {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        &self.tx
    }
}

impl DerefMut for Once {
    fn deref_mut(&mut self) -> &mut Tx {
        &mut self.tx
    }
}

impl Once {
    /// Of a visitor's transaction: `whose` says among whose numbers the call's own is one, and must tell visitors apart.
    ///
    /// # Errors
    /// [`Error::replayed`] when the same was sent before, 409 when the number was used for something else.
    pub async fn of_visitor(
        tx: Tx,
        (kind, whose): (&str, i64),
        request_id: String,
        operation: &'static str,
        body: &(impl ToJSON + Sync),
    ) -> Result<Self> {
        let sent = Sent {
            person_kind: kind.to_owned(),
            person_id: whose,
            request_id,
            operation: operation.to_owned(),
            body_hash: hash_of(body),
        };
        Self::begun(tx, sent).await
    }

    async fn begun(mut tx: Tx, sent: Sent) -> Result<Self> {
        // The same call beside this one waits here until the first has ended, before either does any work.
        sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, $2))")
            .bind(format!("{} {}", sent.person_kind, sent.request_id))
            .bind(sent.person_id)
            .execute(&mut *tx)
            .await?;
        sent.answered(&mut tx).await?;
        Ok(Self { tx, sent })
    }

    /// Ends a call that was refused, with what counts all the same; sent again, it is looked at again.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn commit_untracked(self, because: &'static str) -> Result<()> {
        self.tx.commit_untracked(because).await
    }

    /// Writes the record of the change and keeps the answer, and commits both.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn commit<T>(mut self, change: Change, answer: T) -> Result<Reply<T>>
    where
        T: Type + ParseFromJSON + ToJSON + Send + Sync,
    {
        // What is replaced is older than a day: a younger one would have been answered before the work.
        sqlx::query(
            "insert into client_request (person_kind, person_id, request_id, operation, body_hash, answer)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (person_kind, person_id, request_id) do update
             set operation = excluded.operation, body_hash = excluded.body_hash, answer = excluded.answer,
                 created_at = excluded.created_at",
        )
        .bind(&self.sent.person_kind)
        .bind(self.sent.person_id)
        .bind(&self.sent.request_id)
        .bind(&self.sent.operation)
        .bind(&self.sent.body_hash)
        .bind(answer.to_json())
        .execute(&mut *self.tx)
        .await?;
        self.tx.commit(change).await?;
        Ok(reply(answer))
    }
}

impl<K: Clients, M: Mode + MayWrite> Client<K, M> {
    /// A writing transaction in the person's school, for what is done once within 24 hours however often it is sent.
    ///
    /// # Errors
    /// [`Error::answered`] when the person sent the same before, 409 when the number was used for something else.
    pub async fn begin_once(&self, request_id: &str, body: &(impl ToJSON + Sync)) -> Result<Once> {
        let tx = self.begin().await?;
        let sent = Sent {
            person_kind: self.session.kind.clone(),
            person_id: self.session.person_id,
            request_id: request_id.to_owned(),
            operation: self.operation.clone(),
            body_hash: hash_of(body),
        };
        Once::begun(tx, sent).await
    }
}

fn hash_of(body: &impl ToJSON) -> Vec<u8> {
    let body = body.to_json().unwrap_or(Value::Null).to_string();
    digest::digest(&digest::SHA256, body.as_bytes()).as_ref().to_vec()
}

impl Sent {
    /// Looks for the number; the person's own of more than a day ago go, so that none heap up.
    async fn answered(&self, connection: &mut PgConnection) -> Result<()> {
        sqlx::query(
            "delete from client_request where person_kind = $1 and person_id = $2 and request_id in (
                 select request_id from client_request
                 where person_kind = $1 and person_id = $2 and created_at <= now() - interval '24 hours'
                 for update skip locked)",
        )
        .bind(&self.person_kind)
        .bind(self.person_id)
        .execute(&mut *connection)
        .await?;
        let known = sqlx::query(
            "select operation, body_hash, answer from client_request
             where person_kind = $1 and person_id = $2 and request_id = $3 and created_at > now() - interval '24 hours'",
        )
        .bind(&self.person_kind)
        .bind(self.person_id)
        .bind(&self.request_id)
        .fetch_optional(connection)
        .await?;
        let Some(row) = known else { return Ok(()) };
        let (operation, body_hash, answer): (String, Vec<u8>, Value) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if operation == self.operation && body_hash == self.body_hash {
            Err(Error::answered(answer))
        } else {
            Err(Error::conflict("请求编号已被使用"))
        }
    }
}
