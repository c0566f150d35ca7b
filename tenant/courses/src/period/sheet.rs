//! What the sheet of periods looks like: one line a video or audio that lies in its channel already (part 03 A6).

use std::collections::{HashMap, HashSet};

use infra::{
    App, Change, Result, Scope, Tx,
    naming::tidy,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{Imported, Undo},
};
use settings::media::{self, Adoption, MediaChannel};
use sqlx::PgConnection;

use super::{
    PeriodForm, PeriodKind,
    form::{course_of, insert},
    remove,
};
use crate::{course, into_course::Lines};

const CHAPTER: &str = "章标题";
const SECTION: &str = "节标题";
const TITLE: &str = "课时标题";
const KIND: &str = "类型";
const CHANNEL: &str = "通道";
const MEDIA: &str = "媒体ID";
const SECONDS: &str = "时长(秒)";
const REQUIRED: &str = "必修";

/// The kinds whose material lies in a channel.
const KINDS: [(&str, PeriodKind); 2] =
    [(PeriodKind::Video.zh(), PeriodKind::Video), (PeriodKind::Audio.zh(), PeriodKind::Audio)];
const YES_NO: [(&str, bool); 2] = [("是", true), ("否", false)];

/// A chapter, or a section of one, by their titles.
type Place = (String, Option<String>);

/// An import into one record. Its course is held, so that the chapters stay as they were read.
pub(super) struct PeriodLines {
    record: i64,
    places: HashMap<Place, i64>,
    /// Chapter and title of the record's periods, old and of earlier lines: a sheet that comes twice is told.
    taken: HashSet<(i64, String)>,
    media: Adoption,
}

impl PeriodLines {
    /// # Errors
    /// 422 at `courseRecordId` when there is no such record.
    pub(super) async fn start(tx: &mut Tx, record: i64, media: Adoption) -> Result<Self> {
        let course = course_of(tx, record).await?;
        course::hold(tx, course).await?;
        let places = places(tx, course).await?.into_iter().collect();
        let taken = sqlx::query!("select chapter_id, title from course_period where course_record_id = $1", record)
            .fetch_all(&mut **tx)
            .await?
            .into_iter()
            .map(|row| (row.chapter_id, row.title))
            .collect();
        Ok(Self { record, places, taken, media })
    }

    /// What a line names must be there already: chapters have a sheet of their own.
    fn chapter(&self, row: &mut Row) -> Option<i64> {
        let section = row.text(SECTION).map(|title| tidy(&title));
        let chapter = tidy(&row.text(CHAPTER)?);
        let place = (chapter, section);
        let found = self.places.get(&place).copied();
        if found.is_none() {
            let (chapter, section) = place;
            match section {
                Some(section) if self.places.contains_key(&(chapter.clone(), None)) => {
                    row.refuse(SECTION, format!("“{chapter}”下没有节“{section}”，请先新增或导入章节"));
                }
                _ => row.refuse(CHAPTER, format!("本课程没有章“{chapter}”，请先新增或导入章节")),
            }
        }
        found
    }
}

/// The chapters of a course with their sections, in their order.
async fn places(connection: &mut PgConnection, course: i64) -> Result<Vec<(Place, i64)>> {
    let rows = sqlx::query!(
        r#"select c.id, c.title, above.title as "above?"
           from course_chapter c left join course_chapter above on above.id = c.parent_id
           where c.course_id = $1
           order by coalesce(above.sort_no, c.sort_no), coalesce(above.id, c.id), c.parent_id is not null, c.sort_no, c.id"#,
        course
    )
    .fetch_all(connection)
    .await?;
    let place = |title: String, above: Option<String>| match above {
        Some(chapter) => (chapter, Some(title)),
        None => (title, None),
    };
    Ok(rows.into_iter().map(|row| (place(row.title, row.above), row.id)).collect())
}

/// The template with the chapters and sections of the record's course to choose from.
///
/// # Errors
/// 422 at `courseRecordId` when there is no such record.
pub(super) async fn template_of(connection: &mut PgConnection, record: i64) -> Result<Template> {
    let course = course_of(connection, record).await?;
    let (mut chapters, mut sections): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for ((chapter, section), _) in places(connection, course).await? {
        match section {
            None => chapters.push(chapter),
            // Sections of two chapters may have the same title.
            Some(section) if !sections.contains(&section) => sections.push(section),
            Some(_) => {}
        }
    }
    let mut template = PeriodLines::template();
    for column in &mut template.columns {
        match column.heading.as_ref() {
            CHAPTER => column.options = std::mem::take(&mut chapters),
            SECTION => column.options = std::mem::take(&mut sections),
            _ => {}
        }
    }
    Ok(template)
}

