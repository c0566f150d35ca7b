//! What is to stand on the operators' own site in the demonstration.

use infra::{App, Result};
use schools::demo as mark;

use super::fewer;

/// Who learns on the operators' own site; nothing where that part was not written.
pub(super) async fn customers(app: &App) -> Result<Vec<String>> {
    let (learners, sets) = (mark::noted(app, "user_ext", None).await?, mark::noted(app, "vip_set", None).await?);
    let stands = learners::demo::stands(&mut *app.platform_read().await?).await?;
    let orders = mark::noted(app, "order_info", None).await?;
    let sold = orders::demo::stands(&mut *app.platform_read().await?).await?;
    let expected = [
        ("网站学员", stands.learners, learners.len() as i64),
        ("会员设置", stands.sets, sets.len() as i64),
        ("现有会员", stands.running, i64::from(!learners.is_empty())),
        ("到期会员", stands.ended, i64::from(!learners.is_empty())),
        ("平台订单", sold.orders, orders.len() as i64),
        ("已支付的订单", sold.paid, i64::from(!orders.is_empty())),
        ("已关闭的订单", sold.closed, i64::from(!orders.is_empty())),
        ("已退款的订单", sold.refunded, i64::from(!orders.is_empty())),
        ("推广的订单", sold.promoted, i64::from(!orders.is_empty())),
    ];
    let missing = expected.into_iter().filter_map(|(what, found, wanted)| fewer(what, found, wanted));
    Ok(missing.chain(quizzed(app).await?).collect())
}

/// The exams of that site and what was made of them; nothing where they were not written.
async fn quizzed(app: &App) -> Result<Vec<String>> {
    let (exams, problems) =
        (mark::noted(app, "online_exam", None).await?, mark::noted(app, "online_problem", None).await?);
    let stands = quizzes::demo::stands(&mut *app.platform_read().await?).await?;
    let one = i64::from(!exams.is_empty());
    let expected = [
        ("线上试卷", stands.exams, exams.len() as i64),
        ("线上试题", stands.problems, problems.len() as i64),
        ("答题中或到时交卷的考试", stands.doing, one),
        ("待批改的考试", stands.marking, one),
        ("已完成的考试", stands.finished, one),
        ("待审核的试卷", stands.waiting, one),
    ];
    Ok(expected.into_iter().filter_map(|(what, found, wanted)| fewer(what, found, wanted)).collect())
}

/// What customers write there, and what followers of the official account are answered.
pub(super) async fn written(app: &App) -> Result<Vec<String>> {
    let (blogs, questions) =
        (mark::noted(app, "blog", None).await?, mark::noted(app, "community_question", None).await?);
    let (menus, replies) = (mark::noted(app, "gzh_menu", None).await?, mark::noted(app, "gzh_auto_reply", None).await?);
    let there = sqlx::query!(
        r#"select (select count(*) from platform.blog where id = any($1)) as "blogs!",
                  (select count(*) from platform.blog where id = any($1) and audit_status = 'pending') as "waiting!",
                  (select count(*) from platform.community_question where id = any($2)) as "questions!",
                  (select count(*) from platform.gzh_menu where id = any($3)) as "menus!",
                  (select count(*) from platform.gzh_auto_reply where id = any($4)) as "replies!""#,
        &blogs,
        &questions,
        &menus,
        &replies
    )
    .fetch_one(&mut *app.platform_read().await?)
    .await?;
    let expected = [
        ("社区博客", there.blogs, blogs.len() as i64),
        ("待审核博客", there.waiting, i64::from(!blogs.is_empty())),
        ("社区问答", there.questions, questions.len() as i64),
        ("公众号菜单", there.menus, menus.len() as i64),
        ("公众号自动回复", there.replies, replies.len() as i64),
    ];
    Ok(expected.into_iter().filter_map(|(what, found, wanted)| fewer(what, found, wanted)).collect())
}
