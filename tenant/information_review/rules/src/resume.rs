//! What of a résumé is wrong, and what is worth a second look (02 §11.1).

use chrono::{Datelike, NaiveDate};
use infra::FieldError;

use crate::content::ResumeLine;

/// A longer gap in a résumé is worth a second look, in months.
const LONGEST_GAP: i32 = 6;

/// What is wrong with a résumé.
pub fn resume_wrong(resume: &[ResumeLine]) -> Vec<FieldError> {
    let backwards = resume.iter().enumerate().filter(|(_, line)| line.to.as_ref().is_some_and(|to| *to < line.from));
    backwards
        .map(|(place, _)| FieldError {
            field: format!("resume[{place}].to"),
            message: "截止年月不能早于起始年月".to_owned(),
        })
        .collect()
}

/// Gaps of a résumé of more than six months, up to today, which are worth a second look.
pub fn gaps(resume: &[ResumeLine], today: NaiveDate) -> Vec<String> {
    let mut lines: Vec<&ResumeLine> = resume.iter().collect();
    lines.sort_by(|one, other| one.from.cmp(&other.from));
    let mut told = Vec::new();
    let mut until: Option<&str> = None;
    let today = format!("{:04}-{:02}", today.year(), today.month());
    let ends: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| (line.from.as_str(), line.to.as_deref().unwrap_or(&today)))
        .chain(std::iter::once((today.as_str(), today.as_str())))
        .collect();
    for (from, to) in ends {
        if let Some(until) = until
            && months(from) - months(until) > LONGEST_GAP
        {
            told.push(format!("简历中{until}至{from}有{}个月空档", months(from) - months(until)));
        }
        until = Some(until.map_or(to, |until| if to > until { to } else { until }));
    }
    told
}

/// Months since year 0 of a `2019-09`.
fn months(text: &str) -> i32 {
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<i32>().ok()).unwrap_or(0);
    part(0..4) * 12 + part(5..7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: &str, to: Option<&str>) -> ResumeLine {
        ResumeLine {
            from: from.to_owned(),
            to: to.map(str::to_owned),
            unit: "第一中学".to_owned(),
            duty: None,
            witness: None,
        }
    }

    #[test]
    fn a_long_gap_is_worth_a_look() {
        let today = "2026-04-10".parse().expect("a day");
        let told = |lines: &[ResumeLine]| gaps(lines, today);
        assert!(told(&[line("2019-09", Some("2022-06")), line("2022-12", None)]).is_empty(), "six months are none");
        assert_eq!(
            told(&[line("2023-01", None), line("2019-09", Some("2022-06"))]),
            ["简历中2022-06至2023-01有7个月空档"]
        );
        assert_eq!(told(&[line("2019-09", Some("2022-06"))]), ["简历中2022-06至2026-04有46个月空档"]);
        assert!(told(&[line("2019-09", Some("2026-01")), line("2020-01", Some("2020-06"))]).is_empty());
    }

    #[test]
    fn a_resume_does_not_run_backwards() {
        assert!(resume_wrong(&[line("2019-09", Some("2019-09")), line("2020-01", None)]).is_empty());
        let wrong = resume_wrong(&[line("2019-09", None), line("2020-05", Some("2020-01"))]);
        assert_eq!(wrong.iter().map(|wrong| wrong.field.as_str()).collect::<Vec<_>>(), ["resume[1].to"]);
    }
}
