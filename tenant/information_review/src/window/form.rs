//! What a registrar types of a window, and how it is written.

use information_review_rules::window::text_of;
use infra::{Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment, naming::switched_off};
use poem_openapi::{Object, types::Example};

use super::{InformationWindow, select::find};
use crate::{enums::InformationKind, opening};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationWindowForm {
    /// 年级
    #[oai(validator(min_items = 1, max_items = 50))]
    pub grade_ids: Vec<i64>,
    /// 开始时间
    pub opens_at: Moment,
    /// 截止时间
    pub closes_at: Moment,
    /// 承诺书
    /// 入学资格审查必填；可用 {name} 姓名、{idCardNo} 证件号、{school} 院校、{level} 层次、{major} 专业
    #[oai(validator(max_length = 5000))]
    pub template_text: Option<String>,
    /// 需要签名
    #[oai(default)]
    pub require_signature: bool,
    /// 需要人脸核验
    #[oai(default)]
    pub require_face: bool,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for InformationWindowForm {
    fn example() -> Self {
        let at = |text: &str| text.parse().unwrap_or_default();
        Self {
            grade_ids: vec![1],
            opens_at: at("2026-03-01T00:00:00+08:00"),
            closes_at: at("2026-05-01T00:00:00+08:00"),
            template_text: None,
            require_signature: true,
            require_face: false,
            enabled: true,
        }
    }
}

impl InformationWindowForm {
    /// Without the space around; none for a text of nothing.
    fn text(&self) -> Option<&str> {
        self.template_text.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }
}

/// Whether the times are in order, the text is right, and the grades may be chosen; one that stays may be switched off meanwhile.
///
/// # Errors
/// 422 at the field that is wrong; 409 for a grade that has an enabled window of the kind already.
async fn check(
    tx: &mut Tx,
    kind: InformationKind,
    form: &InformationWindowForm,
    before: Option<&InformationWindow>,
) -> Result<()> {
    if form.closes_at <= form.opens_at {
        return Err(Error::field("closesAt", "截止时间须晚于开始时间"));
    }
    text_of(kind, form.text()).map_err(|why| Error::field("templateText", why))?;
    let grades = sqlx::query!(
        r#"select w.id as "id!", g.name as "name?", g.enabled as "enabled?",
                  exists (select from information_window_grade o
                          where o.kind = $2 and o.enabled and o.grade_id = w.id
                            and ($3::bigint is null or o.information_window_id <> $3)) as "taken!"
           from unnest($1::bigint[]) as w (id) left join grade g on g.id = w.id
           order by w.id"#,
        &form.grade_ids,
        kind.as_str(),
        before.map(|before| before.id)
    )
    .fetch_all(&mut **tx)
    .await?;
    for grade in grades {
        let name = grade.name.ok_or_else(|| Error::field("gradeIds", "所选年级不存在，请重新选择"))?;
        let kept = before.is_some_and(|before| before.grade_ids.contains(&grade.id));
        if grade.enabled != Some(true) && !kept {
            return Err(switched_off("gradeIds", &name));
        }
        if form.enabled && grade.taken {
            return Err(Error::conflict(format!("年级“{name}”已有启用的采集设置")));
        }
    }
    Ok(())
}

/// Writes a window; of one that is enabled and has begun, the forms that are missing, as many as a call opens.
///
/// # Errors
/// As [`check`].
pub(crate) async fn insert(tx: &mut Tx, kind: InformationKind, form: &InformationWindowForm) -> Result<(i64, Change)> {
    check(tx, kind, form, None).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into information_window (kind, opens_at, closes_at, template_text, template_version, require_signature,
                                         require_face, enabled, created_by, updated_by)
         select $1, $2, $3, $4, coalesce(max(template_version), 0) + 1, $5, $6, $7, $8, $8
         from information_window where kind = $1
         returning id",
        kind.as_str(),
        form.opens_at as _,
        form.closes_at as _,
        form.text(),
        form.require_signature,
        form.require_face,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    add_grades(tx, id, &form.grade_ids).await?;
    opening::of_window(tx, kind, id).await?;
    Ok((id, Change::created("information_window", id, form)))
}

/// The same of a window that is there; another text is another version of it.
///
/// # Errors
/// As [`check`]; 404 for a window of another kind; 409 when somebody else edited meanwhile.
pub(crate) async fn update(tx: &mut Tx, kind: InformationKind, edit: &Edit<InformationWindowForm>) -> Result<Change> {
    let (form, now) = (&edit.form, tx.app().clock().now());
    tx.lock("information_window", edit.id).await?;
    let before = find(tx, kind, edit.id, now).await?;
    if before.version != edit.version {
        return Err(tx.stale("information_window", edit.id).await);
    }
    check(tx, kind, form, Some(&before)).await?;
    // A grade that leaves may have another window meanwhile: it goes before this one is switched on again.
    sqlx::query!(
        "delete from information_window_grade where information_window_id = $1 and grade_id <> all($2)",
        edit.id,
        &form.grade_ids
    )
    .execute(&mut **tx)
    .await?;
    let by = tx.by();
    sqlx::query!(
        "update information_window w
         set opens_at = $2, closes_at = $3, template_text = $4,
             template_version = case when template_text is distinct from $4
                                     then (select max(o.template_version) + 1 from information_window o where o.kind = w.kind)
                                     else template_version end,
             require_signature = $5, require_face = $6, enabled = $7, updated_at = now(), updated_by = $8,
             version = version + 1
         where id = $1",
        edit.id,
        form.opens_at as _,
        form.closes_at as _,
        form.text(),
        form.require_signature,
        form.require_face,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    add_grades(tx, edit.id, &form.grade_ids).await?;
    opening::of_window(tx, kind, edit.id).await?;
    let after = find(tx, kind, edit.id, now).await?;
    Ok(Change::edited("information_window", edit.id, &before, &after))
}

async fn add_grades(tx: &mut Tx, id: i64, grades: &[i64]) -> Result<()> {
    sqlx::query!(
        "insert into information_window_grade (information_window_id, grade_id, kind, enabled)
         select distinct w.id, g.id, w.kind, w.enabled
         from information_window w cross join unnest($2::bigint[]) as g (id)
         where w.id = $1
         on conflict (information_window_id, grade_id) do nothing",
        id,
        grades
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    Ok(())
}

/// Somebody else was faster.
fn explain_constraint(constraint: &str) -> Option<Error> {
    match constraint {
        "information_window_grade_taken" => Some(Error::conflict("所选年级已有启用的采集设置，请刷新后重试")),
        "information_window_grade_of_grade" => Some(Error::field("gradeIds", "所选年级不存在，请重新选择")),
        _ => None,
    }
}
