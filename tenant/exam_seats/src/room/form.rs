//! What a clerk types of a room, what follows from it, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, naming::tidy, pinyin};
use poem_openapi::{Object, types::Example};
use units::{classroom::ClassroomType, site::SiteStatus};

use super::{Rooms, seats_of};

/// What a clerk types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamRoomForm {
    /// 站点
    pub site_id: i64,
    /// 教室
    /// 校外场地不填
    pub classroom_id: Option<i64>,
    /// 楼栋
    #[oai(validator(max_length = 40))]
    pub building: Option<String>,
    /// 房间
    #[oai(validator(min_length = 1, max_length = 20))]
    pub room_no: String,
    /// 考场名称
    /// 不填时为“楼栋+房间”
    #[oai(validator(max_length = 60))]
    pub name: Option<String>,
    /// 行数
    #[oai(validator(minimum(value = "1"), maximum(value = "30")))]
    pub rows_count: i32,
    /// 列数
    #[oai(validator(minimum(value = "1"), maximum(value = "30")))]
    pub columns_count: i32,
    /// 考位数
    /// 不填时为全部可用座位
    #[oai(validator(minimum(value = "1"), maximum(value = "900")))]
    pub capacity: Option<i32>,
    /// 不可用座位
    /// 从1起逐行编号
    #[oai(default, validator(max_items = 900))]
    pub blocked_seats: Vec<i32>,
    /// 类型
    pub room_type: Option<ClassroomType>,
    /// 有监控
    #[oai(default)]
    pub monitored: bool,
    /// 使用顺序
    /// 小的先用，不填时为100
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub priority: Option<i32>,
}

impl Example for ExamRoomForm {
    fn example() -> Self {
        Self {
            site_id: 1,
            classroom_id: None,
            building: Some("第一教学楼".to_owned()),
            room_no: "301".to_owned(),
            name: None,
            rows_count: 6,
            columns_count: 5,
            capacity: Some(30),
            blocked_seats: Vec::new(),
            room_type: Some(ClassroomType::Ordinary),
            monitored: true,
            priority: None,
        }
    }
}

/// A form that is right.
#[derive(Debug)]
struct Complete {
    site_id: i64,
    classroom_id: Option<i64>,
    building: String,
    room_no: String,
    name: String,
    rows_count: i32,
    columns_count: i32,
    capacity: i32,
    blocked_seats: Vec<i32>,
    room_type: ClassroomType,
    monitored: bool,
    priority: i32,
}

impl Complete {
    /// # Errors
    /// 422 for seats that are not there, and for more of them than there are.
    fn of(form: ExamRoomForm) -> Result<Self> {
        let places = form.rows_count * form.columns_count;
        let mut blocked = form.blocked_seats;
        blocked.sort_unstable();
        blocked.dedup();
        if blocked.iter().any(|seat| !(1..=places).contains(seat)) {
            return Err(Error::field("blockedSeats", format!("不可用座位应在1到{places}之间")));
        }
        let rest = places - i32::try_from(blocked.len()).unwrap_or(places);
        if rest < 1 {
            return Err(Error::field("blockedSeats", "至少要有一个可用座位"));
        }
        let capacity = form.capacity.unwrap_or(rest);
        if capacity > places {
            return Err(Error::field("capacity", "考位数不能超过行数×列数"));
        }
        if capacity > rest {
            return Err(Error::field("capacity", format!("除不可用座位外只有{rest}个座位")));
        }
        let building = form.building.as_deref().map(tidy).unwrap_or_default();
        let room_no = tidy(&form.room_no);
        let name = form.name.as_deref().map(tidy).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("{building}{room_no}"));
        Ok(Self {
            site_id: form.site_id,
            classroom_id: form.classroom_id,
            building,
            room_no,
            name,
            rows_count: form.rows_count,
            columns_count: form.columns_count,
            capacity,
            blocked_seats: blocked,
            room_type: form.room_type.unwrap_or(ClassroomType::Ordinary),
            monitored: form.monitored,
            priority: form.priority.unwrap_or(100),
        })
    }
}

