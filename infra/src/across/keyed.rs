//! Short lists, read in two statements: which rows, then what they show.
//!
//! ```text
//! filter, scope, order ─[Keyed::matching]→ keys with their count ─[Keyed::rows]→ rows, put into the order of their keys
//! ```
//!
//! Page, keys over schools, single record and export come from the same two, so that none can name other rows than the
//! rest. For up to ten thousand rows a school: every page reads the keys of all rows that the filter names. A list of
//! people or of logs implements [`Listed`] itself.

use std::{cmp::Ordering, collections::HashMap, future::Future};

use futures_util::{TryStreamExt, stream};
use poem_openapi::types::{IsObjectType, ParseFromJSON, ToJSON, Type};
use serde_json::Value;
use sqlx::PgConnection;

use super::{Key, Listed, Segment};
use crate::{Error, Order, Paging, Result, Scope, clock::Moment, pinyin::text_pinyin, transfer::Rows};

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Which keys of a list are wanted, and in which order.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyQuery {
    /// This row alone.
    pub id: Option<i64>,
    /// Over schools: rows no younger than this, newest first, then by id. Else the list's own order.
    pub newest_until: Option<Moment>,
    /// None: all.
    pub limit: Option<i64>,
    pub offset: i64,
}

/// A list of up to ten thousand rows a school.
pub trait Keyed: Send + 'static {
    type Filter: Default + Send + Sync + 'static;
    type Row: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync + 'static;

    fn id(row: &Self::Row) -> i64;

    /// The keys of the rows that the filter names and the scope opens.
    fn matching(
        connection: &mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> impl Future<Output = sqlx::Result<Vec<Key>>> + Send;

    /// Rows by their ids, in any order; what they count of people or classes is within the scope (03 §0.1).
    fn rows(
        connection: &mut PgConnection,
        ids: &[i64],
        scope: &Scope,
    ) -> impl Future<Output = sqlx::Result<Vec<Self::Row>>> + Send;

    /// The states of the list, each with the filter that names its rows; nothing where the list has none.
    fn states(_filter: &Self::Filter) -> Vec<(&'static str, Self::Filter)> {
        Vec::new()
    }

    /// One row.
    ///
    /// # Errors
    /// 404 when there is none, or none within the scope.
    fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> impl Future<Output = Result<Self::Row>> + Send {
        async move {
            let wanted = KeyQuery { id: Some(id), limit: Some(1), ..KeyQuery::default() };
            let keys = Self::matching(connection, &Self::Filter::default(), scope, wanted).await?;
            let found = Self::rows(connection, &[keys.first().ok_or_else(Error::not_found)?.id], scope).await?;
            found.into_iter().next().ok_or_else(Error::not_found)
        }
    }

    /// All rows that the filter names and the scope opens, in the list's order: for an export.
    fn all<'c>(
        connection: &'c mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
    ) -> impl Future<Output = Result<Rows<'c, Self::Row>>> + Send {
        async move {
            let keys = Self::matching(connection, filter, scope, KeyQuery::default()).await?;
            let parts: Vec<Vec<i64>> =
                keys.chunks(AT_ONCE).map(|part| part.iter().map(|key| key.id).collect()).collect();
            let start = (connection, parts.into_iter(), scope.clone());
            let rows = stream::try_unfold(start, |(connection, mut parts, scope)| async move {
                let Some(ids) = parts.next() else { return Ok(None) };
                let rows = in_order::<Self>(connection, &ids, &scope).await?;
                Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts, scope))))
            });
            Ok(Box::pin(rows.try_flatten()) as Rows<'c, Self::Row>)
        }
    }
}

