//! 预报名回收站: what was deleted can be had back, or destroyed by an operator (02 §8). Rows in the bin are seen here alone,
//! and by the deletion of their batch.

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
    enums::{ExamStatus, PreRegistrationStatus},
    id_card::IdCardType,
    pre_registration::view::{Kept, PreRegistrationView, find_in, shown},
};

permissions! {
    pages
        "/schoolPC/recruitStudents/deleteData/preRegistration",
        "/platformPC/recruitStudents/deleteData/preRegistration";
    EachSchool  Reads       ListDeleted    = "adult:pc:preRegistrationDeleted:list" "预报名回收站列表";
    ManySchools Writes      RecoverDeleted = "adult:pc:preRegistrationDeleted:recover" "恢复预报名回收站数据";
    EachSchool  ReadsLogged ExportDeleted  = "adult:pc:preRegistrationDeleted:export" "导出预报名回收站";
    EachSchool  Reads       ViewDeleted    = "adult:pc:preRegistrationDeleted:view" "查看预报名回收站";
    FromOutside Writes      DestroyDeleted = "adult:pc:preRegistrationDeleted:delete" "彻底删除预报名回收站数据";
    FromOutside Writes      DestroyManyDeleted = "adult:pc:preRegistrationDeleted:batchDel" "批量彻底删除预报名回收站数据";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<Bin>(), job::<Recover>()], ..Part::NONE };

/// A line of the bin.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedPreRegistration {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 姓名
    pub name: String,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 考试状态
    pub exam_status: ExamStatus,
    /// 报名时间
    pub created_at: Moment,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
    /// 版本
    pub version: i32,
}

/// The person and the papers as they were when they were deleted, masked; nobody opens the whole values here.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedPreRegistrationView {
    #[oai(flatten)]
    pub person: PreRegistrationView,
    /// 删除人
    pub deleted_by: Option<String>,
    /// 删除时间
    pub deleted_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeletedFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 关键字
    /// 姓名、证件号、手机、网报号或考生号
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
pub struct DeletedItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for DeletedItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// `{items}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedItems {
    /// 预报名
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<DeletedItem>>,
}

impl Example for DeletedItems {
    fn example() -> Self {
        Self { items: vec![DeletedItem { id: 1, version: 2 }.into()] }
    }
}

/// Rows of the bin, of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeletedChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<DeletedItem>, DeletedFilter>,
}

impl Example for DeletedChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![DeletedItem { id: 1, version: 2 }.into()]) }
    }
}

/// The operations on the bin.
pub(crate) fn api() -> impl OpenApi {
    (Bin, destroy::Destroy)
}

