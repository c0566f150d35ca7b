//! 字典数据: the words of a list.

use std::collections::{BTreeMap, HashMap};

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, EnabledChange, Error, OnConstraint, Page, Paged, Paging, Reply,
    Result, Saved, Tx,
    dictionary_usage::rows_using,
    jobs::JobRun,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::{editable, enumerated, fields, sheet::DictSheet};

permissions! {
    pages "/system/dict/data";
    InPlatform Reads       ListDictData         = "system:pc:dict:data:list" "字典数据列表";
    InPlatform Reads       ViewDictData         = "system:pc:dict:data:view" "查看字典数据";
    InPlatform Writes      SaveDictData         = "system:pc:dict:data:save" "新增字典数据";
    InPlatform Writes      EditDictData         = "system:pc:dict:data:edit" "编辑字典数据";
    InPlatform Writes      DeleteDictData       = "system:pc:dict:data:delete" "删除字典数据";
    InPlatform Writes      ChangeDictDataStatus = "system:pc:dict:data:update:status" "启用停用字典数据";
    InPlatform ReadsLogged ExportDictData       = "system:pc:dict:data:export" "导出字典数据";
    InPlatform Writes      ImportDictData       = "system:pc:dict:data:import" "导入字典数据";
    InPlatform Reads       FetchDictDataSheet   = "system:pc:dict:data:import" "导入字典数据";
}

/// As many codes as one deletion takes.
const MOST_DELETED: usize = 500;

