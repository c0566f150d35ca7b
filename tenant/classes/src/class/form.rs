//! What a registrar types of a class, and how it is written.

use infra::{
    Change, Error, OnConstraint, Result, Scope, Tx,
    naming::{code_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};

use super::{Place, place, seats};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 年级
    pub grade_id: i64,
    /// 层次
    pub level_id: i64,
    /// 专业
    pub major_id: i64,
    /// 站点
    pub site_id: i64,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "500")))]
    pub capacity: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl ClassForm {
    pub(super) fn place(&self) -> Place {
        Place { grade_id: self.grade_id, level_id: self.level_id, major_id: self.major_id, site_id: self.site_id }
    }
}

impl Example for ClassForm {
    fn example() -> Self {
        Self {
            code: "26KJCD1".to_owned(),
            name: None,
            grade_id: 1,
            level_id: 1,
            major_id: 1,
            site_id: 1,
            capacity: Some(50),
            remark: None,
        }
    }
}

/// # Errors
/// 422 when more people sit in the class than would fit.
pub(super) fn check_capacity(capacity: i32, students: i64) -> Result<()> {
    if i64::from(capacity) < students {
        return Err(Error::field("capacity", format!("容量不能小于现有人数{students}")));
    }
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, form: ClassForm, scope: &Scope) -> Result<(i64, Change)> {
    let names = place::check(tx, form.place(), None, scope).await?;
    let seq = place::next_seq(tx, form.place()).await?;
    let name = form.name.as_deref().map_or_else(|| names.class_name(seq), tidy);
    let capacity = match form.capacity {
        Some(capacity) => capacity,
        None => seats::default_capacity(tx).await?,
    };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.code,
        name,
        form.grade_id,
        form.level_id,
        form.major_id,
        form.site_id,
        seq,
        capacity,
        pinyin::text_initials(&name),
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| taken(constraint, &form.code, &name))?;
    Ok((id, Change::created("class", id, &form)))
}

pub(super) fn taken(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "class_code_taken" => Some(code_taken(code)),
        "class_name_taken" => Some(Error::field("name", format!("该年级中名称“{name}”已存在"))),
        "class_major_not_of_level" => Some(Error::field("majorId", "所选专业不属于所选层次")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_keeps_room_for_those_who_sit_in_it() {
        assert!(check_capacity(48, 48).is_ok());
        let refused = check_capacity(40, 48).expect_err("48 do not fit");
        assert_eq!((refused.code, refused.msg.as_ref()), (422, "容量不能小于现有人数48"));
    }
}
