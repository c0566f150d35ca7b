//! What people type about school accounts.

use infra::clock::Moment;
use poem_openapi::{Object, types::Example};

use crate::user::{AccountGender, binding::Terms, details::Details, roles::RoleTargets};

/// What a person types about a school account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolUserForm {
    /// 姓名
    #[oai(validator(min_length = 2, max_length = 30))]
    pub real_name: String,
    /// 手机号
    #[oai(validator(max_length = 11))]
    pub phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 60, pattern = "^[^@\\s]+@[^@\\s]+$"))]
    pub email: Option<String>,
    /// 性别
    pub gender: Option<AccountGender>,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 院校管理员
    pub is_admin: Option<bool>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for SchoolUserForm {
    fn example() -> Self {
        Self {
            real_name: "李敏".to_owned(),
            phone: Some("13800000002".to_owned()),
            email: None,
            gender: Some(AccountGender::Female),
            gmt_expires: None,
            is_admin: Some(false),
            remark: None,
        }
    }
}

impl SchoolUserForm {
    /// In the school area the end is the binding's, for operators the account's.
    pub(super) fn details(&self, with_end: bool) -> Details {
        Details {
            real_name: self.real_name.clone(),
            phone: self.phone.clone(),
            email: self.email.clone(),
            gender: self.gender.unwrap_or(AccountGender::Unknown),
            gmt_expires: self.gmt_expires.filter(|_| with_end),
            remark: self.remark.clone(),
        }
    }

    pub(super) fn terms(&self, with_end: bool) -> Terms {
        Terms {
            gmt_expires: self.gmt_expires.filter(|_| with_end),
            is_admin: self.is_admin.unwrap_or(false),
            teacher_id: None,
        }
    }
}

/// A new school account, bound to one school; its first password is made by the server unless one comes with it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewSchoolUser {
    /// 院校
    /// 平台区域必填，院校区域不填
    pub school_id: Option<i64>,
    /// 账号
    /// 4至32位字母、数字或 _ . @ -
    #[oai(validator(pattern = "^[A-Za-z0-9_.@-]{4,32}$"))]
    pub login_name: String,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    pub role_id_list: Vec<i64>,
    /// 数据范围
    #[oai(default, validator(max_items = 50))]
    pub scopes: Vec<RoleTargets>,
    /// 初始密码密文
    /// 不填由系统生成；首次登录须修改
    #[oai(validator(max_length = 1024))]
    pub initial_password: Option<String>,
    #[oai(flatten)]
    pub form: SchoolUserForm,
}

impl Example for NewSchoolUser {
    fn example() -> Self {
        Self {
            school_id: None,
            login_name: "limin".to_owned(),
            role_id_list: vec![7],
            scopes: Vec::new(),
            initial_password: None,
            form: SchoolUserForm::example(),
        }
    }
}

/// An account that exists, to be bound to a school.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BindForm {
    /// 账号编号
    pub user_id: i64,
    /// 账号
    /// 院校区域必填，须与该账号完全一致；本人同意后生效
    #[oai(validator(max_length = 32))]
    pub login_name: Option<String>,
    /// 院校
    /// 平台区域必填，院校区域不填
    pub school_id: Option<i64>,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    pub role_id_list: Vec<i64>,
    /// 数据范围
    #[oai(default, validator(max_items = 50))]
    pub scopes: Vec<RoleTargets>,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 院校管理员
    pub is_admin: Option<bool>,
    /// 教师
    /// 该账号是本校的哪位教师，用于阅卷等教师工作
    pub teacher_id: Option<i64>,
}

impl Example for BindForm {
    fn example() -> Self {
        Self {
            user_id: 3,
            login_name: Some("limin".to_owned()),
            school_id: None,
            role_id_list: vec![7],
            scopes: Vec::new(),
            gmt_expires: None,
            is_admin: Some(false),
            teacher_id: None,
        }
    }
}

/// Exactly these roles at one school.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SchoolUserRoles {
    /// 账号编号
    pub user_id: i64,
    /// 院校
    /// 平台区域必填，院校区域不填
    pub school_id: Option<i64>,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    pub role_id_list: Vec<i64>,
    /// 数据范围
    #[oai(default, validator(max_items = 50))]
    pub scopes: Vec<RoleTargets>,
    /// 版本
    pub version: Option<i32>,
}

impl Example for SchoolUserRoles {
    fn example() -> Self {
        let scopes = vec![RoleTargets { role_id: 7, site_ids: vec![1], class_ids: Vec::new() }];
        Self { user_id: 3, school_id: None, role_id_list: vec![7], scopes, version: Some(1) }
    }
}

/// The same by the binding's number.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct UserBindingRoles {
    /// 绑定编号
    pub id: i64,
    /// 角色
    #[oai(validator(min_items = 1, max_items = 50))]
    pub role_id_list: Vec<i64>,
    /// 数据范围
    #[oai(default, validator(max_items = 50))]
    pub scopes: Vec<RoleTargets>,
    /// 教师
    /// 该账号是本校的哪位教师
    pub teacher_id: Option<i64>,
    /// 版本
    /// 绑定的版本
    pub version: Option<i32>,
}

impl Example for UserBindingRoles {
    fn example() -> Self {
        Self { id: 3, role_id_list: vec![7], scopes: Vec::new(), teacher_id: None, version: Some(1) }
    }
}
