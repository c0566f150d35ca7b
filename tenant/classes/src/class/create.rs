//! Classes that nobody typed one by one: 批量生成 and 自动分班 make them at a place, numbered and named.

use std::collections::HashMap;

use infra::{Change, Error, OnConstraint, Result, Tx, pinyin};
use serde_json::json;
use sqlx::PgConnection;

use super::{Cohort, cohort::Names, form::explain_constraint};

/// Stands in a pattern of names for the number of the class.
const NUMBER: &str = "{n}";

/// How new classes are called: by a pattern, or as a class is called when no name was typed.
#[derive(Debug, Clone, Default)]
pub struct Naming(Option<String>);

impl Naming {
    /// A pattern may hold {grade} {level} {major} {site} and must hold {n}; none means the usual name.
    ///
    /// # Errors
    /// 422 at `namePattern` without the number, by which the classes of one place differ.
    pub fn of(pattern: Option<String>) -> Result<Self> {
        match pattern {
            Some(pattern) if !pattern.contains(NUMBER) => {
                Err(Error::field("namePattern", "班级名称格式中须有序号 {n}，如 {grade}{major}{n}班"))
            }
            pattern => Ok(Self(pattern)),
        }
    }

    fn name(&self, names: &Names, seq: i32) -> String {
        match &self.0 {
            None => names.class_name(seq),
            Some(pattern) => pattern
                .replace("{grade}", &names.grade)
                .replace("{level}", &names.level)
                .replace("{major}", &names.major)
                .replace("{site}", &names.site)
                .replace(NUMBER, &seq.to_string()),
        }
    }
}

/// A class that was made, or that would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClass {
    pub name: String,
    pub code: String,
    pub seq: i32,
}

/// The codes of grade, major and site, of which the code of a class is made.
pub(super) struct PlaceCodes {
    pub(super) grade: String,
    pub(super) major: String,
    pub(super) site: String,
}

/// The longest code of a class.
const LONGEST_CODE: usize = 32;

impl PlaceCodes {
    /// Grade, major, site and number; the grade's code is short, the others' give way to their ids where they are long.
    pub(super) fn code(&self, major_id: i64, site_id: i64, seq: i32) -> String {
        let code = format!("{}-{}-{}-{seq:02}", self.grade, self.major, self.site);
        if code.len() <= LONGEST_CODE {
            return code;
        }
        format!("{}-{major_id}-{site_id}-{seq:02}", self.grade)
    }
}

/// A class that is to be written: where it stands, how it is called, how many fit in.
pub(super) struct ClassRow {
    pub(super) cohort: Cohort,
    pub(super) class: NewClass,
    pub(super) capacity: i32,
}

impl ClassRow {
    /// The record of the class that got this id.
    pub(super) fn created(&self, id: i64) -> Change {
        let Self { cohort, class, capacity } = self;
        let made = json!({
            "code": class.code, "name": class.name, "gradeId": cohort.grade_id, "levelId": cohort.level_id,
            "majorId": cohort.major_id, "siteId": cohort.site_id, "seq": class.seq, "capacity": capacity,
        });
        Change::event("class", id, "insert", made)
    }
}

/// Writes classes whose numbers are sure; answers their ids in the order of the rows.
pub(super) async fn insert_all(tx: &mut Tx, rows: &[ClassRow]) -> Result<Vec<i64>, sqlx::Error> {
    let codes: Vec<&str> = rows.iter().map(|row| row.class.code.as_str()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.class.name.as_str()).collect();
    let grades: Vec<i64> = rows.iter().map(|row| row.cohort.grade_id).collect();
    let levels: Vec<i64> = rows.iter().map(|row| row.cohort.level_id).collect();
    let majors: Vec<i64> = rows.iter().map(|row| row.cohort.major_id).collect();
    let sites: Vec<i64> = rows.iter().map(|row| row.cohort.site_id).collect();
    let numbers: Vec<i32> = rows.iter().map(|row| row.class.seq).collect();
    let capacities: Vec<i32> = rows.iter().map(|row| row.capacity).collect();
    let initials: Vec<String> = names.iter().map(|name| pinyin::text_initials(name)).collect();
    let by = tx.by();
    let written = sqlx::query!(
        "insert into class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, created_by, updated_by)
         select code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, $10, $10
         from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[],
                     $8::integer[], $9::text[]) with ordinality
              as line (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, at)
         order by at
         returning id, code",
        &codes as &[&str],
        &names as &[&str],
        &grades,
        &levels,
        &majors,
        &sites,
        &numbers,
        &capacities,
        &initials,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: HashMap<String, i64> = written.into_iter().map(|row| (row.code, row.id)).collect();
    Ok(rows.iter().filter_map(|row| ids.get(&row.class.code).copied()).collect())
}

