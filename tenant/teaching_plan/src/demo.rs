//! Teaching plans of a demonstration school (05 G4): for every grade and major the courses of its programme, and of the
//! newest grade one plan in every state that the list shows.

use infra::{Error, Result, Tx, pinyin};
use majors::demo::Major;
use teaching_plan_rules::demo::{Line, SHOWN, Stand, lines, of_programme};

/// How many plans a school of so many grades has at least: for each of its seventeen programmes one.
pub fn plans_for(years: i32) -> i64 {
    17 * i64::from(years)
}

/// Writes them for these majors and grades, the oldest first.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, majors: &[Major], grades: &[(i64, i32)]) -> Result<()> {
    let lines = lines();
    for (n, (grade, year)) in grades.iter().enumerate() {
        let is_newest = n + 1 == grades.len();
        let mut place = 0;
        for major in majors {
            let of_major = of_programme(&lines, major.programme.entry_level, major.programme.national_code);
            // Cohorts since 2025 study in the present form alone; the other one stands for those before.
            let versions = if is_newest && major.study_form == "non_full_time" && place < SHOWN {
                place += 1;
                Stand::of(place - 1)
            } else {
                Stand::of(SHOWN)
            };
            for (version, stand) in (1..).zip(versions) {
                let head = Head { grade: *grade, year: *year, major: major.id, version, stand: *stand };
                plan(tx, &head, &of_major).await?;
            }
        }
    }
    Ok(())
}

struct Head {
    grade: i64,
    year: i32,
    major: i64,
    version: i32,
    stand: Stand,
}

async fn plan(tx: &mut Tx, head: &Head, lines: &[&Line]) -> Result<()> {
    let Head { grade, year, major, version, stand } = *head;
    let of_major = sqlx::query!(
        r#"select m.name, m.level_id, l.name as level_name, m.total_credits::float8 as "total!",
                  (l.schooling_years * 2)::integer as "terms!"
           from major m join level l on l.id = m.level_id where m.id = $1"#,
        major
    )
    .fetch_one(&mut **tx)
    .await?;
    let compulsory: i64 = lines.iter().filter(|line| !line.is_elective).map(|line| line.credits).sum();
    let total = crate::credit::tenths(of_major.total);
    let elective = total - compulsory * 10;
    if elective < 0 {
        return Err(Error::internal(format!("{} has more compulsory credits than all", of_major.name)));
    }
    let name = format!("{year}级{}{}教学计划V{version}", of_major.level_name, of_major.name);
    let judged = matches!(stand, Stand::Effective | Stand::Superseded | Stand::Rejected);
    let sent = judged || stand == Stand::Submitted;
    let opinion = match stand {
        Stand::Rejected => Some("第3学期课程偏多，请调整后再提交"),
        Stand::Effective | Stand::Superseded => Some("同意执行"),
        Stand::Draft | Stand::Submitted | Stand::Withdrawn => None,
    };
    let id = sqlx::query_scalar!(
        "insert into teaching_plan (grade_id, level_id, major_id, version_no, name, total_credits, min_compulsory_credits,
             min_elective_credits, term_count, objective, status, submitted_by, submitted_by_name, submitted_at, audited_by,
             audited_by_name, audited_at, audit_opinion, effective_at, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6::float8::numeric, $7::float8::numeric, $8::float8::numeric, $9, $10, $11,
             case when $12 then 0 end, case when $12 then '教务员' end, case when $12 then now() end,
             case when $13 then 0 end, case when $13 then '教务管理员' end, case when $13 then now() end, $14,
             case when $15 then now() end, $16, 0, 0)
         returning id",
        grade,
        of_major.level_id,
        major,
        version,
        name,
        crate::credit::points(total),
        crate::credit::points(compulsory * 10),
        crate::credit::points(elective),
        of_major.terms,
        format!("培养具备{}专业知识与实践能力的应用型人才。", of_major.name),
        stand.word(),
        sent,
        judged,
        opinion,
        matches!(stand, Stand::Effective | Stand::Superseded),
        pinyin::text_initials(&name)
    )
    .fetch_one(&mut **tx)
    .await?;
    courses(tx, id, lines, elective).await?;
    if version > 1 {
        // The next version is otherwise than the one before: its last elective comes a term earlier.
        sqlx::query!(
            "update plan_course set term_no = term_no - 1 where id = (
                 select id from plan_course where plan_id = $1 and nature = 'elective' and term_no > 1 order by id desc limit 1)",
            id
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

async fn courses(tx: &mut Tx, plan: i64, lines: &[&Line], elective: i64) -> Result<()> {
    let group = sqlx::query_scalar!(
        "insert into plan_elective_group (plan_id, name, min_credits, sort_no, created_by, updated_by)
         values ($1, '专业选修', $2::float8::numeric, 10, 0, 0) returning id",
        plan,
        crate::credit::points(elective)
    )
    .fetch_one(&mut **tx)
    .await?;
    let names: Vec<String> = lines.iter().map(|line| line.name.to_owned()).collect();
    let terms: Vec<i32> = lines.iter().map(|line| line.term_no).collect();
    let electives: Vec<bool> = lines.iter().map(|line| line.is_elective).collect();
    let credits: Vec<i64> = lines.iter().map(|line| line.credits).collect();
    // Credits are the programme's, and eighteen hours each; they are spread as the library's course spreads its own.
    sqlx::query!(
        "insert into plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours, lecture_hours,
             online_hours, practice_hours, self_study_hours, exam_form, assess_mode, degree_course, sort_no, created_by, updated_by)
         select $1::bigint, c.id, c.type_id, case when x.elective then 'elective' else 'compulsory' end,
                case when x.elective then $2::bigint end, x.term, x.credits::numeric, s.hours, s.lecture,
                s.hours - s.lecture - s.practice - s.self_study, s.practice, s.self_study, c.exam_form, c.assess_mode,
                c.degree_course, (x.place * 10)::integer, 0, 0
         from unnest($3::text[], $4::integer[], $5::boolean[], $6::bigint[]) with ordinality
              as x (name, term, elective, credits, place)
         join course c on c.name = x.name
         cross join lateral (
             select (x.credits * 18)::integer as hours, (c.lecture_hours * x.credits / c.credits)::integer as lecture,
                    (case when c.online_hours = 0 then x.credits * 18 else c.practice_hours * x.credits / c.credits end)::integer
                        as practice,
                    (c.self_study_hours * x.credits / c.credits)::integer as self_study) s
         order by x.place",
        plan,
        group,
        &names,
        &terms,
        &electives,
        &credits
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
