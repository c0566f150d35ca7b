//! The plan of an automatic division: read, computed, and told apart from another by its hash.

use std::collections::{BTreeMap, HashMap};

use classes::class::{
    Cohort,
    create::{NewClass, next_classes},
};
use infra::{Error, Result};
use sqlx::PgConnection;
use student_status_rules::{
    division_plan::{Group, Seating, Wish, hash},
    division_rule::{self, Person},
};

use crate::id_card::Gender;

/// The most students that one division seats.
const MOST_STUDENTS: usize = 20_000;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) groups: Vec<Group>,
    pub(super) hash: String,
}

/// The students of a group as they were read.
struct Unassigned {
    level: String,
    major: String,
    site: String,
    people: Vec<Person>,
}

/// An existing class with free seats.
struct Existing {
    id: i64,
    name: String,
    capacity: i64,
    taken: i64,
}

/// Grade is the same for all; level, major and site tell groups apart and put them in order.
type Key = (i64, i64, i64);

/// Reads the students and computes who comes where. Nothing is written.
///
/// # Errors
/// 422 when there are more students than one division seats.
pub(super) async fn plan(connection: &mut PgConnection, wish: &Wish) -> Result<Plan> {
    let unassigned = unassigned(connection, wish).await?;
    let mut existing = if wish.use_existing { existing(connection, wish.grade_id).await? } else { HashMap::new() };
    let (capacity, least) = (size(wish.capacity)?, size(wish.least)?);
    let mut groups = Vec::with_capacity(unassigned.len());
    for (key, mut group) in unassigned {
        let (level_id, major_id, site_id) = key;
        let cohort = Cohort { grade_id: wish.grade_id, level_id, major_id, site_id };
        let open = existing.remove(&key).unwrap_or_default();
        let free: Vec<usize> =
            open.iter().map(|class| usize::try_from(class.capacity - class.taken).unwrap_or(0)).collect();
        division_rule::sort(&mut group.people, wish.order);
        let sizes = division_rule::sizes(group.people.len(), &free, capacity, least, wish.mode);
        let new = if sizes.new.is_empty() {
            Vec::new()
        } else {
            next_classes(connection, cohort, sizes.new.len(), &wish.naming).await?
        };
        let all: Vec<usize> = sizes.existing.iter().chain(&sizes.new).copied().collect();
        let dealt = division_rule::deal(&group.people, &all, wish.order);
        let classes = seatings(open, new, wish.capacity, dealt);
        let Unassigned { level, major, site, people } = group;
        groups.push(Group { cohort, level, major, site, students: people.len(), classes });
    }
    let hash = hash(&groups);
    Ok(Plan { groups, hash })
}

fn size(number: i32) -> Result<usize> {
    usize::try_from(number).map_err(Error::internal)
}

/// Existing classes first, then the new ones; those that get nobody are left out.
fn seatings(open: Vec<Existing>, new: Vec<NewClass>, capacity: i32, dealt: Vec<Vec<i64>>) -> Vec<Seating> {
    let existing = open.into_iter().map(|class| Seating {
        new: false,
        class_id: Some(class.id),
        name: class.name,
        capacity: class.capacity,
        taken: class.taken,
        students: Vec::new(),
    });
    let new = new.into_iter().map(|class| Seating {
        new: true,
        class_id: None,
        name: class.name,
        capacity: capacity.into(),
        taken: 0,
        students: Vec::new(),
    });
    existing
        .chain(new)
        .zip(dealt)
        .filter(|(_, students)| !students.is_empty())
        .map(|(class, students)| Seating { students, ..class })
        .collect()
}

/// The active students of the wish who have no class, by group.
async fn unassigned(connection: &mut PgConnection, wish: &Wish) -> Result<BTreeMap<Key, Unassigned>> {
    let rows = sqlx::query!(
        r#"select s.id, s.examinee_no, s.pinyin, s.name, s.gender as "gender: Gender", s.level_id, s.major_id, s.site_id,
                  l.name as level_name, m.name as major_name, t.name as site_name
           from student s
           join level l on l.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           where s.grade_id = $1 and s.class_id is null
             and s.active
             and ($2::bigint[] is null or s.level_id = any($2))
             and ($3::bigint[] is null or s.major_id = any($3))
             and ($4::bigint[] is null or s.site_id = any($4))
             and ($5::bigint[] is null or s.site_id = any($5))
           order by s.id limit $6"#,
        wish.grade_id,
        wish.level_ids.as_deref(),
        wish.major_ids.as_deref(),
        wish.site_ids.as_deref(),
        wish.scope.sites(),
        MOST_STUDENTS as i64 + 1
    )
    .fetch_all(connection)
    .await?;
    if rows.len() > MOST_STUDENTS {
        return Err(Error::refused(format!("一次最多为{MOST_STUDENTS}名学生分班，请缩小范围")));
    }
    let mut groups: BTreeMap<Key, Unassigned> = BTreeMap::new();
    for row in rows {
        let group = groups.entry((row.level_id, row.major_id, row.site_id)).or_insert_with(|| Unassigned {
            level: row.level_name,
            major: row.major_name,
            site: row.site_name,
            people: Vec::new(),
        });
        group.people.push(Person {
            id: row.id,
            examinee_no: row.examinee_no,
            pinyin: row.pinyin,
            name: row.name,
            female: row.gender.map(|gender| gender == Gender::Female),
        });
    }
    Ok(groups)
}

/// The open classes of a grade with free seats, the largest number last.
async fn existing(connection: &mut PgConnection, grade_id: i64) -> Result<HashMap<Key, Vec<Existing>>> {
    let rows = sqlx::query!(
        r#"select c.id, c.name, c.level_id, c.major_id, c.site_id, c.capacity,
                  (select count(*) from student s where s.class_id = c.id and s.active) as "taken!"
           from class c where c.grade_id = $1 and c.enabled order by c.seq"#,
        grade_id
    )
    .fetch_all(connection)
    .await?;
    let mut classes: HashMap<Key, Vec<Existing>> = HashMap::new();
    for row in rows {
        let class = Existing { id: row.id, name: row.name, capacity: row.capacity.into(), taken: row.taken };
        if class.taken < class.capacity {
            classes.entry((row.level_id, row.major_id, row.site_id)).or_default().push(class);
        }
    }
    Ok(classes)
}
