//! Statistics of study, sign-ins, visitors and the register (part 05 A).

use chrono::{Datelike, Duration, NaiveDate};
use kit::{
    Client, Server,
    cohort::registrar,
    pre_registrations::{PRE, batch, person},
    sheets::texts_of,
    statistics::{
        LEARNING, LINK, LOGIN, REPORT, SOURCE, VIDEO, Worked, ordered, progress, refreshed, roster, table, with,
    },
};
use serde_json::{Value, json};

const RATES: [&str; 6] = ["roster", "startRate", "finishRate", "avgProgress", "hours", "hoursPerHead"];

/// The course of 05 A4 as everybody has studied it, summed.
async fn studied<'s>(server: &'s Server) -> (Client<'s>, Worked) {
    let admin = registrar(server).await;
    let of = roster(server, &admin).await;
    progress(server, &of).await;
    refreshed(&admin).await;
    (admin, of)
}

fn numbers(of: &[f64]) -> Vec<Value> {
    of.iter().map(|number| json!(number)).collect()
}

/// 05 A4, A9-1: the worked table, in the list, its cards and its file; both classes are not the mean of their means.
#[tokio::test]
async fn two_classes_have_the_figures_of_the_worked_example() {
    let server = Server::start().await;
    let (admin, _) = studied(&server).await;
    let classes = table(&admin, &format!("{VIDEO}/list"), json!({ "level": "class" })).await;
    assert_eq!(classes.figures("K1", &RATES), numbers(&[40.0, 75.0, 25.0, 55.0, 120.0, 3.0]));
    assert_eq!(classes.figures("K2", &RATES), numbers(&[20.0, 90.0, 50.0, 71.0, 75.0, 3.8]));
    assert_eq!(classes.figures("合计", &RATES), numbers(&[60.0, 80.0, 33.3, 60.3, 195.0, 3.3]));
    let counts = ["notStarted", "studying", "finished"];
    assert_eq!(classes.figures("K1", &counts), numbers(&[10.0, 20.0, 10.0]));
    let cards = admin.post(&format!("{VIDEO}/summary"), json!({})).await.data()["cards"].clone();
    let of = |key: &str| {
        let found = cards.as_array().expect("cards").iter().find(|card| card["key"] == json!(key)).expect("a card");
        found["value"].clone()
    };
    assert_eq!((of("roster"), of("avgProgress"), of("hours")), (json!(60.0), json!(60.3), json!(195.0)));
    let file = admin.post(&format!("{VIDEO}/export"), json!({ "level": "class" })).await;
    let said = texts_of(&file.bytes, 0);
    assert!(said.iter().any(|row| row[0] == "平均进度" && row[1].contains("进度之和÷应学人次")), "{said:?}");
    let rows = texts_of(&file.bytes, 1);
    let place = rows[0].iter().position(|heading| heading == "平均进度").expect("a column");
    assert_eq!((rows[1][0].as_str(), rows[1][place].as_str()), ("合计", "60.3"), "{rows:?}");
    assert_eq!(rows.len(), 4, "{rows:?}");
    // 05 I: whoever had it written by a job is told that it is there.
    let job = admin.post(&format!("{VIDEO}/export?job=true"), json!({ "level": "class" })).await;
    kit::jobs::ended(&admin, &job.data()["jobId"]).await;
    let told = "select exists (select from school_1.msg
                               where scene_code = 'stat_export_ready' and status = 'sent' and content like '%“视频学习统计”已生成%')";
    server.wait_until(told).await;
}

/// 05 A4, A9-3: who goes to the other class takes their progress along; the hours of a day stay where they were studied.
#[tokio::test]
async fn who_changes_their_class_leaves_the_past_behind() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    progress(&server, &of).await;
    let today = server.app.clock().today();
    let day = today - Duration::days(3);
    let mover = format!("(select s.id from {} where s.n = 11)", ordered(of.classes[0]));
    let selection: i64 = server.one(&format!("select {mover}")).await;
    server
        .run(&format!(
            "insert into school_1.study_day (selection_id, day, seconds) values ({selection}, '{day}', 7200)"
        ))
        .await;
    refreshed(&admin).await;
    let past = json!({ "from": day, "to": day, "siteId": of.p.site });
    let days = async || admin.post(&format!("{LEARNING}/day"), past.clone()).await.data()["list"].clone();
    let before = days().await;
    assert_eq!(before[0]["creditedSeconds"], json!(7200), "{before}");
    server
        .run(&format!(
            "update school_1.student set class_id = {0}, site_id = {1}
             where id = (select student_id from school_1.course_selection where id = {selection});
             update school_1.course_selection set class_id = {0}, updated_at = now() where id = {selection}",
            of.classes[1], of.other_site
        ))
        .await;
    refreshed(&admin).await;
    let classes = table(&admin, &format!("{VIDEO}/list"), json!({ "level": "class" })).await;
    let shown = ["roster", "avgProgress", "hours"];
    assert_eq!(classes.figures("K1", &shown), numbers(&[39.0, 54.9, 118.0]));
    assert_eq!(classes.figures("K2", &shown), numbers(&[21.0, 70.5, 77.0]));
    assert_eq!(classes.figures("合计", &["avgProgress"]), numbers(&[60.3]));
    let after = days().await;
    assert_eq!(before[0]["creditedSeconds"], after[0]["creditedSeconds"], "the day stays with its site");
}

