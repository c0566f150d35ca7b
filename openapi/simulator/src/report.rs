//! What was sent, accepted and refused.

use std::{collections::BTreeMap, fmt};

/// What somebody does in their client, in the order in which it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    SignIn,
    Password,
    Offered,
    Select,
    Drop,
    Courses,
    Timetable,
    Chapters,
    Play,
    Beat,
    Questions,
    Ask,
    Help,
    Tasks,
    Start,
    Save,
    Submit,
    Taught,
    Reply,
    Waiting,
    Open,
    Mark,
    Lessons,
    Attend,
}

impl Act {
    pub const fn zh(self) -> &'static str {
        match self {
            Self::SignIn => "登录",
            Self::Password => "修改初始密码",
            Self::Offered => "查看可选课程",
            Self::Select => "选课",
            Self::Drop => "退选",
            Self::Courses => "查看我的课程",
            Self::Timetable => "查看我的课表",
            Self::Chapters => "查看课程章节",
            Self::Play => "播放课时",
            Self::Beat => "学习心跳",
            Self::Questions => "查看课程答疑",
            Self::Ask => "提问",
            Self::Help => "回答同学提问",
            Self::Tasks => "查看我的作业",
            Self::Start => "开始作业",
            Self::Save => "保存作业答案",
            Self::Submit => "提交作业",
            Self::Taught => "查看教师课程",
            Self::Reply => "教师回复答疑",
            Self::Waiting => "查看待批阅答卷",
            Self::Open => "打开答卷",
            Self::Mark => "提交批阅",
            Self::Lessons => "查看教师课表",
            Self::Attend => "登记考勤",
        }
    }
}

/// What became of one kind of call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Count {
    accepted: u64,
    /// By reason.
    refused: BTreeMap<String, u64>,
}

impl Count {
    fn refusals(&self) -> u64 {
        self.refused.values().sum()
    }
}

/// What became of everything that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    acts: BTreeMap<Act, Count>,
    /// What was not sent, by reason.
    left_out: BTreeMap<&'static str, u64>,
    /// Seconds of study that the server counted.
    pub credited_seconds: i64,
    /// Those that players claimed and it did not count.
    pub rejected_seconds: i64,
}

impl Report {
    /// How often it was accepted.
    pub fn accepted(&self, act: Act) -> u64 {
        self.acts.get(&act).map_or(0, |count| count.accepted)
    }

    /// How often anything was refused.
    pub fn refusals(&self) -> u64 {
        self.acts.values().map(Count::refusals).sum()
    }

    pub(super) fn note(&mut self, act: Act, refused: Option<&str>) {
        let count = self.acts.entry(act).or_default();
        match refused {
            None => count.accepted += 1,
            Some(reason) => *count.refused.entry(reason.to_owned()).or_default() += 1,
        }
    }

    pub(super) fn leave_out(&mut self, why: &'static str) {
        *self.left_out.entry(why).or_default() += 1;
    }
}

impl fmt::Display for Report {
    /// Numbers stand first: Chinese words are not as wide as they are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "      发送      受理    未受理")?;
        for (act, count) in &self.acts {
            let refusals = count.refusals();
            writeln!(f, "{:>10}{:>10}{refusals:>10}  {}", count.accepted + refusals, count.accepted, act.zh())?;
            for (reason, times) in &count.refused {
                writeln!(f, "{times:>30}    {reason}")?;
            }
        }
        for (why, times) in &self.left_out {
            writeln!(f, "{times:>10}人次未发送：{why}")?;
        }
        write!(f, "计入学习{}秒，未计入{}秒", self.credited_seconds, self.rejected_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_by_their_reasons() {
        let mut report = Report { credited_seconds: 60, ..Report::default() };
        report.note(Act::Beat, None);
        report.note(Act::Select, Some("人数已满"));
        report.note(Act::Select, Some("人数已满"));
        report.note(Act::Select, None);
        report.leave_out("不在选课时间内");
        assert_eq!((report.accepted(Act::Select), report.refusals(), report.accepted(Act::Mark)), (1, 2, 0));
        let told = report.to_string();
        let lines: Vec<&str> = told.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "发送      受理    未受理",
                "3         1         2  选课",
                "2    人数已满",
                "1         1         0  学习心跳",
                "1人次未发送：不在选课时间内",
                "计入学习60秒，未计入0秒"
            ]
        );
    }
}
