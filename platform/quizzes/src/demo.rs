//! Exams of the demonstration: a published one that is free, one that is sold, one that waits for its auditors, and what learners made
//! of the first.

use catalogue::course::{CourseSubmission, Putaway, PutawayChange};
use infra::{Change, Error, Result, Tx};
use question_bank_rules::{
    enums::{BlankMatch, QuestionDifficulty, QuestionSource, QuestionType},
    form::{QuestionOption, SubQuestionForm},
    marking::{AnswerBlank, GivenAnswer, QuestionAnswer},
    text::QuestionText,
};
use quiz_rules::{
    answer::QuizAnswer,
    content::{QuizContent, QuizProblemRef, QuizSection},
    enums::{QuizRecommendPosition, QuizSubmitKind},
    marking::QuizMarkItem,
    problem::QuizProblemForm,
};
use serde_json::json;

use crate::{
    client::{self, QuizStart},
    exam::{form, shelf::set_putaway},
    problem::write,
    recommend::{self, QuizRecommendForm},
    record::{self, QuizMarking},
};

/// What [`fill`] made: table and number of each row, the exam that classes may take, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub exam: Option<i64>,
    pub changes: Vec<Change>,
}

/// The caller commits, and has made the lecturer; of the learners the first has an attempt that is finished, the second one that waits
/// for its marker, the third one that runs.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, lecturer: i64, learners: [i64; 3]) -> Result<Made> {
    let mut made = Made::default();
    let problems_category = category(tx, &mut made, "problem", "学位英语题库").await?;
    let exams_category = category(tx, &mut made, "exam", "学位英语").await?;
    let mut problems = Vec::new();
    for problem in questions(problems_category) {
        let (id, change) = write::insert(tx, &problem, QuestionSource::Manual).await?;
        made.rows.push(("online_problem", id));
        made.changes.push(change);
        problems.push(id);
    }
    let content = QuizContent {
        exam_name: "学位英语模拟卷一".to_owned(),
        category_id: Some(exams_category),
        lecturer_id: Some(lecturer),
        cover: None,
        is_free: true,
        price_original: 0,
        price_sale: 0,
        duration_minutes: 90,
        total_score: 100.0,
        pass_score: 60.0,
        attempt_limit: 2,
        sections: sections(&problems, &[20.0, 20.0, 20.0, 10.0, 10.0, 20.0]),
    };
    let sold = QuizContent {
        exam_name: "学位英语考前押题卷".to_owned(),
        is_free: false,
        price_original: 4_900,
        price_sale: 2_900,
        attempt_limit: 1,
        ..content.clone()
    };
    let waiting = QuizContent { exam_name: "学位英语模拟卷二".to_owned(), ..content.clone() };
    let exam = exam(tx, &mut made, content, CourseSubmission::Publish).await?;
    self::exam(tx, &mut made, sold, CourseSubmission::Publish).await?;
    self::exam(tx, &mut made, waiting, CourseSubmission::Review).await?;
    let form = QuizRecommendForm {
        exam_id: exam,
        position: QuizRecommendPosition::Home,
        category_id: None,
        begins_at: None,
        ends_at: None,
        sort: 1,
        enabled: true,
    };
    let (recommended, change) = recommend::insert(tx, form).await?;
    made.rows.push(("exam_recommend", recommended));
    made.changes.push(change);
    attempts(tx, &mut made, exam, learners).await?;
    made.exam = Some(exam);
    Ok(made)
}

async fn category(tx: &mut Tx, made: &mut Made, kind: &str, name: &str) -> Result<i64> {
    use catalogue::category::{CategoryForm, CategoryType, insert};
    let kind = CategoryType::parse(kind).ok_or_else(|| Error::internal("no kind of category"))?;
    let form = CategoryForm {
        parent_id: None,
        category_name: name.to_owned(),
        icon: None,
        remark: None,
        sort: 100,
        enabled: true,
    };
    let (id, change) = insert(tx, kind, form).await?;
    made.rows.push(("online_category", id));
    made.changes.push(change);
    Ok(id)
}

