//! 参数: what the compiled registry knows of each parameter, and the values that operators changed (01 §3.1, §3.2.6).

mod seeds;

use std::collections::HashMap;

use infra::{
    Allowed, App, Body, Change, Entity, Error, OnConstraint, Page, Paged, Part, Reply, Result, Saved, enumeration,
    module::Modules,
    params::{Param, ParamKind},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use setting_rules::param::normal;
use sqlx::PgConnection;

use seeds::PARAMS;

permissions! {
    pages "/system/sys/param/config/list", "/system/sys/param/config/add", "/system/sys/param/config/edit";
    InPlatform Reads  ListParams  = "system:pc:sys:param:config:list" "参数列表";
    InPlatform Reads  ViewParam   = "system:pc:sys:param:config:view" "查看参数";
    InPlatform Writes SaveParam   = "system:pc:sys:param:config:save" "新增参数";
    InPlatform Writes EditParam   = "system:pc:sys:param:config:edit" "编辑参数";
    InPlatform Writes DeleteParam = "system:pc:sys:param:config:delete" "删除参数";
    InPlatform Writes ResetParam  = "system:pc:sys:param:config:reset" "恢复参数默认值";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ParamType::ENUMERATION],
    entities: &[Entity { table: "sys_param", name: "参数", counted: "个参数" }],
    params: &[PARAMS],
    ..Part::NONE
};

enumeration! {
    /// 参数类型
    pub enum ParamType = "paramType" {
        Int = "int" "整数",
        Decimal = "decimal" "小数",
        Bool = "bool" "是否",
        Text = "text" "文本",
        Select = "select" "单选",
        Date = "date" "日期",
    }
}

/// The group of what operators add themselves.
const CUSTOM: &str = "自定义";

/// A value that may be chosen.
#[derive(Debug, Clone, Object)]
pub struct ParamOption {
    /// 值
    code: String,
    /// 名称
    desc: String,
}

/// A parameter, as the registry and the table know it together.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ParamRow {
    /// 编号
    pub id: i64,
    /// 参数编码
    pub param_code: String,
    /// 名称
    pub param_name: String,
    /// 分组
    pub group_name: String,
    /// 类型
    pub param_type: ParamType,
    /// 当前值
    pub param_value: String,
    /// 默认值
    pub default_value: String,
    /// 最小值
    pub min_value: Option<f64>,
    /// 最大值
    pub max_value: Option<f64>,
    /// 可选值
    pub options: Vec<ParamOption>,
    /// 院校可改
    pub school_overridable: bool,
    /// 内置
    pub built_in: bool,
    /// 固定
    pub fixed: bool,
    /// 已修改
    pub changed: bool,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ParamFilter {
    /// 参数编码
    #[oai(validator(max_length = 60))]
    pub param_code: Option<String>,
    /// 名称
    #[oai(validator(max_length = 60))]
    pub param_name: Option<String>,
    /// 分组
    #[oai(validator(max_length = 30))]
    pub group_name: Option<String>,
}

/// A parameter that an operator adds: a text for the console's own use.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ParamForm {
    /// 参数编码
    /// 形如 custom.hotline，点号前后为字母和数字
    #[oai(validator(max_length = 60, pattern = "^[a-z][A-Za-z0-9]*\\.[a-z][A-Za-z0-9]*$"))]
    pub param_code: String,
    /// 名称
    #[oai(validator(max_length = 60))]
    pub param_name: String,
    /// 参数值
    #[oai(validator(max_length = 500))]
    pub param_value: String,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for ParamForm {
    fn example() -> Self {
        Self {
            param_code: "custom.hotline".to_owned(),
            param_name: "值班电话".to_owned(),
            param_value: "027-80000000".to_owned(),
            remark: None,
        }
    }
}

/// A new value; name and remark only of a parameter that an operator added.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ParamEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 参数值
    #[oai(validator(max_length = 500))]
    pub param_value: String,
    /// 名称
    #[oai(validator(max_length = 60))]
    pub param_name: Option<String>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for ParamEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, param_value: "120".to_owned(), param_name: None, remark: None }
    }
}

pub struct ParamConfig;

