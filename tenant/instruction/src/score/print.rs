//! 打印面授成绩登记表: a class of a course on A4 upright, to be signed (part 03 B8).

use ::paper::{Cell, Line, Paper, Row, Side};
use infra::{Allowed, Error, Result, Scope, transfer::Printed};
use poem_openapi::{OpenApi, param::Query};
use tokio::task::spawn_blocking;

use super::{
    InstructionScore, InstructionScoreFilter, PrintScores,
    select::{in_order, parts},
};

/// Widths of the columns, as shares.
const COLUMNS: [(&str, u16); 7] =
    [("序号", 8), ("学号", 22), ("姓名", 16), ("应到/实到", 14), ("出勤", 12), ("表现", 12), ("总成绩", 14)];

/// What stands on the sheet.
#[derive(Debug)]
struct Register {
    school: String,
    semester: String,
    course: String,
    class: String,
    teacher: String,
    lines: Vec<InstructionScore>,
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction", tag = "crate::Tag::Instruction")]
impl Prints {
    /// 打印面授成绩登记表
    /// 一个班级一门课程，A4纵向
    #[oai(path = "/print", method = "get", operation_id = "printInstructionScores")]
    async fn print(
        &self,
        caller: Allowed<PrintScores>,
        /// 开课
        #[oai(name = "openingId")]
        opening_id: Query<i64>,
        /// 班级
        #[oai(name = "classId")]
        class_id: Query<i64>,
    ) -> Result<Printed> {
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let scope: Scope = caller.scope();
        let mut tx = caller.read().await?;
        let filter = InstructionScoreFilter {
            opening_id: Some(opening_id.0),
            class_id: Some(class_id.0),
            ..InstructionScoreFilter::default()
        };
        let mut lines = Vec::new();
        for part in parts(&mut tx, &filter, &scope).await? {
            lines.extend(in_order(&mut tx, &part).await?);
        }
        let Some(first) = lines.first() else {
            return Err(Error::new(404, "该班级没有这门课程的名单"));
        };
        let (semester, course) = (first.semester_name.clone(), first.course_name.clone());
        let class = first.class_name.clone().unwrap_or_default();
        let teacher = sqlx::query_scalar!(
            "select t.name from course_allocation a join teacher t on t.id = a.teacher_id
             where a.opening_id = $1 and a.role = 'lecturer' and (a.class_id is null or a.class_id = $2)
             order by a.class_id nulls last limit 1",
            opening_id.0,
            class_id.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .unwrap_or_default();
        drop(tx);
        let name = format!("面授成绩登记表_{course}_{class}.pdf");
        let register = Register { school, semester, course, class, teacher, lines };
        let drawn = spawn_blocking(move || sheet(&register).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name, bytes })
    }
}

fn sheet(register: &Register) -> Paper {
    let Register { school, semester, course, class, teacher, lines } = register;
    let mut sheet = Paper::new(format!("面授成绩登记表 {course} {class}"), school.clone());
    sheet.heading("面授成绩登记表");
    sheet.note(&format!("学期：{semester}　课程：{course}　班级：{class}　教师：{teacher}　人数：{}", lines.len()));
    let head = Row::of(COLUMNS.iter().map(|(heading, share)| Cell::label(*share, *heading))).small();
    sheet.space(2.0).listing(&head, lines.iter().zip(1..).map(|(line, no)| row(line, no)));
    sheet.space(3.0);
    let signed = Line::of("任课教师：").signature(None).words("站点负责人：").signature(None).words("　年　月　日");
    sheet.line(&signed, Side::Right);
    sheet
}

fn row(line: &InstructionScore, no: i32) -> Row {
    let shown = |score: Option<f64>| score.map(|score| format!("{score:.1}")).unwrap_or_default();
    let words = [
        no.to_string(),
        line.student_no.clone().unwrap_or_default(),
        line.name.clone(),
        format!("{}/{}", line.required_sessions, line.attended_count),
        shown(line.attendance_score),
        shown(line.performance_score),
        shown(line.total_score),
    ];
    Row::of(COLUMNS.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
}
