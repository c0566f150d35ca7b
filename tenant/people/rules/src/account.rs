//! Whose an account of a client is (part 02 §12.1).

use infra::enumeration;

enumeration! {
    /// 账号归属
    pub enum OwnerKind = "clientOwnerKind" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManager = "class_manager" "班主任",
    }
}

impl OwnerKind {
    /// The client application in which such a person signs in (01 §1.2).
    pub const fn client(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Teacher | Self::ClassManager => "teacher",
            Self::SiteStaff => "site",
        }
    }
}

enumeration! {
    /// 登录身份
    pub enum SignInKind = "clientSignInKind" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManager = "class_manager" "班主任",
        Learner = "learner" "平台学员",
    }
}

impl SignInKind {
    /// Whose account of a school it is; none for a customer of the operators' own site.
    pub const fn owner(self) -> Option<OwnerKind> {
        match self {
            Self::Student => Some(OwnerKind::Student),
            Self::Teacher => Some(OwnerKind::Teacher),
            Self::SiteStaff => Some(OwnerKind::SiteStaff),
            Self::ClassManager => Some(OwnerKind::ClassManager),
            Self::Learner => None,
        }
    }
}
