//! 当前学期: which semester is now, and in which week of it we are.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, across::Keyed, options::ListOptions, permissions,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{Semester, SemesterFilter, Semesters};

permissions! {
    pages "/schoolPC/basicData/term", "/platformPC/basicData/term";
    EachSchool Writes SetCurrentSemester = "adult:pc:semester:setCurrent" "设为当前学期";
}

/// The current semester with the week of today.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct CurrentSemester {
    #[oai(flatten)]
    semester: Semester,
    /// 当前周次
    week_no: Option<i64>,
}

/// Which semester.
#[derive(Debug, Object)]
#[oai(example)]
struct SemesterChoice {
    /// 编号
    id: i64,
}

impl Example for SemesterChoice {
    fn example() -> Self {
        Self { id: 1 }
    }
}

pub struct Current;

#[OpenApi(prefix_path = "/adult/pc/semester", tag = "crate::Tag::Calendar")]
impl Current {
    /// 当前学期
    #[oai(path = "/current", method = "get", operation_id = "viewCurrentSemester")]
    async fn view(&self, caller: Allowed<ListOptions>) -> Result<Reply<Option<CurrentSemester>>> {
        let mut tx = caller.read().await?;
        let only_current = SemesterFilter { current: Some(true), ..SemesterFilter::default() };
        let found = Semesters::all(&mut tx, &only_current, &caller.scope()).await?.try_next().await?;
        let today = caller.app().clock().today();
        Ok(reply(found.map(|semester| CurrentSemester {
            week_no: term::week_no(semester.starts_on, semester.ends_on, today),
            semester,
        })))
    }

    /// 设为当前学期
    #[oai(path = "/setCurrent", method = "put", operation_id = "setCurrentSemester")]
    async fn set(
        &self,
        caller: Allowed<SetCurrentSemester>,
        Body(choice): Body<SemesterChoice>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        // All rows: of two people who choose at once the second waits, and then moves what the first has set.
        sqlx::query!("select id from semester order by id for update").fetch_all(&mut *tx).await?;
        let wanted = Semesters::find(&mut tx, choice.id, &Scope::whole_school()).await?;
        if wanted.closed {
            return Err(Error::conflict(format!("学期“{}”已关闭，不能设为当前学期", wanted.name)));
        }
        let changes = make_current(&mut tx, &wanted).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: choice.id }))
    }
}

/// Clears the old one in one statement and marks the new one in the next: the unique index is checked row by row.
async fn make_current(tx: &mut Tx, wanted: &Semester) -> Result<Vec<Change>> {
    let by = tx.by();
    let left = sqlx::query_scalar!(
        "update semester set current = false, updated_at = now(), updated_by = $2, version = version + 1
         where current and id <> $1 returning id",
        wanted.id,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update semester set current = true, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1 and not current",
        wanted.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let left = left.into_iter().map(|id| Change::status("semester", id, "current", true, false));
    Ok(left.chain([Change::status("semester", wanted.id, "current", wanted.current, true)]).collect())
}
