//! Which schools took a national major: asked of every school, because each keeps its own.

use std::collections::HashMap;

use infra::{Allowed, Result, access::Permission, jobs::JobRun};
use major_rules::national_major::Users;
use sqlx::PgConnection;

/// Who uses these majors; those that nobody uses are absent.
///
/// # Errors
/// 409 while a school cannot be asked.
pub(super) async fn users<P: Permission>(caller: &Allowed<P>, ids: &[i64]) -> Result<HashMap<i64, Users>> {
    let mut found: HashMap<i64, Users> = HashMap::new();
    for school in caller.every_school().await? {
        add_school(&mut *caller.ask(&school).await?, ids, &mut found).await?;
    }
    Ok(found)
}

/// Why these majors have to stay, by major; asked of every school as [`users`] is.
///
/// # Errors
/// 409 while a school cannot be asked, or when the job's starter may not act for all of them.
pub(super) async fn held(run: &JobRun, ids: &[i64]) -> Result<HashMap<i64, String>> {
    let mut found: HashMap<i64, Users> = HashMap::new();
    for school in run.every_school().await? {
        add_school(&mut *run.ask(&school).await?, ids, &mut found).await?;
    }
    let told = found.into_iter().filter_map(|(id, users)| Some((id, users.none_or("").err()?.msg.into_owned())));
    Ok(told.collect())
}

async fn add_school(connection: &mut PgConnection, ids: &[i64], found: &mut HashMap<i64, Users>) -> Result<()> {
    let here = sqlx::query!(
        r#"select national_major_id, count(*) as "majors!" from major where national_major_id = any($1) group by 1"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    for row in here {
        let users = found.entry(row.national_major_id).or_default();
        users.schools += 1;
        users.majors += row.majors;
    }
    Ok(())
}
