//! 机构: the colleges and offices of a school, a tree of at most five levels (part 03 A2). The wire calls it organize.

mod options;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, OnConstraint, Part,
    Reply, Result, Saved, Tx, UnmaskedFields, mask,
    naming::{code_taken, resolve_id, switched_off, tidy},
    options::Source,
    permissions, pinyin, reply,
    transfer::{self, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
pub use unit_rules::organization::{Organization, OrganizationFilter, OrganizationKind, OrganizationNode};
use unit_rules::organization::{Unit, Units, build_tree, may_stand, may_switch};

use options::options;
pub use options::{by_code, usable};

permissions! {
    pages "/schoolPC/basicData/organize", "/platformPC/basicData/organize";
    EachSchool Reads       ListOrganizations        = "adult:pc:organize:list" "机构列表";
    EachSchool Reads       ViewOrganization         = "adult:pc:organize:view" "查看机构";
    EachSchool Writes      SaveOrganization         = "adult:pc:organize:save" "新增机构";
    EachSchool Writes      EditOrganization         = "adult:pc:organize:edit" "编辑机构";
    EachSchool Writes      DeleteOrganization       = "adult:pc:organize:delete" "删除机构";
    EachSchool Writes      DeleteOrganizations      = "adult:pc:organize:batchDel" "批量删除机构";
    EachSchool Writes      ChangeOrganizationStatus = "adult:pc:organize:update:status" "启用停用机构";
    EachSchool ReadsLogged ExportOrganizations      = "adult:pc:organize:export" "导出机构";
    EachSchool ReadsLogged ViewPlainOrganization    = "adult:pc:organize:viewPlain" "查看机构完整电话";
    EachSchool ReadsLogged ExportPlainOrganizations = "adult:pc:organize:exportPlain" "导出机构完整电话";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[OrganizationKind::ENUMERATION],
    entities: &[Entity { table: "organization", name: "机构", counted: "个下级机构" }],
    jobs: &[export_job::<Organizations>()],
    plain: &[UnmaskedFields {
        entity: "organization",
        table: "organization",
        code: "adult:pc:organize:viewPlain",
        fields: &[("phone", "phone")],
        // Units lie in no site, so that a narrow scope opens no value of theirs: no site has the number 0.
        scope: ("0", None),
        live: None,
        platform: None,
    }],
    histories: &[History { table: "organization", code: "adult:pc:organize:view", scope: None }],
    options: &[
        Source::new("organization", |connection, asked| Box::pin(options(connection, asked))).below("机构的上级机构")
    ],
    option_pages: PAGES,
    ..Part::NONE
};

/// As lists show it; the whole number is one call for one unit (05 E4).
fn hidden(mut unit: Organization) -> Organization {
    unit.phone = unit.phone.as_deref().map(mask::phone);
    unit
}

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OrganizationForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 简称
    #[oai(validator(max_length = 20))]
    pub short_name: Option<String>,
    /// 上级机构
    pub parent_id: Option<i64>,
    /// 类型
    pub kind: OrganizationKind,
    /// 负责人
    #[oai(validator(max_length = 50))]
    pub leader: Option<String>,
    /// 电话
    /// 手机号，或带区号的固定电话，如 027-87654321
    #[oai(validator(pattern = "^(1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}|(0[0-9]{2,3}-?)?[0-9*]{7,8}(-[0-9*]{1,6})?)$"))]
    pub phone: Option<String>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

impl Example for OrganizationForm {
    fn example() -> Self {
        Self {
            code: "JJXY".to_owned(),
            name: "继续教育学院".to_owned(),
            short_name: Some("继教院".to_owned()),
            parent_id: None,
            kind: OrganizationKind::College,
            leader: None,
            phone: Some("027-87654321".to_owned()),
            sort_no: 0,
        }
    }
}

pub struct Organizations;

#[OpenApi(prefix_path = "/adult/pc/organize", tag = "crate::Tag::Units")]
impl Organizations {
    /// 机构列表
    #[oai(path = "/list", method = "post", operation_id = "listOrganizations")]
    async fn list(
        &self,
        caller: Allowed<ListOrganizations>,
        Body(filter): Body<OrganizationFilter>,
    ) -> Result<Reply<Vec<OrganizationNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Organization> = select(&mut tx, None).map_ok(hidden).try_collect().await?;
        Ok(reply(build_tree(all, &filter)))
    }

    /// 查看机构
    #[oai(path = "/view", method = "get", operation_id = "viewOrganization")]
    async fn view(
        &self,
        caller: Allowed<ViewOrganization>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Organization>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "organization", id.0, code.0).await?;
        Ok(reply(hidden(find(&mut tx, id).await?)))
    }

    /// 新增机构
    #[oai(path = "/save", method = "post", operation_id = "saveOrganization")]
    async fn save(
        &self,
        caller: Allowed<SaveOrganization>,
        Body(form): Body<OrganizationForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let name = tidy(&form.name);
        let units = lock_all(&mut tx).await?;
        reachable(&form)?;
        check_place(&units, None, &form)?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into organization (code, name, short_name, parent_id, kind, leader, phone, initials, sort_no, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
            form.code,
            name,
            form.short_name,
            form.parent_id,
            form.kind.as_str(),
            form.leader,
            form.phone,
            pinyin::text_initials(&name),
            form.sort_no,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|constraint| explain_constraint(constraint, &form))?;
        tx.commit(Change::created("organization", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑机构
    #[oai(path = "/edit", method = "put", operation_id = "editOrganization")]
    async fn edit(
        &self,
        caller: Allowed<EditOrganization>,
        Body(edit): Body<Edit<OrganizationForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let mut form = edit.form;
        let name = tidy(&form.name);
        let units = lock_all(&mut tx).await?;
        let before = find(&mut tx, edit.id).await?;
        form.phone = mask::kept(form.phone, before.phone.as_deref(), mask::phone);
        reachable(&form)?;
        check_place(&units, Some(&before), &form)?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update organization set code = $3, name = $4, short_name = $5, parent_id = $6, kind = $7, leader = $8, phone = $9,
                    initials = $10, sort_no = $11, updated_at = now(), updated_by = $12, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.code,
            name,
            form.short_name,
            form.parent_id,
            form.kind.as_str(),
            form.leader,
            form.phone,
            pinyin::text_initials(&name),
            form.sort_no,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|constraint| explain_constraint(constraint, &form))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("organization", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("organization", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除机构
    #[oai(path = "/delete", method = "delete", operation_id = "deleteOrganization")]
    async fn delete(
        &self,
        caller: Allowed<DeleteOrganization>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除机构
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteOrganizations")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteOrganizations>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "organization");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用机构
    #[oai(path = "/update/status", method = "put", operation_id = "changeOrganizationStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeOrganizationStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let units = lock_all(&mut tx).await?;
        may_switch(&units, wanted.id, wanted.enabled).map_err(|refusal| Error::conflict(refusal.to_string()))?;
        let change = tx.set_enabled("organization", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出机构
    #[oai(path = "/export", method = "post", operation_id = "exportOrganizations")]
    async fn export(
        &self,
        caller: Allowed<ExportOrganizations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<OrganizationFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

/// Units as tree, view and export show them, siblings in the list's order.
fn select(connection: &mut PgConnection, only: Option<i64>) -> Rows<'_, Organization> {
    sqlx::query_as!(
        Organization,
        r#"select o.id, o.code, o.name, o.short_name, o.parent_id, p.name as "parent_name?", o.kind as "kind: _", o.leader, o.phone,
                  o.sort_no, o.enabled, o.version
           from organization o left join organization p on p.id = o.parent_id
           where ($1::bigint is null or o.id = $1)
           order by o.sort_no, o.code"#,
        only
    )
    .fetch(connection)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<Organization> {
    select(connection, Some(id)).try_next().await?.ok_or_else(Error::not_found)
}

/// The shape of the tree, which nobody else changes until this transaction ends: two moves that are each right could
/// together make a circle.
async fn lock_all(tx: &mut Tx) -> Result<Units> {
    sqlx::query!("lock table organization in share row exclusive mode").execute(&mut **tx).await?;
    let rows = sqlx::query!("select id, parent_id, name, enabled from organization").fetch_all(&mut **tx).await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id, Unit { parent: row.parent_id, name: row.name, enabled: row.enabled }))
        .collect())
}

/// # Errors
/// 422 at `phone` for stars that are not the mask of what is stored.
fn reachable(form: &OrganizationForm) -> Result<()> {
    if form.phone.as_deref().is_some_and(|phone| phone.contains('*')) {
        return Err(Error::field("phone", "请填写完整的电话号码"));
    }
    Ok(())
}

/// # Errors
/// 422 at `parentId` for a place that would break the tree, or below a unit that was switched off.
fn check_place(units: &Units, before: Option<&Organization>, form: &OrganizationForm) -> Result<()> {
    let moved = before.is_none_or(|before| before.parent_id != form.parent_id);
    let Some(parent) = form.parent_id.filter(|_| moved) else { return Ok(()) };
    may_stand(units, before.map(|before| before.id), parent)
        .map_err(|refusal| Error::field("parentId", refusal.to_string()))?;
    match units.get(&parent) {
        Some(unit) if !unit.enabled => Err(switched_off("parentId", &unit.name)),
        _ => Ok(()),
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("organization", id, &before.name).await?;
    Ok(Change::deleted("organization", id, &before))
}

fn explain_constraint(constraint: &str, form: &OrganizationForm) -> Option<Error> {
    match constraint {
        "organization_code_taken" => Some(code_taken(&form.code)),
        "organization_name_taken" => Some(Error::field("name", format!("同级机构中名称“{}”已存在", form.name))),
        _ => None,
    }
}
