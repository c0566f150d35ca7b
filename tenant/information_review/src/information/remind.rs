//! 催办: everybody of a class who has not handed in, or had it back, is told so; a class once in 24 hours (02 §11.4).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use infra::{BulkFailure, BulkResult, Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use student_status::student::check::NOT_YOURS;

use super::{
    list::{InformationFilter, of_list},
    submit::collecting,
};
use crate::enums::InformationKind;

/// Which classes are reminded.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationRemind {
    /// 班级
    #[oai(validator(min_items = 1, max_items = 200))]
    pub class_ids: Vec<i64>,
}

impl Example for InformationRemind {
    fn example() -> Self {
        Self { class_ids: vec![1] }
    }
}

/// A class as it is reminded.
struct Class {
    id: i64,
    name: String,
    grade_id: i64,
    grade_name: String,
}

/// Reminds classes, each for itself, in the order of their numbers; answers how it went, and the records of those that were
/// reminded.
///
/// # Errors
/// Those of the database; what is wrong with a class is told in its row.
pub(crate) async fn remind(
    tx: &mut Tx,
    kind: InformationKind,
    wanted: &[i64],
    scope: &Scope,
) -> Result<(BulkResult, Vec<Change>)> {
    let wanted: BTreeSet<i64> = wanted.iter().copied().collect();
    let (mut changes, mut failed) = (Vec::new(), Vec::new());
    for id in wanted {
        let class = sqlx::query_as!(
            Class,
            "select c.id, c.name, c.grade_id, g.name as grade_name from class c join grade g on g.id = c.grade_id
             where c.id = $1 and ($2::bigint[] is null or c.site_id = any($2) or c.id = any($3::bigint[]))",
            id,
            scope.sites(),
            scope.classes()
        )
        .fetch_optional(&mut **tx)
        .await?;
        let Some(class) = class else {
            failed.push(BulkFailure { id, name: String::new(), msg: NOT_YOURS.to_owned() });
            continue;
        };
        // Nothing is written of a class that is refused, so nothing has to be undone.
        match one(tx, kind, &class, scope).await {
            Ok(change) => changes.push(change),
            Err(error) if error.code == 409 => {
                failed.push(BulkFailure { id, name: class.name, msg: error.msg.into_owned() });
            }
            Err(error) => return Err(error),
        }
    }
    let done = i64::try_from(changes.len()).unwrap_or(i64::MAX);
    Ok((BulkResult { done, failed }, changes))
}

/// # Errors
/// 409 when nothing is collected from the grade now, nobody needs to be reminded, or the class was reminded a short time ago.
async fn one(tx: &mut Tx, kind: InformationKind, class: &Class, scope: &Scope) -> Result<Change> {
    let now = tx.app().clock().now();
    let asked = collecting(tx, kind, class.grade_id).await?.filter(|asked| asked.is_open(now));
    let asked = asked.ok_or_else(|| {
        Error::conflict(format!("年级“{}”的采集未开放，请先在采集设置中开放后再催办", class.grade_name))
    })?;
    let filter = InformationFilter { class_id: Some(class.id), counted: Some(true), ..InformationFilter::default() };
    let wanted = filter.wanted(kind, scope);
    let students = of_list!(query_scalar []
        [r#"select s.id as "id!" from student_information i join student s on s.id = i.student_id "#]
        wanted
        [+ " and i.status in ('not_submitted', 'returned') order by s.id"]);
    let students: Vec<i64> = students.fetch_all(&mut **tx).await?;
    if students.is_empty() {
        return Err(Error::conflict("该班没有需要催办的学生"));
    }
    let reminded = sqlx::query_scalar!(
        "insert into information_reminder as r (kind, class_id, reminded_at) values ($1, $2, $3)
         on conflict (kind, class_id) do update set reminded_at = excluded.reminded_at where r.reminded_at <= $4
         returning class_id",
        kind.as_str(),
        class.id,
        now,
        now - TimeDelta::hours(24)
    )
    .fetch_optional(&mut **tx)
    .await?;
    if reminded.is_none() {
        return Err(Error::conflict("24小时内已催办"));
    }
    let count = students.len();
    let persons = students.into_iter().map(|id| Person { kind: PersonKind::Student, id }).collect();
    // The end is exclusive: the last day on which something can be handed in is told.
    let ends_on = (asked.closes_at - TimeDelta::seconds(1)).date_naive().to_string();
    let values = [("title", kind.zh().to_owned()), ("endsOn", ends_on)];
    let values = values.map(|(name, value)| (name.to_owned(), value)).into();
    notify(tx, "information_remind", Persons::Recipients(persons), values, None).await?;
    Ok(Change::event("class", class.id, "remind", json!({ "information": kind.as_str(), "students": count })))
}