/// 05 A9-4: a key that was left behind, as after a crash, gives the same rows; and nothing changes twice.
#[tokio::test]
async fn what_is_computed_again_is_the_same() {
    let server = Server::start().await;
    let (admin, of) = studied(&server).await;
    let rows = "select md5(string_agg((to_jsonb(s) - 'computed_at')::text, '' order by s.class_id)) from school_1.stat_opening_class s";
    let before: String = server.one(rows).await;
    server
        .run(&format!(
            "insert into school_1.stat_dirty (kind, k1, marked_at) values ('opening_class', {}, now())",
            of.opening
        ))
        .await;
    let again = refreshed(&admin).await;
    assert_eq!(again["changed"], json!(0), "{again}");
    server
        .run(&format!(
            "delete from school_1.stat_opening_class where opening_id = {} and class_id = {}",
            of.opening, of.classes[0]
        ))
        .await;
    server
        .run(&format!(
            "insert into school_1.stat_dirty (kind, k1, marked_at) values ('opening_class', {}, now())",
            of.opening
        ))
        .await;
    refreshed(&admin).await;
    assert_eq!(server.one::<String>(rows).await, before);
    assert_eq!(server.one::<i64>("select count(*) from school_1.stat_dirty").await, 0);
    // What went wrong without a mark is found on a Sunday, put right and told (A3-5).
    server
        .run(&format!(
            "update platform.stat_watch set swept_at = swept_at + interval '1 hour', swept_db_at = swept_db_at + interval '1 hour';
             update school_1.stat_opening_class set roster = roster + 1 where class_id = {}",
            of.classes[0]
        ))
        .await;
    let days = 7 - i64::from(server.app.clock().today().weekday().num_days_from_sunday());
    server.when_due("stat.verify", Duration::days(days)).await;
    assert_eq!(server.one::<String>(rows).await, before);
    let told: String = server
        .one("select error from school_1.stat_run where job = 'stat.verify' and error is not null order by id desc limit 1")
        .await;
    assert!(told.ends_with("项与明细不一致，已更正"), "{told}");
}

/// 05 A9-5: whoever sees a site sees its figures alone, asked for or not, in the list as in the file.
#[tokio::test]
async fn a_person_of_one_site_is_told_of_it_alone() {
    let server = Server::start().await;
    let (_, of) = studied(&server).await;
    let codes = [
        "data:pc:statisticsVideo:list",
        "data:pc:statisticsVideo:siteList",
        "data:pc:statisticsVideo:export",
        "data:pc:statistics:list",
    ];
    let narrow = server.staff_within(1, &codes, "named_sites", &[of.p.site]).await;
    let own = table(&narrow, &format!("{VIDEO}/siteList"), json!({})).await;
    assert_eq!(own.names(), ["城东教学点"]);
    assert_eq!(own.figures("合计", &["roster", "avgProgress"]), numbers(&[40.0, 55.0]));
    let other = narrow.post(&format!("{VIDEO}/siteList"), json!({ "siteId": of.other_site })).await;
    assert_eq!((&other.data()["list"], &other.data()["total"]), (&json!([]), &json!(null)), "not refused, but empty");
    let file = narrow.post(&format!("{VIDEO}/export"), json!({ "level": "site" })).await;
    let rows = texts_of(&file.bytes, 1);
    assert!(rows.iter().flatten().all(|cell| !cell.contains("城西")), "{rows:?}");
    let file = narrow.post(&format!("{VIDEO}/export"), json!({ "level": "site", "siteId": of.other_site })).await;
    let said = texts_of(&file.bytes, 0);
    assert!(said.iter().flatten().all(|cell| !cell.contains("城西")), "a site has no name for strangers: {said:?}");
    let without = server.staff_within(1, &codes[..1], "named_sites", &[of.p.site]).await;
    assert_eq!(without.post(&format!("{VIDEO}/siteList"), json!({})).await.code(), 403);
    let around = without.post(&format!("{VIDEO}/list"), json!({ "level": "site" })).await;
    assert_eq!(around.code(), 403, "sites have a code of their own: {}", around.body);
    let charts = without.post(&format!("{VIDEO}/chart"), json!({})).await.data()["charts"].clone();
    let keys: Vec<&Value> = charts.as_array().expect("charts").iter().map(|chart| &chart["key"]).collect();
    assert!(keys.contains(&&json!("best")) && !keys.contains(&&json!("sites")), "{keys:?}");
    // Who may list sites in one of them alone finds no other among the sites, in the list, the charts and the file.
    let (wide, sites) = ([codes[0], codes[2]], [codes[1]]);
    let (near, far): (&[i64], &[i64]) = (&[of.p.site], &[of.other_site]);
    let mixed =
        server.staff_with_roles(1, &[(&wide[..], "whole_school", &[]), (&sites[..], "named_sites", near)]).await;
    let by_site = table(&mixed, &format!("{VIDEO}/list"), json!({ "level": "site" })).await;
    assert_eq!(by_site.names(), ["城东教学点"]);
    let file = mixed.post(&format!("{VIDEO}/export"), json!({ "level": "site" })).await;
    let rows = texts_of(&file.bytes, 1);
    assert!(rows.iter().flatten().all(|cell| !cell.contains("城西")), "{rows:?}");
    let charts = mixed.post(&format!("{VIDEO}/chart"), json!({})).await.data()["charts"].clone();
    assert!(charts.as_array().expect("charts").iter().all(|chart| chart["key"] != json!("sites")), "{charts}");
    let apart =
        server.staff_with_roles(1, &[(&codes[..1], "named_sites", far), (&sites[..], "named_sites", near)]).await;
    let refused = apart.post(&format!("{VIDEO}/list"), json!({ "level": "site" })).await;
    assert_eq!(refused.code(), 403, "neither has all places of the other: {}", refused.body);
    let of_sites = server.staff(1, &["data:pc:statisticsVideo:siteList"]).await;
    let courses = of_sites.post(&format!("{VIDEO}/siteList"), json!({ "level": "course" })).await;
    assert_eq!(courses.code(), 403, "{}", courses.body);
    assert_eq!(of_sites.post(&format!("{VIDEO}/siteList"), json!({ "level": "class" })).await.code(), 200);
    let filing = server.staff(1, &codes[1..3]).await;
    for asked in [json!({}), json!({ "level": "course" })] {
        let courses = filing.post(&format!("{VIDEO}/export"), asked).await;
        assert_eq!(courses.code(), 403, "a file has no more than the list: {}", courses.body);
    }
    let file = filing.post(&format!("{VIDEO}/export"), json!({ "level": "site" })).await;
    assert_eq!(texts_of(&file.bytes, 1).len(), 4);
}

