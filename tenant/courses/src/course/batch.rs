//! 批量设置: the same type, unit, exam form or way of examination for many courses.

use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use units::organization;

use super::{AssessMode, ExamForm, find, lock};
use crate::curriculum_type;

/// What is set; what is left out stays as it is.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseBatchEdit {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 课程类型
    pub type_id: Option<i64>,
    /// 开课单位
    pub organization_id: Option<i64>,
    /// 考核类型
    pub exam_form: Option<ExamForm>,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
}

impl Example for CourseBatchEdit {
    fn example() -> Self {
        Self { ids: vec![1], type_id: None, organization_id: None, exam_form: Some(ExamForm::Check), assess_mode: None }
    }
}

/// A wish whose type and unit were checked once.
pub(super) struct Wish {
    type_id: Option<i64>,
    organization_id: Option<i64>,
    exam_form: Option<ExamForm>,
    assess_mode: Option<AssessMode>,
}

impl Wish {
    /// # Errors
    /// 422 when nothing is to be set, or at the field that names what cannot be chosen.
    pub(super) async fn of(tx: &mut Tx, edit: &CourseBatchEdit) -> Result<Self> {
        let CourseBatchEdit { type_id, organization_id, exam_form, assess_mode, .. } = *edit;
        if type_id.is_none() && organization_id.is_none() && exam_form.is_none() && assess_mode.is_none() {
            return Err(Error::refused("请至少选择一项要设置的内容"));
        }
        if let Some(id) = type_id {
            curriculum_type::chosen(tx, id).await?.usable()?;
        }
        if let Some(id) = organization_id {
            organization::usable(tx, id).await?;
        }
        Ok(Self { type_id, organization_id, exam_form, assess_mode })
    }

    pub(super) async fn apply(&self, tx: &mut Tx, id: i64) -> Result<Change> {
        let before = lock(tx, id).await?;
        let by = tx.by();
        sqlx::query!(
            "update course set type_id = coalesce($2, type_id), organization_id = coalesce($3, organization_id),
                    exam_form = coalesce($4, exam_form), assess_mode = coalesce($5, assess_mode),
                    updated_at = now(), updated_by = $6, version = version + 1
             where id = $1",
            id,
            self.type_id,
            self.organization_id,
            self.exam_form.map(ExamForm::as_str),
            self.assess_mode.map(AssessMode::as_str),
            by
        )
        .execute(&mut **tx)
        .await?;
        let after = find(tx, id).await?;
        Ok(Change::edited("course", id, &before, &after))
    }
}
