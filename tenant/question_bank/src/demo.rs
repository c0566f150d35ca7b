//! Banks of a demonstration school: one for homework and one for examinations of some courses, with questions of every type and
//! in every state.

use infra::{Result, Tx};
use poem_openapi::types::Example;

use crate::{
    bank::BankHead,
    enums::{BankUsage, BlankMatch, QuestionDifficulty, QuestionSource, QuestionStatus, QuestionType},
    marking::{AnswerBlank, QuestionAnswer},
    question::{QuestionForm, QuestionOption, SubQuestionForm, demo_insert},
    text::QuestionText,
};

/// Courses with banks.
const COURSES: i64 = 4;
/// Of each course one for homework, one for examinations.
pub const BANKS: i64 = 2 * COURSES;
/// Questions of a bank, by their types.
const PLAN: [(QuestionType, usize); 8] = [
    (QuestionType::SingleChoice, 24),
    (QuestionType::MultipleChoice, 10),
    (QuestionType::TrueFalse, 12),
    (QuestionType::FillBlank, 6),
    (QuestionType::ShortAnswer, 5),
    (QuestionType::Essay, 2),
    (QuestionType::CaseAnalysis, 2),
    (QuestionType::FileUpload, 1),
];
const OF_A_BANK: i64 = {
    let (mut sum, mut place) = (0, 0);
    while place < PLAN.len() {
        sum += PLAN[place].1;
        place += 1;
    }
    sum as i64
};

pub const QUESTIONS: i64 = OF_A_BANK * BANKS;

const DIFFICULTIES: [QuestionDifficulty; 5] = [
    QuestionDifficulty::Easy,
    QuestionDifficulty::FairlyEasy,
    QuestionDifficulty::Medium,
    QuestionDifficulty::FairlyHard,
    QuestionDifficulty::Hard,
];
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// What questions of a course are about.
struct About<'a> {
    course: &'a str,
    chapter: &'a str,
    number: usize,
}

/// Fills the banks of the first courses that have recorded material.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    let courses = sqlx::query!(
        "select c.id, c.code, c.name from course c
         where exists (select from course_chapter h where h.course_id = c.id) order by c.code limit $1",
        COURSES
    )
    .fetch_all(&mut **tx)
    .await?;
    for course in courses {
        let chapters = sqlx::query!(
            "select id, title from course_chapter where course_id = $1 and parent_id is not null order by id",
            course.id
        )
        .fetch_all(&mut **tx)
        .await?;
        for (usage, code, word) in [(BankUsage::Homework, "ZY", "作业"), (BankUsage::Exam, "KS", "考试")] {
            let name = format!("{}{word}题库", course.name);
            let id = sqlx::query_scalar!(
                "insert into question_bank (code, name, course_id, usage, initials, created_by_name, created_by, updated_by)
                 values ($1, $2, $3, $4, $5, '系统', 0, 0) returning id",
                format!("{}-{code}", course.code),
                name,
                course.id,
                usage.as_str(),
                infra::pinyin::text_initials(&name)
            )
            .fetch_one(&mut **tx)
            .await?;
            let bank = BankHead { id, name, course_id: course.id, usage };
            let mut number = 0;
            for (kind, count) in PLAN {
                for _ in 0..count {
                    let chapter = chapters.get(number % chapters.len().max(1));
                    let about = About {
                        course: &course.name,
                        chapter: chapter.map_or("绪论", |chapter| chapter.title.as_str()),
                        number: number + 1,
                    };
                    let form = QuestionForm {
                        bank_id: id,
                        chapter_id: chapter.map(|chapter| chapter.id),
                        difficulty: Some(DIFFICULTIES[number % DIFFICULTIES.len()]),
                        ..question(kind, &about)
                    };
                    demo_insert(tx, bank.clone(), form, status(usage, number), QuestionSource::Manual).await?;
                    number += 1;
                }
            }
        }
    }
    Ok(())
}

/// Most are in use; a few of the homework banks wait for somebody.
fn status(usage: BankUsage, number: usize) -> QuestionStatus {
    match (usage, number) {
        (BankUsage::Homework, 20) => QuestionStatus::Draft,
        (BankUsage::Homework, 21) => QuestionStatus::PendingReview,
        (BankUsage::Homework, 22) => QuestionStatus::Rejected,
        (BankUsage::Homework, 23) => QuestionStatus::Disabled,
        _ => QuestionStatus::Enabled,
    }
}

fn text(words: &str) -> QuestionText {
    QuestionText::cleaned(&format!("<p>{words}</p>"))
}

