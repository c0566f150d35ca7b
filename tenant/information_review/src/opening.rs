//! Who has to fill in which form: 学籍注册信息 and 入学资格审查 of everybody who reports, and of whoever else is active in a grade when
//! its window begins; 毕业登记 of the registered students of a grade whose window has begun (02 §11.1). Whoever comes later, also when
//! the window has ended, has a form too: staff fill in what was signed on paper.

use futures_util::future::BoxFuture;
use infra::{
    Change, Part, Result, Tx,
    directory::School,
    files,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use poem_openapi::types::Any;
use serde_json::json;
use student_status::nightly::in_each_school;

use crate::enums::InformationKind;

const JOB: JobKind =
    JobKind { kind: "information.opening", code: None, headings: None, run: |run| Box::pin(work(run)) };
const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "生成待提交的学生信息", when: When::Every { minutes: 10 } };

pub const PART: Part = Part { jobs: &[JOB], schedules: &[SCHEDULE], leaving: Some(leaving), ..Part::NONE };

/// Opens both forms of students who have just come. Whether the former education is checked depends on the level: of 专升本 alone.
///
/// # Errors
/// Those of the database.
pub async fn arrived(tx: &mut Tx, students: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into student_information (kind, student_id, chsi_pre_check, created_by, updated_by)
         select k.kind, s.id,
                case when k.kind = 'admission_commitment'
                     then case l.entry_level when 'associate_to_bachelor' then 'pending' else 'not_required' end end,
                $2, $2
         from student s join level l on l.id = s.level_id,
              (values ('admission_information'), ('admission_commitment')) as k (kind)
         where s.id = any($1) order by s.id
         on conflict do nothing",
        students,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Another level is another former education: that of 专升本 is checked with 学信网, of nobody else.
///
/// # Errors
/// Those of the database.
pub async fn levelled(tx: &mut Tx, student: i64) -> Result<()> {
    let by = tx.by();
    let moved = sqlx::query!(
        r#"update student_information i
           set chsi_pre_check = case l.entry_level when 'associate_to_bachelor' then 'pending' else 'not_required' end,
               chsi_checked_on = null, updated_at = now(), updated_by = $2, version = i.version + 1
           from student s join level l on l.id = s.level_id
           where i.student_id = $1 and i.kind = 'admission_commitment' and s.id = i.student_id
             and (i.chsi_pre_check = 'not_required') = (l.entry_level = 'associate_to_bachelor')
           returning i.id, i.chsi_pre_check as "now!""#,
        student,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let told: Vec<Change> = moved
        .into_iter()
        .map(|row| Change::event("student_information", row.id, "level", json!({ "chsiPreCheck": row.now })))
        .collect();
    tx.record(&told).await
}

/// Takes back the forms of a student whose report is taken back, as long as nothing was filled in.
///
/// # Errors
/// Those of the database.
pub async fn departing(tx: &mut Tx, student: i64) -> Result<()> {
    let gone = sqlx::query!(
        "delete from student_information
         where student_id = $1 and status = 'not_submitted' and content = '{}' and signature_id is null and photo_id is null
           and not exists (select from student_information_file f where f.student_information_id = student_information.id)
           and not exists (select from student_information_step t where t.student_information_id = student_information.id)
         returning id, kind",
        student
    )
    .fetch_all(&mut **tx)
    .await?;
    let told: Vec<Change> = gone.into_iter().map(|form| deleted(form.id, student, &form.kind)).collect();
    tx.record(&told).await
}

/// Forms that opened by themselves keep nobody in the register who was entered by mistake.
fn leaving<'a>(tx: &'a mut Tx, table: &'static str, id: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { if table == "student" { departing(tx, id).await } else { Ok(()) } })
}

fn deleted(form: i64, student: i64, kind: &str) -> Change {
    Change::deleted("student_information", form, &Any(json!({ "studentId": student, "kind": kind })))
}

/// The forms of a student who was never one, whatever was filled in: 学信网 did not take them (02 §9.9). Their files are nobody's from
/// then on, and are swept away: what is undone keeps them.
///
/// # Errors
/// Those of the database.
pub async fn struck(tx: &mut Tx, student: i64) -> Result<()> {
    let forms = sqlx::query_scalar!("select id from student_information where student_id = $1 order by id", student)
        .fetch_all(&mut **tx)
        .await?;
    let papers = files::of_records(tx, "student_information", &forms).await?;
    sqlx::query!("delete from student_information_file where student_information_id = any($1)", &forms)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from student_information_step where student_information_id = any($1)", &forms)
        .execute(&mut **tx)
        .await?;
    let gone = sqlx::query!("delete from student_information where id = any($1) returning id, kind", &forms)
        .fetch_all(&mut **tx)
        .await?;
    files::let_go(tx, &papers).await?;
    let told: Vec<Change> = gone.into_iter().map(|form| deleted(form.id, student, &form.kind)).collect();
    tx.record(&told).await
}

/// Forms that one transaction opens; the insert of as many is far from the time limit of a call.
const PART_OF_WINDOW: i64 = 20_000;

/// Opens forms that the students of a window still lack, once it has begun, as many as a transaction takes, and of nobody whom
/// somebody else holds just now; answers how many. The job opens what is left.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_window(tx: &mut Tx, kind: InformationKind, window: i64) -> Result<u64> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let opened = sqlx::query!(
        "insert into student_information (kind, student_id, chsi_pre_check, photo_check, created_by, updated_by)
         select g.kind, s.id,
                case when g.kind = 'admission_commitment'
                     then case l.entry_level when 'associate_to_bachelor' then 'pending' else 'not_required' end end,
                case when g.kind = 'graduation_information' then 'pending' end, $4, $4
         from information_window w
         join information_window_grade g on g.information_window_id = w.id and g.enabled
         join student s on s.grade_id = g.grade_id
         join level l on l.id = s.level_id
         where w.id = $1 and w.kind = $2 and w.opens_at <= $3
           and s.active and (g.kind <> 'graduation_information' or s.status = 'registered')
           and not exists (select from student_information i where i.student_id = s.id and i.kind = g.kind)
         order by s.id limit $5 for key share of s skip locked
         on conflict do nothing",
        window,
        kind.as_str(),
        now as _,
        by,
        PART_OF_WINDOW
    )
    .execute(&mut **tx)
    .await?;
    Ok(opened.rows_affected())
}

async fn work(run: JobRun) -> Result<Outcome> {
    let (opened, errors) = in_each_school(&run, "生成待提交的学生信息", of_school).await?;
    Ok(Outcome { message: format!("已生成{opened}条待提交的学生信息"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let open = sqlx::query!(
        r#"select id, kind as "kind: InformationKind" from information_window
           where enabled and opens_at <= $1 order by id"#,
        now as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut all = 0;
    for window in open {
        loop {
            let mut tx = run.begin_in(school).await?;
            let opened = of_window(&mut tx, window.kind, window.id).await?;
            if opened == 0 {
                break;
            }
            let what = json!({ "opened": opened });
            tx.commit(Change::event("information_window", window.id, "open", what)).await?;
            all += usize::try_from(opened).unwrap_or(usize::MAX);
        }
    }
    Ok(all)
}
