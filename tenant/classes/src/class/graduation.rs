//! 毕业时间 of classes: written here for the module of the students, whose last one decides (part 03 A4).

use infra::{Change, Result, Tx, clock::Moment};

/// Marks classes as graduated whose students have all ended, and takes the mark from classes where somebody studies again; at
/// most so many of each. Answers the changes.
pub async fn mark_graduated(tx: &mut Tx, at_once: i64) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let marked = sqlx::query!(
        r#"update class c set graduated_at = case when d.over then $1::timestamptz end, updated_at = now(), updated_by = 0, version = version + 1
           from (select k.id, k.graduated_at as before, k.graduated_at is null as over
                 from class k
                 where case when k.graduated_at is null
                            then exists (select from student s where s.class_id = k.id)
                                 and not exists (select from student s where s.class_id = k.id and s.active)
                            else exists (select from student s where s.class_id = k.id and s.active) end
                 order by k.id limit $2 for update of k) d
           where c.id = d.id
           returning c.id, d.before, c.graduated_at as after"#,
        now,
        at_once
    )
    .fetch_all(&mut **tx)
    .await?;
    let told = |at: Option<Moment>| at.map(|at| at.to_rfc3339());
    Ok(marked
        .into_iter()
        .map(|row| Change::status("class", row.id, "graduatedAt", told(row.before), told(row.after)))
        .collect())
}
