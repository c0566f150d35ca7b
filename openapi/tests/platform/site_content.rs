//! What the operators' public site is decorated with (part 01 §9.1, §9.10 Decoration).

use kit::{
    Client, Server,
    accounts::operator_with,
    community::blog,
    fields, quizzes,
    rows::manage,
    sheets::texts,
    site_content::{advertisement, category, course, home, nav, poster},
};
use serde_json::{Value, json};

const NAV: &str = "/system/pc/nav/bar";
const TOP: &str = "/system/pc/adv/top";
const CAROUSEL: &str = "/system/pc/adv/carousel";
const ZONE: &str = "/system/pc/zone";
const ITEM: &str = "/system/pc/zone/item";
const SCHOOL: &str = "/system/pc/zone/school";
const CATEGORY: &str = "/course/pc/category/home";
const FOOTER: &str = "/system/pc/website/nav";
const LINK: &str = "/system/pc/website/link";
const POSTER: &str = "/system/pc/sharing/template";
const WORD: &str = "/system/pc/search";

async fn save(client: &Client<'_>, entity: &str, form: Value) -> i64 {
    client.post(&format!("{entity}/save"), form).await.id()
}

async fn refused(client: &Client<'_>, entity: &str, form: Value) -> (i64, String) {
    let answer = client.post(&format!("{entity}/save"), form).await;
    let (code, msg) = answer.refused();
    (code, msg.to_owned())
}

async fn switch(client: &Client<'_>, entity: &str, id: i64, enabled: bool) -> (i64, String) {
    let answer = client.put(&format!("{entity}/update/status"), json!({ "id": id, "enabled": enabled })).await;
    (answer.code(), answer.body["msg"].as_str().unwrap_or_default().to_owned())
}

/// What a list shows of each row, in its order.
async fn listed(client: &Client<'_>, entity: &str, filter: Value, field: &str) -> Vec<Value> {
    let answer = client.post(&format!("{entity}/list"), filter).await;
    answer.data()["list"].as_array().expect("rows").iter().map(|row| row[field].clone()).collect()
}

fn on(mut form: Value, terminal: &str) -> Value {
    form["terminal"] = json!(terminal);
    form
}

/// 9.10 Decoration (1).
#[tokio::test]
async fn at_the_top_one_advertisement_is_shown_at_a_time() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let spring = save(&operator, TOP, advertisement("春季招生", "05-01", "05-10")).await;
    let second = advertisement("名师周", "05-05", "05-15");
    assert_eq!(refused(&operator, TOP, second.clone()).await, (409, "该时段已有顶部广告".to_owned()));
    save(&operator, TOP, on(second.clone(), "app")).await;
    // It begins in the moment in which the other ends.
    save(&operator, TOP, advertisement("毕业季", "05-10", "05-20")).await;

    let mut off = second.clone();
    off["enabled"] = json!(false);
    let waiting = save(&operator, TOP, off).await;
    assert_eq!(switch(&operator, TOP, waiting, true).await, (409, "该时段已有顶部广告".to_owned()));
    let mut edit = second;
    (edit["id"], edit["version"]) = (json!(waiting), json!(1));
    let answer = operator.put(&format!("{TOP}/edit"), edit).await;
    assert_eq!(answer.refused(), (409, "该时段已有顶部广告"));
    assert_eq!(switch(&operator, TOP, spring, false).await.0, 200);

    let backwards = operator.post(&format!("{TOP}/save"), advertisement("倒置", "06-02", "06-01")).await;
    assert_eq!(fields(&backwards), ["endsAt: 结束时间必须晚于开始时间"]);
    let mut coloured = advertisement("彩色", "07-01", "07-02");
    coloured["bgColor"] = json!("#165DFF");
    let answer = operator.post(&format!("{TOP}/save"), coloured.clone()).await;
    assert_eq!(fields(&answer), ["bgColor: 顶部广告没有背景色"]);
    let carousel = save(&operator, CAROUSEL, coloured).await;
    // An operation reaches only those of its own place.
    assert_eq!(operator.get(&format!("{TOP}/view?id={carousel}")).await.code(), 404);
    assert_eq!(operator.delete(&format!("{TOP}/delete?id={carousel}")).await.code(), 404);
    assert_eq!(switch(&operator, TOP, carousel, false).await.0, 404);
    let order = operator.put(&format!("{TOP}/sort"), json!({ "ids": [carousel] })).await;
    assert_eq!(order.code(), 404, "{}", order.body);
}

