//! 刷新 and 重建: somebody asks for new figures of a school, and an operator for all of a semester anew (part 05 §0, A3, A8).

use infra::{
    Allowed, Body, Error, Part, Reply, Result, SignedIn, Writes,
    access::HomeOrNamed,
    clock::Moment,
    jobs::{self, JobStarted, NewJob},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use statistics_rules::enums::StatScreen;

use crate::{
    jobs::REBUILD,
    roll_up::{
        sweep,
        visits::{fold, fold_own},
    },
    watch,
};

permissions! {
    pages "/platformPC/statistics/list";
    FromOutside Writes RebuildStatistics = "data:pc:statistics:rebuild" "重建统计";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// Whose figures are asked for anew.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct StatRefresh {
    /// 统计页面
    pub screen: StatScreen,
}

impl Example for StatRefresh {
    fn example() -> Self {
        Self { screen: StatScreen::StatisticsVideo }
    }
}

/// Figures that are new.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatRefreshed {
    /// 汇总项数
    pub keys: i64,
    /// 其中有变化
    pub changed: i64,
    /// 数据截至
    pub data_until: Moment,
}

/// A semester whose figures are computed anew.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StatRebuild {
    /// 学期编码
    #[oai(validator(min_length = 1, max_length = 50))]
    pub semester_code: String,
}

impl Example for StatRebuild {
    fn example() -> Self {
        Self { semester_code: "2026-1".to_owned() }
    }
}

fn whole(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

pub struct Refresh;

#[OpenApi(prefix_path = "/data/pc/statistics", tag = "crate::Tag::Statistics")]
impl Refresh {
    /// 刷新统计
    /// 立即汇总尚未汇总的变动；每所院校每分钟一次
    #[oai(path = "/refresh", method = "post", operation_id = "refreshStatistics")]
    async fn refresh(
        &self,
        caller: SignedIn<Writes, HomeOrNamed>,
        Body(wanted): Body<StatRefresh>,
    ) -> Result<Reply<StatRefreshed>> {
        if !wanted.screen.codes().iter().any(|code| caller.holds(code)) {
            return Err(Error::forbidden());
        }
        let app = caller.app();
        let Some(school) = caller.school.clone() else {
            if wanted.screen != StatScreen::FromStatistics {
                return Err(Error::field("schoolId", "请选择院校"));
            }
            watch::may_refresh(app, 0).await?;
            let done = fold_own(app).await?;
            let data_until = app.clock().now();
            return Ok(reply(StatRefreshed { keys: whole(done.keys), changed: whole(done.changed), data_until }));
        };
        watch::may_refresh(app, school.id).await?;
        let mut done = sweep(app, &school, "stat.refresh").await?;
        done += fold(app, &school).await?;
        let data_until = watch::as_of(app, school.id).await?.data_until;
        Ok(reply(StatRefreshed { keys: whole(done.keys), changed: whole(done.changed), data_until }))
    }

    /// 重建统计
    /// 重新计算院校一个学期的全部统计
    #[oai(path = "/rebuild", method = "post", operation_id = "rebuildStatistics")]
    async fn rebuild(
        &self,
        caller: Allowed<RebuildStatistics>,
        Body(wanted): Body<StatRebuild>,
    ) -> Result<Reply<JobStarted>> {
        let school = crate::schools::one(caller.caller())?;
        let mut tx = caller.read().await?;
        let semester = sqlx::query!("select id, name from semester where code = $1", wanted.semester_code)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::field("semesterCode", "该院校没有这个学期"))?;
        drop(tx);
        let job = NewJob {
            kind: REBUILD.kind,
            target: school.id.to_string(),
            title: format!("重建{}统计", semester.name),
            params: json!({ "semesterId": semester.id }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}