pub struct Bin;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationDeleted", tag = "crate::Tag::Recruitment")]
impl Bin {
    /// 预报名回收站列表
    #[oai(path = "/list", method = "post", operation_id = "listDeletedPreRegistrations")]
    async fn list(
        &self,
        caller: Allowed<ListDeleted>,
        Body(asked): Body<Paged<DeletedFilter>>,
    ) -> Result<Reply<SchoolPage<DeletedPreRegistration>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看预报名回收站
    #[oai(path = "/view", method = "get", operation_id = "viewDeletedPreRegistration")]
    async fn view(
        &self,
        caller: Allowed<ViewDeleted>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<DeletedPreRegistrationView>> {
        let mut tx = caller.read().await?;
        let wanted = Wanted { scope: caller.scope(), only: Some(vec![id.0]), ..Wanted::default() };
        let line = select(&mut tx, &wanted, None).try_next().await?.ok_or_else(Error::not_found)?;
        let (found, auditor) = find_in(&mut tx, id.0, &caller.scope(), Kept::InBin).await?;
        let person = shown(caller.app(), &mut tx, found, auditor).await?;
        Ok(reply(DeletedPreRegistrationView { person, deleted_by: line.deleted_by, deleted_at: line.deleted_at }))
    }

    /// 恢复预报名回收站数据
    #[oai(path = "/recover", method = "post", operation_id = "recoverPreRegistrations")]
    async fn recover(
        &self,
        caller: Allowed<RecoverDeleted>,
        Body(wanted): Body<DeletedChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, Recover {}).await?))
    }

    /// 导出预报名回收站
    #[oai(path = "/export", method = "post", operation_id = "exportDeletedPreRegistrations")]
    async fn export(
        &self,
        caller: Allowed<ExportDeleted>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DeletedFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// 恢复预报名回收站数据
#[derive(Debug, Object)]
struct Recover {}

impl Step for Recover {
    const KIND: &'static str = "pre_registration_deleted.recover";
    const TITLE: &'static str = "恢复预报名回收站数据";
    type Permission = RecoverDeleted;
    type Item = DeletedItem;
    type List = Bin;

    fn item(row: &DeletedPreRegistration) -> DeletedItem {
        DeletedItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, mut items: Vec<DeletedItem>, scope: &Scope) -> Result<BulkResult> {
        // In one order, so that two who do this at once wait for each other.
        items.sort_by_key(|item| item.id);
        let mut bulk = Bulk::new(tx, "pre_registration");
        for item in items {
            let outcome = recover(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// Takes a row out of the bin, as it was.
///
/// # Errors
/// 409 when it is out already, changed since it was read, or a live row is the same person.
async fn recover(tx: &mut Tx, item: DeletedItem, scope: &Scope) -> Result<Change> {
    let row = sqlx::query!(
        "select deleted_at from pre_registration
         where id = $1 and ($2::bigint[] is null or site_id = any($2)) for update",
        item.id,
        scope.sites()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复"));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update pre_registration set deleted_at = null, deleted_by = null, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1 and version = $2",
        item.id,
        item.version,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        let word = match constraint {
            "pre_registration_id_card_taken" => "证件号",
            "pre_registration_examinee_no_taken" => "考生号",
            "pre_registration_provincial_reg_no_taken" => "网报号",
            _ => return None,
        };
        Some(Error::conflict(format!("已存在相同{word}的有效数据，不能恢复")))
    })?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("pre_registration", item.id).await);
    }
    Ok(Change::event("pre_registration", item.id, "recover", serde_json::json!({})))
}

/// The filter, ready to be bound.
#[derive(Debug, Clone, Default)]
struct Wanted {
    filter: DeletedFilter,
    keyword: Keyword,
    only: Option<Vec<i64>>,
    scope: Scope,
}

impl DeletedFilter {
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
fn masked(mut row: DeletedPreRegistration) -> DeletedPreRegistration {
    row.id_card_no = mask::id_card(&row.id_card_no);
    row.phone = mask::phone(&row.phone);
    row
}

/// A statement over the rows of the bin with the condition of a [`Wanted`] behind its head; parameters from `$11`.
macro_rules! of_bin {
    ($query:ident [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($head)+ +
            " from pre_registration p
              left join lateral (select a.actor_name from audit_log a
                                 where a.entity_type = 'pre_registration' and a.entity_id = p.id and a.action = 'delete'
                                 order by a.at desc limit 1) d on true
              join pre_registration_batch b on b.id = p.batch_id
              join level l on l.id = p.level_id join major m on m.id = p.major_id join site t on t.id = p.site_id
              where p.deleted_at is not null
                and ($1::bigint is null or p.batch_id = $1)
                and ($2::text is null or p.id_card_no = $2)
                and ($3::text is null or p.phone = $3)
                and ($4::text is null or p.examinee_no like $4 or p.provincial_reg_no like $4
                     or p.id_card_no = rtrim($4, '%') or ($4 !~ '[0-9]' and p.initials like lower(rtrim($4, '%')) || '%'))
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
) -> Rows<'c, DeletedPreRegistration> {
    let rows = of_bin!(query
        [r#"select p.id, b.name as batch_name, p.name, p.id_card_type as "id_card_type: IdCardType", p.id_card_no, p.phone,
                   l.name as level_name, m.name as major_name, t.name as site_name,
                   p.status as "status: PreRegistrationStatus", p.exam_status as "exam_status: ExamStatus", p.created_at,
                   p.deleted_at as "deleted_at!", d.actor_name as "deleted_by?", p.version"#]
        wanted
        [+ " order by p.deleted_at desc, p.id desc limit $11 offset $12"],
        page.map(Paging::limit),
        page.map(Paging::offset))
    .fetch(connection);
    Box::pin(rows.map_ok(|row| DeletedPreRegistration {
        id: row.id,
        batch_name: row.batch_name,
        name: row.name,
        id_card_type: row.id_card_type,
        id_card_no: row.id_card_no,
        phone: row.phone,
        level_name: row.level_name,
        major_name: row.major_name,
        site_name: row.site_name,
        status: row.status,
        exam_status: row.exam_status,
        created_at: row.created_at,
        deleted_by: row.deleted_by,
        deleted_at: row.deleted_at,
        version: row.version,
    }))
}

impl Listed for Bin {
    type Filter = DeletedFilter;
    type Row = DeletedPreRegistration;

    fn id(row: &DeletedPreRegistration) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &DeletedFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<DeletedPreRegistration>)> {
        let wanted = filter.wanted(scope);
        let total = of_bin!(query_scalar [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let list = select(connection, &wanted, Some(paging)).map_ok(masked).try_collect().await?;
        Ok((total, list))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &DeletedFilter,
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

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<DeletedPreRegistration>> {
        let wanted = Wanted { only: Some(ids.to_vec()), scope: Scope::whole_school(), ..Wanted::default() };
        Ok(select(connection, &wanted, None).map_ok(masked).try_collect().await?)
    }
}

impl Export for Bin {
    type Filter = DeletedFilter;
    type Row = DeletedPreRegistration;
    const KIND: &'static str = "pre_registration_deleted.export";
    type Permission = ExportDeleted;
    const TITLE: &'static str = "预报名回收站";
    const COLUMNS: &'static [Column<DeletedPreRegistration>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "审核状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "删除人", width: 12, cell: |row| Cell::text(row.deleted_by.as_deref()) },
        Column { heading: "删除时间", width: 18, cell: |row| Cell::DateTime(row.deleted_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DeletedFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, DeletedPreRegistration>> {
        // Nobody sees the whole numbers of what was deleted.
        Ok(Box::pin(select(connection, &filter.wanted(scope), None).map_ok(masked)))
    }
}
