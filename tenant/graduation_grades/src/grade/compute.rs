//! 计算: what reviews, defences and internships came to is filled in, and the total is counted by the rule.

use infra::{
    Allowed, Body, Change, Reply, Result, Scope, Tx,
    across::{KeyQuery, Keyed},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use scores::rule::Place;
use scores_rules::{
    arith::shown,
    graduation::{GraduationParts, GraduationTotal, graduation},
    levels,
    params::GraduationTotalParams,
};
use serde_json::{Value, json};
use thesis_rules::enums::{GraduationScoreStatus, ThesisStatus};

use super::{
    ComputeGrades,
    hold::hold,
    rules::GradeRules,
    select::{GraduationScoreFilter, GraduationScores},
    steps::params,
};

/// Why the score of a thesis does not pass that failed by itself.
const FAILED: &str = "论文未通过";

/// What parts come to. Of a thesis that failed nothing is waited for, and whatever it got lies below the line.
pub(crate) fn counted(rule: &GraduationTotalParams, parts: &GraduationParts, failed: bool) -> GraduationTotal {
    if !failed {
        return graduation(rule, parts);
    }
    let or_zero = |part: Option<i64>| part.or(Some(0));
    let all = GraduationParts {
        internship: or_zero(parts.internship),
        thesis: or_zero(parts.thesis),
        review: or_zero(parts.review),
        defense: or_zero(parts.defense),
    };
    let below = (i64::from(rule.pass_line) * 10 - 10).max(0);
    let total = graduation(rule, &all).total.unwrap_or_default().min(below);
    let word = levels::word(rule.grading_mode, total);
    GraduationTotal {
        total: Some(total),
        word: Some(if word.is_empty() { shown(total) } else { word.to_owned() }),
        veto: Some(FAILED.to_owned()),
        missing: Vec::new(),
        passed: false,
    }
}

/// By what a score counts, and whether its thesis failed: as long as it is open as things stand, then as it was kept with its total.
///
/// # Errors
/// An internal one of a formula that is none.
pub(crate) fn ground(
    rules: &GradeRules,
    place: Place,
    status: GraduationScoreStatus,
    thesis: Option<ThesisStatus>,
    formula: Option<&Value>,
) -> Result<(GraduationTotalParams, bool)> {
    match formula.filter(|_| !status.is_open()) {
        Some(kept) => Ok((params(kept)?, kept["failed"] == json!(true))),
        None => Ok((rules.total(place)?.1.clone(), thesis == Some(ThesisStatus::Failed))),
    }
}

/// Missing parts that are told.
const TOLD: usize = 1_000;

/// Whose totals are counted.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationScoresCompute {
    /// 毕业成绩
    /// 与 filter 二选一
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 查询条件
    /// 与列表的条件相同
    pub filter: Option<GraduationScoreFilter>,
}

impl Example for GraduationScoresCompute {
    fn example() -> Self {
        Self { ids: Some(vec![1]), filter: None }
    }
}

/// What was counted.
#[derive(Debug, Clone, Object)]
pub struct GraduationScoresComputed {
    /// 有总评的人数
    pub done: i64,
    /// 没有总评的学生
    /// 姓名和缺少的成绩
    pub left: Vec<String>,
}

pub struct Computing;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl Computing {
    /// 计算毕业总成绩
    /// 取论文评阅、答辩登记和实习的成绩，已录入的不覆盖；已提交的不再计算
    #[oai(path = "/compute", method = "post", operation_id = "computeGraduationScores")]
    async fn compute(
        &self,
        caller: Allowed<ComputeGrades>,
        Body(wanted): Body<GraduationScoresCompute>,
    ) -> Result<Reply<GraduationScoresComputed>> {
        let mut tx = caller.begin().await?;
        let ids = match wanted.ids {
            Some(ids) => ids,
            None => {
                let filter = wanted.filter.unwrap_or_default();
                let keys = GraduationScores::matching(&mut tx, &filter, &caller.scope(), KeyQuery::default()).await?;
                keys.into_iter().map(|key| key.id).collect()
            }
        };
        let (computed, changes) = computed(&mut tx, &ids, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(computed))
    }
}