/// The names and codes that the next classes at a place would take; nothing is written and no number used up.
///
/// # Errors
/// 404 when one of the four is gone.
pub async fn next_classes(
    connection: &mut PgConnection,
    cohort: Cohort,
    count: usize,
    naming: &Naming,
) -> Result<Vec<NewClass>> {
    let row = sqlx::query!(
        r#"select g.name as grade, l.name as level, m.name as major, coalesce(s.short_name, s.name) as "site!",
                  g.code as grade_code, m.code as major_code, s.code as site_code,
                  coalesce((select last_seq from class_counter c
                            where c.grade_id = $1 and c.level_id = $2 and c.major_id = $3 and c.site_id = $4), 0) as "last_seq!"
           from grade g, level l, major m, site s where g.id = $1 and l.id = $2 and m.id = $3 and s.id = $4"#,
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let names = Names { grade: row.grade, level: row.level, major: row.major, site: row.site };
    let codes = PlaceCodes { grade: row.grade_code, major: row.major_code, site: row.site_code };
    let count = i32::try_from(count).map_err(Error::internal)?;
    Ok((row.last_seq + 1..=row.last_seq + count)
        .map(|seq| NewClass {
            name: naming.name(&names, seq),
            code: codes.code(cohort.major_id, cohort.site_id, seq),
            seq,
        })
        .collect())
}

/// Makes classes at a place with the next free numbers (02 §16); answers them with their ids, and the records. Two who make classes
/// at one place at once get different numbers: the second waits for the first.
///
/// # Errors
/// 409 when a name or code was given by hand to another class.
pub async fn classes_create(
    tx: &mut Tx,
    cohort: Cohort,
    count: usize,
    capacity: i32,
    naming: &Naming,
) -> Result<(Vec<(i64, NewClass)>, Vec<Change>)> {
    if count == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let more = i32::try_from(count).map_err(Error::internal)?;
    // The row of the counter is the lock; only behind it the numbers are sure.
    sqlx::query!(
        "insert into class_counter (grade_id, level_id, major_id, site_id, last_seq) values ($1, $2, $3, $4, 0)
         on conflict (grade_id, level_id, major_id, site_id) do update set last_seq = class_counter.last_seq",
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id
    )
    .execute(&mut **tx)
    .await?;
    let rows: Vec<ClassRow> = next_classes(tx, cohort, count, naming)
        .await?
        .into_iter()
        .map(|class| ClassRow { cohort, class, capacity })
        .collect();
    sqlx::query!(
        "update class_counter set last_seq = last_seq + $5
         where grade_id = $1 and level_id = $2 and major_id = $3 and site_id = $4",
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id,
        more
    )
    .execute(&mut **tx)
    .await?;
    let ids = insert_all(tx, &rows).await.on_constraint(|constraint| {
        let NewClass { code, name, .. } = &rows.first()?.class;
        explain_constraint(constraint, code, name)
            .map(|_| Error::conflict(format!("“{name}”等班级的名称或编码已被占用，请先修改同名班级")))
    })?;
    let changes = ids.iter().zip(&rows).map(|(id, row)| row.created(*id)).collect();
    Ok((ids.into_iter().zip(rows.into_iter().map(|row| row.class)).collect(), changes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_must_hold_the_number() {
        let names = Names {
            grade: "2026级".to_owned(),
            level: "专升本".to_owned(),
            major: "会计学".to_owned(),
            site: "城东".to_owned(),
        };
        let named = |pattern: Option<&str>| {
            Naming::of(pattern.map(ToOwned::to_owned))
                .map_or_else(|error| error.msg.into_owned(), |naming| naming.name(&names, 2))
        };
        assert_eq!(named(None), "2026级专升本会计学城东2班");
        assert_eq!(named(Some("{grade}{major}（{site}）{n}班")), "2026级会计学（城东）2班");
        assert_eq!(named(Some("{grade}班")), "班级名称格式中须有序号 {n}，如 {grade}{major}{n}班");
    }

    #[test]
    fn a_code_is_made_of_codes_while_they_are_short() {
        let code = |major: &str| {
            let codes = PlaceCodes { grade: "2026".to_owned(), major: major.to_owned(), site: "CD01".to_owned() };
            codes.code(3, 4, 7)
        };
        assert_eq!(code("0412"), "2026-0412-CD01-07");
        assert_eq!(code("ACCOUNTING-WITH-A-LONG-CODE"), "2026-3-4-07");
    }
}