async fn in_order<L: Keyed + ?Sized>(
    connection: &mut PgConnection,
    ids: &[i64],
    scope: &Scope,
) -> sqlx::Result<Vec<L::Row>> {
    let mut rows: HashMap<i64, L::Row> =
        L::rows(connection, ids, scope).await?.into_iter().map(|row| (L::id(&row), row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// A page in the order of a field of the rows. A short list is read whole for it: the field may be a figure that only the
/// rows tell, and names stand in the order of their pronunciation, which the database does not know.
async fn ordered<L: Keyed>(
    connection: &mut PgConnection,
    filter: &L::Filter,
    scope: &Scope,
    paging: Paging,
    order: Order,
) -> Result<(i64, Vec<L::Row>)> {
    let keys = L::matching(connection, filter, scope, KeyQuery::default()).await?;
    let mut rows = Vec::with_capacity(keys.len());
    for part in keys.chunks(AT_ONCE) {
        let ids: Vec<i64> = part.iter().map(|key| key.id).collect();
        rows.extend(in_order::<L>(connection, &ids, scope).await?);
    }
    Ok(page_of(rows, order, paging))
}

/// The count of a short list's rows, and a page of them in the order of one of their fields. Rows that are equal in it stay
/// in the list's own order, whichever way it goes.
pub fn page_of<R: ToJSON>(rows: Vec<R>, Order { field, descending }: Order, paging: Paging) -> (i64, Vec<R>) {
    let mut placed: Vec<(Place, R)> = rows.into_iter().map(|row| (Place::of(&row, field), row)).collect();
    placed.sort_by(|(one, _), (other, _)| one.compare(other, descending));
    let total = i64::try_from(placed.len()).unwrap_or(i64::MAX);
    let skipped = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let taken = usize::try_from(paging.limit()).unwrap_or(usize::MAX);
    (total, placed.into_iter().skip(skipped).take(taken).map(|(_, row)| row).collect())
}

/// Where a row stands by a value of its own; without one at the end, whichever way the list goes.
#[derive(Debug, PartialEq)]
enum Place {
    Number(f64),
    Text(String),
    Nowhere,
}

impl Place {
    fn of(row: &impl ToJSON, field: &str) -> Self {
        match row.to_json().as_mut().and_then(|row| row.get_mut(field)).map(Value::take) {
            Some(Value::Number(number)) => number.as_f64().map_or(Self::Nowhere, Self::Number),
            Some(Value::Bool(yes)) => Self::Number(if yes { 0.0 } else { 1.0 }),
            Some(Value::String(text)) => Self::Text(text_pinyin(&text)),
            _ => Self::Nowhere,
        }
    }

    fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let found = match (self, other) {
            (Self::Nowhere, Self::Nowhere) => return Ordering::Equal,
            (Self::Nowhere, _) => return Ordering::Greater,
            (_, Self::Nowhere) => return Ordering::Less,
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        };
        if descending { found.reverse() } else { found }
    }
}

impl<L: Keyed> Listed for L {
    type Filter = L::Filter;
    type Row = L::Row;

    fn id(row: &L::Row) -> i64 {
        L::id(row)
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &L::Filter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<L::Row>)> {
        if let Some(order) = paging.order() {
            return ordered::<L>(connection, filter, scope, paging, order).await;
        }
        let wanted = KeyQuery { limit: Some(paging.limit()), offset: paging.offset(), ..KeyQuery::default() };
        let keys = L::matching(connection, filter, scope, wanted).await?;
        if keys.is_empty() && wanted.offset > 0 {
            // Behind the last page the count is still told.
            let first =
                L::matching(connection, filter, scope, KeyQuery { limit: Some(1), ..KeyQuery::default() }).await?;
            return Ok((first.first().map_or(0, |key| key.total), Vec::new()));
        }
        let total = keys.first().map_or(0, |key| key.total);
        let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
        Ok((total, in_order::<L>(connection, &ids, scope).await?))
    }

    /// A count is the total of the list that it leads to, because both come from the same statement.
    async fn segments(connection: &mut PgConnection, filter: &L::Filter, scope: &Scope) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        for (value, filter) in L::states(filter) {
            let wanted = KeyQuery { limit: Some(1), ..KeyQuery::default() };
            let first = L::matching(connection, &filter, scope, wanted).await?;
            segments.push(Segment { value: value.to_owned(), count: first.first().map_or(0, |key| key.total) });
        }
        Ok(segments)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &L::Filter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = KeyQuery { newest_until: Some(until), limit: Some(most), ..KeyQuery::default() };
        Ok(L::matching(connection, filter, scope, wanted).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<L::Row>> {
        // Operators, who alone read over schools, have no narrower scope.
        Ok(<L as Keyed>::rows(connection, ids, &Scope::whole_school()).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, poem_openapi::Object)]
    struct Line {
        name: Option<String>,
        seats: Option<i64>,
    }

    fn names(field: &str, descending: bool) -> Vec<String> {
        let line = |name: &str, seats| Line { name: Some(name.to_owned()), seats };
        let rows = [line("重庆", Some(30)), line("北京", None), line("长沙", Some(200)), line("安阳", Some(30))];
        let mut placed: Vec<(Place, Line)> = rows.into_iter().map(|row| (Place::of(&row, field), row)).collect();
        placed.sort_by(|(one, _), (other, _)| one.compare(other, descending));
        placed.into_iter().filter_map(|(_, row)| row.name).collect()
    }

    #[test]
    fn names_stand_as_they_are_pronounced() {
        assert_eq!(names("name", false), ["安阳", "北京", "长沙", "重庆"]);
        assert_eq!(names("name", true), ["重庆", "长沙", "北京", "安阳"]);
    }

    #[test]
    fn who_has_no_figure_stands_at_the_end_and_equals_keep_their_order() {
        assert_eq!(names("seats", false), ["重庆", "安阳", "长沙", "北京"]);
        assert_eq!(names("seats", true), ["长沙", "重庆", "安阳", "北京"]);
    }
}
