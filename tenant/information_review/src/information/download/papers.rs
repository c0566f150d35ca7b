//! The papers of the three groups, as they are kept on file; what the console prints is the same (02 §11.5, Prints).

mod admission;
mod graduation;

use information_review_rules::filled::Filled;
use infra::clock::Moment;
use paper::{Cell, Line, Paper, PaperError, Picture, Row};

use super::person::Person;
use crate::{content::ResumeLine, enums::InformationStatus};

/// A day that is written by hand.
const NO_DAY: &str = "　　　　年　　月　　日";
/// A row's height in millimetres, so that a sheet is a page.
const HIGH: f32 = 7.0;

/// What stands on the papers of a school.
pub(super) struct Head {
    pub header: String,
    pub office: Option<String>,
    pub seal: Option<Picture>,
}

/// The pictures of somebody.
pub(super) struct Pictures {
    pub photo: Option<Picture>,
    pub signature: Option<Picture>,
}

/// The papers of somebody, each with the name of its file.
///
/// # Errors
/// Those of the library that writes them.
pub(super) fn of(
    person: &Person,
    head: &Head,
    pictures: &Pictures,
) -> Result<Vec<(&'static str, Vec<u8>)>, PaperError> {
    drawn(person, head, pictures).into_iter().map(|(name, paper)| Ok((name, paper.finish()?))).collect()
}

/// The same, as they can still be written on.
pub(super) fn drawn(person: &Person, head: &Head, pictures: &Pictures) -> Vec<(&'static str, Paper)> {
    let mut papers = Vec::new();
    match &person.filled {
        Filled::Information(content) => {
            papers.push(("登记表.pdf", admission::check_sheet(person, content, head, pictures)));
        }
        Filled::Commitment(content) => {
            if let Some(text) = &person.commitment_text {
                papers.push(("承诺书.pdf", admission::commitment(person, text, head, pictures)));
            }
            papers.push(("资格审查表.pdf", admission::qualification(person, content, head, pictures)));
        }
        Filled::Graduation(content) => {
            papers.push(("毕业生登记表.pdf", graduation::form(person, content, head, pictures)));
        }
    }
    papers
}

/// The seal of a school, which stands only under what it has approved.
fn seal<'h>(person: &Person, head: &'h Head) -> Option<&'h Picture> {
    head.seal.as_ref().filter(|_| person.row.status == InformationStatus::Approved)
}

fn titled(title: &str, head: &Head) -> Paper {
    let mut paper = Paper::new(title, head.header.clone());
    if let Some(office) = &head.office {
        paper.note(office);
    }
    paper
}

fn row(cells: impl IntoIterator<Item = Cell>) -> Row {
    Row::of(cells).high(HIGH)
}

/// Two facts beside each other.
fn pair(facts: [(&str, &str); 2]) -> Row {
    let [(label, value), (other, second)] = facts;
    row([Cell::label(15, label), Cell::value(25, value), Cell::label(15, other), Cell::value(45, second)])
}

fn wide(label: &str, value: &str) -> Row {
    row([Cell::label(15, label), Cell::value(85, value)])
}

/// The title of a part of a table.
fn part(title: &str) -> Row {
    row([Cell::label(100, title)])
}

fn known(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or_default()
}

/// The student of the first rows, beside whom the photo stands.
fn who(person: &Person, pictures: &Pictures) -> Row {
    let line = &person.row;
    let narrow = |facts: [(&str, &str); 2]| {
        let [(label, value), (other, second)] = facts;
        row([Cell::label(15, label), Cell::value(25, value), Cell::label(15, other), Cell::value(25, second)])
    };
    let birthday = person.student.birthday.map(|day| day.to_string());
    let rows = vec![
        narrow([("姓名", &line.name), ("性别", line.gender.map_or("", |gender| gender.zh()))]),
        narrow([("出生日期", known(&birthday)), ("民族", known(&person.ethnicity))]),
        row([Cell::label(15, line.id_card_type.zh()), Cell::value(65, line.id_card_no.as_str())]),
        narrow([("学号", known(&line.student_no)), ("考生号", known(&line.examinee_no))]),
        narrow([("站点", &line.site_name), ("班级", known(&line.class_name))]),
    ];
    Row::of([Cell::rows(80, rows), Cell::picture(20, pictures.photo.as_ref(), "照片")])
}

/// What and where somebody studies.
fn study(person: &Person) -> [Row; 3] {
    let line = &person.row;
    [
        pair([("年级", &line.grade_name), ("层次", &line.level_name)]),
        pair([("专业", &line.major_name), ("学习形式", line.study_form.zh())]),
        pair([
            ("入学日期", &person.student.enrolled_on.to_string()),
            ("学制", &format!("{}年", person.student.schooling_years)),
        ]),
    ]
}

/// 简历, with room for what is written by hand.
fn resume(lines: &[ResumeLine], least: usize) -> Vec<Row> {
    let cells = |span: &str, unit: &str, duty: &str, witness: &str| {
        row([Cell::value(20, span), Cell::value(40, unit), Cell::value(22, duty), Cell::value(18, witness)])
    };
    let mut rows = vec![cells("起止年月", "学校或单位", "职务", "证明人")];
    for line in lines {
        let span = format!("{}至{}", line.from, line.to.as_deref().unwrap_or("今"));
        rows.push(cells(&span, &line.unit, known(&line.duty), known(&line.witness)));
    }
    rows.extend((lines.len()..least).map(|_| cells("", "", "", "")));
    rows
}

fn day(at: Option<Moment>) -> String {
    at.map_or_else(|| NO_DAY.to_owned(), |at| at.format("%Y年%m月%d日").to_string())
}

/// Who signed, or where it is signed by hand.
fn signed(person: &Person, pictures: &Pictures) -> Line {
    Line::of("学生签名：").signature(pictures.signature.as_ref()).words(day(person.signed_at))
}

/// What somebody promises under a table.
fn declaration(text: &str, person: &Person, pictures: &Pictures) -> Row {
    Row::of([Cell::passage(100, text).foot(signed(person, pictures))])
}
