//! 专业站点: which majors a batch offers, and where.

use std::collections::HashSet;

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, naming::switched_off, reply};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use units::site::SiteStatus;

use super::{EditPreRegistrationBatch, ViewPreRegistrationBatchMajors, lock, usage};

/// A site at which a major is offered.
#[derive(Debug, Clone, Object)]
pub struct PreRegistrationBatchSite {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
}

/// A major that a batch offers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationBatchMajor {
    /// 专业编号
    pub major_id: i64,
    /// 校内专业代码
    pub major_code: String,
    /// 专业
    pub major_name: String,
    /// 层次编号
    pub level_id: i64,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点编号
    /// 没有时为全部站点
    pub site_ids: Option<Vec<i64>>,
    /// 站点
    pub sites: Vec<PreRegistrationBatchSite>,
    /// 预报名条数
    /// 含回收站；有预报名的专业不能移除
    pub total: i64,
}

/// What a batch offers.
#[derive(Debug, Clone, Object)]
pub struct PreRegistrationBatchMajors {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 专业站点
    pub majors: Vec<PreRegistrationBatchMajor>,
}

/// A major that is to be offered.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationBatchMajorForm {
    /// 专业
    pub major_id: i64,
    /// 站点
    /// 不填时为全部站点
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub site_ids: Option<Vec<i64>>,
}

/// Everything that a batch is to offer.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PreRegistrationBatchMajorsEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 专业站点
    #[oai(validator(max_items = 500))]
    pub majors: Vec<PreRegistrationBatchMajorForm>,
}

impl Example for PreRegistrationBatchMajorsEdit {
    fn example() -> Self {
        let majors = vec![PreRegistrationBatchMajorForm { major_id: 1, site_ids: Some(vec![1]) }];
        Self { id: 1, version: 1, majors }
    }
}

/// The offer as the trail tells it, a line a major.
#[derive(Debug, Object)]
struct Told {
    /// 专业站点
    majors: Vec<String>,
}

impl Told {
    fn of(majors: &[PreRegistrationBatchMajor]) -> Self {
        let line = |major: &PreRegistrationBatchMajor| {
            let sites: Vec<&str> = major.sites.iter().map(|site| site.name.as_str()).collect();
            let place = if major.site_ids.is_none() { "全部站点".to_owned() } else { sites.join("、") };
            format!("{}（{place}）", major.major_name)
        };
        Self { majors: majors.iter().map(line).collect() }
    }
}

