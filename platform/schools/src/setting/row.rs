//! The groups that edit the school's row: 基本信息, 品牌, 域名, 帮助中心.

use infra::{
    Change, Error, FieldError, OnConstraint, Result, Tx,
    files::in_gb,
    setting::{Setting, kind::Kind},
};
use poem_openapi::types::ToJSON;
use serde_json::Value;

use super::{SettingEdit, SettingItem, registry::SettingGroup, unknown};
use crate::school::{School, check_color, explain_constraint, find};

/// A field of the row, and who changes it.
struct Field {
    setting: Setting,
    required: bool,
    /// Only operators change it.
    of_operators: bool,
}

const fn field(key: &'static str, name: &'static str, kind: Kind, help: &'static str) -> Field {
    Field { setting: Setting::new(key, name, kind, help), required: false, of_operators: false }
}

const fn text(max: usize) -> Kind {
    Kind::Text { default: "", max, pattern: None, hint: "" }
}

const BASIC: &[Field] = &[
    Field {
        setting: Setting { read_only: true, ..Setting::new("code", "院校代码", text(20), "开通后不能修改") },
        required: false,
        of_operators: false,
    },
    Field { required: true, of_operators: true, ..field("name", "院校名称", text(60), "") },
    field("shortName", "简称", text(12), ""),
    field("address", "地址", text(200), ""),
    field("contactName", "联系人", text(30), ""),
    field("contactPhone", "联系电话", text(30), ""),
];

/// What the school's files fill, beside its quota: no field of the row, but looked for where the school is described.
const STORAGE: Setting = Setting {
    read_only: true,
    ..Setting::text("storage", "存储空间", 60, "照片、材料等文件已占用的空间；点播频道中的音视频不计")
};

const BRAND: &[Field] = &[
    field("title", "站点标题", text(60), "浏览器标签和登录页的标题，未填时为院校名称"),
    field("brandColor", "品牌色", Kind::Color, "按钮和菜单的颜色，与白色文字的对比度不低于4.5"),
    field("logo", "标志", Kind::Picture, ""),
    field("logoNoWord", "无字标志", Kind::Picture, "菜单收起时显示"),
    field("ico", "页面图标", Kind::Picture, "浏览器标签上的图标"),
    field("loginBackground", "登录背景", Kind::Picture, ""),
];

const DOMAIN: &[Field] = &[Field {
    of_operators: true,
    ..field(
        "domain",
        "域名",
        Kind::Text {
            default: "",
            max: 100,
            pattern: Some("^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"),
            hint: "例如 cj.example.edu.cn，不含协议和端口",
        },
        "",
    )
}];

const HELP_CENTER: &[Field] = &[Field {
    of_operators: true,
    ..field("assistanceCenterEnabled", "开放帮助中心", Kind::Bool { default: false }, "平台的帮助中心也须开放")
}];

const fn fields_of(group: SettingGroup) -> &'static [Field] {
    match group {
        SettingGroup::Basic => BASIC,
        SettingGroup::Brand => BRAND,
        SettingGroup::Domain => DOMAIN,
        SettingGroup::HelpCenter => HELP_CENTER,
        _ => &[],
    }
}

fn read_only(field: &Field, by_school: bool) -> bool {
    field.setting.read_only || by_school && field.of_operators
}

pub(super) fn items(school: &School, group: SettingGroup, by_school: bool) -> Vec<SettingItem> {
    let stands = school.to_json().unwrap_or_default();
    fields_of(group)
        .iter()
        .map(|field| {
            let value = stands[field.setting.key].clone();
            let setting = Setting { read_only: read_only(field, by_school), ..field.setting };
            let item = SettingItem::of(&setting, Some(value), field.setting.kind.default());
            SettingItem { required: field.required, ..item }
        })
        .collect()
}

/// 存储空间, as people read it; nothing to show while the school's files cannot be counted.
pub(super) fn storage(school: &School, used: Option<i64>) -> Option<SettingItem> {
    let used = in_gb(used?);
    let shown = match school.storage_quota_gb {
        Some(quota) => format!("已用{used}GB，共{quota}GB"),
        None => format!("已用{used}GB，不限"),
    };
    Some(SettingItem::of(&STORAGE, Some(Value::String(shown)), STORAGE.kind.default()))
}

/// Puts a value that was found right into the record.
fn set(school: &mut School, key: &str, value: &Value) {
    let text = || value.as_str().map(ToOwned::to_owned);
    match key {
        "name" => school.name = text().unwrap_or_default(),
        "shortName" => school.short_name = text(),
        "address" => school.address = text(),
        "contactName" => school.contact_name = text(),
        "contactPhone" => school.contact_phone = text(),
        "title" => school.title = text(),
        "brandColor" => school.brand_color = text(),
        "logo" => school.logo = text(),
        "logoNoWord" => school.logo_no_word = text(),
        "ico" => school.ico = text(),
        "loginBackground" => school.login_background = text(),
        "domain" => school.domain = text(),
        "assistanceCenterEnabled" => school.assistance_center_enabled = value.as_bool().unwrap_or_default(),
        _ => {}
    }
}

/// Saves one group of the row; answers the row's number.
pub(super) async fn edit(mut tx: Tx, before: School, edit: &SettingEdit, by_school: bool) -> Result<i32> {
    let fields = fields_of(edit.group);
    let stands = before.to_json().unwrap_or_default();
    let mut wanted = before.clone();
    let mut errors = Vec::new();
    for (key, typed) in &edit.value.0 {
        let field = fields.iter().find(|field| field.setting.key == key).ok_or_else(|| unknown(key))?;
        let name = field.setting.name;
        let refusal = |message: String| FieldError { field: key.clone(), message };
        match field.setting.kind.normal(typed) {
            Err(why) => errors.push(refusal(format!("{name}{why}"))),
            Ok(value) if value == stands[key.as_str()] => {}
            Ok(_) if read_only(field, by_school) => errors.push(refusal(format!("{name}不能在此修改"))),
            Ok(Value::Null) if field.required => errors.push(refusal(format!("{name}不能为空"))),
            Ok(value) => set(&mut wanted, key, &value),
        }
    }
    if !errors.is_empty() {
        return Err(Error::fields(errors));
    }
    check_color(wanted.brand_color.as_deref())?;
    let (id, by) = (before.id, tx.by());
    let changed = sqlx::query_scalar!(
        "update platform.school set name = $3, initials = $4, short_name = $5, address = $6, contact_name = $7, contact_phone = $8,
                title = $9, brand_color = $10, logo = $11, logo_no_word = $12, ico = $13, login_background = $14, domain = $15,
                assistance_center_enabled = $16, updated_at = now(), updated_by = $17, version = version + 1
         where id = $1 and version = $2 returning version",
        id,
        edit.version,
        wanted.name,
        infra::pinyin::initials(&wanted.name),
        wanted.short_name,
        wanted.address,
        wanted.contact_name,
        wanted.contact_phone,
        wanted.title,
        wanted.brand_color,
        wanted.logo,
        wanted.logo_no_word,
        wanted.ico,
        wanted.login_background,
        wanted.domain,
        wanted.assistance_center_enabled,
        by
    )
    .fetch_optional(&mut *tx)
    .await
    .on_constraint(explain_constraint)?;
    let Some(version) = changed else { return Err(tx.stale("school", id).await) };
    let after = find(&mut tx, 0, Some(id), None).await?;
    tx.notice("school", id);
    tx.commit(Change::edited("school", id, &before, &after)).await?;
    Ok(version)
}
