//! The site of the demonstration: each list with something in it, what is over and what is still to come among it.

use chrono::NaiveDate;
use infra::{Change, Result, Tx};
use serde_json::json;
use site_content_rules::poster::{self, PosterElement, PosterElementKind};

/// A plain field with a word, as wide and as high as it is to be.
fn picture(width: i32, height: i32, color: &str, words: &str) -> String {
    format!(
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'%3E%3Crect width='{width}' \
         height='{height}' fill='%23{color}'/%3E%3Ctext x='{}' y='{}' font-size='{}' fill='white'%3E{words}%3C/text%3E%3C/svg%3E",
        width / 12,
        height / 2,
        height / 5
    )
}

/// Title and address.
const NAVS: [(&str, &str); 4] =
    [("首页", "/"), ("录播课程", "/courses"), ("名师", "/lecturers"), ("合作院校", "/schools")];

/// Place, title, colour, days from today until it begins and ends.
const ADVERTISEMENTS: [(&str, &str, &str, i32, i32); 4] = [
    ("top", "春季招生进行中", "B4331F", -10, 40),
    ("carousel", "学位英语考前辅导", "165DFF", -20, 60),
    ("carousel", "名师直播周", "0E7A5F", 5, 12),
    ("carousel", "开学第一课", "7A3E9D", -90, -60),
];

/// What stands in a column of the foot: title and address, or words of an article.
type Entry = (&'static str, Option<&'static str>);

/// Column, and what stands below it.
const FOOTER: [(&str, [Entry; 2]); 2] = [
    ("关于我们", [("平台介绍", None), ("联系我们", None)]),
    ("学习指南", [("常见问题", Some("/help")), ("学习流程", Some("/guide"))]),
];

/// Terminal, type and word.
const WORDS: [(&str, &str, &str); 4] = [
    ("pc", "hot", "学位英语"),
    ("pc", "hot", "计算机应用"),
    ("pc", "placeholder", "搜索课程、讲师"),
    ("app", "hot", "学位英语"),
];

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The operators' part, with the course, lecturer and category of the demonstration where they are. Does nothing where the site has a
/// bar; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<Made> {
    let known =
        sqlx::query_scalar!(r#"select exists (select from platform.nav_bar) as "known!""#).fetch_one(&mut **tx).await?;
    if known {
        return Ok(Made::default());
    }
    let mut rows = heads(tx, today).await?;
    rows.extend(feet(tx).await?);
    rows.extend(shelves(tx).await?);
    rows.extend(posters(tx).await?);
    let changes = rows.iter().map(|(table, id)| Change::event(table, *id, "insert", json!({ "demo": true }))).collect();
    Ok(Made { rows, changes })
}

type Added = Vec<(&'static str, i64)>;

/// Bars and advertisements.
async fn heads(tx: &mut Tx, today: NaiveDate) -> Result<Added> {
    let mut made = Vec::new();
    for terminal in ["pc", "app"] {
        for ((title, url), sort) in NAVS.iter().zip(1_i32..) {
            let id = sqlx::query_scalar!(
                "insert into platform.nav_bar (terminal, nav_title, nav_url, target, sort, created_by, updated_by)
                 values ($1, $2, $3, 'self', $4, 0, 0) returning id",
                terminal,
                title,
                url,
                sort
            )
            .fetch_one(&mut **tx)
            .await?;
            made.push(("nav_bar", id));
        }
        for ((place, title, color, begins, ends), sort) in ADVERTISEMENTS.iter().zip(1_i32..) {
            let (width, height) = if *place == "top" { (1200, 80) } else { (1200, 400) };
            let id = sqlx::query_scalar!(
                "insert into platform.adv (adv_location, terminal, adv_title, adv_img, target, begins_at, ends_at,
                     sort, created_by,
                     updated_by)
                 values ($1, $2, $3, $4, 'self', ($8::date + $5::integer)::timestamp at time zone 'Asia/Shanghai',
                         ($8::date + $6::integer)::timestamp at time zone 'Asia/Shanghai', $7, 0, 0) returning id",
                place,
                terminal,
                title,
                picture(width, height, color, title),
                begins,
                ends,
                sort,
                today
            )
            .fetch_one(&mut **tx)
            .await?;
            made.push(("adv", id));
        }
    }
    Ok(made)
}

