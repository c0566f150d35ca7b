//! How a learner is written by operators.

use infra::{
    App, Change, Edit, Error, OnConstraint, Result, Tx, Warned, access::Caller, just_referred, pinyin, unreferred,
};
use learner_rules::{
    enums::{LearnerGender, LearnerSource},
    form::{LearnerForm, checked_birthday, checked_nickname, whole_phone},
};
use settings::sensitive;

use super::{Learner, link::Link, list::find};
use crate::{
    account,
    session::{self, Ended},
};

/// A form whose phone is whole.
struct Typed {
    phone: String,
    nickname: Option<String>,
    initials: String,
    gender: LearnerGender,
    form: LearnerForm,
}

impl Typed {
    /// # Errors
    /// 422 at the field.
    fn of(mut form: LearnerForm, before: Option<&Learner>, site: &str, tx: &Tx) -> Result<Self> {
        checked_birthday(form.birthday, tx.app().clock().today())?;
        let phone = whole_phone(std::mem::take(&mut form.phone), before.map(|before| before.phone.as_str()))?;
        let nickname = checked_nickname(form.nickname.take(), site)?;
        let initials = pinyin::initials(nickname.as_deref().unwrap_or_default());
        let gender = form.gender.unwrap_or(LearnerGender::Unknown);
        Ok(Self { phone, nickname, initials, gender, form })
    }
}

fn taken(constraint: &str) -> Option<Error> {
    match constraint {
        "user_ext_phone_taken" => Some(Error::conflict("该手机号已被其他学员使用")),
        "user_ext_student_taken" => Some(Error::field("linkedStudentNo", "该学生已关联其他学员")),
        _ => None,
    }
}

/// `site` is the title of the site, which no nickname contains.
///
/// # Errors
/// 409 when somebody has the phone.
pub(super) async fn insert(
    tx: &mut Tx,
    form: LearnerForm,
    link: Option<Link>,
    site: &str,
) -> Result<(Learner, Change)> {
    let typed = Typed::of(form, None, site, tx)?;
    let now = tx.app().clock().now();
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.user_ext (phone, nickname, initials, gender, birthday, head_img, source, linked_school_id,
             linked_student_id, created_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        typed.phone,
        typed.nickname,
        typed.initials,
        typed.gender.as_str(),
        typed.form.birthday,
        typed.form.head_img,
        LearnerSource::Admin.as_str(),
        link.map(|link| link.school_id),
        link.map(|link| link.student_id),
        now,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(taken)?;
    let after = find(tx, id, now).await?;
    let change = Change::created("user_ext", id, &after);
    Ok((after, change))
}

/// Writes the whole form again. Whoever gets another phone signs in anew.
///
/// # Errors
/// 409 when somebody changed the learner since, or has the phone.
pub(super) async fn store(
    tx: &mut Tx,
    edit: Edit<LearnerForm>,
    link: Option<Link>,
    site: &str,
) -> Result<(Learner, Change)> {
    let (id, version) = (edit.id, edit.version);
    let now = tx.app().clock().now();
    let before = find(tx, id, now).await?;
    let typed = Typed::of(edit.form, Some(&before), site, tx)?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.user_ext set phone = $3, nickname = $4, initials = $5, gender = $6, birthday = $7, head_img = $8,
                linked_school_id = $9, linked_student_id = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        typed.phone,
        typed.nickname,
        typed.initials,
        typed.gender.as_str(),
        typed.form.birthday,
        typed.form.head_img,
        link.map(|link| link.school_id),
        link.map(|link| link.student_id),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("user_ext", id).await);
    }
    let after = find(tx, id, now).await?;
    if after.phone == before.phone {
        session::rename(tx, id, &after.name()).await?;
    } else {
        session::end(tx, id, Ended::Kicked).await?;
    }
    let change = Change::edited("user_ext", id, &before, &after);
    Ok((after, change))
}

/// What the nickname has of the library's words (01 §3.2.7).
pub(super) async fn warned(caller: &Caller, learner: &Learner) -> Result<Warned> {
    let text = learner.nickname.as_deref().unwrap_or_default();
    let warnings = sensitive::warning(caller, "昵称", text).await?.into_iter().collect();
    Ok(Warned { id: learner.id, warnings })
}

/// The same of a row of a sheet.
pub(super) async fn doubts(app: &App, learner: &Learner) -> Result<Vec<String>> {
    let words = sensitive::met(app, learner.nickname.as_deref().unwrap_or_default()).await?;
    if words.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![format!("昵称包含敏感词：{}，请核对", words.join("、"))])
}

/// Takes away a learner whom nothing refers to, with their sessions: an import that is undone.
///
/// # Errors
/// 409 with the numbers and kinds of what refers to them.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let now = tx.app().clock().now();
    // Whoever signs in now waits, and is told that there is no such account.
    account::lock(tx, id).await?;
    let before = find(tx, id, now).await?;
    // Sessions go with the learner, so they are no reason to keep one.
    if before.last_login_at.is_some() {
        return Err(Error::conflict("学员已登录过，不能删除"));
    }
    unreferred(tx, "user_ext", id).await?;
    sqlx::query!("delete from platform.user_ext where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("user_ext", id, &before))
}
