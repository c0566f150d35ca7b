//! The closed sets of examinations on paper (part 04 §12).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        ExamSessionStatus::ENUMERATION,
        SeatOrder::ENUMERATION,
        SeatMix::ENUMERATION,
        SeatFill::ENUMERATION,
        SeatPattern::ENUMERATION,
        SeatLayout::ENUMERATION,
        InvigilatorKind::ENUMERATION,
        InvigilatorRole::ENUMERATION,
        RoomRecordStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 场次状态
    pub enum ExamSessionStatus = "sessionStatus" {
        Draft = "draft" "草稿",
        Seated = "seated" "已编排",
        Confirmed = "confirmed" "已确认",
        Finished = "finished" "已结束",
    }
}

enumeration! {
    /// 排座顺序
    pub enum SeatOrder = "seatOrder" {
        Class = "class" "按班级",
        StudentNo = "student_no" "按学号",
        Random = "random" "随机",
    }
}

enumeration! {
    /// 混排方式
    pub enum SeatMix = "seatMix" {
        Separate = "separate" "一考场一课程",
        Interleave = "interleave" "混排隔开",
    }
}

enumeration! {
    /// 填充方式
    pub enum SeatFill = "seatFill" {
        Even = "even" "均衡",
        Full = "full" "填满",
    }
}

enumeration! {
    /// 座位走向
    pub enum SeatPattern = "seatPattern" {
        Snake = "snake" "蛇形",
        Column = "column" "列序",
        Row = "row" "行序",
    }
}

enumeration! {
    /// 导出格式
    pub enum SeatLayout = "seatLayout" {
        List = "list" "总表",
        Room = "room" "每考场一张",
        Zip = "zip" "每站点一个文件",
    }
}

enumeration! {
    /// 监考员类型
    pub enum InvigilatorKind = "invigilatorKind" {
        Teacher = "teacher" "本校教师",
        External = "external" "外聘",
    }
}

enumeration! {
    /// 监考职责
    pub enum InvigilatorRole = "invigilatorRole" {
        Chief = "chief" "主监考",
        Assistant = "assistant" "副监考",
        Patrol = "patrol" "巡考",
    }
}

enumeration! {
    /// 考场情况
    pub enum RoomRecordStatus = "roomRecordStatus" {
        None = "none" "未登记",
        Recorded = "recorded" "已登记",
        Confirmed = "confirmed" "已确认",
    }
}
