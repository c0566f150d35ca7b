//! The operators' own site in the demonstration: what is taught there, by whom, and what learners make of it.

use chrono::NaiveDate;
use infra::{App, Result, Tx};
use schools::demo as mark;

/// What is taught on the operators' site, by whom, and what learners make of it; nothing where people of its own learn there.
pub(super) async fn fill(app: &App, tx: &mut Tx, learners: &[i64]) -> Result<catalogue::demo::Made> {
    let now = app.clock().now();
    let &[teaching, asking, first, second, third, fourth, ..] = learners else {
        return Ok(catalogue::demo::Made::default());
    };
    let teachers = lecturers::demo::fill(tx, [teaching, asking]).await?;
    let Some(lecturer) = teachers.lecturer else { return Ok(catalogue::demo::Made::default()) };
    let on_air = live::demo::fill(tx).await?;
    let mut site = catalogue::demo::fill(tx, lecturer, on_air.channel, now).await?;
    if let Some((_, course)) = site.rows.iter().find(|(table, _)| *table == "online_course") {
        let said = site_study::demo::fill(tx, *course, [first, second, third], now).await?;
        site.rows.extend(said);
    }
    let examined = quizzes::demo::fill(tx, lecturer, [first, second, third]).await?;
    if let Some(exam) = examined.exam {
        let classes = quiz_classes::demo::fill(tx, lecturer, exam, &[fourth, first, second, third]).await?;
        site.rows.extend(classes.rows);
        site.changes.extend(classes.changes);
    }
    site.rows.extend(teachers.rows.into_iter().chain(on_air.rows).chain(examined.rows));
    site.changes.extend(teachers.changes.into_iter().chain(on_air.changes).chain(examined.changes));
    Ok(site)
}

/// What learners write there; nothing where people of its own learn there.
pub(super) async fn community(tx: &mut Tx, learners: &[i64], as_of: NaiveDate) -> Result<community::demo::Made> {
    match learners {
        &[_, _, first, second, third, ..] => community::demo::fill(tx, [first, second, third], as_of).await,
        _ => Ok(community::demo::Made::default()),
    }
}

/// What is sold there: coupons, a seckill, three months of orders; nothing where the site was not filled now.
pub(super) async fn trade(
    app: &App,
    tx: &mut Tx,
    site: &catalogue::demo::Made,
    people: &learners::demo::Made,
) -> Result<orders::demo::Made> {
    let now = app.clock().now();
    let of = |table: &str| site.rows.iter().find(|(known, _)| *known == table).map(|(_, id)| *id);
    let sets = people.rows.iter().find(|(table, _)| *table == "vip_set").map(|(_, ids)| ids.as_slice());
    let (Some(course), Some(&[.., vip_set]), &[_, promoter, _, _, _, ref others @ ..]) =
        (of("online_course"), sets, people.learners())
    else {
        return Ok(orders::demo::Made::default());
    };
    let offers = marketing::demo::fill(tx, course, others, now).await?;
    let site = orders::demo::Site { course, vip_set, learners: others, promoter };
    let mut made = orders::demo::fill(tx, site, now).await?;
    made.rows.extend(offers.rows);
    made.changes.extend(offers.changes);
    Ok(made)
}

