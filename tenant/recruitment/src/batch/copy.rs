//! 复制到新年级: the next cohort's batch begins with the levels, majors and sites of this one.

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Tx, naming::tidy, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use recruitment_rules::copy::{Source, left_out, moved};
use serde_json::json;

use super::{
    SavePreRegistrationBatch,
    form::{explain_constraint, set_levels, usable_grade},
    link::new_token,
};

/// Which batch, and what the new one is called.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationBatchCopy {
    /// 来源批次
    pub id: i64,
    /// 年级
    pub grade_id: i64,
    /// 批次编码
    /// 2至20个字母、数字或短横线，如 2026-1
    #[oai(validator(pattern = "^[A-Za-z0-9-]{2,20}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
}

impl Example for PreRegistrationBatchCopy {
    fn example() -> Self {
        Self { id: 1, grade_id: 2, code: "2027-1".to_owned(), name: "2027级预报名".to_owned() }
    }
}

/// A major that the new batch does not offer.
#[derive(Debug, Clone, Object)]
pub struct PreRegistrationBatchSkipped {
    /// 专业
    pub name: String,
    /// 原因
    pub msg: String,
}

/// 复制结果
#[derive(Debug, Clone, Object)]
pub struct PreRegistrationBatchCopied {
    /// 编号
    pub id: i64,
    /// 已复制
    pub copied: i64,
    /// 未复制的专业
    pub skipped: Vec<PreRegistrationBatchSkipped>,
}

pub struct Copy;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationBatch", tag = "crate::Tag::Recruitment")]
impl Copy {
    /// 复制预报名批次
    ///
    /// 起止时间按两个年级的入学年份顺延；新批次为停用，核对后再启用。
    #[oai(path = "/copy", method = "post", operation_id = "copyPreRegistrationBatch")]
    async fn copy(
        &self,
        caller: Allowed<SavePreRegistrationBatch>,
        Body(wanted): Body<PreRegistrationBatchCopy>,
    ) -> Result<Reply<PreRegistrationBatchCopied>> {
        let mut tx = caller.begin().await?;
        let id = batch(&mut tx, &wanted).await?;
        let sources = sources(&mut tx, wanted.id).await?;
        let (mut chosen, mut skipped) = (Vec::new(), Vec::new());
        for source in sources {
            match left_out(&source) {
                Some(msg) => skipped.push(PreRegistrationBatchSkipped { name: source.name, msg: msg.to_owned() }),
                None => chosen.push(source.id),
            }
        }
        offer(&mut tx, wanted.id, id, &chosen).await?;
        let copied = i64::try_from(chosen.len()).map_err(Error::internal)?;
        let what = json!({
            "code": wanted.code, "name": wanted.name, "gradeId": wanted.grade_id, "fromId": wanted.id, "majorCount": copied,
            "enabled": false,
        });
        tx.commit(Change::event("pre_registration_batch", id, "insert", what)).await?;
        Ok(reply(PreRegistrationBatchCopied { id, copied, skipped }))
    }
}

/// The new batch with its levels; nobody enters before somebody has looked at it and switched it on.
async fn batch(tx: &mut Tx, wanted: &PreRegistrationBatchCopy) -> Result<i64> {
    let source = sqlx::query!(
        "select b.starts_at, b.ends_at, g.entry_year from pre_registration_batch b join grade g on g.id = b.grade_id
         where b.id = $1",
        wanted.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let years = usable_grade(tx, wanted.grade_id, false).await? - source.entry_year;
    let levels = sqlx::query_scalar!(
        "select l.id from pre_registration_batch_level o join level l on l.id = o.level_id and l.enabled where o.batch_id = $1",
        wanted.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if levels.is_empty() {
        return Err(Error::conflict("该批次的招生层次均已停用，不能复制"));
    }
    let name = tidy(&wanted.name);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into pre_registration_batch (code, name, grade_id, starts_at, ends_at, need_audit, notice, enabled, public_token,
             created_by, updated_by)
         select $2, $3, $4, $5, $6, need_audit, notice, false, $8, $7, $7 from pre_registration_batch where id = $1
         returning id",
        wanted.id,
        wanted.code,
        name,
        wanted.grade_id,
        moved(source.starts_at, years),
        moved(source.ends_at, years),
        by,
        new_token(tx.app())
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &wanted.code, &name))?;
    set_levels(tx, id, &levels).await?;
    Ok(id)
}

async fn sources(tx: &mut Tx, batch: i64) -> Result<Vec<Source>> {
    Ok(sqlx::query_as!(
        Source,
        r#"select m.id, m.name, m.enabled, l.enabled as level_enabled, o.every_site,
                  (select count(*) from pre_registration_batch_site w join site s on s.id = w.site_id and s.status = 'active'
                   where w.batch_id = o.batch_id and w.major_id = o.major_id) as "open_sites!"
           from pre_registration_batch_major o
           join major m on m.id = o.major_id
           join level l on l.id = m.level_id
           where o.batch_id = $1
           order by l.sort_no, l.code, m.code"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// The new batch offers these majors of the former, at those of their sites that still recruit.
async fn offer(tx: &mut Tx, from: i64, to: i64, majors: &[i64]) -> Result<()> {
    sqlx::query!(
        "insert into pre_registration_batch_major (batch_id, major_id, every_site)
         select $2, major_id, every_site from pre_registration_batch_major where batch_id = $1 and major_id = any($3)",
        from,
        to,
        majors
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into pre_registration_batch_site (batch_id, major_id, site_id)
         select $2, w.major_id, w.site_id from pre_registration_batch_site w
         join site s on s.id = w.site_id and s.status = 'active'
         where w.batch_id = $1 and w.major_id = any($3)",
        from,
        to,
        majors
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
