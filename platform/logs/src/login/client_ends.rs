//! How sessions of the clients ended (05 E1): the log has their beginnings, the schools their rows.

use std::collections::{BTreeMap, HashMap};

use infra::{Allowed, Result, access::Permission, clock::Moment};
use uuid::Uuid;

use super::{LoginLog, why_ended};

/// Adds how sessions of the clients ended: their rows stand in the schools, each of which is asked once. One that cannot be
/// asked tells nothing.
pub(super) async fn tell<P: Permission>(caller: &Allowed<P>, page: &mut [LoginLog], now: Moment) -> Result<()> {
    let mut asked: BTreeMap<i64, Vec<Uuid>> = BTreeMap::new();
    for (school, session) in page.iter().filter_map(|log| log.client_session) {
        asked.entry(school).or_default().push(session);
    }
    let mut ends = HashMap::new();
    for (school, sessions) in asked {
        let Some(school) = caller.app().school(school).await? else { continue };
        let mut tx = match caller.read_in(&school).await {
            Ok(tx) => tx,
            Err(error) if matches!(error.code, 403 | 404 | 409) => continue,
            Err(error) => return Err(error),
        };
        let ended = sqlx::query!(
            r#"select jti, issued_at, coalesce(revoked_at, expires_at) as "over_at!", coalesce(revoke_reason, 'expired') as "reason!"
               from client_session where jti = any($1) and (revoked_at is not null or expires_at <= $2)"#,
            &sessions,
            now
        );
        ends.extend(ended.fetch_all(&mut *tx).await?.into_iter().map(|row| (row.jti, row)));
    }
    for log in page {
        let Some(end) = log.client_session.and_then(|(_, session)| ends.get(&session)) else { continue };
        log.ended_at = Some(end.over_at);
        log.session_minutes = Some((end.over_at - end.issued_at).num_minutes());
        log.end_reason = Some(why_ended(&end.reason).to_owned());
    }
    Ok(())
}
