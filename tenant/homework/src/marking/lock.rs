//! Who marks a sheet, whose sheets they reach, and that they alone have it open (part 03 B7).

use chrono::TimeDelta;
use infra::{
    Allowed, Error, Result, Scope, Tx,
    access::{Caller, Permission},
};
use sqlx::PgConnection;

/// A sheet is open so long after the last save.
const MINUTES: i64 = 30;

/// Somebody who marks: an account of the console, or a teacher in their client.
#[derive(Debug, Clone)]
pub struct Marker {
    pub account: Option<i64>,
    /// The teacher that they are; none of an account that marks on behalf.
    pub teacher: Option<i64>,
    pub name: String,
}

impl Marker {
    /// The account that calls, and the teacher whom its binding names (01 §2.1).
    ///
    /// # Errors
    /// Those of the database.
    pub async fn of_account<P: Permission>(caller: &Allowed<P>) -> Result<Self> {
        let teacher = teacher_of(caller, &mut *caller.platform().await?).await?;
        Ok(Self { account: Some(caller.user_id()), teacher, name: caller.session.real_name.clone() })
    }

    /// A teacher in their client.
    pub fn of_teacher(id: i64, name: &str) -> Self {
        Self { account: None, teacher: Some(id), name: name.to_owned() }
    }

    /// How a lock knows them.
    fn key(&self) -> (&'static str, Option<i64>) {
        match self.account {
            Some(account) => ("account", Some(account)),
            None => ("teacher", self.teacher),
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
    /// Those of the students of a scope.
    Scope(Scope),
    /// Those that were given to a teacher, whole or in part.
    Teacher(i64),
}

impl Reach {
    /// # Errors
    /// 404 for a sheet beyond it, and for one that nobody handed in.
    pub(crate) async fn see(&self, connection: &mut PgConnection, sheet: i64) -> Result<()> {
        let (scope, teacher) = match self {
            Self::Scope(scope) => (scope.clone(), None),
            Self::Teacher(teacher) => (Scope::whole_school(), Some(*teacher)),
        };
        let seen = sqlx::query_scalar!(
            r#"select exists (
                   select from answer_sheet a
                   join homework_student s on s.id = a.homework_student_id
                   join course_selection c on c.id = s.selection_id
                   join student y on y.id = c.student_id
                   where a.id = $1 and a.mark_state in ('submitted', 'marked', 'returned')
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                     and ($4::bigint is null or a.marker_id = $4
                          or exists (select from answer_item i where i.sheet_id = a.id and i.marker_id = $4))) as "seen!""#,
            sheet,
            scope.sites(),
            scope.classes(),
            teacher
        )
        .fetch_one(connection)
        .await?;
        if seen { Ok(()) } else { Err(Error::not_found()) }
    }
}

/// Opens a sheet for somebody, or keeps it open for them; the sheet is held.
///
/// # Errors
/// 409 with the name of who has it open.
pub async fn take(tx: &mut Tx, sheet: i64, marker: &Marker) -> Result<()> {
    let now = tx.app().clock().now();
    let (kind, by) = marker.key();
    let taken = sqlx::query!(
        "update answer_sheet
         set locked_kind = $2, locked_by = $3, locked_by_name = $4, locked_until = $5
         where id = $1
           and (locked_until is null or locked_until < $6::timestamptz or locked_kind = $2 and locked_by = $3)",
        sheet,
        kind,
        by,
        marker.name,
        (now + TimeDelta::minutes(MINUTES)) as _,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    if taken.rows_affected() == 1 {
        return Ok(());
    }
    let name = sqlx::query_scalar!("select locked_by_name from answer_sheet where id = $1", sheet)
        .fetch_one(&mut **tx)
        .await?;
    Err(Error::conflict(format!("该答卷正由{}批阅", name.as_deref().unwrap_or("他人"))))
}

/// Lets a sheet go that somebody has open; of another's nothing happens.
///
/// # Errors
/// Those of the database.
pub async fn release(tx: &mut Tx, sheet: i64, marker: &Marker) -> Result<()> {
    let (kind, by) = marker.key();
    sqlx::query!(
        "update answer_sheet set locked_kind = null, locked_by = null, locked_by_name = null, locked_until = null
         where id = $1 and locked_kind = $2 and locked_by = $3",
        sheet,
        kind,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets these sheets go, whoever has them open.
///
/// # Errors
/// Those of the database.
pub async fn release_all(tx: &mut Tx, sheets: &[i64]) -> Result<()> {
    sqlx::query!(
        "update answer_sheet set locked_kind = null, locked_by = null, locked_by_name = null, locked_until = null
         where id = any($1) and locked_until is not null",
        sheets
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// # Errors
/// 409 with the name of somebody else who has the sheet open now.
pub async fn free(tx: &mut Tx, sheet: i64, marker: &Marker) -> Result<()> {
    let now = tx.app().clock().now();
    let (kind, by) = marker.key();
    let other = sqlx::query_scalar!(
        r#"select locked_by_name as "name!" from answer_sheet
           where id = $1 and locked_until >= $4 and not (locked_kind = $2 and locked_by = $3)"#,
        sheet,
        kind,
        by,
        now as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    other.map_or(Ok(()), |name| Err(Error::conflict(format!("该答卷正由{name}批阅"))))
}
