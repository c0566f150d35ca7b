//! 计算说明: of what a score is made, by which rule, and what was corrected.

use infra::{
    Allowed, Error, Reply, Result, Scope,
    across::{KeyQuery, Keyed},
    clock::Moment,
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Any};
use scores_rules::{
    arith::points,
    enums::{ComponentSource, ExamRound, ExamScoreSource, ScoreKind, ScoreMark, ScoreOrigin, ScorePart},
    params::{self, Params, summary},
    total::text,
};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::{
    VIEW_DRAFT, ViewAchievement,
    scores::{Achievement, AchievementFilter, CourseScores},
};
use crate::{
    correction::made::parts_of,
    score::{Rules, came_to, cards},
};

/// A part of an explained score.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExplainedPart {
    /// 成绩项
    pub kind: ScorePart,
    /// 成绩
    pub value: Option<f64>,
    /// 来源
    pub source: ComponentSource,
    /// 输入明细
    pub detail: Any<Value>,
    /// 来源现值
    pub fresh_value: Option<f64>,
}

/// A round of an explained score.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExplainedRound {
    /// 编号
    pub id: i64,
    /// 考试性质
    pub round: ExamRound,
    /// 次数
    pub round_no: i32,
    /// 卷面分
    pub raw: Option<f64>,
    /// 折百分
    pub value: Option<f64>,
    /// 特殊情况
    pub mark: ScoreMark,
    /// 来源
    pub source: ExamScoreSource,
    /// 已发布
    pub published: bool,
    /// 总评
    pub total: Option<f64>,
    /// 成绩显示
    pub text: String,
    /// 步骤
    pub steps: Vec<String>,
    /// 录入人
    pub entered_by_name: String,
    /// 录入时间
    pub entered_at: Moment,
}

/// How a score came about.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreExplanation {
    /// 成绩
    pub score: Achievement,
    /// 规则编号
    pub rule_id: Option<i64>,
    /// 总评规则
    pub total_summary: String,
    /// 考试规则
    /// 没有考试的成绩为空
    pub exam_summary: Option<String>,
    /// 公式已冻结
    pub frozen: bool,
    /// 平时成绩
    pub parts: Vec<ExplainedPart>,
    /// 各次考试
    pub rounds: Vec<ExplainedRound>,
}

pub struct Explaining;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl Explaining {
    /// 成绩计算说明
    #[oai(path = "/explain", method = "get", operation_id = "explainAchievement")]
    async fn explain(
        &self,
        caller: Allowed<ViewAchievement>,
        /// 课程成绩
        #[oai(name = "courseScoreId")]
        course_score_id: Query<i64>,
    ) -> Result<Reply<ScoreExplanation>> {
        let mut tx = caller.read().await?;
        let drafts = caller.rights().get(VIEW_DRAFT);
        Ok(reply(explained(&mut tx, course_score_id.0, drafts, &caller.scope()).await?))
    }
}

async fn explained(
    connection: &mut PgConnection,
    id: i64,
    drafts: Option<&Scope>,
    scope: &Scope,
) -> Result<ScoreExplanation> {
    let drafts_of = drafts.cloned().unwrap_or_default();
    let filter = AchievementFilter { drafts: true, drafts_of: drafts_of.clone(), ..AchievementFilter::default() };
    let wanted = KeyQuery { id: Some(id), limit: Some(1), ..KeyQuery::default() };
    let found = CourseScores::matching(connection, &filter, scope, wanted).await?;
    found.first().ok_or_else(Error::not_found)?;
    let place = sqlx::query!(
        "select y.site_id, y.class_id from course_score s join student y on y.id = s.student_id where s.id = $1",
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let drafts = drafts_of.sees(Some(place.site_id), place.class_id);
    let score = super::scores::rows_of(connection, &[id]).await?.pop().ok_or_else(Error::not_found)?;
    let card = cards(connection, &[id]).await?.remove(&id).ok_or_else(Error::not_found)?;
    let rules = Rules::load(connection).await?;
    let formula = card.formula(&rules)?;
    let counted = came_to(&card, &formula);
    let rows = sqlx::query!(
        r#"select kind as "kind: ScorePart", value::float8 as value, source as "source: ComponentSource",
                  detail as "detail: Json<Value>", fresh_value::float8 as fresh
           from course_score_component where course_score_id = $1 order by id"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut parts: Vec<ExplainedPart> = rows
        .into_iter()
        .map(|row| ExplainedPart {
            kind: row.kind,
            value: row.value,
            source: row.source,
            detail: Any(row.detail.0),
            fresh_value: row.fresh,
        })
        .collect();
    let made = parts_of(connection, &card).await?.into_iter().map(|(kind, value)| ExplainedPart {
        kind,
        value: value.map(points),
        source: ComponentSource::Entered,
        detail: Any(json!({})),
        fresh_value: None,
    });
    parts.extend(made);
    let examined = sqlx::query!(
        r#"select id, round as "round: ExamRound", round_no, raw::float8 as raw, value::float8 as value,
                  mark as "mark: ScoreMark", source as "source: ExamScoreSource", published, entered_by_name, updated_at
           from exam_score where course_score_id = $1 and ($2 or published) order by id"#,
        id,
        drafts
    )
    .fetch_all(&mut *connection)
    .await?;
    let rounds = examined.into_iter().map(|row| {
        let total = counted.rounds.iter().find(|(round, _)| *round == row.id).map(|(_, total)| total);
        ExplainedRound {
            id: row.id,
            round: row.round,
            round_no: row.round_no,
            raw: row.raw,
            value: row.value,
            mark: row.mark,
            source: row.source,
            published: row.published,
            total: total.and_then(|total| total.value).map(points),
            text: total.map(|total| text(total, formula.total.grading_mode, row.round)).unwrap_or_default(),
            steps: total
                .map(|total| total.steps.iter().map(|step| format!("{}：{}", step.name, step.text)).collect())
                .unwrap_or_default(),
            entered_by_name: row.entered_by_name,
            entered_at: row.updated_at,
        }
    });
    let by_exam = card.origin == ScoreOrigin::Examined;
    let total_summary = match card.origin {
        ScoreOrigin::Examined => summary(&Params::Total(formula.total.clone())),
        ScoreOrigin::History => "系统启用前的成绩，由导入产生".to_owned(),
        ScoreOrigin::Thesis | ScoreOrigin::Internship => made_by(connection, id).await?,
    };
    Ok(ScoreExplanation {
        score,
        rule_id: card.formula.as_ref().map(|formula| formula.rule_id),
        total_summary,
        exam_summary: by_exam.then(|| summary(&Params::FinalExam(formula.exam.clone()))),
        frozen: !by_exam || card.formula.is_some(),
        parts,
        rounds: rounds.collect(),
    })
}

/// The formula of what was made elsewhere, as it was kept.
async fn made_by(connection: &mut PgConnection, id: i64) -> Result<String> {
    let kept = sqlx::query_scalar!("select formula from course_score where id = $1", id).fetch_one(connection).await?;
    let kept = kept.unwrap_or_default();
    if let Ok(params) = params::read(ScoreKind::GraduationTotal, &kept["graduation"]) {
        return Ok(summary(&params));
    }
    let weight = |key: &str| kept["internship"][key].as_i64();
    Ok(match (weight("unit"), weight("teacher")) {
        (Some(unit), Some(teacher)) => format!("单位{unit} 教师{teacher}，及格60"),
        _ => "免实习，记合格".to_owned(),
    })
}
