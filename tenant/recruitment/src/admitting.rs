//! What becomes of a lead when the authority admits the person (02 §6.4-6, §16): who is a candidate, and how 考试状态 follows the
//! admission. Whoever asks for candidates holds them until the transaction ends.

use chrono::NaiveDate;
use infra::{Change, Error, Result, Scope, Tx, pinyin};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::{
    enums::{ExamStatus, PreRegistrationStatus},
    id_card::IdCardType,
};

/// Somebody whom the authority may have admitted.
#[derive(Debug, Clone)]
pub struct Lead {
    pub id: i64,
    pub name: String,
    pub id_card_type: IdCardType,
    pub id_card_no: String,
    pub examinee_no: Option<String>,
    pub phone: String,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub major_id: i64,
    pub site_id: i64,
}

/// Holds whoever could be a candidate of these grades, and these leads with them, all in the order of their numbers as every step
/// holds its rows.
///
/// # Errors
/// Those of the database.
pub async fn hold(
    tx: &mut Tx,
    grades: &[i64],
    id_card_nos: &[String],
    examinee_nos: &[String],
    with: &[i64],
) -> Result<()> {
    sqlx::query_scalar!(
        "select id from pre_registration
         where id in (
             select unnest($4::bigint[])
             union all
             select id from pre_registration
             where grade_id = any($1) and status in ('approved', 'pending') and deleted_at is null and scrubbed_at is null
               and (id_card_no = any($2) or examinee_no = any($3)))
         order by id for update",
        grades,
        id_card_nos,
        examinee_nos,
        with
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// The leads of a grade that have one of these identity numbers or 考生号 and are nobody's yet, the best of a person first:
/// approved before pending, then the newest.
///
/// # Errors
/// Those of the database.
pub async fn candidates(tx: &mut Tx, grade: i64, id_card_nos: &[String], examinee_nos: &[String]) -> Result<Vec<Lead>> {
    // Held in the order of their numbers, as every step holds its rows.
    let held = sqlx::query_scalar!(
        "select id from pre_registration
         where grade_id = $1 and status in ('approved', 'pending') and deleted_at is null and scrubbed_at is null
           and (id_card_no = any($2) or examinee_no = any($3))
         order by id for update",
        grade,
        id_card_nos,
        examinee_nos
    )
    .fetch_all(&mut **tx)
    .await?;
    let rows = sqlx::query_as!(
        Lead,
        r#"select p.id, p.name, p.id_card_type as "id_card_type: _", p.id_card_no, p.examinee_no, p.phone, p.address,
                  p.postal_code, p.major_id, p.site_id
           from pre_registration p
           where p.id = any($1) and p.grade_id = $2 and p.status in ('approved', 'pending') and p.deleted_at is null
             and not exists (select from admission a where a.pre_registration_id = p.id)
           order by p.status = 'approved' desc, p.created_at desc, p.id desc"#,
        &held,
        grade
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows)
}

/// The lead that a person chose for somebody who was admitted to this grade; `own` is the admission that may have it already.
///
/// # Errors
/// 422 at `preRegistrationId` for one that is gone or beyond the scope, of another grade, not approved or pending, or somebody
/// else's.
pub async fn candidate(tx: &mut Tx, id: i64, grade: i64, own: i64, scope: &Scope) -> Result<Lead> {
    let refused = |why: String| Error::field("preRegistrationId", why);
    tx.lock("pre_registration", id).await?;
    let row = sqlx::query!(
        r#"select p.grade_id, g.name as grade_name, p.status as "status: PreRegistrationStatus", p.site_id,
                  (select a.name from admission a where a.pre_registration_id = p.id and a.id <> $2) as taken_by
           from pre_registration p join grade g on g.id = p.grade_id
           where p.id = $1 and p.deleted_at is null and p.scrubbed_at is null"#,
        id,
        own
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|row| scope.sees(Some(row.site_id), None))
    .ok_or_else(|| refused("所选预报名不存在或已被删除，请重新选择".to_owned()))?;
    if row.grade_id != grade {
        return Err(refused(format!("该预报名的年级为{}，请选择同一年级的预报名", row.grade_name)));
    }
    if !matches!(row.status, PreRegistrationStatus::Approved | PreRegistrationStatus::Pending) {
        return Err(refused(format!("该预报名的状态为{}，只能选择待审核或已通过的预报名", row.status.zh())));
    }
    if let Some(name) = row.taken_by {
        return Err(refused(format!("该预报名已与{name}的录取数据匹配")));
    }
    let mut leads = of(tx, &[id]).await?;
    leads.pop().ok_or_else(Error::not_found)
}

/// Leads by their numbers, in any order.
///
/// # Errors
/// Those of the database.
pub async fn of(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Lead>> {
    let rows = sqlx::query_as!(
        Lead,
        r#"select id, name, id_card_type as "id_card_type: _", id_card_no, examinee_no, phone, address, postal_code, major_id,
                  site_id
           from pre_registration where id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// The authority admitted these people. Who stands so already keeps it, without a record.
///
/// # Errors
/// Those of the database.
pub async fn admit(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    turn(tx, ids, ExamStatus::Admitted).await
}

/// The authority took it back, or it was somebody else: they are registered for its exam, as before.
///
/// # Errors
/// Those of the database.
pub async fn release(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    turn(tx, ids, ExamStatus::Registered).await
}

async fn turn(tx: &mut Tx, ids: &[i64], to: ExamStatus) -> Result<Vec<Change>> {
    let by = tx.by();
    let rows = sqlx::query!(
        r#"update pre_registration p set exam_status = $2, updated_at = now(), updated_by = $3, version = p.version + 1
           from (select id, exam_status from pre_registration where id = any($1) order by id for update) before
           where p.id = before.id and before.exam_status <> $2
             and ($2 = 'admitted' or before.exam_status = 'admitted')
           returning p.id, before.exam_status as "before!""#,
        ids,
        to.as_str(),
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let change = |id, before: String| Change::status("pre_registration", id, "examStatus", before, to.as_str());
    Ok(rows.into_iter().map(|row| change(row.id, row.before)).collect())
}

/// A lead that can be chosen by hand.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Candidate {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 姓名
    pub name: String,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: String,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 证件号相同
    pub same_id_card: bool,
}

/// By what a lead is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    pub grade: i64,
    pub name: &'a str,
    pub id_card_no: &'a str,
    pub examinee_no: &'a str,
    /// The admission's own lead stands among the others.
    pub own: i64,
    pub keyword: Option<&'a str>,
}

/// Leads of the grade that could be the person: with the keyword those that it names, else those with the same number or name. At
/// most fifty; personal values are masked.
///
/// # Errors
/// Those of the database.
pub async fn sought(connection: &mut PgConnection, sought: Sought<'_>, scope: &Scope) -> Result<Vec<Candidate>> {
    let keyword = sought.keyword.map(student_status::keyword::classify);
    let word = keyword.clone().unwrap_or_default();
    let grams = pinyin::search_grams(sought.name);
    let mut rows = sqlx::query_as!(
        Candidate,
        r#"select p.id, b.name as batch_name, p.name, p.birthday, p.id_card_no, p.phone, p.examinee_no, m.name as major_name,
                  t.name as site_name, p.status as "status: _", p.id_card_no = $3 as "same_id_card!"
           from pre_registration p
           join pre_registration_batch b on b.id = p.batch_id
           join major m on m.id = p.major_id
           join site t on t.id = p.site_id
           where p.grade_id = $1 and p.status in ('approved', 'pending') and p.deleted_at is null and p.scrubbed_at is null
             and not exists (select from admission a where a.pre_registration_id = p.id and a.id <> $6)
             and ($7::bigint[] is null or p.site_id = any($7))
             and case when $8 then ($9::text is null or p.id_card_no = $9) and ($10::text is null or p.phone = $10)
                                   and ($11::text is null or p.examinee_no like $11 or p.provincial_reg_no like $11)
                                   and ($12::text[] is null or p.name_grams @> $12)
                      else p.id_card_no = $3 or p.examinee_no = $4 or (p.name_grams @> $5 and p.name = $2) end
           order by p.id_card_no = $3 desc, p.name = $2 desc, p.created_at desc, p.id desc
           limit 50"#,
        sought.grade,
        sought.name,
        sought.id_card_no,
        sought.examinee_no,
        &grams,
        sought.own,
        scope.sites(),
        keyword.is_some(),
        word.id_card_no,
        word.phone,
        word.number,
        word.name_grams.as_deref()
    )
    .fetch_all(connection)
    .await?;
    for row in &mut rows {
        row.id_card_no = infra::mask::id_card(&row.id_card_no);
        row.phone = infra::mask::phone(&row.phone);
    }
    Ok(rows)
}
