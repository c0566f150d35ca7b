//! 打印成绩登记表: A4 upright, to be signed; one sheet after the other (part 04 §6.3).

use ::paper::{Cell, Line, Paper, Row, Side};
use infra::{Allowed, Body, Error, Result, across::Keyed, transfer::Printed};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::stat::figures;
use tokio::task::spawn_blocking;

use super::{
    PrintSheets, ScoreSheetLine, ScoreSheets,
    rows::{BANDS, ScoreSheetRow, rows_of, stat_of},
};

/// Widths of the columns, as shares.
const COLUMNS: [(&str, u16); 9] = [
    ("序号", 7),
    ("学号", 18),
    ("姓名", 13),
    ("学习", 9),
    ("作业", 9),
    ("考勤", 9),
    ("卷面", 9),
    ("总评", 12),
    ("备注", 14),
];

/// Which sheets.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ScoreRegistryPrint {
    /// 登记表
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
}

impl Example for ScoreRegistryPrint {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

/// What stands on one sheet.
struct Register {
    line: ScoreSheetLine,
    rows: Vec<ScoreSheetRow>,
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl Prints {
    /// 打印成绩登记表
    /// A4纵向，一次最多200张
    #[oai(path = "/print/registry", method = "post", operation_id = "printScoreSheets")]
    async fn print(&self, caller: Allowed<PrintSheets>, Body(wanted): Body<ScoreRegistryPrint>) -> Result<Printed> {
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let by = caller.session.real_name.clone();
        let mut tx = caller.read().await?;
        let mut registers = Vec::with_capacity(wanted.ids.len());
        for id in wanted.ids {
            let line = ScoreSheets::find(&mut tx, id, &caller.scope()).await?;
            let rows = rows_of(&mut tx, id).await?;
            registers.push(Register { line, rows });
        }
        drop(tx);
        let at = caller.app().clock().now().format("%Y-%m-%d %H:%M").to_string();
        let drawn = spawn_blocking(move || drawn(&registers, &school, &format!("打印：{by}　{at}")).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: "成绩登记表.pdf".to_owned(), bytes })
    }
}

fn drawn(registers: &[Register], school: &str, printed: &str) -> Paper {
    let mut paper = Paper::new("成绩登记表", school);
    for (place, register) in registers.iter().enumerate() {
        if place > 0 {
            paper.new_page();
        }
        draw(&mut paper, register, printed);
    }
    paper
}

fn draw(paper: &mut Paper, register: &Register, printed: &str) {
    let Register { line, rows } = register;
    paper.heading("成绩登记表");
    paper.note(&format!(
        "登记表号：{}　课程：{}（{}）　班级：{}　学期：{}　批次：{}　性质：{}　录入人：{}",
        line.sheet_no,
        line.course_name,
        line.course_code,
        line.class_name.as_deref().unwrap_or("—"),
        line.semester_name,
        line.batch_name,
        line.round.zh(),
        line.teacher_name.as_deref().unwrap_or("—"),
    ));
    let head = Row::of(COLUMNS.iter().map(|(heading, share)| Cell::label(*share, *heading))).small();
    paper.space(2.0).listing(&head, rows.iter().zip(1..).map(|(row, no)| row_of(row, no)));
    let (stat, _) = stat_of(rows);
    let figures = figures(&stat);
    let rate = |tenths: Option<i64>| tenths.map(|tenths| format!("{:.1}", tenths as f64 / 10.0)).unwrap_or_default();
    let bands: Vec<String> =
        BANDS.iter().zip(figures.bands).map(|(name, count)| format!("{name}：{count}人")).collect();
    paper.space(2.0).note(&format!(
        "应考：{}　实考：{}　平均分：{}　及格率：{}%　{}",
        line.total_count,
        line.entered_count - line.absent_count,
        rate(figures.mean),
        rate(figures.pass_rate),
        bands.join("　"),
    ));
    paper.space(3.0);
    let signed = Line::of("任课教师：").signature(None).words("初审：").signature(None).words("终审：").signature(None);
    paper.line(&signed, Side::Right);
    paper.note(printed);
}

fn row_of(row: &ScoreSheetRow, no: i32) -> Row {
    let shown = |score: Option<f64>| score.map(|score| format!("{score}")).unwrap_or_default();
    let noted = if row.excluded { "不计".to_owned() } else { String::new() };
    let words = [
        no.to_string(),
        row.student_no.clone().unwrap_or_default(),
        row.name.clone(),
        shown(row.study),
        shown(row.homework),
        shown(row.attendance),
        shown(row.raw),
        row.text.clone(),
        noted,
    ];
    Row::of(COLUMNS.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
}
