//! How archives are read.

use certificate_rules::enums::{ArchiveItemCode, ArchiveItemOrigin, ArchiveItemStatus, ArchiveStatus};
use chrono::NaiveDate;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    files,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::classify;

use super::{Archives, ExportArchives};

/// An archive, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Archive {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 毕业批次编号
    pub batch_id: i64,
    /// 毕业批次
    pub batch_name: String,
    /// 档号
    pub archive_no: String,
    /// 状态
    pub status: ArchiveStatus,
    /// 已备
    pub ready_count: i32,
    /// 应备
    pub needed_count: i32,
    /// 缺少材料
    pub missing: Vec<ArchiveItemCode>,
    /// 归档人
    pub sealed_by_name: Option<String>,
    /// 归档时间
    pub sealed_at: Option<Moment>,
    /// 取消归档原因
    pub unseal_reason: Option<String>,
    /// 全卷校验码
    pub bundle_sha256: Option<String>,
    /// 去向
    pub handed_to: Option<String>,
    /// 移交日期
    pub handed_on: Option<NaiveDate>,
    /// 单号
    pub tracking_no: Option<String>,
    /// 版本
    pub version: i32,
}

/// A paper of an archive.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArchiveItem {
    /// 编号
    pub id: i64,
    /// 材料
    pub code: ArchiveItemCode,
    /// 来源
    pub origin: ArchiveItemOrigin,
    /// 必备
    pub needed: bool,
    /// 状态
    pub status: ArchiveItemStatus,
    /// 免交原因
    pub waive_reason: Option<String>,
    /// 文件名
    pub file_name: Option<String>,
    /// 地址
    pub url: Option<String>,
    /// 页数
    pub pages: Option<i32>,
    /// 校验码
    pub sha256: Option<String>,
    /// 备齐时间
    pub generated_at: Option<Moment>,
    /// 以前的版本数
    pub former_count: i64,
}

/// An archive with its papers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArchiveView {
    #[oai(flatten)]
    pub archive: Archive,
    /// 材料
    pub items: Vec<ArchiveItem>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArchiveFilter {
    /// 毕业批次
    pub batch_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 状态
    pub status: Option<ArchiveStatus>,
    /// 缺少材料
    pub missing: Option<ArchiveItemCode>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for Archives {
    type Filter = ArchiveFilter;
    type Row = Archive;

    fn id(row: &Archive) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ArchiveFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select a.id as "id!", a.created_at as "created_at!", count(*) over () as "total!"
               from archive a join student y on y.id = a.student_id
               where ($1::bigint is null or a.id = $1)
                 and ($2::timestamptz is null or a.created_at <= $2)
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
                 and ($5::bigint is null or a.batch_id = $5)
                 and ($6::bigint is null or a.student_id = $6)
                 and ($7::bigint is null or y.level_id = $7)
                 and ($8::bigint is null or y.major_id = $8)
                 and ($9::bigint is null or y.class_id = $9)
                 and ($10::bigint is null or y.site_id = $10)
                 and ($11::text is null or a.status = $11)
                 and ($12::text is null or exists (
                          select from archive_item i
                          where i.archive_id = a.id and i.code = $12 and i.needed and i.status = 'missing'))
                 and ($13::text is null or y.id_card_no = $13)
                 and ($14::text is null or y.phone = $14)
                 and ($15::text is null or y.student_no like $15 or y.examinee_no like $15
                      or ($15 !~ '[0-9]' and y.initials like lower(rtrim($15, '%')) || '%'))
                 and ($16::text[] is null or y.name_grams @> $16)
               order by a.created_at desc, a.id
               limit $17 offset $18"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.student_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.status.map(ArchiveStatus::as_str),
            filter.missing.map(ArchiveItemCode::as_str),
            keyword.id_card_no.as_deref(),
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref(),
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Archive>> {
        sqlx::query_as!(
            Archive,
            r#"select a.id as "id!", a.student_id as "student_id!", y.student_no, y.name as "name!", l.name as "level_name!",
                      m.name as "major_name!", t.name as "site_name!", k.name as "class_name?", a.batch_id as "batch_id!",
                      b.name as "batch_name!", a.archive_no as "archive_no!", a.status as "status!: _",
                      a.ready_count as "ready_count!", a.needed_count as "needed_count!",
                      array(select i.code from archive_item i
                            where i.archive_id = a.id and i.needed and i.status = 'missing' order by i.id)
                          as "missing!: Vec<ArchiveItemCode>",
                      a.sealed_by_name, a.sealed_at, a.unseal_reason, a.bundle_sha256, a.handed_to, a.handed_on, a.tracking_no,
                      a.version as "version!"
               from archive a
               join student y on y.id = a.student_id
               join level l on l.id = y.level_id
               join major m on m.id = y.major_id
               join site t on t.id = y.site_id
               join graduation_batch b on b.id = a.batch_id
               left join class k on k.id = y.class_id
               where a.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// With its papers.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, archive: Archive) -> Result<ArchiveView> {
    let rows = sqlx::query!(
        r#"select i.id as "id!", i.code as "code!: ArchiveItemCode", i.origin as "origin!: ArchiveItemOrigin", i.needed as "needed!",
                  i.status as "status!: ArchiveItemStatus", i.waive_reason, f.original_name as "file_name?", f.key as "key?",
                  i.pages, i.sha256, i.generated_at,
                  (select count(*) from archive_item_file o where o.item_id = i.id) as "former_count!"
           from archive_item i left join file_object f on f.id = i.file_id
           where i.archive_id = $1 order by i.id"#,
        archive.id
    )
    .fetch_all(connection)
    .await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let url = match (&row.key, &row.file_name) {
            (Some(key), Some(name)) => Some(files::url_of(app, key, name).await?),
            _ => None,
        };
        items.push(ArchiveItem {
            id: row.id,
            code: row.code,
            origin: row.origin,
            needed: row.needed,
            status: row.status,
            waive_reason: row.waive_reason,
            file_name: row.file_name,
            url,
            pages: row.pages,
            sha256: row.sha256,
            generated_at: row.generated_at,
            former_count: row.former_count,
        });
    }
    Ok(ArchiveView { archive, items })
}

/// 论文归档稿、证书存根
pub(super) fn words(missing: &[ArchiveItemCode]) -> String {
    missing.iter().map(|code| code.zh()).collect::<Vec<_>>().join("、")
}

impl Export for Archives {
    type Filter = ArchiveFilter;
    type Row = Archive;
    const KIND: &'static str = "archive.export";
    type Permission = ExportArchives;
    const TITLE: &'static str = "毕业档案";
    const COLUMNS: &'static [Column<Archive>] = &[
        Column { heading: "档号", width: 24, cell: |row| Cell::Text(row.archive_no.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "层次", width: 14, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 24, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "毕业批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column {
            heading: "齐全度",
            width: 10,
            cell: |row| Cell::Text(format!("{}/{}", row.ready_count, row.needed_count)),
        },
        Column { heading: "缺少材料", width: 30, cell: |row| Cell::Text(words(&row.missing)) },
        Column { heading: "去向", width: 24, cell: |row| Cell::text(row.handed_to.as_deref()) },
        Column { heading: "移交日期", width: 12, cell: |row| row.handed_on.map_or(Cell::Empty, Cell::Date) },
        Column { heading: "单号", width: 18, cell: |row| Cell::text(row.tracking_no.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ArchiveFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Archive>> {
        Self::all(connection, filter, scope).await
    }
}
