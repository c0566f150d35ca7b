//! The school whose every list is measured: 200,000 students in 2,000 classes, and what else a school keeps. It lies in a database of its
//! own, where no worker runs: what is due of so much would be worked on beside what is measured.

use infra::{App, pinyin};
use sqlx::{AssertSqlSafe, Executor, FromRow, PgConnection, PgPool};

use crate::{
    Anything,
    place::{known, open},
};

/// Its code.
const CODE: &str = "lists";

/// What people are called: every surname with every two characters.
const SURNAMES: [&str; 20] = [
    "王", "李", "张", "刘", "陈", "杨", "黄", "赵", "吴", "周", "徐", "孙", "马", "朱", "胡", "郭", "何", "高", "林",
    "罗",
];
const GIVEN: [&str; 24] = [
    "伟", "芳", "敏", "静", "丽", "强", "磊", "军", "洋", "勇", "艳", "杰", "娟", "涛", "明", "超", "霞", "平", "刚",
    "桂", "英", "华", "玉", "文",
];

/// Rows that the filters name.
#[derive(FromRow)]
pub struct Sample {
    pub grade: i64,
    pub level: i64,
    pub organization: i64,
    pub department: i64,
    pub site: i64,
    pub major: i64,
    pub class: i64,
    pub class_code: String,
    pub manager: i64,
    pub manager_name: String,
    pub teacher_name: String,
    pub staff_name: String,
    pub curriculum_type: i64,
    pub course: i64,
    pub record: i64,
    pub record_name: String,
    pub lecturer: String,
    pub chapter: i64,
    pub student: i64,
    pub student_no: String,
    pub student_name: String,
    pub student_initials: String,
    pub id_card_no: String,
    pub phone: String,
    pub examinee_no: String,
    pub pre_registration_batch: i64,
    pub enrollment_batch: i64,
    pub admission_import: i64,
    pub change_batch: i64,
}

/// Rows that the filters of teaching and examinations name; those of what is over are of the spring.
#[derive(FromRow)]
pub struct Taught {
    pub semester: i64,
    pub last_semester: i64,
    /// What the student of [`Sample`] takes now.
    pub course: i64,
    pub course_code: String,
    pub opening: i64,
    pub bank: i64,
    pub point: i64,
    pub chapter: i64,
    pub paper: i64,
    pub plan: i64,
    pub homework: i64,
    /// What they took in the spring face to face, and was examined on paper.
    pub met_course: i64,
    pub met_opening: i64,
    pub teacher: i64,
    pub classroom: i64,
    pub lesson: i64,
    /// What they studied and answered on the net.
    pub net_course: i64,
    pub batch: i64,
    pub active_batch: i64,
    pub makeup_batch: i64,
    pub session: i64,
    pub offline_setup: i64,
    pub online_setup: i64,
    pub attempt: i64,
    pub sheet: i64,
    pub thesis_plan: i64,
    pub adviser: i64,
    pub graduation_batch: i64,
    pub auditing_batch: i64,
    pub graduate_no: String,
    pub graduate_name: String,
    pub graduate_site: i64,
    pub graduate_major: i64,
    pub certificate: String,
}

/// The school, opened once; needs a worker.
pub async fn opened(app: &App) -> Result<i64, Anything> {
    match known(app, CODE).await? {
        Some(id) => Ok(id),
        None => open(app, CODE, "列表大学").await,
    }
}

/// Its rows, which are laid once and kept.
pub async fn lay_once(app: &App, school: i64) -> Result<(), Anything> {
    let owner = app.db().owner();
    // All of them or none: they come in one transaction.
    let found: bool = sqlx::query_scalar(AssertSqlSafe(format!("select exists (select from school_{school}.student)")))
        .fetch_one(owner)
        .await?;
    if !found {
        lay(owner, school).await?;
    }
    settle(owner, &format!("school_{school}")).await
}

