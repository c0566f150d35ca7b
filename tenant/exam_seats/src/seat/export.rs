//! 导出座位编排: a list, a sheet for each room behind it, or a workbook for each point in an archive (part 04 §4.6). Numbers of persons are
//! always masked.

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Error, Result, Scope,
    across::Keyed,
    files::archive::{Archive, plain_name},
    sheet::{Cell, Column, Writer, cells},
    transfer::{self, Download, Export, ExportedAs, FileKind, Rows as RowStream, folder},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::{ExamSeat, ExamSeatFilter, ExportSeats, Seats};
use crate::enums::SeatLayout;

/// What is exported, and in which form.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatExport {
    /// 导出格式
    pub layout: Option<SeatLayout>,
    #[oai(flatten)]
    pub filter: ExamSeatFilter,
}

impl Example for SeatExport {
    fn example() -> Self {
        Self {
            layout: Some(SeatLayout::List),
            filter: ExamSeatFilter { batch_id: Some(1), ..ExamSeatFilter::default() },
        }
    }
}

pub struct Exports;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room", tag = "crate::Tag::ExamSeats")]
impl Exports {
    /// 导出座位编排
    #[oai(path = "/export", method = "post", operation_id = "exportExamSeats")]
    async fn export(
        &self,
        caller: Allowed<ExportSeats>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<SeatExport>,
    ) -> Result<ExportedAs> {
        if asked.layout == Some(SeatLayout::Zip) {
            if caller.school_id().is_none() {
                return Err(Error::field("schoolId", "请选择院校"));
            }
            return Ok(ExportedAs::File(packed(&caller, &asked.filter).await?));
        }
        Ok(ExportedAs::Workbook(transfer::export::<SeatSheets>(&caller, asked, job.0).await?))
    }
}

pub(crate) struct SeatSheets;

const COLUMNS: &[Column<ExamSeat>] = &[
    Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
    Column { heading: "场次", width: 8, cell: |row| Cell::Text(row.session_code.clone()) },
    Column { heading: "考试日期", width: 12, cell: |row| Cell::date(Some(row.starts_at.date_naive())) },
    Column {
        heading: "时间",
        width: 14,
        cell: |row| Cell::Text(format!("{}-{}", row.starts_at.format("%H:%M"), row.ends_at.format("%H:%M"))),
    },
    Column { heading: "考点", width: 24, cell: |row| Cell::Text(row.exam_site_name.clone()) },
    Column { heading: "考场号", width: 8, cell: |row| Cell::text(row.exam_room_no.clone()) },
    Column { heading: "考场地点", width: 24, cell: |row| Cell::text(row.room_name.clone()) },
    Column { heading: "座位号", width: 8, cell: |row| row.seat_no.map_or(Cell::Empty, |no| Cell::Int(no.into())) },
    Column { heading: "准考证号", width: 18, cell: |row| Cell::text(row.ticket_no.clone()) },
    Column { heading: "学号", width: 16, cell: |row| Cell::text(row.student_no.clone()) },
    Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
    Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) },
    Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
    Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.clone()) },
    Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
    Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
    Column { heading: "课程名称", width: 24, cell: |row| Cell::Text(row.course_name.clone()) },
    Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
];

impl Export for SeatSheets {
    type Filter = SeatExport;
    type Row = ExamSeat;
    const KIND: &'static str = "offline_seat.export";
    type Permission = ExportSeats;
    const TITLE: &'static str = "座位编排";
    const COLUMNS: &'static [Column<ExamSeat>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        asked: &SeatExport,
        scope: &Scope,
    ) -> Result<RowStream<'c, ExamSeat>> {
        Seats::all(connection, &asked.filter, scope).await
    }

    async fn sheets(
        connection: &mut PgConnection,
        asked: &SeatExport,
        scope: &Scope,
        writer: &mut Writer,
    ) -> Result<()> {
        if asked.layout != Some(SeatLayout::Room) {
            return Ok(());
        }
        let mut rows = Seats::all(connection, &asked.filter, scope).await?;
        let mut room = None;
        while let Some(row) = rows.try_next().await? {
            // The list goes from room to room; whoever has no seat stands in it alone.
            let Some(here) = row.session_room_id else { continue };
            if room != Some(here) {
                room = Some(here);
                let name = format!(
                    "{}场{}{}",
                    row.session_code,
                    row.exam_site_name,
                    row.exam_room_no.as_deref().unwrap_or_default()
                );
                writer.sheet(&name, COLUMNS.iter().map(|column| (column.heading, column.width))).await?;
            }
            writer.row(cells(COLUMNS, &row)).await?;
        }
        Ok(())
    }
}

/// A workbook of each point, in an archive.
///
/// # Errors
/// 999 when nobody sits there; 429 when all places for exports are taken.
async fn packed(caller: &Allowed<ExportSeats>, filter: &ExamSeatFilter) -> Result<Download> {
    let app = caller.app();
    let _place = app.export_place()?;
    let filter = ExamSeatFilter { seated: Some(true), ..filter.clone() };
    let mut tx = caller.read_long().await?;
    let mut sites: BTreeMap<(String, i64), Vec<ExamSeat>> = BTreeMap::new();
    {
        let mut rows = Seats::all(&mut tx, &filter, &caller.scope()).await?;
        while let Some(row) = rows.try_next().await? {
            sites.entry((row.exam_site_name.clone(), row.exam_site_id)).or_default().push(row);
        }
    }
    drop(tx);
    if sites.is_empty() {
        return Err(Error::new(999, "没有可导出的数据"));
    }
    let archive = Archive::start(app).await?;
    let mut count = 0;
    for ((name, id), rows) in sites {
        let mut writer = Writer::start(&folder(app).await?, "座位编排", COLUMNS);
        for row in &rows {
            writer.row(cells(COLUMNS, row)).await?;
        }
        count += rows.len();
        let file = writer.finish().await?;
        let bytes = tokio::fs::read(file.path()).await.map_err(Error::of_disk)?;
        archive.add_bytes(format!("{}_{id}.xlsx", plain_name(&name)), bytes).await?;
    }
    let file = archive.finish().await?;
    let bytes = tokio::fs::read(file.path()).await.map_err(Error::of_disk)?;
    let name = format!("座位编排_{}.zip", app.clock().now().format("%Y%m%d%H%M%S"));
    caller.note("export", serde_json::json!({ "rows": count, "file": name, "plain": false }));
    Ok(Download { name, kind: FileKind::Zip, bytes })
}
