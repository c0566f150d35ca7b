//! The closed sets of teaching plans (part 03 B1).

use infra::enumeration;

enumeration! {
    /// 教学计划状态
    pub enum PlanStatus = "planStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "待审核",
        Rejected = "rejected" "已退回",
        Effective = "effective" "生效",
        Superseded = "superseded" "已被替代",
        Withdrawn = "withdrawn" "作废",
    }
}

enumeration! {
    /// 课程性质
    pub enum CourseNature = "courseNature" {
        Compulsory = "compulsory" "必修",
        LimitedElective = "limited_elective" "限选",
        Elective = "elective" "任选",
    }
}

enumeration! {
    /// 教学计划导入方式
    pub enum PlanFillMode = "planFillMode" {
        Append = "append" "追加",
        Replace = "replace" "覆盖",
    }
}

enumeration! {
    /// 教学计划差异
    pub enum PlanDifferenceKind = "planDifferenceKind" {
        Added = "added" "新增",
        Removed = "removed" "删除",
        Changed = "changed" "修改",
    }
}
