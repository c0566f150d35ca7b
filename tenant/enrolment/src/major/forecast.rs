//! 从已备案专业生成: a batch begins with everything that was filed for its grade.

use infra::{Allowed, Body, Error, Reply, Result, reply};
use majors::forecast_major::filed_for;
use poem_openapi::{Object, OpenApi, types::Example};

use super::{EditEnrollmentMajors, entered};
use crate::batch::running;

/// Which batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FromForecast {
    /// 招生批次
    pub batch_id: i64,
}

impl Example for FromForecast {
    fn example() -> Self {
        Self { batch_id: 1 }
    }
}

/// 生成结果
#[derive(Debug, Clone, Object)]
pub struct MajorsGenerated {
    /// 已生成
    pub created: i64,
    /// 已跳过
    /// 批次中已有的专业，和已停用的专业
    pub skipped: i64,
}

pub struct Forecast;

#[OpenApi(prefix_path = "/adult/pc/enrollmentMajor", tag = "crate::Tag::Enrolment")]
impl Forecast {
    /// 从已备案专业生成
    ///
    /// 计划数和学费取自备案；招办专业代码另行填写或导入。
    #[oai(path = "/fromForecast", method = "post", operation_id = "generateEnrollmentMajors")]
    async fn generate(
        &self,
        caller: Allowed<EditEnrollmentMajors>,
        Body(wanted): Body<FromForecast>,
    ) -> Result<Reply<MajorsGenerated>> {
        let mut tx = caller.begin().await?;
        let batch = running(&mut tx, wanted.batch_id).await?;
        let filed = filed_for(&mut tx, batch.grade_id).await?;
        if filed.is_empty() {
            return Err(Error::conflict("该年级还没有已备案的专业，请先在“拟招生专业”中办理备案"));
        }
        let filings: Vec<i64> = filed.values().map(|filed| filed.id).collect();
        let quotas: Vec<i32> = filed.values().map(|filed| filed.planned_quota).collect();
        let tuitions: Vec<i64> = filed.values().map(|filed| filed.tuition_per_year).collect();
        let by = tx.by();
        let made = sqlx::query_scalar!(
            "insert into enrollment_major (batch_id, major_id, level_id, forecast_major_id, quota, tuition, created_by, updated_by)
             select $1, m.id, m.level_id, f.id, w.quota, w.tuition, $5, $5
             from unnest($2::bigint[], $3::integer[], $4::bigint[]) as w (filing, quota, tuition)
             join forecast_major f on f.id = w.filing
             join major m on m.id = f.major_id and m.enabled
             on conflict on constraint enrollment_major_major_taken do nothing
             returning id",
            batch.id,
            &filings,
            &quotas,
            &tuitions,
            by
        )
        .fetch_all(&mut *tx)
        .await?;
        let changes = entered(&mut tx, &made).await?;
        let count = |len: usize| i64::try_from(len).map_err(Error::internal);
        let answer = MajorsGenerated { created: count(made.len())?, skipped: count(filed.len() - made.len())? };
        // Where nothing was left to generate, nothing is kept.
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(answer))
    }
}
