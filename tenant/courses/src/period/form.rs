//! What a registrar types of a period, and how it is written.

use infra::{Change, Edit, Error, FieldError, OnConstraint, Result, Tx, clock::Moment, files, naming::tidy};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use super::{PeriodKind, list::find};

/// What a registrar types. Which of the fields count depends on the kind.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodForm {
    /// 课程资源
    pub course_record_id: i64,
    /// 章节
    pub chapter_id: i64,
    /// 课时标题
    #[oai(validator(max_length = 140))]
    pub title: String,
    /// 类型
    pub kind: PeriodKind,
    /// 音视频
    pub media_asset_id: Option<i64>,
    /// 文档
    #[oai(validator(max_length = 140))]
    pub file_key: Option<String>,
    /// 地址
    /// 以 http:// 或 https:// 开头
    #[oai(validator(max_length = 1000, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub url: Option<String>,
    /// 直播开始
    pub live_starts_at: Option<Moment>,
    /// 直播结束
    pub live_ends_at: Option<Moment>,
    /// 时长(秒)
    #[oai(validator(minimum(value = "1"), maximum(value = "360000")))]
    pub duration_seconds: Option<i32>,
    /// 页数
    #[oai(validator(minimum(value = "1"), maximum(value = "9999")))]
    pub page_count: Option<i32>,
    /// 权重
    #[oai(default = "one", validator(minimum(value = "0"), maximum(value = "100")))]
    pub weight: i32,
    /// 必修
    #[oai(default = "yes")]
    pub required: bool,
    /// 免费试看
    #[oai(default)]
    pub free_preview: bool,
}

fn one() -> i32 {
    1
}

fn yes() -> bool {
    true
}

impl Example for PeriodForm {
    fn example() -> Self {
        Self {
            course_record_id: 1,
            chapter_id: 1,
            title: "1.1 课程导学".to_owned(),
            kind: PeriodKind::Link,
            media_asset_id: None,
            file_key: None,
            url: Some("https://example.com/1-1".to_owned()),
            live_starts_at: None,
            live_ends_at: None,
            duration_seconds: None,
            page_count: None,
            weight: 1,
            required: true,
            free_preview: false,
        }
    }
}

impl PeriodForm {
    /// The form with only what its kind has.
    ///
    /// # Errors
    /// 422 at what the kind needs and is missing.
    fn of_its_kind(self) -> Result<Self> {
        let (media, document, live, link) = match self.kind {
            PeriodKind::Video | PeriodKind::Audio => (true, false, false, false),
            PeriodKind::Document => (false, true, false, false),
            PeriodKind::Live => (false, false, true, false),
            PeriodKind::Link => (false, false, false, true),
        };
        let mut missing: Vec<FieldError> = Vec::new();
        let mut need = |wanted: bool, given: bool, field: &str, message: &str| {
            if wanted && !given {
                missing.push(FieldError { field: field.to_owned(), message: message.to_owned() });
            }
        };
        need(media, self.media_asset_id.is_some(), "mediaAssetId", "请选择音视频");
        need(document, self.file_key.is_some(), "fileKey", "请上传文档");
        need(live || link, self.url.is_some(), "url", "请填写地址");
        need(live, self.live_starts_at.is_some(), "liveStartsAt", "请填写直播开始时间");
        need(live, self.live_ends_at.is_some(), "liveEndsAt", "请填写直播结束时间");
        let ordered = self.live_starts_at.zip(self.live_ends_at).is_none_or(|(from, to)| to > from);
        need(live, ordered, "liveEndsAt", "结束时间必须晚于开始时间");
        if !missing.is_empty() {
            return Err(Error::fields(missing));
        }
        Ok(Self {
            title: tidy(&self.title),
            media_asset_id: self.media_asset_id.filter(|_| media),
            file_key: self.file_key.filter(|_| document),
            url: self.url.filter(|_| live || link),
            live_starts_at: self.live_starts_at.filter(|_| live),
            live_ends_at: self.live_ends_at.filter(|_| live),
            duration_seconds: self.duration_seconds.filter(|_| !document),
            page_count: self.page_count.filter(|_| document),
            ..self
        })
    }
}

