//! 检查: what keeps a paper from being submitted (part 03 A8).

use infra::Result;
use question_bank::{
    enums::{PaperKind, QuestionType},
    score::{shown, tenths},
};
use sqlx::PgConnection;

use super::{Held, compose::held_in, form::strange};
use crate::{
    content::{DetailSection, Figures, figures},
    enums::PaperVariant,
};

/// What another variant has in common with a paper, in percent of the smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Alike {
    variant: String,
    percent: i64,
}

/// A section with questions of another type than its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mixed {
    place: usize,
    count: usize,
    kind: QuestionType,
}

/// What a look at a paper and around it finds.
#[derive(Debug, Clone, Default)]
struct Found {
    /// Places of sections without questions.
    empty: Vec<usize>,
    mixed: Vec<Mixed>,
    /// Questions of banks that papers of its use may not have.
    strange: i64,
    alike: Vec<Alike>,
}

/// Everything that is wrong, in the order in which people look at a paper.
fn problems(target: i64, sum: Figures, found: &Found, kind: PaperKind, own: &str, most: i64) -> Vec<String> {
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
fn mixed(sections: &[DetailSection]) -> Vec<Mixed> {
    let of_section = |(place, section): (usize, &DetailSection)| {
        let kind = section.kind?;
        let count = section.questions.iter().filter(|question| question.kind != kind).count();
        (count > 0).then_some(Mixed { place, count, kind })
    };
    (1..).zip(sections).filter_map(of_section).collect()
}

/// What is wrong with a paper, and what it comes to.
///
/// # Errors
/// Those of the database.
pub(super) async fn checked(
    connection: &mut PgConnection,
    paper: &Held,
    sections: &[DetailSection],
) -> Result<(Vec<String>, Figures)> {
    let sum = figures(sections);
    let numbered = (1..).zip(sections);
    let empty: Vec<usize> =
        numbered.filter(|(_, section)| section.questions.is_empty()).map(|(place, _)| place).collect();
    // Of each other variant the newest that is not out of use: they need not have come to the same version.
    let others = sqlx::query!(
        r#"select distinct on (variant) id, variant as "variant: PaperVariant" from paper
           where coalesce(family_id, id) = $1 and variant <> $2 and status <> 'disabled'
           order by variant, version_no desc"#,
        paper.family_id,
        paper.variant
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = others.iter().map(|other| other.id).collect();
    let held = held_in(connection, &ids).await?;
    let own: Vec<i64> =
        sections.iter().flat_map(|section| &section.questions).map(|question| question.question_id).collect();
    let alike: Vec<Alike> = others
        .iter()
        .filter_map(|other| {
            let questions = held.get(&other.id)?;
            let percent = crate::rule::overlap(&own, questions);
            Some(Alike { variant: other.variant.as_str().to_owned(), percent })
        })
        .collect();
    let strange = strange(connection, paper.id, paper.kind).await?;
    let found = Found { empty, mixed: mixed(sections), strange, alike };
    let most = i64::from(paper.overlap_max_percent);
    Ok((problems(tenths(paper.total_score), sum, &found, paper.kind, &paper.variant, most), sum))
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