/// 05 A9-12: of a semester without a roster there is no rate.
#[tokio::test]
async fn of_nobody_there_is_no_rate() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let bare = kit::openings::semester(&admin, "2026-2").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": bare })).await.data();
    refreshed(&admin).await;
    let empty = admin.post(&format!("{VIDEO}/list"), json!({})).await;
    assert_eq!((&empty.data()["totalCount"], &empty.data()["total"]), (&json!(0), &json!(null)));
    let cards = admin.post(&format!("{VIDEO}/summary"), json!({})).await.data()["cards"].clone();
    let rates: Vec<&Value> = cards
        .as_array()
        .expect("cards")
        .iter()
        .filter(|card| card["unit"] == json!("%"))
        .map(|card| &card["value"])
        .collect();
    assert!(rates.iter().all(|rate| rate.is_null()), "{cards}");
}

/// 05 A8: figures are new at most once a minute, and for whoever may see the screen.
#[tokio::test]
async fn figures_are_refreshed_once_a_minute() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    refreshed(&admin).await;
    let again = admin.post(&format!("{REPORT}/refresh"), json!({ "screen": "statistics" })).await;
    assert_eq!(again.refused(), (429, "数据刚刚更新过，请稍后再试"));
    server.app.clock().shift(Duration::seconds(61));
    let clerk = server.staff(1, &["data:pc:statisticsVideo:siteList"]).await;
    let other = clerk.post(&format!("{REPORT}/refresh"), json!({ "screen": "learning_records" })).await;
    assert_eq!(other.code(), 403);
    let own = clerk.post(&format!("{REPORT}/refresh"), json!({ "screen": "statistics_video" })).await;
    assert_eq!(own.code(), 200, "{}", own.body);
    // Another school's people refresh their own.
    let stranger = server.staff(2, &["data:pc:statistics:list"]).await;
    stranger.post(&format!("{REPORT}/refresh"), json!({ "screen": "statistics" })).await.data();
    let looked: i64 = server.one("select count(*) from platform.stat_watch where swept_at is not null").await;
    assert_eq!(looked, 2);
}