fn options(about: &About<'_>) -> Vec<QuestionOption> {
    let content = ["强调概念的适用条件", "忽视前提，直接套用结论", "把个别经验当作一般规律", "混淆原因与结果"];
    let turned = content.into_iter().cycle().skip(about.number % 4).take(4);
    LETTERS
        .into_iter()
        .zip(turned)
        .map(|(letter, words)| QuestionOption { letter: letter.to_owned(), content: text(words) })
        .collect()
}

fn letters(letters: &[&str]) -> QuestionAnswer {
    let letters = letters.iter().map(|letter| (*letter).to_owned()).collect();
    QuestionAnswer { letters: Some(letters), ..QuestionAnswer::default() }
}

fn question(kind: QuestionType, about: &About<'_>) -> QuestionForm {
    let About { course, chapter, number } = about;
    let lead = format!("《{course}》“{chapter}”第{number}题：");
    let base = QuestionForm {
        kind,
        stem: text(&format!("{lead}下列做法中，符合本节要求的是（　）。")),
        options: Vec::new(),
        answer: None,
        analysis: Some(text(&format!("见“{chapter}”。"))),
        default_score: Some(2.0),
        ..QuestionForm::example()
    };
    let right = LETTERS[(4 - number % 4) % 4];
    match kind {
        QuestionType::SingleChoice => QuestionForm { options: options(about), answer: Some(letters(&[right])), ..base },
        QuestionType::MultipleChoice => QuestionForm {
            stem: text(&format!("{lead}下列做法中，不符合本节要求的有（　）。")),
            options: options(about),
            answer: Some(letters(&LETTERS.into_iter().filter(|letter| *letter != right).collect::<Vec<_>>())),
            ..base
        },
        QuestionType::TrueFalse => QuestionForm {
            stem: text(&format!("{lead}学习本节时应先弄清概念，再讨论应用。")),
            answer: Some(QuestionAnswer { value: Some(true), ..QuestionAnswer::default() }),
            ..base
        },
        QuestionType::FillBlank => {
            let blank = |accept: &str| AnswerBlank {
                accept: vec![accept.to_owned()],
                matching: BlankMatch::Loose,
                score: 1.0,
                tolerance: None,
            };
            QuestionForm {
                stem: text(&format!("{lead}本节的内容分为____和____两部分。")),
                answer: Some(QuestionAnswer {
                    blanks: Some(vec![blank("概念"), blank("应用")]),
                    unordered: Some(true),
                    ..QuestionAnswer::default()
                }),
                ..base
            }
        }
        QuestionType::CaseAnalysis | QuestionType::Listening => QuestionForm {
            stem: text(&format!("{lead}某单位在工作中遇到与本节有关的问题，请阅读材料后作答。")),
            default_score: None,
            sub_questions: vec![
                SubQuestionForm {
                    id: None,
                    kind: QuestionType::SingleChoice,
                    stem: text("该单位首先应当做的是（　）。"),
                    options: options(about),
                    answer: Some(letters(&[right])),
                    analysis: None,
                    default_score: Some(2.0),
                    upload: None,
                    allow_attachment: false,
                },
                SubQuestionForm {
                    id: None,
                    kind: QuestionType::ShortAnswer,
                    stem: text("请说明理由。"),
                    options: Vec::new(),
                    answer: Some(QuestionAnswer {
                        text: Some(text("先明确概念和条件，再联系材料分析。")),
                        ..QuestionAnswer::default()
                    }),
                    analysis: None,
                    default_score: Some(8.0),
                    upload: None,
                    allow_attachment: false,
                },
            ],
            ..base
        },
        QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload => {
            let (ask, score) = match kind {
                QuestionType::ShortAnswer => ("简述本节的主要内容。", 5.0),
                QuestionType::Essay => ("结合实际，论述本节内容的应用。", 15.0),
                _ => ("完成本节的实践报告并上传。", 10.0),
            };
            let upload = (kind == QuestionType::FileUpload).then(|| crate::question::QuestionUpload {
                extensions: vec!["docx".to_owned(), "pdf".to_owned()],
                max_files: 1,
                max_size_mb: 20,
            });
            QuestionForm {
                stem: text(&format!("{lead}{ask}")),
                answer: Some(QuestionAnswer {
                    text: Some(text("要点完整，条理清楚。")), ..QuestionAnswer::default()
                }),
                default_score: Some(score),
                upload,
                ..base
            }
        }
    }
}
