//! 基础数据: what a new school may take over from another one, kind by kind. Each kind is its owner's, who says what a school has
//! of it and adds a piece the way `save` does; nothing that a school has already is touched.

use std::collections::BTreeSet;

use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::PgConnection;

use crate::{App, Change, Result, Tx};

/// Something that a school has, as another one would type it.
#[derive(Debug, Clone)]
pub struct Piece {
    /// By what two schools know that they have the same: a code, compared without regard to case.
    pub key: String,
    /// For people.
    pub name: String,
    /// What is switched off or closed is not taken over.
    pub in_use: bool,
    /// The body of `save`, without what it refers to by number.
    pub form: Value,
    /// What it refers to, by the codes that both schools know.
    pub refers: Value,
}

/// See [`Foundation::all`].
pub type All = for<'a> fn(&'a App, &'a mut PgConnection) -> BoxFuture<'a, Result<Vec<Piece>>>;
/// See [`Foundation::add`].
pub type Add = for<'a> fn(&'a mut Tx, i64, Piece) -> BoxFuture<'a, Result<Change>>;

/// A kind of basic data; it stands beside its entity (`Part::foundations`).
#[derive(Debug, Clone, Copy)]
pub struct Foundation {
    /// The word on the wire.
    pub kind: &'static str,
    /// 中文
    pub name: &'static str,
    /// Kinds to which its pieces refer: they are taken over first.
    pub needs: &'static [&'static str],
    /// The code that shows them in the school from which they come.
    pub reads: &'static str,
    /// The code that adds them in the school that takes them over.
    pub adds: &'static str,
    /// All that a school has of it, in an order in which they can be added.
    pub all: All,
    /// Adds one to the school of this number.
    ///
    /// Its errors leave the piece out: 422 and 409 of `save`, and what it refers to is missing.
    pub add: Add,
}

/// The kinds in an order in which each comes behind those that it needs.
pub fn in_order(kinds: impl Iterator<Item = Foundation>) -> Vec<Foundation> {
    let mut left: Vec<Foundation> = kinds.collect();
    let mut ordered: Vec<Foundation> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waiting: BTreeSet<&str> = left.iter().map(|each| each.kind).collect();
        let (ready, rest): (Vec<_>, Vec<_>) =
            left.iter().copied().partition(|each| each.needs.iter().all(|need| !waiting.contains(need)));
        if ready.is_empty() {
            // A circle of kinds has no right order: as they came.
            ordered.extend(rest);
            break;
        }
        ordered.extend(ready);
        left = rest;
    }
    ordered
}

/// The keys that a school has, ready to be compared.
pub fn keys(pieces: &[Piece]) -> BTreeSet<String> {
    pieces.iter().map(|piece| piece.key.to_lowercase()).collect()
}

/// Those that a school with these keys has not, of what is in use elsewhere.
pub fn missing(pieces: Vec<Piece>, known: &BTreeSet<String>) -> Vec<Piece> {
    pieces.into_iter().filter(|piece| piece.in_use && !known.contains(&piece.key.to_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn kind(kind: &'static str, needs: &'static [&'static str]) -> Foundation {
        Foundation {
            kind,
            name: kind,
            needs,
            reads: "",
            adds: "",
            all: |_, _| Box::pin(async { Ok(Vec::new()) }),
            add: |_, _, _| Box::pin(async { Err(Error::not_found()) }),
        }
    }

    fn piece(key: &str, in_use: bool) -> Piece {
        Piece { key: key.to_owned(), name: key.to_owned(), in_use, form: Value::Null, refers: Value::Null }
    }

    #[test]
    fn a_kind_comes_behind_those_that_it_needs() {
        let kinds = [kind("course", &["type"]), kind("major", &["level"]), kind("type", &[]), kind("level", &[])];
        let names: Vec<&str> = in_order(kinds.into_iter()).iter().map(|each| each.kind).collect();
        assert_eq!(names, ["type", "level", "course", "major"]);
    }

    #[test]
    fn what_a_school_has_or_nobody_uses_is_not_taken_over() {
        let known = keys(&[piece("ZSB", false)]);
        let taken = missing(vec![piece("zsb", true), piece("GQZ", true), piece("OLD", false)], &known);
        assert_eq!(taken.iter().map(|each| each.key.as_str()).collect::<Vec<_>>(), ["GQZ"]);
    }
}
