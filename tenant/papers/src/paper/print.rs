//! 打印: a paper on A4, with a sealed margin for the student's names, a table of scores, and its answers or its booklet apart
//! (part 03 A8). What was approved is frozen when it is printed.

use std::collections::HashMap;

use ::paper::{Cell, Line, Paper as Sheet, Picture, Row, Side};
use chrono::NaiveDate;
use infra::{Allowed, App, Change, Error, Result, Scope, across::Keyed, files, transfer::Printed};
use paper_rules::printing::{NAMES, Printing, answer_lines, numerals, section_head};
use poem_openapi::{OpenApi, param::Query};
use question_bank::{
    enums::{PaperKind, QuestionType},
    question::{SubQuestion, sees_answers},
    score::{shown, tenths},
    text::QuestionText,
};
use serde_json::json;
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::{
    Papers, PrintPaper,
    detail::{is_secret, keep_back},
    held,
};
use crate::{
    content::{DetailQuestion, DetailSection, hide_secret, keys_of, of_paper},
    enums::{PaperStatus, PaperVariant},
    snapshot::{Snapshots, corrected_sections_of, frozen, status_of},
};

/// Bytes of a picture that is printed, and of all of a paper: they are in memory together.
const LARGEST: usize = 20 << 20;
const MOST_BYTES: usize = 200 << 20;
/// Millimetres of a picture.
const WIDE: f32 = 90.0;
const HIGH: f32 = 60.0;
const SEALED: &str = "密封线";

/// The semester of a day, as a paper is headed.
async fn semester_of(connection: &mut PgConnection, day: NaiveDate) -> Result<Option<String>> {
    Ok(sqlx::query_scalar!("select code from semester where starts_on <= $1 order by starts_on desc limit 1", day)
        .fetch_optional(connection)
        .await?)
}

/// The whole of what is printed of a paper or a snapshot; of a snapshot with the keys that count by now.
pub(crate) async fn printing(
    app: &App,
    connection: &mut PgConnection,
    (paper, snapshot): (Option<i64>, Option<i64>),
    school: String,
    with_answer: bool,
) -> Result<Printing> {
    let whole = Scope::whole_school();
    if let Some(id) = snapshot {
        let snapshot = Snapshots::find(connection, id, &whole).await?;
        let minutes = match snapshot.paper_id {
            Some(paper) => Papers::find(connection, paper, &whole).await?.duration_minutes,
            None => None,
        };
        let form = form_of(app, connection, snapshot.course_id, snapshot.kind).await?;
        return Ok(Printing {
            school,
            semester: semester_of(connection, snapshot.created_at.date_naive()).await?,
            form,
            status: status_of(&snapshot),
            course: snapshot.course_name,
            name: snapshot.paper_name,
            kind: snapshot.kind,
            variant: snapshot.variant,
            minutes,
            sections: corrected_sections_of(connection, id).await?,
            with_answer,
        });
    }
    let paper = Papers::find(connection, paper.ok_or_else(Error::malformed)?, &whole).await?;
    let form = form_of(app, connection, paper.course_id, paper.kind).await?;
    Ok(Printing {
        school,
        semester: semester_of(connection, app.clock().today()).await?,
        form,
        status: Some(paper.status),
        course: paper.course_name,
        name: paper.name,
        kind: paper.kind,
        variant: paper.variant,
        minutes: paper.duration_minutes,
        sections: of_paper(connection, paper.id).await?,
        with_answer,
    })
}

/// The word for how a course is examined; nothing for homework.
async fn form_of(
    app: &App,
    connection: &mut PgConnection,
    course: i64,
    kind: PaperKind,
) -> Result<Option<&'static str>> {
    if !is_secret(kind) {
        return Ok(None);
    }
    let mode = sqlx::query_scalar!("select assess_mode from course where id = $1", course)
        .fetch_optional(connection)
        .await?
        .flatten();
    let known = app.modules().enumerations().find(|known| known.name == "assessMode");
    let items = known.map(|known| known.items).unwrap_or_default();
    Ok(items.iter().find(|(code, _)| Some(*code) == mode.as_deref()).map(|(_, word)| *word))
}

/// A frozen paper as it is given on paper, with its name; with its keys where they are asked for.
///
/// # Errors
/// 404 without such a snapshot; 429 when all places for exports are taken.
pub async fn paper_of_snapshot(
    app: &App,
    connection: &mut PgConnection,
    snapshot: i64,
    school: String,
    with_keys: bool,
) -> Result<(String, Vec<u8>)> {
    let _place = app.export_place()?;
    let printing = printing(app, connection, (None, Some(snapshot)), school, with_keys).await?;
    let pictures = pictures(app, &printing.sections).await?;
    let name = format!("{}_{}.pdf", printing.name, printing.variant.as_str());
    let drawn = spawn_blocking(move || {
        let read = pictures.iter().filter_map(|(key, bytes)| Some((key.clone(), Picture::read(bytes)?))).collect();
        sheet(&printing, &read).finish()
    });
    let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
    Ok((name, bytes))
}

