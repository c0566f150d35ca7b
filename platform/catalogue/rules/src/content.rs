//! What a recorded course consists of, as people type it, as a version keeps it, and what makes it wrong in itself (01 §9.2).

use infra::{Error, FieldError, Result, RichText};
use poem_openapi::{Object, types::Example};
use setting_rules::media::{MediaChannel, MediaState};

use crate::{
    attachment::{self, Attached},
    course::{Head, PERIODS, Parts, head_mistakes, tidy_introduction, twice},
};

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
    /// 附件
    /// 购买后可下载，最多10个
    #[oai(default, validator(max_items = 10))]
    pub attachment_keys: Vec<String>,
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
    /// 购买基数
    /// 网站显示的购买数为基数与实际购买数之和
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999999")))]
    pub count_buy_base: i64,
    /// 章节课时
    #[oai(validator(max_items = 100))]
    pub chapters: Vec<RecordChapter>,
}

impl Example for RecordContent {
    fn example() -> Self {
        let period = RecordPeriod {
            id: None,
            period_name: "1.1 课程导学".to_owned(),
            is_free: true,
            media_asset_id: 1,
            attachment_keys: Vec::new(),
        };
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
            count_buy_base: 0,
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
    /// What courses of every kind have.
    pub fn head(&self) -> Head<'_> {
        Head {
            course_name: &self.course_name,
            category_id: self.category_id,
            lecturer_id: self.lecturer_id,
            cover: &self.cover,
            introduce: self.introduce.as_ref(),
            is_free: self.is_free,
            price_original: self.price_original,
            price_sale: self.price_sale,
            valid_days: self.valid_days,
            count_buy_base: self.count_buy_base,
        }
    }

    /// The lessons of all chapters, in their order.
    pub fn periods(&self) -> impl Iterator<Item = &RecordPeriod> {
        self.chapters.iter().flat_map(|chapter| &chapter.periods)
    }

    /// The files that lessons bring with them, in their order.
    pub fn attachments(&self) -> Vec<Attached<'_>> {
        let lessons = self.chapters.iter().enumerate().flat_map(|(chapter, each)| {
            each.periods.iter().enumerate().map(move |(period, lesson)| (chapter, period, lesson))
        });
        lessons
            .filter(|(.., lesson)| !lesson.attachment_keys.is_empty())
            .map(|(chapter, period, lesson)| Attached {
                chapter,
                period,
                period_name: &lesson.period_name,
                keys: &lesson.attachment_keys,
            })
            .collect()
    }

    /// The content with what belongs together made to agree: a course that is free costs nothing.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others.
    pub fn in_itself(mut self) -> Result<Self> {
        self.introduce = tidy_introduction(self.introduce)?;
        if self.is_free {
            self.price_sale = 0;
        }
        let wrong = self.mistakes();
        if wrong.is_empty() { Ok(self) } else { Err(Error::fields(wrong)) }
    }

    fn mistakes(&self) -> Vec<FieldError> {
        let mut wrong = head_mistakes(self.head());
        let parts = self.chapters.iter().map(|chapter| Parts {
            id: chapter.id,
            name: &chapter.chapter_name,
            periods: chapter.periods.iter().filter_map(|period| period.id).collect(),
        });
        wrong.extend(twice(parts));
        wrong.extend(attachment::mistakes(&self.attachments()));
        if self.periods().count() > PERIODS {
            wrong.push(FieldError { field: "chapters".to_owned(), message: format!("课时最多{PERIODS}个") });
        }
        wrong
    }
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
}