/// 05 A4: 51 of 60 people signed in 408 times; 300 days of people are not 51 people.
#[tokio::test]
async fn different_people_of_a_month_are_not_the_sum_of_its_days() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    roster(&server, &admin).await;
    server
        .run(
            "with who as (select s.id, row_number() over (order by s.student_no) as n from school_1.student s),
                  days as (select w.id, w.n, d.day, case when w.n <= 45 then 6 else 5 end as most
                           from who w cross join generate_series(1, 6) as d (day)
                           where w.n <= 51 and d.day <= case when w.n <= 45 then 6 else 5 end),
                  times as (select d.id, d.n, d.day, 8 as hour from days d
                            union all select d.id, d.n, d.day, 20 from days d where d.day <= 8 - d.most)
             insert into school_1.client_login (session, owner_kind, owner_id, at, device, client_name, counted)
             select gen_random_uuid(), 'student', t.id,
                    (date '2026-04-01' + (t.n + t.day * 5)::integer % 30)::timestamp at time zone 'Asia/Shanghai' + make_interval(hours => t.hour),
                    case when t.n % 3 = 0 then 'pc' else 'mobile' end, 'student', true
             from times t",
        )
        .await;
    server
        .run(
            "insert into school_1.stat_dirty (kind, k1, k2, day, marked_at)
             select distinct 'login', l.owner_id, 1, (l.at at time zone 'Asia/Shanghai')::date, now() from school_1.client_login l",
        )
        .await;
    refreshed(&admin).await;
    let month = json!({ "from": "2026-04-01", "to": "2026-04-30" });
    let sites = table(&admin, &format!("{LOGIN}/list"), month.clone()).await;
    let shown = ["active", "people", "rate", "logins", "each"];
    assert_eq!(sites.figures("合计", &shown), numbers(&[60.0, 51.0, 85.0, 408.0, 8.0]));
    let days = table(&admin, &format!("{LOGIN}/list"), with(month.clone(), json!({ "tab": "day" }))).await;
    let each: f64 = days.names().iter().filter_map(|day| days.figures(day, &["people"])[0].as_f64()).sum();
    assert!((each - 300.0).abs() < f64::EPSILON, "{each}");
    let absent = with(month.clone(), json!({ "tab": "student", "standing": "absent" }));
    assert_eq!(table(&admin, &format!("{LOGIN}/list"), absent).await.names().len(), 9);
    let long = json!({ "from": "2025-01-01", "to": "2026-04-30" });
    assert_eq!(admin.post(&format!("{LOGIN}/list"), long).await.code(), 422);
    let chart = admin.post(&format!("{LOGIN}/chart"), month).await;
    let devices = chart.data()["charts"].as_array().expect("charts").iter().find(|c| c["key"] == json!("devices"));
    assert!(devices.is_some(), "{}", chart.body);
}

/// 05 A9-6: 08:00, 08:20 on the same telephone, 08:25 at a computer are two; one click of staff is none.
#[tokio::test]
async fn a_sign_in_after_a_lost_connection_is_none_and_one_of_staff_neither() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    roster(&server, &admin).await;
    let day = server.app.clock().today() - Duration::days(1);
    server
        .run(&format!(
            "with own as (insert into school_1.client_account (owner_kind, owner_id, login_name, created_by, updated_by)
                          select 'student', min(id), 'A1', 0, 0 from school_1.student returning id, owner_id)
             insert into school_1.client_session (jti, client, kind, person_id, account_id, login_name, person_name, actor_user_id,
                 actor_name, actor_session, reason, ip, user_agent, issued_at, last_seen_at, expires_at)
             select gen_random_uuid(), 'student', 'student', o.owner_id, o.id, 'A1', '学生', a.actor, a.name, a.session, a.reason, '',
                    a.agent, t.at, t.at, t.at + interval '8 hours'
             from own o
             cross join (values ('08:00', 'Android Mobile', null::bigint, null::text, null::uuid, null::text),
                                ('08:20', 'Android Mobile', null, null, null, null),
                                ('08:25', 'Windows NT', null, null, null, null),
                                ('09:00', 'Windows NT', 1, '教务员', gen_random_uuid(), '协助')) as a (time, agent, actor, name, session, reason)
             cross join lateral (select ('{day} ' || a.time || '+08')::timestamptz as at) t"
        ))
        .await;
    refreshed(&admin).await;
    let asked = json!({ "tab": "student", "from": day, "to": day, "standing": "signed_in" });
    let people = table(&admin, &format!("{LOGIN}/list"), asked).await;
    assert_eq!(people.names().len(), 1);
    let name = people.names()[0].to_owned();
    assert_eq!(people.figures(&name, &["logins", "days", "devices"]), [json!(2.0), json!(1.0), json!("电脑、手机")]);
}

