//! What a batch offers: its levels, majors and the sites of each, as forms choose from it and as the check looks at it.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Allowed, Error, Reply, Result, Scope, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status::enums::StudyForm;
use term::{EntryLevel, Season, Term};
use units::site::SiteStatus;

use super::ViewPreRegistration;

/// A level that a batch recruits for.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfferedLevel {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 起点层次
    pub entry_level: EntryLevel,
}

/// A major that a batch recruits for.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfferedMajor {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 层次
    pub level_id: i64,
    /// 学习形式
    pub study_form: StudyForm,
    /// 启用
    pub enabled: bool,
    /// 站点
    /// 为空时为全部站点
    pub site_ids: Option<Vec<i64>>,
}

/// A site at which people may study.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfferedSite {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 招生中
    pub active: bool,
}

/// What a batch offers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct BatchOffer {
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 层次
    pub levels: Vec<OfferedLevel>,
    /// 专业
    pub majors: Vec<OfferedMajor>,
    /// 站点
    pub sites: Vec<OfferedSite>,
}

/// A batch as those who enter people into it see it.
#[derive(Debug)]
pub(crate) struct Offer {
    pub batch_id: i64,
    pub batch_name: String,
    pub need_audit: bool,
    pub grade_id: i64,
    pub grade_name: String,
    pub grade_enabled: bool,
    /// The day on which the grade's students count as entered.
    pub entry_on: Option<NaiveDate>,
    pub levels: HashMap<i64, OfferedLevel>,
    pub majors: HashMap<i64, OfferedMajor>,
    pub sites: HashMap<i64, OfferedSite>,
}

impl Offer {
    /// # Errors
    /// 422 at `batchId` when there is no such batch.
    pub async fn load(connection: &mut PgConnection, batch: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select b.id, b.name, b.need_audit, b.grade_id, g.name as grade_name, g.enabled as grade_enabled,
                      g.entry_year, g.entry_season as "season: Season"
               from pre_registration_batch b join grade g on g.id = b.grade_id where b.id = $1"#,
            batch
        )
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))?;
        let levels = sqlx::query_as!(
            OfferedLevel,
            r#"select l.id, l.code, l.name, l.entry_level as "entry_level: _"
               from pre_registration_batch_level o join level l on l.id = o.level_id where o.batch_id = $1"#,
            batch
        )
        .fetch_all(&mut *connection)
        .await?;
        let majors = sqlx::query_as!(
            OfferedMajor,
            r#"select m.id, m.code, m.name, m.level_id, m.study_form as "study_form: _", m.enabled,
                      case when not o.every_site
                           then array(select s.site_id from pre_registration_batch_site s
                                      where s.batch_id = o.batch_id and s.major_id = o.major_id) end as site_ids
               from pre_registration_batch_major o join major m on m.id = o.major_id where o.batch_id = $1"#,
            batch
        )
        .fetch_all(&mut *connection)
        .await?;
        let sites = sqlx::query!(r#"select id, code, name, status as "status: SiteStatus" from site"#)
            .fetch_all(connection)
            .await?;
        let site = |row: SiteStatus| row == SiteStatus::Active;
        Ok(Self {
            batch_id: row.id,
            batch_name: row.name,
            need_audit: row.need_audit,
            grade_id: row.grade_id,
            grade_name: row.grade_name,
            grade_enabled: row.grade_enabled,
            entry_on: Term { year: row.entry_year, season: row.season }.entry_on(),
            levels: levels.into_iter().map(|level| (level.id, level)).collect(),
            majors: majors.into_iter().map(|major| (major.id, major)).collect(),
            sites: sites
                .into_iter()
                .map(|row| {
                    let active = site(row.status);
                    (row.id, OfferedSite { id: row.id, code: row.code, name: row.name, active })
                })
                .collect(),
        })
    }

    /// Whether a major is offered at a site.
    pub fn at(&self, major: &OfferedMajor, site: i64) -> bool {
        major.site_ids.as_ref().is_none_or(|sites| sites.contains(&site))
    }
}

pub struct Offers;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Offers {
    /// 批次可报层次、专业和站点
    #[oai(path = "/offer", method = "get", operation_id = "viewBatchOffer")]
    async fn offer(
        &self,
        caller: Allowed<ViewPreRegistration>,
        /// 批次
        #[oai(name = "batchId")]
        batch_id: Query<i64>,
    ) -> Result<Reply<BatchOffer>> {
        let mut tx = caller.read().await?;
        Ok(reply(shown(Offer::load(&mut tx, batch_id.0).await?, &caller.scope())))
    }
}

/// In the order of the codes, of the sites only those that the caller may enter people for.
pub(crate) fn shown(offer: Offer, scope: &Scope) -> BatchOffer {
    let mut levels: Vec<OfferedLevel> = offer.levels.into_values().collect();
    levels.sort_by(|a, b| a.code.cmp(&b.code));
    let mut majors: Vec<OfferedMajor> = offer.majors.into_values().collect();
    majors.sort_by(|a, b| a.code.cmp(&b.code));
    let mut sites: Vec<OfferedSite> =
        offer.sites.into_values().filter(|site| scope.sees(Some(site.id), None)).collect();
    sites.sort_by(|a, b| a.code.cmp(&b.code));
    BatchOffer { batch_id: offer.batch_id, batch_name: offer.batch_name, levels, majors, sites }
}
