//! 报到回收站: what was deleted can be had back, or destroyed by an operator (02 §8). Rows in the bin are seen here alone.

mod destroy;

use chrono::NaiveDate;
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
    enums::RegistrationStatus,
    id_card::IdCardType,
    registration::view::{Kept, RegistrationView, view},
};

permissions! {
    pages
        "/schoolPC/recruitStudents/deleteData/registration",
        "/platformPC/recruitStudents/deleteData/registration";
    EachSchool  Reads       ListDeleted        = "adult:pc:registrationDeleted:list" "报到回收站列表";
    ManySchools Writes      RecoverDeleted     = "adult:pc:registrationDeleted:recover" "恢复报到回收站数据";
    EachSchool  ReadsLogged ExportDeleted      = "adult:pc:registrationDeleted:export" "导出报到回收站";
    EachSchool  Reads       ViewDeleted        = "adult:pc:registrationDeleted:view" "查看报到回收站";
    FromOutside Writes      DestroyDeleted     = "adult:pc:registrationDeleted:delete" "彻底删除报到回收站数据";
    FromOutside Writes      DestroyManyDeleted = "adult:pc:registrationDeleted:batchDel" "批量彻底删除报到回收站数据";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<Bin>(), job::<Recover>()], ..Part::NONE };

/// A line of the bin.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedRegistration {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 考生号
    pub examinee_no: String,
    /// 姓名
    pub name: String,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 状态
    pub status: RegistrationStatus,
    /// 生成时间
    pub created_at: Moment,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
    /// 版本
    pub version: i32,
}

/// The person as they were when they were deleted, masked; nobody opens the whole values here.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedRegistrationView {
    #[oai(flatten)]
    pub person: RegistrationView,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedRegistrationFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 关键字
    /// 姓名、证件号、手机或考生号
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
pub struct DeletedRegistrationItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for DeletedRegistrationItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// `{items}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedRegistrationItems {
    /// 报到
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<DeletedRegistrationItem>>,
}

impl Example for DeletedRegistrationItems {
    fn example() -> Self {
        Self { items: vec![DeletedRegistrationItem { id: 1, version: 2 }.into()] }
    }
}

/// Rows of the bin, of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedRegistrationsChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<DeletedRegistrationItem>, DeletedRegistrationFilter>,
}

impl Example for DeletedRegistrationsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![DeletedRegistrationItem { id: 1, version: 2 }.into()]) }
    }
}

/// The operations on the bin.
pub(crate) fn api() -> impl OpenApi {
    (Bin, destroy::Destroy)
}

pub struct Bin;

#[OpenApi(prefix_path = "/adult/pc/registrationDeleted", tag = "crate::Tag::Registration")]
impl Bin {
    /// 报到回收站列表
    #[oai(path = "/list", method = "post", operation_id = "listDeletedRegistrations")]
    async fn list(
        &self,
        caller: Allowed<ListDeleted>,
        Body(asked): Body<Paged<DeletedRegistrationFilter>>,
    ) -> Result<Reply<SchoolPage<DeletedRegistration>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看报到回收站
    #[oai(path = "/view", method = "get", operation_id = "viewDeletedRegistration")]
    async fn view(
        &self,
        caller: Allowed<ViewDeleted>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<DeletedRegistrationView>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let wanted = Wanted { scope: scope.clone(), only: Some(vec![id.0]), ..Wanted::default() };
        let line = select(&mut tx, &wanted, None).try_next().await?.ok_or_else(Error::not_found)?;
        let person = view(caller.app(), &mut tx, id.0, &scope, Kept::InBin).await?;
        Ok(reply(DeletedRegistrationView { person, deleted_by: line.deleted_by, deleted_at: line.deleted_at }))
    }