/// 05 A9-11: 1,000 views of 400 visitors, of whom 31 registered; whoever is deleted is taken out.
#[tokio::test]
async fn visitors_by_a_link_are_counted_with_what_they_did() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = kit::cohort::cohort(&admin).await;
    let form = json!({ "name": "地铁站海报", "sourceChannel": "poster", "targetPage": "enrol", "enabled": true });
    let link = admin.post(&format!("{LINK}/save"), form.clone()).await.id();
    assert_eq!(admin.post(&format!("{LINK}/save"), form).await.code(), 422, "the name is taken");
    let code = admin.post(&format!("{LINK}/list"), json!({})).await.data()["list"][0]["code"].clone();
    let now = server.app.clock().now();
    server
        .run(&format!(
            "insert into school_1.visit (visitor_key, at, page, link_id, channel, terminal, address_hash)
             select lpad((n % 400)::text, 32, 'v'), '{now}'::timestamptz - interval '1 minute', 'enrol', {link}, 'poster', 'h5', '\\x00'
             from generate_series(1, 1000) n;
             insert into school_1.stat_dirty (kind, k1, day, marked_at) values ('visit', 0, '{}', now())",
            now.date_naive()
        ))
        .await;
    let first = batch(&admin, &p, "2026-Q", false).await;
    for n in 1..=31 {
        assert_eq!(admin.post(&format!("{PRE}/save"), person(&p, first, n)).await.code(), 200);
    }
    server
        .run(&format!(
            "update school_1.pre_registration
             set visitor_key = lpad((id % 400)::text, 32, 'v'), created_at = '{now}', updated_at = now()"
        ))
        .await;
    refreshed(&admin).await;
    let shown = ["pv", "uv", "preRegistrations", "rate"];
    let sources = table(&admin, &format!("{SOURCE}/list"), json!({})).await;
    assert_eq!(sources.figures("合计", &shown), numbers(&[1000.0, 400.0, 31.0, 7.8]), "{code}");
    assert_eq!(sources.figures("海报二维码", &["link", "terminal"]), [json!("地铁站海报"), json!("手机网页")]);
    let refused = admin.delete(&format!("{LINK}/delete?id={link}")).await;
    assert_eq!(refused.refused(), (409, "该链接已有1000次访问，请停用"));
    let one: i64 = server.one("select min(id) from school_1.pre_registration").await;
    let gone = admin.delete(&format!("{PRE}/delete?id={one}")).await;
    assert_eq!(gone.code(), 200, "{}", gone.body);
    refreshed(&admin).await;
    let sources = table(&admin, &format!("{SOURCE}/list"), json!({})).await;
    assert_eq!(sources.figures("合计", &["preRegistrations"]), numbers(&[30.0]));
}

/// What a browser tells is kept without its address; a code that is switched off counts for nobody.
#[tokio::test]
async fn a_browser_is_given_a_key_and_its_address_is_not_kept() {
    let server = Server::start().await;
    let (admin, _) = kit::clients::school(&server).await;
    let form = json!({ "name": "公众号", "sourceChannel": "wechat", "targetPage": "home", "enabled": true });
    let link = admin.post(&format!("{LINK}/save"), form).await.id();
    let code: String = server.one(&format!("select code from school_1.promotion_link where id = {link}")).await;
    let visitor = server.anonymous().at_host(kit::clients::HOST);
    let visit = |key: Value| {
        json!({ "page": "home", "terminal": "wechat", "linkCode": code, "referrer": "https://mp.weixin.qq.com/s/abc",
            "visitorKey": key })
    };
    let first = visitor.post("/data/client/visit/save", visit(json!(null))).await.data()["visitorKey"].clone();
    assert_eq!(first.as_str().map(str::len), Some(32));
    let again = visitor.post("/data/client/visit/save", visit(first.clone())).await.data()["visitorKey"].clone();
    assert_eq!(first, again);
    let strange = visitor.post("/data/client/visit/save", visit(json!("' or 1=1"))).await.data()["visitorKey"].clone();
    assert_ne!(strange, json!("' or 1=1"));
    let kept: String = server
        .one("select string_agg(distinct channel || ' ' || referrer_domain || ' ' || link_id, ',') from school_1.visit")
        .await;
    assert_eq!(kept, format!("wechat qq.com {link}"));
    let switched = admin.put(&format!("{LINK}/update/status"), json!({ "id": link, "enabled": false })).await;
    assert_eq!(switched.code(), 200);
    visitor.post("/data/client/visit/save", visit(first)).await.data();
    let last: i64 = server.one("select link_id from school_1.visit order by id desc limit 1").await;
    assert_eq!(last, 0);
    let drawn = admin.get(&format!("{LINK}/qrcode?id={link}")).await;
    assert_eq!(drawn.data()["url"], json!(format!("https://{}/?link={code}", kit::clients::HOST)));
    // Of an address sixty a minute are counted.
    let mut answer = visitor.post("/data/client/visit/save", visit(json!(null))).await;
    for _ in 0..120 {
        if answer.code() != 200 {
            break;
        }
        answer = visitor.post("/data/client/visit/save", visit(json!(null))).await;
    }
    assert_eq!(answer.refused(), (429, "操作过于频繁，请稍后再试"));
    let counted: i64 = server.one("select count(*) from school_1.visit").await;
    assert!(counted >= 60, "{counted}");
}