/// The foot of the site, links and words.
async fn feet(tx: &mut Tx) -> Result<Added> {
    let mut made = Vec::new();
    for ((column, entries), sort) in FOOTER.iter().zip(1_i32..) {
        let above = sqlx::query_scalar!(
            "insert into platform.website_nav (nav_title, sort, created_by, updated_by) values ($1, $2, 0,
                 0) returning id",
            column,
            sort
        )
        .fetch_one(&mut **tx)
        .await?;
        made.push(("website_nav", above));
        for ((title, url), sort) in entries.iter().zip(1_i32..) {
            let article = url.is_none().then(|| format!("<p>{title}：这里是演示内容。</p>"));
            let id = sqlx::query_scalar!(
                "insert into platform.website_nav (parent_id, nav_title, link_url, content, sort, created_by,
                     updated_by)
                 values ($1, $2, $3, $4, $5, 0, 0) returning id",
                above,
                title,
                *url,
                article,
                sort
            )
            .fetch_one(&mut **tx)
            .await?;
            made.push(("website_nav", id));
        }
    }
    for ((name, url), sort) in
        [("学信网", "https://www.chsi.com.cn/"), ("国家开放大学", "https://www.ouchn.edu.cn/")].iter().zip(1_i32..)
    {
        let id = sqlx::query_scalar!(
            "insert into platform.website_link (link_name, link_url, target, sort, created_by, updated_by)
             values ($1, $2, 'blank', $3, 0, 0) returning id",
            name,
            url,
            sort
        )
        .fetch_one(&mut **tx)
        .await?;
        made.push(("website_link", id));
    }
    for ((terminal, kind, word), sort) in WORDS.iter().zip(1_i32..) {
        let id = sqlx::query_scalar!(
            "insert into platform.search_word (terminal, word_type, word, sort, created_by, updated_by)
             values ($1, $2, $3, $4, 0, 0) returning id",
            terminal,
            kind,
            word,
            sort
        )
        .fetch_one(&mut **tx)
        .await?;
        made.push(("search_word", id));
    }
    Ok(made)
}

/// Shelves of the home page: their titles and kinds.
const SHELVES: [(&str, &str); 4] =
    [("精品课程", "record"), ("模拟考试", "exam"), ("学习分享", "blog"), ("名师风采", "lecturer")];

/// Shelves with what visitors see of each kind, and the catalogue's categories.
async fn shelves(tx: &mut Tx) -> Result<Added> {
    let mut made = Vec::new();
    for terminal in ["pc", "app"] {
        for ((title, kind), sort) in SHELVES.iter().zip(1_i32..) {
            let zone = sqlx::query_scalar!(
                "insert into platform.zone (terminal, zone_title, zone_type, layout, sort, created_by, updated_by)
                 values ($1, $2, $3, 'grid', $4, 0, 0) returning id",
                terminal,
                title,
                kind,
                sort
            )
            .fetch_one(&mut **tx)
            .await?;
            made.push(("zone", zone));
            let items = sqlx::query_scalar!(
                r#"insert into platform.zone_item (zone_id, ref_id, sort, created_by, updated_by)
                   select $1, s.id, row_number() over (order by s.id), 0, 0 from (
                       select c.id from platform.online_course c where $2 = 'record' and c.course_type = 'record'
                       union all
                       select x.id from platform.online_exam x where $2 = 'exam' and x.enabled and x.putaway = 'on'
                       union all
                       select b.id from platform.blog b
                       where $2 = 'blog' and b.audit_status = 'approved' and b.putaway = 'on'
                       union all
                       select l.id from platform.lecturer l where $2 = 'lecturer') s
                   order by s.id limit 5 returning id"#,
                zone,
                kind
            )
            .fetch_all(&mut **tx)
            .await?;
            made.extend(items.into_iter().map(|id| ("zone_item", id)));
        }
        let categories = sqlx::query_scalar!(
            "insert into platform.home_category (terminal, category_id, created_by, updated_by)
             select $1, c.id, 0, 0 from platform.online_category c where c.parent_id is null and c.enabled
             order by c.sort, c.id limit 5 returning id",
            terminal
        )
        .fetch_all(&mut **tx)
        .await?;
        made.extend(categories.into_iter().map(|id| ("home_category", id)));
    }
    Ok(made)
}

