//! Who and what is busy when: the one place where teachers, classrooms and classes are taken and set free (part 03 B9, 02 §16).
//!
//! Whoever takes something calls [`hold`](crate::hold) before anything else is locked: all that take wait for each other, so that
//! clashes are told by what stands, and the exclusion of the table is only the last word.

use std::collections::HashSet;

use infra::{Error, OnConstraint, Result, Tx, clock::Moment};
use sqlx::PgConnection;
use timetable_rules::{
    occupation::{Conflict, refuse},
    weeks::periods_zh,
};

pub use timetable_rules::occupation::Occupation;

use crate::enums::{OccupationSource, ResourceKind};

/// Clashes that one refusal tells.
const TOLD: usize = 200;

/// Something wanted that meets something which stands.
pub(crate) struct Clash {
    /// By its place among what is wanted.
    pub wanted: usize,
    /// The number of what stands.
    occupation: i64,
    pub conflict: Conflict,
}

/// What of that which stands is in the way, but for what these sessions keep busy themselves: each once, so many at most as one
/// refusal tells.
///
/// # Errors
/// Those of the database.
pub async fn conflicts(
    connection: &mut PgConnection,
    wanted: &[Occupation],
    but_sessions: &[i64],
) -> Result<Vec<Conflict>> {
    let (mut seen, mut told) = (HashSet::new(), Vec::new());
    for clash in clashes(connection, wanted, but_sessions).await? {
        if seen.insert(clash.occupation) && told.len() < TOLD {
            told.push(clash.conflict);
        }
    }
    Ok(told)
}

/// The same with the place of what is wanted, by time; what stands comes as often as it is in the way.
///
/// # Errors
/// Those of the database.
pub(crate) async fn clashes(
    connection: &mut PgConnection,
    wanted: &[Occupation],
    but_sessions: &[i64],
) -> Result<Vec<Clash>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let Columns { kinds, resources, starts, ends, .. } = columns(wanted);
    let rows = sqlx::query!(
        r#"select o.id as "id!", w.place as "place!", o.kind as "kind!: ResourceKind", lower(o.during) as "starts_at!",
                  upper(o.during) as "ends_at!", o.source_type as "source_type!: OccupationSource", o.note as "note?",
                  s.held_on as "held_on?", s.period_from as "period_from?", s.period_to as "period_to?",
                  u.name as "course?", r.name as "room?",
                  coalesce(t.name, c.name, k.name) as "name?"
           from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::timestamptz[]) with ordinality
                as w (kind, resource, starts_at, ends_at, place)
           join resource_occupation o on o.kind = w.kind and o.resource_id = w.resource
                and o.during && tstzrange(w.starts_at, w.ends_at)
           left join course_arrange_session s on o.source_type = 'session' and s.id = o.source_id
           left join course_arrange a on a.id = s.arrange_id
           left join course u on u.id = a.course_id
           left join classroom r on r.id = s.classroom_id
           left join teacher t on o.kind = 'teacher' and t.id = o.resource_id
           left join classroom c on o.kind = 'classroom' and c.id = o.resource_id
           left join class k on o.kind = 'class' and k.id = o.resource_id
           where not (o.source_type = 'session' and o.source_id = any($5))
           order by lower(o.during), o.kind, o.id, w.place"#,
        &kinds,
        &resources,
        &starts as &[Moment],
        &ends as &[Moment],
        but_sessions
    )
    .fetch_all(connection)
    .await?;
    let clash = rows.into_iter().map(|row| {
        let clock = |at: Moment| at.format("%H:%M").to_string();
        let lessons = row.period_from.zip(row.period_to).map(|(from, to)| periods_zh(from, to));
        let with = match (row.course, row.room) {
            (Some(course), Some(room)) => format!("《{course}》({room})"),
            (Some(course), None) => format!("《{course}》"),
            _ => row.note.unwrap_or_else(|| row.source_type.zh().to_owned()),
        };
        let conflict = Conflict {
            kind: row.kind,
            name: row.name.unwrap_or_default(),
            date: row.held_on.unwrap_or_else(|| row.starts_at.date_naive()),
            periods: lessons.unwrap_or_else(|| format!("{}-{}", clock(row.starts_at), clock(row.ends_at))),
            with,
            source: row.source_type,
        };
        // The database counts from one.
        Clash { wanted: usize::try_from(row.place - 1).unwrap_or_default(), occupation: row.id, conflict }
    });
    Ok(clash.collect())
}

/// Takes teachers, classrooms and classes for sessions or examinations; all or none.
///
/// # Errors
/// 409 with all that is in the way ([`refuse`]).
pub async fn occupy(tx: &mut Tx, source: OccupationSource, wanted: &[Occupation]) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let found = conflicts(tx, wanted, &[]).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    put(tx, source, wanted).await
}

/// Writes what is known to clash with nothing that stands.
///
/// # Errors
/// 409 when two of these clash with each other.
pub(crate) async fn put(tx: &mut Tx, source: OccupationSource, wanted: &[Occupation]) -> Result<()> {
    let Columns { kinds, resources, starts, ends, sources, notes } = columns(wanted);
    let by = tx.by();
    sqlx::query!(
        "insert into resource_occupation (kind, resource_id, during, source_type, source_id, note, created_by, updated_by)
         select w.kind, w.resource, tstzrange(w.starts_at, w.ends_at), $7::text, w.source, w.note, $8::bigint, $8::bigint
         from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::text[])
              as w (kind, resource, starts_at, ends_at, source, note)
         order by w.kind, w.resource, w.starts_at",
        &kinds,
        &resources,
        &starts as &[Moment],
        &ends as &[Moment],
        &sources as &[Option<i64>],
        &notes as &[Option<String>],
        source.as_str(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "resource_occupation_overlap").then(|| Error::conflict("时间冲突，请重新选择时间"))
    })?;
    Ok(())
}

/// Sets free what these sessions or examinations kept busy.
///
/// # Errors
/// Those of the database.
pub async fn release(tx: &mut Tx, source: OccupationSource, ids: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from resource_occupation where source_type = $1 and source_id = any($2)",
        source.as_str(),
        ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What is wanted, column by column.
struct Columns {
    kinds: Vec<String>,
    resources: Vec<i64>,
    starts: Vec<Moment>,
    ends: Vec<Moment>,
    sources: Vec<Option<i64>>,
    notes: Vec<Option<String>>,
}

fn columns(wanted: &[Occupation]) -> Columns {
    Columns {
        kinds: wanted.iter().map(|one| one.kind.as_str().to_owned()).collect(),
        resources: wanted.iter().map(|one| one.resource_id).collect(),
        starts: wanted.iter().map(|one| one.starts_at).collect(),
        ends: wanted.iter().map(|one| one.ends_at).collect(),
        sources: wanted.iter().map(|one| one.source_id).collect(),
        notes: wanted.iter().map(|one| one.note.clone()).collect(),
    }
}