pub struct Prints;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Prints {
    /// 打印试卷
    /// 打印已通过的试卷时生成快照
    #[oai(path = "/print", method = "get", operation_id = "printPaper")]
    async fn print(
        &self,
        caller: Allowed<PrintPaper>,
        /// 试卷
        id: Query<Option<i64>>,
        /// 快照
        /// 与试卷二选一
        #[oai(name = "snapshotId")]
        snapshot_id: Query<Option<i64>>,
        /// 卷别
        /// 打印另一卷未停用的最新版本，不填为该试卷
        variant: Query<Option<PaperVariant>>,
        /// 含答案
        #[oai(name = "withAnswer")]
        with_answer: Query<Option<bool>>,
        /// 答题册
        booklet: Query<Option<bool>>,
    ) -> Result<Printed> {
        let app = caller.app();
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        if id.0.is_some() == snapshot_id.0.is_some() {
            return Err(Error::malformed());
        }
        // Pictures and the drawn paper are in memory together.
        let _place = app.export_place()?;
        let mut tx = caller.begin().await?;
        let id = match (id.0, variant.0) {
            (Some(id), Some(variant)) => Some(of_variant(&mut tx, id, variant).await?),
            (id, _) => id,
        };
        let mut which = (id, snapshot_id.0);
        let mut made = None;
        if let Some(id) = id {
            let paper = held(&mut tx, id).await?;
            if paper.status == PaperStatus::Approved {
                let frozen = frozen(&mut tx, &paper).await?;
                made = frozen.new.then_some(frozen.id);
                which = (None, Some(frozen.id));
            }
        }
        let with_answer = with_answer.0.unwrap_or(false);
        let mut printing = printing(app, &mut tx, which, school, with_answer).await?;
        if with_answer && !sees_answers(&caller) {
            if is_secret(printing.kind) {
                return Err(Error::forbidden());
            }
            hide_secret(&mut tx, &mut printing.sections).await?;
        }
        keep_back(&caller, &mut tx, printing.status, &mut printing.sections).await?;
        let booklet = booklet.0.unwrap_or(false);
        let what = json!({ "withAnswer": with_answer, "booklet": booklet, "frozen": made });
        let (entity, id) = match (id, snapshot_id.0) {
            (Some(id), _) => ("paper", id),
            (None, id) => ("paper_snapshot", id.unwrap_or_default()),
        };
        // What is printed is read: nobody waits for its questions while it is drawn.
        tx.commit(Change::event(entity, id, "print", what)).await?;
        let pictures = pictures(app, &printing.sections).await?;
        let name = format!("{}_{}.pdf", printing.name, printing.variant.as_str());
        let drawn = spawn_blocking(move || {
            let read = pictures.iter().filter_map(|(key, bytes)| Some((key.clone(), Picture::read(bytes)?))).collect();
            let made = if booklet { answer_booklet(&printing) } else { sheet(&printing, &read) };
            made.finish()
        });
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name, bytes })
    }
}

