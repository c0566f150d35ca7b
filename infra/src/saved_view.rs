//! 常用视图: the filters, order and columns of a list under a name. Each area has its own table: operators share among
//! themselves, a school's people in their office.
//!
//! Invariant: a view holds what is asked for, never rows; whoever opens a colleague's sees what their own data scope opens.

use crate::{
    Allowed, Body, Change, Edit, Error, OnConstraint, Reply, Result, Saved, SignedIn, Tx, Writes,
    access::{AtHome, Reads},
    clock::Moment,
    module::{Entity, Part},
    naming, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

permissions! {
    pages "/dashboard";
    AtHome Writes ShareSavedView = "system:pc:saved:view:share" "共享常用视图";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "saved_view", name: "常用视图", counted: "个常用视图" }],
    ..Part::NONE
};

/// Views that one person keeps.
const MOST: i64 = 100;

/// A view, as whoever may open it sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SavedView {
    /// 编号
    pub id: i64,
    /// 列表
    pub list: String,
    /// 名称
    pub name: String,
    /// 页面
    pub path: String,
    /// 查询条件
    pub query: String,
    /// 显示的列
    pub columns: Vec<String>,
    /// 共享
    pub shared: bool,
    /// 是否本人的
    pub mine: bool,
    /// 固定在菜单
    pub pinned: bool,
    /// 创建人
    pub owner_name: String,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// What is kept of a list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SavedViewForm {
    /// 列表
    #[oai(validator(max_length = 100, pattern = r"^[A-Za-z]+$"))]
    pub list: String,
    /// 名称
    #[oai(validator(min_length = 1, max_length = 30))]
    pub name: String,
    /// 页面
    #[oai(validator(max_length = 200, pattern = r"^/[^/\\]\S*$"))]
    pub path: String,
    /// 查询条件
    /// 列表地址中的查询部分
    #[oai(default, validator(max_length = 20000))]
    pub query: String,
    /// 显示的列
    /// 按显示的顺序
    #[oai(default, validator(max_items = 100))]
    pub columns: Vec<String>,
}

impl Example for SavedViewForm {
    fn example() -> Self {
        Self {
            list: "listStudents".to_owned(),
            name: "2026级未分班".to_owned(),
            path: "/schoolPC/studentStatus/studentRoll/BeRegistered".to_owned(),
            query: "gradeId=1&assigned=false".to_owned(),
            columns: vec!["name".to_owned(), "status".to_owned()],
        }
    }
}

/// Whether a view is the office's.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct SavedViewShare {
    /// 编号
    pub id: i64,
    /// 共享
    pub shared: bool,
}

impl Example for SavedViewShare {
    fn example() -> Self {
        Self { id: 1, shared: true }
    }
}

/// Whether a view stands in one's own menu.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct SavedViewPin {
    /// 编号
    pub id: i64,
    /// 固定在菜单
    pub pinned: bool,
}

impl Example for SavedViewPin {
    fn example() -> Self {
        Self { id: 1, pinned: true }
    }
}

pub struct SavedViews;

#[OpenApi(prefix_path = "/system/pc/saved/view", tag = "crate::Tag::Infra")]
impl SavedViews {
    /// 常用视图列表
    #[oai(path = "/list", method = "get", operation_id = "listSavedViews")]
    async fn list(&self, caller: SignedIn<Reads, AtHome>) -> Result<Reply<Vec<SavedView>>> {
        let mut views = select(&mut *caller.home_read().await?, caller.user_id(), None).await?;
        for view in &mut views {
            view.owner_name = caller.app().account_name(view.owner_id).await?;
        }
        Ok(reply(views.into_iter().map(Known::shown).collect()))
    }

