//! 成绩单: what a student has of published scores, on paper, with a number by which it is verified (part 04 §7).

use ::paper::{Cell, Paper, Picture, Row};
use infra::{App, Error, Result, Tx, files};
use scores_rules::verify;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use student_status::roster::{Letterhead, letterhead, seal_key};

use crate::offered::standing_of;

/// Pictures are not read beyond this.
const MOST_BYTES: usize = 4 << 20;
/// Of the photograph and the seal, in millimetres.
const PHOTO: (f32, f32) = (26.0, 36.0);

/// A transcript that was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub student: i64,
    pub verification_no: String,
}

/// A line of a transcript.
struct Course {
    semester: String,
    name: String,
    nature: String,
    credits: f64,
    text: String,
}

/// What stands on a transcript.
pub(crate) struct Loaded {
    header: String,
    office: Option<String>,
    seal: Option<Picture>,
    photo: Option<Picture>,
    fields: Vec<(&'static str, String)>,
    courses: Vec<Course>,
    thesis: Option<String>,
    totals: String,
    verification_no: String,
}

/// Issues a transcript to each of these students: its number, and what it says now.
///
/// # Errors
/// 409 for a student without a published score.
pub async fn issue(tx: &mut Tx, students: &[i64]) -> Result<Vec<Issue>> {
    let by = tx.by();
    let name = tx.actor().name.clone();
    let mut issues = Vec::with_capacity(students.len());
    for student in students {
        let rows = sqlx::query!(
            r#"select e.name as "semester!", u.code as "code!", u.name as "course!", t.credits::float8 as "credits!",
                      t.display_text as "text!"
               from transcript_score t join semester e on e.id = t.semester_id join course u on u.id = t.course_id
               where t.student_id = $1 order by e.starts_on, u.code"#,
            student
        )
        .fetch_all(&mut **tx)
        .await?;
        if rows.is_empty() {
            let who = sqlx::query_scalar!("select name from student where id = $1", student)
                .fetch_optional(&mut **tx)
                .await?
                .ok_or_else(Error::not_found)?;
            return Err(Error::conflict(format!("“{who}”没有已发布的成绩，不能打印成绩单")));
        }
        let lines: Vec<Value> = rows
            .into_iter()
            .map(|row| {
                json!({ "semester": row.semester, "code": row.code, "course": row.course, "credits": row.credits, "text": row.text })
            })
            .collect();
        let content = json!({ "scores": lines });
        let digest: String =
            Sha256::digest(content.to_string().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let verification_no = verify::code(u128::from_le_bytes(tx.app().random().bytes()));
        sqlx::query!(
            "insert into transcript_issue (student_id, verification_no, content, sha256, issued_by_name, created_by)
             values ($1, $2, $3, $4, $5, $6)",
            student,
            verification_no,
            content,
            digest,
            name,
            by
        )
        .execute(&mut **tx)
        .await?;
        issues.push(Issue { student: *student, verification_no });
    }
    Ok(issues)
}

/// The transcript of a student that was issued, drawn.
///
/// # Errors
/// 404 for no student.
pub async fn paper(app: &App, connection: &mut PgConnection, student: i64, issue: &Issue) -> Result<Paper> {
    let loaded = loaded(app, connection, student, issue).await?;
    tokio::task::spawn_blocking(move || drawn(&[loaded])).await.map_err(Error::internal)
}

async fn picture(app: &App, key: Option<&str>) -> Result<Option<Picture>> {
    let Some(key) = key else { return Ok(None) };
    let Some(bytes) = files::beginning(app, key, MOST_BYTES).await? else { return Ok(None) };
    tokio::task::spawn_blocking(move || Picture::read(&bytes)).await.map_err(Error::internal)
}

/// Reads what stands on it.
///
/// # Errors
/// 404 for no student.
pub(crate) async fn loaded(app: &App, connection: &mut PgConnection, student: i64, issue: &Issue) -> Result<Loaded> {
    let row = sqlx::query!(
        r#"select y.name, y.student_no, y.gender, y.id_card_no, g.name as grade, l.name as level, m.name as major,
                  k.name as "class?", y.study_form as "study_form: student_status::enums::StudyForm",
                  y.schooling_years::float8 as "years!", y.enrolled_on,
                  coalesce(case when y.status in ('graduated', 'completed') then y.ended_on end, y.expected_graduation_on)
                      as "graduation_on!", f.key as "photo?"
           from student y
           join grade g on g.id = y.grade_id
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           left join class k on k.id = y.class_id
           left join file_object f on f.id = coalesce(y.graduation_photo_id, y.enrol_photo_id, y.admission_photo_id)
           where y.id = $1"#,
        student
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let courses = sqlx::query!(
        r#"select e.name as "semester!", u.name as "course!", t.nature as "nature!: teaching_plan::enums::CourseNature",
                  t.credits::float8 as "credits!", t.display_text as "text!"
           from transcript_score t join semester e on e.id = t.semester_id join course u on u.id = t.course_id
           where t.student_id = $1 order by e.starts_on, u.code"#,
        student
    )
    .fetch_all(&mut *connection)
    .await?;
    let thesis = sqlx::query!(
        r#"select x.title as "title?", g.total::float8 as "total?", g.grade_word
           from thesis x left join graduation_score g on g.thesis_id = x.id and g.status in ('published', 'locked')
           where x.student_id = $1 and x.status in ('active', 'finished') order by x.attempt_no desc limit 1"#,
        student
    )
    .fetch_optional(&mut *connection)
    .await?;
    let standing = standing_of(connection, &[student]).await?.remove(&student).unwrap_or_default();
    let Letterhead { header, office, .. } = letterhead(app, connection).await?;
    let seal = seal_key(app, connection).await?;
    let (seal, photo) = (picture(app, seal.as_deref()).await?, picture(app, row.photo.as_deref()).await?);
    let shown = |value: Option<i64>, by: i64, places: usize| {
        value.map_or_else(|| "—".to_owned(), |value| format!("{:.places$}", value as f64 / by as f64))
    };
    let totals = format!(
        "学分：{}　平均分：{}　平均绩点：{}",
        shown(Some(standing.earned), 10, 1),
        shown(standing.average, 10, 1),
        shown(standing.gpa, 100, 2)
    );
    let gender = match row.gender.as_deref() {
        Some("male") => "男",
        Some("female") => "女",
        _ => "",
    };
    let day = |date: chrono::NaiveDate| date.format("%Y-%m-%d").to_string();
    let fields = vec![
        ("姓名", row.name),
        ("学号", row.student_no.unwrap_or_default()),
        ("性别", gender.to_owned()),
        ("证件号", row.id_card_no),
        ("年级", row.grade),
        ("层次", row.level),
        ("专业", row.major),
        ("班级", row.class.unwrap_or_default()),
        ("学习形式", row.study_form.zh().to_owned()),
        ("学制", format!("{}年", row.years)),
        ("入学日期", day(row.enrolled_on)),
        ("毕业日期", day(row.graduation_on)),
    ];
    let thesis = thesis.and_then(|row| {
        let title = row.title?;
        let score = row.grade_word.or_else(|| row.total.map(|total| total.to_string())).unwrap_or_default();
        Some(format!("毕业论文：{title}　{score}"))
    });
    Ok(Loaded {
        header: header.unwrap_or_default(),
        office,
        seal,
        photo,
        fields,
        courses: courses
            .into_iter()
            .map(|row| Course {
                semester: row.semester,
                name: row.course,
                nature: row.nature.zh().to_owned(),
                credits: row.credits,
                text: row.text,
            })
            .collect(),
        thesis,
        totals,
        verification_no: issue.verification_no.clone(),
    })
}

/// Draws transcripts, each on pages of its own.
pub(crate) fn drawn(all: &[Loaded]) -> Paper {
    let mut paper = Paper::new("成绩单", all.first().map_or(String::new(), |one| one.header.clone()));
    for (place, one) in all.iter().enumerate() {
        if place > 0 {
            paper.new_page();
        }
        draw(&mut paper, one);
    }
    paper
}

fn draw(paper: &mut Paper, one: &Loaded) {
    paper.heading("学生成绩单");
    if let Some(office) = &one.office {
        paper.note(office);
    }
    if let Some(photo) = &one.photo {
        paper.picture(photo, PHOTO.0, PHOTO.1).space(2.0);
    }
    let rows = one.fields.chunks(3).map(|three| {
        let cells = three.iter().flat_map(|(label, value)| [Cell::label(10, *label), Cell::value(24, value.as_str())]);
        Row::of(cells).small()
    });
    paper.table(rows).space(2.0);
    // Two courses beside each other, semester by semester.
    let head = ["学期", "课程", "性质", "学分", "成绩"];
    let shares = [14, 22, 7, 6, 11];
    let label = || head.iter().zip(shares).map(|(heading, share)| Cell::label(share, *heading));
    let head_row = Row::of(label().chain(label())).small();
    let cells = |course: Option<&Course>| -> Vec<Cell> {
        let words = match course {
            Some(course) => [
                course.semester.clone(),
                course.name.clone(),
                course.nature.clone(),
                format!("{:.1}", course.credits),
                course.text.clone(),
            ],
            None => Default::default(),
        };
        words.into_iter().zip(shares).map(|(word, share)| Cell::value(share, word)).collect()
    };
    let lines: Vec<Row> = one
        .courses
        .chunks(2)
        .map(|two| Row::of(cells(two.first()).into_iter().chain(cells(two.get(1)))).small())
        .collect();
    paper.listing(&head_row, lines).space(2.0);
    if let Some(thesis) = &one.thesis {
        paper.note(thesis);
    }
    paper.note(&one.totals);
    let foot = Cell::passage(60, format!("验证码：{}", one.verification_no)).seal(one.seal.as_ref());
    paper.space(2.0).table([Row::of([foot]).high(44.0)]);
}
