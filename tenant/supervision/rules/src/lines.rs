//! What a reminder says: a sentence of each flag, five at the most (part 05 C4).

use crate::enums::SuperviseKind;

/// Sentences of one message.
pub const MOST_LINES: usize = 5;

/// What is told of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub kind: SuperviseKind,
    pub title: String,
    /// In tenths.
    pub value: i32,
    pub expected: Option<i32>,
    /// Why an examination is not yet open to them.
    pub lack: Option<String>,
}

fn tenths(value: i32) -> String {
    format!("{}.{}", value / 10, (value % 10).abs())
}

fn line(flag: &Told) -> String {
    let Told { title, value, expected, .. } = flag;
    let whole = value / 10;
    let lack = flag.lack.as_deref().unwrap_or("尚未取得考试资格");
    match flag.kind {
        SuperviseKind::VideoLag => {
            let expected = expected.unwrap_or(0);
            format!("《{title}》学习进度{}%，应达{}%", tenths(expected - value), tenths(expected))
        }
        SuperviseKind::HomeworkOverdue => format!("作业“{title}”已逾期"),
        SuperviseKind::HomeworkDue => format!("作业“{title}”即将截止，尚未提交"),
        SuperviseKind::ExamRisk if whole <= 0 => format!("{title}考试今天开始，{lack}"),
        SuperviseKind::ExamRisk => format!("{title}考试{whole}天后开始，{lack}"),
        SuperviseKind::ExamAbsent => format!("{title}考试缺考"),
        SuperviseKind::ScoreFailed => format!("《{title}》课程成绩不及格"),
        SuperviseKind::Silent => format!("已{whole}天未登录学习平台"),
        SuperviseKind::Fee => "学费尚未缴清".to_owned(),
        SuperviseKind::Information if whole <= 0 => format!("{title}今天截止，尚未提交"),
        SuperviseKind::Information => format!("{title}{whole}天后截止，尚未提交"),
        SuperviseKind::StudyLimit if whole <= 0 => "最长学习期限即将到期".to_owned(),
        SuperviseKind::StudyLimit => format!("距最长学习期限还有{whole}个月"),
        SuperviseKind::Manual => "老师希望与您联系".to_owned(),
    }
}

/// Kinds of which several are told in one sentence, when each alone would be too many: what comes in which words.
const COUNTED: [(SuperviseKind, &str); 4] = [
    (SuperviseKind::HomeworkOverdue, "项作业已逾期"),
    (SuperviseKind::HomeworkDue, "项作业即将截止"),
    (SuperviseKind::ScoreFailed, "门课程成绩不及格"),
    (SuperviseKind::ExamAbsent, "场考试缺考"),
];

/// The sentences of flags in the order of their kinds; where there are too many, those of a kind become one, and the rest is left out.
pub fn lines(flags: &[Told]) -> Vec<String> {
    let mut ordered: Vec<&Told> = flags.iter().collect();
    let place = |flag: &Told| SuperviseKind::CHOICES.iter().position(|(_, kind)| *kind == flag.kind);
    ordered.sort_by_key(|flag| place(flag));
    if ordered.len() <= MOST_LINES {
        return ordered.into_iter().map(line).collect();
    }
    let mut told = Vec::with_capacity(ordered.len());
    for flag in &ordered {
        match COUNTED.iter().find(|(kind, _)| *kind == flag.kind) {
            Some((kind, words)) => {
                let count = ordered.iter().filter(|other| other.kind == *kind).count();
                let sentence = if count == 1 { line(flag) } else { format!("{count}{words}") };
                if !told.contains(&sentence) {
                    told.push(sentence);
                }
            }
            None => told.push(line(flag)),
        }
    }
    told.truncate(MOST_LINES);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(kind: SuperviseKind, title: &str, value: i32) -> Told {
        Told { kind, title: title.to_owned(), value, expected: None, lack: None }
    }

    #[test]
    fn a_lag_tells_where_somebody_is_and_should_be() {
        let lag = Told { expected: Some(376), ..flag(SuperviseKind::VideoLag, "管理学", 256) };
        assert_eq!(lines(&[lag]), ["《管理学》学习进度12.0%，应达37.6%"]);
        assert_eq!(
            lines(&[flag(SuperviseKind::ExamRisk, "管理学原理", 70)]),
            ["管理学原理考试7天后开始，尚未取得考试资格"]
        );
        let lack = Some("学习进度 42.0%，要求 60%".to_owned());
        let risk = Told { lack, ..flag(SuperviseKind::ExamRisk, "管理学原理", 70) };
        assert_eq!(lines(&[risk]), ["管理学原理考试7天后开始，学习进度 42.0%，要求 60%"]);
    }

    /// 05 C7-4: three courses and two homeworks are one message of five lines.
    #[test]
    fn up_to_five_flags_have_a_line_each() {
        let mut flags: Vec<Told> = ["甲", "乙", "丙"]
            .map(|title| Told { expected: Some(376), ..flag(SuperviseKind::VideoLag, title, 256) })
            .to_vec();
        flags.extend(["一", "二"].map(|title| flag(SuperviseKind::HomeworkOverdue, title, 20)));
        let told = lines(&flags);
        assert_eq!((told.len(), told[4].as_str()), (5, "作业“二”已逾期"));
    }

    #[test]
    fn more_are_counted_and_never_more_than_five() {
        let mut flags: Vec<Told> = (1..=4).map(|n| flag(SuperviseKind::HomeworkOverdue, &n.to_string(), 40)).collect();
        flags.push(flag(SuperviseKind::Silent, "", 500));
        flags.push(flag(SuperviseKind::Fee, "", 10));
        assert_eq!(lines(&flags), ["4项作业已逾期", "已50天未登录学习平台", "学费尚未缴清"]);
        let many: Vec<Told> = (1..=9).map(|n| flag(SuperviseKind::VideoLag, &n.to_string(), 200)).collect();
        assert_eq!(lines(&many).len(), MOST_LINES);
    }
}
