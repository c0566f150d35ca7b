//! 院校设置: what a school, or an operator for it, sets (01 §5.1, §5.4, §13).
//!
//! ```text
//! group        stands in                       changed by
//! basic …      its row of platform.school      both areas, as each field says
//! params       school_setting, by paramCode    both areas; the default is the platform's value
//! the others   school_setting, by key          both areas; the default stands beside the rule (`Part::settings`)
//! 平台默认      platform.school_setting_default operators; copied into a school when it is opened
//! ```
//! Invariant: a group is saved as a whole under one number, so that two people never mix their halves.

mod defaults;
mod foundation;
mod item;
mod kept;
mod row;

use infra::{
    Allowed, App, Body, Entity, Error, Part, Reply, Result, Tx, directory,
    files::purpose,
    permissions, reply,
    setting::{Setting, Settings, kind::SettingType},
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use school_rules::registry;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

pub use defaults::copy_into;
pub use item::{SettingItem, SettingOption, SettingPart};
pub use registry::SettingGroup;

use crate::school::{SchoolStatus, find, of_directory};

permissions! {
    pages "/sys/school/systemManagerment", "/platformPC/systemManagerment", "/schoolPC/systemManagerment";
    Anywhere Reads  ViewSchoolSetting = "system:pc:sys:school:setting:view" "查看院校设置";
    Anywhere Writes EditSchoolSetting = "system:pc:sys:school:setting:edit" "编辑院校设置";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SettingGroup::ENUMERATION, SettingType::ENUMERATION],
    entities: &[
        Entity { table: "school_setting", name: "院校设置", counted: "项院校设置" },
        Entity { table: "school_setting_default", name: "院校默认设置", counted: "项默认设置" },
    ],
    params: &[&[purpose("upload.ext.print", "印章和签名格式", "jpg,jpeg,png")]],
    settings: &[Settings { group: "support", settings: &[DEMO] }],
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// Whether the people of the school are invented; it is decided when the school is opened.
const DEMO: Setting = Setting {
    read_only: true,
    of_school: Some(|school| Value::Bool(school.demo)),
    ..Setting::yes_no("demo", "演示院校", false, "演示院校的消息只记录、不发送")
};

/// One group of settings, with the number that a save must name.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SettingsOfGroup {
    /// 分组
    pub group: SettingGroup,
    /// 院校
    pub school_id: Option<i64>,
    /// 院校名称
    pub school_name: Option<String>,
    /// 版本
    pub version: i32,
    /// 设置项
    pub items: Vec<SettingItem>,
    /// 有设置项的分组
    pub groups: Vec<SettingGroup>,
}

/// New values of a group. What is left out stays; null goes back to the default.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SettingEdit {
    /// 院校
    /// 平台填写；不填为新院校的默认值
    pub id: Option<i64>,
    /// 分组
    pub group: SettingGroup,
    /// 值
    /// 以设置项为键
    pub value: Any<Map<String, Value>>,
    /// 版本
    pub version: i32,
    /// 已确认
    /// 学信网已有本校学生后修改院校代码时须确认
    #[oai(default)]
    pub confirmed: bool,
}

impl Example for SettingEdit {
    fn example() -> Self {
        let value = json!({ "classCapacityDefault": 45 }).as_object().cloned().unwrap_or_default();
        Self { id: Some(1), group: SettingGroup::Teaching, value: Any(value), version: 0, confirmed: false }
    }
}

/// The number of a group after a save.
#[derive(Debug, Clone, Object)]
pub struct SavedSettings {
    /// 版本
    pub version: i32,
}

/// Whose settings are meant.
enum Whose {
    /// A school's; `by_school` when its own people ask.
    School { id: i64, by_school: bool },
    /// Those that a new school begins with.
    NewSchools,
}

/// The claim names a school's own; an operator names one, or means new schools.
///
/// # Errors
/// 400 when a school's session names a school.
fn whose(own: Option<i64>, named: Option<i64>) -> Result<Whose> {
    match (own, named) {
        (Some(_), Some(_)) => Err(Error::malformed()),
        (Some(id), None) => Ok(Whose::School { id, by_school: true }),
        (None, Some(id)) => Ok(Whose::School { id, by_school: false }),
        (None, None) => Ok(Whose::NewSchools),
    }
}