/// A word of a list, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DictData {
    /// 编号
    pub id: i64,
    /// 编号
    pub dict_code: i64,
    /// 字典类型
    pub dict_type: String,
    /// 类型名称
    pub dict_name: String,
    /// 标签
    pub dict_label: String,
    /// 值
    pub dict_value: String,
    /// 默认
    pub is_default: bool,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 内置
    pub built_in: bool,
    /// 仅可查看
    pub read_only: bool,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DictDataFilter {
    /// 字典类型
    #[oai(validator(max_length = 50))]
    pub dict_type: Option<String>,
    /// 标签
    #[oai(validator(max_length = 100))]
    pub dict_label: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DictDataForm {
    /// 字典类型
    #[oai(validator(max_length = 50))]
    pub dict_type: String,
    /// 标签
    #[oai(validator(max_length = 100))]
    pub dict_label: String,
    /// 值
    #[oai(validator(max_length = 64))]
    pub dict_value: String,
    /// 排序
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 默认
    #[oai(default)]
    pub is_default: bool,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

fn first() -> i32 {
    1
}

impl Example for DictDataForm {
    fn example() -> Self {
        Self {
            dict_type: "source_channel".to_owned(),
            dict_label: "企业合作".to_owned(),
            dict_value: "enterprise".to_owned(),
            sort: 1,
            is_default: false,
            remark: None,
        }
    }
}

/// The whole form again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DictDataEdit {
    /// 编号
    pub dict_code: i64,
    /// 版本
    pub version: i32,
    #[oai(flatten)]
    pub form: DictDataForm,
}

impl Example for DictDataEdit {
    fn example() -> Self {
        Self { dict_code: 1, version: 1, form: DictDataForm::example() }
    }
}

pub struct DictWords;

#[OpenApi(prefix_path = "/system/pc/dict/data", tag = "crate::Tag::Settings")]
impl DictWords {
    /// 字典数据列表
    #[oai(path = "/list", method = "post", operation_id = "listDictData")]
    async fn list(
        &self,
        caller: Allowed<ListDictData>,
        Body(asked): Body<Paged<DictDataFilter>>,
    ) -> Result<Reply<Page<DictData>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.dict_data
               where ($1::text is null or dict_type = $1) and ($2::text is null or strpos(dict_label, $2) > 0)
                 and ($3::boolean is null or enabled = $3)"#,
            filter.dict_type,
            filter.dict_label,
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看字典数据
    #[oai(path = "/view", method = "get", operation_id = "viewDictData")]
    async fn view(
        &self,
        caller: Allowed<ViewDictData>,
        /// 编号
        #[oai(name = "dictCode")]
        dict_code: Query<Option<i64>>,
        /// 字典类型
        /// 与值一起代替编号
        #[oai(name = "dictType")]
        dict_type: Query<Option<String>>,
        /// 值
        #[oai(name = "dictValue")]
        dict_value: Query<Option<String>>,
    ) -> Result<Reply<DictData>> {
        let mut tx = caller.read().await?;
        let id = match (dict_code.0, dict_type.0, dict_value.0) {
            (Some(id), None, None) => id,
            (None, Some(dict_type), Some(value)) => sqlx::query_scalar!(
                "select id from platform.dict_data where dict_type = $1 and dict_value = $2",
                dict_type,
                value
            )
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?,
            _ => return Err(Error::malformed()),
        };
        Ok(reply(find(&mut tx, id).await?))
    }

    /// 新增字典数据
    #[oai(path = "/save", method = "post", operation_id = "saveDictData")]
    async fn save(&self, caller: Allowed<SaveDictData>, Body(form): Body<DictDataForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let dict_type = form.dict_type.clone();
        let (id, stepped_back, change) = insert(&mut tx, form).await?;
        tx.notice("dict", dict_type);
        tx.commit_all([change].into_iter().chain(stepped_back).collect()).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑字典数据
    #[oai(path = "/edit", method = "put", operation_id = "editDictData")]
    async fn edit(&self, caller: Allowed<EditDictData>, Body(edit): Body<DictDataEdit>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, form) = (edit.dict_code, edit.form);
        let before = find(&mut tx, id).await?;
        editable(&mut tx, &before.dict_type).await?;
        if before.dict_type != form.dict_type {
            return Err(Error::field("dictType", "字典类型不能修改，请在目标类型下新增"));
        }
        if before.dict_value != form.dict_value {
            if before.built_in {
                return Err(Error::field("dictValue", "内置字典数据的值不能修改"));
            }
            if let Some(users) = users(&caller, &before).await? {
                return Err(Error::field("dictValue", format!("值已被使用，不能修改：{users}")));
            }
        }
        if form.is_default {
            let stepped_back = sole_default(&mut tx, &form.dict_type, id).await?;
            tx.record(stepped_back.as_slice()).await?;
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.dict_data set dict_label = $3, dict_value = $4, sort = $5, is_default = $6, remark = $7,
                    updated_at = now(), updated_by = $8, version = version + 1
             where id = $1 and version = $2",
            id,
            edit.version,
            form.dict_label,
            form.dict_value,
            form.sort,
            form.is_default,
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("dict_data", id).await);
        }
        let after = find(&mut tx, id).await?;
        tx.notice("dict", &form.dict_type);
        tx.commit(Change::edited("dict_data", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除字典数据
    #[oai(path = "/delete", method = "delete", operation_id = "deleteDictData")]
    async fn delete(
        &self,
        caller: Allowed<DeleteDictData>,
        /// 编号，多个用逗号分隔
        #[oai(name = "dictCodes")]
        dict_codes: Query<String>,
    ) -> Result<Reply<BulkResult>> {
        let codes: Vec<i64> = dict_codes
            .split(',')
            .map(|code| code.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| Error::malformed())?;
        if codes.len() > MOST_DELETED {
            return Err(Error::refused(format!("一次最多删除{MOST_DELETED}条")));
        }
        // Looking into the schools takes long; the answers are there before the writing transaction begins.
        let mut refused = BTreeMap::new();
        for &code in &codes {
            if let Err(error) = may_go(&caller, code).await {
                refused.insert(code, error);
            }
        }
        if let ([_], Some(error)) = (codes.as_slice(), refused.values().next()) {
            return Err(error.clone());
        }
        let mut tx = caller.begin().await?;
        tx.notice("dict", "");
        let mut bulk = Bulk::named(tx, "dict_data", "dict_label");
        for code in codes {
            let row = bulk.row().await?;
            let outcome = match refused.remove(&code) {
                Some(error) => Err(error),
                None => remove(row, code).await,
            };
            bulk.ended(code, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用字典数据
    #[oai(path = "/update/status", method = "put", operation_id = "changeDictDataStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeDictDataStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, wanted.id).await?;
        editable(&mut tx, &before.dict_type).await?;
        let change = tx.set_enabled("dict_data", &wanted).await?;
        tx.notice("dict", &before.dict_type);
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出字典数据
    #[oai(path = "/export", method = "post", operation_id = "exportDictData")]
    async fn export(
        &self,
        caller: Allowed<ExportDictData>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DictDataFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 字典数据导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchDictDataImportTemplate")]
    async fn template(&self, caller: Allowed<FetchDictDataSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<DictSheet>, _>(&caller).await
    }

    /// 导入字典数据
    #[oai(path = "/import", method = "post", operation_id = "importDictData")]
    async fn import(&self, caller: Allowed<ImportDictData>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<DictSheet>>(&caller, form).await
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    match constraint {
        "dict_data_value_taken" => Some(Error::field("dictValue", "该类型下已有这个值")),
        "dict_data_label_taken" => Some(Error::field("dictLabel", "该类型下已有这个标签")),
        "dict_data_default_once" => Some(Error::field("isDefault", "默认项刚刚被他人修改，请重试")),
        _ => None,
    }
}

/// A type has at most one default word; the former one steps back, for the trail.
async fn sole_default(tx: &mut Tx, dict_type: &str, but: i64) -> Result<Option<Change>> {
    let by = tx.by();
    let stepped_back = sqlx::query_scalar!(
        "update platform.dict_data set is_default = false, updated_at = now(), updated_by = $3, version = version + 1
         where dict_type = $1 and is_default and id <> $2 returning id",
        dict_type,
        but,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(stepped_back.map(|id| Change::status("dict_data", id, "isDefault", true, false)))
}

/// Makes a word the default of its type again after another one went.
///
/// # Errors
/// 404 when it is gone, 409 when the type has another default.
pub(super) async fn default_again(tx: &mut Tx, id: i64) -> Result<Change> {
    let word = find(tx, id).await?;
    let by = tx.by();
    let others = sqlx::query_scalar!(
        r#"select exists (select from platform.dict_data where dict_type = $1 and is_default) as "others!""#,
        word.dict_type
    )
    .fetch_one(&mut **tx)
    .await?;
    if others {
        return Err(Error::conflict(format!("“{}”已有其他默认项，不能恢复", word.dict_name)));
    }
    sqlx::query!(
        "update platform.dict_data set is_default = true, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    tx.notice("dict", &word.dict_type);
    Ok(Change::status("dict_data", id, "isDefault", false, true))
}

/// Inserts a word; answers its number, the word that was the default before it, and its change.
pub(super) async fn insert(tx: &mut Tx, form: DictDataForm) -> Result<(i64, Option<Change>, Change)> {
    editable(tx, &form.dict_type).await?;
    let stepped_back = if form.is_default { sole_default(tx, &form.dict_type, 0).await? } else { None };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.dict_data (dict_type, dict_value, dict_label, sort, is_default, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.dict_type,
        form.dict_value,
        form.dict_label,
        form.sort,
        form.is_default,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    Ok((id, stepped_back, Change::created("dict_data", id, &form)))
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &DictDataFilter,
    page: Option<Paging>,
) -> Rows<'c, DictData> {
    sqlx::query_as!(
        DictData,
        r#"select d.id, d.id as dict_code, d.dict_type, t.dict_name, d.dict_label, d.dict_value, d.is_default, d.sort, d.enabled,
                  d.built_in, d.remark, d.version, d.dict_type = any($7) as "read_only!"
           from platform.dict_data d join platform.dict_type t on t.dict_type = d.dict_type
           where ($1::bigint is null or d.id = $1)
             and ($2::text is null or d.dict_type = $2)
             and ($3::text is null or strpos(d.dict_label, $3) > 0)
             and ($4::boolean is null or d.enabled = $4)
           order by t.id, d.sort, d.id limit $5 offset $6"#,
        only,
        filter.dict_type,
        filter.dict_label,
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset),
        &enumerated()
    )
    .fetch(connection)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<DictData> {
    let found = select(connection, Some(id), &DictDataFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// Whether a word may be deleted.
///
/// # Errors
/// 404, or 409 with the kinds and numbers of the rows that carry it.
async fn may_go(caller: &Allowed<DeleteDictData>, code: i64) -> Result<()> {
    let mut tx = caller.read().await?;
    let data = find(&mut tx, code).await?;
    editable(&mut tx, &data.dict_type).await?;
    drop(tx);
    if let Some(users) = users(caller, &data).await? {
        return Err(Error::conflict(in_use(&data, &users)));
    }
    if data.built_in {
        return Err(Error::conflict(format!("“{}”是内置字典数据，不能删除，可以停用", data.dict_label)));
    }
    Ok(())
}

fn in_use(data: &DictData, users: &str) -> String {
    format!("“{}”已被引用，不能删除，可以停用：{users}", data.dict_label)
}

/// Why these words have to stay, by word; asked of every school as [`may_go`] does.
pub(super) async fn held(run: &JobRun, ids: &[i64]) -> Result<HashMap<i64, String>> {
    let mut words = Vec::with_capacity(ids.len());
    let mut platform = run.read().await?;
    for id in ids {
        let found = select(&mut platform, Some(*id), &DictDataFilter::default(), None).try_next().await?;
        let Some(word) = found else { continue };
        let mut users = Users::default();
        users.add_platform(&mut platform, &word).await?;
        words.push((word, users));
    }
    drop(platform);
    for school in run.every_school().await? {
        let mut tx = run.ask(&school).await?;
        for (word, users) in &mut words {
            users.add_school(&mut tx, word).await?;
        }
    }
    let held = words.iter().filter_map(|(word, users)| Some((word.id, in_use(word, &users.told(run.app())?))));
    Ok(held.collect())
}

pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    sqlx::query!("delete from platform.dict_data where id = $1", id).execute(&mut **tx).await?;
    Ok(Change::deleted("dict_data", id, &before))
}

/// Who carries a word, over all schools and the platform: `3所院校的312名学生`; nothing when nobody does.
///
/// # Errors
/// 409 while a school cannot be asked.
async fn users<P: infra::access::Permission>(caller: &Allowed<P>, data: &DictData) -> Result<Option<String>> {
    let mut users = Users::default();
    users.add_platform(&mut *caller.read().await?, data).await?;
    for school in caller.every_school().await? {
        users.add_school(&mut *caller.ask(&school).await?, data).await?;
    }
    Ok(users.told(caller.app()))
}

/// Rows that carry a word, by table.
#[derive(Debug, Default)]
struct Users {
    rows: BTreeMap<String, i64>,
    schools: i64,
}

impl Users {
    async fn add_platform(&mut self, connection: &mut PgConnection, data: &DictData) -> Result<()> {
        self.rows = rows_using(connection, &data.dict_type, &data.dict_value).await?;
        Ok(())
    }

    async fn add_school(&mut self, connection: &mut PgConnection, data: &DictData) -> Result<()> {
        let mut here = rows_using(connection, &data.dict_type, &data.dict_value).await?;
        let in_fields = fields::rows_using(connection, &data.dict_type, &data.dict_value).await?;
        for (table, count) in in_fields.into_iter().filter(|(_, count)| *count > 0) {
            *here.entry(table.to_owned()).or_default() += count;
        }
        self.schools += i64::from(!here.is_empty());
        for (table, count) in here {
            *self.rows.entry(table).or_default() += count;
        }
        Ok(())
    }

    fn told(&self, app: &App) -> Option<String> {
        if self.rows.is_empty() {
            return None;
        }
        let counted: Vec<String> = self
            .rows
            .iter()
            .map(|(table, count)| {
                format!("{count}{}", app.modules().entity(table).map_or("条记录", |entity| entity.counted))
            })
            .collect();
        let of_schools = if self.schools > 0 { format!("{}所院校的", self.schools) } else { String::new() };
        Some(format!("{of_schools}{}", counted.join("、")))
    }
}