async fn posters(tx: &mut Tx) -> Result<Added> {
    let text = |kind, y, size| PosterElement {
        kind,
        x: 75,
        y,
        w: 600,
        h: 2 * size,
        color: Some("#FFFFFF".to_owned()),
        size: Some(size),
    };
    let code = PosterElement { kind: PosterElementKind::Qr, x: 275, y: 1040, w: 200, h: 200, color: None, size: None };
    let elements = [text(PosterElementKind::Title, 720, 48), text(PosterElementKind::Price, 860, 40), code];
    let id = sqlx::query_scalar!(
        "insert into platform.sharing_template (name, share_type, bg_image, elements, is_default, created_by,
             updated_by)
         values ('课程海报', 'course', $1, $2, true, 0, 0) returning id",
        picture(750, 1334, "165DFF", ""),
        poster::to_stored(&elements)
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(vec![("sharing_template", id)])
}

/// A demonstration school among those of the home page; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn school(mut tx: Tx, school: i64) -> Result<()> {
    let id = sqlx::query_scalar!(
        "insert into platform.zone_school (school_id, slogan, created_by, updated_by)
         values ($1, '成就每一位在职学习者', 0, 0) on conflict (school_id) do nothing returning id",
        school
    )
    .fetch_optional(&mut *tx)
    .await?;
    match id {
        Some(id) => tx.commit(Change::event("zone_school", id, "insert", json!({ "demo": true }))).await,
        None => Ok(()),
    }
}

/// Takes a school off the home page.
///
/// # Errors
/// Only internal ones.
pub async fn forget(tx: &mut Tx, school: i64) -> Result<()> {
    sqlx::query!("delete from platform.zone_school where school_id = $1", school).execute(&mut **tx).await?;
    Ok(())
}

/// Rows of the demonstration.
pub struct Rows {
    pub navs: Vec<i64>,
    pub advertisements: Vec<i64>,
    pub footer: Vec<i64>,
    pub links: Vec<i64>,
    pub words: Vec<i64>,
    pub zones: Vec<i64>,
    pub items: Vec<i64>,
    pub categories: Vec<i64>,
    pub posters: Vec<i64>,
}

/// Removes them, what stands on their shelves and below their columns, and `leaving` categories from the home page.
///
/// # Errors
/// Only internal ones.
pub async fn clear(tx: &mut Tx, rows: &Rows, leaving: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.nav_bar where id = any($1)", &rows.navs).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.adv where id = any($1)", &rows.advertisements).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.website_nav where parent_id = any($1)", &rows.footer).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.website_nav where id = any($1)", &rows.footer).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.website_link where id = any($1)", &rows.links).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.search_word where id = any($1)", &rows.words).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.zone_item where id = any($1) or zone_id = any($2)", &rows.items, &rows.zones)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.zone where id = any($1)", &rows.zones).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.home_category where id = any($1) or category_id = any($2)",
        &rows.categories,
        leaving
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.sharing_template where id = any($1)", &rows.posters).execute(&mut **tx).await?;
    Ok(())
}
