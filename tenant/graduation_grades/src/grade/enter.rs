//! 录入论文成绩, 评阅成绩 and 答辩成绩: by its items, or as a whole where the rule lets it.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, points},
    items::value,
};
use serde_json::{Value, json};
use thesis_rules::{enums::ThesisStage, grade::GradeTurn};

use super::{
    EnterDefenseGrade, EnterReviewGrade, EnterThesisGrade,
    compute::settle,
    hold::{Held, held, stale},
    rules::GradeRules,
    select::{GraduationPart, Stored},
};

/// What is entered of the three parts.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct GradeContent {
    pub thesis_score: Option<f64>,
    pub thesis_items: Vec<Stored>,
    pub thesis_comment: Option<String>,
    pub review_score: Option<f64>,
    pub review_items: Vec<Stored>,
    pub review_comment: Option<String>,
    pub defense_score: Option<f64>,
    pub defense_items: Vec<Stored>,
    pub defense_comment: Option<String>,
}

/// An item of a part.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationItemScore {
    /// 评分项代码
    #[oai(validator(max_length = 50))]
    pub code: String,
    /// 成绩
    pub score: f64,
}

impl Example for GraduationItemScore {
    fn example() -> Self {
        Self { code: "writing".to_owned(), score: 82.0 }
    }
}

/// A part of the score of a thesis.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationPartEntry {
    /// 编号
    /// 毕业论文课程的选课编号
    pub id: i64,
    /// 版本
    /// 尚未录入时为0
    pub version: i32,
    /// 成绩
    /// 与评分项填写一种；都不填为清空
    pub score: Option<f64>,
    /// 评分项
    #[oai(default, validator(max_items = 50))]
    pub items: Vec<GraduationItemScore>,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
}

impl Example for GraduationPartEntry {
    fn example() -> Self {
        Self { id: 1, version: 0, score: Some(82.0), items: Vec::new(), comment: Some("论证充分".to_owned()) }
    }
}

/// What somebody gave for a part, in tenths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    pub score: Option<i64>,
    pub items: Vec<(String, i64)>,
    pub comment: Option<String>,
}

pub struct Entering;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl Entering {
    /// 录入论文成绩
    /// 指导教师评定；终稿通过后录入
    #[oai(path = "/editThesis", method = "put", operation_id = "enterThesisScore")]
    async fn thesis(
        &self,
        caller: Allowed<EnterThesisGrade>,
        Body(wanted): Body<GraduationPartEntry>,
    ) -> Result<Reply<Saved>> {
        let (id, version, given) = read(wanted)?;
        let who = (Some(caller.user_id()), caller.session.real_name.as_str());
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, id, &caller.scope()).await?;
        held.as_read(&mut tx, version).await?;
        let change = enter(&mut tx, &held, GraduationPart::Thesis, given, who).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 录入评阅成绩
    /// 不使用论文评阅的院校直接录入
    #[oai(path = "/editReview", method = "put", operation_id = "enterReviewScore")]
    async fn review(
        &self,
        caller: Allowed<EnterReviewGrade>,
        Body(wanted): Body<GraduationPartEntry>,
    ) -> Result<Reply<Saved>> {
        let (id, version, given) = read(wanted)?;
        let who = (Some(caller.user_id()), caller.session.real_name.as_str());
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, id, &caller.scope()).await?;
        held.as_read(&mut tx, version).await?;
        let change = enter(&mut tx, &held, GraduationPart::Review, given, who).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 录入答辩成绩
    /// 不使用答辩登记的院校直接录入
    #[oai(path = "/editDefense", method = "put", operation_id = "enterDefenseScore")]
    async fn defense(
        &self,
        caller: Allowed<EnterDefenseGrade>,
        Body(wanted): Body<GraduationPartEntry>,
    ) -> Result<Reply<Saved>> {
        let (id, version, given) = read(wanted)?;
        let who = (Some(caller.user_id()), caller.session.real_name.as_str());
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, id, &caller.scope()).await?;
        held.as_read(&mut tx, version).await?;
        let change = enter(&mut tx, &held, GraduationPart::Defense, given, who).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

fn read(wanted: GraduationPartEntry) -> Result<(i64, i32, Given)> {
    let GraduationPartEntry { id, version, score, items, comment } = wanted;
    Ok((id, version, given(score, &items, comment)?))
}

/// What was typed, in tenths.
///
/// # Errors
/// 422 by field.
pub(crate) fn given(score: Option<f64>, items: &[GraduationItemScore], comment: Option<String>) -> Result<Given> {
    let score =
        score.map(|score| in_tenths(score, 1_000).ok_or_else(|| Error::field("score", NO_SCORE))).transpose()?;
    let of = |item: &GraduationItemScore| {
        let score = in_tenths(item.score, 1_000).ok_or_else(|| Error::field("items", NO_SCORE))?;
        Ok((item.code.clone(), score))
    };
    let items = items.iter().map(of).collect::<Result<Vec<_>>>()?;
    let comment = comment.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(Given { score, items, comment })
}

/// Whether a thesis is past its final, so that its adviser may judge it.
fn past_final(stage: Option<ThesisStage>) -> bool {
    matches!(stage, Some(ThesisStage::Similarity | ThesisStage::Review | ThesisStage::Defense | ThesisStage::Done))
}

/// What a part is worth by the rule.
///
/// # Errors
/// 422 for items that the rule does not know or misses, and for a whole score where it wants items.
pub(crate) fn worth(rules: &GradeRules, held: &Held, part: GraduationPart, given: &Given) -> Result<Option<i64>> {
    let rule = rules.items(part, held.place)?;
    if !given.items.is_empty() {
        let worth = value(&rule.items, &given.items).map_err(|why| Error::field("items", why.to_string()))?;
        if given.score.is_some_and(|score| score != worth) {
            return Err(Error::field("score", format!("成绩与评分项不符，应为{}", scores_rules::arith::shown(worth))));
        }
        return Ok(Some(worth));
    }
    if given.score.is_some() && rule.items_required {
        return Err(Error::field("items", "请按评分项录入"));
    }
    Ok(given.score)
}

/// Enters a part of a score that is held, and counts its total anew. `who`: the account, unless an adviser does it in their client, and
/// the name.
///
/// # Errors
/// 409 for a thesis whose final did not pass, and a score that was submitted; 422 by field.
pub(crate) async fn enter(
    tx: &mut Tx,
    held: &Held,
    part: GraduationPart,
    given: Given,
    who: (Option<i64>, &str),
) -> Result<Change> {
    let rules = GradeRules::load(tx).await?;
    let score = worth(&rules, held, part, &given)?;
    let content = with(held, part, score, given);
    let change = written(tx, held, part, &content, who).await?;
    settle(tx, &rules, &[held.selection]).await?;
    Ok(change)
}

/// The content with another part.
pub(crate) fn with(held: &Held, part: GraduationPart, score: Option<i64>, given: Given) -> GradeContent {
    let (score, comment) = (score.map(points), given.comment);
    let items: Vec<Stored> =
        given.items.into_iter().map(|(code, score)| Stored { code, score: points(score) }).collect();
    let before = held.content.clone();
    match part {
        GraduationPart::Internship => before,
        GraduationPart::Thesis => {
            GradeContent { thesis_score: score, thesis_items: items, thesis_comment: comment, ..before }
        }
        GraduationPart::Review => {
            GradeContent { review_score: score, review_items: items, review_comment: comment, ..before }
        }
        GraduationPart::Defense => {
            GradeContent { defense_score: score, defense_items: items, defense_comment: comment, ..before }
        }
    }
}

/// The thesis of which a part may be entered now.
///
/// # Errors
/// The sentence: without a thesis, or before its final passed.
pub(crate) fn judged(held: &Held, part: GraduationPart) -> Result<i64, &'static str> {
    let thesis = held.thesis.ok_or("该学生没有论文任务")?;
    if part == GraduationPart::Thesis && !past_final(held.stage) {
        return Err("终稿未通过，不能录入论文成绩");
    }
    Ok(thesis)
}

