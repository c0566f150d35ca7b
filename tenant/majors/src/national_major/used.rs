//! Which schools took a national major: asked of every school, because each keeps its own.

use std::collections::HashMap;

use infra::{Allowed, Error, Result, access::Permission, jobs::JobRun};
use sqlx::PgConnection;

/// How many schools offer a major, with how many of theirs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Users {
    schools: i64,
    majors: i64,
}

impl Users {
    /// # Errors
    /// 409 with both numbers when somebody uses the major; `what` says what can then not be done.
    pub(super) fn none_or(self, what: &str) -> Result<()> {
        let Self { schools, majors } = self;
        if majors == 0 {
            return Ok(());
        }
        Err(Error::conflict(format!("已被{schools}所院校的{majors}个专业使用{what}")))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_major_names_its_users() {
        assert!(Users::default().none_or("").is_ok());
        let used = Users { schools: 2, majors: 3 };
        assert_eq!(used.none_or("").expect_err("used").msg, "已被2所院校的3个专业使用");
        assert_eq!(used.none_or("，不能修改代码").expect_err("used").msg, "已被2所院校的3个专业使用，不能修改代码");
    }
}
