//! Loading the shipped catalogues (part 05 H): adds what is missing, brings names up to date where nobody edited them,
//! deletes nothing, switches nothing off.

use infra::{Error, Result, pinyin};
use major_rules::shipped::{FILES, Line, read};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// Loads what is new in the shipped catalogues into `platform`; answers how many rows were added or changed. A file
/// that was loaded before costs one statement.
///
/// # Errors
/// Internal, naming the line, when a shipped file is not right.
pub async fn load(connection: &mut PgConnection) -> Result<usize> {
    let mut changed = 0;
    for (file, text) in FILES {
        let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        let known = sqlx::query_scalar!("select sha256 from platform.seed_load where file = $1", file)
            .fetch_optional(&mut *connection)
            .await?;
        if known.as_deref() == Some(hash.as_str()) {
            continue;
        }
        let lines = read(text).map_err(|wrong| Error::internal(format!("{file}: {wrong}")))?;
        changed += write(connection, &lines).await?;
        sqlx::query!(
            "insert into platform.seed_load (file, sha256, loaded_at) values ($1, $2, now())
             on conflict (file) do update set sha256 = excluded.sha256, loaded_at = excluded.loaded_at",
            file,
            hash
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(changed)
}

async fn write(connection: &mut PgConnection, lines: &[Line]) -> Result<usize> {
    fn column<'l, T>(lines: &'l [Line], field: impl Fn(&'l Line) -> T) -> Vec<T> {
        lines.iter().map(field).collect()
    }
    let initials: Vec<String> = column(lines, |line| pinyin::text_initials(&line.name));
    let written = sqlx::query!(
        "insert into platform.national_major as known (code, name, level, discipline_code, discipline, category_code, category,
             degrees, special, controlled, year, former_code, checked, enabled, initials, created_by, updated_by)
         select code, name, level, discipline_code, discipline, nullif(category_code, ''), nullif(category, ''),
                case when degrees = '' then '{}' else string_to_array(degrees, '|') end, special, controlled, year,
                nullif(former_code, ''), checked, enabled, initials, 0, 0
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                     $9::boolean[], $10::boolean[], $11::integer[], $12::text[], $13::text[], $14::boolean[], $15::text[])
              as line (code, name, level, discipline_code, discipline, category_code, category, degrees,
                       special, controlled, year, former_code, checked, enabled, initials)
         on conflict (code, year) do update
            set name = excluded.name, initials = excluded.initials, category_code = excluded.category_code,
                category = excluded.category, degrees = excluded.degrees, updated_at = now(), version = known.version + 1
            where known.updated_by = 0
              and (known.name, known.category_code, known.category, known.degrees)
                  is distinct from (excluded.name, excluded.category_code, excluded.category, excluded.degrees)",
        &column(lines, |line| line.code.as_str()) as &[&str],
        &column(lines, |line| line.name.as_str()) as &[&str],
        &column(lines, |line| line.level.as_str()) as &[&str],
        &column(lines, |line| line.discipline_code.as_str()) as &[&str],
        &column(lines, |line| line.discipline.as_str()) as &[&str],
        &column(lines, |line| line.category_code.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.category.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.degree.as_str()) as &[&str],
        &column(lines, |line| line.special),
        &column(lines, |line| line.controlled),
        &column(lines, |line| line.year),
        &column(lines, |line| line.former_code.as_deref().unwrap_or_default()) as &[&str],
        &column(lines, |line| line.check.as_deref().unwrap_or("confirmed")) as &[&str],
        &column(lines, |line| line.seed_enabled),
        &initials
    )
    .execute(connection)
    .await?;
    Ok(usize::try_from(written.rows_affected()).unwrap_or(usize::MAX))
}
