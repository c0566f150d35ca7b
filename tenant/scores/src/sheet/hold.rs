//! Sheets as their steps know them, held in one order: openings, selections, batches, sheets, scores, rows; each by id.

use std::collections::BTreeMap;

use infra::{
    Allowed, Error, Result, Scope, Tx,
    access::{Caller, Permission},
    clock::Moment,
};
use scores_rules::{
    enums::{SheetRound, SheetStatus},
    sheet::may_enter,
};
use sqlx::PgConnection;

/// Somebody who enters, submits or reviews.
#[derive(Debug, Clone)]
pub(crate) struct Who {
    pub account: Option<i64>,
    /// The teacher that they are; none of an account that is bound to none.
    pub teacher: Option<i64>,
    pub name: String,
}

impl Who {
    /// The account that calls, and the teacher whom its binding names.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn of_account<P: Permission>(caller: &Allowed<P>) -> Result<Self> {
        let teacher = teacher_of(caller, &mut *caller.platform().await?).await?;
        Ok(Self { account: Some(caller.user_id()), teacher, name: caller.session.real_name.clone() })
    }

    pub fn of_teacher(id: i64, name: &str) -> Self {
        Self { account: None, teacher: Some(id), name: name.to_owned() }
    }

    /// The server itself.
    pub fn system() -> Self {
        Self { account: Some(0), teacher: None, name: "系统".to_owned() }
    }

    /// How a sheet knows who submitted it.
    pub fn key(&self) -> (&'static str, i64) {
        match (self.account, self.teacher) {
            (None, Some(teacher)) => ("teacher", teacher),
            (account, _) => ("account", account.unwrap_or_default()),
        }
    }

    /// Whether they submitted it, in whichever of their capacities.
    pub fn is(&self, kind: Option<&str>, id: Option<i64>) -> bool {
        match kind {
            Some("teacher") => self.teacher.is_some() && self.teacher == id,
            Some(_) => self.account.is_some() && self.account == id,
            None => false,
        }
    }
}

async fn teacher_of(caller: &Caller, platform: &mut PgConnection) -> Result<Option<i64>> {
    let found = sqlx::query_scalar!(
        "select teacher_id from platform.sys_user_school where user_id = $1 and school_id = $2 and enabled",
        caller.user_id(),
        caller.school_id()
    )
    .fetch_optional(platform)
    .await?;
    Ok(found.flatten())
}

/// Which sheets somebody reaches.
#[derive(Debug, Clone)]
pub(crate) enum Reach {
    /// Those of the classes of a scope.
    Scope(Scope),
    /// Those that were given to a teacher.
    Teacher(i64),
}

impl Reach {
    pub fn sees(&self, sheet: &HeldSheet) -> bool {
        match self {
            Self::Scope(scope) => scope.sees(sheet.site_id, sheet.class_id),
            Self::Teacher(teacher) => sheet.teacher_id == Some(*teacher),
        }
    }
}

/// A sheet that is held.
#[derive(Debug, Clone)]
pub(crate) struct HeldSheet {
    pub id: i64,
    pub sheet_no: String,
    pub batch_active: bool,
    pub course_name: String,
    pub class_id: Option<i64>,
    /// Of the class.
    pub site_id: Option<i64>,
    pub round: SheetRound,
    pub teacher_id: Option<i64>,
    pub status: SheetStatus,
    pub review_levels: i32,
    pub window: Option<(Moment, Moment)>,
    pub entry_open_until: Option<Moment>,
    pub submitted_by: Option<i64>,
    pub submitted_by_kind: Option<String>,
    pub first_reviewed_by: Option<i64>,
    pub published_at: Option<Moment>,
    pub entered_count: i32,
    pub version: i32,
}

