//! The closed sets of online study (part 03 B5).

use infra::{Part, clock::Moment, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        StudyResource::ENUMERATION,
        StudyWindow::ENUMERATION,
        StudyEvent::ENUMERATION,
        StudyEnd::ENUMERATION,
        ReplyKind::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 资源状态
    pub enum StudyResource = "studyResource" {
        Missing = "missing" "无资源",
        Unready = "unready" "未就绪",
        Ready = "ready" "已就绪",
    }
}

enumeration! {
    /// 学习状态
    pub enum StudyWindow = "studyWindow" {
        NotStarted = "not_started" "未开始",
        Running = "running" "学习中",
        Ended = "ended" "已结束",
    }
}

impl StudyWindow {
    /// Where a moment lies; the end belongs to what is over.
    pub fn at(now: Moment, starts: Moment, ends: Moment) -> Self {
        if now < starts {
            Self::NotStarted
        } else if now < ends {
            Self::Running
        } else {
            Self::Ended
        }
    }
}

enumeration! {
    /// 心跳事件
    pub enum StudyEvent = "studyEvent" {
        Play = "play" "播放",
        Pause = "pause" "暂停",
        Seek = "seek" "跳转",
        End = "end" "结束",
    }
}

enumeration! {
    /// 会话结束原因
    pub enum StudyEnd = "studyEnd" {
        Closed = "closed" "正常结束",
        Silent = "silent" "长时间无响应",
        OtherDevice = "other_device" "在其他设备学习",
        OtherPeriod = "other_period" "学习其他课时",
        Reset = "reset" "进度被重置",
    }
}

enumeration! {
    /// 回复人
    pub enum ReplyKind = "qaReplyKind" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        Staff = "staff" "院校人员",
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use infra::clock::{day_began, day_ended};

    use super::*;

    #[test]
    fn a_window_ends_with_its_last_day() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 3, day).expect("a day");
        let (starts, ends) = (day_began(day(2)), day_ended(day(8)));
        assert_eq!(StudyWindow::at(day_began(day(1)), starts, ends), StudyWindow::NotStarted);
        assert_eq!(StudyWindow::at(starts, starts, ends), StudyWindow::Running);
        assert_eq!(StudyWindow::at(ends, starts, ends), StudyWindow::Ended);
    }
}
