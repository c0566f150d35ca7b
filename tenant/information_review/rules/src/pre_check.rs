//! What a row of 清查结果 does to the form that it finds (02 §11.5).

use chrono::NaiveDate;
use infra::sheet::RowError;
use serde_json::{Value, json};

use crate::enums::{ChsiPreCheck, CommitmentConclusion, InformationStatus};

pub const EXAMINEE_NO: &str = "考生号";
pub const NAME: &str = "姓名";
pub const ID_CARD_NO: &str = "身份证号";

/// A row that is right by itself.
#[derive(Debug)]
pub struct Line {
    pub row: u32,
    pub examinee_no: String,
    pub name: String,
    pub id_card_no: String,
    pub result: ChsiPreCheck,
    pub on: NaiveDate,
}

impl Line {
    pub fn note(&self, column: &str, message: impl Into<String>) -> RowError {
        RowError { row: self.row, column: column.to_owned(), message: message.into() }
    }
}

/// The form of a student as a sheet finds it.
#[derive(Debug, Clone)]
pub struct Found {
    pub id: i64,
    pub examinee_no: String,
    pub name: String,
    pub id_card_no: String,
    pub active: bool,
    pub status: InformationStatus,
    pub conclusion: Option<CommitmentConclusion>,
    pub pre_check: ChsiPreCheck,
    pub checked_on: Option<NaiveDate>,
}

impl Found {
    /// As the trail keeps it.
    pub fn told(
        conclusion: Option<CommitmentConclusion>,
        pre_check: ChsiPreCheck,
        checked_on: Option<NaiveDate>,
    ) -> Value {
        json!({
            "conclusion": conclusion.map(CommitmentConclusion::as_str), "chsiPreCheck": pre_check.as_str(),
            "chsiCheckedOn": checked_on,
        })
    }

    pub fn is_settled(&self, line: &Line) -> bool {
        self.pre_check == line.result && self.checked_on == Some(line.on)
    }
}

/// The conclusion behind a result.
pub fn concluded(
    status: InformationStatus,
    conclusion: Option<CommitmentConclusion>,
    result: ChsiPreCheck,
) -> Option<CommitmentConclusion> {
    match (status, result) {
        (InformationStatus::Approved, ChsiPreCheck::Failed) => Some(CommitmentConclusion::Unqualified),
        // What was approved was qualified, whatever 学信网 said between.
        (InformationStatus::Approved, ChsiPreCheck::Passed) => Some(CommitmentConclusion::Qualified),
        _ => conclusion,
    }
}

/// # Errors
/// What is wrong with the row, at its column.
pub fn judged(line: &Line, found: &Found, first: u32) -> Result<(), RowError> {
    if found.name != line.name {
        return Err(line.note(NAME, "姓名与学籍不一致"));
    }
    if found.id_card_no != line.id_card_no {
        return Err(line.note(ID_CARD_NO, "身份证号与学籍不一致"));
    }
    if first != line.row {
        return Err(line.note(EXAMINEE_NO, format!("与第{first}行是同一人")));
    }
    if !found.active {
        return Err(line.note("", "该生已不在籍，不能导入清查结果"));
    }
    if found.pre_check == ChsiPreCheck::NotRequired {
        return Err(line.note("", "该生不需要前置学历清查，请核对层次"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_later_does_not_take_an_approval_back() {
        use ChsiPreCheck::{Failed, Passed, ToCheck};
        use CommitmentConclusion::{Qualified, Supplement, Unqualified};
        use InformationStatus::{Approved, Returned, Submitted};
        assert_eq!(concluded(Approved, Some(Qualified), Failed), Some(Unqualified));
        assert_eq!(concluded(Approved, Some(Unqualified), Passed), Some(Qualified));
        assert_eq!(concluded(Approved, Some(Unqualified), ToCheck), Some(Unqualified));
        assert_eq!(concluded(Approved, Some(Qualified), ToCheck), Some(Qualified));
        assert_eq!(concluded(Submitted, None, Failed), None);
        assert_eq!(concluded(Returned, Some(Supplement), Passed), Some(Supplement));
    }

    #[test]
    fn a_row_is_of_who_it_says() {
        let on = NaiveDate::from_ymd_opt(2026, 6, 20).expect("a day");
        let line = Line {
            row: 2,
            examinee_no: "26420101150001".to_owned(),
            name: "张伟".to_owned(),
            id_card_no: "429900199603150216".to_owned(),
            result: ChsiPreCheck::Failed,
            on,
        };
        let found = Found {
            id: 7,
            examinee_no: line.examinee_no.clone(),
            name: line.name.clone(),
            id_card_no: line.id_card_no.clone(),
            active: true,
            status: InformationStatus::Approved,
            conclusion: Some(CommitmentConclusion::Qualified),
            pre_check: ChsiPreCheck::Pending,
            checked_on: None,
        };
        let told = |found: &Found, first| judged(&line, found, first).err().map(|wrong| wrong.message);
        assert_eq!(told(&found, 2), None);
        assert_eq!(told(&found, 1).as_deref(), Some("与第1行是同一人"));
        let other = Found { name: "张玮".to_owned(), ..found.clone() };
        assert_eq!(told(&other, 2).as_deref(), Some("姓名与学籍不一致"));
        let other = Found { id_card_no: "11010519491231002X".to_owned(), ..found.clone() };
        assert_eq!(told(&other, 2).as_deref(), Some("身份证号与学籍不一致"));
        let other = Found { active: false, ..found.clone() };
        assert_eq!(told(&other, 2).as_deref(), Some("该生已不在籍，不能导入清查结果"));
        let other = Found { pre_check: ChsiPreCheck::NotRequired, ..found.clone() };
        assert_eq!(told(&other, 2).as_deref(), Some("该生不需要前置学历清查，请核对层次"));
        let settled = Found { pre_check: ChsiPreCheck::Failed, checked_on: Some(on), ..found };
        assert!(settled.is_settled(&line));
    }
}
