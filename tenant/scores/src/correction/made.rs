//! Corrections of scores that end with no examination: history, theses, practical work (part 04 §6.4, §8.2). The parts of the last
//! two stand where they were entered: the module that holds them hears of the correction and counts them by the formula of then.

use infra::{Change, Error, Result, Tx};
use scores_rules::{
    enums::{
        EffectiveRound, ExamRound, GpaScale, GradingMode, ScoreCorrectionTarget, ScoreMark, ScoreOrigin, ScorePart,
    },
    gpa,
    total::{Total, text},
};
use serde_json::json;
use sqlx::PgConnection;

use super::save::{Asked, ScoreCorrectionForm};
use crate::score::{Card, Rules};

/// Tenths from which practical work is passed.
const INTERNSHIP_PASSED: i64 = 600;

/// What a score was made of, in tenths; nothing of history, and of what was waived.
///
/// # Errors
/// Those of the database.
pub(crate) async fn parts_of(connection: &mut PgConnection, card: &Card) -> Result<Vec<(ScorePart, Option<i64>)>> {
    match card.origin {
        ScoreOrigin::Thesis => {
            let row = sqlx::query!(
                "select (internship_score * 10)::bigint as internship, (thesis_score * 10)::bigint as thesis,
                        (review_score * 10)::bigint as review, (defense_score * 10)::bigint as defense
                 from graduation_score where selection_id = $1",
                card.selection_id
            )
            .fetch_optional(connection)
            .await?;
            Ok(row.map_or_else(Vec::new, |row| {
                vec![
                    (ScorePart::Internship, row.internship),
                    (ScorePart::Thesis, row.thesis),
                    (ScorePart::Review, row.review),
                    (ScorePart::Defense, row.defense),
                ]
            }))
        }
        ScoreOrigin::Internship => {
            let row = sqlx::query!(
                "select (unit_score * 10)::bigint as unit, (teacher_score * 10)::bigint as teacher
                 from internship where selection_id = $1 and not waived",
                card.selection_id
            )
            .fetch_optional(connection)
            .await?;
            Ok(row.map_or_else(Vec::new, |row| vec![(ScorePart::Unit, row.unit), (ScorePart::Teacher, row.teacher)]))
        }
        ScoreOrigin::Examined | ScoreOrigin::History => Ok(Vec::new()),
    }
}

/// What somebody asks for.
///
/// # Errors
/// 422 for what the score does not have, what is missing, and what it is already.
pub(super) fn asked(
    card: &Card,
    form: &ScoreCorrectionForm,
    value: Option<i64>,
    parts: &[(ScorePart, Option<i64>)],
) -> Result<Asked> {
    let needed = || value.ok_or_else(|| Error::field("newValue", "请填写新分数"));
    let same = || Error::field("newValue", "新成绩与原成绩相同");
    match form.target {
        ScoreCorrectionTarget::Component => {
            let kind = form.component_kind.ok_or_else(|| Error::field("componentKind", "请选择成绩组成项"))?;
            let found = parts.iter().find(|(part, _)| *part == kind).map(|(_, value)| *value);
            let old_value =
                found.ok_or_else(|| Error::field("componentKind", format!("{}没有{}", card.origin.zh(), kind.zh())))?;
            let new_value = Some(needed()?);
            if new_value == old_value {
                return Err(same());
            }
            Ok(Asked { component: Some(kind), exam: None, old_value, old_mark: None, new_value, new_mark: None })
        }
        ScoreCorrectionTarget::Exam => {
            if card.origin != ScoreOrigin::History {
                let told = format!("{}的成绩由各组成项计算，请更正组成项", card.origin.zh());
                return Err(Error::field("target", told));
            }
            if let Some(mark) = card.mark.filter(|mark| *mark != ScoreMark::Normal) {
                return Err(Error::field("target", format!("该成绩为{}，请更正特殊情况", mark.zh())));
            }
            let new_value = Some(needed()?);
            if new_value == card.total {
                return Err(same());
            }
            let (old_value, old_mark, new_mark) = (card.total, card.mark, Some(ScoreMark::Normal));
            Ok(Asked { component: None, exam: None, old_value, old_mark, new_value, new_mark })
        }
        ScoreCorrectionTarget::Mark => {
            let mark = form.new_mark.ok_or_else(|| Error::field("newMark", "请选择新特殊情况"))?;
            if matches!(mark, ScoreMark::Deferred | ScoreMark::Exempt) {
                return Err(Error::field("newMark", format!("{}须由相应登记产生", mark.zh())));
            }
            // What has parts is counted of them again.
            let typed = mark == ScoreMark::Normal && card.origin == ScoreOrigin::History;
            let new_value = if typed { Some(needed()?) } else { None };
            if card.mark == Some(mark) && (new_value.is_none() || new_value == card.total) {
                return Err(Error::field("newMark", "新成绩与原成绩相同"));
            }
            let (old_value, old_mark, new_mark) = (card.total, card.mark, Some(mark));
            Ok(Asked { component: None, exam: None, old_value, old_mark, new_value, new_mark })
        }
    }
}

