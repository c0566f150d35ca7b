//! Which numbers students get: the rule of each, its prefix, and the next numbers behind it that nobody ever had.

use std::collections::{BTreeMap, HashMap, HashSet};

use infra::{Error, OnConstraint, Result, Tx, clock::Moment};
use majors::major::StudyForm;
use sqlx::PgConnection;
use term::Season;

use crate::rule::{
    StudentNoOrder, StudentNoRule, StudentNoSegment,
    form::coded_form,
    rules,
    segment::{Coded, Subject, prefix, running_digits},
};

/// What is said where no rule names the student's grade.
const NO_RULE: &str = "该年级没有启用的学号规则，请先设置";
const USED_UP: &str = "学号序号已用尽，请修改规则";

/// A student and the number that they get, or why they get none.
#[derive(Debug, Clone)]
pub struct Allocated {
    pub student_id: i64,
    pub number: Result<String, String>,
}

/// Takes the next numbers for these students and counts them as used. Two who ask at once get different ones: the second
/// waits at the counter. Students get them in the order of their rule.
///
/// # Errors
/// Those of the database.
pub async fn allocate(tx: &mut Tx, students: &[i64]) -> Result<Vec<Allocated>> {
    let rules = rules(tx, None).await?;
    let plan = Plan::of(tx, students, rules).await?;
    let mut numbers = plan.refused;
    // In the order of their keys, so that two who ask for several never wait for each other.
    for (key, group) in plan.groups {
        sqlx::query!(
            "insert into student_no_counter (scope_key, last_no) values ($1, 0) on conflict (scope_key) do nothing",
            key
        )
        .execute(&mut **tx)
        .await?;
        let last = sqlx::query_scalar!("select last_no from student_no_counter where scope_key = $1 for update", key)
            .fetch_one(&mut **tx)
            .await?;
        let free = next_free(tx, &key, group.digits, last, group.students.len()).await?;
        if let Some(last) = free.last() {
            sqlx::query!("update student_no_counter set last_no = $2 where scope_key = $1", key, last)
                .execute(&mut **tx)
                .await?;
        }
        numbers.extend(group.numbered(&key, &free));
    }
    Ok(numbers)
}

/// Keeps all counters of the school, in the order of their keys, for who calls [`allocate`] row by row: two who do so wait for
/// each other and never in a circle.
///
/// # Errors
/// Those of the database.
pub async fn hold(tx: &mut Tx) -> Result<()> {
    sqlx::query_scalar!("select scope_key from student_no_counter order by scope_key for update")
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// The same students in the order in which [`allocate`] numbers them, for who gives numbers to many a part at a time: those
/// of one prefix follow each other as their rule says; whoever gets none comes last, and who is gone is left out.
///
/// # Errors
/// Those of the database.
pub async fn in_order(connection: &mut PgConnection, students: &[i64]) -> Result<Vec<i64>> {
    let rules = rules(connection, None).await?;
    let Plan { groups, refused } = Plan::of(connection, students, rules).await?;
    let numbered = groups.into_values().flat_map(|group| group.students);
    Ok(numbered.chain(refused.into_iter().map(|student| student.student_id)).collect())
}

/// In which order the rules of these grades number; a grade without a rule is left out.
///
/// # Errors
/// Those of the database.
pub async fn orders(connection: &mut PgConnection, grades: &[i64]) -> Result<HashMap<i64, StudentNoOrder>> {
    let rules = rules(connection, None).await?;
    let of_all = rules.iter().find(|rule| rule.enabled && rule.grade_ids.is_empty());
    let of = |grade: &i64| rules.iter().find(|rule| rule.enabled && rule.grade_ids.contains(grade)).or(of_all);
    Ok(grades.iter().filter_map(|grade| Some((*grade, of(grade)?.sort_by))).collect())
}

/// The next numbers that a rule would give to some of these students, so many at the most, in its order; nothing is counted.
pub(crate) async fn foresee(
    connection: &mut PgConnection,
    students: &[i64],
    rule: StudentNoRule,
    most: usize,
) -> Result<Vec<Allocated>> {
    let plan = Plan::of(connection, students, vec![StudentNoRule { enabled: true, ..rule }]).await?;
    let mut numbers = Vec::new();
    for (key, mut group) in plan.groups {
        group.students.truncate(most - numbers.len());
        if group.students.is_empty() {
            break;
        }
        let last = sqlx::query_scalar!("select last_no from student_no_counter where scope_key = $1", key)
            .fetch_optional(&mut *connection)
            .await?;
        let free = next_free(connection, &key, group.digits, last.unwrap_or_default(), group.students.len()).await?;
        numbers.extend(group.numbered(&key, &free));
    }
    let room = most - numbers.len();
    numbers.extend(plan.refused.into_iter().take(room));
    Ok(numbers)
}

/// Remembers numbers that students have got, by whatever way.
///
/// # Errors
/// 422 at `studentNo` when one was given before, also to somebody who is gone.
pub async fn remember(tx: &mut Tx, given: &[(i64, &str)]) -> Result<()> {
    let students: Vec<i64> = given.iter().map(|(student, _)| *student).collect();
    let numbers: Vec<&str> = given.iter().map(|(_, number)| *number).collect();
    sqlx::query!(
        "insert into student_number (number, student_id)
         select g.number, g.student_id from unnest($1::bigint[], $2::text[]) g (student_id, number)",
        &students,
        &numbers as _
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "student_number_key").then(|| Error::field("studentNo", "学号已被使用过，不能重复使用"))
    })?;
    Ok(())
}

