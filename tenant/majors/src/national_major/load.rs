//! Loading the shipped catalogues (part 05 H): adds what is missing, brings names up to date where nobody edited them,
//! deletes nothing, switches nothing off.

use std::collections::HashMap;

use infra::{Error, Result, pinyin};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use term::NationalLevel;

use super::code::{national_code_allowed, national_code_controlled, national_code_special};

/// Name and content of each shipped file.
const FILES: [(&str, &str); 2] = [
    ("national_major_bachelor.csv", include_str!("../../data/national_major_bachelor.csv")),
    ("national_major_associate.csv", include_str!("../../data/national_major_associate.csv")),
];

/// A line of a file. `formerCode` stands only in the bachelor's, `check` only in the associate's.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    code: String,
    name: String,
    level: String,
    discipline_code: String,
    discipline: String,
    category_code: Option<String>,
    category: Option<String>,
    degree: String,
    special: bool,
    controlled: bool,
    year: i32,
    former_code: Option<String>,
    check: Option<String>,
    seed_enabled: bool,
}

/// What is wrong with a shipped file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Wrong {
    #[error("line {0}: {1}")]
    Unreadable(u64, String),
    #[error("line {line}: code {code} stands in line {first} already")]
    Repeated { line: u64, code: String, first: u64 },
    #[error("line {0}: {1} is no code of this level")]
    Code(u64, String),
    #[error("line {0}: the code says otherwise whether {1} is special or controlled")]
    Flags(u64, String),
    #[error("line {0}: code {1} does not begin with its class or discipline")]
    Place(u64, String),
}

/// Reads a file and checks it as its README says.
fn read(text: &str) -> Result<Vec<Line>, Wrong> {
    let mut first_lines: HashMap<(String, i32), u64> = HashMap::new();
    let mut lines = Vec::new();
    let mut number = 1;
    for line in csv::Reader::from_reader(text.as_bytes()).deserialize::<Line>() {
        number += 1;
        let line = line.map_err(|error| Wrong::Unreadable(number, error.to_string()))?;
        let first = *first_lines.entry((line.code.clone(), line.year)).or_insert(number);
        if first != number {
            return Err(Wrong::Repeated { line: number, code: line.code, first });
        }
        check(&line, number)?;
        lines.push(line);
    }
    Ok(lines)
}

fn check(line: &Line, number: u64) -> Result<(), Wrong> {
    let code = &line.code;
    if !NationalLevel::parse(&line.level).is_some_and(|level| national_code_allowed(level, code)) {
        return Err(Wrong::Code(number, code.clone()));
    }
    if line.special != national_code_special(code) || line.controlled != national_code_controlled(code) {
        return Err(Wrong::Flags(number, code.clone()));
    }
    let in_class = line
        .category_code
        .as_ref()
        .is_none_or(|class| class.starts_with(&line.discipline_code) && code.starts_with(class));
    if !in_class || !code.starts_with(&line.discipline_code) {
        return Err(Wrong::Place(number, code.clone()));
    }
    Ok(())
}