/// Text of at most so many signs.
fn short(row: &mut Row, heading: &str, most: usize) -> Option<String> {
    let text = row.text(heading)?;
    if text.chars().count() > most {
        row.refuse(heading, format!("不能超过{most}个字符"));
        return None;
    }
    Some(text)
}

impl Lines for PeriodLines {
    fn template() -> Template {
        Template {
            title: "课时",
            columns: vec![
                InputColumn::required(CHAPTER, "本课程已有的章"),
                InputColumn::optional(SECTION, "该章下已有的节；课时直接属于章时不填"),
                InputColumn::required(TITLE, "不超过140个字符"),
                InputColumn::required(KIND, "视频或音频").one_of(KINDS.map(|(word, _)| word)),
                InputColumn::required(CHANNEL, "音视频所在的通道")
                    .one_of(MediaChannel::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::required(MEDIA, "通道中的媒体编号；尚未登记的会自动登记，转码状态稍后更新"),
                InputColumn::optional(SECONDS, "1至360000的整数；不填时取音视频的时长"),
                InputColumn::optional(REQUIRED, "不填时为是").one_of(YES_NO.map(|(word, _)| word)),
            ],
        }
    }

    async fn write(&mut self, tx: &mut Tx, row: &mut Row) -> Result<Vec<Change>> {
        let chapter = self.chapter(row);
        let title = short(row, TITLE, 140).map(|title| tidy(&title));
        let kind = row.one_of(KIND, &KINDS);
        let channel = row.one_of(CHANNEL, MediaChannel::CHOICES);
        let vid = short(row, MEDIA, 140);
        let typed = row.integer(SECONDS);
        let seconds = typed.and_then(|typed| i32::try_from(typed).ok()).filter(|typed| (1..=360_000).contains(typed));
        if typed.is_some() && seconds.is_none() {
            row.refuse(SECONDS, "时长应在1到360000之间");
        }
        let required = row.one_of(REQUIRED, &YES_NO).unwrap_or(true);
        if let (Some(chapter), Some(title)) = (chapter, &title)
            && !self.taken.insert((chapter, title.clone()))
        {
            row.refuse(TITLE, format!("该章节中已有课时“{title}”"));
        }
        let (Some(chapter_id), Some(title), Some(kind), Some(channel), Some(vid)) =
            (chapter, title, kind, channel, vid)
        else {
            return Ok(Vec::new());
        };
        if !row.errors().is_empty() {
            return Ok(Vec::new());
        }
        let (media, adopted) = match self.media.adopt(tx, row.number(), channel, &vid, &title).await {
            Ok(media) => media,
            Err(error) if error.code == 422 => {
                row.refuse(CHANNEL, error.msg.into_owned());
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let form = PeriodForm {
            course_record_id: self.record,
            chapter_id,
            title,
            kind,
            media_asset_id: Some(media),
            file_key: None,
            url: None,
            live_starts_at: None,
            live_ends_at: None,
            duration_seconds: seconds,
            page_count: None,
            weight: 1,
            required,
            free_preview: false,
        };
        let (_, change) = insert(tx, form).await?;
        Ok(adopted.into_iter().chain([change]).collect())
    }

    async fn settle(&mut self, app: &App, keep: bool) -> Result<Vec<RowError>> {
        let foreign = self.media.settle(app, keep).await?;
        let told = |line: u32| RowError {
            row: line,
            column: MEDIA.to_owned(),
            message: "该媒体属于其他院校，请核对媒体ID".to_owned(),
        };
        Ok(foreign.into_iter().map(told).collect())
    }
}

impl Undo for PeriodLines {
    const KIND: &'static str = "course_period.import";
    type Permission = super::ImportPeriods;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.entity == "media_asset" {
            // Registered with the periods, and of no use to anybody else unless something plays it.
            return media::remove(tx, record.id).await.map(Some);
        }
        let [change, told] = remove(tx, record.id).await?;
        tx.record(&[told]).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let title = sqlx::query_scalar!(
            r#"select case when $2 then (select title from course_period where id = $1)
                           else (select title from media_asset where id = $1) end"#,
            record.id,
            record.entity == "course_period"
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(title.unwrap_or_default())
    }
}
