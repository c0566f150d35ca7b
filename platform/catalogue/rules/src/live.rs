//! What a live course consists of: lessons that are given at a time on a channel (01 §9.2).

use infra::{Error, FieldError, Result, RichText, clock::Moment};
use poem_openapi::{Object, types::Example};

use crate::{
    attachment::{self, Attached},
    course::{Head, PERIODS, Parts, head_mistakes, tidy_introduction, twice},
};

/// The longest lesson, in hours.
const LONGEST: i64 = 24;

/// A lesson that is given live.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct LivePeriod {
    /// 课时编号
    /// 新增的课时不填
    pub id: Option<i64>,
    /// 课时名称
    #[oai(validator(max_length = 100))]
    pub period_name: String,
    /// 试看
    #[oai(default)]
    pub is_free: bool,
    /// 直播频道
    pub live_channel_id: i64,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 回放
    pub replay_asset_id: Option<i64>,
    /// 附件
    /// 购买后可下载，最多10个
    #[oai(default, validator(max_items = 10))]
    pub attachment_keys: Vec<String>,
}

impl LivePeriod {
    /// Whether it is this lesson of before, on the same channel at the same time.
    pub fn stays(&self, before: &Self) -> bool {
        self.id.is_some()
            && self.id == before.id
            && self.live_channel_id == before.live_channel_id
            && (self.starts_at, self.ends_at) == (before.starts_at, before.ends_at)
    }
}

/// A chapter with its lessons.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveChapter {
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
    pub periods: Vec<LivePeriod>,
}

/// The whole of a live course.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LiveContent {
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
    pub chapters: Vec<LiveChapter>,
}

impl Example for LiveContent {
    fn example() -> Self {
        let period = LivePeriod {
            id: None,
            period_name: "第一讲 开班说明".to_owned(),
            is_free: true,
            live_channel_id: 1,
            starts_at: Moment::default(),
            ends_at: Moment::default() + chrono::TimeDelta::minutes(90),
            replay_asset_id: None,
            attachment_keys: Vec::new(),
        };
        Self {
            course_name: "学位英语直播班".to_owned(),
            category_id: 1,
            lecturer_id: 1,
            cover: "/admin/files/public/platform/202611/cover.png".to_owned(),
            introduce: None,
            is_free: false,
            price_original: 29_900,
            price_sale: 19_900,
            valid_days: None,
            count_buy_base: 0,
            chapters: vec![LiveChapter {
                id: None,
                chapter_name: "第一章 导学".to_owned(),
                chapter_desc: None,
                periods: vec![period],
            }],
        }
    }
}

impl LiveContent {
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
    pub fn periods(&self) -> impl Iterator<Item = &LivePeriod> {
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

    /// The content with what belongs together made to agree.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others, 409 for two of its lessons that are on one channel at one time.
    pub fn in_itself(mut self) -> Result<Self> {
        self.introduce = tidy_introduction(self.introduce)?;
        if self.is_free {
            self.price_sale = 0;
        }
        let wrong = self.mistakes();
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        if meets_itself(&self.times()) { Err(occupied()) } else { Ok(self) }
    }

    /// When its lessons are on which channel.
    pub fn times(&self) -> Vec<OnAir> {
        self.periods()
            .map(|period| OnAir { channel: period.live_channel_id, from: period.starts_at, to: period.ends_at })
            .collect()
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
        for (chapter_place, chapter) in self.chapters.iter().enumerate() {
            for (place, period) in chapter.periods.iter().enumerate() {
                let message = if period.ends_at <= period.starts_at {
                    "结束时间必须晚于开始时间".to_owned()
                } else if (period.ends_at - period.starts_at).num_minutes() > LONGEST * 60 {
                    format!("一次直播最长{LONGEST}小时")
                } else {
                    continue;
                };
                wrong.push(FieldError { field: format!("chapters[{chapter_place}].periods[{place}].endsAt"), message });
            }
        }
        if self.periods().count() > PERIODS {
            wrong.push(FieldError { field: "chapters".to_owned(), message: format!("课时最多{PERIODS}个") });
        }
        wrong
    }
}

/// A span on a channel; its end is not of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnAir {
    pub channel: i64,
    pub from: Moment,
    pub to: Moment,
}

/// Two lessons on one channel never overlap; one may begin when the other ends.
pub fn meets_itself(times: &[OnAir]) -> bool {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by_key(|each| (each.channel, each.from));
    sorted.windows(2).any(|pair| match pair {
        [first, second] => first.channel == second.channel && second.from < first.to,
        _ => false,
    })
}

/// The channel is taken at that time.
pub fn occupied() -> Error {
    Error::conflict("该频道在此时段已被占用")
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn at(channel: i64, from: i64, to: i64) -> OnAir {
        let minute = |minute: i64| Moment::default() + TimeDelta::minutes(minute);
        OnAir { channel, from: minute(from), to: minute(to) }
    }

    #[test]
    fn a_channel_gives_one_lesson_at_a_time() {
        assert!(meets_itself(&[at(1, 1140, 1230), at(1, 1200, 1260)]), "19:00–20:30 and 20:00–21:00");
        assert!(!meets_itself(&[at(1, 1230, 1260), at(1, 1140, 1230)]), "20:30–21:00 follows");
        assert!(!meets_itself(&[at(1, 1140, 1230), at(2, 1200, 1260)]), "another channel");
        assert!(!meets_itself(&[]));
    }

    #[test]
    fn only_a_lesson_that_is_known_and_not_moved_stays() {
        let lesson = LiveContent::example().chapters.remove(0).periods.remove(0);
        assert!(!lesson.stays(&lesson), "one without a number is new");
        let known = LivePeriod { id: Some(7), ..lesson.clone() };
        assert!(known.stays(&LivePeriod { period_name: "改名".to_owned(), ..known.clone() }));
        let later = LivePeriod { ends_at: known.ends_at + TimeDelta::minutes(30), ..known.clone() };
        assert!(!later.stays(&known) && !known.stays(&LivePeriod { live_channel_id: 2, ..known.clone() }));
    }

    #[test]
    fn a_lesson_ends_after_it_began() {
        let mut content = LiveContent::example();
        content.chapters[0].periods[0].ends_at = content.chapters[0].periods[0].starts_at;
        let told = content.in_itself().map_err(|error| (error.code, error.msg.into_owned()));
        assert_eq!(told, Err((422, "结束时间必须晚于开始时间".to_owned())));
        assert!(LiveContent::example().in_itself().is_ok());
    }
}
