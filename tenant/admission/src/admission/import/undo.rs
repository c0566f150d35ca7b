//! 撤销录取导入: whom a file brought goes, with the lead free again, so that a mended file may bring them; whom it overwrote is what the
//! authority said before, with the lead and the place from then (02 §6.4).
//!
//! A row that a file overwrote has two records, what the file says and whom it was matched with; they go back in turn, the last first.

use enrolment::admitting::{known, mapping_back};
use infra::{Change, Error, Result, Scope, Tx, files, transfer::Imported};
use poem_openapi::types::{ParseError, ParseFromJSON};
use serde_json::{Value, json};

use super::{
    super::{
        person::{Stand, held, write as write_people},
        remove::take_away,
        undo::{stands_again, undone},
    },
    read::{Read, Taken},
    told,
    write::{Into, Standing, standing, update},
};

/// # Errors
/// 404 for a row that is gone; 409 when it was decided or changed since, or what it had is somebody else's by now.
pub(super) async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
    match record.entity.as_str() {
        "admission_import" => file_back(tx, record.id).await,
        "enrollment_batch" => mapping_back(tx, record).await,
        _ => row_back(tx, scope, record).await,
    }
}

/// The record of the file goes once no row is of it, so that the file may come again. It stays for rows in the recycle bin, and for
/// those of later files, which may go back to what this one said.
///
/// # Errors
/// 409 while rows that stay are of it.
async fn file_back(tx: &mut Tx, id: i64) -> Result<Option<Change>> {
    tx.lock("admission_import", id).await?;
    let known = sqlx::query!(
        r#"select i.file_name, i.total,
                  (select count(*) from admission a where a.import_id = i.id and a.deleted_at is null) as "people!",
                  exists (select from admission a where a.import_id = i.id and a.deleted_at is not null)
                      or exists (select from admission_import l where l.batch_id = i.batch_id and l.id > i.id) as "named!"
           from admission_import i where i.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if known.people > 0 {
        return Err(Error::conflict(format!("仍有{}条录取数据来自该文件，导入记录保留", known.people)));
    }
    if known.named {
        return Ok(None);
    }
    let kept = files::of_records(tx, "admission_import", &[id]).await?;
    tx.remove("admission_import", id, &known.file_name).await?;
    files::let_go(tx, &kept).await?;
    let what = json!({ "fileName": known.file_name, "total": known.total });
    Ok(Some(Change::deleted("admission_import", id, &what)))
}

async fn row_back(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
    let batch = sqlx::query_scalar!("select batch_id from admission where id = $1 and deleted_at is null", record.id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    // As a file holds it: before any row, and against everybody else who changes one.
    tx.lock("enrollment_batch", batch).await?;
    let person = held(tx, &[record.id], scope).await?.pop().ok_or_else(Error::not_found)?;
    if record.is_new("admission") {
        return take_away(tx, &person).await.map(Some);
    }
    if record.after::<i64>("importId")?.is_none() {
        return undone(tx, &person, record, scope).await;
    }
    if !person.is_open() {
        return Err(Error::conflict(format!("当前状态为{}，不能撤销", person.status.zh())));
    }
    let before = stands(tx, record.id).await?;
    let former: Value = record.former(&told(&before))?;
    said_before(tx, record.id, &former).await?;
    let former = Stand::parse_from_json(Some(former))
        .map_err(|error: ParseError<Stand>| Error::internal(error.into_message()))?;
    // With the number and the major from then, by which the place and the lead are looked for.
    let person = held(tx, &[record.id], scope).await?.pop().ok_or_else(Error::not_found)?;
    let after = stands_again(tx, &person, former, scope).await?;
    write_people(tx, std::slice::from_ref(&after)).await?;
    let after = stands(tx, record.id).await?;
    Ok(Some(Change::edited("admission", record.id, &told(&before), &told(&after))))
}

async fn stands(tx: &mut Tx, id: i64) -> Result<Standing> {
    standing(tx, &[id]).await?.pop().ok_or_else(Error::not_found)
}

/// Writes what the authority said of a row before. How people are reached stays for whoever writes the person.
async fn said_before(tx: &mut Tx, id: i64, former: &Value) -> Result<()> {
    let taken: Taken = serde_json::from_value(former.clone()).map_err(Error::internal)?;
    let import = former["importId"].as_i64().ok_or_else(|| Error::internal("the trail names no file"))?;
    let row = sqlx::query!(
        r#"select batch_id, grade_id,
                  (select o.examinee_no from admission o
                   where o.batch_id = a.batch_id and o.id_card_no = $2 and o.id <> a.id and o.deleted_at is null limit 1) as other
           from admission a where id = $1"#,
        id,
        taken.id_card_no
    )
    .fetch_one(&mut **tx)
    .await?;
    if let Some(other) = row.other {
        return Err(Error::conflict(format!("导入前的证件号已有录取数据（考生号{other}），不能恢复")));
    }
    let mut majors = known(tx, row.batch_id).await?.into_values();
    let major = majors.find(|major| major.id == taken.enrollment_major_id);
    let major = major.ok_or_else(|| Error::conflict("导入前的录取专业已不在本批次的招生专业中，不能恢复"))?;
    let into = Into { batch: row.batch_id, grade: row.grade_id, import };
    let read =
        Read { row: 0, taken, major, phone: None, address: None, postal_code: None, issues: Vec::new(), site: None };
    update(tx, into, &[(&read, id, false)]).await?;
    sqlx::query!("update admission set cancel_remark = $2 where id = $1", id, former["cancelRemark"].as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// People know a row by its person, and the rest by the file and the batch.
pub(super) async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
    let name = match record.entity.as_str() {
        "admission_import" => {
            sqlx::query_scalar!("select file_name from admission_import where id = $1", record.id)
                .fetch_optional(&mut **tx)
                .await?
        }
        "enrollment_batch" => {
            sqlx::query_scalar!("select name from enrollment_batch where id = $1", record.id)
                .fetch_optional(&mut **tx)
                .await?
        }
        _ => {
            sqlx::query_scalar!("select name from admission where id = $1", record.id).fetch_optional(&mut **tx).await?
        }
    };
    Ok(name.unwrap_or_default())
}
