//! 从教室生成: a room of examinations for each classroom in which may be examined.

use infra::{Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use units::classroom::ClassroomType;

use super::form::{ExamRoomForm, insert};

/// Which classrooms become rooms.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamRoomsWanted {
    /// 站点
    /// 不填时为全部站点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
}

impl Example for ExamRoomsWanted {
    fn example() -> Self {
        Self { site_ids: vec![1] }
    }
}

/// The rooms that were made.
#[derive(Debug, Clone, Object)]
pub struct ExamRoomsGenerated {
    /// 编号
    pub ids: Vec<i64>,
}

/// As square as it can be, with so many seats at least: rows and columns of at most 30.
fn grid(seats: i32) -> (i32, i32) {
    let rows = (1..=30).find(|rows| rows * rows >= seats).unwrap_or(30);
    let columns = (seats + rows - 1) / rows;
    (rows, columns.clamp(1, 30))
}

/// # Errors
/// 404 for a site outside the scope; 999 when there is nothing to make.
pub(super) async fn generate(tx: &mut Tx, wanted: &ExamRoomsWanted, scope: &Scope) -> Result<Vec<Change>> {
    if wanted.site_ids.iter().any(|site| !scope.sees(Some(*site), None)) {
        return Err(Error::not_found());
    }
    let rooms = sqlx::query!(
        r#"select c.id, c.site_id, c.building, c.room_no, c.name, c.exam_capacity as "seats!", c.room_type as "room_type: ClassroomType"
           from classroom c join site s on s.id = c.site_id
           where c.enabled and c.exam_capacity is not null and s.status <> 'closed'
             and ($1::bigint[] = '{}' or c.site_id = any($1))
             and ($2::bigint[] is null or c.site_id = any($2))
             and not exists (select from exam_room r where r.classroom_id = c.id)
             and not exists (select from exam_room r where r.site_id = c.site_id and lower(r.building) = lower(c.building)
                             and lower(r.room_no) = lower(c.room_no))
           order by c.site_id, c.building, c.room_no, c.id
           for update of c"#,
        &wanted.site_ids,
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    if rooms.is_empty() {
        return Err(Error::conflict("没有可以生成考场的教室"));
    }
    let mut changes = Vec::with_capacity(rooms.len());
    for room in rooms {
        let (rows_count, columns_count) = grid(room.seats.min(900));
        let form = ExamRoomForm {
            site_id: room.site_id,
            classroom_id: Some(room.id),
            building: Some(room.building.chars().take(40).collect()),
            room_no: room.room_no,
            name: Some(room.name.chars().take(60).collect()),
            rows_count,
            columns_count,
            capacity: Some(room.seats.min(900)),
            blocked_seats: Vec::new(),
            room_type: Some(room.room_type),
            monitored: false,
            priority: None,
        };
        changes.push(insert(tx, form, scope).await?.1);
    }
    Ok(changes)
}
