//! What the automatic arrangement is asked, out of the database.

use std::collections::HashSet;

use infra::{Error, Result, Scope, clock::Moment};
use sqlx::PgConnection;
use timetable_rules::{
    judge::Facts,
    problem::{Busy, Course, Loaded, Times, checked, merged, slots},
    proposal::AutoForm,
};

use super::{MOST, of_all_classes};
use crate::{
    arrange::{
        ArrangeClass,
        facts::Named,
        pending::{Lacking, lacking},
    },
    enums::ResourceKind,
};

/// Lessons lie behind `after`, where it is given.
///
/// # Errors
/// 403 for classes beyond the scope, 409 in a closed semester, 422 for what leaves nothing to arrange.
pub(super) async fn load(
    connection: &mut PgConnection,
    form: &AutoForm,
    scope: &Scope,
    after: Option<Moment>,
) -> Result<Loaded> {
    checked(form)?;
    let wanted = wanted(form, lacking(&mut *connection, form.semester_id, scope).await?)?;
    let mut openings: Vec<i64> = wanted.iter().map(|pair| pair.opening_id).collect();
    openings.extend(form.items.iter().flatten().map(|item| item.opening_id));
    let named = Named { openings: Some(openings), ..Named::default() };
    let facts = named.load(connection).await?;
    let semester = facts
        .semesters
        .get(&form.semester_id)
        .ok_or_else(|| Error::field("semesterId", "所选学期不存在，请重新选择"))?;
    if semester.closed {
        return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", semester.name)));
    }
    of_all_classes(&facts, form.items.iter().flatten().map(|item| item.class_id), scope)?;
    if wanted.is_empty() {
        return Err(Error::field("items", "没有需要排课的课程：面授学时都已排满，或还没有开课"));
    }
    let rooms = rooms(form, &facts);
    let courses = courses(form, &facts, &wanted, &rooms);
    let sites: HashSet<i64> = courses.iter().map(|course| course.site_id).collect();
    let slots = slots(form, semester, (&facts, &sites), after)?;
    Ok(Loaded { courses, times: Times { slots, rooms }, facts })
}

/// Of what lacks lessons that which is asked for.
///
/// # Errors
/// 422 for more than one proposal holds.
fn wanted(form: &AutoForm, lacking: Vec<Lacking>) -> Result<Vec<Lacking>> {
    let chosen: Option<HashSet<(i64, i64)>> =
        form.items.as_ref().map(|items| items.iter().map(|item| (item.opening_id, item.class_id)).collect());
    let of = |pair: &Lacking| chosen.as_ref().is_none_or(|chosen| chosen.contains(&(pair.opening_id, pair.class_id)));
    let wanted: Vec<Lacking> = lacking.into_iter().filter(of).collect();
    if wanted.len() > MOST {
        return Err(Error::field("items", format!("一次最多安排{MOST}个开课班级，请选择其中一部分")));
    }
    Ok(wanted)
}

/// The rooms that may be used, in the order of their numbers.
fn rooms(form: &AutoForm, facts: &Facts) -> Vec<i64> {
    let chosen: Option<HashSet<i64>> = form.classroom_ids.as_ref().map(|ids| ids.iter().copied().collect());
    let mut rooms: Vec<i64> = facts
        .rooms
        .iter()
        .filter(|(id, room)| room.enabled && chosen.as_ref().is_none_or(|chosen| chosen.contains(id)))
        .map(|(id, _)| *id)
        .collect();
    rooms.sort_unstable();
    rooms
}

/// The classes by themselves, or together as far as a room holds them.
fn courses(form: &AutoForm, facts: &Facts, wanted: &[Lacking], rooms: &[i64]) -> Vec<Course> {
    let alone = wanted.iter().filter_map(|pair| {
        let opening = facts.openings.get(&pair.opening_id)?;
        let class = facts.classes.get(&pair.class_id)?;
        let teacher = facts.lecturer(pair.opening_id, pair.class_id);
        Some(Course {
            course_id: opening.course_id,
            classes: vec![ArrangeClass { class_id: pair.class_id, opening_id: pair.opening_id }],
            // Somebody who left is nobody.
            teacher_id: teacher.filter(|id| facts.teachers.get(id).is_some_and(|teacher| teacher.active)),
            site_id: class.site_id,
            size: facts.size(pair.opening_id, pair.class_id),
            periods: pair.periods,
        })
    });
    let alone: Vec<Course> = alone.collect();
    if !form.merge_same_course {
        return alone;
    }
    let largest = |site: i64| {
        let of_site = rooms.iter().filter_map(|id| facts.rooms.get(id)).filter(|room| room.site_id == site);
        let fitting = of_site.filter(|room| form.room_type.is_none_or(|kind| room.room_type == kind.as_str()));
        fitting.map(|room| room.capacity).max().unwrap_or_default()
    };
    merged(alone, largest)
}

/// What those who take part have already, in the time that is asked for.
///
/// # Errors
/// Those of the database.
pub(super) async fn taken(connection: &mut PgConnection, loaded: &Loaded) -> Result<Vec<Busy>> {
    let Loaded { courses, times, .. } = loaded;
    let (Some(from), Some(until)) =
        (times.slots.iter().map(|slot| slot.starts_at).min(), times.slots.iter().map(|slot| slot.ends_at).max())
    else {
        return Ok(Vec::new());
    };
    let teachers: HashSet<i64> = courses.iter().filter_map(|course| course.teacher_id).collect();
    let (teachers, classes): (Vec<i64>, Vec<i64>) = (teachers.into_iter().collect(), loaded.class_ids());
    Ok(sqlx::query_as!(
        Busy,
        r#"select o.kind as "kind!: ResourceKind", o.resource_id as "resource_id!", lower(o.during) as "starts_at!",
                  upper(o.during) as "ends_at!", s.held_on as "held_on?",
                  coalesce(s.period_to - s.period_from + 1, 0)::bigint as "periods!"
           from resource_occupation o
           left join course_arrange_session s on o.source_type = 'session' and s.id = o.source_id
           where o.during && tstzrange($1, $2)
             and (o.kind = 'teacher' and o.resource_id = any($3)
                  or o.kind = 'class' and o.resource_id = any($4)
                  or o.kind = 'classroom' and o.resource_id = any($5))"#,
        from as _,
        until as _,
        &teachers,
        &classes,
        &times.rooms
    )
    .fetch_all(connection)
    .await?)
}