async fn lay(owner: &PgPool, school: i64) -> Result<(), Anything> {
    let mut tx = owner.begin().await?;
    tx.execute(AssertSqlSafe(format!("set local search_path = school_{school}, ext"))).await?;
    name_people(&mut tx).await?;
    tx.execute(include_str!("large_school.sql")).await?;
    tx.execute("analyze student").await?;
    tx.execute(include_str!("large_recruitment.sql")).await?;
    tx.execute("analyze student_change, student_correction").await?;
    tx.execute(include_str!("large_history.sql")).await?;
    tx.execute(include_str!("large_teaching.sql")).await?;
    tx.execute(include_str!("large_examinations.sql")).await?;
    tx.commit().await?;
    Ok(())
}

/// A table of what people are called, `person`, until the transaction ends.
pub async fn name_people(connection: &mut PgConnection) -> Result<(), Anything> {
    let (mut names, mut grams, mut syllables, mut initials) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for surname in SURNAMES {
        for first in GIVEN {
            for second in GIVEN {
                let name = format!("{surname}{first}{second}");
                grams.push(pinyin::grams(&name).join(" "));
                syllables.push(pinyin::pinyin(&name));
                initials.push(pinyin::initials(&name));
                names.push(name);
            }
        }
    }
    sqlx::raw_sql(
        "create temporary table person (place bigint, name text, grams text[], pinyin text, initials text) on commit drop",
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into person (place, name, grams, pinyin, initials)
         select p.place - 1, p.name, string_to_array(p.grams, ' '), p.pinyin, p.initials
         from unnest($1::text[], $2::text[], $3::text[], $4::text[])
              with ordinality as p (name, grams, pinyin, initials, place)",
    )
    .bind(names)
    .bind(grams)
    .bind(syllables)
    .bind(initials)
    .execute(connection)
    .await?;
    Ok(())
}

/// As autovacuum leaves a schema that has stood for a day: counted, and its pages known as seen by everybody.
pub async fn settle(owner: &PgPool, schema: &str) -> Result<(), Anything> {
    let tables: Vec<String> =
        sqlx::query_scalar("select schemaname || '.' || tablename from pg_tables where schemaname = $1 order by 1")
            .bind(schema)
            .fetch_all(owner)
            .await?;
    owner.execute(AssertSqlSafe(format!("vacuum (analyze) {}", tables.join(", ")))).await?;
    Ok(())
}