/// Loads what is new in the shipped catalogues into `platform`; answers how many rows were added or changed. A file
/// that was loaded before costs one statement.
///
/// # Errors
/// Internal, naming the line, when a shipped file is not right.
pub async fn load(connection: &mut PgConnection) -> Result<usize> {
    let mut changed = 0;
    for (file, text) in FILES {
        let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        let known = sqlx::query_scalar!("select sha256 from platform.seed_load where file = $1", file)
            .fetch_optional(&mut *connection)
            .await?;
        if known.as_deref() == Some(hash.as_str()) {
            continue;
        }
        let lines = read(text).map_err(|wrong| Error::internal(format!("{file}: {wrong}")))?;
        changed += write(connection, &lines).await?;
        sqlx::query!(
            "insert into platform.seed_load (file, sha256, loaded_at) values ($1, $2, now())
             on conflict (file) do update set sha256 = excluded.sha256, loaded_at = excluded.loaded_at",
            file,
            hash
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(changed)
}

async fn write(connection: &mut PgConnection, lines: &[Line]) -> Result<usize> {
    fn column<'l, T>(lines: &'l [Line], field: impl Fn(&'l Line) -> T) -> Vec<T> {
        lines.iter().map(field).collect()
    }
    let initials: Vec<String> = column(lines, |line| pinyin::text_initials(&line.name));
    let written = sqlx::query!(
        "insert into platform.national_major as known (code, name, level, discipline_code, discipline, category_code, category,
             degrees, special, controlled, year, former_code, checked, enabled, initials, created_by, updated_by)
         select code, name, level, discipline_code, discipline, nullif(category_code, ''), nullif(category, ''),
                case when degrees = '' then '{}' else string_to_array(degrees, '|') end, special, controlled, year,
                nullif(former_code, ''), checked, enabled, initials, 0, 0
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                     $9::boolean[], $10::boolean[], $11::integer[], $12::text[], $13::text[], $14::boolean[], $15::text[])
              as line (code, name, level, discipline_code, discipline, category_code, category, degrees,
                       special, controlled, year, former_code, checked, enabled, initials)
         on conflict (code, year) do update
            set name = excluded.name, initials = excluded.initials, category_code = excluded.category_code,
                category = excluded.category, degrees = excluded.degrees, updated_at = now(), version = known.version + 1
            where known.updated_by = 0
              and (known.name, known.category_code, known.category, known.degrees)
                  is distinct from (excluded.name, excluded.category_code, excluded.category, excluded.degrees)",
        &column(lines, |line| line.code.as_str()) as &[&str],
        &column(lines, |line| line.name.as_str()) as &[&str],
        &column(lines, |line| line.level.as_str()) as &[&str],
        &column(lines, |line| line.discipline_code.as_str()) as &[&str],
        &column(lines, |line| line.discipline.as_str()) as &[&str],
        &column(lines, |line| line.category_code.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.category.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.degree.as_str()) as &[&str],
        &column(lines, |line| line.special),
        &column(lines, |line| line.controlled),
        &column(lines, |line| line.year),
        &column(lines, |line| line.former_code.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.check.as_deref().unwrap_or("confirmed")) as &[&str],
        &column(lines, |line| line.seed_enabled),
        &initials
    )
    .execute(connection)
    .await?;
    Ok(usize::try_from(written.rows_affected()).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: &str = "code,name,level,disciplineCode,discipline,categoryCode,category,degree,special,controlled,year,check,seedEnabled";

    fn told(lines: &[&str]) -> String {
        let text = format!("{HEADINGS}\n{}\n", lines.join("\n"));
        read(&text).map_or_else(|wrong| wrong.to_string(), |lines| format!("{} lines", lines.len()))
    }

    /// Part 05 H, acceptance 1: what a fresh installation gets.
    #[test]
    fn the_shipped_files_are_right() {
        let files: Vec<Vec<Line>> = FILES.iter().map(|(_, text)| read(text).expect("a shipped file")).collect();
        assert_eq!(files.iter().map(Vec::len).collect::<Vec<_>>(), [883, 744]);
        assert_eq!(files.iter().flatten().filter(|line| line.seed_enabled).count(), 1515);
        assert_eq!(files[1].iter().filter(|line| line.code.ends_with('K')).count(), 48);
        assert_eq!(
            files[0].iter().filter(|line| line.former_code.as_deref().is_some_and(|code| !code.is_empty())).count(),
            11
        );
        let known = |code: &str| files.iter().flatten().any(|line| line.code == code);
        assert!(known("0502104TK") && known("570102K"));
        for line in files.iter().flatten() {
            assert_eq!(line.degree.is_empty(), line.level == "associate", "{}", line.code);
            assert_eq!(
                line.category_code.as_ref().is_none_or(String::is_empty),
                line.discipline_code == "14",
                "{}",
                line.code
            );
        }
    }

    /// Part 05 H, acceptance 6.
    #[test]
    fn a_repeated_code_is_refused_with_its_line() {
        let line = "410101,种子生产与经营,associate,41,农林牧渔大类,4101,农业类,,false,false,2021,name_seen,true";
        let other = "410102,作物生产与经营管理,associate,41,农林牧渔大类,4101,农业类,,false,false,2021,name_seen,true";
        assert_eq!(told(&[line, other]), "2 lines");
        assert_eq!(told(&[line, other, line]), "line 4: code 410101 stands in line 2 already");
    }

    #[test]
    fn codes_must_fit_level_flags_and_class() {
        assert_eq!(
            told(&["41010X,种子,associate,41,农林牧渔大类,4101,农业类,,false,false,2021,name_seen,true"]),
            "line 2: 41010X is no code of this level"
        );
        assert_eq!(
            told(&["570102K,学前教育,associate,57,教育与体育大类,5701,教育类,,false,false,2021,name_seen,true"]),
            "line 2: the code says otherwise whether 570102K is special or controlled"
        );
        assert_eq!(
            told(&["410101,种子,associate,42,资源环境与安全大类,4201,资源勘查类,,false,false,2021,name_seen,true"]),
            "line 2: code 410101 does not begin with its class or discipline"
        );
        assert!(told(&["410101,种子,associate"]).starts_with("line 2: "));
    }
}