/// 422 at a key that the group does not have.
fn unknown(key: &str) -> Error {
    Error::field(key, "设置项不存在")
}

/// Bytes of a school's files; unknown while it is being opened or migrated.
async fn storage_used(caller: &Allowed<ViewSchoolSetting>, id: i64) -> Result<Option<i64>> {
    let known = of_directory(caller.app(), id).await?;
    if known.key().is_err() {
        return Ok(None);
    }
    let mut tx = caller.read_in(&known).await?;
    infra::files::used(&mut tx).await.map(Some)
}

pub struct SchoolSettings;

#[OpenApi(prefix_path = "/system/pc/sys/school/setting", tag = "crate::Tag::Schools")]
impl SchoolSettings {
    /// 查看院校设置
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolSetting")]
    async fn view(
        &self,
        caller: Allowed<ViewSchoolSetting>,
        /// 院校
        id: Query<Option<i64>>,
        /// 分组
        group: Query<SettingGroup>,
    ) -> Result<Reply<SettingsOfGroup>> {
        let group = group.0;
        let (id, by_school) = match whose(caller.session.school_id, id.0)? {
            Whose::School { id, by_school } => (id, by_school),
            Whose::NewSchools => return defaults::view(&caller, group).await.map(reply),
        };
        let mut tx = caller.platform().await?;
        let school = find(&mut tx, if by_school { 0 } else { caller.user_id() }, Some(id), None).await?;
        drop(tx);
        let (version, items) = match group {
            SettingGroup::Basic => {
                let mut items = row::items(&school, group, by_school);
                items.extend(row::storage(&school, storage_used(&caller, id).await?));
                (school.version, items)
            }
            SettingGroup::Brand | SettingGroup::Domain | SettingGroup::HelpCenter => {
                (school.version, row::items(&school, group, by_school))
            }
            _ => {
                let known = of_directory(caller.app(), id).await?;
                let mut tx = caller.read_in(&known).await?;
                kept::view(caller.app(), &mut tx, &known, group).await?
            }
        };
        let groups = registry::groups(caller.app(), true);
        Ok(reply(SettingsOfGroup {
            group,
            school_id: Some(id),
            school_name: Some(school.name),
            version,
            items,
            groups,
        }))
    }

    /// 编辑院校设置
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolSetting")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolSetting>,
        Body(edit): Body<SettingEdit>,
    ) -> Result<Reply<SavedSettings>> {
        let (id, by_school) = match whose(caller.session.school_id, edit.id)? {
            Whose::School { id, by_school } => (id, by_school),
            Whose::NewSchools => {
                let version = defaults::edit(caller.begin().await?, &edit).await?;
                return Ok(reply(SavedSettings { version }));
            }
        };
        let mut tx = caller.begin().await?;
        let school = find(&mut tx, if by_school { 0 } else { caller.user_id() }, Some(id), None).await?;
        if school.status == SchoolStatus::Archived {
            return Err(Error::conflict("院校已归档，仅可查看"));
        }
        let version = match edit.group {
            SettingGroup::Basic | SettingGroup::Brand | SettingGroup::Domain | SettingGroup::HelpCenter => {
                row::edit(tx, school, &edit, by_school).await?
            }
            _ => {
                drop(tx);
                let known: std::sync::Arc<directory::School> = of_directory(caller.app(), id).await?;
                kept::edit(caller.begin_in(&known).await?, id, &edit).await?
            }
        };
        Ok(reply(SavedSettings { version }))
    }
}

/// A group that stands in the rows of a school, as its own people see it.
///
/// # Errors
/// Those of the database.
pub(crate) async fn view_kept(
    app: &App,
    connection: &mut PgConnection,
    school: &directory::School,
    group: SettingGroup,
) -> Result<SettingsOfGroup> {
    let (version, items) = kept::view(app, connection, school, group).await?;
    let (school_id, school_name) = (Some(school.id), Some(school.name.clone()));
    Ok(SettingsOfGroup { group, school_id, school_name, version, items, groups: Vec::new() })
}

/// Saves such a group, and commits; answers its number.
///
/// # Errors
/// 409 when it was saved since it was read; 422 at each wrong value, and where a change is to be confirmed first.
pub(crate) async fn save_kept(tx: Tx, school: i64, edit: &SettingEdit) -> Result<i32> {
    kept::edit(tx, school, edit).await
}
