//! 试卷详情, 检查: the composition of a paper with what it covers.

use std::collections::BTreeMap;

use infra::{
    Allowed, Reply, Result, Scope,
    access::{Caller, Permission},
    across::Keyed,
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::{
    enums::{PaperKind, QuestionDifficulty, QuestionType},
    question::{QuestionMedia, media::shown, sees_answers},
    score::{points, tenths},
};
use sqlx::PgConnection;

use super::{AuditPaper, CheckPaper, Paper, Papers, ViewPaperComposition, check::checked};
use crate::{
    content::{DetailQuestion, DetailSection, hide, hide_kept, hide_secret, keys_of, of_paper},
    enums::PaperStatus,
};

/// What of a paper is about one thing.
#[derive(Debug, Clone, Object)]
pub struct CoveragePart {
    /// 编号
    pub id: Option<i64>,
    /// 名称
    pub name: String,
    /// 题数
    pub count: i64,
    /// 分值
    pub score: f64,
}

/// What of a paper is of one difficulty.
#[derive(Debug, Clone, Object)]
pub struct CoverageDifficulty {
    /// 难度
    pub difficulty: QuestionDifficulty,
    /// 题数
    pub count: i64,
    /// 分值
    pub score: f64,
}

/// What of a paper is of one type.
#[derive(Debug, Clone, Object)]
pub struct CoverageType {
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题数
    pub count: i64,
    /// 分值
    pub score: f64,
}

/// What a paper covers.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperCoverage {
    /// 章节
    pub chapters: Vec<CoveragePart>,
    /// 知识点
    pub knowledge_points: Vec<CoveragePart>,
    /// 难度
    pub difficulties: Vec<CoverageDifficulty>,
    /// 题型
    pub types: Vec<CoverageType>,
}

/// A paper with its composition.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperDetail {
    #[oai(flatten)]
    pub paper: Paper,
    /// 大题
    pub sections: Vec<DetailSection>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 可查看答案
    pub answer_visible: bool,
    /// 覆盖情况
    pub coverage: PaperCoverage,
}

/// What a check says.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperCheck {
    /// 问题
    /// 为空时可以提交
    pub problems: Vec<String>,
    /// 题数
    pub question_count: i32,
    /// 总分
    pub total_score: f64,
    /// 客观题分
    pub objective_score: f64,
    /// 主观题分
    pub subjective_score: f64,
    /// 难度系数
    pub difficulty_coefficient: Option<f64>,
}

/// Whether answers of such a paper are for everybody with the list.
pub(crate) fn is_secret(kind: PaperKind) -> bool {
    matches!(kind, PaperKind::Exam | PaperKind::Makeup)
}

/// Leaves out what banks keep to their members until the paper passes: then it is for all who may look at papers. While it waits
/// whoever may pass it sees what they pass. No status: what a rule dealt, which nobody passes.
///
/// # Errors
/// Those of the database.
pub async fn keep_back(
    caller: &Caller,
    connection: &mut PgConnection,
    status: Option<PaperStatus>,
    sections: &mut [DetailSection],
) -> Result<()> {
    let passes = status == Some(PaperStatus::PendingReview) && caller.holds(<AuditPaper as Permission>::CODE);
    if passes || status.is_some_and(PaperStatus::is_settled) {
        return Ok(());
    }
    hide_kept(connection, caller.user_id(), sections).await
}

pub struct Details;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Details {
    /// 试卷详情
    #[oai(path = "/detail", method = "get", operation_id = "viewPaperComposition")]
    async fn detail(
        &self,
        caller: Allowed<ViewPaperComposition>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PaperDetail>> {
        let mut tx = caller.read().await?;
        let paper = Papers::find(&mut tx, id.0, &Scope::whole_school()).await?;
        let mut sections = of_paper(&mut tx, id.0).await?;
        let may_see = sees_answers(&caller);
        let answer_visible = !is_secret(paper.kind) || may_see;
        if !answer_visible {
            hide(&mut sections);
        } else if !may_see {
            hide_secret(&mut tx, &mut sections).await?;
        }
        keep_back(&caller, &mut tx, Some(paper.status), &mut sections).await?;
        let media = shown(caller.app(), &mut tx, &keys_of(&sections)).await?;
        let coverage = covered(&sections);
        Ok(reply(PaperDetail { paper, sections, media, answer_visible, coverage }))
    }

    /// 检查试卷
    #[oai(path = "/check", method = "get", operation_id = "checkPaper")]
    async fn check(
        &self,
        caller: Allowed<CheckPaper>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PaperCheck>> {
        let mut tx = caller.read().await?;
        let sections = of_paper(&mut tx, id.0).await?;
        let paper = super::known(&mut tx, id.0).await?;
        let (problems, sum) = checked(&mut tx, &paper, &sections).await?;
        Ok(reply(PaperCheck {
            problems,
            question_count: sum.questions,
            total_score: points(sum.sum),
            objective_score: points(sum.objective),
            subjective_score: points(sum.subjective),
            difficulty_coefficient: sum.difficulty.map(|thousandths| thousandths as f64 / 1_000.0),
        }))
    }
}

/// Count and score, in tenths.
type Share = (i64, i64);
/// Of each chapter or point, by its number and name.
type Named = BTreeMap<(Option<i64>, String), Share>;

fn add<K: Ord>(shares: &mut BTreeMap<K, Share>, key: K, question: &DetailQuestion) {
    let share = shares.entry(key).or_default();
    share.0 += 1;
    share.1 += tenths(question.score);
}

/// What the questions of a paper are about, of which type and difficulty.
fn covered(sections: &[DetailSection]) -> PaperCoverage {
    let (mut chapters, mut named) = (Named::new(), Named::new());
    let mut difficulties: BTreeMap<i16, Share> = BTreeMap::new();
    let mut types: BTreeMap<&str, (QuestionType, Share)> = BTreeMap::new();
    for question in sections.iter().flat_map(|section| &section.questions) {
        let title = question.chapter_title.clone().unwrap_or_else(|| "未设置章节".to_owned());
        add(&mut chapters, (question.chapter_id, title), question);
        for (id, name) in question.knowledge_point_ids.iter().zip(&question.knowledge_point_names) {
            add(&mut named, (Some(*id), name.clone()), question);
        }
        add(&mut difficulties, question.difficulty.grade(), question);
        let share = &mut types.entry(question.kind.as_str()).or_insert((question.kind, (0, 0))).1;
        share.0 += 1;
        share.1 += tenths(question.score);
    }
    let part = |((id, name), (count, score)): ((Option<i64>, String), Share)| CoveragePart {
        id,
        name,
        count,
        score: points(score),
    };
    PaperCoverage {
        chapters: chapters.into_iter().map(part).collect(),
        knowledge_points: named.into_iter().map(part).collect(),
        difficulties: difficulties
            .into_iter()
            .map(|(grade, (count, score))| CoverageDifficulty {
                difficulty: QuestionDifficulty::of(grade),
                count,
                score: points(score),
            })
            .collect(),
        types: types
            .into_values()
            .map(|(kind, (count, score))| CoverageType { kind, count, score: points(score) })
            .collect(),
    }
}