/// Two at once, of which one comes first.
#[tokio::test]
async fn two_at_once_do_not_both_come_to_the_top() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let path = format!("{TOP}/save");
    let (one, other) = tokio::join!(
        operator.post(&path, advertisement("甲", "05-01", "05-10")),
        operator.post(&path, advertisement("乙", "05-02", "05-11")),
    );
    let mut codes = [one.code(), other.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
}

/// 9.10 Decoration (2).
#[tokio::test]
async fn the_eleventh_entry_of_a_bar_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut made = Vec::new();
    for number in 1..=10 {
        made.push(save(&operator, NAV, nav(&format!("导航{number}"))).await);
    }
    let eleventh = nav("导航11");
    let told = (409, "启用的导航不能超过10个".to_owned());
    assert_eq!(refused(&operator, NAV, eleventh.clone()).await, told);
    save(&operator, NAV, on(eleventh.clone(), "app")).await;
    let mut off = eleventh;
    off["enabled"] = json!(false);
    let waiting = save(&operator, NAV, off).await;
    assert_eq!(switch(&operator, NAV, waiting, true).await, told);
    assert_eq!(switch(&operator, NAV, made[0], false).await.0, 200);
    assert_eq!(switch(&operator, NAV, waiting, true).await.0, 200);
    assert_eq!(home(&server, "pc").await["navs"].as_array().map(Vec::len), Some(10));
    assert_eq!(home(&server, "app").await["navs"].as_array().map(Vec::len), Some(1));
}