/// The newest paper of the family and another variant that is not out of use, A/B 卷: variants need not have come to the same
/// version. Of its own variant the paper itself.
///
/// # Errors
/// 404 when there is none.
async fn of_variant(connection: &mut PgConnection, id: i64, variant: PaperVariant) -> Result<i64> {
    sqlx::query_scalar!(
        "select o.id from paper p
         join paper o on coalesce(o.family_id, o.id) = coalesce(p.family_id, p.id)
         where p.id = $1 and o.variant = $2
           and (o.id = p.id or (o.variant <> p.variant and o.status <> 'disabled'))
         order by o.version_no desc limit 1",
        id,
        variant.as_str()
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// The bytes of the pictures that a paper shows.
pub(crate) async fn pictures(app: &App, sections: &[DetailSection]) -> Result<HashMap<String, Vec<u8>>> {
    let (mut found, mut sum) = (HashMap::new(), 0);
    for key in keys_of(sections) {
        let is_picture = ["png", "jpg", "jpeg"].iter().any(|extension| key.ends_with(extension));
        if !is_picture || found.contains_key(&key) {
            continue;
        }
        let bytes = files::beginning(app, &key, LARGEST + 1).await?;
        if let Some(bytes) = bytes.filter(|bytes| bytes.len() <= LARGEST) {
            sum += bytes.len();
            if sum > MOST_BYTES {
                return Err(Error::refused("试卷的图片合计超过200MB，请压缩图片后再打印"));
            }
            found.insert(key, bytes);
        }
    }
    Ok(found)
}

type Pictures = HashMap<String, Picture>;

fn sheet(printing: &Printing, pictures: &Pictures) -> Sheet {
    let title = if printing.with_answer { format!("{} 参考答案", printing.title()) } else { printing.title() };
    let mut sheet = Sheet::new(title.clone(), printing.school.clone());
    if !printing.with_answer {
        sheet.margin(NAMES, SEALED);
    }
    sheet.heading(&printing.school).heading(&title);
    sheet.line(&Line::of(printing.terms()), Side::Middle);
    if !printing.with_answer {
        sheet.table(score_table(&printing.sections));
    }
    for section in &printing.sections {
        sheet.subheading(&section_head(section));
        if let Some(text) = &section.instruction {
            sheet.note(&text.plain());
        }
        for question in &section.questions {
            write_question(&mut sheet, question, pictures, printing.with_answer);
        }
    }
    sheet
}

/// 题号, 得分, 阅卷人.
fn score_table(sections: &[DetailSection]) -> Vec<Row> {
    let numerals = numerals(sections);
    let row = |head: &str, cells: Vec<String>, last: &str| {
        let inner = cells.into_iter().map(|cell| Cell::label(10, cell));
        Row::of([Cell::label(12, head)].into_iter().chain(inner).chain([Cell::label(12, last)]))
    };
    let empty = || vec![String::new(); sections.len()];
    vec![row("题号", numerals, "总分"), row("得分", empty(), ""), row("阅卷人", empty(), "")]
}

fn write_text(sheet: &mut Sheet, lead: &str, text: &QuestionText, pictures: &Pictures) {
    sheet.paragraph(&format!("{lead}{}", text.told(|_| "［图］".to_owned())));
    for picture in text.keys().iter().filter_map(|key| pictures.get(key)) {
        sheet.picture(picture, WIDE, HIGH).space(2.0);
    }
}

fn write_question(sheet: &mut Sheet, question: &DetailQuestion, pictures: &Pictures, with_answer: bool) {
    let lead = format!("{}．（{}分）", question.seq, shown(tenths(question.score)));
    write_text(sheet, &lead, &question.stem, pictures);
    for option in &question.options {
        write_text(sheet, &format!("{}．", option.letter), &option.content, pictures);
    }
    if with_answer {
        if !question.kind.is_parent() {
            for line in answer_lines(question.answer.as_ref()) {
                sheet.paragraph(&line);
            }
        }
        if let Some(analysis) = &question.analysis {
            write_text(sheet, "【解析】", analysis, pictures);
        }
    }
    for ((place, sub), score) in (1..).zip(&question.sub_questions).zip(question.sub_tenths()) {
        write_sub(sheet, &format!("（{place}）（{}分）", shown(score)), sub, pictures, with_answer);
    }
}

fn write_sub(sheet: &mut Sheet, lead: &str, sub: &SubQuestion, pictures: &Pictures, with_answer: bool) {
    write_text(sheet, lead, &sub.stem, pictures);
    for option in &sub.options {
        write_text(sheet, &format!("{}．", option.letter), &option.content, pictures);
    }
    if with_answer {
        for line in answer_lines(sub.answer.as_ref()) {
            sheet.paragraph(&line);
        }
        if let Some(analysis) = &sub.analysis {
            write_text(sheet, "【解析】", analysis, pictures);
        }
    }
}

/// Room for every answer, by its number.
fn answer_booklet(printing: &Printing) -> Sheet {
    let title = format!("{} 答题册", printing.title());
    let mut sheet = Sheet::new(title.clone(), printing.school.clone());
    sheet.margin(NAMES, SEALED);
    sheet.heading(&title);
    sheet.table(score_table(&printing.sections));
    for section in &printing.sections {
        sheet.subheading(&section_head(section));
        let mut rows = Vec::new();
        for question in &section.questions {
            let parts: Vec<(String, QuestionType)> = if question.kind.is_parent() {
                let numbered = (1..).zip(&question.sub_questions);
                numbered.map(|(place, sub)| (format!("{}（{place}）", question.seq), sub.kind)).collect()
            } else {
                vec![(question.seq.clone(), question.kind)]
            };
            for (number, kind) in parts {
                rows.push(Row::of([Cell::label(12, number), Cell::value(88, "")]).high(room(kind)));
            }
        }
        sheet.table(rows);
    }
    sheet
}

/// Millimetres that an answer needs.
const fn room(kind: QuestionType) -> f32 {
    match kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse => 9.0,
        QuestionType::FillBlank => 14.0,
        QuestionType::ShortAnswer => 60.0,
        QuestionType::Essay => 140.0,
        QuestionType::CaseAnalysis | QuestionType::Listening | QuestionType::FileUpload => 20.0,
    }
}
