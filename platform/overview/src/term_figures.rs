//! What goes on in the year and the semester of a school: who is admitted and comes, what is taught and examined, who finishes, who
//! studies and signs in (05 A7). Sums of the statistics where there are such, cheap counts else.

use chrono::{Datelike, NaiveDate};
use infra::{ReadTx, Result, Scope, clock::Moment};

use crate::figures::{Card, Chart, ChartKind, DAYS, Figures, Todo, by_day};

const ADMISSIONS_CODE: &str = "adult:pc:admission:list";
const REGISTRATIONS_CODE: &str = "adult:pc:registration:list";
const OPENINGS_CODE: &str = "adult:pc:courseOpening:list";
const EXAMS_CODE: &str = "data:pc:examinationStatistics:list";
const GRADUATES_CODE: &str = "adult:pc:graduate:user:list";
const STUDY_CODE: &str = "data:pc:statistics:list";
const MARKING: &str = "/schoolPC/educational/onlineWork/onlineWorkMarking";
const MARKING_CODE: &str = "exam:pc:tasks:marking:list";
const SUPERVISE_CODE: &str = "adult:pc:supervise:list";
const SUPERVISE: &str = "/schoolPC/superVisor/studentSupervisor";

pub(crate) async fn add(
    tx: &mut ReadTx,
    scope: &Scope,
    today: NaiveDate,
    now: Moment,
    figures: &mut Figures,
) -> Result<()> {
    recruited(tx, scope, today, now, figures).await?;
    taught(tx, scope, figures).await?;
    learning(tx, scope, today, figures).await?;
    reviewed(tx, scope, figures).await?;
    marked(tx, scope, figures).await?;
    supervised(tx, scope, figures).await
}

/// Of the grades of the year, and of the newest batch of pre-registration that is open.
async fn recruited(tx: &mut ReadTx, scope: &Scope, today: NaiveDate, now: Moment, figures: &mut Figures) -> Result<()> {
    let counts = sqlx::query!(
        r#"with newest as (
               select id, name from pre_registration_batch
               where enabled and starts_at <= $2 and ends_at > $2 order by starts_at desc, id desc limit 1),
           applied as (
               select p.id from pre_registration p
               where p.deleted_at is null and p.batch_id = (select n.id from newest n)
                 and ($1::bigint[] is null or p.site_id = any($1)))
           select (select n.name from newest n) as batch,
                  (select count(*) from admission a join grade g on g.id = a.grade_id and g.entry_year = $3
                   where a.deleted_at is null and a.status <> 'cancelled'
                     and ($1::bigint[] is null or a.site_id = any($1))) as "admitted!",
                  (select count(*) from applied x join admission a on a.pre_registration_id = x.id
                   where a.deleted_at is null and a.status <> 'cancelled') as "of_batch!",
                  (select count(*) from applied x join admission a on a.pre_registration_id = x.id and a.deleted_at is null
                   join registration r on r.admission_id = a.id and r.deleted_at is null
                   where r.status = 'reported') as "reported!""#,
        scope.sites(),
        now as _,
        today.year()
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.cards.push(
        Card::new("admittedThisYear", "本年录取", counts.admitted, "人", "本年年级的录取名单，不含已取消")
            .of(ADMISSIONS_CODE),
    );
    if let Some(batch) = counts.batch {
        figures.cards.extend([
            Card::new("batchAdmitted", "本批次录取", counts.of_batch, "人", &format!("{batch}的预报名中已录取的"))
                .of(ADMISSIONS_CODE),
            Card::new("batchReported", "本批次报到", counts.reported, "人", &format!("{batch}的预报名中已报到的"))
                .of(REGISTRATIONS_CODE),
        ]);
    }
    Ok(())
}

/// Of the current semester, and of the batch of graduation that runs.
async fn taught(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let counts = sqlx::query!(
        r#"select (select count(*) from course_opening o join semester e on e.id = o.semester_id and e.current
                   where o.status = 'opened' and o.teaching_mode in ('online', 'blended')
                     and ($1::bigint[] is null or exists (
                          select from stat_opening_class s
                          where s.opening_id = o.id and (s.site_id = any($1) or s.class_id = any($2::bigint[]))))) as "online!",
                  (select count(*) from exam_setup t join semester e on e.id = t.semester_id and e.current
                   where t.status in ('published', 'closed')
                     and ($1::bigint[] is null or exists (
                          select from stat_exam_class s
                          where s.setup_id = t.id and (s.site_id = any($1) or s.class_id = any($2::bigint[]))))) as "exams!",
                  (select count(*) from graduation_user g
                   join graduation_batch b on b.id = g.batch_id and b.status = 'auditing'
                   join student y on y.id = g.student_id
                   where g.status not in ('removed', 'revoked')
                     and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))) as "graduates!""#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.cards.extend([
        Card::new("onlineCourses", "在线课程数", counts.online, "门次", "本学期已开课的在线和混合课程")
            .of(OPENINGS_CODE),
        Card::new("exams", "本学期考试场次", counts.exams, "场", "本学期已发布和已结束的考试").of(EXAMS_CODE),
        Card::new("graduates", "应届毕业人数", counts.graduates, "人", "审核中的毕业批次的毕业生").of(GRADUATES_CODE),
    ]);
    Ok(())
}

