//! 论文统计: how far the theses of a plan are, by major, and how similar they were (part 04 §8.1).

use std::collections::BTreeMap;

use infra::{Allowed, Body, Reply, Result, Scope, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use thesis_rules::{
    enums::{ThesisStage, ThesisStatus},
    similar::{BANDS, band},
};

use super::ViewThesis;

/// What is counted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisStatAsked {
    /// 论文批次
    pub plan_id: i64,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
}

impl Example for ThesisStatAsked {
    fn example() -> Self {
        Self { plan_id: 1, major_id: None, site_id: None }
    }
}

/// How many are in a stage.
#[derive(Debug, Clone, Copy, Object)]
pub struct ThesisStageCount {
    /// 论文阶段
    pub stage: ThesisStage,
    /// 人数
    pub count: i64,
}

/// How far the theses of a major are.
#[derive(Debug, Clone, Object)]
pub struct ThesisMajorStat {
    /// 专业
    pub major: String,
    /// 人数
    /// 不含已取消
    pub total: i64,
    /// 不通过
    pub failed: i64,
    /// 各阶段
    /// 不含不通过
    pub stages: Vec<ThesisStageCount>,
}

/// How many were so similar.
#[derive(Debug, Clone, Object)]
pub struct ThesisSimilarBand {
    /// 复制比
    pub name: String,
    /// 人数
    pub count: i64,
}

/// The theses of a plan.
#[derive(Debug, Clone, Object)]
pub struct ThesisStat {
    /// 合计
    pub total: ThesisMajorStat,
    /// 各专业
    pub majors: Vec<ThesisMajorStat>,
    /// 复制比分布
    pub similarity: Vec<ThesisSimilarBand>,
}

/// In their order.
const STAGES: [ThesisStage; 8] = [
    ThesisStage::Topic,
    ThesisStage::Proposal,
    ThesisStage::Draft,
    ThesisStage::Final,
    ThesisStage::Similarity,
    ThesisStage::Review,
    ThesisStage::Defense,
    ThesisStage::Done,
];

#[derive(Default)]
struct Counted {
    total: i64,
    failed: i64,
    stages: [i64; STAGES.len()],
}

impl Counted {
    fn add(&mut self, stage: ThesisStage, status: ThesisStatus, count: i64) {
        self.total += count;
        if status == ThesisStatus::Failed {
            self.failed += count;
        } else if let Some(place) = STAGES.iter().position(|one| *one == stage) {
            self.stages[place] += count;
        }
    }

    fn shown(&self, major: String) -> ThesisMajorStat {
        let stages = STAGES.iter().zip(self.stages);
        ThesisMajorStat {
            major,
            total: self.total,
            failed: self.failed,
            stages: stages.map(|(stage, count)| ThesisStageCount { stage: *stage, count }).collect(),
        }
    }
}

pub struct Counting;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl Counting {
    /// 论文统计
    /// 按专业统计各阶段人数
    #[oai(path = "/stat", method = "post", operation_id = "statTheses")]
    async fn stat(&self, caller: Allowed<ViewThesis>, Body(asked): Body<ThesisStatAsked>) -> Result<Reply<ThesisStat>> {
        let mut tx = caller.read().await?;
        Ok(reply(counted(&mut tx, &asked, &caller.scope()).await?))
    }
}

async fn counted(connection: &mut PgConnection, asked: &ThesisStatAsked, scope: &Scope) -> Result<ThesisStat> {
    let rows = sqlx::query!(
        r#"select m.id as "major!", m.name as "name!", t.stage as "stage!: ThesisStage", t.status as "status!: ThesisStatus",
                  (t.similarity_rate * 10)::bigint as "rate?", count(*) as "count!"
           from thesis t
           join student y on y.id = t.student_id
           join major m on m.id = y.major_id
           where t.plan_id = $1 and t.status <> 'cancelled'
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             and ($4::bigint is null or y.major_id = $4)
             and ($5::bigint is null or y.site_id = $5)
           group by 1, 2, 3, 4, 5"#,
        asked.plan_id,
        scope.sites(),
        scope.classes(),
        asked.major_id,
        asked.site_id
    )
    .fetch_all(connection)
    .await?;
    let mut total = Counted::default();
    let mut majors: BTreeMap<(String, i64), Counted> = BTreeMap::new();
    let mut similar = [0_i64; BANDS.len()];
    for row in rows {
        total.add(row.stage, row.status, row.count);
        majors.entry((row.name, row.major)).or_default().add(row.stage, row.status, row.count);
        if let Some(rate) = row.rate {
            similar[band(rate)] += row.count;
        }
    }
    Ok(ThesisStat {
        total: total.shown("合计".to_owned()),
        majors: majors.into_iter().map(|((name, _), of)| of.shown(name)).collect(),
        similarity: BANDS
            .iter()
            .zip(similar)
            .map(|(name, count)| ThesisSimilarBand { name: (*name).to_owned(), count })
            .collect(),
    })
}
