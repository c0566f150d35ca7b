//! Initial passwords on their way to the people: hashed beside each other, sealed until their importer fetches them once.

use std::thread::available_parallelism;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use chrono::Duration;
use futures_util::{StreamExt, TryStreamExt, stream};
use infra::{
    App, Change, Error, Result, Tx,
    access::Caller,
    clock::Moment,
    jobs::JobRun,
    sheet::{Cell, Column},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::password;

/// A sheet of initial passwords waits so long for its importer.
const HOURS: i64 = 24;
/// What the sealing key is derived for; another text is another key.
const PURPOSE: &[u8] = b"sheets of initial passwords";

/// An account and the password it begins with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Initial {
    pub(super) login_name: String,
    pub(super) real_name: String,
    pub(super) password: String,
}

pub(super) const COLUMNS: &[Column<Initial>] = &[
    Column { heading: "账号", width: 20, cell: |initial| Cell::Text(initial.login_name.clone()) },
    Column { heading: "姓名", width: 14, cell: |initial| Cell::Text(initial.real_name.clone()) },
    Column { heading: "初始密码", width: 20, cell: |initial| Cell::Text(initial.password.clone()) },
];

/// The hashes in the order of the passwords, as many at a time as there are processors, off the async threads. The job's
/// progress is told meanwhile.
///
/// # Errors
/// 409 when somebody cancelled the job.
pub(super) async fn hash_all(app: &App, passwords: Vec<String>, run: Option<&JobRun>) -> Result<Vec<String>> {
    const TELL_EVERY: usize = 500;
    let at_once = available_parallelism().map_or(2, usize::from);
    let total = i64::try_from(passwords.len()).unwrap_or(i64::MAX);
    let mut hashes = Vec::with_capacity(passwords.len());
    let hashing = passwords.into_iter().map(|plain| {
        let app = app.clone();
        async move { password::hash(&app, &plain).await }
    });
    let mut running = stream::iter(hashing).buffered(at_once);
    while let Some(hash) = running.try_next().await? {
        hashes.push(hash);
        if let Some(run) = run
            && hashes.len() % TELL_EVERY == 0
        {
            run.progress("加密初始密码", i64::try_from(hashes.len()).unwrap_or(i64::MAX), total).await?;
        }
    }
    Ok(hashes)
}

fn key(app: &App) -> Result<LessSafeKey> {
    let bytes = app.keys().sign(PURPOSE);
    UnboundKey::new(&AES_256_GCM, &bytes).map(LessSafeKey::new).map_err(Error::internal)
}

fn seal(app: &App, initials: &[Initial]) -> Result<Vec<u8>> {
    let nonce: [u8; NONCE_LEN] = app.random().bytes();
    let mut sealed = serde_json::to_vec(initials).map_err(Error::internal)?;
    key(app)?
        .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)
        .map_err(Error::internal)?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn open(app: &App, sealed: &[u8]) -> Result<Vec<Initial>> {
    let (nonce, body) = sealed.split_at_checked(NONCE_LEN).ok_or_else(|| Error::internal("a sheet without nonce"))?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(Error::internal)?;
    let mut body = body.to_vec();
    let plain = key(app)?.open_in_place(nonce, Aad::empty(), &mut body).map_err(Error::internal)?;
    serde_json::from_slice(plain).map_err(Error::internal)
}

/// Keeps the passwords of one import for its importer; answers the sheet's number.
pub(super) async fn keep(tx: &mut Tx, job_id: Option<i64>, initials: &[Initial], now: Moment) -> Result<i64> {
    let (sealed, by) = (seal(tx.app(), initials)?, tx.by());
    // What nobody fetched in time is gone for good.
    sqlx::query!(
        "update platform.initial_password_sheet set sealed = null where sealed is not null and expires_at <= $1",
        now
    )
    .execute(&mut **tx)
    .await?;
    let id = sqlx::query_scalar!(
        "insert into platform.initial_password_sheet (job_id, sealed, account_count, expires_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        job_id,
        sealed,
        i32::try_from(initials.len()).unwrap_or(i32::MAX),
        (now + Duration::hours(HOURS)),
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// Gives the passwords of an import to its importer, once.
///
/// # Errors
/// 404 for anybody else, 409 the second time and after a day.
pub(super) async fn fetch(mut tx: Tx, caller: &Caller, id: Option<i64>, job_id: Option<i64>) -> Result<Vec<Initial>> {
    let now = caller.app().clock().now();
    let sheet = sqlx::query!(
        "select id, sealed, expires_at from platform.initial_password_sheet
         where created_by = $1 and ($2::bigint is null or id = $2) and ($3::bigint is null or job_id = $3) for update",
        caller.user_id(),
        id,
        job_id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let Some(sealed) = sheet.sealed.filter(|_| sheet.expires_at > now) else {
        return Err(Error::conflict("初始密码表只能在导入后24小时内下载一次，请改用重置密码"));
    };
    sqlx::query!(
        "update platform.initial_password_sheet set sealed = null, fetched_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        sheet.id,
        now,
        caller.user_id()
    )
    .execute(&mut *tx)
    .await?;
    let initials = open(caller.app(), &sealed)?;
    let what = json!({ "accounts": initials.len() });
    tx.commit(Change::event("initial_password_sheet", sheet.id, "fetch", what)).await?;
    Ok(initials)
}
