//! 导入缺考名单 of a session: by room and seat, or by ticket (part 04 §4.6). A room that the sheet names is registered with it.

use std::collections::BTreeMap;

use exam_seat_rules::enums::RoomRecordStatus;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{OpenApi, param::Query};

use super::{
    FetchAbsenceSheet, ImportAbsences,
    steps::{RoomRecordContent, held, write},
};

pub struct AbsenceImports;

#[OpenApi(prefix_path = "/offline/pc/offline/manage", tag = "crate::Tag::ExamDay")]
impl AbsenceImports {
    /// 导入缺考名单
    /// 先选择场次；名单中的考场随之登记
    #[oai(path = "/import", method = "post", operation_id = "importAbsences")]
    async fn import(
        &self,
        caller: Allowed<ImportAbsences>,
        /// 场次
        #[oai(name = "sessionId")]
        session_id: Query<i64>,
        form: ImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        transfer::import_into::<AbsenceSheet>(&caller, form, Some(session_id.0)).await
    }

    /// 缺考名单导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchAbsenceImportTemplate")]
    async fn template(&self, caller: Allowed<FetchAbsenceSheet>) -> Result<Attachment> {
        transfer::template::<AbsenceSheet, _>(&caller).await
    }
}

/// One import into a session.
pub(super) struct AbsenceSheet {
    scope: Scope,
    session: i64,
}

/// What a row names: the room and the seat.
async fn seat(tx: &mut Tx, sheet: &AbsenceSheet, row: &mut Row) -> Result<Option<(i64, i32)>> {
    let room = row.required("考场号");
    let (seat, ticket) = (row.integer("座位号"), row.text("准考证号"));
    if seat.is_none() && ticket.is_none() {
        row.refuse("座位号", "座位号和准考证号请填写一项");
        return Ok(None);
    }
    let found = sqlx::query!(
        r#"select r.id as "room!", z.seat_no as "seat!" from offline_session_room r
           join offline_seat z on z.session_room_id = r.id
           join offline_session x on x.id = r.session_id
           left join exam_ticket k on k.batch_id = x.batch_id and k.student_id = z.student_id
           where r.session_id = $1 and r.exam_room_no = lpad($2, 3, '0')
             and ($3::bigint is null or z.seat_no = $3) and ($4::text is null or k.ticket_no = $4)
             and ($5::bigint[] is null or r.site_id = any($5))
           order by r.site_id"#,
        sheet.session,
        room,
        seat,
        ticket,
        sheet.scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    match found.as_slice() {
        [one] => Ok(Some((one.room, one.seat))),
        [] => {
            row.refuse(if seat.is_some() { "座位号" } else { "准考证号" }, "该场次没有这个考场或座位");
            Ok(None)
        }
        _ => {
            row.refuse("准考证号", "多个考点有这个考场号，请填写准考证号");
            Ok(None)
        }
    }
}

impl Import for AbsenceSheet {
    const KIND: &'static str = "exam_day.absence.import";
    type Permission = ImportAbsences;

    fn template() -> Template {
        Template {
            title: "缺考名单",
            columns: vec![
                InputColumn::required("考场号", "3位数字，例如 003"),
                InputColumn::optional("座位号", "与准考证号填写一项"),
                InputColumn::optional("准考证号", "14位数字"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let session = into.ok_or_else(|| Error::field("sessionId", "请选择场次"))?;
        let known =
            sqlx::query_scalar!(r#"select exists (select from offline_session where id = $1) as "known!""#, session)
                .fetch_one(&mut **tx)
                .await?;
        if !known {
            return Err(Error::field("sessionId", "所选场次不存在，请重新选择"));
        }
        Ok(Self { scope, session })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut by_room: BTreeMap<i64, Vec<(usize, i32)>> = BTreeMap::new();
        for (place, row) in rows.iter_mut().enumerate() {
            if let Some((room, seat)) = seat(tx, self, row).await? {
                by_room.entry(room).or_default().push((place, seat));
            }
        }
        let mut changes = Vec::new();
        for (room, seats) in by_room {
            tx.savepoint().await?;
            let outcome = async {
                let held = held(tx, room, &self.scope).await?;
                let mut absent = held.content.absent_seats.clone();
                absent.extend(seats.iter().map(|(_, seat)| *seat));
                let note = held.content.note.clone();
                write(tx, &held, (absent, note), None).await
            };
            match outcome.await {
                Ok(change) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    for (place, _) in seats {
                        if let Some(row) = rows.get_mut(place) {
                            row.refuse("考场号", error.msg.to_string());
                        }
                    }
                }
            }
        }
        Ok(changes)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let room = held(tx, record.id, scope).await?;
        if room.status == RoomRecordStatus::Confirmed {
            return Err(Error::conflict("考场情况已确认，请先取消确认"));
        }
        if record.is_new("offline_room_record") {
            sqlx::query!("delete from offline_room_record where id = $1", record.id).execute(&mut **tx).await?;
            return Ok(Some(Change::deleted("offline_room_record", record.id, &room.content)));
        }
        let former: RoomRecordContent = record.former(&room.content)?;
        let change = write(tx, &room, (former.absent_seats, former.note), None).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!("select exam_room_no from offline_session_room where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(name.map(|no| format!("{no}考场")).unwrap_or_default())
    }
}
