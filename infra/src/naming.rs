//! Names and references to named rows, as every module has them (part 03 §0.1).

use std::collections::HashMap;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::{
    Error, Result,
    sheet::{Cell, Row},
};

/// Inner runs of blanks become one blank; the ends were trimmed with the body.
pub fn tidy(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a list is asked for, without the blanks around it; an empty text asks for nothing.
pub fn typed(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// What the codes or names of rows are to contain to which a list refers, ready to be compared: each in lower case, none where nothing is
/// asked for. Over many schools a list is asked for by such words, for the numbers of rows differ from school to school (02 §0.5).
pub fn sought<const KINDS: usize>(texts: [Option<&str>; KINDS]) -> Option<Vec<Option<String>>> {
    let sought = texts.map(|text| text.map(|text| tidy(text).to_lowercase()).filter(|text| !text.is_empty()));
    sought.iter().any(Option::is_some).then(|| sought.into_iter().collect())
}

/// The same of a list that is asked for by one such word.
pub fn sought_word(text: Option<&str>) -> Option<String> {
    sought([text])?.pop()?
}

/// What is said of a reference to a row that was switched off; rows that refer to it already keep it.
pub fn is_switched_off(name: &str) -> String {
    format!("“{name}”已停用，请选择其他项")
}

/// 422 at a reference to a row that was switched off.
pub fn switched_off(field: &str, name: &str) -> Error {
    Error::field(field, is_switched_off(name))
}

/// 422 at the code: another row has it.
pub fn code_taken(code: &str) -> Error {
    Error::field("code", format!("编码“{code}”已存在"))
}

/// 422 at the name: another row has it.
pub fn name_taken(name: &str) -> Error {
    Error::field("name", format!("名称“{name}”已存在"))
}

/// The row that a `view` names by its id or by its code (00 §8).
///
/// # Errors
/// 400 unless exactly one of both is there, 404 for a code that nobody has.
pub async fn resolve_id(
    connection: &mut PgConnection,
    table: &'static str,
    id: Option<i64>,
    code: Option<String>,
) -> Result<i64> {
    match (id, code) {
        (Some(id), None) => Ok(id),
        (None, Some(code)) => {
            let sql = format!("select id from {table} where lower(code) = lower($1)");
            let found = sqlx::query_scalar(AssertSqlSafe(sql)).bind(code).fetch_optional(connection).await?;
            found.ok_or_else(Error::not_found)
        }
        _ => Err(Error::malformed()),
    }
}

/// Rows by their code as people type it in a sheet, read once for an import. Codes are compared without regard to case.
#[derive(Debug, Default)]
pub struct Codes<T>(HashMap<String, T>);

impl<T> Codes<T> {
    pub fn get(&self, code: &str) -> Option<&T> {
        self.0.get(&code.to_lowercase())
    }
}

impl<T> FromIterator<(String, T)> for Codes<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(rows: I) -> Self {
        Self(rows.into_iter().map(|(code, row)| (code.to_lowercase(), row)).collect())
    }
}

/// The row that a cell names by code; a code that nobody has is refused on the row.
pub fn referred<'a, T>(row: &mut Row, heading: &str, codes: &'a Codes<T>) -> Option<&'a T> {
    let code = row.text(heading)?;
    let found = codes.get(&code);
    if found.is_none() {
        row.refuse(heading, format!("编码“{code}”不存在"));
    }
    found
}

/// Years or credits in a sheet: one place.
pub fn tenths(number: f64) -> Cell {
    Cell::Decimal((number * 10.0).round() as i64, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_blanks_are_folded() {
        assert_eq!(tidy("会计学  (财务　管理)"), "会计学 (财务 管理)");
    }

    #[test]
    fn codes_are_found_in_any_case() {
        let codes: Codes<i64> = [("Gzx01".to_owned(), 1)].into_iter().collect();
        assert_eq!(codes.get("GZX01"), Some(&1));
        assert_eq!(codes.get("GZX02"), None);
    }
}