pub struct Majors;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationBatch", tag = "crate::Tag::Recruitment")]
impl Majors {
    /// 预报名批次的专业站点
    #[oai(path = "/majors", method = "get", operation_id = "viewPreRegistrationBatchMajors")]
    async fn view(
        &self,
        caller: Allowed<ViewPreRegistrationBatchMajors>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PreRegistrationBatchMajors>> {
        let mut tx = caller.read().await?;
        let version = sqlx::query_scalar!("select version from pre_registration_batch where id = $1", id.0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        Ok(reply(PreRegistrationBatchMajors {
            id: id.0,
            version,
            majors: offered(&mut tx, id.0, &caller.scope()).await?,
        }))
    }

    /// 设置预报名批次的专业站点
    #[oai(path = "/majors", method = "put", operation_id = "setPreRegistrationBatchMajors")]
    async fn set(
        &self,
        caller: Allowed<EditPreRegistrationBatch>,
        Body(edit): Body<PreRegistrationBatchMajorsEdit>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        lock(&mut tx, edit.id, caller.app().clock().now()).await?;
        let before = offered(&mut tx, edit.id, &Scope::whole_school()).await?;
        check_majors(&mut tx, &edit).await?;
        check_sites(&mut tx, &edit).await?;
        let wanted: Vec<i64> = edit.majors.iter().map(|major| major.major_id).collect();
        let leaving: Vec<i64> = before.iter().map(|major| major.major_id).filter(|id| !wanted.contains(id)).collect();
        if !leaving.is_empty() {
            usage::majors(&mut tx, edit.id, &leaving).await?;
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update pre_registration_batch set updated_at = now(), updated_by = $3, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("pre_registration_batch", edit.id).await);
        }
        write(&mut tx, edit.id, &edit.majors).await?;
        let after = offered(&mut tx, edit.id, &Scope::whole_school()).await?;
        tx.commit(Change::edited("pre_registration_batch", edit.id, &Told::of(&before), &Told::of(&after))).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}

/// What a batch offers, by level and code, each with those of its people whom the scope opens.
async fn offered(connection: &mut PgConnection, batch: i64, scope: &Scope) -> Result<Vec<PreRegistrationBatchMajor>> {
    let rows = sqlx::query!(
        r#"select m.id, m.code, m.name, m.level_id, l.name as level_name, m.study_form as "study_form: StudyForm", o.every_site,
                  array(select s.id from pre_registration_batch_site w join site s on s.id = w.site_id
                        where w.batch_id = o.batch_id and w.major_id = o.major_id order by s.code) as "site_ids!",
                  array(select s.name from pre_registration_batch_site w join site s on s.id = w.site_id
                        where w.batch_id = o.batch_id and w.major_id = o.major_id order by s.code) as "site_names!: Vec<String>",
                  coalesce(p.total, 0) as "total!"
           from pre_registration_batch_major o
           join major m on m.id = o.major_id
           join level l on l.id = m.level_id
           left join (select major_id, count(*) as total from pre_registration
                      where batch_id = $1 and ($2::bigint[] is null or site_id = any($2)) group by major_id) p
                on p.major_id = o.major_id
           where o.batch_id = $1
           order by l.sort_no, l.code, m.code"#,
        batch,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    let majors = rows.into_iter().map(|row| PreRegistrationBatchMajor {
        major_id: row.id,
        major_code: row.code,
        major_name: row.name,
        level_id: row.level_id,
        level_name: row.level_name,
        study_form: row.study_form,
        sites: row
            .site_ids
            .iter()
            .zip(row.site_names)
            .map(|(id, name)| PreRegistrationBatchSite { id: *id, name })
            .collect(),
        site_ids: (!row.every_site).then_some(row.site_ids),
        total: row.total,
    });
    Ok(majors.collect())
}

/// A major is enabled and of a level of the batch; one that is offered already may be switched off meanwhile.
///
/// # Errors
/// 422 at `majors`.
async fn check_majors(tx: &mut Tx, edit: &PreRegistrationBatchMajorsEdit) -> Result<()> {
    let ids: Vec<i64> = edit.majors.iter().map(|major| major.major_id).collect();
    if ids.iter().collect::<HashSet<_>>().len() < ids.len() {
        return Err(Error::field("majors", "同一专业只能选择一次"));
    }
    let rows = sqlx::query!(
        r#"select m.name as "name?", m.enabled as "enabled?",
                  exists (select from pre_registration_batch_level o where o.batch_id = $2 and o.level_id = m.level_id) as "of_level!",
                  exists (select from pre_registration_batch_major o where o.batch_id = $2 and o.major_id = m.id) as "kept!"
           from unnest($1::bigint[]) as w (id) left join major m on m.id = w.id"#,
        &ids,
        edit.id
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in rows {
        let name = row.name.ok_or_else(|| Error::field("majors", "所选专业不存在，请重新选择"))?;
        if !row.of_level {
            return Err(Error::field("majors", format!("“{name}”不属于本批次的招生层次")));
        }
        if row.enabled != Some(true) && !row.kept {
            return Err(switched_off("majors", &name));
        }
    }
    Ok(())
}

/// A site recruits; one at which the major is offered already may have stopped meanwhile.
///
/// # Errors
/// 422 at `majors`.
async fn check_sites(tx: &mut Tx, edit: &PreRegistrationBatchMajorsEdit) -> Result<()> {
    let (majors, sites) = pairs(&edit.majors);
    let rows = sqlx::query!(
        r#"select s.name as "name?", s.status as "status?: SiteStatus",
                  exists (select from pre_registration_batch_site o
                          where o.batch_id = $3 and o.major_id = w.major_id and o.site_id = s.id) as "kept!"
           from unnest($1::bigint[], $2::bigint[]) as w (major_id, site_id) left join site s on s.id = w.site_id"#,
        &majors,
        &sites,
        edit.id
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in rows {
        let name = row.name.ok_or_else(|| Error::field("majors", "所选站点不存在，请重新选择"))?;
        if row.status != Some(SiteStatus::Active) && !row.kept {
            return Err(switched_off("majors", &name));
        }
    }
    Ok(())
}

/// Majors and sites, one line for each site that is named.
fn pairs(majors: &[PreRegistrationBatchMajorForm]) -> (Vec<i64>, Vec<i64>) {
    majors.iter().flat_map(|major| major.site_ids.iter().flatten().map(|site| (major.major_id, *site))).unzip()
}

/// Replaces what a batch offers.
async fn write(tx: &mut Tx, batch: i64, majors: &[PreRegistrationBatchMajorForm]) -> Result<()> {
    let ids: Vec<i64> = majors.iter().map(|major| major.major_id).collect();
    let every_site: Vec<bool> = majors.iter().map(|major| major.site_ids.is_none()).collect();
    // The sites of a major that goes, go with it.
    sqlx::query!("delete from pre_registration_batch_major where batch_id = $1 and major_id <> all($2)", batch, &ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into pre_registration_batch_major (batch_id, major_id, every_site)
         select $1, w.id, w.every_site from unnest($2::bigint[], $3::boolean[]) as w (id, every_site)
         on conflict (batch_id, major_id) do update set every_site = excluded.every_site",
        batch,
        &ids,
        &every_site
    )
    .execute(&mut **tx)
    .await?;
    let (of_major, sites) = pairs(majors);
    sqlx::query!(
        "delete from pre_registration_batch_site o
         where o.batch_id = $1
           and not exists (select from unnest($2::bigint[], $3::bigint[]) as w (major_id, site_id)
                           where w.major_id = o.major_id and w.site_id = o.site_id)",
        batch,
        &of_major,
        &sites
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into pre_registration_batch_site (batch_id, major_id, site_id)
         select distinct $1::bigint, w.major_id, w.site_id from unnest($2::bigint[], $3::bigint[]) as w (major_id, site_id)
         on conflict do nothing",
        batch,
        &of_major,
        &sites
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
