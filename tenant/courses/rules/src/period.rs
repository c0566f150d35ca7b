//! 课时: what is typed of one, and what its kind needs (part 03 A6).

use infra::{Error, FieldError, Result, clock::Moment, enumeration, naming::tidy};
use poem_openapi::{Object, types::Example};

enumeration! {
    /// 课时类型
    pub enum PeriodKind = "periodKind" {
        Video = "video" "视频",
        Audio = "audio" "音频",
        Document = "document" "文档",
        Live = "live" "直播",
        Link = "link" "外部链接",
    }
}

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
    pub fn of_its_kind(self) -> Result<Self> {
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
