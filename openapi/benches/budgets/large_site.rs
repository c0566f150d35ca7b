//! The operators' site whose every list is measured: 200,000 learners, as many orders and coupons, and what else stands there. It lies
//! in the same database as the large school.

use infra::App;
use sqlx::{Executor, FromRow, PgPool};

use crate::{
    Anything,
    large_school::{name_people, settle},
};

/// Rows that the filters name.
#[derive(FromRow)]
pub struct Site {
    pub learner: i64,
    pub phone: String,
    pub nickname: String,
    pub initials: String,
    pub order_no: String,
    pub buyer: i64,
    pub buyer_phone: String,
    pub promoter: i64,
    pub promoter_phone: String,
    pub lecturer: i64,
    pub lecturer_name: String,
    pub lecturer_phone: String,
    pub applicant: String,
    pub applicant_phone: String,
    pub payee: String,
    pub payee_phone: String,
    /// Each of them with others below it.
    pub record_category: i64,
    pub live_category: i64,
    pub resource_category: i64,
    pub exam_category: i64,
    pub problem_category: i64,
    /// One that is below another.
    pub blog_category: i64,
    pub course: i64,
    pub course_name: String,
    /// The one that most learners took.
    pub exam: i64,
    pub coupon: i64,
    /// The class with the most members.
    pub class: i64,
    pub invite_code: String,
    pub blogger: i64,
    pub blogger_name: String,
    pub blog_label: i64,
    pub question_label: i64,
    /// With the most comments.
    pub blog: i64,
    /// With the most answers.
    pub question: i64,
    pub article_zone: i64,
    pub zone: i64,
    /// A month of the last half year, by its first and its last day.
    pub from: String,
    pub to: String,
}

/// Its rows, which are laid once and kept.
pub async fn lay_once(app: &App) -> Result<(), Anything> {
    let owner = app.db().owner();
    // All of them or none: they come in one transaction.
    let found: bool = sqlx::query_scalar("select exists (select from platform.user_ext)").fetch_one(owner).await?;
    if !found {
        let mut tx = owner.begin().await?;
        tx.execute("set local search_path = platform, ext").await?;
        name_people(&mut tx).await?;
        tx.execute(include_str!("large_site.sql")).await?;
        tx.commit().await?;
    }
    settle(owner, "platform").await
}

/// Rows of the site that the filters name; the learner is one who studied, wrote and took an exam.
pub async fn sample(owner: &PgPool) -> Result<Site, Anything> {
    let mut tx = owner.begin().await?;
    tx.execute("set local search_path = platform, ext").await?;
    let site = sqlx::query_as(
        r#"select l.id as learner, l.phone, l.nickname, l.initials, o.order_no, o.learner_id as buyer, o.phone as buyer_phone,
                  d.promoter_id as promoter, w.phone as promoter_phone, t.id as lecturer, t.lecturer_name, t.phone as lecturer_phone,
                  a.lecturer_name as applicant, a.phone as applicant_phone, x.bank_user_name as payee, x.phone as payee_phone,
                  g.record_category, g.live_category, g.resource_category, g.exam_category, g.problem_category, g.blog_category,
                  c.id as course, c.course_name, e.exam_id as exam, k.id as coupon, h.id as class, h.invite_code,
                  b.id as blogger, b.blogger_name, n.blog_label, n.question_label, p.blog_id as blog, q.question_id as question,
                  (select min(z.id) from article_zone z) as article_zone,
                  (select min(z.id) from zone z where z.zone_type = 'record') as zone,
                  to_char(now() - interval '60 days', 'YYYY-MM-DD') as "from",
                  to_char(now() - interval '30 days', 'YYYY-MM-DD') as "to"
           from user_ext l
           cross join (select r.order_no, r.learner_id, r.phone from order_info r order by r.id offset 100000 limit 1) o
           cross join (select r.promoter_id from distribution r order by r.id offset 10000 limit 1) d
           join user_ext w on w.id = d.promoter_id
           join lecturer t on t.phone = '15800000007'
           cross join (select r.lecturer_name, r.phone from lecturer_audit r order by r.id offset 100 limit 1) a
           cross join (select r.bank_user_name, r.phone from account_extract_log r order by r.id offset 100 limit 1) x
           cross join (select min(r.id) filter (where r.category_type = 'record' and r.parent_id is null) as record_category,
                              min(r.id) filter (where r.category_type = 'live' and r.parent_id is null) as live_category,
                              min(r.id) filter (where r.category_type = 'resource' and r.parent_id is null) as resource_category,
                              min(r.id) filter (where r.category_type = 'exam' and r.parent_id is null) as exam_category,
                              min(r.id) filter (where r.category_type = 'problem' and r.parent_id is null) as problem_category,
                              min(r.id) filter (where r.category_type = 'blog' and r.parent_id is not null) as blog_category
                       from online_category r) g
           cross join (select r.id, r.course_name from online_course r
                       where r.course_type = 'record' and r.audit_status = 'approved' order by r.id limit 1) c
           cross join (select r.exam_id from online_exam_record r group by r.exam_id order by count(*) desc limit 1) e
           cross join (select r.id from coupon r order by r.id limit 1) k
           join exam_grade_info h on h.invite_code = 'G00001'
           cross join (select r.id, r.blogger_name from blogger r order by r.id offset 100 limit 1) b
           cross join (select min(r.id) filter (where r.label_type = 'blog') as blog_label,
                              min(r.id) filter (where r.label_type = 'question') as question_label
                       from community_label r) n
           cross join (select r.blog_id from blog_comment r group by r.blog_id order by count(*) desc limit 1) p
           cross join (select r.question_id from community_answer r group by r.question_id order by count(*) desc limit 1) q
           where l.phone = '15000043458'"#,
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(site)
}
