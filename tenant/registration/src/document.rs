//! 入学登记表 as a paper of an archive: what the authority and the student said at the beginning (04 §11, paper 02).

use infra::{App, Error, Result, files};
use paper::{Cell, Paper, Picture, Row};
use sqlx::PgConnection;
use student_status::{
    enums::{ExamCategory, PreEduLevel, StudyForm},
    id_card::{Gender, IdCardType},
    roster::{Letterhead, letterhead},
    student::references::{Word, words},
};
use tokio::task::spawn_blocking;

/// Bytes of a picture that is drawn; what is larger is not looked at.
const LARGEST_PICTURE: usize = 10 << 20;
/// A row's height in millimetres.
const HIGH: f32 = 8.0;

/// 入学登记表 of a student, with whole numbers. Of somebody who came without a registration it says what the register does. None when
/// there is no such student.
///
/// # Errors
/// Those of the database and of the store.
pub async fn admission_form(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    student: i64,
) -> Result<Option<Paper>> {
    let row = sqlx::query!(
        r#"select y.name as "name!", y.gender as "gender?: Gender", y.birthday, y.ethnicity, y.political_status,
                  y.id_card_type as "id_card_type!: IdCardType", y.id_card_no as "id_card_no!", y.student_no, y.examinee_no, y.phone,
                  y.address, y.postal_code, y.work_unit, y.study_form as "form!: StudyForm",
                  y.schooling_years::float8 as "years!", y.enrolled_on as "enrolled_on!", g.name as "grade!", l.name as "level!",
                  m.name as "major!", t.name as "site!", k.name as "class?",
                  coalesce(a.pre_edu_level, y.pre_edu_level) as "pre_edu_level?: PreEduLevel",
                  coalesce(a.pre_edu_school, y.pre_edu_school) as pre_edu_school, y.pre_edu_major, y.pre_edu_certificate_no,
                  coalesce(a.pre_edu_graduated_on, y.pre_edu_graduated_on) as pre_edu_graduated_on,
                  coalesce(a.exam_category, y.exam_category) as "exam_category?: ExamCategory",
                  coalesce((a.total_score / 10.0)::float8, y.total_score::float8) as total_score,
                  a.ticket_no as "ticket_no?", a.admitted_on as "admitted_on?", a.work_started_on as "work_started_on?",
                  r.reported_at as "reported_at?: infra::clock::Moment", r.reported_by as "reported_by?", f.key as "photo?"
           from student y
           join grade g on g.id = y.grade_id
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           left join registration r on r.id = y.registration_id
           left join admission a on a.id = coalesce(y.admission_id, r.admission_id)
           left join file_object f on f.id = coalesce(y.enrol_photo_id, y.admission_photo_id) and f.state = 'stored'
           where y.id = $1"#,
        student
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let Letterhead { header, office, .. } = letterhead(app, connection).await?;
    let (ethnicities, political) = words(app).await?;
    let photo = picture(app, row.photo.as_deref()).await?;
    let word = |words: &[Word], value: Option<&str>| {
        let found = words.iter().find(|word| Some(word.value.as_str()) == value);
        found.map(|word| word.label.clone()).unwrap_or_default()
    };
    let text = |value: Option<String>| value.unwrap_or_default();
    let day = |value: Option<chrono::NaiveDate>| value.map(|day| day.to_string()).unwrap_or_default();
    let who = Cell::rows(
        80,
        vec![
            narrow(("姓名", row.name), ("性别", row.gender.map_or(String::new(), |gender| gender.zh().to_owned()))),
            narrow(("出生日期", day(row.birthday)), ("民族", word(&ethnicities, row.ethnicity.as_deref()))),
            Row::of([Cell::label(15, row.id_card_type.zh()), Cell::value(65, row.id_card_no)]).high(HIGH),
            narrow(("学号", text(row.student_no)), ("考生号", text(row.examinee_no))),
            narrow(("政治面貌", word(&political, row.political_status.as_deref())), ("联系电话", text(row.phone))),
        ],
    );
    let mut paper = Paper::new("入学登记表", header.unwrap_or_else(|| school.to_owned()));
    paper.heading("入学登记表");
    if let Some(office) = &office {
        paper.note(office);
    }
    paper.table([
        Row::of([who, Cell::picture(20, photo.as_ref(), "照片")]),
        wide(("通讯地址", text(row.address)), ("邮编", text(row.postal_code))),
        wide(("工作单位", text(row.work_unit)), ("参加工作日期", day(row.work_started_on))),
        part("录取"),
        wide(("年级", row.grade), ("层次", row.level)),
        wide(("专业", row.major), ("学习形式", row.form.zh().to_owned())),
        wide(("学制", format!("{}年", row.years)), ("入学日期", row.enrolled_on.to_string())),
        wide(("教学站点", row.site), ("班级", text(row.class))),
        wide(
            ("准考证号", text(row.ticket_no)),
            ("科类", row.exam_category.map_or(String::new(), |category| category.zh().to_owned())),
        ),
        wide(
            ("总分", row.total_score.map(|score| score.to_string()).unwrap_or_default()),
            ("录取日期", day(row.admitted_on)),
        ),
        part("入学前学历"),
        wide(
            ("学历", row.pre_edu_level.map_or(String::new(), |level| level.zh().to_owned())),
            ("毕业日期", day(row.pre_edu_graduated_on)),
        ),
        wide(("毕业院校", text(row.pre_edu_school)), ("专业", text(row.pre_edu_major))),
        wide(("证书编号", text(row.pre_edu_certificate_no)), ("", String::new())),
        part("报到"),
        wide(
            ("报到时间", row.reported_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()),
            ("经办人", text(row.reported_by)),
        ),
    ]);
    Ok(Some(paper))
}

async fn picture(app: &App, key: Option<&str>) -> Result<Option<Picture>> {
    let Some(key) = key else { return Ok(None) };
    let bytes = files::beginning(app, key, LARGEST_PICTURE + 1).await?;
    let Some(bytes) = bytes.filter(|bytes| bytes.len() <= LARGEST_PICTURE) else { return Ok(None) };
    spawn_blocking(move || Picture::read(&bytes)).await.map_err(Error::internal)
}

/// Two facts beside the photo.
fn narrow(one: (&str, String), other: (&str, String)) -> Row {
    let cells = [Cell::label(15, one.0), Cell::value(25, one.1), Cell::label(15, other.0), Cell::value(25, other.1)];
    Row::of(cells).high(HIGH)
}

/// Two facts over the whole width.
fn wide(one: (&str, String), other: (&str, String)) -> Row {
    let cells = [Cell::label(15, one.0), Cell::value(40, one.1), Cell::label(15, other.0), Cell::value(30, other.1)];
    Row::of(cells).high(HIGH)
}

fn part(title: &str) -> Row {
    Row::of([Cell::label(100, title)]).high(HIGH)
}