/// Rows of the school that the filters name; the student is one of the middle of the register.
pub async fn sample(owner: &PgPool, school: i64) -> Result<Sample, Anything> {
    let mut tx = owner.begin().await?;
    tx.execute(AssertSqlSafe(format!("set local search_path = school_{school}, ext"))).await?;
    let sample = sqlx::query_as(
        "select g.id as grade, m.level_id as level, m.organization_id as organization, d.id as department, c.site_id as site,
                c.major_id as major, c.id as class, c.code as class_code, w.id as manager, w.name as manager_name,
                t.name as teacher_name, p.name as staff_name, k.type_id as curriculum_type, k.id as course, r.id as record,
                r.name as record_name, r.lecturer_name as lecturer, h.id as chapter, s.id as student, s.student_no,
                s.name as student_name, s.initials as student_initials, s.id_card_no, s.phone, s.examinee_no,
                y.id as pre_registration_batch, z.id as enrollment_batch, i.id as admission_import, b.id as change_batch
         from student s
         join class c on c.id = s.class_id
         join grade g on g.id = s.grade_id
         join major m on m.id = s.major_id
         join class_manager w on w.id = c.manager_id
         join organization d on d.code = 'D7'
         join teacher t on t.work_no = 'T01234'
         join site_staff p on p.phone = '13700000123'
         join course k on k.code = 'K01000'
         join course_record r on r.course_id = k.id and r.is_default
         join course_chapter h on h.course_id = k.id and h.parent_id is null and h.sort_no = 2
         join pre_registration_batch y on y.grade_id = s.grade_id
         join enrollment_batch z on z.grade_id = s.grade_id
         join admission_import i on i.batch_id = z.id
         join change_batch b on b.code = 'B3'
         where s.phone = '13900123458'",
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(sample)
}

/// Rows of what the same student takes and took. The numbers of the courses are those of their major, of the fourth term and of the
/// third.
pub async fn taught(owner: &PgPool, school: i64) -> Result<Taught, Anything> {
    let mut tx = owner.begin().await?;
    tx.execute(AssertSqlSafe(format!("set local search_path = school_{school}, ext"))).await?;
    let taught = sqlx::query_as(
        "select e.id as semester, l.id as last_semester, c.id as course, c.code as course_code, o.id as opening, b.id as bank,
                n.id as point, h.id as chapter, p.id as paper, t.id as plan, w.id as homework, m.id as met_course,
                mo.id as met_opening, a.teacher_id as teacher, z.classroom_id as classroom, z.id as lesson, nc.id as net_course,
                k.id as batch, ka.id as active_batch, km.id as makeup_batch, ss.id as session, fs.id as offline_setup,
                ns.id as online_setup, v.id as attempt, f.id as sheet, tp.id as thesis_plan, ta.teacher_id as adviser,
                g.batch_id as graduation_batch, gb.id as auditing_batch, y.student_no as graduate_no, y.name as graduate_name,
                y.site_id as graduate_site, y.major_id as graduate_major, g.number as certificate
         from student s
         join semester e on e.code = '2026-2'
         join semester l on l.code = '2026-1'
         join course c on c.code = 'K00913'
         join course_opening o on o.semester_id = e.id and o.course_id = c.id and o.grade_id = s.grade_id and o.major_id = s.major_id
         join question_bank b on b.course_id = c.id
         join knowledge_point n on n.course_id = c.id and n.code = '1-1'
         join course_chapter h on h.course_id = c.id and h.parent_id is null and h.sort_no = 1
         join paper p on p.course_id = c.id and p.kind = 'exam'
         join teaching_plan t on t.grade_id = s.grade_id and t.major_id = s.major_id and t.status = 'effective'
         join homework w on w.course_id = c.id and w.semester_id = e.id
         join course m on m.code = 'K00909'
         join course_opening mo on mo.semester_id = l.id and mo.course_id = m.id and mo.grade_id = s.grade_id and mo.major_id = s.major_id
         join course_allocation a on a.opening_id = mo.id and a.role = 'lecturer'
         join lateral (select x.id, x.classroom_id from instruction_attendance i join course_arrange_session x on x.id = i.session_id
                       order by i.id limit 1) z on true
         join course nc on nc.code = 'K00911'
         join test_batch k on k.code = 'KS2026-1'
         join test_batch ka on ka.code = 'KS2026-2'
         join test_batch km on km.code = 'BK2026-2'
         join offline_session ss on ss.batch_id = k.id and ss.code = '01'
         join exam_setup fs on fs.batch_id = k.id and fs.course_id = m.id
         join exam_setup ns on ns.batch_id = k.id and ns.course_id = nc.id
         join lateral (select x.sheet_id as id from exam_event x order by x.id limit 1) v on true
         join lateral (select x.id from score_sheet x where x.batch_id = k.id and x.course_id = nc.id order by x.id limit 1) f on true
         join thesis_plan tp on tp.code = 'LW2026'
         join lateral (select x.teacher_id from thesis_adviser x order by x.id offset 100 limit 1) ta on true
         join graduation_batch gb on gb.code = 'BY2026'
         join lateral (select x.student_id, x.batch_id, x.number from certificate x where x.kind = 'graduation'
                       order by x.id offset 10000 limit 1) g on true
         join student y on y.id = g.student_id
         where s.id = (select min(x.id) from student x
                       join course_opening y on y.grade_id = x.grade_id and y.major_id = x.major_id
                       join semester ye on ye.id = y.semester_id and ye.code = '2026-2'
                       join course yc on yc.id = y.course_id and yc.code = 'K00913')",
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(taught)
}
