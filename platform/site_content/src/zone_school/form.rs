//! What an operator types of a school of the home page, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use poem_openapi::{Object, types::Example};

use super::{SchoolZone, ShownOn, list::find};
use crate::removal::remove;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolZoneForm {
    /// 院校
    pub school_id: i64,
    /// 封面
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub cover_img: Option<String>,
    /// 宣传语
    #[oai(validator(max_length = 60))]
    pub slogan: Option<String>,
    /// 链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub link_url: Option<String>,
    /// 展示端
    #[oai(default = "both")]
    pub terminal: ShownOn,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn both() -> ShownOn {
    ShownOn::Both
}

fn on() -> bool {
    true
}

impl Example for SchoolZoneForm {
    fn example() -> Self {
        Self {
            school_id: 1,
            cover_img: None,
            slogan: None,
            link_url: None,
            terminal: ShownOn::Both,
            sort: 0,
            enabled: true,
        }
    }
}

impl SchoolZoneForm {
    fn explain_constraint(&self, constraint: &str) -> Option<Error> {
        match constraint {
            "zone_school_taken" => Some(Error::field("schoolId", "该院校已在专区中")),
            "zone_school_of_school" => Some(unknown()),
            _ => None,
        }
    }
}

/// An operator whose account is bound to some schools puts no other school on the page. The refusal is that of a school which does not
/// exist, so that they do not learn of it.
async fn may_choose(tx: &mut Tx, operator: i64, school: i64) -> Result<()> {
    let may = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_user u
               where u.id = $1 and (u.school_scope = 'all' or exists (
                   select from platform.sys_user_school b
                   where b.user_id = u.id and b.school_id = $2 and b.enabled))) as "may!""#,
        operator,
        school
    )
    .fetch_one(&mut **tx)
    .await?;
    if may { Ok(()) } else { Err(unknown()) }
}

fn unknown() -> Error {
    Error::field("schoolId", "所选院校不存在，请重新选择")
}

/// # Errors
/// 422 for a school that is not there, that `operator` does not act for, or that stands on the page already.
pub(super) async fn insert(tx: &mut Tx, operator: i64, form: SchoolZoneForm) -> Result<(i64, Change)> {
    may_choose(tx, operator, form.school_id).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.zone_school (school_id, cover_img, slogan, link_url, terminal, sort, enabled,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.school_id,
        form.cover_img,
        form.slogan,
        form.link_url,
        form.terminal.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    Ok((id, Change::created("zone_school", id, &form)))
}

/// # Errors
/// As [`insert`] for another school than before, and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, operator: i64, edit: Edit<SchoolZoneForm>) -> Result<Change> {
    let form = edit.form;
    let before: SchoolZone = find(tx, edit.id).await?;
    if before.school_id != form.school_id {
        may_choose(tx, operator, form.school_id).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.zone_school set school_id = $3, cover_img = $4, slogan = $5, link_url = $6, terminal = $7,
                sort = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.school_id,
        form.cover_img,
        form.slogan,
        form.link_url,
        form.terminal.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("zone_school", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("zone_school", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "zone_school", id, &before.name, &before).await
}