/// Takes it away again, with what hangs on it before that on which it hangs.
pub(super) async fn clear(tx: &mut Tx) -> Result<()> {
    clear_trade(tx).await?;
    clear_community(tx).await?;
    let (comments, ratings) =
        (mark::take(tx, "course_comment", None).await?, mark::take(tx, "course_rating", None).await?);
    let studied = mark::take(tx, "online_course_study", None).await?;
    site_study::demo::remove(tx, &comments, &ratings, &studied).await?;
    mark::take(tx, "course_recommend", None).await?;
    clear_exams(tx).await?;
    let rows = catalogue::demo::Rows {
        courses: mark::take(tx, "online_course", None).await?,
        categories: mark::take(tx, "online_category", None).await?,
        media: mark::take(tx, "media_asset", None).await?,
    };
    let content = site_content::demo::Rows {
        navs: mark::take(tx, "nav_bar", None).await?,
        advertisements: mark::take(tx, "adv", None).await?,
        footer: mark::take(tx, "website_nav", None).await?,
        links: mark::take(tx, "website_link", None).await?,
        words: mark::take(tx, "search_word", None).await?,
        zones: mark::take(tx, "zone", None).await?,
        items: mark::take(tx, "zone_item", None).await?,
        categories: mark::take(tx, "home_category", None).await?,
        posters: mark::take(tx, "sharing_template", None).await?,
    };
    // What others put on the home page of the categories that go.
    site_content::demo::clear(tx, &content, &rows.categories).await?;
    catalogue::demo::remove(tx, &rows).await?;
    let channels = mark::take(tx, "live_channel", None).await?;
    live::demo::remove(tx, &channels).await?;
    let lecturers = mark::take(tx, "lecturer", None).await?;
    let audits = mark::take(tx, "lecturer_audit", None).await?;
    let extracts = mark::take(tx, "account_extract_log", None).await?;
    lecturers::demo::remove(tx, &lecturers, &audits, &extracts).await?;
    let rows = learners::demo::Rows {
        rights: mark::take(tx, "learner_right", None).await?,
        memberships: mark::take(tx, "user_vip", None).await?,
        learners: mark::take(tx, "user_ext", None).await?,
        sets: mark::take(tx, "vip_set", None).await?,
    };
    learners::demo::remove(tx, &rows).await
}

/// Exams with what was answered of them, and the classes that take them.
async fn clear_exams(tx: &mut Tx) -> Result<()> {
    mark::take(tx, "online_exam_record", None).await?;
    let exams = quizzes::demo::Rows {
        exams: mark::take(tx, "online_exam", None).await?,
        problems: mark::take(tx, "online_problem", None).await?,
        recommends: mark::take(tx, "exam_recommend", None).await?,
    };
    let classes = mark::take(tx, "exam_grade_info", None).await?;
    quiz_classes::demo::take_off(tx, &classes, &exams.exams).await?;
    quizzes::demo::remove(tx, &exams).await?;
    quiz_classes::demo::remove(tx, &classes).await
}

/// What was written, and what the official account says.
async fn clear_community(tx: &mut Tx) -> Result<()> {
    let written = community::demo::Rows {
        labels: mark::take(tx, "community_label", None).await?,
        blogs: mark::take(tx, "blog", None).await?,
        questions: mark::take(tx, "community_question", None).await?,
        bloggers: mark::take(tx, "blogger", None).await?,
        zones: mark::take(tx, "article_zone", None).await?,
        recommends: mark::take(tx, "community_recommend", None).await?,
        certificates: mark::take(tx, "community_certificate", None).await?,
    };
    community::demo::clear(tx, &written).await?;
    let (menus, replies) = (mark::take(tx, "gzh_menu", None).await?, mark::take(tx, "gzh_auto_reply", None).await?);
    wechat::demo::clear(tx, &menus, &replies).await
}

/// Orders before what they are of and whose they are.
async fn clear_trade(tx: &mut Tx) -> Result<()> {
    let orders = mark::take(tx, "order_info", None).await?;
    let rules = mark::take(tx, "pay_rule", None).await?;
    learners::demo::forget_orders(tx, &orders).await?;
    orders::demo::remove(tx, &orders, &rules).await?;
    let channels = mark::take(tx, "pay_channel", None).await?;
    settings::demo::remove_channels(tx, &channels).await?;
    let rows = marketing::demo::Rows {
        coupons: mark::take(tx, "coupon", None).await?,
        held: mark::take(tx, "coupon_user", None).await?,
        seckills: mark::take(tx, "seckill", None).await?,
        chosen: mark::take(tx, "chosen", None).await?,
    };
    marketing::demo::remove(tx, &rows).await
}