#[OpenApi(prefix_path = "/system/pc/sys/param/config", tag = "crate::Tag::Settings")]
impl ParamConfig {
    /// 参数列表
    #[oai(path = "/list", method = "post", operation_id = "listParams")]
    async fn list(
        &self,
        caller: Allowed<ListParams>,
        Body(asked): Body<Paged<ParamFilter>>,
    ) -> Result<Reply<Page<ParamRow>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let holds = |wanted: &Option<String>, text: &str| {
            wanted.as_ref().is_none_or(|wanted| text.to_lowercase().contains(&wanted.to_lowercase()))
        };
        let found: Vec<ParamRow> = all(caller.app(), &mut tx)
            .await?
            .into_iter()
            .filter(|row| {
                holds(&filter.param_code, &row.param_code)
                    && holds(&filter.param_name, &row.param_name)
                    && holds(&filter.group_name, &row.group_name)
            })
            .collect();
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let skipped = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
        let most = usize::try_from(paging.limit()).unwrap_or(usize::MAX);
        Ok(reply(paging.page(total, found.into_iter().skip(skipped).take(most).collect())))
    }

    /// 查看参数
    #[oai(path = "/view", method = "get", operation_id = "viewParam")]
    async fn view(
        &self,
        caller: Allowed<ViewParam>,
        /// 编号
        id: Query<Option<i64>>,
        /// 参数编码
        code: Query<Option<String>>,
    ) -> Result<Reply<ParamRow>> {
        if id.is_some() == code.is_some() {
            return Err(Error::malformed());
        }
        let mut tx = caller.read().await?;
        let rows = all(caller.app(), &mut tx).await?;
        let found = rows.into_iter().find(|row| Some(row.id) == id.0 || Some(&row.param_code) == code.0.as_ref());
        Ok(reply(found.ok_or_else(Error::not_found)?))
    }

    /// 新增参数
    #[oai(path = "/save", method = "post", operation_id = "saveParam")]
    async fn save(&self, caller: Allowed<SaveParam>, Body(form): Body<ParamForm>) -> Result<Reply<Saved>> {
        let taken = || Error::field("paramCode", "参数编码已存在");
        if registered(caller.app(), &form.param_code).is_some() {
            return Err(taken());
        }
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_param (code, value, name, remark, created_by, updated_by) values ($1, $2, $3, $4, $5, $5)
             returning id",
            form.param_code,
            form.param_value,
            form.param_name,
            form.remark,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|name| (name == "sys_param_code_taken").then(taken))?;
        tx.notice("param", "");
        tx.commit(Change::created("sys_param", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑参数
    #[oai(path = "/edit", method = "put", operation_id = "editParam")]
    async fn edit(&self, caller: Allowed<EditParam>, Body(edit): Body<ParamEdit>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(caller.app(), &mut tx, edit.id).await?;
        if before.fixed {
            return Err(Error::conflict("该参数的值是固定的，不能修改"));
        }
        let (value, name, remark) = match registered(caller.app(), &before.param_code) {
            // The code has the name; only what differs from the default is kept.
            Some(param) => {
                let value =
                    normal(&param.kind, &edit.param_value).map_err(|message| Error::field("paramValue", message))?;
                ((value != param.default()).then_some(value), None, None)
            }
            None => (Some(edit.param_value), edit.param_name.or(Some(before.param_name.clone())), edit.remark),
        };
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sys_param set value = $3, name = $4, remark = $5,
                    updated_at = now(), updated_by = $6, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            value,
            name,
            remark,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sys_param", edit.id).await);
        }
        let after = find(caller.app(), &mut tx, edit.id).await?;
        tx.notice("param", "");
        tx.commit(Change::edited("sys_param", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除参数
    #[oai(path = "/delete", method = "delete", operation_id = "deleteParam")]
    async fn delete(
        &self,
        caller: Allowed<DeleteParam>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(caller.app(), &mut tx, id.0).await?;
        if before.built_in {
            return Err(Error::conflict("内置参数不能删除，可以恢复默认值"));
        }
        tx.remove("sys_param", id.0, &before.param_name).await?;
        tx.notice("param", "");
        tx.commit(Change::deleted("sys_param", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 恢复参数默认值
    #[oai(path = "/reset", method = "put", operation_id = "resetParam")]
    async fn reset(
        &self,
        caller: Allowed<ResetParam>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(caller.app(), &mut tx, id.0).await?;
        if !before.built_in {
            return Err(Error::conflict("自定义参数没有默认值"));
        }
        let by = tx.by();
        sqlx::query!(
            "update platform.sys_param set value = null, updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
            id.0,
            by
        )
        .execute(&mut *tx)
        .await?;
        tx.notice("param", "");
        let change = Change::status("sys_param", id.0, "paramValue", before.param_value, before.default_value);
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

fn registered(app: &App, code: &str) -> Option<Param> {
    app.modules().params().find(|param| param.code == code)
}

/// Gives every registered parameter a row, so that it has a number; the caller holds the migration lock and commits.
pub async fn seed(connection: &mut PgConnection, modules: &Modules) -> Result<()> {
    let codes: Vec<String> = modules.params().map(|param| param.code.to_owned()).collect();
    sqlx::query!(
        "insert into platform.sys_param (code, updated_by) select code, 0 from unnest($1::text[]) as t (code)
         on conflict (code) do nothing",
        &codes
    )
    .execute(connection)
    .await?;
    Ok(())
}

struct Stored {
    id: i64,
    code: String,
    value: Option<String>,
    name: Option<String>,
    remark: Option<String>,
    version: i32,
}

/// The registry in its order, each with its row, then what operators added.
async fn all(app: &App, connection: &mut PgConnection) -> Result<Vec<ParamRow>> {
    let stored =
        sqlx::query_as!(Stored, "select id, code, value, name, remark, version from platform.sys_param order by id")
            .fetch_all(connection)
            .await?;
    let mut by_code: HashMap<&str, &Stored> = stored.iter().map(|row| (row.code.as_str(), row)).collect();
    let mut rows: Vec<ParamRow> = app
        .modules()
        .params()
        .filter_map(|param| by_code.remove(param.code).map(|row| of_registry(&param, row)))
        .collect();
    let added = stored.iter().filter(|row| by_code.contains_key(row.code.as_str()));
    rows.extend(added.filter_map(of_operator));
    Ok(rows)
}

async fn find(app: &App, connection: &mut PgConnection, id: i64) -> Result<ParamRow> {
    all(app, connection).await?.into_iter().find(|row| row.id == id).ok_or_else(Error::not_found)
}

fn of_registry(param: &Param, row: &Stored) -> ParamRow {
    let (param_type, min_value, max_value, options): (_, _, _, &[(&str, &str)]) = match param.kind {
        ParamKind::Int { min, max, .. } => (ParamType::Int, Some(min as f64), Some(max as f64), &[]),
        ParamKind::Decimal { min, max, .. } => (ParamType::Decimal, Some(min), Some(max), &[]),
        ParamKind::Bool { .. } => (ParamType::Bool, None, None, &[]),
        ParamKind::Text { .. } => (ParamType::Text, None, None, &[]),
        ParamKind::Select { options, .. } => (ParamType::Select, None, None, options),
        ParamKind::Date { .. } => (ParamType::Date, None, None, &[]),
    };
    ParamRow {
        id: row.id,
        param_code: row.code.clone(),
        param_name: param.name.to_owned(),
        group_name: param.group.to_owned(),
        param_type,
        param_value: row.value.clone().unwrap_or_else(|| param.default()),
        default_value: param.default(),
        min_value,
        max_value,
        options: options
            .iter()
            .map(|(code, desc)| ParamOption { code: (*code).to_owned(), desc: (*desc).to_owned() })
            .collect(),
        school_overridable: param.school_overridable,
        built_in: true,
        fixed: param.fixed,
        changed: row.value.is_some(),
        remark: None,
        version: row.version,
    }
}

/// None for what an older server registered and this one does not know.
fn of_operator(row: &Stored) -> Option<ParamRow> {
    Some(ParamRow {
        id: row.id,
        param_code: row.code.clone(),
        param_name: row.name.clone()?,
        group_name: CUSTOM.to_owned(),
        param_type: ParamType::Text,
        param_value: row.value.clone().unwrap_or_default(),
        default_value: String::new(),
        min_value: None,
        max_value: None,
        options: Vec::new(),
        school_overridable: false,
        built_in: false,
        fixed: false,
        changed: true,
        remark: row.remark.clone(),
        version: row.version,
    })
}