/// 05 A1: beats count while the page is seen, once each, and end after ten minutes of silence.
#[tokio::test]
async fn beats_count_the_time_that_somebody_looks() {
    let server = Server::start().await;
    kit::clients::school(&server).await;
    let own = kit::clients::signed_in(&server).await;
    let beat = async |seq: i64, after: i64, visible: bool| {
        server.app.clock().shift(Duration::seconds(after));
        own.post("/user/client/session/beat", json!({ "seq": seq, "visible": visible })).await.data().clone()
    };
    let told = beat(1, 60, true).await;
    assert_eq!(told["unreadMsg"], json!(0), "{told}");
    beat(1, 30, true).await;
    beat(2, 200, true).await;
    beat(3, 60, false).await;
    let seconds = "select active_seconds from school_1.client_login order by id desc limit 1";
    // 60 s, then 90 s of the 230 since the first; the third looked at nothing.
    assert_eq!(server.one::<i32>(seconds).await, 150);
    beat(4, 700, true).await;
    beat(5, 60, true).await;
    assert_eq!(server.one::<i32>(seconds).await, 150, "only a sign-in opens another");
    let ended: bool =
        server.one("select ended_at is not null from school_1.client_login order by id desc limit 1").await;
    assert!(ended);
}

/// 05 A9-10: the register of a day that is over is the one that was kept, and comes from the beginning of its month.
#[tokio::test]
async fn the_register_of_a_past_day_stays_as_it_was() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    server
        .run(
            "insert into school_1.student_status_change (student_id, kind, to_status, effective_on, created_by, updated_by)
             select id, 'enrol', 'registered', enrolled_on, 0, 0 from school_1.student",
        )
        .await;
    let days = "select date from school_1.stat_school_day order by date desc offset 1 limit 1";
    server.when_due("stat.daily", Duration::days(1)).await;
    let yesterday: NaiveDate = server.one(days).await;
    let asked = json!({ "report": "status", "date": yesterday });
    // Sessions ended with the day.
    let admin = registrar(&server).await;
    let before = table(&admin, &format!("{REPORT}/list"), asked.clone()).await.answer;
    // 40 students leave the day after.
    let today = server.app.clock().today();
    server
        .run(&format!(
            "insert into school_1.student_status_change (student_id, kind, from_status, to_status, effective_on, created_by, updated_by)
             select id, 'dropout', 'registered', 'withdrawn', '{today}', 0, 0 from school_1.student where class_id = {0};
             update school_1.student set status = 'withdrawn', status_reason = 'voluntary', ended_on = '{today}' where class_id = {0}",
            of.classes[0]
        ))
        .await;
    let after = table(&admin, &format!("{REPORT}/list"), asked).await.answer;
    assert_eq!(before["list"][0]["cells"], after["list"][0]["cells"]);
    let now = table(&admin, &format!("{REPORT}/list"), json!({ "report": "status" })).await;
    let name = now.names()[0].to_owned();
    let shown = ["registered", "withdrawn", "all", "closing", "difference"];
    assert_eq!(now.figures(&name, &shown), numbers(&[20.0, 40.0, 60.0, 20.0, 0.0]));
    let by_site = table(&admin, &format!("{REPORT}/list"), json!({ "report": "status", "dimension": "site" })).await;
    assert_eq!(by_site.figures("城东教学点", &["closing", "difference"]), numbers(&[0.0, 0.0]));
    assert_eq!(by_site.figures("合计", &["all", "difference"]), numbers(&[60.0, 0.0]));
    let middle = json!({ "report": "status", "dimension": "site", "date": yesterday });
    let told = admin.post(&format!("{REPORT}/list"), middle).await;
    let is_end = chrono::Datelike::day(&(yesterday + Duration::days(1))) == 1;
    assert_eq!(told.code(), if is_end { 200 } else { 422 }, "by units the ends of months alone: {}", told.body);
}

/// Each report is told with its cards, charts and file; without one nothing is.
#[tokio::test]
async fn every_report_is_told() {
    let server = Server::start().await;
    let (admin, of) = studied(&server).await;
    assert_eq!(admin.post(&format!("{REPORT}/list"), json!({})).await.refused(), (422, "请选择统计报表"));
    let teaching = json!({ "report": "teaching", "dimension": "site" });
    let sites = table(&admin, &format!("{REPORT}/list"), teaching.clone()).await;
    assert_eq!(sites.figures("城东教学点", &["openings", "roster", "avgProgress"]), numbers(&[1.0, 40.0, 55.0]));
    assert_eq!(sites.figures("合计", &["openings", "roster", "avgProgress"]), numbers(&[1.0, 60.0, 60.3]));
    let yearly = table(&admin, &format!("{REPORT}/list"), json!({ "report": "yearly" })).await;
    assert_eq!(yearly.figures("合计", &["students"]), numbers(&[60.0]));
    let overview = table(&admin, &format!("{REPORT}/list"), json!({ "report": "overview" })).await;
    assert_eq!(overview.figures("平均进度", &["value"]), [json!("60.3%")]);
    assert_eq!(overview.figures("在籍学生", &["value"]), [json!("60人")]);
    for report in ["overview", "recruit", "status", "teaching", "score", "graduate", "yearly"] {
        let charts = admin.post(&format!("{REPORT}/chart"), json!({ "report": report })).await;
        assert!(charts.data()["charts"].as_array().is_some_and(|charts| !charts.is_empty()), "{report}");
        let file = admin.post(&format!("{REPORT}/export"), json!({ "report": report })).await;
        assert!(texts_of(&file.bytes, 0).len() > 1, "{report}");
    }
    let narrow = server.staff_within(1, &["data:pc:statistics:list"], "named_sites", &[of.other_site]).await;
    let own = table(&narrow, &format!("{REPORT}/list"), teaching).await;
    assert_eq!(own.names(), ["城西教学点"]);
    for (client, titles) in [(&admin, true), (&narrow, false)] {
        let charts =
            client.post(&format!("{REPORT}/chart"), json!({ "report": "yearly" })).await.data()["charts"].clone();
        let told = charts.as_array().expect("charts").iter().any(|chart| chart["key"] == json!("titles"));
        assert_eq!(told, titles, "teachers belong to no site: {charts}");
    }
}

