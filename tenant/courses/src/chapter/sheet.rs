//! What the sheet of chapters looks like: one line a section, or a chapter without sections.

use std::collections::HashMap;

use infra::{
    Change, Result, Scope, Tx,
    naming::tidy,
    sheet::{InputColumn, Row, Template},
    transfer::{Imported, Undo},
};

use super::{
    form::{ChapterForm, insert, title_taken},
    remove,
};
use crate::into_course::Lines;

/// An import into one course, which the caller holds.
pub(super) struct ChapterLines {
    course: i64,
    /// The course's chapters, old and of earlier lines, by title.
    chapters: HashMap<String, i64>,
}

impl ChapterLines {
    pub(super) async fn start(tx: &mut Tx, course: i64) -> Result<Self> {
        let chapters =
            sqlx::query!("select id, title from course_chapter where course_id = $1 and parent_id is null", course)
                .fetch_all(&mut **tx)
                .await?
                .into_iter()
                .map(|row| (row.title, row.id))
                .collect();
        Ok(Self { course, chapters })
    }

    async fn add(
        &self,
        tx: &mut Tx,
        parent_id: Option<i64>,
        title: &str,
        number: i64,
        hours: i32,
    ) -> Result<(i64, Change)> {
        let form = ChapterForm { course_id: self.course, parent_id, title: title.to_owned(), hours };
        let (id, change) = insert(tx, &form).await?;
        // Between two numbers there is room for later moves.
        let sort_no = i32::try_from(number.saturating_mul(10)).unwrap_or(i32::MAX).clamp(0, 9999);
        sqlx::query!("update course_chapter set sort_no = $2 where id = $1", id, sort_no).execute(&mut **tx).await?;
        Ok((id, change))
    }
}

impl Lines for ChapterLines {
    fn template() -> Template {
        Template {
            title: "课程章节",
            columns: vec![
                InputColumn::required("章序号", "整数，决定章的先后"),
                InputColumn::required("章标题", "同一章的各节填写相同的章标题"),
                InputColumn::optional("节序号", "整数；填写节标题时可不填，按行的先后"),
                InputColumn::optional("节标题", "没有节的章不填"),
                InputColumn::optional("学时", "节的学时；没有节时为章的学时"),
            ],
        }
    }

    async fn write(&mut self, tx: &mut Tx, row: &mut Row) -> Result<Vec<Change>> {
        let mut title = |heading: &str| row.text(heading).map(|title| tidy(&title));
        let (title, section) = (title("章标题"), title("节标题"));
        let (number, section_number) = (row.integer("章序号"), row.integer("节序号"));
        let hours = row.integer("学时").unwrap_or(0);
        let Ok(hours @ 0..=999) = i32::try_from(hours) else {
            row.refuse("学时", "学时应在0到999之间");
            return Ok(Vec::new());
        };
        if section_number.is_some() && section.is_none() {
            row.refuse("节标题", "请填写节标题");
        }
        for (heading, text) in [("章标题", &title), ("节标题", &section)] {
            if text.as_ref().is_some_and(|text| text.chars().count() > 200) {
                row.refuse(heading, "标题不能超过200个字符");
            }
        }
        let (Some(number), Some(title)) = (number, title) else { return Ok(Vec::new()) };
        if !row.errors().is_empty() {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        let known = self.chapters.get(&title).copied();
        let chapter = match (known, &section) {
            (Some(_), None) => {
                row.refuse("章标题", title_taken(&title));
                return Ok(changes);
            }
            (Some(id), Some(_)) => id,
            (None, _) => {
                let own_hours = if section.is_some() { 0 } else { hours };
                let (id, change) = self.add(tx, None, &title, number, own_hours).await?;
                changes.push(change);
                id
            }
        };
        if let Some(section) = section {
            let place = section_number.unwrap_or_else(|| i64::from(row.number()));
            match self.add(tx, Some(chapter), &section, place, hours).await {
                Ok((_, change)) => changes.push(change),
                Err(error) if error.code == 422 => {
                    row.refuse("节标题", error.msg.into_owned());
                    return Ok(Vec::new());
                }
                Err(error) => return Err(error),
            }
        }
        self.chapters.insert(title, chapter);
        Ok(changes)
    }
}

impl Undo for ChapterLines {
    const KIND: &'static str = "course_chapter.import";
    type Permission = super::ImportChapters;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let title = sqlx::query_scalar!("select title from course_chapter where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(title.unwrap_or_default())
    }
}