/// 9.10 Decoration (3).
#[tokio::test]
async fn what_goes_off_sale_leaves_the_site_and_stays_as_lost() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (english, politics) = (course(&server, "学位英语").await, course(&server, "政治").await);
    let form = json!({ "terminal": "pc", "zoneTitle": "精品课程", "zoneType": "record" });
    let zone = save(&operator, ZONE, form.clone()).await;
    let seen = operator.get(&format!("{ZONE}/view?id={zone}")).await;
    assert_eq!((&seen.data()["showCount"], &seen.data()["layout"]), (&json!(5), &json!("grid")));
    let choices = async |keyword: &str| {
        let path = format!("{ITEM}/available/list?zoneId={zone}&keyword={keyword}");
        let answer = operator.get(&path).await;
        answer.data().as_array().expect("choices").iter().map(|choice| choice["code"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(choices("%E6%94%BF").await, [json!(politics)]);
    let put = |course: i64| json!({ "zoneId": zone, "refId": course });
    save(&operator, ITEM, put(english)).await;
    save(&operator, ITEM, put(politics)).await;
    assert_eq!(choices("").await, Vec::<Value>::new());
    let twice = operator.post(&format!("{ITEM}/save"), put(english)).await;
    assert_eq!(fields(&twice), ["refId: 该内容已在专区中"]);

    let shown = async || {
        let zones = home(&server, "pc").await["zones"].clone();
        zones[0]["items"].as_array().expect("items").iter().map(|item| item["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(shown().await, ["学位英语", "政治"]);
    server.run(&format!("update platform.online_course set putaway = 'off' where id = {english}")).await;
    assert_eq!(shown().await, ["政治"]);
    assert_eq!(listed(&operator, ITEM, json!({ "zoneId": zone }), "state").await, ["lost", "shown"]);
    let unseen = operator.post(&format!("{ITEM}/save"), put(english)).await;
    assert_eq!(fields(&unseen), ["refId: 所选内容不存在或未上架，请重新选择"]);

    // A shelf with content keeps its kind; what stands on it goes with it.
    let mut edit = form;
    (edit["id"], edit["version"], edit["zoneType"]) = (json!(zone), json!(1), json!("lecturer"));
    let kept = operator.put(&format!("{ZONE}/edit"), edit).await;
    assert_eq!(kept.refused(), (409, "专区已有内容，不能修改类型，请先移除内容"));
    assert_eq!(operator.delete(&format!("{ZONE}/delete?id={zone}")).await.code(), 200);
    assert_eq!(server.one::<i64>("select count(*) from platform.zone_item").await, 0);
}

#[tokio::test]
async fn a_shelf_shows_so_many_and_its_own_kind() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut form = json!({ "terminal": "app", "zoneTitle": "名师", "zoneType": "lecturer", "showCount": 2 });
    let zone = save(&operator, ZONE, form.clone()).await;
    for name in ["陈老师", "李老师", "王老师"] {
        let lecturer = json!({ "lecturerName": name, "phone": "13900000003", "position": "教授" });
        let lecturer = save(&operator, "/user/pc/lecturer", lecturer).await;
        save(&operator, ITEM, json!({ "zoneId": zone, "refId": lecturer })).await;
    }
    let shelf = home(&server, "app").await["zones"][0].clone();
    assert_eq!(shelf["items"].as_array().map(Vec::len), Some(2));
    assert_eq!((&shelf["items"][0]["name"], &shelf["items"][0]["caption"]), (&json!("陈老师"), &json!("教授")));
    assert_eq!(home(&server, "pc").await["zones"], json!([]));
    form["showCount"] = json!(21);
    let many = operator.post(&format!("{ZONE}/save"), form).await;
    assert_eq!((many.code(), &many.body["data"][0]["field"]), (422, &json!("showCount")));
}

/// What a shelf offers, what visitors see on it, and how its items stand.
async fn shelf(server: &Server, operator: &Client<'_>, zone: i64) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let offered = operator.get(&format!("{ITEM}/available/list?zoneId={zone}")).await;
    let offered = offered.data().as_array().expect("choices").iter().map(|choice| choice["code"].clone()).collect();
    let zones = home(server, "pc").await["zones"].clone();
    let shown = zones.as_array().expect("zones").iter().find(|shown| shown["id"] == json!(zone)).expect("the shelf");
    let shown = shown["items"].as_array().expect("items").iter().map(|item| item["name"].clone()).collect();
    (offered, shown, listed(operator, ITEM, json!({ "zoneId": zone }), "state").await)
}

/// 9.10 Decoration (3) for exams: one that is taken off leaves the site and stays as lost.
#[tokio::test]
async fn a_shelf_of_exams_shows_those_on_sale() {
    const PICTURE: &str = "/admin/files/public/platform/202611/exam.png";
    let server = Server::start().await;
    let operator = server.operator().await;
    let lecturer =
        save(&operator, "/user/pc/lecturer", json!({ "lecturerName": "陈老师", "phone": "13900000003" })).await;
    let [first, second, _] = quizzes::problems(&operator).await;
    let paper = |name: &str, price: i64| {
        let content = quizzes::content(name, 100.0, 60.0, &[(first, 50.0), (second, 50.0)]);
        let more = json!({
            "lecturerId": lecturer, "isFree": price == 0, "priceOriginal": price, "priceSale": price, "cover": PICTURE,
        });
        quizzes::with(content, more)
    };
    let sold = quizzes::shown(&operator, paper("学位英语模拟卷", 990)).await;
    let waits = quizzes::save(&operator, paper("待审核的卷", 0), "review").await.id();
    // A course of the same number is no exam.
    course(&server, "学位英语").await;
    let zone = save(&operator, ZONE, json!({ "terminal": "pc", "zoneTitle": "模拟考试", "zoneType": "exam" })).await;
    assert_eq!(shelf(&server, &operator, zone).await, (vec![json!(sold)], vec![], vec![]));
    let unseen = operator.post(&format!("{ITEM}/save"), json!({ "zoneId": zone, "refId": waits })).await;
    assert_eq!(fields(&unseen), ["refId: 所选内容不存在或未上架，请重新选择"]);
    save(&operator, ITEM, json!({ "zoneId": zone, "refId": sold })).await;
    let item = home(&server, "pc").await["zones"][0]["items"][0].clone();
    assert_eq!(
        item,
        json!({
            "refId": sold, "name": "学位英语模拟卷", "picture": PICTURE, "caption": "陈老师", "priceOriginal": 990,
            "priceSale": 990,
        })
    );
    let seen = |state: &str| {
        (vec![], if state == "shown" { vec![json!("学位英语模拟卷")] } else { vec![] }, vec![json!(state)])
    };
    assert_eq!(shelf(&server, &operator, zone).await, seen("shown"));
    let off = json!({ "id": sold, "putaway": "off" });
    operator.put(&format!("{}/update/putaway", quizzes::EXAM), off).await.data();
    assert_eq!(shelf(&server, &operator, zone).await, seen("lost"));
}

/// The same for blogs: those of a blogger who is switched off are seen no more.
#[tokio::test]
async fn a_shelf_of_blogs_shows_what_was_approved() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let written = blog(&server, 61, "我的学习计划", "approved").await;
    let waits = blog(&server, 61, "还没审核", "pending").await;
    let zone = save(&operator, ZONE, json!({ "terminal": "pc", "zoneTitle": "学习分享", "zoneType": "blog" })).await;
    assert_eq!(shelf(&server, &operator, zone).await, (vec![json!(written)], vec![], vec![]));
    let unseen = operator.post(&format!("{ITEM}/save"), json!({ "zoneId": zone, "refId": waits })).await;
    assert_eq!(fields(&unseen), ["refId: 所选内容不存在或未上架，请重新选择"]);
    save(&operator, ITEM, json!({ "zoneId": zone, "refId": written })).await;
    let item = home(&server, "pc").await["zones"][0]["items"][0].clone();
    assert_eq!((&item["name"], &item["caption"]), (&json!("我的学习计划"), &json!("学员61")));
    assert_eq!((&item["priceSale"], &item["refId"]), (&Value::Null, &json!(written)));
    let blogger: i64 = server.one("select id from platform.blogger where learner_id = 61").await;
    assert_eq!(switch(&operator, "/user/pc/community/blogger", blogger, false).await.0, 200);
    assert_eq!(shelf(&server, &operator, zone).await, (vec![], vec![], vec![json!("lost")]));
    assert_eq!(listed(&operator, ITEM, json!({ "zoneId": zone }), "name").await, ["我的学习计划"]);
    server.run(&format!("delete from platform.blog where id = {written}")).await;
    assert_eq!(
        listed(&operator, ITEM, json!({ "zoneId": zone }), "name").await,
        [Value::Null],
        "nothing is left of it"
    );
}

/// 9.10 Decoration (5).
#[tokio::test]
async fn an_entry_of_the_footer_leads_to_one_place() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let about = save(&operator, FOOTER, json!({ "navTitle": "关于我们" })).await;
    let entry = |title: &str, link: Option<&str>, article: Option<&str>| json!({ "parentId": about, "navTitle": title, "linkUrl": link, "content": article });
    let told = ["linkUrl: 请填写链接或文章内容（二选一）"];
    for (link, article) in [(Some("/about"), Some("<p>简介</p>")), (None, None), (None, Some("<p> </p>"))] {
        let answer = operator.post(&format!("{FOOTER}/save"), entry("简介", link, article)).await;
        assert_eq!(fields(&answer), told, "{link:?} {article:?}");
    }
    let article = save(&operator, FOOTER, entry("简介", None, Some("<p>学院<script>x</script>简介</p>"))).await;
    save(&operator, FOOTER, entry("联系", Some("/contact"), None)).await;
    let deep = json!({ "parentId": article, "navTitle": "更深", "linkUrl": "/deep" });
    let answer = operator.post(&format!("{FOOTER}/save"), deep).await;
    assert_eq!(fields(&answer), ["parentId: 底部导航最多2级"]);
    let answer = operator.delete(&format!("{FOOTER}/delete?id={about}")).await;
    assert_eq!(answer.refused(), (409, "已被2条底部导航引用，不能删除"));
    let foot = home(&server, "pc").await["footer"].clone();
    assert_eq!(foot[0]["navTitle"], json!("关于我们"));
    let article_of = |title: &str| {
        let entries = foot[0]["entries"].as_array().expect("entries");
        entries.iter().find(|entry| entry["navTitle"] == title).expect("it is there")["content"].clone()
    };
    assert_eq!((article_of("简介"), article_of("联系")), (json!("<p>学院简介</p>"), Value::Null));
    assert_eq!(switch(&operator, FOOTER, about, false).await.0, 200);
    assert_eq!(home(&server, "pc").await["footer"], json!([]));
    let below = operator.post(&format!("{FOOTER}/save"), entry("招聘", Some("/jobs"), None)).await;
    assert_eq!(fields(&below), ["parentId: “关于我们”已停用，请选择其他项"]);
}

#[tokio::test]
async fn rows_take_the_order_that_people_give_them() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut ids = Vec::new();
    for title in ["一", "二", "三", "四"] {
        ids.push(save(&operator, NAV, nav(title)).await);
    }
    let elsewhere = save(&operator, NAV, on(nav("移动"), "app")).await;
    let titles = async || listed(&operator, NAV, json!({ "terminal": "pc" }), "navTitle").await;
    // Of equal places the newest comes first.
    assert_eq!(titles().await, ["四", "三", "二", "一"]);
    let sort = async |ids: Value| operator.put(&format!("{NAV}/sort"), json!({ "ids": ids })).await;
    let done = sort(json!([ids[0], ids[1], ids[2], ids[3]])).await;
    assert_eq!(done.data()["done"], json!(4));
    assert_eq!(titles().await, ["一", "二", "三", "四"]);
    // Those of one page change places among themselves.
    assert_eq!(sort(json!([ids[2], ids[1]])).await.code(), 200);
    assert_eq!(titles().await, ["一", "三", "二", "四"]);
    let told = ["ids: 只能调整同一列表中各项的顺序，请刷新后重试"];
    assert_eq!(fields(&sort(json!([ids[0], elsewhere])).await), told);
    assert_eq!(fields(&sort(json!([ids[0], ids[0]])).await), told);
    assert_eq!(sort(json!([999_999])).await.code(), 404);
    let rows = texts(&operator.post(&format!("{NAV}/export"), json!({ "terminal": "pc" })).await.bytes);
    assert_eq!(rows[0][..3], ["端", "标题", "链接"]);
    assert_eq!(rows[1..].iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["一", "三", "二", "四"]);
}

#[tokio::test]
async fn of_each_kind_of_poster_one_is_the_default() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let default = |name: &str| {
        let mut form = poster(name);
        form["isDefault"] = json!(true);
        form
    };
    save(&operator, POSTER, default("春")).await;
    let summer = save(&operator, POSTER, default("夏")).await;
    let of = |names: &[(&str, bool)]| names.iter().map(|(name, is)| format!("{name} {is}")).collect::<Vec<_>>();
    let defaults = async || {
        let answer = operator.post(&format!("{POSTER}/list"), json!({})).await;
        let mut rows: Vec<String> = answer.data()["list"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| format!("{} {}", row["name"].as_str().expect("a name"), row["isDefault"]))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(defaults().await, of(&[("夏", true), ("春", false)]));
    let mut other = default("直播");
    other["shareType"] = json!("live");
    save(&operator, POSTER, other).await;
    assert_eq!(defaults().await, of(&[("夏", true), ("春", false), ("直播", true)]));

    let mut without = poster("无码");
    without["elements"] = json!([{ "kind": "title", "x": 0, "y": 0, "w": 750, "h": 80 }]);
    let answer = operator.post(&format!("{POSTER}/save"), without).await;
    assert_eq!(fields(&answer), ["elements: 海报上必须有二维码"]);
    let mut beyond = poster("出界");
    beyond["elements"][0]["x"] = json!(551);
    let answer = operator.post(&format!("{POSTER}/save"), beyond).await;
    assert_eq!(fields(&answer), ["elements: 第1个元素“二维码”超出了海报范围"]);
    let kept = operator.get(&format!("{POSTER}/view?id={summer}")).await;
    assert_eq!(kept.data()["elements"][0]["y"], json!(1100));
}

#[tokio::test]
async fn the_home_page_offers_ten_categories_of_a_terminal() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut categories = Vec::new();
    for number in 1..=11 {
        categories.push(category(&server, &format!("分类{number}")).await);
    }
    let form = |category: i64| json!({ "terminal": "pc", "categoryId": category });
    let mut first = form(categories[0]);
    first["title"] = json!("学历提升");
    save(&operator, CATEGORY, first).await;
    for category in &categories[1..10] {
        save(&operator, CATEGORY, form(*category)).await;
    }
    let told = (409, "每个端的首页分类不能超过10个".to_owned());
    assert_eq!(refused(&operator, CATEGORY, form(categories[10])).await, told);
    save(&operator, CATEGORY, on(form(categories[10]), "app")).await;
    let twice = operator.post(&format!("{CATEGORY}/save"), on(form(categories[10]), "app")).await;
    assert_eq!(fields(&twice), ["categoryId: 该分类已在首页中"]);
    let kept = operator.delete(&format!("/course/pc/category/record/delete?id={}", categories[0])).await;
    assert_eq!(kept.refused(), (409, "已被1个首页分类引用，不能删除"));
    let titles = |home: &Value| {
        home["categories"].as_array().expect("categories").iter().map(|row| row["title"].clone()).collect::<Vec<_>>()
    };
    assert!(titles(&home(&server, "pc").await).contains(&json!("学历提升")));
    assert_eq!(titles(&home(&server, "app").await), ["分类11"]);
    let choices = operator.get(&format!("{CATEGORY}/available/list?keyword=%E5%88%86%E7%B1%BB11")).await;
    assert_eq!(choices.data(), &json!([{ "code": categories[10], "desc": "录播课程：分类11" }]));
    let off = json!({ "id": categories[10], "enabled": false });
    assert_eq!(operator.put("/course/pc/category/record/update/status", off).await.code(), 200);
    assert_eq!(titles(&home(&server, "app").await), Vec::<Value>::new());
    let unusable = operator.post(&format!("{CATEGORY}/save"), form(categories[10])).await;
    assert_eq!(fields(&unusable), ["categoryId: “分类11”已停用，请选择其他项"]);
}