async fn exam(tx: &mut Tx, made: &mut Made, content: QuizContent, submission: CourseSubmission) -> Result<i64> {
    let (id, change) = form::insert(tx, submission, content, true).await?;
    made.rows.push(("online_exam", id));
    made.changes.push(change);
    if submission == CourseSubmission::Publish {
        let on = PutawayChange { id, putaway: Putaway::On, version: None };
        made.changes.push(set_putaway(tx, &on).await?);
    }
    Ok(id)
}

/// Three sections: choices, blanks and judgements, what is written.
fn sections(problems: &[i64], scores: &[f64]) -> Vec<QuizSection> {
    let all: Vec<QuizProblemRef> = problems
        .iter()
        .zip(scores)
        .map(|(problem_id, score)| QuizProblemRef { problem_id: *problem_id, score: *score })
        .collect();
    let section = |title: &str, range: std::ops::Range<usize>| QuizSection {
        title: title.to_owned(),
        problems: all.get(range).unwrap_or_default().to_vec(),
    };
    vec![section("一、选择题", 0..3), section("二、判断和填空", 3..5), section("三、阅读与写作", 5..6)]
}

fn text(words: &str) -> QuestionText {
    QuestionText::cleaned(&format!("<p>{words}</p>"))
}

fn problem(category_id: i64, kind: QuestionType, stem: &str, answer: Option<QuestionAnswer>) -> QuizProblemForm {
    QuizProblemForm {
        category_id,
        kind,
        stem: text(stem),
        options: Vec::new(),
        answer,
        analysis: None,
        difficulty: Some(QuestionDifficulty::Medium),
        default_score: Some(2.0),
        media_key: None,
        play_limit: None,
        upload: None,
        allow_attachment: false,
        sub_questions: Vec::new(),
        copied_from: None,
        enabled: true,
    }
}

fn choice(category: i64, kind: QuestionType, stem: &str, options: [&str; 4], right: &[&str]) -> QuizProblemForm {
    let letters = right.iter().map(|letter| (*letter).to_owned()).collect();
    let answer = QuestionAnswer { letters: Some(letters), ..QuestionAnswer::default() };
    let options = ["A", "B", "C", "D"].into_iter().zip(options);
    QuizProblemForm {
        options: options
            .map(|(letter, words)| QuestionOption { letter: letter.to_owned(), content: text(words) })
            .collect(),
        ..problem(category, kind, stem, Some(answer))
    }
}

fn questions(category: i64) -> Vec<QuizProblemForm> {
    use QuestionType::{CaseAnalysis, FillBlank, MultipleChoice, ShortAnswer, SingleChoice, TrueFalse};
    let truth = |value: bool| QuestionAnswer { value: Some(value), ..QuestionAnswer::default() };
    let blank =
        AnswerBlank { accept: vec!["had".to_owned()], matching: BlankMatch::Loose, score: 2.0, tolerance: None };
    let filled = QuestionAnswer { blanks: Some(vec![blank]), ..QuestionAnswer::default() };
    let written = QuestionAnswer {
        text: Some(text("说明学习对工作的帮助，举出一个例子，语句通顺。")),
        ..QuestionAnswer::default()
    };
    let sub = |kind: QuestionType, stem: &str, answer: QuestionAnswer, score: f64| SubQuestionForm {
        id: None,
        kind,
        stem: text(stem),
        options: Vec::new(),
        answer: Some(answer),
        analysis: None,
        default_score: Some(score),
        upload: None,
        allow_attachment: false,
    };
    let mut case = problem(
        category,
        CaseAnalysis,
        "Adult learners study after work. They have less time, but they know why they learn.",
        None,
    );
    case.default_score = None;
    case.sub_questions = vec![
        sub(TrueFalse, "Adult learners have plenty of time.", truth(false), 4.0),
        sub(ShortAnswer, "Why do you study? Write about 50 words.", written, 16.0),
    ];
    vec![
        choice(
            category,
            SingleChoice,
            "She ___ to the library every Saturday.",
            ["goes", "go", "going", "gone"],
            &["A"],
        ),
        choice(
            category,
            SingleChoice,
            "The book ___ I bought yesterday is useful.",
            ["who", "which", "where", "when"],
            &["B"],
        ),
        choice(
            category,
            MultipleChoice,
            "Which of these are adverbs?",
            ["quickly", "friendly", "often", "lovely"],
            &["A", "C"],
        ),
        problem(category, TrueFalse, "“Information” is an uncountable noun.", Some(truth(true))),
        problem(category, FillBlank, "If I ____ more time, I would read more books.", Some(filled)),
        case,
    ]
}

