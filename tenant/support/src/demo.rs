//! The help centre of a demonstration: what the operators and a school wrote, in every state, who reads it, and what was asked
//! (05 G: forty articles, one question per 25 students of which eight in ten were answered).

use std::collections::HashMap;

use chrono::{Duration, NaiveDate};
use infra::{
    App, Change, Result, Tx,
    clock::{Moment, day_began},
};
use serde_json::json;
use support_rules::{enums::SupportAudience, text::ArticleText};

use crate::article::{self, publish::publish_now};

/// Area, audience, category, category below it, title, keywords, whether it is pinned, status, paragraphs.
const ARTICLES: &str = include_str!("../data/articles.tsv");
/// Articles that a school has of its own.
pub const ARTICLES_OF_SCHOOL: i64 = 12;
/// Of how many students one asks.
const ASKS: i64 = 25;
/// Of how many questions one still waits.
const WAITS: i64 = 5;
/// Days on which was read and asked.
const DAYS: i32 = 60;

/// Title, what is asked, what is answered.
const QUESTIONS: [(&str, &str, &str); 6] = [
    ("学费可以分期缴纳吗", "家里暂时有困难，请问本学期学费可以分期缴纳吗？", "可以申请缓缴，请到所在站点领取申请表。"),
    (
        "课程视频播放卡顿",
        "晚上看《高等数学》视频经常卡顿，换了网络也一样。",
        "请更换浏览器后重试，仍有问题请告诉我们具体时间。",
    ),
    ("什么时候可以打印准考证", "请问这学期的准考证什么时候可以打印？", "考试前一周开放打印，届时会有消息提醒。"),
    ("选错课程怎么办", "选课时选错了一门选修课，还能改吗？", "选课截止前可以自行退选后重选。"),
    ("毕业照片不合格", "上传的毕业照片被退回，提示背景不符合要求。", "请使用白色背景的电子照片，像素不低于480×640。"),
    ("站点教室停电如何处理", "周末面授时停电，课程没有上完。", "请联系教务处安排补课，系统会通知学生。"),
];

/// What schools' staff ask the operators, and what they are answered.
const ASKED: [(&str, &str, Option<&str>); 3] = [
    (
        "批量导入教师时提示工号重复",
        "导入教师时部分行提示工号重复，但系统中查不到这些工号。",
        Some("停用的教师也占用工号，请在教师列表中选择“停用”后查找。"),
    ),
    (
        "能否按站点导出准考证",
        "考务需要按站点打印准考证，请问怎样导出？",
        Some("在考生名单中按站点筛选后点击“打印准考证”。"),
    ),
    ("毕业审核条件能否增加一项", "学校要求毕业前完成安全教育，希望审核条件中可以增加这一项。", None),
];

/// What is looked for in vain.
const MISSED: [(&str, &str); 4] = [("student", "宿舍"), ("student", "奖学金"), ("teacher", "职称"), ("site", "发票")];

/// How many questions so many students ask, not counting others.
pub fn questions_for(students: i64) -> i64 {
    students / ASKS
}

/// Rows that [`platform`] made: table and number of each, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The operators' part. Does nothing where there are articles; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn platform(tx: &mut Tx, today: NaiveDate) -> Result<Made> {
    let mut made = Made::default();
    if known(tx).await? {
        return Ok(made);
    }
    let (categories, articles) = articles(tx, "platform").await?;
    reads(tx, today, "0/student/").await?;
    made.rows.extend(categories.into_iter().map(|id| ("support_category", id)));
    made.rows.extend(articles.into_iter().map(|id| ("support_article", id)));
    made.changes =
        made.rows.iter().map(|(table, id)| Change::event(table, *id, "insert", json!({ "demo": true }))).collect();
    Ok(made)
}

