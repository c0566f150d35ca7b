//! 上传, 免交, 归档, 取消归档 and 移交.

use certificate_rules::{
    enums::{ArchiveItemCode, ArchiveItemOrigin, ArchiveItemStatus, ArchiveStatus},
    items::lacking,
    steps::ArchiveTurn,
};
use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    files::{self, FileType, NewFile, Uploader, adopt_kind, archive::Archive as Zip, archive::plain_name},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{
    HandOverArchives, SealArchives, UnsealArchive, UploadArchiveItem, WaiveArchiveItem,
    item::{held, put, recount},
    select::Archive,
};

const KINDS: [&str; 5] = ["pdf", "jpg", "jpeg", "png", "zip"];
const MOST_MB: i64 = 50;
/// Of bundles; a digest is computed of the whole.
const BUNDLE_BYTES: i64 = 2 << 30;

/// Names of rows in answers.
const NAMED: &str = "(select a.id, y.name from archive a join student y on y.id = a.student_id) archive";

/// A paper that somebody sends in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArchiveUpload {
    /// 档案
    pub id: i64,
    /// 材料
    pub code: ArchiveItemCode,
    /// 文件
    #[oai(validator(max_length = 200))]
    pub file_key: String,
}

impl Example for ArchiveUpload {
    fn example() -> Self {
        Self { id: 1, code: ArchiveItemCode::Identity, file_key: "private/s1/202607/a.pdf".to_owned() }
    }
}

/// A paper that is not asked for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArchiveWaiver {
    /// 档案
    pub id: i64,
    /// 材料
    pub code: ArchiveItemCode,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ArchiveWaiver {
    fn example() -> Self {
        Self { id: 1, code: ArchiveItemCode::Internship, reason: "在职免实习".to_owned() }
    }
}

/// Archives to seal.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ArchivesSeal {
    /// 档案
    #[oai(validator(min_items = 1, max_items = 50))]
    pub ids: Vec<i64>,
}

impl Example for ArchivesSeal {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

/// An archive to open again.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ArchiveUnseal {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ArchiveUnseal {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "成绩更正".to_owned() }
    }
}

/// Where archives went.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArchivesHandover {
    /// 档案
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
    /// 去向
    #[oai(validator(min_length = 2, max_length = 100))]
    pub to: String,
    /// 日期
    pub date: NaiveDate,
    /// 单号
    #[oai(validator(max_length = 40))]
    pub tracking_no: Option<String>,
}

