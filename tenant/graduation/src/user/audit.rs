//! 毕业审核: what each rule says of graduates, part by part; what was decided stays (part 04 §9.2).

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use graduation_rules::{
    decide::{result, suggestion},
    enums::{GraduationBatchKind, GraduationDecision, RulePurpose},
    facts::{BatchFacts, StudentFacts},
    graduation::{Item, audit},
    rules::RuleSet,
};
use infra::{
    Change, Error, Result, Scope, Tx,
    access::Permission,
    jobs::{JobKind, JobRun, Outcome},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::AuditGraduates;
use crate::{
    batch::AuditBatch,
    enums::RuleSeverity,
    load::{self, Plans},
};

/// Audits of some rows, or of a whole batch.
pub const JOB: JobKind =
    JobKind { kind: "graduation.audit", code: Some(AuditBatch::CODE), run: |run| Box::pin(work(run)), headings: None };

/// Graduates of one part.
const AT_ONCE: usize = 500;

/// The graduates of a batch, or those of them, that wait and lie within the scope.
///
/// # Errors
/// Those of the database.
pub(crate) async fn waiting(
    connection: &mut PgConnection,
    batch: Option<i64>,
    ids: Option<&[i64]>,
    scope: &Scope,
) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select g.id from graduation_user g
         join graduation_batch b on b.id = g.batch_id and b.status = 'auditing'
         join student y on y.id = g.student_id
         where ($1::bigint is null or g.batch_id = $1) and ($2::bigint[] is null or g.id = any($2))
           and g.status in ('listed', 'site_checked', 'decided')
           and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
         order by g.id",
        batch,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

async fn work(run: JobRun) -> Result<Outcome> {
    let batch = run.params["batchId"].as_i64();
    let ids: Option<Vec<i64>> = run.params["ids"].as_array().map(|ids| ids.iter().filter_map(Value::as_i64).collect());
    let code = if ids.is_some() { AuditGraduates::CODE } else { AuditBatch::CODE };
    let scope = run.scope(code).await?;
    let mut read = run.read().await?;
    let users = waiting(&mut read, batch, ids.as_deref(), &scope).await?;
    drop(read);
    let total = i64::try_from(users.len()).map_err(Error::internal)?;
    let (mut done, mut passed) = (0, 0);
    for part in users.chunks(AT_ONCE) {
        run.progress("毕业审核", done, total).await?;
        let mut tx = run.begin().await?;
        let (changes, fits) = audit_users(&mut tx, part).await?;
        tx.commit_all(changes).await?;
        done += i64::try_from(part.len()).map_err(Error::internal)?;
        passed += fits;
    }
    Ok(Outcome {
        message: format!("已审核{total}人，符合{passed}人，不符合{}人", total - passed),
        ..Outcome::default()
    })
}

/// Somebody who is examined.
struct Examined {
    id: i64,
    student: i64,
    kind: GraduationBatchKind,
    graduates_on: NaiveDate,
    waived: Vec<String>,
}

/// Examines graduates who wait, and tells how many fit. Holds them by id.
///
/// # Errors
/// Those of the database.
pub(crate) async fn audit_users(tx: &mut Tx, users: &[i64]) -> Result<(Vec<Change>, i64)> {
    let examined = sqlx::query_as!(
        Examined,
        r#"select g.id as "id!", g.student_id as "student!", b.kind as "kind!: _", b.graduates_on as "graduates_on!",
                  coalesce((select array_agg(i.rule_code) from graduation_audit_item i
                            where i.graduation_user_id = g.id and i.waived), '{}') as "waived!"
           from graduation_user g join graduation_batch b on b.id = g.batch_id
           where g.id = any($1) and g.status in ('listed', 'site_checked', 'decided') and b.status = 'auditing'
           order by g.id for update of g"#,
        users
    )
    .fetch_all(&mut **tx)
    .await?;
    // Before the scores are read: what counts anew meanwhile makes the audit out of date.
    let now = tx.app().clock().now();
    let rules = load::rules(tx, RulePurpose::Graduation).await?;
    let students: Vec<i64> = examined.iter().map(|one| one.student).collect();
    let facts = load::students(tx, &students).await?;
    let places: HashSet<(i64, i64)> = facts.iter().map(|fact| (fact.place.grade, fact.place.major)).collect();
    // A student waits in one batch.
    let mut facts: HashMap<i64, StudentFacts> = facts.into_iter().map(|fact| (fact.student, fact)).collect();
    let plans = load::plans(tx, &places).await?;
    let mut judged = Vec::with_capacity(examined.len());
    for one in examined {
        let Some(fact) = facts.remove(&one.student) else { continue };
        judged.push(judge(&rules, &plans, one, fact));
    }
    let passed = judged.iter().filter(|one| one.result == "passed").count();
    write_items(tx, &judged).await?;
    let ids: Vec<i64> = judged.iter().map(|one| one.id).collect();
    let results: Vec<String> = judged.iter().map(|one| one.result.to_owned()).collect();
    let suggestions: Vec<String> = judged.iter().map(|one| one.suggestion.as_str().to_owned()).collect();
    let by = tx.by();
    sqlx::query!(
        "update graduation_user g set audit_result = w.result, suggestion = w.suggestion, audited_at = $4, updated_at = $4,
                updated_by = $5, version = version + 1
         from unnest($1::bigint[], $2::text[], $3::text[]) as w (id, result, suggestion) where g.id = w.id",
        &ids,
        &results,
        &suggestions,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let changes = judged
        .iter()
        .map(|one| {
            let failed: Vec<&str> = one.items.iter().filter(|item| !item.passed).map(|item| item.code).collect();
            Change::event("graduation_user", one.id, "audit", json!({ "result": one.result, "failed": failed }))
        })
        .collect();
    Ok((changes, i64::try_from(passed).map_err(Error::internal)?))
}

/// What the rules came to for somebody.
struct Judged {
    id: i64,
    items: Vec<Item>,
    result: &'static str,
    suggestion: GraduationDecision,
}

fn judge(rules: &RuleSet, plans: &Plans, one: Examined, fact: StudentFacts) -> Judged {
    let batch = BatchFacts { kind: one.kind, graduates_on: one.graduates_on };
    let plan = plans.get(&(fact.place.grade, fact.place.major));
    let fact = load::settled(fact, plan);
    let items = audit(rules, &batch, &fact, plan);
    // A waiver holds for a rule that may be waived.
    let waivable = |code: &String| items.iter().any(|item| item.code == code && item.waivable);
    let waived: HashSet<String> = one.waived.into_iter().filter(waivable).collect();
    let result = result(&items, &waived).as_str();
    let suggestion = suggestion(&items, &waived, &batch, &fact, plan);
    Judged { id: one.id, items, result, suggestion }
}

/// Writes the items of graduates anew; a waiver stays while its rule is still failed.
async fn write_items(tx: &mut Tx, judged: &[Judged]) -> Result<()> {
    let items: Vec<(i64, &Item)> = judged.iter().flat_map(|one| one.items.iter().map(|item| (one.id, item))).collect();
    let users: Vec<i64> = judged.iter().map(|one| one.id).collect();
    let columns = Columns::of(&items);
    let by = tx.by();
    sqlx::query!(
        "delete from graduation_audit_item i
         where i.graduation_user_id = any($1)
           and not exists (select from unnest($2::bigint[], $3::text[]) as w (owner, code)
                           where w.owner = i.graduation_user_id and w.code = i.rule_code)",
        &users,
        &columns.owners,
        &columns.codes
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into graduation_audit_item (graduation_user_id, rule_code, severity, passed, required, actual, explanation, detail,
                                            created_by, updated_by)
         select w.owner, w.code, w.severity, w.passed, w.required, w.actual, w.explanation, w.detail, $9::bigint, $9::bigint
         from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
              as w (owner, code, severity, passed, required, actual, explanation, detail)
         on conflict (graduation_user_id, rule_code) do update
         set severity = excluded.severity, passed = excluded.passed, required = excluded.required, actual = excluded.actual,
             explanation = excluded.explanation, detail = excluded.detail, updated_at = excluded.updated_at,
             updated_by = excluded.updated_by",
        &columns.owners,
        &columns.codes,
        &columns.severities,
        &columns.passed,
        &columns.required,
        &columns.actual,
        &columns.explanations,
        &columns.details,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update graduation_audit_item
         set waived = false, waive_reason = null, waive_file_id = null, waived_by_name = null, waived_at = null
         where graduation_user_id = any($1) and waived and passed",
        &users
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Items, column by column.
pub(crate) struct Columns {
    pub owners: Vec<i64>,
    pub codes: Vec<String>,
    pub severities: Vec<String>,
    pub passed: Vec<bool>,
    pub required: Vec<String>,
    pub actual: Vec<String>,
    pub explanations: Vec<String>,
    pub details: Vec<Value>,
}

impl Columns {
    pub fn of(items: &[(i64, &Item)]) -> Self {
        let texts = |text: fn(&Item) -> String| items.iter().map(|(_, item)| text(item)).collect::<Vec<String>>();
        Self {
            owners: items.iter().map(|(owner, _)| *owner).collect(),
            codes: texts(|item| item.code.to_owned()),
            severities: texts(|item| RuleSeverity::as_str(item.severity).to_owned()),
            passed: items.iter().map(|(_, item)| item.passed).collect(),
            required: texts(|item| item.required.clone()),
            actual: texts(|item| item.actual.clone()),
            explanations: texts(|item| item.explanation.clone()),
            details: items.iter().map(|(_, item)| item.detail.clone()).collect(),
        }
    }
}