/// Who studied and who signed in on each of thirty days.
async fn learning(tx: &mut ReadTx, scope: &Scope, today: NaiveDate, figures: &mut Figures) -> Result<()> {
    let from = today - chrono::Duration::days(DAYS - 1);
    let rows = sqlx::query!(
        r#"select d.date as "date!", sum(d.learners)::bigint as "learners!", sum(d.login_students)::bigint as "signed_in!"
           from stat_class_day d
           where d.course_id = 0 and d.date between $3 and $4
             and ($1::bigint[] is null or d.site_id = any($1) or d.class_id = any($2::bigint[]))
           group by d.date"#,
        scope.sites(),
        scope.classes(),
        from,
        today
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Ok(());
    }
    let on = |day: NaiveDate| rows.iter().find(|row| row.date == day);
    let mut chart = Chart::new(
        "learning",
        "近30天学习与登录",
        ChartKind::Line,
        "人",
        "每天有学习记录的学生和登录过的学生",
        vec![
            by_day("学习人数", today, |day| on(day).map_or(0, |row| row.learners)),
            by_day("登录人数", today, |day| on(day).map_or(0, |row| row.signed_in)),
        ],
    );
    chart.code = Some(STUDY_CODE.to_owned());
    figures.charts.push(chart);
    Ok(())
}

/// Forms that students handed in and nobody reviewed (02 §11).
async fn reviewed(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let rows = sqlx::query!(
        r#"select i.kind, count(*) as "count!", min(i.submitted_at) as "oldest: Moment"
           from student_information i join student s on s.id = i.student_id
           where i.kind in ('admission_information', 'admission_commitment', 'graduation_information') and i.status = 'submitted'
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
           group by i.kind"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    for (kind, key, title, page, code) in [
        ("admission_information", "pendingInformation", "待审核的学籍注册信息", "information", "admissionInformation"),
        ("admission_commitment", "pendingCommitments", "待审核的入学资格", "qualification", "admissionCommitment"),
        ("graduation_information", "pendingGraduation", "待审核的毕业登记", "graduation", "graduationInformation"),
    ] {
        let found = rows.iter().find(|row| row.kind == kind);
        let (count, oldest) = found.map_or((0, None), |row| (row.count, row.oldest));
        let link = format!("/schoolPC/information/{page}/studentStatistics?status=submitted");
        figures.todos.push(Todo::new(key, title, count, link, &format!("user:pc:{code}:list")).since(oldest));
    }
    Ok(())
}

/// Homework of the current semester that waits for its marker; of all of them where none is current, as the list has it.
async fn marked(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let semester = sqlx::query_scalar!("select id from semester where current").fetch_optional(&mut **tx).await?;
    let waiting = sqlx::query!(
        r#"select count(*) as "count!", min(a.submitted_at) as "oldest: Moment"
           from answer_sheet a
           join homework_student s on s.id = a.homework_student_id
           left join homework h on h.id = s.homework_id
           where a.mark_state = 'submitted' and s.state not in ('exempt', 'void')
             and ($3::bigint is null or h.semester_id = $3)
             and ($1::bigint[] is null or s.selection_id in (
                     select z.id from course_selection z join student y on y.id = z.student_id
                     where y.site_id = any($1) or y.class_id = any($2::bigint[])))"#,
        scope.sites(),
        scope.classes(),
        semester
    )
    .fetch_one(&mut **tx)
    .await?;
    let of_semester = semester.map(|id| format!("&semesterId={id}")).unwrap_or_default();
    let link = format!("{MARKING}?tab=pending{of_semester}");
    figures
        .todos
        .push(Todo::new("unmarkedHomework", "待批阅的作业", waiting.count, link, MARKING_CODE).since(waiting.oldest));
    Ok(())
}

/// Cases of the highest level that nobody took up.
async fn supervised(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let waiting = sqlx::query!(
        r#"select count(*) as "count!", min(c.first_flagged_at) as "oldest: Moment"
           from supervise_case c join student s on s.id = c.student_id
           where c.status = 'open' and c.level = 'red'
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let link = format!("{SUPERVISE}?status=open&level=red");
    figures
        .todos
        .push(Todo::new("redCases", "红色督学预警", waiting.count, link, SUPERVISE_CODE).since(waiting.oldest));
    Ok(())
}
