//! The catalogue of a reader, put together of what the platform publishes for their school and of the school's own (part 05 B4).

use std::collections::HashMap;

use infra::{ReadTx, Result};
use sqlx::PgConnection;
use support_rules::{
    catalog::{ArticleLine, Catalog, CategoryLine},
    enums::{SupportAudience, SupportSource},
    search::Sought,
};

use crate::{OWN_FIRST, source};

/// Where a reader reads. Both looks stay open until the answer is made.
pub(super) struct Shelves {
    pub audience: SupportAudience,
    /// The reader's school; none for an operator outside of schools.
    pub school_id: Option<i64>,
    pub platform: ReadTx,
    pub school: Option<ReadTx>,
    /// What the school hides of the platform.
    hidden: Vec<i64>,
}

impl Shelves {
    pub(super) async fn of(
        audience: SupportAudience,
        mut platform: ReadTx,
        school: Option<(i64, ReadTx)>,
    ) -> Result<Self> {
        let (school_id, school) = school.unzip();
        let hidden = match school_id {
            Some(school) => source::hidden_by(&mut platform, school).await?,
            None => Vec::new(),
        };
        Ok(Self { audience, school_id, platform, school, hidden })
    }

    /// Whether the school's own articles stand before the platform's.
    pub(super) async fn own_first(&mut self) -> Result<bool> {
        match &mut self.school {
            Some(school) => OWN_FIRST.is_on(school).await,
            None => Ok(false),
        }
    }

    pub(super) async fn catalog(&mut self) -> Result<Catalog> {
        let own_first = self.own_first().await?;
        let (audience, school) = (self.audience, self.school_id);
        let mut categories = categories_of(&mut self.platform, SupportSource::Platform, audience).await?;
        let mut articles =
            articles_of(&mut self.platform, SupportSource::Platform, audience, school, &self.hidden).await?;
        if let Some(own) = &mut self.school {
            categories.extend(categories_of(own, SupportSource::School, audience).await?);
            articles.extend(articles_of(own, SupportSource::School, audience, None, &[]).await?);
        }
        Ok(Catalog::of(categories, articles, own_first))
    }

    /// Whether an article stands in the catalogue; the rest of it is not looked up.
    pub(super) async fn has(&mut self, source: SupportSource, id: i64) -> Result<bool> {
        let of_platform = source == SupportSource::Platform;
        if of_platform && self.hidden.contains(&id) {
            return Ok(false);
        }
        let (audience, school) = (self.audience, self.school_id.filter(|_| of_platform));
        let Some(side) = self.side(source) else { return Ok(false) };
        let stands = sqlx::query_scalar!(
            r#"select exists (
                   select from support_article a
                   join support_category c on c.id = a.category_id
                   left join support_category p on p.id = c.parent_id
                   where a.id = $1 and a.audience = $2 and a.status = 'published' and c.enabled and coalesce(p.enabled, true)
                     and ($3::bigint is null or a.school_ids = '{}' or $3 = any(a.school_ids))) as "stands!""#,
            id,
            audience.as_str(),
            school
        )
        .fetch_one(&mut **side)
        .await?;
        Ok(stands)
    }

    /// How often the words stand in the title of each article that has them all.
    pub(super) async fn hits(&mut self, sought: &Sought) -> Result<HashMap<(SupportSource, i64), i64>> {
        let audience = self.audience;
        let mut found = HashMap::new();
        for (id, times) in hits_of(&mut self.platform, audience, sought).await? {
            found.insert((SupportSource::Platform, id), times);
        }
        if let Some(own) = &mut self.school {
            for (id, times) in hits_of(own, audience, sought).await? {
                found.insert((SupportSource::School, id), times);
            }
        }
        Ok(found)
    }

    /// The look in which the articles of a source lie; none for a school's outside of schools.
    pub(super) fn side(&mut self, source: SupportSource) -> Option<&mut ReadTx> {
        match source {
            SupportSource::Platform => Some(&mut self.platform),
            SupportSource::School => self.school.as_mut(),
        }
    }
}

async fn categories_of(
    connection: &mut PgConnection,
    source: SupportSource,
    audience: SupportAudience,
) -> Result<Vec<CategoryLine>> {
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.parent_id as "parent_id?", c.name as "name!", c.icon as "icon?", c.sort as "sort!"
           from support_category c left join support_category p on p.id = c.parent_id
           where c.audience = $1 and c.enabled and coalesce(p.enabled, true)"#,
        audience.as_str()
    )
    .fetch_all(connection)
    .await?;
    let lines = rows.into_iter().map(|row| CategoryLine {
        source,
        id: row.id,
        parent_id: row.parent_id,
        name: row.name,
        icon: row.icon,
        sort: row.sort,
    });
    Ok(lines.collect())
}

/// The published articles of one side, by the title that was published; of the platform, those for the school.
async fn articles_of(
    connection: &mut PgConnection,
    source: SupportSource,
    audience: SupportAudience,
    school: Option<i64>,
    hidden: &[i64],
) -> Result<Vec<ArticleLine>> {
    let rows = sqlx::query!(
        r#"select a.id, a.category_id, v.title, a.pinned, a.sort, v.published_at
           from support_article a
           join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
           where a.audience = $1 and a.status = 'published'
             and ($2::bigint is null or a.school_ids = '{}' or $2 = any(a.school_ids))
             and a.id <> all($3::bigint[])"#,
        audience.as_str(),
        school,
        hidden
    )
    .fetch_all(connection)
    .await?;
    let lines = rows.into_iter().map(|row| ArticleLine {
        source,
        id: row.id,
        category_id: row.category_id,
        title: row.title,
        pinned: row.pinned,
        sort: row.sort,
        published_at: row.published_at,
    });
    Ok(lines.collect())
}

/// Articles of one side that have every word, whoever may read them; and how many of the words stand in the title.
async fn hits_of(connection: &mut PgConnection, audience: SupportAudience, sought: &Sought) -> Result<Vec<(i64, i64)>> {
    let rows = sqlx::query!(
        r#"select a.id,
                  (select count(*) from unnest($3::text[]) as w (word) where strpos(lower(v.title), w.word) > 0) as "in_title!"
           from support_article a
           join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
           where a.audience = $1 and a.status = 'published' and v.grams @> $2::text[]
             and not exists (select from unnest($3::text[]) as w (word) where strpos(v.searched, w.word) = 0)"#,
        audience.as_str(),
        &sought.grams,
        &sought.words
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.in_title)).collect())
}