#[tokio::test]
async fn a_school_is_shown_while_it_is_open() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server.run("update platform.school set domain = 'one.example.cn' where id = 1").await;
    let first = save(&operator, SCHOOL, json!({ "schoolId": 1, "slogan": "成就你我" })).await;
    save(&operator, SCHOOL, json!({ "schoolId": 2, "linkUrl": "https://two.example.cn/join", "terminal": "app" }))
        .await;
    let twice = operator.post(&format!("{SCHOOL}/save"), json!({ "schoolId": 1 })).await;
    assert_eq!(fields(&twice), ["schoolId: 该院校已在专区中"]);
    let unknown = operator.post(&format!("{SCHOOL}/save"), json!({ "schoolId": 999 })).await;
    assert_eq!(fields(&unknown), ["schoolId: 所选院校不存在，请重新选择"]);
    let links = async |terminal: &str| {
        let schools = home(&server, terminal).await["schools"].clone();
        let mut links: Vec<String> = schools
            .as_array()
            .expect("schools")
            .iter()
            .map(|school| school["linkUrl"].as_str().expect("a link").to_owned())
            .collect();
        links.sort();
        links
    };
    assert_eq!(links("pc").await, ["https://one.example.cn"]);
    assert_eq!(links("app").await, ["https://one.example.cn", "https://two.example.cn/join"]);
    server.run("update platform.school set status = 'suspended' where id = 1").await;
    assert_eq!(links("pc").await, Vec::<String>::new());
    let row = operator.get(&format!("{SCHOOL}/view?id={first}")).await;
    assert_eq!((&row.data()["schoolOpen"], &row.data()["enabled"]), (&json!(false), &json!(true)));
    let gone = operator.post(&format!("{SCHOOL}/batchDel"), json!({ "ids": [first] })).await;
    assert_eq!(gone.data()["done"], json!(1));
}

