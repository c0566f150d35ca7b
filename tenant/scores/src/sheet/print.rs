//! 打印成绩登记表: A4 upright, to be signed; one sheet after the other (part 04 §6.3).

use ::paper::{Cell, Line, Paper, Row, Side};
use infra::{Allowed, Body, Error, Result, across::Keyed, clock::Moment, transfer::Printed};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{
    enums::{ExamRound, ScoreMark},
    stat::figures,
};
use tokio::task::spawn_blocking;

use super::{
    PrintSheets, ScoreSheetLine, ScoreSheets,
    rows::{BANDS, ScoreSheetRow, rows_of, stat_of},
};

/// Widths of the columns, as shares; they stand twice beside each other.
const COLUMNS: [(&str, u16); 7] =
    [("序号", 7), ("学号", 20), ("姓名", 14), ("平时", 9), ("卷面", 9), ("总评", 14), ("备注", 14)];
/// Lines of a page: so many students stand below each other.
const LINES: usize = 30;

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
    credits: Option<f64>,
    /// None of what is assessed without an examination.
    examined_on: Option<String>,
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
            let of = sqlx::query!(
                r#"select (select max(s.credits)::float8 from score_sheet_row r join course_score s on s.id = r.course_score_id
                           where r.sheet_id = $1) as "credits?",
                          (select min(t.starts_at) from score_sheet_row r
                           join exam_candidate c on c.id = r.candidate_id
                           join exam_setup_time t on t.setup_id = c.setup_id
                           where r.sheet_id = $1) as "examined?: Moment""#,
                id
            )
            .fetch_one(&mut *tx)
            .await?;
            let examined_on = of.examined.map(|at| at.format("%Y-%m-%d").to_string());
            registers.push(Register { line, rows, credits: of.credits, examined_on });
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
    let Register { line, rows, credits, examined_on } = register;
    paper.heading("成绩登记表");
    paper.note(&format!(
        "登记表号：{}　课程：{}（{}）　学分：{}　班级：{}　学期：{}　考试日期：{}　批次：{}　性质：{}　录入人：{}",
        line.sheet_no,
        line.course_name,
        line.course_code,
        credits.map(|credits| format!("{credits:.1}")).unwrap_or_default(),
        line.class_name.as_deref().unwrap_or("—"),
        line.semester_name,
        examined_on.as_deref().unwrap_or("—"),
        line.batch_name,
        line.round.zh(),
        line.teacher_name.as_deref().unwrap_or("—"),
    ));
    let label = || COLUMNS.iter().map(|(heading, share)| Cell::label(*share, *heading));
    let head = Row::of(label().chain(label())).small();
    paper.space(2.0);
    for (page, both) in rows.chunks(2 * LINES).enumerate() {
        if page > 0 {
            paper.new_page();
        }
        let (left, right) = both.split_at(both.len().min(LINES));
        let lines = left.iter().enumerate().map(|(at, row)| {
            let no = page * 2 * LINES + at + 1;
            Row::of(cells_of(Some(row), no).into_iter().chain(cells_of(right.get(at), no + LINES))).small()
        });
        paper.listing(&head, lines.collect::<Vec<Row>>());
    }
    let (stat, _) = stat_of(rows);
    let figures = figures(&stat);
    let rate = |tenths: Option<i64>| tenths.map(|tenths| format!("{:.1}", tenths as f64 / 10.0)).unwrap_or_default();
    paper.space(2.0).note(&format!(
        "应考：{}　实考：{}　平均分：{}　及格率：{}%",
        line.total_count,
        line.entered_count - line.absent_count,
        rate(figures.mean),
        rate(figures.pass_rate),
    ));
    // 分布, the best first.
    let bands = || BANDS.iter().zip(figures.bands).rev();
    let names = Row::of(bands().map(|(name, _)| Cell::label(20, *name))).small();
    let counts = Row::of(bands().map(|(_, count)| Cell::value(20, format!("{count}人")))).small();
    paper.space(2.0).table([names, counts]).space(3.0);
    let signed = Line::of("任课教师：").signature(None).words("初审：").signature(None).words("终审：").signature(None);
    paper.line(&signed, Side::Right);
    paper.note(printed);
}

/// A student on a line, or the empty place beside the last ones.
fn cells_of(row: Option<&ScoreSheetRow>, no: usize) -> Vec<Cell> {
    let shown = |score: Option<f64>| score.map(|score| format!("{score}")).unwrap_or_default();
    let words = row.map_or_else(Default::default, |row| {
        let noted = match row.mark {
            _ if row.excluded => "不计".to_owned(),
            None | Some(ScoreMark::Normal) if row.round == ExamRound::First => String::new(),
            None | Some(ScoreMark::Normal) => row.round.zh().to_owned(),
            Some(mark) => mark.zh().to_owned(),
        };
        [
            no.to_string(),
            row.student_no.clone().unwrap_or_default(),
            row.name.clone(),
            shown(row.usual),
            shown(row.raw),
            row.text.clone(),
            noted,
        ]
    });
    COLUMNS.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word)).collect()
}