/// Writes what a correction makes of a score, which is held; what holds its parts follows first.
///
/// # Errors
/// Those of whoever holds the parts.
pub(super) async fn write(
    tx: &mut Tx,
    before: &Card,
    correction: i64,
    (value, mark): (Option<i64>, Option<ScoreMark>),
) -> Result<Change> {
    if before.origin != ScoreOrigin::History {
        tx.corrected("score_correction", correction).await?;
    }
    let mark = mark.or(before.mark).unwrap_or(ScoreMark::Normal);
    let score = sqlx::query!(
        r#"select s.grading_mode as "grading!: GradingMode", s.effective_round as "round?: EffectiveRound",
                  s.formula #>> '{graduation,passLine}' as "pass_line?", (g.total * 10)::bigint as "thesis?",
                  (i.score * 10)::bigint as "internship?"
           from course_score s
           left join graduation_score g on g.selection_id = s.selection_id
           left join internship i on i.selection_id = s.selection_id
           where s.id = $1"#,
        before.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let of_course = Rules::load(tx).await?.formula(before.place)?.total;
    let (counted, pass_line, scale) = match before.origin {
        ScoreOrigin::Thesis => {
            let line = score.pass_line.as_deref().and_then(|line| line.parse::<i64>().ok());
            (score.thesis, line.map_or(of_course.pass(), |line| line * 10), GpaScale::Linear5)
        }
        ScoreOrigin::Internship => (score.internship, INTERNSHIP_PASSED, GpaScale::Linear5),
        ScoreOrigin::History | ScoreOrigin::Examined => (value.or(before.total), of_course.pass(), of_course.gpa_scale),
    };
    let total = if mark == ScoreMark::Normal { counted.unwrap_or_default() } else { 0 };
    let passed = mark == ScoreMark::Normal && total >= pass_line;
    let round = match score.round {
        Some(EffectiveRound::Makeup) => ExamRound::Makeup,
        Some(EffectiveRound::FinalMakeup) => ExamRound::FinalMakeup,
        _ => ExamRound::First,
    };
    let said = Total { value: Some(total), mark, passed: Some(passed), blocked: Vec::new(), steps: Vec::new() };
    let said = text(&said, score.grading, round);
    let point = if passed { gpa::point(scale, total) } else { 0 };
    let by = tx.by();
    sqlx::query!(
        "update course_score
         set total = $2::bigint / 10.0, mark = $3::text,
             first_total = case when effective_round = 'first' then $2::bigint / 10.0 else first_total end,
             first_mark = case when effective_round = 'first' then $3::text else first_mark end, display_text = $4,
             passed = $5, earned_credits = case when $5 then credits else 0 end, grade_point = $6::bigint / 100.0,
             updated_at = now(), updated_by = $7, version = version + 1
         where id = $1",
        before.id,
        total,
        mark.as_str(),
        said,
        passed,
        point,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::event("course_score", before.id, "count", json!({ "before": before.text, "after": said })))
}
