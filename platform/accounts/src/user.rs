//! 账号: the operator's system users and the schools' users, as people manage them (01 §2).
//!
//! ```text
//! account   enabled ⇄ disabled ─delete→ gone: the row stays for the logs, its login name and phone are free again
//! binding   (an account at a school) enabled ⇄ disabled ─unbind→ gone
//! invitation (of a school to somebody else's account) pending ─agree→ binding      pending ─refuse, withdraw, 30 days→ ended
//! ```
//! In the school area an account is its binding there: a school sees, switches and unbinds only that, and never learns
//! where else the account works.
//!
//! Invariants: nobody gives a right that they do not hold, nor acts on an account that holds one ([`grant`], [`known`]); nobody
//! changes their own roles; the last enabled super administrator and a school's last administrator stay ([`standing`]); an
//! initial password leaves the server once.

mod binding;
mod change_status;
pub mod details;
pub mod grant;
mod import;
pub mod invitation;
pub mod known;
mod list;
mod passwords;
mod reset;
mod roles;
mod school;
mod sheet;
mod system;

use infra::{Entity, Error, Part, Result, UnmaskedFields, clock::Moment, enumeration, transfer::export_job};

pub use import::import_job;
pub use list::{SchoolAccounts, SystemAccounts};
pub use roles::Roles;
pub use school::{PERMISSIONS as SCHOOL_PERMISSIONS, SchoolInvitations, SchoolRoles, SchoolUsers};
pub use system::{PERMISSIONS as SYSTEM_PERMISSIONS, SystemUsers};

pub const PART: Part = Part {
    permissions: &[SYSTEM_PERMISSIONS, SCHOOL_PERMISSIONS],
    enumerations: &[
        UserType::ENUMERATION,
        SchoolScope::ENUMERATION,
        AccountGender::ENUMERATION,
        AccountExpiry::ENUMERATION,
        invitation::InvitationState::ENUMERATION,
    ],
    entities: &[
        Entity { table: "sys_user", name: "账号", counted: "个账号" },
        Entity { table: "sys_school_invitation", name: "院校邀请", counted: "个院校邀请" },
    ],
    jobs: &[export_job::<SystemAccounts>(), export_job::<SchoolAccounts>(), import_job()],
    plain: PLAIN,
    ..Part::NONE
};

enumeration! {
    /// 账号类型
    pub enum UserType = "userType" {
        Platform = "platform" "平台账号",
        School = "school" "院校账号",
    }
}

enumeration! {
    /// 可管院校
    pub enum SchoolScope = "schoolScope" {
        All = "all" "全部",
        Listed = "listed" "指定",
    }
}

enumeration! {
    /// 性别
    pub enum AccountGender = "accountGender" {
        Unknown = "unknown" "未知",
        Male = "male" "男",
        Female = "female" "女",
    }
}

enumeration! {
    /// 到期
    pub enum AccountExpiry = "accountExpiry" {
        Within30Days = "within_30_days" "30天内到期",
        Expired = "expired" "已过期",
    }
}

/// # Errors
/// 422 at `gmtExpires` when the account would have ended before it begins.
fn in_future(ends: Option<Moment>, now: Moment) -> Result<()> {
    match ends {
        Some(ends) if ends <= now => Err(Error::field("gmtExpires", "有效期不能早于当前时间")),
        _ => Ok(()),
    }
}

/// Phones and addresses that lists mask: of platform accounts for operators, of school accounts where they are managed.
pub const PLAIN: &[UnmaskedFields] = &[
    UnmaskedFields {
        entity: "systemUser",
        table: "platform.sys_user",
        code: "system:pc:sys:user:viewPlain",
        fields: CONTACTS,
        scope: ("id", None),
        live: None,
        platform: Some(
            "user_type = 'platform' and deleted_at is null and $2::bigint is null and $3::bigint is not null",
        ),
    },
    UnmaskedFields {
        entity: "schoolUser",
        table: "platform.sys_user",
        code: "system:pc:sys:school:user:viewPlain",
        fields: CONTACTS,
        scope: ("id", None),
        live: None,
        platform: Some(
            "user_type = 'school' and deleted_at is null
             and ($2::bigint is null or exists (
                 select from platform.sys_user_school b where b.user_id = sys_user.id and b.school_id = $2))
             and ($3::bigint is null
                  or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                  or exists (select from platform.sys_user_school b
                             join platform.sys_user_school m on m.school_id = b.school_id and m.user_id = $3 and m.enabled
                             where b.user_id = sys_user.id))",
        ),
    },
];
const CONTACTS: &[(&str, &str)] = &[("phone", "phone"), ("email", "email")];
