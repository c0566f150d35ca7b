//! The closed sets of face-to-face instruction (part 03 B8).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[AttendanceResult::ENUMERATION, AttendanceSource::ENUMERATION, InstructionScoreStatus::ENUMERATION],
    ..Part::NONE
};

enumeration! {
    /// 考勤结果
    pub enum AttendanceResult = "attendanceResult" {
        Present = "present" "出勤",
        Late = "late" "迟到",
        Leave = "leave" "请假",
        Absent = "absent" "缺勤",
    }
}

enumeration! {
    /// 考勤来源
    pub enum AttendanceSource = "attendanceSource" {
        Staff = "staff" "后台登记",
        Import = "import" "导入",
        Teacher = "teacher" "教师登记",
    }
}

enumeration! {
    /// 面授成绩状态
    pub enum InstructionScoreStatus = "instructionScoreStatus" {
        Draft = "draft" "录入中",
        Submitted = "submitted" "已提交",
        Confirmed = "confirmed" "已确认",
    }
}
