//! 检查: what keeps a paper from being submitted (part 03 A8).

use question_bank_rules::{
    enums::{PaperKind, QuestionType},
    score::shown,
};

use crate::content::{DetailSection, Figures};

/// What another variant has in common with a paper, in percent of the smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    pub variant: String,
    pub percent: i64,
}

/// A section with questions of another type than its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixed {
    pub place: usize,
    pub count: usize,
    pub kind: QuestionType,
}

/// What a look at a paper and around it finds.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Places of sections without questions.
    pub empty: Vec<usize>,
    pub mixed: Vec<Mixed>,
    /// Questions of banks that papers of its use may not have.
    pub strange: i64,
    pub alike: Vec<Alike>,
}

/// Everything that is wrong, in the order in which people look at a paper.
pub fn problems(target: i64, sum: Figures, found: &Found, kind: PaperKind, own: &str, most: i64) -> Vec<String> {
    let mut told = Vec::new();
    if sum.questions == 0 && found.empty.is_empty() {
        told.push("试卷没有大题".to_owned());
    }
    told.extend(found.empty.iter().map(|place| format!("第{place}大题没有试题")));
    let mixed = |mixed: &Mixed| format!("第{}大题有{}道试题不是{}", mixed.place, mixed.count, mixed.kind.zh());
    told.extend(found.mixed.iter().map(mixed));
    if sum.sum != target {
        told.push(format!("总分{}，与目标总分{}不一致", shown(sum.sum), shown(target)));
    }
    if sum.unusable > 0 {
        told.push(format!("{}道试题已停用或待审核", sum.unusable));
    }
    if found.strange > 0 {
        told.push(format!("{}道试题所在题库不能用于{}", found.strange, kind.zh()));
    }
    let over = found.alike.iter().filter(|other| other.percent > most);
    told.extend(over.map(|other| format!("{own}卷与{}卷重复题{}%，超过上限{most}%", other.variant, other.percent)));
    told
}

/// Sections that have a type of their own, and questions of another: a question may change its type while no snapshot has it.
pub fn mixed(sections: &[DetailSection]) -> Vec<Mixed> {
    let of_section = |(place, section): (usize, &DetailSection)| {
        let kind = section.kind?;
        let count = section.questions.iter().filter(|question| question.kind != kind).count();
        (count > 0).then_some(Mixed { place, count, kind })
    };
    (1..).zip(sections).filter_map(of_section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_wrong_is_told() {
        let sum = Figures { questions: 10, sum: 980, unusable: 2, ..Figures::default() };
        let alike =
            vec![Alike { variant: "A".to_owned(), percent: 13 }, Alike { variant: "C".to_owned(), percent: 10 }];
        let mixed = vec![Mixed { place: 1, count: 3, kind: QuestionType::TrueFalse }];
        let found = Found { empty: vec![2], mixed, strange: 4, alike };
        assert_eq!(
            problems(1_000, sum, &found, PaperKind::Homework, "B", 10),
            [
                "第2大题没有试题",
                "第1大题有3道试题不是判断题",
                "总分98.0，与目标总分100.0不一致",
                "2道试题已停用或待审核",
                "4道试题所在题库不能用于作业",
                "B卷与A卷重复题13%，超过上限10%"
            ]
        );
        let right = Figures { questions: 10, sum: 1_000, ..Figures::default() };
        assert!(problems(1_000, right, &Found::default(), PaperKind::Exam, "A", 100).is_empty());
    }
}