#[tokio::test]
async fn a_search_word_stands_once_and_is_looked_through() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for (word, action) in [("代考", "reject"), ("押题", "mask")] {
        let entry = json!({ "words": [word], "category": "ad", "action": action });
        operator.post("/system/pc/sys/sensitive/word/library/save", entry).await.data();
    }
    let form = |word: &str| json!({ "terminal": "pc", "wordType": "hot", "word": word });
    let made = operator.post(&format!("{WORD}/save"), form("学位英语")).await;
    assert_eq!(made.data()["warnings"], json!([]));
    let twice = operator.post(&format!("{WORD}/save"), form("学位英语")).await;
    assert_eq!(fields(&twice), ["word: 搜索词“学位英语”已存在"]);
    save(&operator, WORD, on(form("学位英语"), "app")).await;
    assert_eq!(refused(&operator, WORD, form("快来代考")).await, (422, "内容包含敏感词，请修改后提交".to_owned()));
    let warned = operator.post(&format!("{WORD}/save"), form("考前押题")).await;
    assert_eq!(warned.data()["warnings"], json!(["搜索词包含敏感词，请核对"]));
    assert_eq!(listed(&operator, WORD, json!({ "name": "英语", "terminal": "pc" }), "clickCount").await, [json!(0)]);
    assert_eq!(home(&server, "app").await["words"][0]["word"], json!("学位英语"));
}

