//! 报到时分班: who has just come into the register is seated, the free seats of their classes first, the rest in new classes that
//! differ by one at most (02 §7, §9.5).

use std::collections::{BTreeMap, HashMap};

use classes::class::{
    Cohort,
    create::{Naming, classes_create},
    default_capacity,
};
use infra::{Change, Error, Result, Tx, pinyin};
use student_status_rules::{
    division::{DivisionMode, DivisionOrder},
    division_rule::{self, Person},
    new_student::NewStudent,
};

use super::{Move, seat};
use crate::id_card::Gender;

/// Somebody without a class.
#[derive(Debug, Clone)]
pub(crate) struct Newcomer {
    cohort: Cohort,
    person: Person,
}

impl Newcomer {
    pub(crate) fn of(id: i64, new: &NewStudent) -> Self {
        Self {
            cohort: Cohort {
                grade_id: new.grade_id,
                level_id: new.level_id,
                major_id: new.major_id,
                site_id: new.site_id,
            },
            person: Person {
                id,
                examinee_no: new.examinee_no.clone(),
                pinyin: pinyin::pinyin(&new.name),
                name: new.name.clone(),
                female: new.gender.map(|gender| gender == Gender::Female),
            },
        }
    }

    fn key(&self) -> [i64; 4] {
        let Cohort { grade_id, level_id, major_id, site_id } = self.cohort;
        [grade_id, level_id, major_id, site_id]
    }
}

/// Who was seated, and who was not.
#[derive(Debug, Default)]
pub(crate) struct Seated {
    pub(crate) changes: Vec<Change>,
    /// Students without a class, and why.
    pub(crate) without: HashMap<i64, String>,
}

/// Seats them by 考生号, group after group in one order, so that two who seat people of the same groups wait for each other. Where
/// no class can be made, because its name was given by hand to another one, the group stays without.
///
/// # Errors
/// Those of the database.
pub(crate) async fn seat_newcomers(tx: &mut Tx, newcomers: &[Newcomer]) -> Result<Seated> {
    let mut groups: BTreeMap<[i64; 4], (Cohort, Vec<Person>)> = BTreeMap::new();
    for newcomer in newcomers {
        let group = groups.entry(newcomer.key()).or_insert_with(|| (newcomer.cohort, Vec::new()));
        group.1.push(newcomer.person.clone());
    }
    let capacity = default_capacity(tx).await?;
    let mut seated = Seated::default();
    for (cohort, people) in groups.into_values() {
        alone(tx, cohort).await?;
        tx.savepoint().await?;
        let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
        match seat_group(tx, cohort, people, capacity).await {
            Ok(changes) => {
                tx.row_done().await?;
                seated.changes.extend(changes);
            }
            Err(why) => {
                let why = format!("未分班：{}", tx.row_failed(why).await?.0);
                seated.without.extend(ids.into_iter().map(|id| (id, why.clone())));
            }
        }
    }
    Ok(seated)
}

/// Seats the people of one group, which nobody else divides meanwhile.
async fn seat_group(tx: &mut Tx, cohort: Cohort, mut people: Vec<Person>, capacity: i32) -> Result<Vec<Change>> {
    let open = open_classes(tx, cohort).await?;
    let free: Vec<usize> = open.iter().map(|(_, free)| *free).collect();
    let size = usize::try_from(capacity).map_err(Error::internal)?;
    let sizes = division_rule::sizes(people.len(), &free, size, 0, DivisionMode::Balance);
    let (made, mut changes) = classes_create(tx, cohort, sizes.new.len(), capacity, &Naming::of(None)?).await?;
    division_rule::sort(&mut people, DivisionOrder::ExamineeNo);
    let all: Vec<usize> = sizes.existing.iter().chain(&sizes.new).copied().collect();
    let classes = open.iter().map(|(id, _)| *id).chain(made.iter().map(|(id, _)| *id));
    let dealt = division_rule::deal(&people, &all, DivisionOrder::ExamineeNo);
    let moves: Vec<Move> = classes
        .zip(dealt)
        .flat_map(|(class, students)| {
            students.into_iter().map(move |student_id| Move { student_id, from: None, to: Some(class) })
        })
        .collect();
    changes.extend(seat(tx, &moves, None).await?);
    Ok(changes)
}

/// Nobody else divides this group until the transaction ends: the lock of the automatic division.
async fn alone(tx: &mut Tx, cohort: Cohort) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('class division ' || current_schema() || ' '
                    || concat_ws(' ', $1::bigint, $2::bigint, $3::bigint, $4::bigint), 0))::text as "locked""#,
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(())
}

/// The classes of a group that are switched on and have free seats, the largest number last; locked, so that nobody else fills
/// them.
async fn open_classes(tx: &mut Tx, cohort: Cohort) -> Result<Vec<(i64, usize)>> {
    let classes = sqlx::query!(
        "select id, capacity from class
         where grade_id = $1 and level_id = $2 and major_id = $3 and site_id = $4 and enabled order by id for update",
        cohort.grade_id,
        cohort.level_id,
        cohort.major_id,
        cohort.site_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: Vec<i64> = classes.iter().map(|class| class.id).collect();
    // A statement of its own: what the lock waited for must be seen.
    let taken = sqlx::query!(
        r#"select c.id, (select count(*) from student s where s.class_id = c.id and s.active) as "taken!"
           from class c where c.id = any($1) order by c.seq"#,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let capacity = |id: i64| classes.iter().find(|class| class.id == id).map_or(0, |class| i64::from(class.capacity));
    Ok(taken
        .into_iter()
        .filter_map(|row| Some((row.id, usize::try_from(capacity(row.id) - row.taken).ok().filter(|free| *free > 0)?)))
        .collect())
}
