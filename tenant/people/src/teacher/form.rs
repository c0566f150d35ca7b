//! What a person types of a teacher, and how it is written.

use chrono::NaiveDate;
use infra::{Change, Error, OnConstraint, Result, Scope, Tx, mask, naming::tidy, pinyin};
use people_rules::form::{number_taken, whole, whole_phone};
use poem_openapi::{Object, types::Example};
use units::organization;

use super::{Teacher, Teachers, list::find};
use crate::{
    enums::{StaffStatus, TeacherDuty, TeacherEducation, TeacherKind, TeacherTitle},
    id_card::{self, Gender, IdCardType, Typed},
    steps::{self, open_account},
};

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TeacherForm {
    /// 工号
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub work_no: String,
    /// 姓名
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 证件类型
    pub id_card_type: Option<IdCardType>,
    /// 证件号
    #[oai(validator(max_length = 30))]
    pub id_card_no: Option<String>,
    /// 民族
    #[oai(validator(max_length = 10))]
    pub ethnicity: Option<String>,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: String,
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 机构
    pub organization_id: i64,
    /// 学历
    pub education: Option<TeacherEducation>,
    /// 学位
    #[oai(validator(max_length = 50))]
    pub degree: Option<String>,
    /// 职称
    pub title: Option<TeacherTitle>,
    /// 类别
    #[oai(default = "full_time")]
    pub kind: TeacherKind,
    /// 职责
    #[oai(default, validator(max_items = 6))]
    pub duties: Vec<TeacherDuty>,
    /// 授课专业
    #[oai(default, validator(max_items = 100))]
    pub major_ids: Vec<i64>,
    /// 开户行
    #[oai(validator(max_length = 100))]
    pub bank_name: Option<String>,
    /// 银行卡号
    /// 12至19位数字
    #[oai(validator(pattern = "^([0-9]{12,19}|[*]{4} [*]{4} [*]{4} [0-9*]{4})$"))]
    pub bank_card_no: Option<String>,
    /// 照片
    #[oai(validator(max_length = 300))]
    pub photo: Option<String>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
    /// 状态
    #[oai(default = "active")]
    pub status: StaffStatus,
}

fn full_time() -> TeacherKind {
    TeacherKind::FullTime
}

fn active() -> StaffStatus {
    StaffStatus::Active
}

impl Example for TeacherForm {
    fn example() -> Self {
        Self {
            work_no: "T0001".to_owned(),
            name: "陈立新".to_owned(),
            gender: Some(Gender::Male),
            birthday: None,
            id_card_type: None,
            id_card_no: None,
            ethnicity: None,
            phone: "13900000001".to_owned(),
            email: None,
            organization_id: 1,
            education: Some(TeacherEducation::Master),
            degree: None,
            title: Some(TeacherTitle::Lecturer),
            kind: TeacherKind::FullTime,
            duties: vec![TeacherDuty::Lecturer],
            major_ids: Vec::new(),
            bank_name: None,
            bank_card_no: None,
            photo: None,
            remark: None,
            status: StaffStatus::Active,
        }
    }
}

/// The form with its numbers whole and checked.
///
/// # Errors
/// 422 for an ID number that cannot be (02 §0.3), a mask that is not the stored value's, a unit that is switched off or
/// a nation that is in no dictionary.
async fn completed(tx: &mut Tx, mut form: TeacherForm, before: Option<&Teacher>) -> Result<TeacherForm> {
    form.name = tidy(&form.name);
    form.phone = whole_phone(form.phone, before.map(|teacher| teacher.phone.as_str()))?;
    let stored = |of: fn(&Teacher) -> Option<&str>| before.and_then(of);
    form.id_card_no =
        whole("idCardNo", form.id_card_no, stored(|teacher| teacher.id_card_no.as_deref()), mask::id_card)?;
    form.bank_card_no =
        whole("bankCardNo", form.bank_card_no, stored(|teacher| teacher.bank_card_no.as_deref()), mask::bank_card)?;
    form.email = whole("email", form.email, stored(|teacher| teacher.email.as_deref()), mask::email)?;
    match form.id_card_no.take() {
        None => form.id_card_type = None,
        Some(number) => {
            let kind = form.id_card_type.unwrap_or(IdCardType::ResidentId);
            let typed = Typed { birthday: form.birthday, gender: form.gender };
            let card = id_card::check(kind, &number, typed, tx.app().clock().today())
                .map_err(|wrong| Error::field(wrong.field(), wrong.to_string()))?;
            (form.birthday, form.gender) = (card.birthday, card.gender);
            (form.id_card_type, form.id_card_no) = (Some(kind), Some(card.number));
        }
    }
    if before.is_none_or(|teacher| teacher.organization_id != form.organization_id) {
        organization::usable(tx, form.organization_id).await?;
    }
    let known_nation = before.and_then(|teacher| teacher.ethnicity.as_deref());
    if let Some(nation) = form.ethnicity.as_deref().filter(|nation| known_nation != Some(*nation)) {
        let mut platform = tx.app().platform_read().await?;
        let known = sqlx::query_scalar!(
            r#"select exists (select from platform.dict_data where dict_type = 'ethnicity' and dict_value = $1) as "known!""#,
            nation
        )
        .fetch_one(&mut *platform)
        .await?;
        if !known {
            return Err(Error::field("ethnicity", "民族不存在，请重新选择"));
        }
    }
    form.major_ids.sort_unstable();
    form.major_ids.dedup();
    Ok(form)
}

