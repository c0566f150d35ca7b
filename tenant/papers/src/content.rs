//! What a paper holds: sections of questions, as it is put together, shown, frozen and printed.

use std::collections::HashMap;

use infra::Result;
pub use paper_rules::content::{DetailQuestion, DetailSection, Figures, figures, hide, keys_of};
use question_bank::{
    enums::{MultipleRule, QuestionDifficulty, QuestionStatus, QuestionType},
    question::{SubQuestion, secret_among, stored, stored_options, subs_of},
    score::points,
    text::QuestionText,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

/// Leaves out the answers of what is of examination banks, or in papers of examinations, by now, wherever it stands.
///
/// # Errors
/// Those of the database.
pub async fn hide_secret(connection: &mut PgConnection, sections: &mut [DetailSection]) -> Result<()> {
    let secret = secret_among(connection, &ids_of(sections)).await?;
    let questions = sections.iter_mut().flat_map(|section| &mut section.questions);
    questions.filter(|question| secret.contains(&question.question_id)).for_each(DetailQuestion::hide);
    Ok(())
}

/// Leaves out what the questions of banks ask that are kept from an account. Their places, types and scores stay: the whole is
/// still that of the paper, and is put together again as it was.
///
/// # Errors
/// Those of the database.
pub async fn hide_kept(connection: &mut PgConnection, viewer: i64, sections: &mut [DetailSection]) -> Result<()> {
    let ids = ids_of(sections);
    let kept = sqlx::query_scalar!(
        "select q.id from question q join question_bank b on b.id = q.bank_id
         where q.id = any($1) and b.visibility <> 'school' and b.created_by <> $2 and not exists (
             select from question_bank_member m where m.bank_id = b.id and m.account_id = $2)",
        &ids,
        viewer
    )
    .fetch_all(connection)
    .await?;
    let questions = sections.iter_mut().flat_map(|section| &mut section.questions);
    questions.filter(|question| kept.contains(&question.question_id)).for_each(DetailQuestion::keep_back);
    Ok(())
}

fn ids_of(sections: &[DetailSection]) -> Vec<i64> {
    sections.iter().flat_map(|section| &section.questions).map(|question| question.question_id).collect()
}

/// The questions of these numbers, by their numbers; what a place in a paper decides is still to be said.
///
/// # Errors
/// Those of the database.
pub async fn questions(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, DetailQuestion>> {
    let rows = sqlx::query!(
        r#"select q.id, q.type as "kind: QuestionType", q.stem as "stem: QuestionText", q.options as "options: Json<Value>",
                  q.answer as "answer: Json<Value>", q.analysis as "analysis: QuestionText", q.difficulty, q.chapter_id,
                  case when a.id is null then h.title else a.title || ' / ' || h.title end as chapter_title,
                  k.ids as "point_ids!", k.names as "point_names!", q.default_score::float8 as "default_score!",
                  q.status as "status: QuestionStatus", q.used_count, q.revision, f.key as "media_key?", q.play_limit,
                  q.upload as "upload: Json<Value>", q.allow_attachment
           from question q
           left join course_chapter h on h.id = q.chapter_id
           left join course_chapter a on a.id = h.parent_id
           left join file_object f on f.id = q.media_file_id
           cross join lateral (
               select coalesce(array_agg(n.id order by n.code), '{}') as ids,
                      coalesce(array_agg(n.name order by n.code), '{}') as names
               from question_knowledge x join knowledge_point n on n.id = x.knowledge_point_id where x.question_id = q.id) k
           where q.id = any($1) and q.parent_id is null"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut subs: HashMap<i64, Vec<SubQuestion>> = HashMap::new();
    for (parent, sub) in subs_of(connection, ids).await? {
        subs.entry(parent).or_default().push(sub);
    }
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        let question = DetailQuestion {
            question_id: row.id,
            seq: String::new(),
            kind: row.kind,
            stem: row.stem,
            options: stored_options(row.options.0)?,
            answer: row.answer.map(|answer| stored(answer.0)).transpose()?,
            analysis: row.analysis,
            difficulty: QuestionDifficulty::of(row.difficulty),
            chapter_id: row.chapter_id,
            chapter_title: row.chapter_title,
            knowledge_point_ids: row.point_ids,
            knowledge_point_names: row.point_names,
            score: row.default_score,
            blank_scores: None,
            sub_scores: None,
            status: row.status,
            used_count: row.used_count,
            revision: row.revision,
            media_key: row.media_key,
            play_limit: row.play_limit,
            upload: row.upload.map(|upload| stored(upload.0)).transpose()?,
            allow_attachment: row.allow_attachment,
            sub_questions: subs.remove(&row.id).unwrap_or_default(),
        };
        found.insert(row.id, question);
    }
    Ok(found)
}

/// The composition of a paper, in its order.
///
/// # Errors
/// Those of the database.
pub async fn of_paper(connection: &mut PgConnection, paper: i64) -> Result<Vec<DetailSection>> {
    let sections = sqlx::query!(
        r#"select id, title, instruction as "instruction: QuestionText", type as "kind: QuestionType", default_score::float8 as default_score,
                  multiple_rule as "multiple_rule: MultipleRule"
           from paper_section where paper_id = $1 order by sort_no, id"#,
        paper
    )
    .fetch_all(&mut *connection)
    .await?;
    let places = sqlx::query!(
        r#"select section_id, question_id, score::float8 as "score!", blank_scores as "blank_scores: Json<Vec<f64>>",
                  sub_scores as "sub_scores: Json<Vec<f64>>"
           from paper_question where paper_id = $1 order by section_id, sort_no, question_id"#,
        paper
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = places.iter().map(|place| place.question_id).collect();
    let mut known = questions(connection, &ids).await?;
    let mut seq = 0;
    let mut whole = Vec::with_capacity(sections.len());
    for section in sections {
        let mut held = Vec::new();
        for place in places.iter().filter(|place| place.section_id == section.id) {
            let Some(mut question) = known.remove(&place.question_id) else { continue };
            seq += 1;
            question.seq = seq.to_string();
            question.score = place.score;
            question.blank_scores = place.blank_scores.as_ref().map(|scores| scores.0.clone());
            question.sub_scores = place.sub_scores.as_ref().map(|scores| scores.0.clone());
            if question.kind.is_parent() {
                question.sub_scores = Some(question.sub_tenths().into_iter().map(points).collect());
            }
            held.push(question);
        }
        whole.push(DetailSection {
            id: Some(section.id),
            title: section.title,
            instruction: section.instruction,
            kind: section.kind,
            default_score: section.default_score,
            multiple_rule: section.multiple_rule,
            questions: held,
        });
    }
    Ok(whole)
}
