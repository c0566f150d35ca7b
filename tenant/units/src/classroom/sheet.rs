//! What the sheets of rooms look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Classroom, ClassroomFilter, ClassroomForm, ClassroomType, Classrooms, insert, remove};
use crate::site::{self, KnownSite};

impl Export for Classrooms {
    type Filter = ClassroomFilter;
    type Row = Classroom;
    const KIND: &'static str = "classroom.export";
    type Permission = super::ExportClassrooms;
    const TITLE: &'static str = "教室";
    const COLUMNS: &'static [Column<Classroom>] = &[
        Column { heading: "站点", width: 28, cell: |room| Cell::Text(room.site_name.clone()) },
        Column { heading: "楼宇", width: 20, cell: |room| Cell::Text(room.building.clone()) },
        Column { heading: "房间号", width: 12, cell: |room| Cell::Text(room.room_no.clone()) },
        Column { heading: "名称", width: 28, cell: |room| Cell::Text(room.name.clone()) },
        Column { heading: "类型", width: 10, cell: |room| Cell::Text(room.room_type.zh().to_owned()) },
        Column { heading: "容量", width: 8, cell: |room| Cell::Int(room.capacity.into()) },
        Column {
            heading: "考试容量",
            width: 10,
            cell: |room| room.exam_capacity.map_or(Cell::Empty, |exam| Cell::Int(exam.into())),
        },
        Column { heading: "启用", width: 8, cell: |room| Cell::Bool(room.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ClassroomFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Classroom>> {
        Self::all(connection, filter, scope).await
    }
}

/// An import of rooms, with the sites that its rows name.
pub(crate) struct ClassroomImport {
    scope: Scope,
    sites: Codes<KnownSite>,
}

impl RowImport for ClassroomImport {
    type Form = ClassroomForm;
    const KIND: &'static str = "classroom.import";
    type Permission = super::ImportClassrooms;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("siteId", "站点编码"),
        ("building", "楼宇"),
        ("roomNo", "房间号"),
        ("name", "名称"),
        ("roomType", "类型"),
        ("capacity", "容量"),
        ("examCapacity", "考试容量"),
    ];
    /// A number repeats between buildings and sites; within them the database refuses.
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    const CODES: &'static [(&'static str, &'static str)] = &[("站点编码", "site")];

    fn template() -> Template {
        Template {
            title: "教室",
            columns: vec![
                InputColumn::required("站点编码", "站点管理中的编码"),
                InputColumn::optional("楼宇", ""),
                InputColumn::required("房间号", "同一站点同一楼宇内不重复"),
                InputColumn::optional("名称", "不填时为“楼宇+房间号”"),
                InputColumn::required("类型", "").one_of(ClassroomType::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::required("容量", "1至2000"),
                InputColumn::optional("考试容量", "不大于容量；不用于考试时不填"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        Ok(Self { sites: site::by_code(tx, &scope).await?, scope })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "siteId": referred(row, "站点编码", &self.sites).map(|site| site.id),
            "building": row.text("楼宇"),
            "roomNo": row.text("房间号"),
            "name": row.text("名称"),
            "roomType": row.one_of("类型", ClassroomType::CHOICES).map(ClassroomType::as_str),
            "capacity": row.integer("容量"),
            "examCapacity": row.integer("考试容量"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: ClassroomForm) -> Result<Change> {
        Ok(insert(tx, form, &self.scope).await?.1)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