/// 05 A5, A9-8: over schools a row each, of what they publish; a school that is suspended is named beside. Down to people one looks from
/// inside.
#[tokio::test]
async fn operators_see_a_row_of_each_school() {
    let server = Server::start().await;
    let (_, _) = studied(&server).await;
    server.when_due("stat.daily", Duration::minutes(2)).await;
    let operator = server.operator().await;
    let schools = table(&operator, &format!("{VIDEO}/list"), json!({})).await;
    assert_eq!(schools.figures("合计", &["roster", "avgProgress"]), numbers(&[60.0, 60.3]));
    let register = table(&operator, &format!("{REPORT}/list"), json!({ "report": "status" })).await;
    assert_eq!(register.figures("合计", &["registered"]), numbers(&[60.0]));
    assert_eq!(operator.post(&format!("{REPORT}/list"), json!({ "report": "score" })).await.code(), 422);
    let week = json!({ "from": "2026-04-01", "to": "2026-04-07" });
    assert_eq!(operator.post(&format!("{LOGIN}/list"), week).await.code(), 422, "weeks of schools do not add up");
    operator.post(&format!("{LOGIN}/list"), json!({})).await.data();
    for asked in
        [json!({ "teacherId": 1 }), json!({ "studyForm": "correspondence" }), json!({ "endsFrom": "2026-04-01" })]
    {
        let refused = operator.post(&format!("{VIDEO}/list"), asked.clone()).await;
        assert_eq!(refused.refused(), (422, "请选择院校"), "{asked}");
    }
    let by_class = operator.post(&format!("{LOGIN}/list"), json!({ "tab": "class" })).await;
    assert_eq!(by_class.refused(), (422, "请选择院校"));
    let people = operator.post(&format!("{VIDEO}/list?schoolId=1"), json!({ "level": "student" })).await;
    assert_eq!(people.code(), 422, "{}", people.body);
    let inside = table(&operator, &format!("{VIDEO}/list?schoolId=1"), json!({ "level": "class" })).await;
    assert_eq!(inside.names().len(), 2);
    server.run("update platform.school set status = 'suspended' where id = 2").await;
    server.tell("school:2").await;
    let left = operator.post(&format!("{VIDEO}/list"), json!({})).await;
    assert_eq!(left.data()["notices"][0]["schoolId"], json!(2), "{}", left.body);
    let sources = table(&operator, &format!("{SOURCE}/list"), json!({})).await;
    assert!(sources.answer["columns"].as_array().is_some(), "{}", sources.answer);
    assert_eq!(operator.post(&format!("{REPORT}/refresh"), json!({ "screen": "statistics" })).await.code(), 422);
}

/// 05 A5: of fewer than five people operators are told no mean, in the table as in the cards; the school is.
#[tokio::test]
async fn of_a_few_people_operators_are_told_no_mean() {
    let server = Server::start().await;
    let (admin, of) = studied(&server).await;
    let class = of.classes[1];
    server.run(&format!("update school_1.stat_opening_class set roster = 3 where class_id = {class}")).await;
    let asked = json!({ "level": "class", "classId": class });
    let average = |cards: &Value| {
        let found = cards["cards"].as_array().expect("cards").iter().find(|card| card["key"] == json!("avgProgress"));
        found.expect("a card")["value"].clone()
    };
    let operator = server.operator().await;
    let told = operator.post(&format!("{VIDEO}/summary?schoolId=1"), asked.clone()).await;
    assert_eq!(average(told.data()), json!(null), "{}", told.body);
    let rows = table(&operator, &format!("{VIDEO}/list?schoolId=1"), asked.clone()).await;
    assert_eq!(rows.figures("K2", &["roster", "avgProgress"]), [json!(3.0), json!("<5")]);
    let own = admin.post(&format!("{VIDEO}/summary"), asked).await;
    assert!(average(own.data()).is_number(), "{}", own.body);
}

