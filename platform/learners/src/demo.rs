//! Learners of the demonstration: a year of registrations, three memberships, and what some of them have (05 G).

use chrono::NaiveDate;
use infra::{Change, Result, Tx, clock::day_began, pinyin};
use serde_json::json;

/// So many learners registered.
pub const LEARNERS: i32 = 3_000;
/// In so many days.
const DAYS: i32 = 365;

/// Name, months, prices in 分, what members pay of a hundred, and what they are told.
const SETS: [(&str, i32, i64, i64, i64, &str); 3] = [
    ("月度会员", 1, 3_900, 2_900, 95, "全部课程按95%付款"),
    ("季度会员", 3, 9_900, 7_900, 90, "全部课程按90%付款，每月一次答疑"),
    ("年度会员", 12, 39_900, 29_900, 85, "全部课程按85%付款，每周一次答疑"),
];

/// What nicknames are made of.
const WORDS: [&str; 12] =
    ["晨读", "书山", "远航", "静水", "青禾", "拾光", "向阳", "听雨", "折桂", "行者", "知夏", "春晓"];

/// What [`fill`] made: rows by table, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, Vec<i64>)>,
    pub changes: Vec<Change>,
}

impl Made {
    pub fn learners(&self) -> &[i64] {
        self.rows.iter().find(|(table, _)| *table == "user_ext").map_or(&[], |(_, rows)| rows)
    }
}

/// Does nothing where there are learners; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, as_of: NaiveDate) -> Result<Made> {
    let known = sqlx::query_scalar!(r#"select exists (select from platform.user_ext) as "known!""#)
        .fetch_one(&mut **tx)
        .await?;
    if known {
        return Ok(Made::default());
    }
    let sets = sets(tx).await?;
    let words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
    let initials: Vec<String> = WORDS.iter().map(|word| pinyin::initials(word)).collect();
    let learners = sqlx::query_scalar!(
        "insert into platform.user_ext (phone, nickname, initials, gender, birthday, source, enabled, last_login_at, created_at,
             updated_at, created_by, updated_by)
         select '1390100' || lpad(n::text, 4, '0'),
                case when n % 7 > 0 then w.words[1 + n % array_length(w.words, 1)] || n end,
                case when n % 7 > 0 then w.initials[1 + n % array_length(w.words, 1)] else '' end,
                (array['female', 'male', 'unknown'])[1 + n % 3],
                case when n % 4 = 0 then date '1985-01-01' + n * 5 % 7300 end,
                (array['h5', 'pc', 'mini_program', 'h5', 'app', 'admin'])[1 + n % 6], n % 97 > 0,
                case when n % 3 > 0 then a.at + make_interval(hours => n % 200) end, a.at, a.at, 0, 0
         from generate_series(1, $1::integer) as g (n)
         cross join (select $2::text[] as words, $3::text[] as initials) w
         cross join lateral (
             select $4::timestamptz - make_interval(days => 10 + (n * 37) % $5::integer, mins => (n * 61) % 900) as at) a
         returning id",
        LEARNERS,
        &words,
        &initials,
        day_began(as_of) as _,
        DAYS - 10
    )
    .fetch_all(&mut **tx)
    .await?;
    let memberships = memberships(tx, &sets, &learners).await?;
    let mut changes: Vec<Change> = sets
        .iter()
        .zip(SETS)
        .map(|(id, (name, ..))| Change::event("vip_set", *id, "insert", json!({ "setName": name })))
        .collect();
    changes.extend(learners.first().map(|id| {
        Change::event(
            "user_ext",
            *id,
            "insert",
            json!({ "learners": learners.len(), "memberships": memberships.len() }),
        )
    }));
    let rows = vec![("vip_set", sets), ("user_ext", learners), ("user_vip", memberships)];
    Ok(Made { rows, changes })
}

/// Every fifth of these learners may use the recorded courses that are on the shelf, some for a year; answers what that made.
///
/// # Errors
/// Only internal ones.
pub async fn rights(tx: &mut Tx, learners: &[i64]) -> Result<Vec<i64>> {
    let rights = sqlx::query_scalar!(
        "insert into platform.learner_right (learner_id, product_type, product_id, expires_at, created_at, updated_at, created_by,
             updated_by)
         select e.id, c.course_type, c.id, case when e.id % 3 > 0 then e.created_at + interval '1 year' end,
                e.created_at + interval '1 day', e.created_at + interval '1 day', 0, 0
         from platform.user_ext e
         join platform.online_course c on c.course_type = 'record' and c.published_revision_id is not null
         where e.id = any($1) and e.id % 5 = 0
         returning id",
        learners
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rights)
}

