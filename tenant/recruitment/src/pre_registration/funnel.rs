//! 转化统计: how many of those who told the school that they want to study came further (02 §3).

use std::collections::HashMap;

use infra::{
    Allowed, Reply, Result, Scope,
    across::{self, SchoolNotice},
    reply,
    share::percent,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::ListPreRegistrations;
use crate::enums::FunnelGroup;

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

/// Those of one site or major of a school.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct FunnelLine {
    /// 站点或专业的编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 层次
    /// 按专业统计时
    pub level_name: Option<String>,
    /// 统计
    pub figures: FunnelFigures,
}

/// 转化统计
#[derive(Debug, Clone, Default, Object)]
pub struct PreRegistrationFunnel {
    /// 合计
    pub all: FunnelFigures,
    /// 各站点或各专业
    /// 指明统计方式时列出
    pub rows: Vec<FunnelLine>,
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
        /// 统计方式
        /// 在合计之外按站点或专业列出；查看全部院校时不用
        by: Query<Option<FunnelGroup>>,
    ) -> Result<Reply<PreRegistrationFunnel>> {
        if caller.school_id().is_some() {
            let mut tx = caller.read().await?;
            let scope = caller.scope();
            let counted = counted(&mut tx, batch_id.0, &scope, by.0).await?;
            let all = FunnelFigures::sum(counted.values());
            let rows = match by.0 {
                None => Vec::new(),
                Some(FunnelGroup::Site) => sites(&mut tx, &counted).await?,
                Some(FunnelGroup::Major) => majors(&mut tx, &counted).await?,
            };
            return Ok(reply(PreRegistrationFunnel { all, rows, ..PreRegistrationFunnel::default() }));
        }
        // The number of a batch is one within its school alone.
        let (answers, notices) =
            across::each(&caller, |connection| Box::pin(async move { of_school(connection).await })).await?;
        let schools: Vec<SchoolFunnel> = answers
            .into_iter()
            .map(|(school, figures)| SchoolFunnel { school_id: school.id, school_name: school.name.clone(), figures })
            .collect();
        let sum = |part: fn(&FunnelFigures) -> i64| schools.iter().map(|school| part(&school.figures)).sum();
        let all = FunnelFigures::of([
            sum(|figures| figures.total),
            sum(|figures| figures.approved),
            sum(|figures| figures.registered),
            sum(|figures| figures.admitted),
            sum(|figures| figures.reported),
        ]);
        Ok(reply(PreRegistrationFunnel { all, rows: Vec::new(), schools, notices }))
    }
}

impl FunnelFigures {
    /// In the order of the steps.
    fn of([total, approved, registered, admitted, reported]: [i64; 5]) -> Self {
        Self {
            total,
            approved,
            registered,
            admitted,
            admission_rate: percent(admitted, registered),
            reported,
            report_rate: percent(reported, admitted),
        }
    }

    fn sum<'a>(lines: impl Iterator<Item = &'a [i64; 5]>) -> Self {
        Self::of(lines.fold([0; 5], |sum, line| std::array::from_fn(|step| sum[step] + line[step])))
    }
}

/// How many came how far, in the order of the steps, by the number of their site or major; of all together without one.
type Counted = HashMap<Option<i64>, [i64; 5]>;

async fn of_school(connection: &mut PgConnection) -> Result<FunnelFigures> {
    let counted = counted(connection, None, &Scope::whole_school(), None).await?;
    Ok(FunnelFigures::sum(counted.values()))
}

/// Of a lead there is at most one admission, and of that at most one registration by which somebody came.
async fn counted(
    connection: &mut PgConnection,
    batch: Option<i64>,
    scope: &Scope,
    by: Option<FunnelGroup>,
) -> Result<Counted> {
    let rows = sqlx::query!(
        r#"select p.place as "place?", count(*) as "total!", count(*) filter (where p.status = 'approved') as "approved!",
                  count(*) filter (where p.exam_status <> 'none') as "registered!",
                  count(*) filter (where p.exam_status = 'admitted') as "admitted!",
                  count(*) filter (where p.exam_status = 'admitted' and r.id is not null) as "reported!"
           from (select x.id, x.status, x.exam_status,
                        case $3::text when 'site' then x.site_id when 'major' then x.major_id end as place
                 from pre_registration x
                 where x.deleted_at is null and ($1::bigint is null or x.batch_id = $1)
                   and ($2::bigint[] is null or x.site_id = any($2))) p
           left join admission a on a.pre_registration_id = p.id
           left join registration r on r.admission_id = a.id and r.status = 'reported' and r.deleted_at is null
           group by p.place"#,
        batch,
        scope.sites(),
        by.map(FunnelGroup::as_str)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.place, [row.total, row.approved, row.registered, row.admitted, row.reported]))
        .collect())
}

/// A line of each site that has leads, in the order of their codes.
async fn sites(connection: &mut PgConnection, counted: &Counted) -> Result<Vec<FunnelLine>> {
    let ids: Vec<i64> = counted.keys().flatten().copied().collect();
    let rows = sqlx::query!("select id, code, name from site where id = any($1) order by code", &ids)
        .fetch_all(connection)
        .await?;
    let line = rows.into_iter().filter_map(|row| {
        let figures = FunnelFigures::of(*counted.get(&Some(row.id))?);
        Some(FunnelLine { id: row.id, code: row.code, name: row.name, level_name: None, figures })
    });
    Ok(line.collect())
}

/// A line of each major that has leads, by levels.
async fn majors(connection: &mut PgConnection, counted: &Counted) -> Result<Vec<FunnelLine>> {
    let ids: Vec<i64> = counted.keys().flatten().copied().collect();
    let rows = sqlx::query!(
        r#"select m.id as "id!", m.code as "code!", m.name as "name!", l.name as "level_name!"
           from major m join level l on l.id = m.level_id
           where m.id = any($1)
           order by l.sort_no, l.code, m.code"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let line = rows.into_iter().filter_map(|row| {
        let figures = FunnelFigures::of(*counted.get(&Some(row.id))?);
        Some(FunnelLine { id: row.id, code: row.code, name: row.name, level_name: Some(row.level_name), figures })
    });
    Ok(line.collect())
}