/// Removes the operators' part: categories and articles of these numbers, and what was read of them.
///
/// # Errors
/// Only internal ones.
pub async fn clear(tx: &mut Tx, categories: &[i64], articles: &[i64]) -> Result<()> {
    sqlx::query!("delete from support_read where article_id = any($1)", articles).execute(&mut **tx).await?;
    sqlx::query!("delete from support_article_version where article_id = any($1)", articles).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.support_hidden where article_id = any($1)", articles).execute(&mut **tx).await?;
    sqlx::query!("update support_question set as_article_id = null where as_article_id = any($1)", articles)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("update support_question set category_id = null where category_id = any($1)", categories)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from support_article where id = any($1)", articles).execute(&mut **tx).await?;
    // What somebody wrote since keeps its category.
    for below in [true, false] {
        sqlx::query!(
            "delete from support_category c
             where c.id = any($1) and (c.parent_id is not null) = $2
               and not exists (select from support_article a where a.category_id = c.id)
               and not exists (select from support_category w where w.parent_id = c.id)",
            categories,
            below
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// A school's own part; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    articles(tx, "school").await?;
    reads(tx, today, "student/").await?;
    missed(tx, today).await?;
    questions(tx, today).await?;
    // One waits for its moment, one was written on since readers saw it.
    let later = tx.app().clock().now() + Duration::days(7);
    sqlx::query!("update support_article set publish_at = $1 where title = '图书馆借阅办法'", later)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "update support_article set content = content || '<p>调课后请通知本班学生。</p>', changed = true where title = '调课申请流程'"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What a demonstration school's staff asked the operators, and what the school hides; once, by the account of its administrator.
///
/// # Errors
/// Only internal ones.
pub async fn asked(app: &App, mut tx: Tx, school: i64, asker: (i64, &str)) -> Result<()> {
    let known =
        sqlx::query_scalar!(r#"select exists (select from support_question where school_id = $1) as "known!""#, school)
            .fetch_one(&mut *tx)
            .await?;
    if known {
        return Ok(());
    }
    let today = app.clock().today();
    let mut changes = Vec::new();
    for (place, (title, content, answer)) in (0..).zip(ASKED) {
        let at = day_began(today - Duration::days(9 - 3 * place)) + Duration::hours(10);
        let status = if answer.is_some() { "replied" } else { "waiting" };
        let id = sqlx::query_scalar!(
            "insert into support_question (audience, school_id, asker_kind, asker_id, asker_name, title, content, status, asked_at,
                 replied_at, created_at, created_by, updated_by)
             values ('school', $1, 'school_staff', $2, $3, $4, $5, $6, $7, $8, $7, $2, $2) returning id",
            school,
            asker.0,
            asker.1,
            title,
            content,
            status,
            at,
            answer.map(|_| at + Duration::hours(5))
        )
        .fetch_one(&mut *tx)
        .await?;
        if let Some(answer) = answer {
            said(&mut tx, id, answer, at + Duration::hours(5)).await?;
        }
        changes.push(Change::event("support_question", id, "insert", json!({ "demo": true })));
    }
    sqlx::query!(
        "insert into platform.support_hidden (article_id, school_id, created_by)
         select id, $1, 0 from platform.support_article where audience = 'student' and title = '如何选课和退选'
         on conflict (article_id, school_id) do nothing",
        school
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into platform.support_due (school_id, look_at) values ($1, $2)
         on conflict (school_id) do update set look_at = excluded.look_at",
        school,
        app.clock().now()
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_all(changes).await
}

/// Forgets what a demonstration school's staff asked, and what the school hid.
///
/// # Errors
/// Only internal ones.
pub async fn forget(tx: &mut Tx, school: i64) -> Result<()> {
    crate::jobs::forget(tx, &[school]).await
}

async fn known(tx: &mut Tx) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select exists (select from support_article) as "known!""#).fetch_one(&mut **tx).await?)
}

/// Writes the categories and articles of an area; answers their numbers.
async fn articles(tx: &mut Tx, area: &str) -> Result<(Vec<i64>, Vec<i64>)> {
    let mut categories: HashMap<(String, String, String), i64> = HashMap::new();
    let (mut made, mut written) = (Vec::new(), Vec::new());
    let lines = ARTICLES.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    for (place, fields) in (1_i32..).zip(lines.filter(|fields| fields[0] == area)) {
        let [_, audience, name, below, title, keywords, pinned, status, text] = fields[..] else { continue };
        let mut category: Option<i64> = None;
        for (above, name) in [("", name), (name, below)] {
            if name.is_empty() {
                continue;
            }
            let key = (audience.to_owned(), above.to_owned(), name.to_owned());
            let id = match categories.get(&key) {
                Some(id) => *id,
                None => {
                    let id = sqlx::query_scalar!(
                        "insert into support_category (audience, parent_id, name, sort, created_by, updated_by)
                         values ($1, $2, $3, $4, 0, 0) returning id",
                        audience,
                        category,
                        name,
                        place
                    )
                    .fetch_one(&mut **tx)
                    .await?;
                    made.push(id);
                    categories.insert(key, id);
                    id
                }
            };
            category = Some(id);
        }
        let content = ArticleText::written(&text.replace(" / ", "\n"));
        let keywords: Vec<String> = keywords.split('、').map(ToOwned::to_owned).collect();
        let id = sqlx::query_scalar!(
            "insert into support_article (audience, category_id, title, keywords, content, pinned, sort, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, 0, 0) returning id",
            audience,
            category,
            title,
            &keywords,
            content.as_str(),
            pinned == "1",
            place
        )
        .fetch_one(&mut **tx)
        .await?;
        if status != "draft" {
            let before = article::find(tx, id).await?;
            publish_now(tx, id, &before).await?;
        }
        if status == "offline" {
            sqlx::query!("update support_article set status = 'offline' where id = $1", id).execute(&mut **tx).await?;
        }
        written.push(id);
    }
    Ok((made, written))
}

/// Readers of the last weeks, of whom some say whether it helped.
async fn reads(tx: &mut Tx, today: NaiveDate, readers: &str) -> Result<()> {
    sqlx::query!(
        "insert into support_read (article_id, day, reader, helpful)
         select a.id, $1::date - d.day, $2::text || r.number::text, case when (a.id + d.day + r.number) % 4 = 0 then (a.id + r.number) % 5 <> 0 end
         from support_article a
         cross join generate_series(0, $3::integer) as d (day)
         cross join generate_series(1, 20) as r (number)
         where a.status = 'published' and (a.id * 7 + d.day * 13 + r.number * 5) % 17 = 0
         on conflict (article_id, day, reader) do nothing",
        today,
        readers,
        DAYS
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update support_article a set view_count = w.reads, helpful = w.helpful, unhelpful = w.unhelpful
         from (select article_id, count(*) as reads, count(*) filter (where helpful) as helpful,
                      count(*) filter (where not helpful) as unhelpful
               from support_read group by article_id) w
         where w.article_id = a.id"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn missed(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    for (back, (audience, word)) in (0_i32..).zip(MISSED) {
        sqlx::query!(
            "insert into support_search_miss (day, audience, word, reader)
             select $1::date - $2::integer, $3, $4, 'student/' || r.number::text from generate_series(1, $5::integer) as r (number)
             on conflict (day, audience, word, reader) do nothing",
            today,
            back,
            audience,
            word,
            5 - back
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Somebody who asks.
struct Asker {
    kind: String,
    id: i64,
    name: String,
    site_id: Option<i64>,
    site_name: Option<String>,
    class_id: Option<i64>,
    class_name: Option<String>,
}

/// One of 25 students asks, and some of those who teach and work at sites.
async fn questions(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let askers = sqlx::query_as!(
        Asker,
        r#"select w.kind as "kind!", w.id as "id!", w.name as "name!", w.site_id as "site_id?", i.name as "site_name?",
                  w.class_id as "class_id?", c.name as "class_name?"
           from (
               (select 'student' as kind, s.id, s.name, s.site_id, s.class_id,
                       row_number() over (order by s.id) % $1 = 0 as asks from student s)
               union all
               (select 'teacher', t.id, t.name, null, null, true from teacher t where t.status = 'active' order by t.id limit 4)
               union all
               (select 'class_manager', m.id, m.name, null, null, true from class_manager m where m.status = 'active'
                order by m.id limit 2)
               union all
               (select 'site_staff', f.id, f.name, f.site_id, null, true from site_staff f where f.status = 'active'
                order by f.id limit 4)
           ) w
           left join site i on i.id = w.site_id
           left join class c on c.id = w.class_id
           where w.asks order by w.kind, w.id"#,
        ASKS
    )
    .fetch_all(&mut **tx)
    .await?;
    for (place, asker) in (0_i64..).zip(askers) {
        question(tx, today, place, asker).await?;
    }
    Ok(())
}

async fn question(tx: &mut Tx, today: NaiveDate, place: i64, asker: Asker) -> Result<()> {
    let audience = match asker.kind.as_str() {
        "student" => SupportAudience::Student,
        "site_staff" => SupportAudience::Site,
        _ => SupportAudience::Teacher,
    };
    let chosen = usize::try_from(place).unwrap_or_default() % QUESTIONS.len();
    let (title, content, answer) = QUESTIONS[chosen];
    // Whole days apart, so that nobody asks more than five times a day.
    let days = 1 + place * 7 % i64::from(DAYS);
    let at = day_began(today - Duration::days(days)) + Duration::hours(9 + place % 9);
    let waits = place % WAITS == 0;
    let answered = (!waits).then(|| at + Duration::hours(3 + place % 20));
    let closed = answered.filter(|_| days > 16).map(|at| at + Duration::days(15));
    let status = if waits { "waiting" } else { closed.map_or("replied", |_| "closed") };
    let satisfied = closed.map(|_| place % 7 != 1);
    let id = sqlx::query_scalar!(
        "insert into support_question (audience, asker_kind, asker_id, asker_name, site_id, site_name, class_id, class_name, title,
             content, status, pending_review, asked_at, replied_at, closed_at, satisfied, created_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $13, 0, 0) returning id",
        audience.as_str(),
        asker.kind,
        asker.id,
        asker.name,
        asker.site_id,
        asker.site_name,
        asker.class_id,
        asker.class_name,
        title,
        content,
        status,
        waits && place % 10 == 0,
        at,
        answered,
        closed,
        satisfied
    )
    .fetch_one(&mut **tx)
    .await?;
    if let Some(answered) = answered {
        said(tx, id, answer, answered).await?;
    }
    Ok(())
}

async fn said(tx: &mut Tx, question: i64, words: &str, at: Moment) -> Result<()> {
    sqlx::query!(
        "insert into support_reply (question_id, from_asker, by_id, by_name, content, created_at)
         values ($1, false, 0, '教务处', $2, $3)",
        question,
        words,
        at
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
