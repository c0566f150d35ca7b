//! 排序: the rows that somebody sees take a new order among themselves; whatever else is in their list stays where it was (01 §9.0).

use std::collections::{HashMap, HashSet};

use sqlx::AssertSqlSafe;

use crate::{Change, Error, Result, Tx};

impl Tx {
    /// Writes the order `wanted` of rows of a list into their `sort`. Rows belong to one list when they agree in the columns of `list`.
    /// An order that is there already changes nothing.
    ///
    /// # Errors
    /// 404 when the first of them is gone; 422 at `ids` when they are not all of its list, or one is named twice.
    pub async fn reorder(
        &mut self,
        table: &'static str,
        list: &'static [&'static str],
        wanted: &[i64],
    ) -> Result<Vec<Change>> {
        let first = wanted.first().copied().ok_or_else(Error::not_found)?;
        let agree: String =
            list.iter().map(|column| format!(" and t.{column} is not distinct from f.{column}")).collect();
        // The names are constants of the modules.
        let held = format!(
            "select t.id, t.sort from {table} t join {table} f on f.id = $1{agree} order by t.sort, t.id desc for update of t"
        );
        let rows: Vec<(i64, i32)> =
            sqlx::query_as(AssertSqlSafe(held)).bind(first).fetch_all(&mut **self).await.map_err(Error::from)?;
        if rows.is_empty() {
            return Err(Error::not_found());
        }
        let all: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
        let placed =
            placed(&all, wanted).ok_or_else(|| Error::field("ids", "只能调整同一列表中各项的顺序，请刷新后重试"))?;
        let before: HashMap<i64, i32> = rows.into_iter().collect();
        let (mut ids, mut places, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for (place, id) in placed.iter().enumerate() {
            let sort = i32::try_from(place + 1).map_err(Error::internal)?;
            match before.get(id) {
                Some(before) if *before != sort => {
                    ids.push(*id);
                    places.push(sort);
                    changes.push(Change::status(table, *id, "sort", *before, sort));
                }
                _ => {}
            }
        }
        if changes.is_empty() {
            return Ok(vec![Change::nothing(table, first)]);
        }
        let by = self.by();
        let written = format!(
            "update {table} t set sort = w.place, updated_at = now(), updated_by = $3, version = t.version + 1
             from unnest($1::bigint[], $2::integer[]) as w (id, place) where t.id = w.id"
        );
        sqlx::query(AssertSqlSafe(written))
            .bind(&ids)
            .bind(&places)
            .bind(by)
            .execute(&mut **self)
            .await
            .map_err(Error::from)?;
        Ok(changes)
    }
}

/// All rows in their new order: those of `wanted` take, in the order of `wanted`, the places that they hold among `all`; the
/// others stay. None when one of `wanted` is not among `all`, or stands twice in it.
fn placed(all: &[i64], wanted: &[i64]) -> Option<Vec<i64>> {
    let moved: HashSet<i64> = wanted.iter().copied().collect();
    let held = all.iter().filter(|id| moved.contains(id)).count();
    if moved.len() != wanted.len() || held != wanted.len() {
        return None;
    }
    let mut next = wanted.iter().copied();
    Some(all.iter().map(|id| if moved.contains(id) { next.next().unwrap_or(*id) } else { *id }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_page_change_places_among_themselves() {
        assert_eq!(placed(&[1, 2, 3, 4, 5], &[3, 2]), Some(vec![1, 3, 2, 4, 5]));
        assert_eq!(placed(&[1, 2, 3, 4, 5], &[5, 1, 3]), Some(vec![5, 2, 1, 4, 3]));
        assert_eq!(placed(&[1, 2], &[2, 1]), Some(vec![2, 1]));
        assert_eq!(placed(&[1, 2], &[]), Some(vec![1, 2]));
    }

    #[test]
    fn a_stranger_or_a_row_named_twice_has_no_place() {
        assert_eq!(placed(&[1, 2], &[2, 3]), None);
        assert_eq!(placed(&[1, 2], &[2, 2]), None);
    }
}