#[tokio::test]
async fn visitors_see_what_is_enabled_and_in_its_time() {
    let server = Server::start().await;
    let operator = server.operator().await;
    // The stories' clock stands near the present: these are over, running and to come.
    let period = |title: &str, from: &str, to: &str| {
        let mut form = advertisement(title, "05-01", "05-02");
        (form["beginsAt"], form["endsAt"]) = (json!(from), json!(to));
        form
    };
    let (long_ago, long_to_come) = ("2000-01-01T00:00:00+08:00", "2100-01-01T00:00:00+08:00");
    save(&operator, CAROUSEL, period("已结束", long_ago, "2001-01-01T00:00:00+08:00")).await;
    save(&operator, CAROUSEL, period("未开始", "2099-01-01T00:00:00+08:00", long_to_come)).await;
    for number in 1..=9 {
        save(&operator, CAROUSEL, period(&format!("轮播{number}"), long_ago, long_to_come)).await;
    }
    save(&operator, TOP, period("顶部", long_ago, long_to_come)).await;
    let link = save(&operator, LINK, json!({ "linkName": "学信网", "linkUrl": "https://www.chsi.com.cn/" })).await;
    let seen = home(&server, "pc").await;
    assert_eq!(seen["carousel"].as_array().map(Vec::len), Some(8));
    assert_eq!((&seen["top"]["advTitle"], &seen["links"][0]["linkName"]), (&json!("顶部"), &json!("学信网")));
    let standings = listed(&operator, CAROUSEL, json!({ "pageSize": 500 }), "standing").await;
    let of = |word: &str| standings.iter().filter(|standing| **standing == json!(word)).count();
    assert_eq!((of("shown"), of("waiting"), of("ended")), (9, 1, 1));
    assert_eq!(switch(&operator, LINK, link, false).await.0, 200);
    let app = home(&server, "app").await;
    assert_eq!((&app["top"], &app["carousel"]), (&Value::Null, &json!([])));
    assert_eq!(home(&server, "pc").await["links"], json!([]));
}

