//! 录取回收站: what was deleted can be had back, or destroyed by an operator (02 §8). Rows in the bin are seen here alone, and by
//! the import, which takes none of their numbers over.

mod destroy;

use chrono::NaiveDate;
use enrolment::admitting::share_open;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Error, OnConstraint, Paged, Paging, Part, Reply, Result, Scope, Tx,
    across::{self, Item, ItemOfSchool, Key, Listed, SchoolPage},
    clock::{Moment, day_began, day_ended},
    mask, permissions, reply,
    sheet::{Cell, Column},
    steps::{Chosen, Step, SteppedOfSchools, job, over_schools},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use crate::{
    admission::{
        person::{Placer, held, share_batches, write},
        view::{AdmissionView, Kept, find_in, shown},
    },
    enums::AdmissionStatus,
    id_card::IdCardType,
};

permissions! {
    pages
        "/schoolPC/recruitStudents/deleteData/admission",
        "/platformPC/recruitStudents/deleteData/admission";
    EachSchool  Reads       ListDeleted        = "adult:pc:admissionDeleted:list" "录取回收站列表";
    ManySchools Writes      RecoverDeleted     = "adult:pc:admissionDeleted:recover" "恢复录取回收站数据";
    EachSchool  ReadsLogged ExportDeleted      = "adult:pc:admissionDeleted:export" "导出录取回收站";
    EachSchool  Reads       ViewDeleted        = "adult:pc:admissionDeleted:view" "查看录取回收站";
    FromOutside Writes      DestroyDeleted     = "adult:pc:admissionDeleted:delete" "彻底删除录取回收站数据";
    FromOutside Writes      DestroyManyDeleted = "adult:pc:admissionDeleted:batchDel" "批量彻底删除录取回收站数据";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<Bin>(), job::<Recover>()], ..Part::NONE };

/// A line of the bin.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedAdmission {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 导入文件
    pub file_name: String,
    /// 考生号
    pub examinee_no: String,
    /// 姓名
    pub name: String,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 招办专业代码
    pub authority_major_code: String,
    /// 招办专业
    pub authority_major_name: Option<String>,
    /// 专业
    pub major_name: String,
    /// 总分
    pub total_score: Option<f64>,
    /// 站点
    pub site_name: Option<String>,
    /// 状态
    pub status: AdmissionStatus,
    /// 导入时间
    pub created_at: Moment,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
    /// 版本
    pub version: i32,
}

/// The person and what the authority sent as they were when they were deleted, masked; nobody opens the whole values here.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedAdmissionView {
    #[oai(flatten)]
    pub person: AdmissionView,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedAdmissionFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 导入批
    pub import_id: Option<i64>,
    /// 关键字
    /// 姓名、证件号、手机、考生号或准考证号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 删除人
    #[oai(validator(max_length = 50))]
    pub deleted_by: Option<String>,
    /// 删除日期自
    pub deleted_from: Option<NaiveDate>,
    /// 删除日期至
    pub deleted_to: Option<NaiveDate>,
}

/// A row of the bin as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct DeletedAdmissionItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for DeletedAdmissionItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// `{items}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedAdmissionItems {
    /// 录取数据
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<DeletedAdmissionItem>>,
}

impl Example for DeletedAdmissionItems {
    fn example() -> Self {
        Self { items: vec![DeletedAdmissionItem { id: 1, version: 2 }.into()] }
    }
}

/// Rows of the bin, of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedAdmissionsChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<DeletedAdmissionItem>, DeletedAdmissionFilter>,
}

impl Example for DeletedAdmissionsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![DeletedAdmissionItem { id: 1, version: 2 }.into()]) }
    }
}

/// The operations on the bin.
pub(crate) fn api() -> impl OpenApi {
    (Bin, destroy::Destroy)
}

pub struct Bin;

#[OpenApi(prefix_path = "/adult/pc/admissionDeleted", tag = "crate::Tag::Admission")]
impl Bin {
    /// 录取回收站列表
    #[oai(path = "/list", method = "post", operation_id = "listDeletedAdmissions")]
    async fn list(
        &self,
        caller: Allowed<ListDeleted>,
        Body(asked): Body<Paged<DeletedAdmissionFilter>>,
    ) -> Result<Reply<SchoolPage<DeletedAdmission>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看录取回收站
    #[oai(path = "/view", method = "get", operation_id = "viewDeletedAdmission")]
    async fn view(
        &self,
        caller: Allowed<ViewDeleted>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<DeletedAdmissionView>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let wanted = Wanted { scope: scope.clone(), only: Some(vec![id.0]), ..Wanted::default() };
        let line = select(&mut tx, &wanted, None).try_next().await?.ok_or_else(Error::not_found)?;
        let found = find_in(&mut tx, id.0, &scope, Kept::InBin).await?;
        let person = shown(caller.app(), &mut tx, found, &scope).await?;
        Ok(reply(DeletedAdmissionView { person, deleted_by: line.deleted_by, deleted_at: line.deleted_at }))
    }