impl HeldSheet {
    /// # Errors
    /// 409 in a batch that does not go on, and outside the time.
    pub fn in_time(&self, now: Moment) -> Result<()> {
        if !self.batch_active {
            return Err(Error::conflict("考试批次未启用或已结束，不能录入成绩"));
        }
        may_enter(self.window, self.entry_open_until, now).map_err(Error::conflict)
    }
}

/// Sheets by their ids, held behind their batches.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, ids: &[i64]) -> Result<BTreeMap<i64, HeldSheet>> {
    sqlx::query_scalar!(
        "select id from test_batch where id in (select batch_id from score_sheet where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from score_sheet where id = any($1) order by id for update", ids)
        .fetch_all(&mut **tx)
        .await?;
    // Read after they are held, so that what others did until then is seen.
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.sheet_no as "sheet_no!", b.status = 'active' as "batch_active!", u.name as "course_name!",
                  s.class_id, k.site_id as "site_id?", s.round as "round!: SheetRound",
                  s.teacher_id, s.status as "status!: SheetStatus", b.review_levels as "review_levels!",
                  b.score_entry_starts_at as "entry_from?: Moment", b.score_entry_ends_at as "entry_to?: Moment",
                  s.entry_open_until as "entry_open_until?: Moment", s.submitted_by, s.submitted_by_kind,
                  s.first_reviewed_by, s.published_at as "published_at?: Moment", s.entered_count as "entered_count!",
                  s.version as "version!"
           from score_sheet s
           join test_batch b on b.id = s.batch_id
           join course u on u.id = s.course_id
           left join class k on k.id = s.class_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let sheets = rows.into_iter().map(|row| {
        let sheet = HeldSheet {
            id: row.id,
            sheet_no: row.sheet_no,
            batch_active: row.batch_active,
            course_name: row.course_name,
            class_id: row.class_id,
            site_id: row.site_id,
            round: row.round,
            teacher_id: row.teacher_id,
            status: row.status,
            review_levels: row.review_levels,
            window: row.entry_from.zip(row.entry_to),
            entry_open_until: row.entry_open_until,
            submitted_by: row.submitted_by,
            submitted_by_kind: row.submitted_by_kind,
            first_reviewed_by: row.first_reviewed_by,
            published_at: row.published_at,
            entered_count: row.entered_count,
            version: row.version,
        };
        (row.id, sheet)
    });
    Ok(sheets.collect())
}

/// The same behind the openings and selections of their rows, for steps that end selections or must not pass a dropping.
///
/// # Errors
/// As [`hold`].
pub(crate) async fn hold_with_selections(tx: &mut Tx, ids: &[i64]) -> Result<BTreeMap<i64, HeldSheet>> {
    let of = sqlx::query!(
        "select c.id, c.opening_id from score_sheet_row r
         join course_score s on s.id = r.course_score_id
         join course_selection c on c.id = s.selection_id
         where r.sheet_id = any($1)",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let openings: Vec<i64> = of.iter().map(|row| row.opening_id).collect();
    let selections: Vec<i64> = of.iter().map(|row| row.id).collect();
    hold_selections(tx, &openings, &selections).await?;
    hold(tx, ids).await
}

/// Holds openings, then selections.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub(crate) async fn hold_selections(tx: &mut Tx, openings: &[i64], selections: &[i64]) -> Result<()> {
    let mut openings = openings.to_vec();
    openings.sort_unstable();
    openings.dedup();
    course_selection::opening::hold(tx, &openings).await?;
    sqlx::query_scalar!("select id from course_selection where id = any($1) order by id for update", selections)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// Holds scores.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub(crate) async fn hold_scores(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!("select id from course_score where id = any($1) order by id for update", ids)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// The scores on these sheets that count there.
///
/// # Errors
/// Those of the database.
pub(crate) async fn scores_of(connection: &mut PgConnection, sheets: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select course_score_id from score_sheet_row where sheet_id = any($1) and not excluded order by course_score_id",
        sheets
    )
    .fetch_all(connection)
    .await?)
}
