//! The closed sets of openings and allocations (part 03 B2, B3).

use infra::enumeration;

pub use course_selection_rules::enums::{OpeningKind, OpeningStatus};

enumeration! {
    /// 教学方式
    pub enum TeachingMode = "teachingMode" {
        Online = "online" "线上",
        Offline = "offline" "面授",
        Blended = "blended" "混合",
    }
}

impl TeachingMode {
    /// How a course with these hours is taught unless somebody says otherwise: lecture and practice are face to face.
    pub const fn usual(face_to_face: i32, online: i32) -> Self {
        match (face_to_face, online) {
            (0, _) => Self::Online,
            (_, 0) => Self::Offline,
            _ => Self::Blended,
        }
    }
}

enumeration! {
    /// 任课角色
    pub enum AllocationRole = "allocationRole" {
        Lecturer = "lecturer" "主讲",
        Tutor = "tutor" "辅导",
        Marker = "marker" "批阅",
    }
}

enumeration! {
    /// 未生成开课的原因
    pub enum GenerationReason = "openingSkipReason" {
        NoEffectivePlan = "no_effective_plan" "无生效计划",
        NoStudent = "no_student" "无在籍学生",
        DisabledCourse = "disabled_course" "课程已停用",
        LeftOver = "left_over" "待开课不在生效计划的本学期，请删除",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_follows_from_the_hours() {
        assert_eq!(TeachingMode::usual(0, 36), TeachingMode::Online);
        assert_eq!(TeachingMode::usual(36, 0), TeachingMode::Offline);
        assert_eq!(TeachingMode::usual(8, 28), TeachingMode::Blended);
        assert_eq!(TeachingMode::usual(0, 0), TeachingMode::Online);
    }
}