/// # Errors
/// 403 for a person of some sites or classes: teachers belong to none.
pub(super) async fn insert(tx: &mut Tx, form: TeacherForm, scope: &Scope) -> Result<(i64, Change)> {
    if !scope.is_whole() {
        return Err(Error::new(403, "您只能管理已分配的站点或班级，不能新增教师"));
    }
    let form = completed(tx, form, None).await?;
    let by = tx.by();
    let duties: Vec<&str> = form.duties.iter().map(|duty| duty.as_str()).collect();
    let id = sqlx::query_scalar!(
        "insert into teacher (work_no, name, initials, gender, birthday, id_card_type, id_card_no, ethnicity, phone, email,
             organization_id, education, degree, title, kind, duties, bank_name, bank_card_no, photo, remark, status, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text[], $17, $18, $19, $20, $21, $22, $22)
         returning id",
        form.work_no,
        form.name,
        pinyin::initials(&form.name),
        form.gender.map(Gender::as_str),
        form.birthday,
        form.id_card_type.map(IdCardType::as_str),
        form.id_card_no,
        form.ethnicity,
        form.phone,
        form.email,
        form.organization_id,
        form.education.map(TeacherEducation::as_str),
        form.degree,
        form.title.map(TeacherTitle::as_str),
        form.kind.as_str(),
        &duties as &[&str],
        form.bank_name,
        form.bank_card_no,
        form.photo,
        form.remark,
        form.status.as_str(),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    set_majors(tx, id, &form.major_ids).await?;
    let active = form.status == StaffStatus::Active;
    open_account::<Teachers>(tx, id, Some(&form.work_no), &form.phone, active).await?;
    Ok((id, Change::created("teacher", id, &form)))
}

/// Writes a teacher again, the version that was read alone; answers the change, and what became of the account by it.
///
/// # Errors
/// 409 when somebody else changed the teacher meanwhile.
pub(super) async fn update(
    tx: &mut Tx,
    before: &Teacher,
    version: i32,
    form: TeacherForm,
    scope: &Scope,
) -> Result<(Change, Vec<Change>)> {
    let form = completed(tx, form, Some(before)).await?;
    let by = tx.by();
    let duties: Vec<&str> = form.duties.iter().map(|duty| duty.as_str()).collect();
    let changed = sqlx::query!(
        "update teacher set work_no = $3, name = $4, initials = $5, gender = $6, birthday = $7, id_card_type = $8, id_card_no = $9,
                ethnicity = $10, phone = $11, email = $12, organization_id = $13, education = $14, degree = $15, title = $16,
                kind = $17, duties = $18::text[], bank_name = $19, bank_card_no = $20, photo = $21, remark = $22, status = $23,
                updated_at = now(), updated_by = $24, version = version + 1
         where id = $1 and version = $2",
        before.id,
        version,
        form.work_no,
        form.name,
        pinyin::initials(&form.name),
        form.gender.map(Gender::as_str),
        form.birthday,
        form.id_card_type.map(IdCardType::as_str),
        form.id_card_no,
        form.ethnicity,
        form.phone,
        form.email,
        form.organization_id,
        form.education.map(TeacherEducation::as_str),
        form.degree,
        form.title.map(TeacherTitle::as_str),
        form.kind.as_str(),
        &duties as &[&str],
        form.bank_name,
        form.bank_card_no,
        form.photo,
        form.remark,
        form.status.as_str(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("teacher", before.id).await);
    }
    set_majors(tx, before.id, &form.major_ids).await?;
    let after = find(tx, before.id, scope).await?;
    let followed = steps::follow::<Teachers>(tx, before.id, before.signs(), after.signs()).await?;
    Ok((Change::edited("teacher", before.id, before, &after), followed))
}

/// # Errors
/// 422 for a major that is gone.
pub(super) async fn set_majors(tx: &mut Tx, id: i64, majors: &[i64]) -> Result<()> {
    sqlx::query!("delete from teacher_major where teacher_id = $1 and major_id <> all($2)", id, majors)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into teacher_major (teacher_id, major_id) select $1, major_id from unnest($2::bigint[]) as m (major_id)
         on conflict do nothing",
        id,
        majors
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "teacher_major_of_major").then(|| Error::field("majorIds", "所选专业不存在，请重新选择"))
    })?;
    Ok(())
}

fn explain_constraint(constraint: &str, form: &TeacherForm) -> Option<Error> {
    match constraint {
        "teacher_work_no_taken" => Some(number_taken("workNo", "工号", &form.work_no)),
        "teacher_phone_taken" => Some(number_taken("phone", "手机", &form.phone)),
        "teacher_id_card_taken" => Some(Error::field("idCardNo", "证件号已被其他教师使用")),
        _ => None,
    }
}
