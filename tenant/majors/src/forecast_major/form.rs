//! What a registrar types of a filing, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, files, naming::switched_off};
use poem_openapi::{Object, types::Example};
use units::site::SiteStatus;

use super::{ForecastMajor, ForecastMajors, editable};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ForecastMajorForm {
    /// 招生年份
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub year: i32,
    /// 对应年级
    pub grade_id: i64,
    /// 学校专业
    pub major_id: i64,
    /// 拟招人数
    #[oai(validator(minimum(value = "1"), maximum(value = "10000")))]
    pub planned_quota: i32,
    /// 学费(分/年)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub tuition_per_year: Option<i64>,
    /// 拟招站点
    #[oai(default, validator(max_items = 500))]
    pub site_ids: Vec<i64>,
    /// 申报依据
    #[oai(validator(max_length = 1000))]
    pub basis: Option<String>,
    /// 依据附件
    #[oai(validator(max_length = 140))]
    pub basis_key: Option<String>,
}

impl Example for ForecastMajorForm {
    fn example() -> Self {
        Self {
            year: 2027,
            grade_id: 1,
            major_id: 1,
            planned_quota: 200,
            tuition_per_year: Some(280_000),
            site_ids: Vec::new(),
            basis: Some("区域产业需求调研报告".to_owned()),
            basis_key: None,
        }
    }
}

/// Whether grade, major and sites may be chosen; what stays as it was `before` may be switched off meanwhile.
///
/// # Errors
/// 422 at the field that cannot be chosen.
async fn check(tx: &mut Tx, form: &ForecastMajorForm, before: Option<&ForecastMajor>) -> Result<()> {
    let chosen = sqlx::query!(
        r#"select g.name as "grade_name?", g.enabled as "grade_enabled?", m.name as "major_name?", m.enabled as "major_enabled?"
           from (values ($1::bigint, $2::bigint)) as chosen (grade_id, major_id)
           left join grade g on g.id = chosen.grade_id
           left join major m on m.id = chosen.major_id"#,
        form.grade_id,
        form.major_id
    )
    .fetch_one(&mut **tx)
    .await?;
    let usable = |field: &str, word: &str, name: Option<String>, enabled: Option<bool>, stays: bool| {
        let name = name.ok_or_else(|| Error::field(field, format!("所选{word}不存在，请重新选择")))?;
        if enabled == Some(true) || stays { Ok(()) } else { Err(switched_off(field, &name)) }
    };
    let stays = |id: fn(&ForecastMajor) -> i64, wanted: i64| before.is_some_and(|before| id(before) == wanted);
    usable("gradeId", "年级", chosen.grade_name, chosen.grade_enabled, stays(|b| b.grade_id, form.grade_id))?;
    usable("majorId", "专业", chosen.major_name, chosen.major_enabled, stays(|b| b.major_id, form.major_id))?;
    let sites = sqlx::query!(
        r#"select w.id as "id!", s.name as "name?", s.status as "status?: SiteStatus"
           from unnest($1::bigint[]) as w (id) left join site s on s.id = w.id"#,
        &form.site_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    for site in sites {
        let name = site.name.ok_or_else(|| Error::field("siteIds", "所选站点不存在，请重新选择"))?;
        let kept = before.is_some_and(|before| before.site_ids.contains(&site.id));
        if site.status != Some(SiteStatus::Active) && !kept {
            return Err(switched_off("siteIds", &name));
        }
    }
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, form: ForecastMajorForm) -> Result<(i64, Change)> {
    check(tx, &form, None).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, basis, created_by, updated_by)
         select $1, $2, m.id, $4, coalesce($5, m.tuition_per_year), $6, $7, $7 from major m where m.id = $3
         returning id",
        form.year,
        form.grade_id,
        form.major_id,
        form.planned_quota,
        form.tuition_per_year,
        form.basis,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    set_sites(tx, id, &form.site_ids).await?;
    set_basis(tx, id, None, form.basis_key.as_deref()).await?;
    Ok((id, Change::created("forecast_major", id, &form)))
}

/// What was refused is a draft again, to be sent anew.
///
/// # Errors
/// 409 when it was sent or changed meanwhile, 422 at the field that cannot be chosen.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ForecastMajorForm>) -> Result<Change> {
    let form = edit.form;
    let whole = Scope::whole_school();
    tx.lock("forecast_major", edit.id).await?;
    let before = ForecastMajors::find(tx, edit.id, &whole).await?;
    editable(before.status)?;
    check(tx, &form, Some(&before)).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update forecast_major set year = $3, grade_id = $4, major_id = $5, planned_quota = $6, tuition_per_year = $7, basis = $8,
                status = 'draft', updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.year,
        form.grade_id,
        form.major_id,
        form.planned_quota,
        form.tuition_per_year,
        form.basis,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("forecast_major", edit.id).await);
    }
    set_sites(tx, edit.id, &form.site_ids).await?;
    set_basis(tx, edit.id, before.basis_key.as_deref(), form.basis_key.as_deref()).await?;
    let after = ForecastMajors::find(tx, edit.id, &whole).await?;
    Ok(Change::edited("forecast_major", edit.id, &before, &after))
}

/// Replaces the sites of a filing.
pub(super) async fn set_sites(tx: &mut Tx, id: i64, sites: &[i64]) -> Result<()> {
    sqlx::query!("delete from forecast_major_site where forecast_major_id = $1 and site_id <> all($2)", id, sites)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into forecast_major_site (forecast_major_id, site_id)
         select distinct $1::bigint, w.id from unnest($2::bigint[]) as w (id)
         on conflict do nothing",
        id,
        sites
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// # Errors
/// 422 at `basisKey` when the upload was not completed.
async fn set_basis(tx: &mut Tx, id: i64, before: Option<&str>, wanted: Option<&str>) -> Result<()> {
    if before == wanted {
        return Ok(());
    }
    let file = match wanted {
        Some(key) => {
            let adopted = files::adopt(tx, key, "forecast_major", id).await;
            Some(adopted.map_err(|error| match error.code {
                422 => Error::field("basisKey", error.msg),
                _ => error,
            })?)
        }
        None => None,
    };
    sqlx::query!("update forecast_major set basis_file_id = $2 where id = $1", id, file).execute(&mut **tx).await?;
    if let Some(before) = before {
        files::release(tx, &[before.to_owned()]).await?;
    }
    Ok(())
}

fn explain_constraint(constraint: &str, form: &ForecastMajorForm) -> Option<Error> {
    (constraint == "forecast_major_year_taken")
        .then(|| Error::field("majorId", format!("该专业已在{}年的拟招生专业中", form.year)))
}
