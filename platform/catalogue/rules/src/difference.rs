//! In what a version differs from what is published, field by field, in the words that an auditor reads (01 §9.2).

use std::collections::HashMap;

use infra::{RichText, enumeration, money::yuan};
use poem_openapi::Object;

use crate::{
    content::{CourseMedia, RecordChapter, RecordPeriod},
    course::{CourseContent, Head},
    live::{LiveChapter, LivePeriod},
};

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
        CountBuyBase = "count_buy_base" "购买基数",
        Chapters = "chapters" "章节课时",
        Attachments = "attachments" "附件",
        File = "file" "资源文件",
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
pub fn differences(before: Option<&CourseContent>, after: &CourseContent, names: &Names) -> Vec<Difference> {
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
pub fn changed(before: Option<&CourseContent>, after: &CourseContent) -> Vec<CourseField> {
    CourseField::CHOICES
        .iter()
        .map(|(_, field)| *field)
        .filter(|field| match before {
            Some(before) => !same(*field, before, after),
            None => has(*field, after),
        })
        .collect()
}

/// Whether a field is filled in.
fn has(field: CourseField, content: &CourseContent) -> bool {
    match field {
        CourseField::Introduce => content.head().introduce.is_some(),
        CourseField::Chapters => match content {
            CourseContent::Record(content) => !content.chapters.is_empty(),
            CourseContent::Live(content) => !content.chapters.is_empty(),
            CourseContent::Resource(_) => false,
        },
        CourseField::Attachments => !content.attachments().is_empty(),
        CourseField::CountBuyBase => content.head().count_buy_base > 0,
        CourseField::File => matches!(content, CourseContent::Resource(content) if content.resource_file_key.is_some()),
        CourseField::CourseName
        | CourseField::Category
        | CourseField::Lecturer
        | CourseField::Cover
        | CourseField::Price
        | CourseField::ValidDays => true,
    }
}

fn same(field: CourseField, before: &CourseContent, after: &CourseContent) -> bool {
    let (old, new) = (before.head(), after.head());
    match field {
        CourseField::CourseName => old.course_name == new.course_name,
        CourseField::Category => old.category_id == new.category_id,
        CourseField::Lecturer => old.lecturer_id == new.lecturer_id,
        CourseField::Cover => old.cover == new.cover,
        CourseField::Introduce => old.introduce == new.introduce,
        CourseField::Price => {
            (old.is_free, old.price_original, old.price_sale) == (new.is_free, new.price_original, new.price_sale)
        }
        CourseField::ValidDays => old.valid_days == new.valid_days,
        CourseField::Chapters => match (before, after) {
            (CourseContent::Record(before), CourseContent::Record(after)) => {
                record_outline(&before.chapters) == record_outline(&after.chapters)
            }
            (CourseContent::Live(before), CourseContent::Live(after)) => {
                live_outline(&before.chapters) == live_outline(&after.chapters)
            }
            _ => true,
        },
        CourseField::Attachments => files_of(before) == files_of(after),
        CourseField::CountBuyBase => old.count_buy_base == new.count_buy_base,
        CourseField::File => match (before, after) {
            (CourseContent::Resource(before), CourseContent::Resource(after)) => {
                (&before.resource_file_key, &before.resource_file_name, before.resource_pages)
                    == (&after.resource_file_key, &after.resource_file_name, after.resource_pages)
            }
            _ => true,
        },
    }
}

/// Chapters without the files of their lessons, which are told by themselves.
fn record_outline(chapters: &[RecordChapter]) -> Vec<RecordChapter> {
    let bare = |period: &RecordPeriod| RecordPeriod { attachment_keys: Vec::new(), ..period.clone() };
    chapters
        .iter()
        .map(|chapter| RecordChapter { periods: chapter.periods.iter().map(bare).collect(), ..chapter.clone() })
        .collect()
}

/// The same of a live course.
fn live_outline(chapters: &[LiveChapter]) -> Vec<LiveChapter> {
    let bare = |period: &LivePeriod| LivePeriod { attachment_keys: Vec::new(), ..period.clone() };
    chapters
        .iter()
        .map(|chapter| LiveChapter { periods: chapter.periods.iter().map(bare).collect(), ..chapter.clone() })
        .collect()
}

/// Which lessons have which files.
fn files_of(content: &CourseContent) -> Vec<(&str, &[String])> {
    content.attachments().into_iter().map(|lesson| (lesson.period_name, lesson.keys)).collect()
}

/// What the numbers in a content are called.
#[derive(Debug, Default)]
pub struct Names {
    pub categories: HashMap<i64, String>,
    pub lecturers: HashMap<i64, String>,
    pub channels: HashMap<i64, String>,
    /// By their keys.
    pub files: HashMap<String, String>,
    pub media: Vec<CourseMedia>,
}

impl Names {
    fn told(&self, field: CourseField, content: &CourseContent) -> Option<String> {
        let head = content.head();
        match field {
            CourseField::CourseName => Some(head.course_name.to_owned()),
            CourseField::Category => Some(named(&self.categories, head.category_id)),
            CourseField::Lecturer => Some(named(&self.lecturers, head.lecturer_id)),
            CourseField::Cover => Some(head.cover.to_owned()),
            CourseField::Introduce => head.introduce.map(RichText::plain),
            CourseField::Price => Some(price(head)),
            CourseField::ValidDays => {
                Some(head.valid_days.map_or_else(|| "永久有效".to_owned(), |days| format!("{days}天")))
            }
            CourseField::CountBuyBase => Some(head.count_buy_base.to_string()),
            CourseField::Chapters => self.outline(content),
            CourseField::Attachments => self.attachments(content),
            CourseField::File => file(content),
        }
    }

    /// A line for each chapter, and below it one for each of its lessons.
    fn outline(&self, content: &CourseContent) -> Option<String> {
        let mut lines = Vec::new();
        match content {
            CourseContent::Record(content) => {
                for chapter in &content.chapters {
                    lines.push(heading(&chapter.chapter_name, chapter.chapter_desc.as_deref()));
                    for period in &chapter.periods {
                        let media = self.title(period.media_asset_id);
                        lines.push(format!("　{}{} 〔{media}〕", period.period_name, trial(period.is_free)));
                    }
                }
            }
            CourseContent::Live(content) => {
                for chapter in &content.chapters {
                    lines.push(heading(&chapter.chapter_name, chapter.chapter_desc.as_deref()));
                    for period in &chapter.periods {
                        let channel = named(&self.channels, period.live_channel_id);
                        let replay =
                            period.replay_asset_id.map_or_else(String::new, |id| format!("，回放：{}", self.title(id)));
                        // A lesson may end on the next day.
                        let overnight = period.starts_at.date_naive() != period.ends_at.date_naive();
                        let ends = if overnight { "%Y-%m-%d %H:%M" } else { "%H:%M" };
                        lines.push(format!(
                            "　{}{} 〔{channel}，{}至{}{replay}〕",
                            period.period_name,
                            trial(period.is_free),
                            period.starts_at.format("%Y-%m-%d %H:%M"),
                            period.ends_at.format(ends)
                        ));
                    }
                }
            }
            CourseContent::Resource(_) => {}
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// A line for each lesson that has files.
    fn attachments(&self, content: &CourseContent) -> Option<String> {
        let name = |key: &String| self.files.get(key).map_or("已删除", String::as_str);
        let lines: Vec<String> = content
            .attachments()
            .into_iter()
            .map(|lesson| {
                let names: Vec<&str> = lesson.keys.iter().map(name).collect();
                format!("{}：{}", lesson.period_name, names.join("、"))
            })
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn title(&self, media: i64) -> &str {
        self.media.iter().find(|known| known.id == media).map_or("已删除", |known| known.title.as_str())
    }
}

fn named(names: &HashMap<i64, String>, id: i64) -> String {
    names.get(&id).cloned().unwrap_or_else(|| "已删除".to_owned())
}

fn heading(name: &str, described: Option<&str>) -> String {
    described.map_or_else(|| name.to_owned(), |text| format!("{name}：{text}"))
}

const fn trial(is_free: bool) -> &'static str {
    if is_free { "（试看）" } else { "" }
}

fn file(content: &CourseContent) -> Option<String> {
    let CourseContent::Resource(content) = content else { return None };
    content.resource_file_key.as_ref()?;
    let name = content.resource_file_name.as_deref().unwrap_or("未命名");
    Some(content.resource_pages.map_or_else(|| name.to_owned(), |pages| format!("{name}（{pages}页）")))
}

fn price(head: Head<'_>) -> String {
    if head.is_free {
        "免费".to_owned()
    } else {
        format!("原价{}，优惠价{}", yuan(head.price_original), yuan(head.price_sale))
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::{content::RecordContent, live::LiveContent, resource::ResourceContent};

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
            differences(Some(&CourseContent::Record(before)), &CourseContent::Record(after), &names),
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
        let first = CourseContent::Record(RecordContent { chapters: Vec::new(), ..RecordContent::example() });
        let fields = changed(None, &first);
        assert!(fields.contains(&CourseField::Price) && !fields.contains(&CourseField::Chapters), "{fields:?}");
        assert!(changed(Some(&first), &first).is_empty());
    }

    #[test]
    fn files_of_lessons_are_told_by_themselves() {
        let before = RecordContent::example();
        let mut after = before.clone();
        after.chapters[0].periods[0].attachment_keys = vec!["a.pdf".to_owned(), "b.zip".to_owned()];
        after.count_buy_base = 120;
        let names = Names { files: HashMap::from([("a.pdf".to_owned(), "讲义.pdf".to_owned())]), ..Names::default() };
        let told = differences(Some(&CourseContent::Record(before)), &CourseContent::Record(after), &names);
        let told: Vec<_> =
            told.iter().map(|each| (each.field, each.before.as_deref(), each.after.as_deref())).collect();
        assert_eq!(
            told,
            [
                (CourseField::CountBuyBase, Some("0"), Some("120")),
                (CourseField::Attachments, None, Some("1.1 课程导学：讲义.pdf、已删除")),
            ]
        );
    }

    #[test]
    fn lessons_are_told_with_their_channel_and_time_and_files_with_their_name() {
        let names = Names { channels: HashMap::from([(1, "一号厅".to_owned())]), ..Names::default() };
        let live = differences(None, &CourseContent::Live(LiveContent::example()), &names);
        let outline = live.iter().find(|each| each.field == CourseField::Chapters).and_then(|each| each.after.clone());
        let told = "第一章 导学\n　第一讲 开班说明（试看） 〔一号厅，1970-01-01 08:00至09:30〕";
        assert_eq!(outline.as_deref(), Some(told));
        let mut overnight = LiveContent::example();
        let lesson = &mut overnight.chapters[0].periods[0];
        lesson.ends_at = lesson.starts_at + chrono::TimeDelta::hours(17);
        let live = differences(None, &CourseContent::Live(overnight), &names);
        let outline = live.iter().find(|each| each.field == CourseField::Chapters).and_then(|each| each.after.clone());
        let told = "第一章 导学\n　第一讲 开班说明（试看） 〔一号厅，1970-01-01 08:00至1970-01-02 01:00〕";
        assert_eq!(outline.as_deref(), Some(told));
        let before = ResourceContent::example();
        let after = ResourceContent {
            resource_file_key: Some("a.pdf".to_owned()),
            resource_file_name: Some("真题.pdf".to_owned()),
            ..before.clone()
        };
        let told = differences(Some(&CourseContent::Resource(before)), &CourseContent::Resource(after), &names);
        assert_eq!((told.len(), told[0].after.as_deref()), (1, Some("真题.pdf（48页）")));
        let filed = |name: &str| {
            CourseContent::Resource(ResourceContent {
                resource_file_key: Some("a.pdf".to_owned()),
                resource_file_name: Some(name.to_owned()),
                ..ResourceContent::example()
            })
        };
        assert_eq!(changed(Some(&filed("真题.pdf")), &filed("真题汇编.pdf")), [CourseField::File], "another name");
    }
}