    /// 恢复录取回收站数据
    #[oai(path = "/recover", method = "post", operation_id = "recoverAdmissions")]
    async fn recover(
        &self,
        caller: Allowed<RecoverDeleted>,
        Body(wanted): Body<DeletedAdmissionsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, Recover {}).await?))
    }

    /// 导出录取回收站
    #[oai(path = "/export", method = "post", operation_id = "exportDeletedAdmissions")]
    async fn export(
        &self,
        caller: Allowed<ExportDeleted>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DeletedAdmissionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// 恢复录取回收站数据
#[derive(Debug, Object)]
struct Recover {}

impl Step for Recover {
    const KIND: &'static str = "admission_deleted.recover";
    const TITLE: &'static str = "恢复录取回收站数据";
    type Permission = RecoverDeleted;
    type Item = DeletedAdmissionItem;
    type List = Bin;

    fn item(row: &DeletedAdmission) -> DeletedAdmissionItem {
        DeletedAdmissionItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<DeletedAdmissionItem>, scope: &Scope) -> Result<BulkResult> {
        // In one order, so that two who do this at once wait for each other.
        items.sort_by_key(|item| item.id);
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        share_batches(&mut tx, &ids).await?;
        let mut bulk = Bulk::new(tx, "admission");
        for item in items {
            let outcome = recover(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// Takes a row out of the bin, as it was; the lead was freed when it was deleted, and is found again by matching.
///
/// # Errors
/// 409 when it is out already, changed since it was read, a live row has its number, its batch is over, or its site takes nobody.
async fn recover(tx: &mut Tx, item: DeletedAdmissionItem, scope: &Scope) -> Result<Change> {
    let row = sqlx::query!(
        r#"select batch_id, deleted_at, status as "status: AdmissionStatus" from admission
           where id = $1 and ($2::bigint[] is null or site_id = any($2)) for update"#,
        item.id,
        scope.sites()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复"));
    }
    if matches!(row.status, AdmissionStatus::Imported | AdmissionStatus::Assigned) {
        // A batch that is over has nobody who waits.
        share_open(tx, row.batch_id).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update admission set deleted_at = null, deleted_by = null, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        let word = match constraint {
            "admission_examinee_no_taken" => "考生号",
            "admission_id_card_taken" => "证件号",
            _ => return None,
        };
        Some(Error::conflict(format!("已存在相同{word}的有效数据，不能恢复")))
    })?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("admission", item.id).await);
    }
    seat_again(tx, item.id).await?;
    Ok(Change::event("admission", item.id, "recover", serde_json::json!({})))
}

/// Whoever had a site takes their place there again, as the policy of the quota has it.
///
/// # Errors
/// 409 when the site is full, or takes nobody any more.
async fn seat_again(tx: &mut Tx, id: i64) -> Result<()> {
    let Some(before) = held(tx, &[id], &Scope::whole_school()).await?.pop() else { return Ok(()) };
    let Some(site) = before.site_id.filter(|_| before.status == AdmissionStatus::Assigned) else { return Ok(()) };
    let mut person = before.clone();
    let mut placer = Placer::hold(tx, std::slice::from_ref(&person), &[site]).await?;
    // The row is no longer in the bin, so its place counts already.
    placer.leave(&mut person);
    placer.place(&mut person, site).map_err(Error::conflict)?;
    if person != before {
        write(tx, std::slice::from_ref(&person)).await?;
    }
    Ok(())
}

/// The filter, ready to be bound.
#[derive(Debug, Clone, Default)]
struct Wanted {
    filter: DeletedAdmissionFilter,
    keyword: Keyword,
    only: Option<Vec<i64>>,
    scope: Scope,
}

impl DeletedAdmissionFilter {
    fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            filter: self.clone(),
            only: None,
            scope: scope.clone(),
        }
    }
}

/// As everybody sees it (05 E4).
fn masked(mut row: DeletedAdmission) -> DeletedAdmission {
    row.id_card_no = mask::id_card(&row.id_card_no);
    row
}

