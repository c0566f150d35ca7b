//! The school whose every list is measured: 200,000 students in 2,000 classes, and what else a school keeps.

use infra::{App, pinyin};
use sqlx::{AssertSqlSafe, Executor, FromRow, PgPool};

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

/// The school with its rows, which are laid once and kept.
pub async fn laid(app: &App) -> Result<i64, Anything> {
    let school = match known(app, CODE).await? {
        Some(id) => id,
        None => open(app, CODE, "列表大学").await?,
    };
    let owner = app.db().owner();
    // All of them or none: they come in one transaction.
    let found: bool = sqlx::query_scalar(AssertSqlSafe(format!("select exists (select from school_{school}.student)")))
        .fetch_one(owner)
        .await?;
    if !found {
        lay(owner, school).await?;
    }
    settle(owner, school).await?;
    Ok(school)
}

async fn lay(owner: &PgPool, school: i64) -> Result<(), Anything> {
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
    let mut tx = owner.begin().await?;
    tx.execute(AssertSqlSafe(format!("set local search_path = school_{school}, ext"))).await?;
    tx.execute(
        "create temporary table person (place bigint, name text, grams text[], pinyin text, initials text) on commit drop",
    )
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
    .execute(&mut *tx)
    .await?;
    tx.execute(include_str!("large_school.sql")).await?;
    tx.execute("analyze student").await?;
    tx.execute(include_str!("large_recruitment.sql")).await?;
    tx.commit().await?;
    Ok(())
}

/// As autovacuum leaves a school that has stood for a day: counted, and its pages known as seen by everybody.
async fn settle(owner: &PgPool, school: i64) -> Result<(), Anything> {
    let tables: Vec<String> =
        sqlx::query_scalar("select schemaname || '.' || tablename from pg_tables where schemaname = $1 order by 1")
            .bind(format!("school_{school}"))
            .fetch_all(owner)
            .await?;
    owner.execute(AssertSqlSafe(format!("vacuum (analyze) {}", tables.join(", ")))).await?;
    owner.execute("vacuum (analyze) platform.user_menu, platform.national_major").await?;
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
