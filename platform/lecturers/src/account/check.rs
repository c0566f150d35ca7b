//! The nightly look whether each account is what its journal says (01 §9.5). What it found stands in its job, where the list of
//! withdrawals reads it: a list that added up the whole journal would be slow.

use infra::{
    Result,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use serde_json::json;
use sqlx::PgConnection;

pub(crate) const JOB: JobKind =
    JobKind { kind: "account.check", code: None, run: |run| Box::pin(work(run)), headings: None };
pub(crate) const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "核对讲师账户", when: When::Daily { hour: 3, minute: 10 } };

/// Total income is what stands free, is kept back and was taken out, and the sum of the journal. Nothing is mended here: how it
/// came to differ is for people to find out.
async fn work(run: JobRun) -> Result<Outcome> {
    let broken = sqlx::query!(
        r#"select a.learner_id as "learner_id!", l.lecturer_name as "lecturer_name?", a.total_income as "total_income!",
                  (a.available + a.frozen + a.withdrawn) as "parts!", coalesce(j.amount, 0)::bigint as "journal!"
           from platform.user_account a
           left join (select learner_id, sum(amount) as amount from platform.account_journal group by learner_id) j
                on j.learner_id = a.learner_id
           left join platform.lecturer l on l.learner_id = a.learner_id
           where a.total_income <> a.available + a.frozen + a.withdrawn or a.total_income <> coalesce(j.amount, 0)
           order by a.learner_id"#
    )
    .fetch_all(&mut *run.read().await?)
    .await?;
    if broken.is_empty() {
        return Ok(Outcome { message: "讲师账户与流水一致".to_owned(), ..Outcome::default() });
    }
    tracing::error!(accounts = broken.len(), "accounts of lecturers are not what their journals say");
    let message = format!("{}个讲师账户与流水不一致", broken.len());
    let errors = broken.into_iter().map(|each| {
        let name = each.lecturer_name.unwrap_or_else(|| format!("学员{}", each.learner_id));
        let msg = format!("总收入{}分，各项合计{}分，流水合计{}分", each.total_income, each.parts, each.journal);
        json!({ "id": each.learner_id, "name": name, "msg": msg })
    });
    Ok(Outcome { message, errors: errors.collect(), ..Outcome::default() })
}

/// How many accounts the last look found broken; none before the first.
pub(crate) async fn broken(connection: &mut PgConnection) -> Result<i64> {
    let found = sqlx::query_scalar!(
        r#"select jsonb_array_length(errors)::bigint as "count!" from platform.job
           where kind = $1 and school_id is null and state = 'done' order by id desc limit 1"#,
        JOB.kind
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.unwrap_or_default())
}