#[tokio::test]
async fn who_may_only_look_changes_nothing() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let made = save(&operator, NAV, nav("首页")).await;
    let reader = operator_with(&server, "reader", &["system:pc:nav:bar:list", "system:pc:nav:bar:view"]).await;
    assert_eq!(listed(&reader, NAV, json!({}), "navTitle").await, ["首页"]);
    assert_eq!(reader.post(&format!("{NAV}/save"), nav("课程")).await.code(), 403);
    assert_eq!(reader.put(&format!("{NAV}/sort"), json!({ "ids": [made] })).await.code(), 403);
    assert_eq!(reader.delete(&format!("{NAV}/delete?id={made}")).await.code(), 403);
    assert_eq!(reader.post(&format!("{TOP}/list"), json!({})).await.code(), 403);
    assert_eq!(server.staff(1, &[]).await.post(&format!("{NAV}/list"), json!({})).await.code(), 403);
    // The reader was made by a newer session.
    let operator = server.operator().await;
    let mut edit = nav("主页");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    assert_eq!(operator.put(&format!("{NAV}/edit"), edit.clone()).await.code(), 200);
    // Somebody else was quicker.
    assert_eq!(operator.put(&format!("{NAV}/edit"), edit).await.code(), 409);
}

/// Whoever acts for one school puts no other on the page, and learns nothing of it.
#[tokio::test]
async fn an_operator_of_one_school_chooses_no_other() {
    let server = Server::start().await;
    let codes = ["system:pc:zone:school:save", "system:pc:zone:school:edit"];
    let narrow = operator_with(&server, "narrow", &codes).await;
    manage(&server, "narrow", &[1]).await;
    let told = ["schoolId: 所选院校不存在，请重新选择"];
    let other = narrow.post(&format!("{SCHOOL}/save"), json!({ "schoolId": 2 })).await;
    assert_eq!(fields(&other), told);
    let own = save(&narrow, SCHOOL, json!({ "schoolId": 1 })).await;
    let edit =
        |school: i64, version: i32| json!({ "id": own, "version": version, "schoolId": school, "slogan": "成就你我" });
    assert_eq!(fields(&narrow.put(&format!("{SCHOOL}/edit"), edit(2, 1)).await), told);
    assert_eq!(narrow.put(&format!("{SCHOOL}/edit"), edit(1, 1)).await.code(), 200);
}

/// Both places stand in one table; what happened to a picture is read by whoever sees its place.
#[tokio::test]
async fn the_trail_of_an_advertisement_opens_with_the_right_to_its_place() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let top = save(&operator, TOP, advertisement("顶部", "05-01", "05-02")).await;
    let carousel = save(&operator, CAROUSEL, advertisement("轮播", "05-01", "05-02")).await;
    let reader = operator_with(&server, "pictures", &["system:pc:adv:carousel:view"]).await;
    for (id, expected) in [(carousel, 200), (top, 403)] {
        let asked = json!({ "entityType": "adv", "entityId": id });
        assert_eq!(reader.post("/data/pc/sys/log/record", asked).await.code(), expected);
    }
}
