//! Closed sets of the people of a school's clients (02 §12).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        TeacherEducation::ENUMERATION,
        TeacherTitle::ENUMERATION,
        TeacherKind::ENUMERATION,
        TeacherDuty::ENUMERATION,
        SiteStaffDuty::ENUMERATION,
        StaffStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 学历
    pub enum TeacherEducation = "teacherEducation" {
        Doctor = "doctor" "博士研究生",
        Master = "master" "硕士研究生",
        Bachelor = "bachelor" "本科",
        Other = "other" "其他学历",
    }
}

enumeration! {
    /// 职称
    pub enum TeacherTitle = "teacherTitle" {
        Professor = "professor" "教授",
        AssociateProfessor = "associate_professor" "副教授",
        Lecturer = "lecturer" "讲师",
        Assistant = "assistant" "助教",
        Engineer = "engineer" "工程师",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 教师类别
    pub enum TeacherKind = "teacherKind" {
        FullTime = "full_time" "专任",
        External = "external" "外聘",
    }
}

enumeration! {
    /// 教师职责
    pub enum TeacherDuty = "teacherDuty" {
        Lecturer = "lecturer" "主讲",
        Tutor = "tutor" "辅导",
        Adviser = "adviser" "论文指导",
        Marker = "marker" "阅卷",
        Invigilator = "invigilator" "监考",
        Reviewer = "reviewer" "评阅",
    }
}

enumeration! {
    /// 站点人员职务
    pub enum SiteStaffDuty = "siteStaffDuty" {
        Principal = "principal" "负责人",
        Academic = "academic" "教务",
        Admission = "admission" "招生",
        Finance = "finance" "财务",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 人员状态
    pub enum StaffStatus = "staffStatus" {
        Active = "active" "在职",
        Disabled = "disabled" "停用",
        Left = "left" "离职",
    }
}
