//! 从上年复制: a year's filings begin as drafts of last year's.

use infra::{Allowed, Body, Change, Error, Reply, Result, naming::switched_off, reply};
use major_rules::forecast::{ForecastStatus, passed_over, taken};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::CopyForecastMajors;

/// From which year to which, for which grade.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ForecastCopy {
    /// 来源年份
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub from_year: i32,
    /// 招生年份
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub to_year: i32,
    /// 对应年级
    pub grade_id: i64,
}

impl Example for ForecastCopy {
    fn example() -> Self {
        Self { from_year: 2026, to_year: 2027, grade_id: 1 }
    }
}

/// A filing that was not copied.
#[derive(Debug, Clone, Object)]
pub struct ForecastSkipped {
    /// 专业
    pub name: String,
    /// 原因
    pub msg: String,
}

/// 复制结果
#[derive(Debug, Clone, Object)]
pub struct ForecastCopied {
    /// 已复制
    pub created: i64,
    /// 已跳过
    pub skipped: i64,
    /// 跳过明细
    pub reasons: Vec<ForecastSkipped>,
}

pub struct Copy;

#[OpenApi(prefix_path = "/adult/pc/forecastingMajor", tag = "crate::Tag::Majors")]
impl Copy {
    /// 从上年复制拟招生专业
    #[oai(path = "/copy", method = "post", operation_id = "copyForecastMajors")]
    async fn copy(
        &self,
        caller: Allowed<CopyForecastMajors>,
        Body(wanted): Body<ForecastCopy>,
    ) -> Result<Reply<ForecastCopied>> {
        let ForecastCopy { from_year, to_year, grade_id } = wanted;
        if from_year == to_year {
            return Err(Error::field("toYear", "招生年份不能与来源年份相同"));
        }
        let mut tx = caller.begin().await?;
        let grade = sqlx::query!("select name, enabled from grade where id = $1", grade_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
        if !grade.enabled {
            return Err(switched_off("gradeId", &grade.name));
        }
        let sources = sqlx::query!(
            r#"select f.id, f.major_id, m.name, m.enabled, f.status as "status: ForecastStatus",
                      exists (select from forecast_major t where t.year = $2 and t.major_id = f.major_id) as "taken!"
               from forecast_major f join major m on m.id = f.major_id where f.year = $1 order by m.code"#,
            from_year,
            to_year
        )
        .fetch_all(&mut *tx)
        .await?;
        if sources.is_empty() {
            return Err(Error::field("fromYear", format!("{from_year}年没有拟招生专业")));
        }
        let (mut chosen, mut reasons) = (Vec::new(), Vec::new());
        for source in sources {
            match passed_over(source.status, source.enabled, source.taken, to_year) {
                Some(msg) => reasons.push(ForecastSkipped { name: source.name, msg }),
                None => chosen.push(source),
            }
        }
        let ids: Vec<i64> = chosen.iter().map(|source| source.id).collect();
        let by = tx.by();
        let made = sqlx::query!(
            r#"insert into forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, basis, created_by, updated_by)
               select $2, $3, major_id, planned_quota, tuition_per_year, basis, $4, $4 from forecast_major where id = any($1)
               on conflict on constraint forecast_major_year_taken do nothing
               returning id, major_id"#,
            &ids,
            to_year,
            grade_id,
            by
        )
        .fetch_all(&mut *tx)
        .await?;
        // Somebody else copied the same at the same moment.
        let late = chosen.into_iter().filter(|source| !made.iter().any(|row| row.major_id == source.major_id));
        reasons.extend(late.map(|source| ForecastSkipped { name: source.name, msg: taken(to_year) }));
        // A site that recruits no more is left out.
        sqlx::query!(
            "insert into forecast_major_site (forecast_major_id, site_id)
             select made.id, fs.site_id
             from forecast_major made
             join forecast_major source on source.year = $2 and source.major_id = made.major_id
             join forecast_major_site fs on fs.forecast_major_id = source.id
             join site s on s.id = fs.site_id and s.status = 'active'
             where made.id = any($1)",
            &made.iter().map(|row| row.id).collect::<Vec<_>>(),
            from_year
        )
        .execute(&mut *tx)
        .await?;
        let changes: Vec<Change> = made
            .iter()
            .map(|row| {
                let what =
                    json!({ "year": to_year, "gradeId": grade_id, "majorId": row.major_id, "fromYear": from_year });
                Change::event("forecast_major", row.id, "insert", what)
            })
            .collect();
        let count = |len: usize| i64::try_from(len).map_err(Error::internal);
        let answer = ForecastCopied { created: count(changes.len())?, skipped: count(reasons.len())?, reasons };
        // Where nothing was left to copy, nothing is kept.
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(answer))
    }
}