    /// 保存常用视图
    #[oai(path = "/save", method = "post", operation_id = "saveSavedView")]
    async fn save(&self, caller: SignedIn<Writes, AtHome>, Body(form): Body<SavedViewForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_home().await?;
        let by = tx.by();
        let kept = sqlx::query_scalar!(r#"select count(*) as "count!" from saved_view where user_id = $1"#, by)
            .fetch_one(&mut *tx)
            .await?;
        if kept >= MOST {
            return Err(Error::conflict(format!("最多保存{MOST}个常用视图，请先删除不用的")));
        }
        let id = sqlx::query_scalar!(
            "insert into saved_view (user_id, list, name, path, query, columns, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $1, $1) returning id",
            by,
            form.list,
            naming::tidy(&form.name),
            form.path,
            form.query,
            &form.columns
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|name| taken(name, &form.name))?;
        tx.commit(Change::created("saved_view", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑常用视图
    #[oai(path = "/edit", method = "put", operation_id = "editSavedView")]
    async fn edit(
        &self,
        caller: SignedIn<Writes, AtHome>,
        Body(edit): Body<Edit<SavedViewForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_home().await?;
        let before = own(&mut tx, edit.id).await?;
        let by = tx.by();
        let form = edit.form;
        let changed = sqlx::query!(
            "update saved_view set list = $3, name = $4, path = $5, query = $6, columns = $7, updated_at = now(), updated_by = $8,
                    version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.list,
            naming::tidy(&form.name),
            form.path,
            form.query,
            &form.columns,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| taken(name, &form.name))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("saved_view", edit.id).await);
        }
        let after = own(&mut tx, edit.id).await?;
        tx.commit(Change::edited("saved_view", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 共享常用视图
    #[oai(path = "/share", method = "put", operation_id = "shareSavedView")]
    async fn share(&self, caller: Allowed<ShareSavedView>, Body(wanted): Body<SavedViewShare>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = own(&mut tx, wanted.id).await?;
        let by = tx.by();
        sqlx::query!(
            "update saved_view set shared = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            wanted.id,
            wanted.shared,
            by
        )
        .execute(&mut *tx)
        .await?;
        let after = own(&mut tx, wanted.id).await?;
        tx.commit(Change::edited("saved_view", wanted.id, &before, &after)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 固定常用视图
    /// 固定的视图显示在本人的菜单中
    #[oai(path = "/pin", method = "put", operation_id = "pinSavedView")]
    async fn pin(&self, caller: SignedIn<Writes, AtHome>, Body(wanted): Body<SavedViewPin>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_home().await?;
        let by = tx.by();
        if select(&mut tx, by, Some(wanted.id)).await?.is_empty() {
            return Err(Error::not_found());
        }
        if wanted.pinned {
            sqlx::query!(
                "insert into saved_view_pin (user_id, view_id, created_by) values ($1, $2, $1) on conflict do nothing",
                by,
                wanted.id
            )
            .execute(&mut *tx)
            .await?;
        } else {
            sqlx::query!("delete from saved_view_pin where user_id = $1 and view_id = $2", by, wanted.id)
                .execute(&mut *tx)
                .await?;
        }
        let what = serde_json::json!({ "pinned": wanted.pinned });
        tx.commit(Change::event("saved_view", wanted.id, "pin", what)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除常用视图
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSavedView")]
    async fn delete(
        &self,
        caller: SignedIn<Writes, AtHome>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_home().await?;
        let before = own(&mut tx, id.0).await?;
        sqlx::query!("delete from saved_view_pin where view_id = $1", id.0).execute(&mut *tx).await?;
        tx.remove("saved_view", id.0, &before.name).await?;
        tx.commit(Change::deleted("saved_view", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

/// A view as it is stored, seen by one person.
struct Known {
    id: i64,
    list: String,
    name: String,
    path: String,
    query: String,
    columns: Vec<String>,
    shared: bool,
    mine: bool,
    pinned: bool,
    owner_id: i64,
    owner_name: String,
    updated_at: Moment,
    version: i32,
}

impl Known {
    fn shown(self) -> SavedView {
        let Self {
            id, list, name, path, query, columns, shared, mine, pinned, owner_name, updated_at, version, ..
        } = self;
        SavedView { id, list, name, path, query, columns, shared, mine, pinned, owner_name, updated_at, version }
    }
}

/// One's own and the office's, or one of them.
async fn select(connection: &mut PgConnection, person: i64, id: Option<i64>) -> Result<Vec<Known>> {
    let rows = sqlx::query_as!(
        Known,
        r#"select v.id, v.list, v.name, v.path, v.query, v.columns, v.shared, v.user_id = $1 as "mine!",
                  exists (select from saved_view_pin p where p.view_id = v.id and p.user_id = $1) as "pinned!",
                  v.user_id as owner_id, '' as "owner_name!", v.updated_at, v.version
           from saved_view v
           where (v.user_id = $1 or v.shared) and ($2::bigint is null or v.id = $2)
           order by v.list, v.user_id <> $1, v.name, v.id"#,
        person,
        id
    );
    Ok(rows.fetch_all(connection).await?)
}

/// # Errors
/// 404 when there is none, or another person's.
async fn own(tx: &mut Tx, id: i64) -> Result<SavedView> {
    let by = tx.by();
    let found = select(tx, by, Some(id)).await?.into_iter().find(|view| view.mine);
    Ok(found.ok_or_else(Error::not_found)?.shown())
}

fn taken(constraint: &str, name: &str) -> Option<Error> {
    let told = || Error::field("name", format!("已有名为“{name}”的视图，请换一个名称"));
    (constraint == "saved_view_name_once").then(told)
}
