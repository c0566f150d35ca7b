//! The shipped catalogues: how their files are read, and what is wrong with one (part 05 H).

use std::collections::HashMap;

use serde::Deserialize;
use term::NationalLevel;

use crate::code::{national_code_allowed, national_code_controlled, national_code_special};

/// Name and content of each shipped file.
pub const FILES: [(&str, &str); 2] = [
    ("national_major_bachelor.csv", include_str!("../../data/national_major_bachelor.csv")),
    ("national_major_associate.csv", include_str!("../../data/national_major_associate.csv")),
];

/// A line of a file. `formerCode` stands only in the bachelor's, `check` only in the associate's.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    pub code: String,
    pub name: String,
    pub level: String,
    pub discipline_code: String,
    pub discipline: String,
    pub category_code: Option<String>,
    pub category: Option<String>,
    pub degree: String,
    pub special: bool,
    pub controlled: bool,
    pub year: i32,
    pub former_code: Option<String>,
    pub check: Option<String>,
    pub seed_enabled: bool,
}

/// What is wrong with a shipped file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
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
///
/// # Errors
/// What is wrong, with its line.
pub fn read(text: &str) -> Result<Vec<Line>, Wrong> {
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
