//! 字典类型: the lists that there are.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Edit, Error, OnConstraint, Page, Paged, Paging, Reply, Result, Saved, permissions, reply,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::{enumerated, fields};

permissions! {
    pages "/system/dict/list";
    InPlatform Reads  ListDictTypes  = "system:pc:dict:type:list" "字典类型列表";
    InPlatform Reads  ViewDictType   = "system:pc:dict:type:view" "查看字典类型";
    InPlatform Writes SaveDictType   = "system:pc:dict:type:save" "新增字典类型";
    InPlatform Writes EditDictType   = "system:pc:dict:type:edit" "编辑字典类型";
    InPlatform Writes DeleteDictType = "system:pc:dict:type:delete" "删除字典类型";
}

/// A list of words, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DictType {
    /// 编号
    pub id: i64,
    /// 类型编码
    pub dict_type: String,
    /// 名称
    pub dict_name: String,
    /// 标准号
    pub standard: Option<String>,
    /// 条数
    pub data_count: i64,
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
pub struct DictTypeFilter {
    /// 类型编码
    #[oai(validator(max_length = 50))]
    pub dict_type: Option<String>,
    /// 名称
    #[oai(validator(max_length = 50))]
    pub dict_name: Option<String>,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DictTypeForm {
    /// 类型编码
    /// 2至50位小写字母、数字和下划线，以字母开头
    #[oai(validator(pattern = "^[a-z][a-z0-9_]{1,49}$"))]
    pub dict_type: String,
    /// 名称
    #[oai(validator(max_length = 50))]
    pub dict_name: String,
    /// 标准号
    #[oai(validator(max_length = 50))]
    pub standard: Option<String>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for DictTypeForm {
    fn example() -> Self {
        Self {
            dict_type: "visit_reason".to_owned(), dict_name: "来访原因".to_owned(), standard: None, remark: None
        }
    }
}

pub struct DictTypes;

#[OpenApi(prefix_path = "/system/pc/dict/type", tag = "crate::Tag::Settings")]
impl DictTypes {
    /// 字典类型列表
    #[oai(path = "/list", method = "post", operation_id = "listDictTypes")]
    async fn list(
        &self,
        caller: Allowed<ListDictTypes>,
        Body(asked): Body<Paged<DictTypeFilter>>,
    ) -> Result<Reply<Page<DictType>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.dict_type
               where ($1::text is null or strpos(dict_type, lower($1)) > 0) and ($2::text is null or strpos(dict_name, $2) > 0)"#,
            filter.dict_type,
            filter.dict_name
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看字典类型
    #[oai(path = "/view", method = "get", operation_id = "viewDictType")]
    async fn view(
        &self,
        caller: Allowed<ViewDictType>,
        /// 编号
        id: Query<Option<i64>>,
        /// 类型编码
        #[oai(name = "dictType")]
        dict_type: Query<Option<String>>,
    ) -> Result<Reply<DictType>> {
        let mut tx = caller.read().await?;
        let id = match (id.0, dict_type.0) {
            (Some(id), None) => id,
            (None, Some(code)) => sqlx::query_scalar!("select id from platform.dict_type where dict_type = $1", code)
                .fetch_optional(&mut *tx)
                .await?
                .ok_or_else(Error::not_found)?,
            _ => return Err(Error::malformed()),
        };
        Ok(reply(find(&mut tx, id).await?))
    }

    /// 新增字典类型
    #[oai(path = "/save", method = "post", operation_id = "saveDictType")]
    async fn save(&self, caller: Allowed<SaveDictType>, Body(form): Body<DictTypeForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.dict_type (dict_type, dict_name, standard, remark, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $5) returning id",
            form.dict_type,
            form.dict_name,
            form.standard,
            form.remark,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        tx.notice("dict", &form.dict_type);
        tx.commit(Change::created("dict_type", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑字典类型
    #[oai(path = "/edit", method = "put", operation_id = "editDictType")]
    async fn edit(&self, caller: Allowed<EditDictType>, Body(edit): Body<Edit<DictTypeForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let form = edit.form;
        if before.read_only {
            return Err(Error::conflict("该字典的取值由系统决定，仅可查看"));
        }
        if before.dict_type != form.dict_type {
            return Err(Error::field("dictType", "类型编码不能修改，请新增类型"));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.dict_type set dict_name = $3, standard = $4, remark = $5,
                    updated_at = now(), updated_by = $6, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.dict_name,
            form.standard,
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("dict_type", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.notice("dict", &form.dict_type);
        tx.commit(Change::edited("dict_type", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除字典类型
    #[oai(path = "/delete", method = "delete", operation_id = "deleteDictType")]
    async fn delete(
        &self,
        caller: Allowed<DeleteDictType>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        if before.built_in {
            return Err(Error::conflict("内置字典类型不能删除"));
        }
        if before.data_count > 0 {
            let count = before.data_count;
            return Err(Error::conflict(format!("“{}”下有{count}条字典数据，请先删除数据", before.dict_name)));
        }
        let mut fields = fields::offering(&mut tx, &before.dict_type).await?;
        for school in caller.every_school().await? {
            fields += fields::offering(&mut *caller.ask(&school).await?, &before.dict_type).await?;
        }
        if fields > 0 {
            let name = before.dict_name;
            return Err(Error::conflict(format!("“{name}”已被{fields}个字段属性使用，不能删除")));
        }
        sqlx::query!("delete from platform.dict_type where id = $1", id.0).execute(&mut *tx).await.on_constraint(
            |name| (name == "dict_data_of_type").then(|| Error::conflict("该类型下刚刚新增了字典数据，请先删除数据")),
        )?;
        tx.notice("dict", &before.dict_type);
        tx.commit(Change::deleted("dict_type", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "dict_type_taken").then(|| Error::field("dictType", "类型编码已存在"))
}

fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &DictTypeFilter,
    page: Option<Paging>,
) -> Rows<'c, DictType> {
    sqlx::query_as!(
        DictType,
        r#"select t.id, t.dict_type, t.dict_name, t.standard, t.built_in, t.remark, t.version, t.dict_type = any($6) as "read_only!",
                  (select count(*) from platform.dict_data d where d.dict_type = t.dict_type) as "data_count!"
           from platform.dict_type t
           where ($1::bigint is null or t.id = $1)
             and ($2::text is null or strpos(t.dict_type, lower($2)) > 0)
             and ($3::text is null or strpos(t.dict_name, $3) > 0)
           order by t.id limit $4 offset $5"#,
        only,
        filter.dict_type,
        filter.dict_name,
        page.map(Paging::limit),
        page.map(Paging::offset),
        &enumerated()
    )
    .fetch(connection)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<DictType> {
    let found = select(connection, Some(id), &DictTypeFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