/// 05 A3-5: a semester that is over is not the current one of the operators' rows any more; a school without a roster has its row too.
#[tokio::test]
async fn the_operators_see_the_semester_that_is_current() {
    let server = Server::start().await;
    let (admin, _) = studied(&server).await;
    server.when_due("stat.daily", Duration::minutes(2)).await;
    let autumn = kit::openings::semester(&admin, "2026-2").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": autumn })).await.data();
    server.when_due("stat.daily", Duration::minutes(2)).await;
    let operator = server.operator().await;
    let now = table(&operator, &format!("{VIDEO}/list"), json!({})).await;
    assert_eq!(now.figures("合计", &["roster"]), numbers(&[0.0]), "{}", now.answer);
    let then = table(&operator, &format!("{VIDEO}/list"), json!({ "semesterText": "2026-1" })).await;
    assert_eq!(then.figures("合计", &["roster", "avgProgress"]), numbers(&[60.0, 60.3]));
}

/// 05 A5, A9-7: sessions with what was credited and what was not, the places of an address hidden, at most 92 days.
#[tokio::test]
async fn learning_records_show_what_was_refused() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    let (_, periods) = kit::study::material(&server, &admin, of.course, &[(600, 1)]).await;
    let now = server.app.clock().now();
    server
        .run(&format!(
            "insert into school_1.study_session (selection_id, student_id, period_id, sign_in, started_at, last_beat_at, credited_seconds,
                 rejected_seconds, ip, device)
             select s.id, s.student_id, {}, gen_random_uuid(), '{now}', '{now}', 35, 265, '203.0.113.7', 'mobile' from {} where s.n = 1",
            periods[0],
            ordered(of.classes[0])
        ))
        .await;
    let records = admin.post(&format!("{LEARNING}/list"), json!({ "abnormal": true })).await;
    let row = &records.data()["list"][0];
    assert_eq!((&row["creditedSeconds"], &row["rejectedSeconds"]), (&json!(35), &json!(265)), "{}", records.body);
    assert_eq!(row["ip"], json!("203.0.113.7"), "whoever may see it whole");
    let clerk = server.staff(1, &["data:pc:learningRecords:list"]).await;
    let masked = clerk.post(&format!("{LEARNING}/list"), json!({})).await.data()["list"][0]["ip"].clone();
    assert_ne!(masked, json!("203.0.113.7"));
    // Who may see it whole at one site sees it there alone.
    let (lists, plain): (&[&str], &[&str]) =
        (&["data:pc:learningRecords:list"], &["data:pc:learningRecords:viewPlain"]);
    for (site, shown) in [(of.other_site, false), (of.p.site, true)] {
        let person = server.staff_with_roles(1, &[(lists, "whole_school", &[]), (plain, "named_sites", &[site])]).await;
        let listed = person.post(&format!("{LEARNING}/list"), json!({})).await.data()["list"][0]["ip"].clone();
        let viewed = person.get(&format!("{LEARNING}/view?id={}", row["id"])).await.data()["ip"].clone();
        assert_eq!([listed, viewed].map(|ip| ip == json!("203.0.113.7")), [shown; 2], "{site}");
    }
    let narrow = server.staff_within(1, &["data:pc:learningRecords:list"], "named_sites", &[of.other_site]).await;
    assert_eq!(narrow.post(&format!("{LEARNING}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(narrow.get(&format!("{LEARNING}/view?id={}", row["id"])).await.code(), 404);
    let long = json!({ "from": "2026-01-01", "to": "2026-06-30" });
    assert_eq!(admin.post(&format!("{LEARNING}/list"), long).await.msg(), "时间跨度不能超过92天");
    // Its day, for whoever asks for the device.
    let today = server.app.clock().today();
    server
        .run(&format!(
            "insert into school_1.study_day (selection_id, day, seconds)
             select z.selection_id, '{today}', 35 from school_1.study_session z;
             insert into school_1.stat_dirty (kind, k1, day, marked_at)
             select 'study', z.selection_id, '{today}', now() from school_1.study_session z"
        ))
        .await;
    refreshed(&admin).await;
    for (device, days) in [("mobile", 1), ("pc", 0)] {
        let found = admin.post(&format!("{LEARNING}/day"), json!({ "device": device })).await;
        assert_eq!(found.data()["totalCount"], json!(days), "{device}: {}", found.body);
    }
    // From the row of a student one looks as far back as may be; over all people a week is shown.
    server
        .run(
            "update school_1.study_session
             set started_at = started_at - interval '30 days', last_beat_at = last_beat_at - interval '30 days'",
        )
        .await;
    let selection: i64 = server.one("select selection_id from school_1.study_session").await;
    for (asked, found) in [(json!({}), 0), (json!({ "selectionId": selection }), 1)] {
        let records = admin.post(&format!("{LEARNING}/list"), asked).await;
        assert_eq!(records.data()["totalCount"], json!(found), "{}", records.body);
    }
}
