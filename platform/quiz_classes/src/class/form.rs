//! What an operator types of a class, and the codes that let learners in.

use catalogue::course::lecturer_may_be_chosen;
use chrono::NaiveDate;
use infra::{Change, Edit, Error, OnConstraint, Result, Tx, naming::tidy, pinyin, unreferred};
use poem_openapi::{Object, types::Example};
use quiz_rules::{
    class::{CODE_LENGTH, CODE_SIGNS, Seats},
    enums::{QuizClassVerify, QuizMemberState},
};
use serde_json::json;

use super::{QuizClassItem, list::find};

/// Of a thousand million codes so many in a row are not taken already.
const TRIES: usize = 8;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizClassForm {
    /// 班级名称
    #[oai(validator(max_length = 60))]
    pub grade_name: String,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 人数上限
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub max_members: i32,
    /// 入班方式
    pub verify: QuizClassVerify,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for QuizClassForm {
    fn example() -> Self {
        Self {
            grade_name: "学位英语冲刺班".to_owned(),
            lecturer_id: None,
            max_members: 200,
            verify: QuizClassVerify::Free,
            starts_on: NaiveDate::from_ymd_opt(2026, 11, 1).unwrap_or_default(),
            ends_on: NaiveDate::from_ymd_opt(2027, 1, 31).unwrap_or_default(),
            enabled: true,
        }
    }
}

impl QuizClassForm {
    /// # Errors
    /// 422 at the field.
    async fn checked(mut self, tx: &mut Tx, before: Option<i64>) -> Result<Self> {
        self.grade_name = tidy(&self.grade_name);
        if self.grade_name.is_empty() {
            return Err(Error::field("gradeName", "班级名称不能为空"));
        }
        if self.ends_on < self.starts_on {
            return Err(Error::field("endsOn", "结束日期不能早于开始日期"));
        }
        if let Some(lecturer) = self.lecturer_id {
            lecturer_may_be_chosen(tx, lecturer, before).await?;
        }
        Ok(self)
    }
}

/// A code that no class has, by chance.
async fn free_code(tx: &mut Tx) -> Result<String> {
    for _ in 0..TRIES {
        let code = tx.app().random().text(CODE_SIGNS, CODE_LENGTH);
        let taken = sqlx::query_scalar!(
            r#"select exists (select from platform.exam_grade_info where invite_code = $1) as "taken!""#,
            code
        )
        .fetch_one(&mut **tx)
        .await?;
        if !taken {
            return Ok(code);
        }
    }
    Err(Error::conflict("暂时无法生成邀请码，请重试"))
}

/// Somebody drew the same code in the same moment.
fn explain(constraint: &str) -> Option<Error> {
    (constraint == "exam_grade_info_code_taken").then(|| Error::conflict("暂时无法生成邀请码，请重试"))
}

/// # Errors
/// 422 at the field.
pub(crate) async fn insert(tx: &mut Tx, form: QuizClassForm) -> Result<(i64, Change)> {
    let form = form.checked(tx, None).await?;
    let code = free_code(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.exam_grade_info (grade_name, lecturer_id, invite_code, max_members, verify, starts_on, ends_on, enabled,
             initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
        form.grade_name,
        form.lecturer_id,
        code,
        form.max_members,
        form.verify.as_str(),
        form.starts_on,
        form.ends_on,
        form.enabled,
        pinyin::text_initials(&form.grade_name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("exam_grade_info", id, &form)))
}

/// A class that nobody else joins or changes until the transaction ends.
pub(crate) struct LockedClass {
    pub(crate) id: i64,
    pub(crate) grade_name: String,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) invite_code: String,
    pub(crate) verify: QuizClassVerify,
    pub(crate) max_members: i32,
    pub(crate) ends_on: NaiveDate,
    pub(crate) enabled: bool,
    pub(crate) version: i32,
}

impl LockedClass {
    /// How many are in it.
    pub(crate) async fn seats(&self, tx: &mut Tx) -> Result<Seats> {
        let joined = sqlx::query_scalar!(
            r#"select count(*) as "joined!" from platform.exam_grade_member where grade_id = $1 and state = $2"#,
            self.id,
            QuizMemberState::Joined.as_str()
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(Seats { joined, most: self.max_members })
    }
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<LockedClass> {
    sqlx::query_as!(
        LockedClass,
        r#"select id, grade_name, lecturer_id, invite_code, verify as "verify: _", max_members, ends_on, enabled, version
           from platform.exam_grade_info where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// As [`insert`]; 422 at `maxMembers` below those who are in; 409 when somebody else edited meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<QuizClassForm>) -> Result<Change> {
    let held = lock(tx, edit.id).await?;
    if held.version != edit.version {
        return Err(tx.stale("exam_grade_info", edit.id).await);
    }
    let form = edit.form.checked(tx, held.lecturer_id).await?;
    let seats = held.seats(tx).await?;
    if i64::from(form.max_members) < seats.joined {
        return Err(Error::field("maxMembers", format!("人数上限不能少于已加入的{}人", seats.joined)));
    }
    let before = find(tx, edit.id).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.exam_grade_info set grade_name = $2, lecturer_id = $3, max_members = $4, verify = $5, starts_on = $6,
                ends_on = $7, enabled = $8, initials = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1",
        edit.id,
        form.grade_name,
        form.lecturer_id,
        form.max_members,
        form.verify.as_str(),
        form.starts_on,
        form.ends_on,
        form.enabled,
        pinyin::text_initials(&form.grade_name),
        by
    )
    .execute(&mut **tx)
    .await?;
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("exam_grade_info", edit.id, &before, &after))
}

/// Who has the former code comes in no more.
///
/// # Errors
/// 409 when the version that was read is not the class's any more.
pub(super) async fn reset_code(tx: &mut Tx, wanted: &QuizClassItem) -> Result<(String, Change)> {
    let held = lock(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != held.version) {
        return Err(tx.stale("exam_grade_info", wanted.id).await);
    }
    let code = free_code(tx).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.exam_grade_info set invite_code = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        code,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    let change = Change::status("exam_grade_info", wanted.id, "inviteCode", held.invite_code, code.clone());
    Ok((code, change))
}

/// A class goes with its arrangements and with those who were removed from it.
///
/// # Errors
/// 409 for a class that has members or attempts.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let held = lock(tx, id).await?;
    sqlx::query!("delete from platform.exam_grade_member where grade_id = $1 and state = 'removed'", id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.exam_grade_exam where grade_id = $1", id).execute(&mut **tx).await?;
    unreferred(tx, "exam_grade_info", id).await?;
    tx.remove("exam_grade_info", id, &held.grade_name).await?;
    Ok(Change::event("exam_grade_info", id, "delete", json!({ "gradeName": held.grade_name })))
}