/// # Errors
/// Those of the database.
pub(crate) async fn computed(
    tx: &mut Tx,
    ids: &[i64],
    scope: &Scope,
) -> Result<(GraduationScoresComputed, Vec<Change>)> {
    // What is open and has a thesis; a score that was submitted stays.
    let open = hold(tx, ids, scope).await?;
    let open: Vec<i64> = open
        .values()
        .filter(|held| held.status.is_open() && held.thesis.is_some())
        .map(|held| held.selection)
        .collect();
    let filled = fill(tx, &open).await?;
    let rules = GradeRules::load(tx).await?;
    let settled = settle(tx, &rules, &open).await?;
    let mut answer = GraduationScoresComputed { done: 0, left: Vec::new() };
    for held in hold(tx, &open, scope).await?.values() {
        let (_, params) = rules.total(held.place)?;
        let total = counted(params, &held.parts, held.failed());
        if total.total.is_some() {
            answer.done += 1;
        } else if answer.left.len() < TOLD {
            answer.left.push(format!("{}：缺少{}", held.name, total.missing.join("、")));
        }
    }
    let mut touched = filled;
    touched.extend(settled);
    touched.sort_unstable();
    touched.dedup();
    let mut changes: Vec<Change> =
        touched.into_iter().map(|id| Change::event("graduation_score", id, "compute", json!({}))).collect();
    if changes.is_empty() {
        changes.push(Change::nothing("graduation_score", 0));
    }
    Ok((answer, changes))
}

/// Fills in what reviews, defences and internships came to, where nobody entered it here. Answers the records that changed.
async fn fill(tx: &mut Tx, selections: &[i64]) -> Result<Vec<i64>> {
    let by = tx.by();
    sqlx::query!(
        "insert into graduation_score (selection_id, student_id, thesis_id, created_by, updated_by)
         select c.id, c.student_id, t.id, $2::bigint, $2::bigint
         from course_selection c join thesis t on t.selection_id = c.id and t.status <> 'cancelled'
         where c.id = any($1) order by c.id
         on conflict (selection_id) do nothing",
        selections,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(sqlx::query_scalar!(
        "update graduation_score g
         set thesis_id = s.thesis, internship_score = s.internship, review_score = s.review, defense_score = s.defense,
             status = case when g.status = 'pending'
                            and (s.failed or num_nonnulls(s.internship, g.thesis_score, s.review, s.defense) > 0)
                           then 'entering' else g.status end,
             updated_at = now(), updated_by = $2::bigint, version = g.version + 1
         from (
             select o.id, t.id as thesis, t.status = 'failed' as failed,
                    coalesce((select i.score from internship i
                              where i.student_id = o.student_id and i.status = 'passed' order by i.id desc limit 1), o.internship_score)
                        as internship,
                    case when o.review_by_name is null then coalesce(
                        (select round(avg(r.score), 1) from thesis_review r
                         where r.thesis_id = t.id having bool_and(r.submitted_at is not null)), o.review_score)
                         else o.review_score end as review,
                    case when o.defense_by_name is null then coalesce(
                        (select z.score from defense_slot z
                         where z.thesis_id = t.id and z.result in ('passed', 'failed') order by z.round_no desc limit 1),
                        o.defense_score) else o.defense_score end as defense
             from graduation_score o join thesis t on t.selection_id = o.selection_id and t.status <> 'cancelled'
             where o.selection_id = any($1)) s
         where g.id = s.id and g.status in ('pending', 'entering', 'returned')
           and (s.failed and g.status = 'pending'
                or (g.thesis_id, g.internship_score, g.review_score, g.defense_score)
                   is distinct from (s.thesis, s.internship, s.review, s.defense))
         returning g.id",
        selections,
        by
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Counts the totals of open scores anew. Answers the records whose total changed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn settle(tx: &mut Tx, rules: &GradeRules, selections: &[i64]) -> Result<Vec<i64>> {
    let (mut ids, mut totals, mut words, mut vetoes, mut formulas) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for held in hold(tx, selections, &Scope::whole_school()).await?.values() {
        let Some(id) = held.record.filter(|_| held.status.is_open()) else { continue };
        let (rule, params) = rules.total(held.place)?;
        let total = counted(params, &held.parts, held.failed());
        let formula = json!({
            "ruleId": rule.id, "ruleVersion": rule.version, "graduation": params.to_json(), "veto": total.veto,
            "failed": held.failed(),
        });
        let formula = total.total.map(|_| formula);
        let same = (held.total, &held.word, &held.veto) == (total.total, &total.word, &total.veto);
        if same && held.formula == formula {
            continue;
        }
        ids.push(id);
        totals.push(total.total);
        words.push(total.word);
        vetoes.push(total.veto);
        formulas.push(formula.map(|formula| formula.to_string()));
    }
    let by = tx.by();
    sqlx::query!(
        "update graduation_score g
         set total = w.total / 10.0, grade_word = w.word, veto = w.veto, formula = w.formula::jsonb, updated_at = now(),
             updated_by = $6::bigint, version = g.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) as w (id, total, word, veto, formula)
         where g.id = w.id",
        &ids,
        &totals as &[Option<i64>],
        &words as &[Option<String>],
        &vetoes as &[Option<String>],
        &formulas as &[Option<String>],
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(ids)
}
