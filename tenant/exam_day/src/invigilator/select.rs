//! How invigilators are read.

use exam_seat_rules::enums::InvigilatorKind;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    mask,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use people::id_card::Gender;
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{ExportInvigilators, Invigilators};

/// Somebody who can be had.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Invigilator {
    /// 编号
    pub id: i64,
    /// 类型
    pub kind: InvigilatorKind,
    /// 教师编号
    pub teacher_id: Option<i64>,
    /// 工号
    pub work_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 身份证号
    pub id_card_no: Option<String>,
    /// 手机号
    pub phone: Option<String>,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 可用
    pub available: bool,
    /// 备注
    pub remark: Option<String>,
    /// 已排场次
    pub duty_count: i64,
    /// 版本
    pub version: i32,
}

impl Invigilator {
    /// Without whole numbers.
    pub(super) fn masked(mut self) -> Self {
        self.id_card_no = self.id_card_no.as_deref().map(mask::id_card);
        self.phone = self.phone.as_deref().map(mask::phone);
        self
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct InvigilatorFilter {
    /// 姓名
    /// 姓名、工号或拼音首字母
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 类型
    pub kind: Option<InvigilatorKind>,
    /// 可用
    pub available: Option<bool>,
}

impl Keyed for Invigilators {
    type Filter = InvigilatorFilter;
    type Row = Invigilator;

    fn id(row: &Invigilator) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &InvigilatorFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select n.id as "id!", n.created_at as "created_at!", count(*) over () as "total!"
               from invigilator n left join teacher w on w.id = n.teacher_id
               where ($1::bigint is null or n.id = $1)
                 and ($2::timestamptz is null or n.created_at <= $2)
                 and ($3::bigint[] is null or n.site_id = any($3))
                 and ($4::text is null or strpos(n.name, $4) > 0 or starts_with(n.initials, lower($4))
                      or starts_with(lower(w.work_no), lower($4)))
                 and ($5::bigint is null or n.site_id = $5)
                 and ($6::text is null or n.kind = $6)
                 and ($7::boolean is null or n.available = $7)
               order by n.created_at desc, n.id
               limit $8 offset $9"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            filter.name,
            filter.site_id,
            filter.kind.map(InvigilatorKind::as_str),
            filter.available,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Invigilator>> {
        sqlx::query_as!(
            Invigilator,
            r#"select n.id as "id!", n.kind as "kind!: _", n.teacher_id, w.work_no as "work_no?", n.name as "name!",
                      n.gender as "gender: _", n.id_card_no, n.phone, n.site_id as "site_id!", t.name as "site_name!",
                      n.available as "available!", n.remark,
                      (select count(*) from invigilation i where i.invigilator_id = n.id) as "duty_count!", n.version as "version!"
               from invigilator n
               join site t on t.id = n.site_id
               left join teacher w on w.id = n.teacher_id
               where n.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for Invigilators {
    type Filter = InvigilatorFilter;
    type Row = Invigilator;
    const KIND: &'static str = "invigilator.export";
    type Permission = ExportInvigilators;
    const TITLE: &'static str = "监考员";
    const COLUMNS: &'static [Column<Invigilator>] = &[
        Column { heading: "类型", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "工号", width: 14, cell: |row| Cell::text(row.work_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 8, cell: |row| Cell::text(row.gender.map(Gender::zh)) },
        Column { heading: "手机号", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "身份证号", width: 22, cell: |row| Cell::text(row.id_card_no.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "可用", width: 8, cell: |row| Cell::Bool(row.available) },
        Column { heading: "已排场次", width: 10, cell: |row| Cell::Int(row.duty_count) },
        Column { heading: "备注", width: 30, cell: |row| Cell::text(row.remark.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &InvigilatorFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Invigilator>> {
        Self::all(connection, filter, scope).await
    }

    fn mask(row: &mut Invigilator) {
        *row = row.clone().masked();
    }
}
