//! Rooms of the sites of a demonstration school.

use infra::{Result, Tx, pinyin};

/// Building, number, kind, seats, seats in an examination.
const ROOMS: [(&str, &str, &str, i32, Option<i32>); 4] = [
    ("第一教学楼", "101", "multimedia", 120, Some(60)),
    ("第一教学楼", "102", "multimedia", 120, Some(60)),
    ("第一教学楼", "201", "ordinary", 60, Some(30)),
    ("实训楼", "301", "computer", 50, Some(25)),
];

pub(super) async fn fill(tx: &mut Tx, sites: &[(i64, String)]) -> Result<()> {
    let ids: Vec<i64> = sites.iter().map(|(id, _)| *id).collect();
    for (building, room_no, kind, capacity, exam) in ROOMS {
        let name = format!("{building}{room_no}");
        sqlx::query!(
            "insert into classroom (site_id, building, room_no, name, room_type, capacity, exam_capacity, initials, created_by, updated_by)
             select id, $2, $3, $4, $5, $6, $7, $8, 0, 0 from unnest($1::bigint[]) as site (id)",
            &ids,
            building,
            room_no,
            name,
            kind,
            capacity,
            exam,
            pinyin::text_initials(&name)
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