/// A statement over the rows of the bin with the condition of a [`Wanted`] behind its head; parameters from `$12`.
macro_rules! of_bin {
    ($query:ident [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($head)+ +
            " from admission p
              left join lateral (select a.actor_name from audit_log a
                                 where a.entity_type = 'admission' and a.entity_id = p.id and a.action = 'delete'
                                 order by a.at desc limit 1) d on true
              join enrollment_batch b on b.id = p.batch_id
              join admission_import i on i.id = p.import_id
              join major m on m.id = p.major_id
              left join site t on t.id = p.site_id
              where p.deleted_at is not null
                and ($1::bigint is null or p.batch_id = $1)
                and ($2::bigint is null or p.import_id = $2)
                and ($3::text is null or p.id_card_no = $3)
                and ($4::text is null or p.phone = $4)
                and ($5::text is null or p.examinee_no like $5 or p.ticket_no like $5 or p.id_card_no = rtrim($5, '%')
                     or ($5 !~ '[0-9]' and p.initials like lower(rtrim($5, '%')) || '%'))
                and ($6::text[] is null or p.name_grams @> $6)
                and ($7::text is null or strpos(d.actor_name, $7) > 0)
                and ($8::timestamptz is null or p.deleted_at >= $8)
                and ($9::timestamptz is null or p.deleted_at < $9)
                and ($10::bigint[] is null or p.id = any($10))
                and ($11::bigint[] is null or p.site_id = any($11)) " $($tail)*,
            $wanted.filter.batch_id,
            $wanted.filter.import_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.deleted_by,
            $wanted.filter.deleted_from.map(day_began),
            $wanted.filter.deleted_to.map(day_ended),
            $wanted.only.as_deref(),
            $wanted.scope.sites()
            $(, $extra)*
        )
    };
}

/// The last deleted first.
fn select<'c>(connection: &'c mut PgConnection, wanted: &Wanted, page: Option<Paging>) -> Rows<'c, DeletedAdmission> {
    let rows = of_bin!(query
        [r#"select p.id, b.name as batch_name, i.file_name, p.examinee_no, p.name, p.id_card_type as "id_card_type: IdCardType",
                   p.id_card_no, p.authority_major_code, p.authority_major_name, m.name as major_name,
                   (p.total_score / 10.0)::float8 as total_score, t.name as "site_name?",
                   p.status as "status: AdmissionStatus", p.created_at, p.deleted_at as "deleted_at!",
                   d.actor_name as "deleted_by?", p.version"#]
        wanted
        [+ " order by p.deleted_at desc, p.id desc limit $12 offset $13"],
        page.map(Paging::limit),
        page.map(Paging::offset))
    .fetch(connection);
    Box::pin(rows.map_ok(|row| DeletedAdmission {
        id: row.id,
        batch_name: row.batch_name,
        file_name: row.file_name,
        examinee_no: row.examinee_no,
        name: row.name,
        id_card_type: row.id_card_type,
        id_card_no: row.id_card_no,
        authority_major_code: row.authority_major_code,
        authority_major_name: row.authority_major_name,
        major_name: row.major_name,
        total_score: row.total_score,
        site_name: row.site_name,
        status: row.status,
        created_at: row.created_at,
        deleted_by: row.deleted_by,
        deleted_at: row.deleted_at,
        version: row.version,
    }))
}

impl Listed for Bin {
    type Filter = DeletedAdmissionFilter;
    type Row = DeletedAdmission;

    fn id(row: &DeletedAdmission) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &DeletedAdmissionFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<DeletedAdmission>)> {
        let wanted = filter.wanted(scope);
        let total = of_bin!(query_scalar [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let list = select(connection, &wanted, Some(paging)).map_ok(masked).try_collect().await?;
        Ok((total, list))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &DeletedAdmissionFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let rows = of_bin!(query
            [r#"select p.id, p.created_at, count(*) over () as "total!""#]
            wanted
            [+ " and p.created_at <= $12 order by p.created_at desc, p.id limit $13"],
            until,
            most)
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(|row| Key { id: row.id, created_at: row.created_at, total: row.total }).collect())
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<DeletedAdmission>> {
        let wanted = Wanted { only: Some(ids.to_vec()), scope: Scope::whole_school(), ..Wanted::default() };
        Ok(select(connection, &wanted, None).map_ok(masked).try_collect().await?)
    }
}

impl Export for Bin {
    type Filter = DeletedAdmissionFilter;
    type Row = DeletedAdmission;
    const KIND: &'static str = "admission_deleted.export";
    type Permission = ExportDeleted;
    const TITLE: &'static str = "录取回收站";
    const COLUMNS: &'static [Column<DeletedAdmission>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::Text(row.examinee_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "招办专业代码", width: 12, cell: |row| Cell::Text(row.authority_major_code.clone()) },
        Column { heading: "招办专业", width: 20, cell: |row| Cell::text(row.authority_major_name.as_deref()) },
        Column {
            heading: "总分",
            width: 8,
            cell: |row| row.total_score.map_or(Cell::Empty, |score| Cell::Decimal((score * 10.0).round() as i64, 1)),
        },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "删除人", width: 12, cell: |row| Cell::text(row.deleted_by.as_deref()) },
        Column { heading: "删除时间", width: 18, cell: |row| Cell::DateTime(row.deleted_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DeletedAdmissionFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, DeletedAdmission>> {
        // Nobody sees the whole numbers of what was deleted.
        Ok(Box::pin(select(connection, &filter.wanted(scope), None).map_ok(masked)))
    }
}