async fn sets(tx: &mut Tx) -> Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(SETS.len());
    for (place, (name, months, original, price, of_hundred, benefits)) in (1..).zip(SETS) {
        let id = sqlx::query_scalar!(
            "insert into platform.vip_set (set_name, months, price_original, price, discount_rate, benefits, sort, created_by,
                 updated_by)
             values ($1, $2, $3, $4, $5::bigint / 100.0, $6, $7, 0, 0) returning id",
            name,
            months,
            original,
            price,
            of_hundred,
            benefits,
            place
        )
        .fetch_one(&mut **tx)
        .await?;
        ids.push(id);
    }
    Ok(ids)
}

/// Of every ninth one membership from some days after the registration, so that some run and some have ended.
async fn memberships(tx: &mut Tx, sets: &[i64], learners: &[i64]) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        "insert into platform.user_vip (learner_id, vip_set_id, from_at, to_at, created_at, updated_at, created_by, updated_by)
         select e.id, s.id, a.at, a.at + make_interval(months => s.months), a.at, a.at, 0, 0
         from platform.user_ext e
         cross join lateral (select e.created_at + make_interval(days => (e.id % 9)::integer + 1) as at) a
         join platform.vip_set s on s.id = ($2::bigint[])[1 + e.id % array_length($2::bigint[], 1)]
         where e.id = any($1) and e.id % 9 = 0
         returning id",
        learners,
        sets
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.user_ext e set vip_expires_at = v.to_at
         from (select learner_id, max(to_at) as to_at from platform.user_vip where id = any($1) group by learner_id) v
         where e.id = v.learner_id",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(ids)
}

/// Rows of the demonstration.
pub struct Rows {
    pub rights: Vec<i64>,
    pub memberships: Vec<i64>,
    pub learners: Vec<i64>,
    pub sets: Vec<i64>,
}

/// Removes them; a learner or a membership that something of others refers to by now stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, rows: &Rows) -> Result<()> {
    sqlx::query!("delete from platform.learner_right where id = any($1)", &rows.rights).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.user_vip where id = any($1)", &rows.memberships).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.user_ext e where id = any($1)
           and not exists (select from platform.lecturer l where l.learner_id = e.id)
           and not exists (select from platform.lecturer_audit a where a.learner_id = e.id)
           and not exists (select from platform.user_account a where a.learner_id = e.id)
           and not exists (select from platform.account_bank b where b.learner_id = e.id)
           and not exists (select from platform.course_comment c where c.learner_id = e.id)
           and not exists (select from platform.course_rating r where r.learner_id = e.id)
           and not exists (select from platform.online_study s where s.learner_id = e.id)
           and not exists (select from platform.online_course_study s where s.learner_id = e.id)
           and not exists (select from platform.order_info o
                           where e.id in (o.learner_id, o.promoter_id, o.lecturer_learner_id))
           and not exists (select from platform.distribution d where d.promoter_id = e.id)
           and not exists (select from platform.coupon_user u where u.learner_id = e.id)
           and not exists (select from platform.online_exam_record r where r.learner_id = e.id)
           and not exists (select from platform.exam_grade_member m where m.learner_id = e.id)
           and not exists (select from platform.blogger b where b.learner_id = e.id)
           and not exists (select from platform.blog_comment c where c.learner_id = e.id)
           and not exists (select from platform.community_question q where q.learner_id = e.id)
           and not exists (select from platform.community_answer a where a.learner_id = e.id)
           and not exists (select from platform.community_certificate c where c.learner_id = e.id)
           and not exists (select from platform.gzh_fan f where f.learner_id = e.id)
           and not exists (select from platform.user_vip v where v.learner_id = e.id)
           and not exists (select from platform.learner_right r where r.learner_id = e.id)",
        &rows.learners
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.vip_set s where id = any($1)
           and not exists (select from platform.user_vip v where v.vip_set_id = s.id)",
        &rows.sets
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What learners got of orders of the demonstration, which are about to go.
///
/// # Errors
/// Only internal ones.
pub async fn forget_orders(tx: &mut Tx, orders: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.learner_right where order_id = any($1)", orders).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.user_vip where order_id = any($1)", orders).execute(&mut **tx).await?;
    Ok(())
}

/// Learners, memberships that are sold, and whether some run and some have ended, for `verify`.
pub struct Stands {
    pub learners: i64,
    pub sets: i64,
    pub running: i64,
    pub ended: i64,
}

/// # Errors
/// Those of the database.
pub async fn stands(connection: &mut sqlx::PgConnection) -> Result<Stands> {
    let stands = sqlx::query_as!(
        Stands,
        r#"select (select count(*) from platform.user_ext) as "learners!", (select count(*) from platform.vip_set) as "sets!",
                  (select count(*) from platform.user_ext where vip_expires_at > now()) as "running!",
                  (select count(*) from platform.user_ext where vip_expires_at <= now()) as "ended!""#
    )
    .fetch_one(connection)
    .await?;
    Ok(stands)
}