fn given(seq: &str, answer: GivenAnswer) -> QuizAnswer {
    QuizAnswer { seq: seq.to_owned(), answer }
}

fn letters(seq: &str, letters: &[&str]) -> QuizAnswer {
    let letters = Some(letters.iter().map(|letter| (*letter).to_owned()).collect());
    given(seq, GivenAnswer { letters, ..GivenAnswer::default() })
}

async fn attempts(tx: &mut Tx, made: &mut Made, exam: i64, learners: [i64; 3]) -> Result<()> {
    let now = tx.app().clock().now();
    let html = Some(text("I study because my work asks for it, and because I like it."));
    for (place, learner) in learners.into_iter().enumerate() {
        let wanted = QuizStart { exam_id: exam, grade_id: None };
        let (held, changes) = client::begun(tx, learner, &wanted).await?;
        made.rows.push(("online_exam_record", held.id));
        made.changes.extend(changes);
        let truth = |value: bool| GivenAnswer { value: Some(value), ..GivenAnswer::default() };
        let answers = vec![
            letters("1", &["A"]),
            letters("2", &["B"]),
            letters("3", &["A", "C"]),
            given("4", truth(true)),
            given("5", GivenAnswer { texts: Some(vec!["had".to_owned()]), ..GivenAnswer::default() }),
            given("6.1", truth(false)),
            given("6.2", GivenAnswer { html: html.clone(), ..GivenAnswer::default() }),
        ];
        client::keep(tx, &held, answers, now).await?;
        if place == 2 {
            continue;
        }
        let held = record::write::lock(tx, held.id).await?;
        let (_, change) = record::write::submit(tx, &held, QuizSubmitKind::Learner).await?;
        made.changes.push(change);
        if place == 0 {
            let held = record::write::lock(tx, held.id).await?;
            let item =
                QuizMarkItem { seq: "6.2".to_owned(), score: 12.5, comment: Some("例子可以更具体".to_owned()) };
            let marking = QuizMarking { id: held.id, version: held.version, items: vec![item] };
            made.changes.push(record::mark(tx, marking).await?);
        }
    }
    made.changes.push(Change::event("online_exam", exam, "update", json!({ "attempts": 3 })));
    Ok(())
}

/// Rows of the demonstration.
pub struct Rows {
    pub exams: Vec<i64>,
    pub problems: Vec<i64>,
    pub recommends: Vec<i64>,
}

/// Removes them with every attempt at these exams; a question that another exam has by now stays. What else refers to the exams has gone
/// before.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, rows: &Rows) -> Result<()> {
    let Rows { exams, problems, recommends } = rows;
    sqlx::query!("delete from platform.online_exam_record where exam_id = any($1)", exams).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.exam_recommend where id = any($1) or exam_id = any($2)", recommends, exams)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "update platform.online_exam set putaway = 'off', published_revision_id = null where id = any($1)",
        exams
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.online_exam_revision where exam_id = any($1)", exams).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.online_exam_problem where exam_id = any($1)", exams).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.online_exam where id = any($1)", exams).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.online_problem p where id = any($1)
           and not exists (select from platform.online_exam_problem x where x.problem_id = p.id)",
        problems
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Exams, questions, and attempts in each state, for `verify`.
pub struct Stands {
    pub exams: i64,
    pub problems: i64,
    pub doing: i64,
    pub marking: i64,
    pub finished: i64,
    pub waiting: i64,
}

/// # Errors
/// Those of the database.
pub async fn stands(connection: &mut sqlx::PgConnection) -> Result<Stands> {
    let stands = sqlx::query_as!(
        Stands,
        r#"select (select count(*) from platform.online_exam) as "exams!", (select count(*) from platform.online_problem) as "problems!",
                  (select count(*) from platform.online_exam_record where submitted_at is null or submit_kind = 'time') as "doing!",
                  (select count(*) from platform.online_exam_record where state = 'marking') as "marking!",
                  (select count(*) from platform.online_exam_record where state = 'finished') as "finished!",
                  (select count(*) from platform.online_exam_revision where audit_status = 'pending') as "waiting!""#
    )
    .fetch_one(connection)
    .await?;
    Ok(stands)
}
