//! What a teacher types of a bank, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx,
    naming::{code_taken, name_taken, switched_off, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use units::organization;

use super::{
    refuse_other_use,
    select::{BankMember, find},
};
use crate::enums::{BankUsage, BankVisibility};

/// What a teacher types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionBankForm {
    /// 题库编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 题库名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 课程
    /// 有试题后不能修改
    pub course_id: i64,
    /// 用途
    pub usage: BankUsage,
    /// 所属机构
    pub organization_id: Option<i64>,
    /// 可见范围
    /// 不填为全校
    pub visibility: Option<BankVisibility>,
    /// 成员
    /// 可见范围为创建人及成员时填写，本校账号
    #[oai(default, validator(max_items = 100))]
    pub member_account_ids: Vec<i64>,
}

impl Example for QuestionBankForm {
    fn example() -> Self {
        Self {
            code: "DXYY-ZY".to_owned(),
            name: "大学英语作业题库".to_owned(),
            course_id: 1,
            usage: BankUsage::Homework,
            organization_id: None,
            visibility: None,
            member_account_ids: Vec::new(),
        }
    }
}

impl QuestionBankForm {
    fn visibility(&self) -> BankVisibility {
        self.visibility.unwrap_or(BankVisibility::School)
    }
}

/// The accounts that the form names, from a transaction of `platform`; nobody of a bank that all may see.
///
/// # Errors
/// 422 at `memberAccountIds` for an account that is not one of the school's.
pub(super) async fn members(
    platform: &mut PgConnection,
    school: Option<i64>,
    form: &QuestionBankForm,
) -> Result<Vec<BankMember>> {
    let mut wanted = form.member_account_ids.clone();
    wanted.sort_unstable();
    wanted.dedup();
    if form.visibility() == BankVisibility::School || wanted.is_empty() {
        return Ok(Vec::new());
    }
    let found = sqlx::query_as!(
        BankMember,
        "select u.id, u.real_name as name from platform.sys_user u
         join platform.sys_user_school s on s.user_id = u.id
         where u.id = any($1) and s.school_id = $2 and s.enabled order by u.id",
        &wanted,
        school
    )
    .fetch_all(platform)
    .await?;
    if found.len() < wanted.len() {
        return Err(Error::field("memberAccountIds", "部分成员不是本校账号，请重新选择"));
    }
    Ok(found)
}

/// # Errors
/// 422 at `courseId` for a course that is not there or switched off; of an edit only when it is another.
async fn check(tx: &mut Tx, form: &QuestionBankForm, before: Option<(i64, Option<i64>)>) -> Result<()> {
    if before.is_none_or(|(course, _)| course != form.course_id) {
        let course = sqlx::query!("select name, enabled from course where id = $1", form.course_id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
        if !course.enabled {
            return Err(switched_off("courseId", &course.name));
        }
    }
    match form.organization_id {
        Some(unit) if before.is_none_or(|(_, known)| known != Some(unit)) => organization::usable(tx, unit).await,
        _ => Ok(()),
    }
}

pub(super) async fn insert(tx: &mut Tx, form: &QuestionBankForm, members: &[BankMember]) -> Result<(i64, Change)> {
    check(tx, form, None).await?;
    let (by, name, maker) = (tx.by(), tidy(&form.name), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into question_bank (code, name, course_id, usage, organization_id, visibility, initials, created_by_name,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.code,
        name,
        form.course_id,
        form.usage.as_str(),
        form.organization_id,
        form.visibility().as_str(),
        pinyin::text_initials(&name),
        maker,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    set_members(tx, id, members).await?;
    Ok((id, Change::created("question_bank", id, form)))
}

/// # Errors
/// 422 at `courseId` when a bank with questions is to be another course's; 409 as [`refuse_other_use`], and when somebody else
/// edited meanwhile. `may_see`: whether the account may see the answers of examination banks.
pub(super) async fn update(
    tx: &mut Tx,
    edit: &Edit<QuestionBankForm>,
    members: &[BankMember],
    may_see: bool,
) -> Result<Change> {
    let by = tx.by();
    tx.lock("question_bank", edit.id).await?;
    let before = find(tx, edit.id, by).await?;
    let form = &edit.form;
    if before.course_id != form.course_id && before.question_count > 0 {
        return Err(Error::field("courseId", "题库已有试题，不能改为其他课程"));
    }
    check(tx, form, Some((before.course_id, before.organization_id))).await?;
    if before.question_count > 0 {
        refuse_other_use(tx, (Some(edit.id), None), (before.usage, form.usage), may_see).await?;
    }
    let name = tidy(&form.name);
    let changed = sqlx::query!(
        "update question_bank set code = $3, name = $4, course_id = $5, usage = $6, organization_id = $7, visibility = $8,
                initials = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        form.course_id,
        form.usage.as_str(),
        form.organization_id,
        form.visibility().as_str(),
        pinyin::text_initials(&name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("question_bank", edit.id).await);
    }
    set_members(tx, edit.id, members).await?;
    // Whoever gives a bank away may see it no more.
    let after = find(tx, edit.id, before.created_by_id).await?;
    Ok(Change::edited("question_bank", edit.id, &before, &after))
}

async fn set_members(tx: &mut Tx, bank: i64, members: &[BankMember]) -> Result<()> {
    let ids: Vec<i64> = members.iter().map(|member| member.id).collect();
    let names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
    sqlx::query!("delete from question_bank_member where bank_id = $1 and account_id <> all($2)", bank, &ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into question_bank_member (bank_id, account_id, name)
         select $1, m.id, m.name from unnest($2::bigint[], $3::text[]) as m (id, name)
         on conflict (bank_id, account_id) do update set name = excluded.name",
        bank,
        &ids,
        &names
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "question_bank_code_taken" => Some(code_taken(code)),
        "question_bank_name_taken" => Some(name_taken(name)),
        // A question came in while its bank was to be another course's.
        "question_of_bank" => Some(Error::field("courseId", "题库已有试题，不能改为其他课程")),
        _ => None,
    }
}