/// Frees a number that came to a student by a sheet whose import is undone, as if it had never come: the mended sheet may bring it
/// again. Counters go on.
///
/// # Errors
/// Those of the database.
pub async fn forget(tx: &mut Tx, student: i64, number: &str) -> Result<()> {
    sqlx::query!("delete from student_number where number = $1 and student_id = $2", number, student)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Those of the numbers that were given to somebody else before.
///
/// # Errors
/// Those of the database.
pub async fn used(connection: &mut PgConnection, numbers: &[String]) -> Result<HashSet<String>> {
    // One by one out of the index: a table that grew since it was looked at last would be read from end to end.
    let known = sqlx::query_scalar!(
        r#"select k.number as "number!" from unnest($1::text[]) as n (number)
           cross join lateral (select s.number from student_number s where s.number = n.number offset 0) k"#,
        numbers
    )
    .fetch_all(connection)
    .await?;
    Ok(known.into_iter().collect())
}

/// Students whose numbers run on behind one text.
struct Group {
    digits: usize,
    students: Vec<i64>,
}

impl Group {
    /// The students with the numbers; for those who come last there may be none left.
    fn numbered(self, key: &str, free: &[i32]) -> impl Iterator<Item = Allocated> {
        let digits = self.digits;
        let numbers: Vec<String> = free.iter().map(|no| format!("{key}{no:0>digits$}")).collect();
        self.students.into_iter().enumerate().map(move |(place, student_id)| Allocated {
            student_id,
            number: numbers.get(place).cloned().ok_or_else(|| USED_UP.to_owned()),
        })
    }
}

struct Plan {
    groups: BTreeMap<String, Group>,
    refused: Vec<Allocated>,
}

impl Plan {
    async fn of(connection: &mut PgConnection, students: &[i64], rules: Vec<StudentNoRule>) -> Result<Self> {
        let mut waiting = waiting(connection, students).await?;
        let mut plan = Self { groups: BTreeMap::new(), refused: Vec::new() };
        for rule in rules.iter().filter(|rule| rule.enabled && !rule.grade_ids.is_empty()) {
            let (of_rule, others) = waiting.into_iter().partition(|student| rule.grade_ids.contains(&student.grade_id));
            plan.add(rule, of_rule);
            waiting = others;
        }
        match rules.iter().find(|rule| rule.enabled && rule.grade_ids.is_empty()) {
            Some(rule) => plan.add(rule, waiting),
            None => plan.refused.extend(waiting.into_iter().map(|student| refused(student.id, NO_RULE.to_owned()))),
        }
        Ok(plan)
    }

    fn add(&mut self, rule: &StudentNoRule, mut students: Vec<Waiting>) {
        match rule.sort_by {
            StudentNoOrder::ExamineeNo => {
                students.sort_by(|a, b| {
                    (a.examinee_no.is_none(), &a.examinee_no, a.id).cmp(&(
                        b.examinee_no.is_none(),
                        &b.examinee_no,
                        b.id,
                    ))
                });
            }
            StudentNoOrder::NamePinyin => {
                students.sort_by(|a, b| (&a.pinyin, &a.name, a.id).cmp(&(&b.pinyin, &b.name, b.id)))
            }
            StudentNoOrder::ReportTime => students.sort_by_key(|student| (student.created_at, student.id)),
        }
        for student in students {
            match student.prefix(&rule.segments) {
                Ok(key) => {
                    let digits = running_digits(&rule.segments);
                    let group = self.groups.entry(key).or_insert_with(|| Group { digits, students: Vec::new() });
                    group.students.push(student.id);
                }
                Err(why) => self.refused.push(refused(student.id, why)),
            }
        }
    }
}

fn refused(student_id: i64, why: String) -> Allocated {
    Allocated { student_id, number: Err(why) }
}

/// A student who is to have a number.
struct Waiting {
    id: i64,
    grade_id: i64,
    name: String,
    pinyin: String,
    examinee_no: Option<String>,
    created_at: Moment,
    subject: Subject,
}

impl Waiting {
    fn prefix(&self, segments: &[StudentNoSegment]) -> Result<String, String> {
        prefix(segments, &self.subject)
    }
}

async fn waiting(connection: &mut PgConnection, students: &[i64]) -> Result<Vec<Waiting>> {
    let rows = sqlx::query!(
        r#"select s.id, s.grade_id, s.name, s.pinyin, s.examinee_no, s.created_at, g.entry_year,
                  g.entry_season as "entry_season: Season", s.study_form as "study_form: StudyForm",
                  s.level_id, l.code as level_code, l.name as level_name, s.major_id, m.code as major_code, m.name as major_name,
                  s.site_id, t.code as site_code, t.name as site_name, s.class_id, c.code as "class_code?", c.name as "class_name?"
           from student s
           join grade g on g.id = s.grade_id
           join level l on l.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class c on c.id = s.class_id
           where s.id = any($1)"#,
        students
    )
    .fetch_all(connection)
    .await?;
    let coded = |id: i64, code, name| Coded { key: id.to_string(), code, name };
    Ok(rows
        .into_iter()
        .map(|row| Waiting {
            id: row.id,
            grade_id: row.grade_id,
            name: row.name,
            pinyin: row.pinyin,
            examinee_no: row.examinee_no,
            created_at: row.created_at,
            subject: Subject {
                entry_year: row.entry_year,
                season: row.entry_season,
                level: coded(row.level_id, row.level_code, row.level_name),
                major: coded(row.major_id, row.major_code, row.major_name),
                site: coded(row.site_id, row.site_code, row.site_name),
                study_form: coded_form(row.study_form),
                class: match (row.class_id, row.class_code, row.class_name) {
                    (Some(id), Some(code), Some(name)) => Some(coded(id, code, name)),
                    _ => None,
                },
            },
        })
        .collect())
}

/// The next running numbers behind a text that nobody ever had, and by which nobody else signs in; fewer when they are used up.
async fn next_free(
    connection: &mut PgConnection,
    key: &str,
    digits: usize,
    after: i32,
    wanted: usize,
) -> Result<Vec<i32>> {
    let highest = 10_i32.pow(u32::try_from(digits).unwrap_or_default()) - 1;
    let mut free = Vec::with_capacity(wanted);
    let mut next = after + 1;
    while free.len() < wanted && next <= highest {
        let missing = i32::try_from(wanted - free.len()).unwrap_or(i32::MAX);
        let last = highest.min(next.saturating_add(missing - 1));
        let block: Vec<i32> = (next..=last).collect();
        let numbers: Vec<String> = block.iter().map(|no| format!("{key}{no:0>digits$}")).collect();
        let taken = sqlx::query_scalar!(
            r#"select n.number as "number!" from unnest($1::text[]) n (number)
               where exists (select from student_number k where k.number = n.number)
                  or exists (select from student s where s.student_no = n.number)
                  or exists (select from client_account a where lower(a.login_name) = lower(n.number))"#,
            &numbers
        )
        .fetch_all(&mut *connection)
        .await?;
        let taken: HashSet<String> = taken.into_iter().collect();
        free.extend(block.into_iter().zip(&numbers).filter(|(_, number)| !taken.contains(*number)).map(|(no, _)| no));
        next = last + 1;
    }
    Ok(free)
}