impl Example for ArchivesHandover {
    fn example() -> Self {
        Self { ids: vec![1], to: "人才交流中心".to_owned(), date: NaiveDate::default(), tracking_no: None }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Steps {
    /// 上传档案材料
    /// 替换的文件留作历史
    #[oai(path = "/upload", method = "put", operation_id = "uploadArchiveItem")]
    async fn upload(
        &self,
        caller: Allowed<UploadArchiveItem>,
        Body(wanted): Body<ArchiveUpload>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let archive = held(&mut tx, wanted.id, ArchiveTurn::Change, &caller.scope()).await?;
        let item = item_of(&mut tx, archive.id, wanted.code).await?;
        let file = adopt_kind(&mut tx, &wanted.file_key, ("archive_item", item), &KINDS, MOST_MB).await?;
        put(&mut tx, item, file, ArchiveItemOrigin::Upload).await?;
        let change = recount(&mut tx, archive.id, archive.status).await?;
        let event =
            Change::event("archive_item", item, "upload", json!({ "code": wanted.code.as_str(), "fileId": file }));
        tx.commit_all(vec![event, change]).await?;
        Ok(reply(Saved { id: item }))
    }

    /// 免交档案材料
    #[oai(path = "/waive", method = "put", operation_id = "waiveArchiveItem")]
    async fn waive(
        &self,
        caller: Allowed<WaiveArchiveItem>,
        Body(wanted): Body<ArchiveWaiver>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let archive = held(&mut tx, wanted.id, ArchiveTurn::Change, &caller.scope()).await?;
        let item = item_of(&mut tx, archive.id, wanted.code).await?;
        let by = tx.by();
        let waived = sqlx::query!(
            "update archive_item set status = 'waived', waive_reason = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1 and status <> 'ready'",
            item,
            wanted.reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        if waived.rows_affected() == 0 {
            return Err(Error::conflict(format!("{}已备齐，不必免交", wanted.code.zh())));
        }
        let change = recount(&mut tx, archive.id, archive.status).await?;
        let event = json!({ "code": wanted.code.as_str(), "reason": wanted.reason });
        tx.commit_all(vec![Change::event("archive_item", item, "waive", event), change]).await?;
        Ok(reply(Saved { id: item }))
    }

    /// 归档
    /// 打成一个文件并固定校验码
    #[oai(path = "/seal", method = "put", operation_id = "sealArchives")]
    async fn seal(&self, caller: Allowed<SealArchives>, Body(wanted): Body<ArchivesSeal>) -> Result<Reply<BulkResult>> {
        let (scope, school) = (caller.scope(), caller.school_id());
        let mut bulk = Bulk::named(caller.begin().await?, NAMED, "name");
        for id in wanted.ids {
            let outcome = seal(bulk.row().await?, id, school, &scope).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 取消归档
    #[oai(path = "/unseal", method = "put", operation_id = "unsealArchive")]
    async fn unseal(&self, caller: Allowed<UnsealArchive>, Body(wanted): Body<ArchiveUnseal>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let archive = held(&mut tx, wanted.id, ArchiveTurn::Unseal, &caller.scope()).await?;
        if archive.version != wanted.version {
            return Err(tx.stale("archive", wanted.id).await);
        }
        let (by, to) = (tx.by(), ArchiveStatus::Complete);
        sqlx::query!(
            "update archive set status = $2, unseal_reason = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
            wanted.id,
            to.as_str(),
            wanted.reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        let change = Change::edited(
            "archive",
            wanted.id,
            &json!({ "status": archive.status.as_str(), "unsealReason": archive.unseal_reason }),
            &json!({ "status": to.as_str(), "unsealReason": wanted.reason }),
        );
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 移交档案
    #[oai(path = "/handover", method = "put", operation_id = "handOverArchives")]
    async fn handover(
        &self,
        caller: Allowed<HandOverArchives>,
        Body(wanted): Body<ArchivesHandover>,
    ) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        let mut bulk = Bulk::named(caller.begin().await?, NAMED, "name");
        for id in wanted.ids {
            let tracking = wanted.tracking_no.as_deref();
            let outcome = hand_over(bulk.row().await?, id, (&wanted.to, wanted.date, tracking), &scope).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

async fn item_of(tx: &mut Tx, archive: i64, code: ArchiveItemCode) -> Result<i64> {
    sqlx::query_scalar!("select id from archive_item where archive_id = $1 and code = $2", archive, code.as_str())
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("code", format!("该生的档案没有“{}”", code.zh())))
}

/// Hands a sealed archive over.
///
/// # Errors
/// 404 beyond the scope; 409 for one that is not sealed; by field for a day before it was, or one that is to come.
pub(super) async fn hand_over(
    tx: &mut Tx,
    id: i64,
    (to, on, tracking): (&str, NaiveDate, Option<&str>),
    scope: &Scope,
) -> Result<Change> {
    let archive = held(tx, id, ArchiveTurn::HandOver, scope).await?;
    if on > tx.app().clock().today() {
        return Err(Error::field("date", "移交日期不能晚于今天"));
    }
    if let Some(sealed) = archive.sealed_at.map(|at| at.date_naive()).filter(|sealed| on < *sealed) {
        return Err(Error::field("date", format!("移交日期不能早于归档日期{sealed}")));
    }
    let by = tx.by();
    sqlx::query!(
        "update archive set status = 'handed_over', handed_to = $2, handed_on = $3, tracking_no = $4, updated_at = now(), updated_by = $5,
                version = version + 1
         where id = $1",
        id,
        to,
        on,
        tracking,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited(
        "archive",
        id,
        &json!({ "status": archive.status.as_str(), "handedTo": null, "handedOn": null, "trackingNo": null }),
        &json!({ "status": "handed_over", "handedTo": to, "handedOn": on, "trackingNo": tracking }),
    ))
}

/// Packs an archive and closes it.
///
/// # Errors
/// 404 beyond the scope; 409 while something is missing, or a file is gone.
pub(super) async fn seal(tx: &mut Tx, id: i64, school: Option<i64>, scope: &Scope) -> Result<Change> {
    let archive = held(tx, id, ArchiveTurn::Seal, scope).await?;
    let rows = sqlx::query!(
        r#"select i.code as "code!: ArchiveItemCode", i.needed as "needed!", i.status as "status!: ArchiveItemStatus",
                  f.key as "key?", f.original_name as "name?"
           from archive_item i left join file_object f on f.id = i.file_id
           where i.archive_id = $1 order by i.id"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let items: Vec<_> = rows.iter().map(|row| (row.code, row.needed, row.status)).collect();
    if let Some(lacking) = lacking(&items) {
        return Err(Error::conflict(lacking));
    }
    let app = tx.app().clone();
    let zip = Zip::start(&app).await?;
    for (place, row) in (1..).zip(&rows) {
        let Some(key) = &row.key else { continue };
        let extension = row.name.as_deref().and_then(|name| name.rsplit_once('.')).map_or("pdf", |(_, kind)| kind);
        let name = format!("{place:02}_{}.{extension}", row.code.zh().replace('/', "、"));
        if !zip.add(&app, || name, key).await? {
            return Err(Error::conflict(format!("“{}”的文件已不存在，请重新上传", row.code.zh())));
        }
    }
    let made = zip.finish().await?;
    let name = bundle_name(&archive);
    let by = tx.by();
    let file = NewFile {
        name: &name,
        content_type: "application/zip",
        kind: FileType::Private,
        owner: Some(("archive", id)),
        uploader: Uploader::Account(by),
        expires_at: None,
    };
    let bundle = files::keep_file(&app, tx, school, &file, made.path()).await?;
    let key = sqlx::query_scalar!("select key from file_object where id = $1", bundle).fetch_one(&mut **tx).await?;
    files::note_digests(&app, tx, &[key], BUNDLE_BYTES).await?;
    let digest = sqlx::query_scalar!("select sha256 from file_object where id = $1", bundle)
        .fetch_one(&mut **tx)
        .await?
        .ok_or_else(|| Error::conflict("档案全卷过大，不能归档"))?;
    let (actor, now) = (tx.actor().name.clone(), tx.app().clock().now());
    sqlx::query!(
        "update archive set status = 'sealed', sealed_by = $2, sealed_by_name = $3, sealed_at = $4, bundle_file_id = $5,
                bundle_sha256 = $6, updated_at = $4, updated_by = $2, version = version + 1
         where id = $1",
        id,
        by,
        actor,
        now as _,
        bundle,
        digest
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited(
        "archive",
        id,
        &json!({ "status": archive.status.as_str(), "bundleSha256": archive.bundle_sha256 }),
        &json!({ "status": "sealed", "bundleSha256": digest }),
    ))
}

/// `{学号}_{姓名}.zip`
pub(super) fn bundle_name(archive: &Archive) -> String {
    plain_name(&format!("{}_{}.zip", archive.student_no.as_deref().unwrap_or(&archive.archive_no), archive.name))
}
