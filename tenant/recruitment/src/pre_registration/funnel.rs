//! 转化统计: how many of those who told the school that they want to study came further (02 §3).

use infra::{
    Allowed, Reply, Result, Scope,
    across::{self, SchoolNotice},
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::ListPreRegistrations;

/// How far the people of a school, or of one batch, came. Whoever came further is counted in the earlier figures too.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct FunnelFigures {
    /// 报名
    pub total: i64,
    /// 通过
    pub approved: i64,
    /// 网报
    pub registered: i64,
    /// 录取
    pub admitted: i64,
    /// 录取率
    /// 录取占网报的百分比，一位小数；没有网报时为空
    pub admission_rate: Option<f64>,
    /// 报到
    /// 已录取并已报到
    pub reported: i64,
    /// 报到率
    /// 报到占录取的百分比，一位小数；没有录取时为空
    pub report_rate: Option<f64>,
}

/// Those of one school of an operator.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolFunnel {
    /// 院校编号
    pub school_id: i64,
    /// 院校
    pub school_name: String,
    /// 统计
    pub figures: FunnelFigures,
}

/// 转化统计
#[derive(Debug, Clone, Default, Object)]
pub struct PreRegistrationFunnel {
    /// 合计
    pub all: FunnelFigures,
    /// 各院校
    /// 平台人员未指明院校时列出
    pub schools: Vec<SchoolFunnel>,
    /// 未包含的院校
    pub notices: Vec<SchoolNotice>,
}

pub struct Funnel;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Funnel {
    /// 预报名转化统计
    #[oai(path = "/funnel", method = "get", operation_id = "viewPreRegistrationFunnel")]
    async fn funnel(
        &self,
        caller: Allowed<ListPreRegistrations>,
        /// 批次
        /// 不填时为全部批次
        #[oai(name = "batchId")]
        batch_id: Query<Option<i64>>,
    ) -> Result<Reply<PreRegistrationFunnel>> {
        if caller.school_id().is_some() {
            let mut tx = caller.read().await?;
            let all = figures(&mut tx, batch_id.0, &caller.scope()).await?;
            return Ok(reply(PreRegistrationFunnel { all, ..PreRegistrationFunnel::default() }));
        }
        // The number of a batch is one within its school alone.
        let (answers, notices) = across::each(&caller, |connection| {
            Box::pin(async move { figures(connection, None, &Scope::whole_school()).await })
        })
        .await?;
        let schools: Vec<SchoolFunnel> = answers
            .into_iter()
            .map(|(school, figures)| SchoolFunnel { school_id: school.id, school_name: school.name.clone(), figures })
            .collect();
        let sum = |part: fn(&FunnelFigures) -> i64| schools.iter().map(|school| part(&school.figures)).sum();
        let all = FunnelFigures {
            total: sum(|figures| figures.total),
            approved: sum(|figures| figures.approved),
            registered: sum(|figures| figures.registered),
            admitted: sum(|figures| figures.admitted),
            reported: sum(|figures| figures.reported),
            ..FunnelFigures::default()
        };
        Ok(reply(PreRegistrationFunnel { all: all.rated(), schools, notices }))
    }
}

impl FunnelFigures {
    fn rated(mut self) -> Self {
        self.admission_rate = percent(self.admitted, self.registered);
        self.report_rate = percent(self.reported, self.admitted);
        self
    }
}

/// With one place, rounded half up; none of nothing.
fn percent(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| ((part * 2_000 + whole) / (whole * 2)) as f64 / 10.0)
}

/// Of a lead there is at most one admission, and of that at most one registration by which somebody came.
async fn figures(connection: &mut PgConnection, batch: Option<i64>, scope: &Scope) -> Result<FunnelFigures> {
    let row = sqlx::query!(
        r#"select count(*) as "total!", count(*) filter (where p.status = 'approved') as "approved!",
                  count(*) filter (where p.exam_status <> 'none') as "registered!",
                  count(*) filter (where p.exam_status = 'admitted') as "admitted!",
                  count(*) filter (where p.exam_status = 'admitted' and r.id is not null) as "reported!"
           from pre_registration p
           left join admission a on a.pre_registration_id = p.id
           left join registration r on r.admission_id = a.id and r.status = 'reported' and r.deleted_at is null
           where p.deleted_at is null and ($1::bigint is null or p.batch_id = $1)
             and ($2::bigint[] is null or p.site_id = any($2))"#,
        batch,
        scope.sites()
    )
    .fetch_one(connection)
    .await?;
    let figures = FunnelFigures {
        total: row.total,
        approved: row.approved,
        registered: row.registered,
        admitted: row.admitted,
        reported: row.reported,
        ..FunnelFigures::default()
    };
    Ok(figures.rated())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_one_place() {
        // The specification's example.
        assert_eq!(percent(861, 980), Some(87.9));
        assert_eq!(percent(790, 861), Some(91.8));
        assert_eq!(percent(1, 2), Some(50.0));
        assert_eq!(percent(0, 0), None);
    }

    #[test]
    fn the_last_step_is_counted_among_the_admitted() {
        // The specification's example (02 §3).
        let figures = FunnelFigures {
            total: 1_240,
            approved: 1_105,
            registered: 980,
            admitted: 861,
            reported: 790,
            ..FunnelFigures::default()
        };
        let FunnelFigures { admission_rate, report_rate, .. } = figures.rated();
        assert_eq!((admission_rate, report_rate), (Some(87.9), Some(91.8)));
        assert_eq!(FunnelFigures::default().rated().report_rate, None);
    }
}
