//! 登记答辩结果: what the members gave, and what it means.

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{arith::points, enums::ScoreKind, params::ItemsParams};
use serde_json::json;
use thesis_rules::{enums::DefenseResult, mean::of_members, stage::ThesisTurn};

use super::{RecordDefense, select::DefenseGroups};
use crate::{
    marks::{ThesisMark, kept, rule, worth},
    thesis::hold::{held, turned},
};

/// What a member gave.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DefenseMemberScore {
    /// 教师
    pub teacher_id: i64,
    /// 成绩
    /// 与评分项填写一种
    pub score: Option<f64>,
    /// 评分项
    #[oai(default, validator(max_items = 50))]
    pub items: Vec<ThesisMark>,
}

/// How a defence went.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DefenseRecord {
    /// 答辩安排
    pub slot_id: i64,
    /// 到场
    pub present: bool,
    /// 成员评分
    /// 缺席不填
    #[oai(default, validator(max_items = 15))]
    pub scores: Vec<DefenseMemberScore>,
    /// 提问
    #[oai(validator(max_length = 2000))]
    pub questions: Option<String>,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
    /// 答辩结论
    /// 缺席为不通过
    pub result: DefenseResult,
    /// 版本
    pub version: i32,
}

impl Example for DefenseRecord {
    fn example() -> Self {
        Self {
            slot_id: 1,
            present: true,
            scores: vec![DefenseMemberScore { teacher_id: 1, score: Some(82.0), items: Vec::new() }],
            questions: None,
            comment: None,
            result: DefenseResult::Passed,
            version: 1,
        }
    }
}

pub struct Recording;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Recording {
    /// 登记答辩结果
    #[oai(path = "/defense", method = "put", operation_id = "recordDefense")]
    async fn record(&self, caller: Allowed<RecordDefense>, Body(wanted): Body<DefenseRecord>) -> Result<Reply<Saved>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let of = sqlx::query!("select group_id, thesis_id from defense_slot where id = $1", wanted.slot_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        tx.lock("defense_group", of.group_id).await?;
        let group = DefenseGroups::find(&mut tx, of.group_id, &scope).await?;
        let thesis = held(&mut tx, of.thesis_id, &[], &scope).await?;
        thesis.goes_on()?;
        let slot = sqlx::query!(
            "select round_no, version, result is not null as \"recorded!\" from defense_slot where id = $1 for update",
            wanted.slot_id
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        if slot.version != wanted.version {
            return Err(tx.stale("defense_slot", wanted.slot_id).await);
        }
        if slot.recorded {
            return Err(Error::conflict("该学生的答辩结果已登记"));
        }
        let now = tx.app().clock().now();
        if group.form.held_at.is_none_or(|at| now < at) {
            return Err(Error::conflict("答辩未开始，不能登记结果"));
        }
        let rule = rule(&mut tx, ScoreKind::Defense, of.thesis_id).await?;
        let members: Vec<i64> = group.form.members.iter().map(|member| member.teacher_id).collect();
        let (score, given) = scored(&wanted, &members, &rule)?;
        let turn = match wanted.result {
            DefenseResult::Passed => ThesisTurn::Defended,
            DefenseResult::Second if slot.round_no > 1 => {
                return Err(Error::field("result", "二次答辩只能一次"));
            }
            DefenseResult::Second => ThesisTurn::DefendAgain,
            DefenseResult::Failed => ThesisTurn::Fail,
        };
        let to = thesis.to(turn)?;
        let by = tx.by();
        sqlx::query!(
            "update defense_slot
             set present = $2, questions = $3, comment = $4, score = $5::bigint / 10.0, result = $6, updated_at = now(),
                 updated_by = $7, version = version + 1
             where id = $1",
            wanted.slot_id,
            wanted.present,
            wanted.questions,
            wanted.comment,
            score,
            wanted.result.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        for (member, worth) in wanted.scores.iter().zip(given) {
            sqlx::query!(
                "insert into defense_score (slot_id, member_teacher_id, score, items, created_by, updated_by)
                 values ($1, $2, $3::bigint / 10.0, $5, $4, $4)",
                wanted.slot_id,
                member.teacher_id,
                worth,
                by,
                kept(&member.items)
            )
            .execute(&mut *tx)
            .await
            .on_constraint(|constraint| {
                (constraint == "defense_score_taken").then(|| Error::field("scores", "答辩组成员重复"))
            })?;
        }
        sqlx::query!(
            "update thesis set defense_result = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            of.thesis_id,
            wanted.result.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "update defense_group g set status = 'finished', updated_at = now(), updated_by = $2, version = g.version + 1
             where g.id = $1 and g.status = 'arranged'
               and not exists (select from defense_slot s where s.group_id = g.id and s.result is null)",
            of.group_id,
            by
        )
        .execute(&mut *tx)
        .await?;
        let what = json!({ "result": wanted.result.as_str(), "score": points(score), "present": wanted.present });
        let changes = vec![
            Change::event("defense_slot", wanted.slot_id, "record", what),
            turned(&mut tx, &thesis, to, wanted.comment.as_deref()).await?,
        ];
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.slot_id }))
    }
}

/// The score of a defence in tenths, and what each member gave: of who did not come it is 0, and not passed.
///
/// # Errors
/// 422 for scores that are none, of others than the members, or missing.
fn scored(wanted: &DefenseRecord, members: &[i64], rule: &ItemsParams) -> Result<(i64, Vec<i64>)> {
    if !wanted.present {
        if wanted.result != DefenseResult::Failed || !wanted.scores.is_empty() {
            return Err(Error::field("result", "缺席的学生答辩不通过，也没有评分"));
        }
        return Ok((0, Vec::new()));
    }
    if wanted.scores.iter().any(|given| !members.contains(&given.teacher_id)) {
        return Err(Error::field("scores", "评分人须为答辩组成员"));
    }
    let mut scores = Vec::with_capacity(wanted.scores.len());
    for given in &wanted.scores {
        scores.push(worth(rule, &given.items, given.score, "scores")?);
    }
    let missing =
        members.iter().filter(|member| wanted.scores.iter().all(|given| given.teacher_id != **member)).count();
    if missing > 0 {
        return Err(Error::field("scores", format!("还有{missing}名成员未评分，请录入全部成员的评分")));
    }
    let mean = of_members(&scores).ok_or_else(|| Error::field("scores", "请录入成员评分"))?;
    Ok((mean, scores))
}
