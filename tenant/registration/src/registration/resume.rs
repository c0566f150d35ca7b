//! 恢复入学资格: whose place was kept comes now, or begins with a later batch (02 §7).

use infra::{Allowed, Body, Change, Error, Reply, Result, Tx, Warned, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::reserve::day;
use serde_json::json;

use super::{
    ChangeRegistrationStatus,
    attached::let_go,
    held::{Arriving, changed, held_one, write},
    leave::open,
};
use crate::enums::RegistrationStatus;

/// Who comes, and with which batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationResume {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 转入批次
    /// 不填时在原批次报到
    pub batch_id: Option<i64>,
    /// 专业
    /// 转入的批次没有原专业时，选择同层次的其他专业
    pub major_id: Option<i64>,
}

impl Example for RegistrationResume {
    fn example() -> Self {
        Self { id: 1, version: 1, batch_id: Some(2), major_id: None }
    }
}

pub struct Resume;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Resume {
    /// 恢复入学资格
    #[oai(path = "/resume", method = "post", operation_id = "resumeRegistration")]
    async fn resume(
        &self,
        caller: Allowed<ChangeRegistrationStatus>,
        Body(wanted): Body<RegistrationResume>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        before.only(&[RegistrationStatus::Reserved], "恢复").map_err(Error::conflict)?;
        if let Some(until) = before.reserve_until.filter(|until| *until < tx.app().clock().today()) {
            return Err(Error::conflict(format!("保留期限已于{}届满，不能恢复", day(until))));
        }
        let (warned, changes) = match wanted.batch_id.filter(|batch| *batch != before.batch_id) {
            None => in_place(&mut tx, before).await?,
            Some(batch) => carried_on(&mut tx, before, batch, wanted.major_id).await?,
        };
        tx.commit_all(changes).await?;
        Ok(reply(warned))
    }
}

/// Waits in the batch in which the place was kept.
async fn in_place(tx: &mut Tx, before: Arriving) -> Result<(Warned, Vec<Change>)> {
    open(tx, before.batch_id, "在该批次恢复，请转入之后的批次").await?;
    let change = waits_again(tx, &before).await?;
    Ok((Warned { id: before.id, warnings: Vec::new() }, vec![change]))
}

/// Somebody whose place was kept, held, waits as they came.
///
/// # Errors
/// Those of the database.
pub(super) async fn waits_again(tx: &mut Tx, before: &Arriving) -> Result<Change> {
    let mut after = before.clone();
    let paper = after.wait();
    write(tx, std::slice::from_ref(&after)).await?;
    let_go(tx, paper, after.id).await?;
    Ok(changed(before, &after))
}

/// Begins anew with a later batch: another registration, with what was brought and paid; this one stays as it is, closed.
async fn carried_on(tx: &mut Tx, before: Arriving, batch: i64, major: Option<i64>) -> Result<(Warned, Vec<Change>)> {
    later(tx, &before, batch).await?;
    let place = place(tx, &before, batch, major).await?;
    let after = Arriving { carried_on: true, ..before.clone() };
    write(tx, std::slice::from_ref(&after)).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    // What was paid was paid once: the number of the payment goes along.
    let trade_no = sqlx::query_scalar!(
        "update registration r set trade_no = null from registration old where r.id = $1 and old.id = r.id returning old.trade_no",
        before.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let id = sqlx::query_scalar!(
        "insert into registration (
             admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form, schooling_years, site_id,
             examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no, phone, status,
             pending_since, identity_verified, verify_method, materials, photo_id, fee_paid, paid_amount, paid_at, fee_source,
             trade_no, extra, previous_id, created_by, updated_by)
         select r.admission_id, e.batch_id, b.grade_id, e.id, m.id, m.level_id, m.study_form, m.schooling_years, r.site_id,
                r.examinee_no, r.name, r.name_grams, r.pinyin, r.initials, r.gender, r.birthday, r.id_card_type, r.id_card_no,
                r.phone, 'pending', $3, r.identity_verified, r.verify_method, r.materials, r.photo_id, r.fee_paid, r.paid_amount,
                r.paid_at, r.fee_source, $5, r.extra, r.id, $4, $4
         from registration r
         join enrollment_major e on e.id = $2
         join enrollment_batch b on b.id = e.batch_id
         join major m on m.id = e.major_id
         where r.id = $1
         returning id",
        before.id,
        place.enrollment_major_id,
        now as _,
        by,
        trade_no
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into registration_file (registration_id, kind, file_id)
         select $2, kind, file_id from registration_file where registration_id = $1 order by id",
        before.id,
        id
    )
    .execute(&mut **tx)
    .await?;
    let made = Change::event(
        "registration",
        id,
        "insert",
        json!({ "previousId": before.id, "batchId": batch, "majorId": place.major_id, "status": "pending" }),
    );
    Ok((Warned { id, warnings: place.warning.into_iter().collect() }, vec![changed(&before, &after), made]))
}

/// # Errors
/// 422 at `batchId` unless the batch is open and begins after the one in which the place was kept.
async fn later(tx: &mut Tx, before: &Arriving, batch: i64) -> Result<()> {
    sqlx::query!("select id from enrollment_batch where id = $1 for share", batch).fetch_optional(&mut **tx).await?;
    let row = sqlx::query!(
        r#"select b.name, b.status = 'open' as "open!", b.enrolled_on > o.enrolled_on as "later!"
           from enrollment_batch b, enrollment_batch o where b.id = $1 and o.id = $2"#,
        batch,
        before.batch_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选招生批次不存在，请重新选择"))?;
    if !row.open {
        return Err(Error::field("batchId", format!("招生批次“{}”不在进行中，请选择其他批次", row.name)));
    }
    if !row.later {
        return Err(Error::field("batchId", "请选择入学日期在原批次之后的批次"));
    }
    Ok(())
}

/// Where somebody begins with another batch.
struct Place {
    enrollment_major_id: i64,
    major_id: i64,
    warning: Option<String>,
}

/// # Errors
/// 422 at `majorId` when the batch does not recruit for the major, or the major is of another level.
async fn place(tx: &mut Tx, before: &Arriving, batch: i64, major: Option<i64>) -> Result<Place> {
    let wanted = major.unwrap_or(before.major_id);
    let row = sqlx::query!(
        r#"select m.name, m.level_id, e.id as "enrollment_major_id?"
           from major m left join enrollment_major e on e.major_id = m.id and e.batch_id = $2 and e.enabled
           where m.id = $1"#,
        wanted,
        batch
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
    let Some(enrollment_major_id) = row.enrollment_major_id else {
        return Err(Error::field("majorId", format!("该批次没有招收专业“{}”，请选择同层次的其他专业", row.name)));
    };
    if row.level_id != before.level_id {
        return Err(Error::field("majorId", "只能选择同一层次的专业"));
    }
    let warning = (wanted != before.major_id).then(|| format!("已改为专业“{}”", row.name));
    Ok(Place { enrollment_major_id, major_id: wanted, warning })
}
