//! Whether what an exam refers to is there.

use catalogue::{
    category::{self, CategoryType},
    course::{gone, lecturer_may_be_chosen, nothing_is_gone},
};
use infra::{Error, FieldError, Result, Tx};
use question_bank_rules::enums::QuestionType;
use quiz_rules::{content::QuizContent, difference::QuizNames};
use sqlx::PgConnection;

use crate::problem::write::hold;

/// Characters of a stem where questions are told apart.
const SHOWN: usize = 40;

/// The content, when everything that it refers to is there. What `before` referred to already may have been switched off since. `whole`
/// as in [`QuizContent::in_itself`].
///
/// # Errors
/// 422 at the field.
pub(super) async fn checked(
    content: QuizContent,
    tx: &mut Tx,
    whole: bool,
    before: Option<&QuizContent>,
) -> Result<QuizContent> {
    let content = content.in_itself(whole)?;
    if let Some(category) = content.category_id {
        let kind = CategoryType::Exam.as_str();
        category::may_be_chosen(tx, kind, category, before.and_then(|before| before.category_id)).await?;
    }
    if let Some(lecturer) = content.lecturer_id {
        lecturer_may_be_chosen(tx, lecturer, before.and_then(|before| before.lecturer_id)).await?;
    }
    problems_are_there(&content, tx, whole).await?;
    Ok(content)
}

/// Questions that can be asked: in use, unless this is a draft, and none that is answered with a file, for which learners have no way.
async fn problems_are_there(content: &QuizContent, tx: &mut Tx, whole: bool) -> Result<()> {
    let ids = content.problem_ids();
    hold(tx, &ids).await?;
    let rows = sqlx::query!(
        r#"select id, enabled, type as "kind: QuestionType",
                  (type = 'file_upload' or sub_questions @? '$[*] ? (@.type == "file_upload")') as "filed!"
           from platform.online_problem where id = any($1)"#,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut wrong = Vec::new();
    let (mut at, mut off) = (0_usize, Vec::new());
    for (place, section) in content.sections.iter().enumerate() {
        for (number, problem) in section.problems.iter().enumerate() {
            at += 1;
            let message = match rows.iter().find(|row| row.id == problem.problem_id) {
                None => "所选试题不存在，请重新选择".to_owned(),
                Some(row) if row.filed => format!("{}含有须上传附件的题目，不能用于线上试卷", row.kind.zh()),
                Some(row) => {
                    if !row.enabled {
                        off.push(at.to_string());
                    }
                    continue;
                }
            };
            wrong.push(FieldError { field: format!("sections[{place}].problems[{number}].problemId"), message });
        }
    }
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    if whole && !off.is_empty() {
        let which = off.join("、");
        return Err(Error::field("sections", format!("{}题已停用（第{which}题），请替换后再提交", off.len())));
    }
    Ok(())
}

/// A version may have waited for long: what it refers to is still there and in use when it is published, and stays there until the
/// transaction ends.
///
/// # Errors
/// 409 for a category, a lecturer or a question that is gone, and for questions that were switched off.
pub(super) async fn refers_to_what_is_there(content: &QuizContent, tx: &mut Tx) -> Result<()> {
    let mut gone = gone(tx, CategoryType::Exam.as_str(), content.category_id, content.lecturer_id).await?;
    let ids = content.problem_ids();
    hold(tx, &ids).await?;
    let there = sqlx::query!(
        r#"select count(*) as "all!", count(*) filter (where not enabled) as "off!"
           from platform.online_problem where id = any($1)"#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    if i64::try_from(ids.len()) != Ok(there.all) {
        gone.push("试题");
    }
    nothing_is_gone(&gone)?;
    if there.off > 0 {
        return Err(Error::conflict(format!("{}题已停用，不能发布，请替换后重新提交", there.off)));
    }
    Ok(())
}

/// The names in two contents.
pub(crate) async fn names_of(
    connection: &mut PgConnection,
    before: Option<&QuizContent>,
    after: &QuizContent,
) -> Result<QuizNames> {
    let both: Vec<&QuizContent> = before.into_iter().chain([after]).collect();
    let category_ids: Vec<i64> = both.iter().filter_map(|content| content.category_id).collect();
    let categories =
        sqlx::query!("select id, category_name from platform.online_category where id = any($1)", &category_ids)
            .fetch_all(&mut *connection)
            .await?;
    let lecturer_ids: Vec<i64> = both.iter().filter_map(|content| content.lecturer_id).collect();
    let lecturers = sqlx::query!("select id, lecturer_name from platform.lecturer where id = any($1)", &lecturer_ids)
        .fetch_all(&mut *connection)
        .await?;
    let problem_ids: Vec<i64> = both.iter().flat_map(|content| content.problem_ids()).collect();
    let problems = sqlx::query!("select id, stem_plain from platform.online_problem where id = any($1)", &problem_ids)
        .fetch_all(connection)
        .await?;
    let stem = |text: &str| -> String {
        let line: Vec<&str> = text.split_whitespace().collect();
        line.join(" ").chars().take(SHOWN).collect()
    };
    Ok(QuizNames {
        categories: categories.into_iter().map(|row| (row.id, row.category_name)).collect(),
        lecturers: lecturers.into_iter().map(|row| (row.id, row.lecturer_name)).collect(),
        problems: problems.into_iter().map(|row| (row.id, stem(&row.stem_plain))).collect(),
    })
}