/// # Errors
/// 422 at the site or the classroom when it is not there, not the caller's, or closed.
async fn place_usable(tx: &mut Tx, form: &Complete, scope: &Scope) -> Result<()> {
    let site = sqlx::query!(r#"select name, status as "status: SiteStatus" from site where id = $1"#, form.site_id)
        .fetch_optional(&mut **tx)
        .await?
        .filter(|_| scope.sees(Some(form.site_id), None))
        .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
    if site.status == SiteStatus::Closed {
        return Err(Error::field("siteId", format!("“{}”已撤销，请选择其他项", site.name)));
    }
    let Some(classroom) = form.classroom_id else { return Ok(()) };
    let of =
        sqlx::query_scalar!("select site_id from classroom where id = $1", classroom).fetch_optional(&mut **tx).await?;
    if of == Some(form.site_id) {
        Ok(())
    } else {
        Err(Error::field("classroomId", "所选教室不是该站点的教室，请重新选择"))
    }
}

pub(crate) async fn insert(tx: &mut Tx, form: ExamRoomForm, scope: &Scope) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    place_usable(tx, &form, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into exam_room (site_id, classroom_id, building, room_no, name, initials, rows_count, columns_count, capacity,
                                blocked_seats, room_type, monitored, priority, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14) returning id",
        form.site_id,
        form.classroom_id,
        form.building,
        form.room_no,
        form.name,
        pinyin::text_initials(&form.name),
        form.rows_count,
        form.columns_count,
        form.capacity,
        &form.blocked_seats,
        form.room_type.as_str(),
        form.monitored,
        form.priority,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &form))?;
    Ok((id, Change::created("exam_room", id, &typed)))
}

/// # Errors
/// 404 outside the scope, 409 when it was changed meanwhile, or when people sit where there would be no seat any more.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ExamRoomForm>, scope: &Scope) -> Result<Change> {
    tx.lock("exam_room", edit.id).await?;
    let before = Rooms::find(tx, edit.id, scope).await?;
    let form = Complete::of(edit.form)?;
    place_usable(tx, &form, scope).await?;
    let grid = (form.rows_count, form.columns_count, form.capacity, &form.blocked_seats);
    if grid != (before.rows_count, before.columns_count, before.capacity, &before.blocked_seats) {
        let seats = seats_of(tx, edit.id).await?;
        if seats > 0 {
            return Err(Error::conflict(format!("该考场已编排 {seats} 名考生，不能修改座位布局")));
        }
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update exam_room set site_id = $3, classroom_id = $4, building = $5, room_no = $6, name = $7, initials = $8,
                rows_count = $9, columns_count = $10, capacity = $11, blocked_seats = $12, room_type = $13, monitored = $14,
                priority = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.site_id,
        form.classroom_id,
        form.building,
        form.room_no,
        form.name,
        pinyin::text_initials(&form.name),
        form.rows_count,
        form.columns_count,
        form.capacity,
        &form.blocked_seats,
        form.room_type.as_str(),
        form.monitored,
        form.priority,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("exam_room", edit.id).await);
    }
    let after = Rooms::find(tx, edit.id, scope).await?;
    Ok(Change::edited("exam_room", edit.id, &before, &after))
}

fn explain(constraint: &str, form: &Complete) -> Option<Error> {
    match constraint {
        "exam_room_place_taken" => {
            let Complete { building, room_no, .. } = form;
            Some(Error::field("roomNo", format!("该站点已有考场“{building}{room_no}”")))
        }
        "exam_room_classroom_taken" => Some(Error::field("classroomId", "该教室已有对应的考场")),
        "offline_session_room_of_room" => Some(Error::conflict("该考场已用于考试场次，不能更换站点")),
        _ => None,
    }
}
