//! What the sheets of rooms look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows as RowStream},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::{
    classroom::ClassroomType,
    site::{self, KnownSite},
};

use super::{ExamRoom, ExamRoomFilter, ExamRoomForm, Rooms, insert, remove};

impl Export for Rooms {
    type Filter = ExamRoomFilter;
    type Row = ExamRoom;
    const KIND: &'static str = "exam_room.export";
    type Permission = super::ExportExamRooms;
    const TITLE: &'static str = "考场";
    const COLUMNS: &'static [Column<ExamRoom>] = &[
        Column { heading: "站点", width: 28, cell: |room| Cell::Text(room.site_name.clone()) },
        Column { heading: "楼栋", width: 16, cell: |room| Cell::Text(room.building.clone()) },
        Column { heading: "房间", width: 12, cell: |room| Cell::Text(room.room_no.clone()) },
        Column { heading: "考场名称", width: 24, cell: |room| Cell::Text(room.name.clone()) },
        Column { heading: "行数", width: 8, cell: |room| Cell::Int(room.rows_count.into()) },
        Column { heading: "列数", width: 8, cell: |room| Cell::Int(room.columns_count.into()) },
        Column { heading: "考位数", width: 8, cell: |room| Cell::Int(room.capacity.into()) },
        Column {
            heading: "不可用座位",
            width: 20,
            cell: |room| {
                let seats: Vec<String> = room.blocked_seats.iter().map(ToString::to_string).collect();
                Cell::Text(seats.join(","))
            },
        },
        Column { heading: "类型", width: 10, cell: |room| Cell::Text(room.room_type.zh().to_owned()) },
        Column { heading: "有监控", width: 8, cell: |room| Cell::Bool(room.monitored) },
        Column { heading: "使用顺序", width: 10, cell: |room| Cell::Int(room.priority.into()) },
        Column { heading: "启用", width: 8, cell: |room| Cell::Bool(room.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamRoomFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, ExamRoom>> {
        Self::all(connection, filter, scope).await
    }
}

/// An import of rooms, with the sites that its rows name.
pub(crate) struct ExamRoomSheet {
    scope: Scope,
    sites: Codes<KnownSite>,
}

impl RowImport for ExamRoomSheet {
    type Form = ExamRoomForm;
    const KIND: &'static str = "exam_room.import";
    type Permission = super::ImportExamRooms;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("siteId", "站点编码"),
        ("building", "楼栋"),
        ("roomNo", "房间"),
        ("rowsCount", "行数"),
        ("columnsCount", "列数"),
        ("capacity", "考位数"),
        ("roomType", "类型"),
        ("priority", "顺序"),
    ];
    /// A number repeats between buildings and sites; within them the database refuses.
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    const CODES: &'static [(&'static str, &'static str)] = &[("站点编码", "site")];

    fn template() -> Template {
        Template {
            title: "考场",
            columns: vec![
                InputColumn::required("站点编码", "站点管理中的编码"),
                InputColumn::required("楼栋", ""),
                InputColumn::required("房间", "同一站点同一楼栋内不重复"),
                InputColumn::required("行数", "1至30"),
                InputColumn::required("列数", "1至30"),
                InputColumn::optional("考位数", "不超过行数×列数，不填时为全部座位"),
                InputColumn::optional("类型", "").one_of(ClassroomType::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("顺序", "小的先用，不填时为100"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        Ok(Self { sites: site::by_code(tx, &scope).await?, scope })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "siteId": referred(row, "站点编码", &self.sites).map(|site| site.id),
            "building": row.required("楼栋"),
            "roomNo": row.text("房间"),
            "rowsCount": row.integer("行数"),
            "columnsCount": row.integer("列数"),
            "capacity": row.integer("考位数"),
            "roomType": row.one_of("类型", ClassroomType::CHOICES).map(ClassroomType::as_str),
            "priority": row.integer("顺序"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: ExamRoomForm) -> Result<Change> {
        Ok(insert(tx, form, &self.scope).await?.1)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