/// A document that was uploaded belongs to its record from now on.
///
/// # Errors
/// 422 at `fileKey` when the upload was not completed.
async fn adopted(tx: &mut Tx, form: &PeriodForm) -> Result<Option<i64>> {
    let Some(key) = &form.file_key else { return Ok(None) };
    match files::adopt_attachment(tx, key, "course_record", form.course_record_id).await {
        Ok(id) => Ok(Some(id)),
        Err(error) if error.code == 422 => Err(Error::field("fileKey", error.msg)),
        Err(error) => Err(error),
    }
}

/// # Errors
/// 422 at the reference that does not exist or is of another course.
pub(super) async fn insert(tx: &mut Tx, form: PeriodForm) -> Result<(i64, Change)> {
    let form = form.of_its_kind()?;
    let course = course_of(tx, form.course_record_id).await?;
    let file = adopted(tx, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, file_id, url, live_starts_at,
             live_ends_at, duration_seconds, page_count, weight, required, free_preview, sort_no, created_by, updated_by)
         select $1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::bigint, $7::bigint, $8::text, $9::timestamptz,
                $10::timestamptz, coalesce($11::integer, (select nullif(duration, 0) from media_asset where id = $6)),
                $12::integer, $13::integer, $14::boolean, $15::boolean,
                least(9999, coalesce(max(sort_no) + 1, 1))::integer, $16::bigint, $16::bigint
         from course_period where course_record_id = $1 and chapter_id = $3
         returning id",
        form.course_record_id,
        course,
        form.chapter_id,
        form.title,
        form.kind.as_str(),
        form.media_asset_id,
        file,
        form.url,
        form.live_starts_at,
        form.live_ends_at,
        form.duration_seconds,
        form.page_count,
        form.weight,
        form.required,
        form.free_preview,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(refused)?;
    Ok((id, Change::created("course_period", id, &form)))
}

/// Moving a period to another chapter of the course keeps what learners did with it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<PeriodForm>) -> Result<Change> {
    let before = find(tx, edit.id).await?;
    let form = edit.form.of_its_kind()?;
    if before.course_record_id != form.course_record_id {
        return Err(Error::field("courseRecordId", "课时不能移到其他课程资源"));
    }
    let file = if form.file_key == before.file_key { None } else { adopted(tx, &form).await? };
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_period set chapter_id = $3, title = $4, kind = $5, media_asset_id = $6,
                file_id = case when $17 then coalesce($7, file_id) end, url = $8, live_starts_at = $9, live_ends_at = $10,
                duration_seconds = coalesce($11, (select nullif(duration, 0) from media_asset where id = $6)), page_count = $12,
                weight = $13, required = $14, free_preview = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.chapter_id,
        form.title,
        form.kind.as_str(),
        form.media_asset_id,
        file,
        form.url,
        form.live_starts_at,
        form.live_ends_at,
        form.duration_seconds,
        form.page_count,
        form.weight,
        form.required,
        form.free_preview,
        by,
        form.file_key.is_some()
    )
    .execute(&mut **tx)
    .await
    .on_constraint(refused)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_period", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("course_period", edit.id, &before, &after))
}

/// # Errors
/// 422 at `courseRecordId` when there is no such record.
pub(super) async fn course_of(connection: &mut PgConnection, record: i64) -> Result<i64> {
    sqlx::query_scalar!("select course_id from course_record where id = $1", record)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::field("courseRecordId", "课程资源不存在或已被删除"))
}

fn refused(constraint: &str) -> Option<Error> {
    match constraint {
        "course_period_of_chapter" => Some(Error::field("chapterId", "所选章节不属于该课程，请重新选择")),
        "course_period_of_media" => Some(Error::field("mediaAssetId", "所选音视频不存在，请重新选择")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_needs_and_keeps_its_own() {
        let told = |kind| {
            let form = PeriodForm { kind, ..PeriodForm::example() };
            form.of_its_kind().map_or_else(|error| error.msg.into_owned(), |form| format!("{:?}", form.url))
        };
        assert_eq!(told(PeriodKind::Link), "Some(\"https://example.com/1-1\")");
        assert_eq!(told(PeriodKind::Video), "请选择音视频");
        assert_eq!(told(PeriodKind::Document), "请上传文档");
        assert_eq!(told(PeriodKind::Live), "请填写直播开始时间");
        let video = PeriodForm { kind: PeriodKind::Video, media_asset_id: Some(1), ..PeriodForm::example() };
        assert_eq!(video.of_its_kind().map(|form| form.url), Ok(None));
    }
}