    /// 恢复报到回收站数据
    #[oai(path = "/recover", method = "post", operation_id = "recoverRegistrations")]
    async fn recover(
        &self,
        caller: Allowed<RecoverDeleted>,
        Body(wanted): Body<DeletedRegistrationsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, Recover {}).await?))
    }

    /// 导出报到回收站
    #[oai(path = "/export", method = "post", operation_id = "exportDeletedRegistrations")]
    async fn export(
        &self,
        caller: Allowed<ExportDeleted>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DeletedRegistrationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// 恢复报到回收站数据
#[derive(Debug, Object)]
struct Recover {}

impl Step for Recover {
    const KIND: &'static str = "registration_deleted.recover";
    const TITLE: &'static str = "恢复报到回收站数据";
    type Permission = RecoverDeleted;
    type Item = DeletedRegistrationItem;
    type List = Bin;

    fn item(row: &DeletedRegistration) -> DeletedRegistrationItem {
        DeletedRegistrationItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<DeletedRegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        // In one order, so that two who do this at once wait for each other.
        items.sort_by_key(|item| item.id);
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        share(&mut tx, &ids).await?;
        let mut bulk = Bulk::new(tx, "registration");
        for item in items {
            let outcome = recover(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// The batches of these rows against their end, then their admissions against another audit: both are held before any row.
async fn share(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select id from enrollment_batch where id in (select batch_id from registration where id = any($1))
         order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "select id from admission where id in (select admission_id from registration where id = any($1))
         order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// Takes a row out of the bin, as it was.
///
/// # Errors
/// 409 when it is out already, changed since it was read, its admission is deleted or audited no more, another registration of
/// the person counts, or it waits for a batch that is over.
async fn recover(tx: &mut Tx, item: DeletedRegistrationItem, scope: &Scope) -> Result<Change> {
    let row = sqlx::query!(
        r#"select r.deleted_at, r.status as "status: RegistrationStatus", a.deleted_at is not null as "admission_deleted!",
                  a.status = 'audited' as "audited!", b.name as batch_name, b.status = 'open' as "open!"
           from registration r
           join admission a on a.id = r.admission_id
           join enrollment_batch b on b.id = r.batch_id
           where r.id = $1 and ($2::bigint[] is null or r.site_id = any($2)) for update of r"#,
        item.id,
        scope.sites()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复"));
    }
    if row.admission_deleted {
        return Err(Error::conflict("请先恢复录取数据"));
    }
    if !row.audited {
        return Err(Error::conflict("录取数据已不是已审核，请重新审核录取"));
    }
    if row.status == RegistrationStatus::Pending && !row.open {
        // A batch that is over has nobody who waits.
        return Err(Error::conflict(format!("招生批次“{}”已结束，不能恢复待报到的数据", row.batch_name)));
    }
    let by = tx.by();
    // Who had gone on from an earlier batch goes on again, where their place is still kept there.
    let gone_on = sqlx::query_scalar!(
        "update registration o set carried_on = true, updated_at = now(), updated_by = $2, version = o.version + 1
         from registration r
         where r.id = $1 and o.id = r.previous_id and o.status = 'reserved' and o.deleted_at is null and not o.carried_on
         returning o.id",
        item.id,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let changed = sqlx::query!(
        "update registration set deleted_at = null, deleted_by = null, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "registration_admission_taken").then(|| Error::conflict("已存在相同证件号的有效数据，不能恢复"))
    })?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("registration", item.id).await);
    }
    if let Some(id) = gone_on {
        tx.record(&[Change::status("registration", id, "carriedOn", false, true)]).await?;
    }
    Ok(Change::event("registration", item.id, "recover", serde_json::json!({})))
}

/// The filter, ready to be bound.
#[derive(Debug, Clone, Default)]
struct Wanted {
    filter: DeletedRegistrationFilter,
    keyword: Keyword,
    only: Option<Vec<i64>>,
    scope: Scope,
}

impl DeletedRegistrationFilter {
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
fn masked(mut row: DeletedRegistration) -> DeletedRegistration {
    row.id_card_no = mask::id_card(&row.id_card_no);
    row
}

/// A statement over the rows of the bin with the condition of a [`Wanted`] behind its head; parameters from `$11`.
macro_rules! of_bin {
    ($query:ident [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($head)+ +
            " from registration p
              left join lateral (select a.actor_name from audit_log a
                                 where a.entity_type = 'registration' and a.entity_id = p.id and a.action = 'delete'
                                 order by a.at desc limit 1) d on true
              join enrollment_batch b on b.id = p.batch_id
              join level l on l.id = p.level_id
              join major m on m.id = p.major_id
              join site t on t.id = p.site_id
              where p.deleted_at is not null
                and ($1::bigint is null or p.batch_id = $1)
                and ($2::text is null or p.id_card_no = $2)
                and ($3::text is null or p.phone = $3)
                and ($4::text is null or p.examinee_no like $4 or p.id_card_no = rtrim($4, '%')
                     or ($4 !~ '[0-9]' and p.initials like lower(rtrim($4, '%')) || '%'))
                and ($5::text[] is null or p.name_grams @> $5)
                and ($6::text is null or strpos(d.actor_name, $6) > 0)
                and ($7::timestamptz is null or p.deleted_at >= $7)
                and ($8::timestamptz is null or p.deleted_at < $8)
                and ($9::bigint[] is null or p.id = any($9))
                and ($10::bigint[] is null or p.site_id = any($10)) " $($tail)*,
            $wanted.filter.batch_id,
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
fn select<'c>(
    connection: &'c mut PgConnection,
    wanted: &Wanted,
    page: Option<Paging>,
) -> Rows<'c, DeletedRegistration> {
    let rows = of_bin!(query
        [r#"select p.id, b.name as "batch_name!", p.examinee_no, p.name, p.id_card_type as "id_card_type: IdCardType",
                   p.id_card_no, l.name as "level_name!", m.name as "major_name!", t.name as "site_name!",
                   p.status as "status: RegistrationStatus", p.created_at, p.deleted_at as "deleted_at!",
                   d.actor_name as "deleted_by?", p.version"#]
        wanted
        [+ " order by p.deleted_at desc, p.id desc limit $11 offset $12"],
        page.map(Paging::limit),
        page.map(Paging::offset))
    .fetch(connection);
    Box::pin(rows.map_ok(|row| DeletedRegistration {
        id: row.id,
        batch_name: row.batch_name,
        examinee_no: row.examinee_no,
        name: row.name,
        id_card_type: row.id_card_type,
        id_card_no: row.id_card_no,
        level_name: row.level_name,
        major_name: row.major_name,
        site_name: row.site_name,
        status: row.status,
        created_at: row.created_at,
        deleted_by: row.deleted_by,
        deleted_at: row.deleted_at,
        version: row.version,
    }))
}

impl Listed for Bin {
    type Filter = DeletedRegistrationFilter;
    type Row = DeletedRegistration;

    fn id(row: &DeletedRegistration) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &DeletedRegistrationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<DeletedRegistration>)> {
        let wanted = filter.wanted(scope);
        let total = of_bin!(query_scalar [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let list = select(connection, &wanted, Some(paging)).map_ok(masked).try_collect().await?;
        Ok((total, list))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &DeletedRegistrationFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let rows = of_bin!(query
            [r#"select p.id, p.created_at, count(*) over () as "total!""#]
            wanted
            [+ " and p.created_at <= $11 order by p.created_at desc, p.id limit $12"],
            until,
            most)
        .fetch_all(connection)
        .await?;
        Ok(rows.into_iter().map(|row| Key { id: row.id, created_at: row.created_at, total: row.total }).collect())
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<DeletedRegistration>> {
        let wanted = Wanted { only: Some(ids.to_vec()), scope: Scope::whole_school(), ..Wanted::default() };
        Ok(select(connection, &wanted, None).map_ok(masked).try_collect().await?)
    }
}

impl Export for Bin {
    type Filter = DeletedRegistrationFilter;
    type Row = DeletedRegistration;
    const KIND: &'static str = "registration_deleted.export";
    type Permission = ExportDeleted;
    const TITLE: &'static str = "报到回收站";
    const COLUMNS: &'static [Column<DeletedRegistration>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::Text(row.examinee_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "删除人", width: 12, cell: |row| Cell::text(row.deleted_by.as_deref()) },
        Column { heading: "删除时间", width: 18, cell: |row| Cell::DateTime(row.deleted_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DeletedRegistrationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, DeletedRegistration>> {
        // Nobody sees the whole numbers of what was deleted.
        Ok(Box::pin(select(connection, &filter.wanted(scope), None).map_ok(masked)))
    }
}
