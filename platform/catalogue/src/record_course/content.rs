//! What a course consists of, as people type it, as a version keeps it, and what makes it wrong.

use std::collections::{HashMap, HashSet};

use infra::{Error, FieldError, Result, RichText, Tx, naming::switched_off};
use poem_openapi::{
    Object,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::Value;
use settings::media::{MediaChannel, MediaState};
use sqlx::PgConnection;

/// Characters of an introduction.
const INTRODUCTION: usize = 2_000;
/// Lessons of a course.
const PERIODS: usize = 2_000;

/// A lesson that is watched.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordPeriod {
    /// 课时编号
    /// 新增的课时不填
    pub id: Option<i64>,
    /// 课时名称
    #[oai(validator(max_length = 100))]
    pub period_name: String,
    /// 试看
    #[oai(default)]
    pub is_free: bool,
    /// 音视频
    pub media_asset_id: i64,
}

/// A chapter with its lessons.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordChapter {
    /// 章节编号
    /// 新增的章节不填
    pub id: Option<i64>,
    /// 章节名称
    #[oai(validator(max_length = 60))]
    pub chapter_name: String,
    /// 章节简介
    #[oai(validator(max_length = 300))]
    pub chapter_desc: Option<String>,
    /// 课时
    #[oai(validator(max_items = 300))]
    pub periods: Vec<RecordPeriod>,
}

/// The whole of a course.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RecordContent {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: String,
    /// 分类
    pub category_id: i64,
    /// 讲师
    pub lecturer_id: i64,
    /// 封面
    #[oai(validator(max_length = 300))]
    pub cover: String,
    /// 课程介绍
    /// 文字最多2000个字符
    pub introduce: Option<RichText>,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_original: i64,
    /// 优惠价(分)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "99999999")))]
    pub price_sale: i64,
    /// 有效天数
    /// 不填为永久有效
    #[oai(validator(minimum(value = "1"), maximum(value = "36500")))]
    pub valid_days: Option<i32>,
    /// 章节课时
    #[oai(validator(max_items = 100))]
    pub chapters: Vec<RecordChapter>,
}

impl Example for RecordContent {
    fn example() -> Self {
        let period =
            RecordPeriod { id: None, period_name: "1.1 课程导学".to_owned(), is_free: true, media_asset_id: 1 };
        Self {
            course_name: "大学英语（三）".to_owned(),
            category_id: 1,
            lecturer_id: 1,
            cover: "/admin/files/public/platform/202611/cover.png".to_owned(),
            introduce: None,
            is_free: false,
            price_original: 19_900,
            price_sale: 14_900,
            valid_days: None,
            chapters: vec![RecordChapter {
                id: None,
                chapter_name: "第一章 绪论".to_owned(),
                chapter_desc: None,
                periods: vec![period],
            }],
        }
    }
}

impl RecordContent {
    pub(crate) fn to_stored(&self) -> Value {
        self.to_json().unwrap_or_default()
    }

    pub(crate) fn periods(&self) -> impl Iterator<Item = &RecordPeriod> {
        self.chapters.iter().flat_map(|chapter| &chapter.periods)
    }

    /// The content with what belongs together made to agree: a course that is free costs nothing.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others.
    fn in_itself(mut self) -> Result<Self> {
        if let Some(text) = &self.introduce {
            text.at_most("introduce", "课程介绍", INTRODUCTION)?;
        }
        self.introduce = self.introduce.filter(|text| !text.is_blank());
        if self.is_free {
            self.price_sale = 0;
        }
        let wrong = self.mistakes();
        if wrong.is_empty() { Ok(self) } else { Err(Error::fields(wrong)) }
    }

    fn mistakes(&self) -> Vec<FieldError> {
        let mut wrong = Vec::new();
        let mut tell = |field: String, message: String| wrong.push(FieldError { field, message });
        if !self.is_free && self.price_sale == 0 {
            tell("priceSale".to_owned(), "收费课程的优惠价应大于0，不收费请选择免费".to_owned());
        }
        if self.price_sale > self.price_original {
            tell("priceSale".to_owned(), "优惠价不能高于原价".to_owned());
        }
        let (mut names, mut chapters, mut periods) = (HashSet::new(), HashSet::new(), HashSet::new());
        for (place, chapter) in self.chapters.iter().enumerate() {
            if !names.insert(chapter.chapter_name.as_str()) {
                let message = format!("章节名称“{}”重复", chapter.chapter_name);
                tell(format!("chapters[{place}].chapterName"), message);
            }
            let twice = chapter.id.is_some_and(|id| !chapters.insert(id))
                || chapter.periods.iter().filter_map(|period| period.id).any(|id| !periods.insert(id));
            if twice {
                tell(format!("chapters[{place}].id"), "同一章节或课时出现了两次，请刷新后重试".to_owned());
            }
        }
        if self.periods().count() > PERIODS {
            tell("chapters".to_owned(), format!("课时最多{PERIODS}个"));
        }
        wrong
    }