/// Writes what was entered of a part; its total is to be counted anew.
///
/// # Errors
/// As [`enter`].
pub(crate) async fn written(
    tx: &mut Tx,
    held: &Held,
    part: GraduationPart,
    content: &GradeContent,
    (account, name): (Option<i64>, &str),
) -> Result<Change> {
    let thesis = judged(held, part).map_err(Error::conflict)?;
    let to = held.to(GradeTurn::Enter)?;
    let id = match held.record {
        Some(id) => id,
        None => made(tx, held, thesis).await?,
    };
    let (by, now) = (tx.by(), tx.app().clock().now());
    let tenths = |score: Option<f64>| score.and_then(|score| in_tenths(score, 1_000));
    let items = |items: &Vec<Stored>| -> Value { items.to_json().unwrap_or_else(|| json!([])) };
    // Who gave a part; nobody gave one that is empty, so that it is filled in again.
    let who = |score: Option<f64>| score.map(|_| name);
    sqlx::query!(
        "update graduation_score
         set thesis_id = $2, thesis_score = $3::bigint / 10.0, thesis_items = $4, thesis_comment = $5,
             thesis_by_name = case $12 when 'thesis' then $13::text else thesis_by_name end,
             thesis_at = case $12 when 'thesis' then $16::timestamptz else thesis_at end,
             review_score = $6::bigint / 10.0, review_items = $7, review_comment = $8,
             review_by_name = case $12 when 'review' then $14::text else review_by_name end,
             review_at = case $12 when 'review' then $16::timestamptz else review_at end,
             defense_score = $9::bigint / 10.0, defense_items = $10, defense_comment = $11,
             defense_by_name = case $12 when 'defense' then $15::text else defense_by_name end,
             defense_at = case $12 when 'defense' then $16::timestamptz else defense_at end,
             given_by = case when $19::bigint is null or $19 = any(given_by) then given_by else given_by || $19::bigint end,
             status = $17, updated_at = now(), updated_by = $18, version = version + 1
         where id = $1",
        id,
        thesis,
        tenths(content.thesis_score),
        items(&content.thesis_items),
        content.thesis_comment,
        tenths(content.review_score),
        items(&content.review_items),
        content.review_comment,
        tenths(content.defense_score),
        items(&content.defense_items),
        content.defense_comment,
        part.as_str(),
        who(content.thesis_score),
        who(content.review_score),
        who(content.defense_score),
        now as _,
        to.as_str(),
        by,
        account
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited("graduation_score", id, &held.content, content))
}

/// The record of a selection that has none.
async fn made(tx: &mut Tx, held: &Held, thesis: i64) -> Result<i64> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into graduation_score (selection_id, student_id, thesis_id, created_by, updated_by) values ($1, $2, $3, $4, $4)
         on conflict (selection_id) do nothing returning id",
        held.selection,
        held.student,
        thesis,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    match id {
        Some(id) => Ok(id),
        None => Err(stale(tx, None).await),
    }
}
