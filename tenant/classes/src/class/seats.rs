//! How many fit into a class.

use std::collections::HashMap;

use infra::{Error, Result, Tx, setting::Setting};
use sqlx::PgConnection;

/// The seats of a class, locked until the transaction ends.
#[derive(Debug, Clone)]
pub struct Seats {
    pub class_id: i64,
    pub name: String,
    pub enabled: bool,
    pub cohort: super::Cohort,
    pub capacity: i64,
    /// Active students: awaiting registration, registered, suspended or beyond their years.
    pub taken: i64,
}

impl Seats {
    /// # Errors
    /// 409 when the class was switched off.
    pub fn open(&self) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(Error::conflict(format!("班级“{}”已停用", self.name))) }
    }

    /// # Errors
    /// 409 when the class was switched off, or when fewer than `more` seats are free.
    pub fn admit(&self, more: i64) -> Result<()> {
        self.open()?;
        let Self { capacity, taken, .. } = self;
        let over = taken + more - capacity;
        if over > 0 {
            return Err(Error::conflict(format!("班级容量{capacity}，已有{taken}人，超出{over}人")));
        }
        Ok(())
    }
}

/// Locks a class and counts who sits in it: whoever fills it afterwards in this transaction fills it alone.
///
/// # Errors
/// 404 when there is no such class.
pub async fn class_seats(tx: &mut Tx, class_id: i64) -> Result<Seats> {
    seats_of_classes(tx, &[class_id]).await?.remove(&class_id).ok_or_else(Error::not_found)
}

/// Locks several classes in the order of their numbers and counts who sits in each, for a sheet that fills many. Ids that
/// no class has are left out.
pub async fn seats_of_classes(tx: &mut Tx, class_ids: &[i64]) -> Result<HashMap<i64, Seats>> {
    let classes = sqlx::query!(
        "select id, name, enabled, grade_id, level_id, major_id, site_id, capacity
         from class where id = any($1) order by id for update",
        class_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    // A statement of its own: what the lock waited for must be seen.
    let taken: HashMap<i64, i64> = sqlx::query!(
        r#"select class_id as "class_id!", count(*) as "count!" from student
           where class_id = any($1) and active group by class_id"#,
        class_ids
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .map(|row| (row.class_id, row.count))
    .collect();
    Ok(classes
        .into_iter()
        .map(|class| {
            let cohort = super::Cohort {
                grade_id: class.grade_id,
                level_id: class.level_id,
                major_id: class.major_id,
                site_id: class.site_id,
            };
            let seats = Seats {
                class_id: class.id,
                name: class.name,
                enabled: class.enabled,
                cohort,
                capacity: class.capacity.into(),
                taken: taken.get(&class.id).copied().unwrap_or(0),
            };
            (class.id, seats)
        })
        .collect())
}

pub(super) const CLASS_CAPACITY_DEFAULT: Setting =
    Setting::int("classCapacityDefault", "班级默认容量", (50, 1, 500), "新建班级和分班时使用");

/// The capacity of a class for which none was typed (01 §13 `classCapacityDefault`).
pub async fn default_capacity(connection: &mut PgConnection) -> Result<i32> {
    i32::try_from(CLASS_CAPACITY_DEFAULT.number(connection).await?).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(enabled: bool, taken: i64, more: i64) -> String {
        let cohort = super::super::Cohort { grade_id: 1, level_id: 1, major_id: 1, site_id: 1 };
        let seats = Seats { class_id: 1, name: "1班".to_owned(), enabled, cohort, capacity: 50, taken };
        seats.admit(more).map_or_else(|error| error.msg.into_owned(), |()| "可以".to_owned())
    }

    #[test]
    fn a_class_takes_as_many_as_fit() {
        assert_eq!(told(true, 47, 3), "可以");
        assert_eq!(told(true, 47, 5), "班级容量50，已有47人，超出2人");
        assert_eq!(told(false, 0, 1), "班级“1班”已停用");
    }
}