    /// The content, when everything that it refers to is there. What `before` referred to already may have been switched
    /// off since. `course` is the course that is edited.
    ///
    /// # Errors
    /// 422 at the field, 409 when chapters or periods are not the course's.
    pub(crate) async fn checked(self, tx: &mut Tx, course: Option<i64>, before: Option<&Self>) -> Result<Self> {
        let content = self.in_itself()?;
        let category = sqlx::query!(
            "select category_name, enabled from platform.online_category where id = $1 and category_type = 'record'",
            content.category_id
        )
        .fetch_optional(&mut **tx)
        .await?;
        let kept = before.is_some_and(|before| before.category_id == content.category_id);
        match category {
            None => return Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
            Some(category) if !category.enabled && !kept => {
                return Err(switched_off("categoryId", &category.category_name));
            }
            Some(_) => {}
        }
        let lecturer =
            sqlx::query!("select lecturer_name, enabled from platform.lecturer where id = $1", content.lecturer_id)
                .fetch_optional(&mut **tx)
                .await?;
        let kept = before.is_some_and(|before| before.lecturer_id == content.lecturer_id);
        match lecturer {
            None => return Err(Error::field("lecturerId", "所选讲师不存在，请重新选择")),
            Some(lecturer) if !lecturer.enabled && !kept => {
                return Err(switched_off("lecturerId", &lecturer.lecturer_name));
            }
            Some(_) => {}
        }
        content.media_is_playable(tx).await?;
        content.parts_are_of(tx, course).await?;
        Ok(content)
    }

    /// A file of the store has no player, for learners as little as for schools.
    async fn media_is_playable(&self, tx: &mut Tx) -> Result<()> {
        let known: HashMap<i64, MediaChannel> =
            media_of(tx, &[self]).await?.into_iter().map(|media| (media.id, media.channel)).collect();
        let mut wrong = Vec::new();
        for (chapter_place, chapter) in self.chapters.iter().enumerate() {
            for (place, period) in chapter.periods.iter().enumerate() {
                let message = match known.get(&period.media_asset_id) {
                    None => "所选音视频不存在，请重新选择",
                    Some(MediaChannel::Storage) => "对象存储中的文件不能在线播放，请上传到视频通道",
                    Some(_) => continue,
                };
                let field = format!("chapters[{chapter_place}].periods[{place}].mediaAssetId");
                wrong.push(FieldError { field, message: message.to_owned() });
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
    }

    async fn parts_are_of(&self, tx: &mut Tx, course: Option<i64>) -> Result<()> {
        let chapters: Vec<i64> = self.chapters.iter().filter_map(|chapter| chapter.id).collect();
        let periods: Vec<i64> = self.periods().filter_map(|period| period.id).collect();
        let known = sqlx::query!(
            r#"select (select count(*) from platform.online_chapter where course_id = $1 and id = any($2)) as "chapters!",
                      (select count(*) from platform.online_period p join platform.online_chapter c on c.id = p.chapter_id
                       where c.course_id = $1 and p.id = any($3)) as "periods!""#,
            course,
            &chapters,
            &periods
        )
        .fetch_one(&mut **tx)
        .await?;
        let all =
            i64::try_from(chapters.len()) == Ok(known.chapters) && i64::try_from(periods.len()) == Ok(known.periods);
        if all { Ok(()) } else { Err(Error::conflict("章节课时已变化，请刷新后重试")) }
    }
}

/// What a version keeps.
///
/// # Errors
/// Internal, when it was not written by [`RecordContent::to_stored`].
pub(crate) fn stored(value: Value) -> Result<RecordContent> {
    RecordContent::parse_from_json(Some(value)).map_err(|error| Error::internal(error.into_message()))
}

/// A video or audio that periods refer to.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseMedia {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 通道
    pub channel: MediaChannel,
    /// 时长(秒)
    pub duration: Option<i32>,
    /// 状态
    pub state: MediaState,
}

/// The media of some contents.
pub(crate) async fn media_of(connection: &mut PgConnection, contents: &[&RecordContent]) -> Result<Vec<CourseMedia>> {
    let ids: Vec<i64> =
        contents.iter().flat_map(|content| content.periods()).map(|period| period.media_asset_id).collect();
    let media = sqlx::query_as!(
        CourseMedia,
        r#"select id, title, channel as "channel: _", duration, state as "state: _"
           from platform.media_asset where id = any($1) order by id"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(media)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(change: impl FnOnce(&mut RecordContent)) -> String {
        let mut content = RecordContent::example();
        change(&mut content);
        content.in_itself().map_or_else(|error| error.msg.into_owned(), |content| content.price_sale.to_string())
    }

    #[test]
    fn a_course_is_free_or_costs_at_most_its_full_price() {
        assert_eq!(told(|_| {}), "14900");
        assert_eq!(told(|content| content.is_free = true), "0");
        assert_eq!(told(|content| content.price_sale = 0), "收费课程的优惠价应大于0，不收费请选择免费");
        assert_eq!(told(|content| content.price_sale = 19_901), "优惠价不能高于原价");
    }

    #[test]
    fn a_chapter_stands_once() {
        let twice = told(|content| content.chapters.push(content.chapters[0].clone()));
        assert_eq!(twice, "章节名称“第一章 绪论”重复");
    }

    #[test]
    fn what_is_kept_of_a_course_reads_as_it_was() {
        let content = RecordContent::example();
        assert_eq!(stored(content.to_stored()), Ok(content));
    }
}
