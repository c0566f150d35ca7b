//! In what a version differs from what is published, field by field, in the words that an auditor reads (01 §9.2).

use std::collections::HashMap;

use infra::{RichText, enumeration};
use poem_openapi::Object;

use crate::content::{CourseMedia, RecordContent};

enumeration! {
    /// 课程变更项
    pub enum CourseField = "courseField" {
        CourseName = "course_name" "课程名称",
        Category = "category" "分类",
        Lecturer = "lecturer" "讲师",
        Cover = "cover" "封面",
        Introduce = "introduce" "课程介绍",
        Price = "price" "价格",
        ValidDays = "valid_days" "有效期",
        Chapters = "chapters" "章节课时",
    }
}

/// A field of a version, and what is published of it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Difference {
    /// 变更项
    pub field: CourseField,
    /// 变更项名称
    pub label: String,
    /// 已发布内容
    pub before: Option<String>,
    /// 待审内容
    pub after: Option<String>,
}

/// The fields in which a content differs; all that have a value when there is none before.
pub fn differences(before: Option<&RecordContent>, after: &RecordContent, names: &Names) -> Vec<Difference> {
    changed(before, after)
        .into_iter()
        .map(|field| Difference {
            field,
            label: field.zh().to_owned(),
            before: before.and_then(|content| names.told(field, content)),
            after: names.told(field, after),
        })
        .collect()
}

/// The same, the fields alone.
pub fn changed(before: Option<&RecordContent>, after: &RecordContent) -> Vec<CourseField> {
    CourseField::CHOICES
        .iter()
        .map(|(_, field)| *field)
        .filter(|field| match before {
            Some(before) => !same(*field, before, after),
            None => match field {
                CourseField::Introduce => after.introduce.is_some(),
                CourseField::Chapters => !after.chapters.is_empty(),
                _ => true,
            },
        })
        .collect()
}

fn same(field: CourseField, before: &RecordContent, after: &RecordContent) -> bool {
    match field {
        CourseField::CourseName => before.course_name == after.course_name,
        CourseField::Category => before.category_id == after.category_id,
        CourseField::Lecturer => before.lecturer_id == after.lecturer_id,
        CourseField::Cover => before.cover == after.cover,
        CourseField::Introduce => before.introduce == after.introduce,
        CourseField::Price => {
            (before.is_free, before.price_original, before.price_sale)
                == (after.is_free, after.price_original, after.price_sale)
        }
        CourseField::ValidDays => before.valid_days == after.valid_days,
        CourseField::Chapters => before.chapters == after.chapters,
    }
}

/// What the numbers in a content are called.
#[derive(Debug, Default)]
pub struct Names {
    pub categories: HashMap<i64, String>,
    pub lecturers: HashMap<i64, String>,
    pub media: Vec<CourseMedia>,
}

impl Names {
    fn told(&self, field: CourseField, content: &RecordContent) -> Option<String> {
        let named =
            |names: &HashMap<i64, String>, id: i64| names.get(&id).cloned().unwrap_or_else(|| "已删除".to_owned());
        match field {
            CourseField::CourseName => Some(content.course_name.clone()),
            CourseField::Category => Some(named(&self.categories, content.category_id)),
            CourseField::Lecturer => Some(named(&self.lecturers, content.lecturer_id)),
            CourseField::Cover => Some(content.cover.clone()),
            CourseField::Introduce => content.introduce.as_ref().map(RichText::plain),
            CourseField::Price => Some(price(content)),
            CourseField::ValidDays => {
                Some(content.valid_days.map_or_else(|| "永久有效".to_owned(), |days| format!("{days}天")))
            }
            CourseField::Chapters => self.outline(content),
        }
    }

    /// A line for each chapter, and below it one for each of its lessons.
    fn outline(&self, content: &RecordContent) -> Option<String> {
        let titles: HashMap<i64, &str> = self.media.iter().map(|media| (media.id, media.title.as_str())).collect();
        let mut lines = Vec::new();
        for chapter in &content.chapters {
            let described = chapter.chapter_desc.as_ref().map_or_else(String::new, |text| format!("：{text}"));
            lines.push(format!("{}{described}", chapter.chapter_name));
            for period in &chapter.periods {
                let free = if period.is_free { "（试看）" } else { "" };
                let media = titles.get(&period.media_asset_id).copied().unwrap_or("已删除");
                lines.push(format!("　{}{free} 〔{media}〕", period.period_name));
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn price(content: &RecordContent) -> String {
    let yuan = |fen: i64| format!("{}.{:02}元", fen / 100, fen % 100);
    if content.is_free {
        "免费".to_owned()
    } else {
        format!("原价{}，优惠价{}", yuan(content.price_original), yuan(content.price_sale))
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let before = RecordContent::example();
        let after = RecordContent {
            price_sale: 9_905,
            chapters: before
                .chapters
                .iter()
                .cloned()
                .map(|chapter| crate::content::RecordChapter {
                    chapter_desc: Some("课程介绍".to_owned()), ..chapter
                })
                .collect(),
            ..before.clone()
        };
        let names = Names {
            media: vec![CourseMedia {
                id: 1,
                title: "导学.mp4".to_owned(),
                channel: setting_rules::media::MediaChannel::Polyv,
                duration: None,
                state: setting_rules::media::MediaState::Ready,
            }],
            ..Names::default()
        };
        let told = |field: CourseField, before: &str, after: &str| Difference {
            field,
            label: field.zh().to_owned(),
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
        };
        assert_eq!(
            differences(Some(&before), &after, &names),
            [
                told(CourseField::Price, "原价199.00元，优惠价149.00元", "原价199.00元，优惠价99.05元"),
                told(
                    CourseField::Chapters,
                    "第一章 绪论\n　1.1 课程导学（试看） 〔导学.mp4〕",
                    "第一章 绪论：课程介绍\n　1.1 课程导学（试看） 〔导学.mp4〕"
                ),
            ]
        );
    }

    #[test]
    fn a_first_version_is_all_new() {
        let first = RecordContent { chapters: Vec::new(), ..RecordContent::example() };
        let fields = changed(None, &first);
        assert!(fields.contains(&CourseField::Price) && !fields.contains(&CourseField::Chapters), "{fields:?}");
        assert!(changed(Some(&first), &first).is_empty());
    }
}
