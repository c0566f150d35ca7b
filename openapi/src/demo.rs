//! Demonstration schools with invented people (05 G), as far as the modules stand. What a module shows of itself it writes
//! itself (its `demo`); here stands the order, and whose accounts there are.
//!
//! Only a school that was opened for demonstration and holds no business rows is filled. The accounts whose password
//! everybody knows are made only in a database that was made for demonstration ([`schools::demo`]).

mod site;
pub mod study;
mod verify;

use accounts::account::{self, NewAccount};
use chrono::NaiveDate;
use futures_util::future::try_join_all;
use infra::{App, Change, Error, Result, Tx, audit::Actor, directory, tx};
use people::demo::Sources;
use schools::{
    demo::{self as mark, Filled},
    school::NewSchool,
};
use serde_json::json;

pub use verify::verify;

/// The password of every account in a database made for demonstration. Printed at every start of `make run`; exists
/// nowhere else.
pub const PASSWORD: &str = "Chengjiao@2026";

/// Of a demonstration school, when nothing else is asked for.
pub const STUDENTS: usize = 2_000;
/// Cohorts, when nothing else is asked for.
pub const YEARS: i32 = 3;
const SEED: u64 = 42;
/// Schools that are opened when none is named.
const USUAL: usize = 2;

/// The platform's account: name and real name.
const OPERATOR: (&str, &str) = ("admin", "演示运营");

/// Roles that get an account in each school: suffix of the name, real name, seeded role.
const STAFF: [(&str, &str, &str); 9] = [
    ("zs", "招生管理员", "recruitment"),
    ("zb", "招办管理员", "recruitment"),
    ("xj", "学籍管理员", "status"),
    ("fb", "分班管理员", "status"),
    ("jw", "教务管理员", "teaching"),
    ("kc", "课程管理员", "teaching"),
    ("zd", "站点管理员", "site_admin"),
    ("cx", "查询人员", "query"),
    ("yh", "用户管理员", "school_admin"),
];

struct School {
    code: &'static str,
    name: &'static str,
    short_name: &'static str,
    color: &'static str,
    province: &'static str,
}

const SCHOOLS: [School; 4] = [
    School {
        code: "demo01", name: "东湖示范学院（演示）", short_name: "东湖学院", color: "#165DFF", province: "42"
    },
    School {
        code: "demo02", name: "南岭示范大学（演示）", short_name: "南岭大学", color: "#0E7A5F", province: "44"
    },
    School {
        code: "demo03",
        name: "北山示范职业学院（演示）",
        short_name: "北山学院",
        color: "#7A3E9D",
        province: "13",
    },
    School {
        code: "demo04", name: "西江示范学院（演示）", short_name: "西江学院", color: "#B4331F", province: "45"
    },
];

/// What a school is filled with.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub students: usize,
    pub years: i32,
    /// The school's own without one.
    pub seed: Option<u64>,
    /// Today without one.
    pub as_of: Option<NaiveDate>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { students: STUDENTS, years: YEARS, seed: None, as_of: None }
    }
}

/// What is printed for the person who tries the product.
pub fn accounts() -> String {
    let mut lines = vec![format!("演示账号，密码均为 {PASSWORD}"), format!("  平台登录：{}", OPERATOR.0)];
    lines.extend(SCHOOLS.iter().take(USUAL).map(accounts_of));
    lines.join("\n")
}

fn accounts_of(school: &School) -> String {
    let names: Vec<String> =
        STAFF.iter().map(|(suffix, role, _)| format!("{}_{suffix}（{role}）", school.code)).collect();
    format!("  院校登录：{}_admin（院校管理员）、{}", school.code, names.join("、"))
}

fn actor() -> Actor {
    Actor {
        kind: "job".to_owned(),
        id: 0,
        name: "演示数据".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    }
}

async fn begin(app: &App) -> Result<Tx> {
    tx::at_the_server(app, actor()).await
}

/// Whether this database was made for demonstration; an empty one is from now on.
///
/// # Errors
/// Only internal ones.
pub async fn is_allowed(app: &App) -> Result<bool> {
    mark::mark(app, begin(app).await?).await
}

/// Makes what is missing: the operator, the courses of the operators' site, the usual schools with their people. Does nothing the second
/// time. Only for a database made for demonstration.
///
/// # Errors
/// 409 when a school of these codes is a real one or holds other rows.
pub async fn fill(app: &App, progress: impl Fn(&str)) -> Result<()> {
    platform(app, true, app.clock().today()).await?;
    let usual = || SCHOOLS.iter().take(USUAL);
    // Opening is a job, and a school that is being filled holds one of the jobs' connections: there are two.
    let mut opened = Vec::with_capacity(USUAL);
    for school in usual() {
        opened.push((school, ensure_open(app, school, true, PASSWORD, &progress).await?));
    }
    let wanted = Wanted::default();
    try_join_all(opened.into_iter().map(|opened| fill_one(app, opened, &wanted, PASSWORD, &progress))).await?;
    Ok(())
}

/// The operators' own part as it stands at a day; the account only in a database made for demonstration.
///
/// # Errors
/// Only internal ones.
pub async fn platform(app: &App, with_accounts: bool, as_of: NaiveDate) -> Result<()> {
    if with_accounts {
        make_operator(app).await?;
    }
    let mut tx = begin(app).await?;
    let mut people = learners::demo::fill(&mut tx, as_of).await?;
    let taught = site::fill(app, &mut tx, people.learners()).await?;
    let rights = learners::demo::rights(&mut tx, people.learners()).await?;
    people.rows.push(("learner_right", rights));
    let settings = settings::demo::fill(&mut tx, as_of).await?;
    let help = support::demo::platform(&mut tx, as_of).await?;
    let written = site::community(&mut tx, people.learners(), as_of).await?;
    // Its shelves hold what was taught and written.
    let content = site_content::demo::fill(&mut tx, as_of).await?;
    let wechat = wechat::demo::fill(&mut tx).await?;
    let rows = taught.rows.iter().chain(&settings.rows).chain(&help.rows).chain(&content.rows);
    for (table, row) in rows.chain(&written.rows).chain(&wechat.rows) {
        mark::note(&mut tx, table, &[*row], None).await?;
    }
    let trade = site::trade(app, &mut tx, &taught, &people).await?;
    for (table, rows) in people.rows.iter().chain(&trade.rows) {
        mark::note(&mut tx, table, rows, None).await?;
    }
    let changes = taught.changes.into_iter().chain(settings.changes).chain(help.changes).chain(content.changes);
    let changes = changes.chain(people.changes).chain(trade.changes).chain(written.changes).chain(wechat.changes);
    let changes: Vec<Change> = changes.collect();
    if changes.is_empty() { Ok(()) } else { tx.commit_all(changes).await }
}

/// Fills one school; answers the line that names its accounts.
///
/// # Errors
/// 404 for a code that no demonstration school has, 409 when it is not open or holds other rows.
pub async fn fill_school(
    app: &App,
    code: &str,
    create: bool,
    wanted: &Wanted,
    password: &str,
    progress: impl Fn(&str),
) -> Result<String> {
    let school = SCHOOLS.iter().find(|school| school.code == code).ok_or_else(|| {
        let codes = SCHOOLS.each_ref().map(|school| school.code).join("、");
        Error::conflict(format!("演示院校的代码为{codes}"))
    })?;
    let id = ensure_open(app, school, create, password, &progress).await?;
    fill_one(app, (school, id), wanted, password, &progress).await?;
    Ok(accounts_of(school))
}

async fn ensure_open(
    app: &App,
    school: &School,
    create: bool,
    password: &str,
    progress: &impl Fn(&str),
) -> Result<i64> {
    match mark::of_code(app, school.code).await? {
        Some(id) => Ok(id),
        None if create => {
            progress(&format!("正在开通 {}", school.name));
            open(app, school, password).await
        }
        None => Err(Error::conflict(format!("院校{}尚未开通，请加上 --create", school.code))),
    }
}

async fn fill_one(
    app: &App,
    (school, id): (&School, i64),
    wanted: &Wanted,
    password: &str,
    progress: &impl Fn(&str),
) -> Result<()> {
    let place = app.school(id).await?.ok_or_else(Error::not_found)?;
    let number = SCHOOLS.iter().position(|known| known.code == school.code).unwrap_or(0) as u64;
    let filled = Filled {
        students: wanted.students,
        years: wanted.years,
        seed: wanted.seed.unwrap_or(SEED + 1 + number),
        as_of: wanted.as_of.unwrap_or_else(|| app.clock().today()),
    };
    let mut tx = tx::at_the_server_in(app, &place, actor()).await?;
    if mark::filled(&mut tx).await?.is_none() {
        if !is_empty(&mut tx).await? {
            return Err(Error::conflict("该院校已有业务数据，不能写入演示数据"));
        }
        progress(&format!("正在生成 {} 的{}名学生", school.name, filled.students));
        // Boxed: every module's part lies in it, too deep for the compiler to lay out at once.
        Box::pin(rows(tx, (school, place.id), &filled)).await?;
        statistics::demo::roll_up(app, &place).await?;
        supervision::demo::fill(app, &place).await?;
    } else {
        // A job may need the other connection for long work; none is held while the next is waited for.
        drop(tx);
    }
    make_staff(app, &place, school, password).await?;
    ask_operators(app, &place, school).await?;
    site_content::demo::school(begin(app).await?, place.id).await?;
    messages::demo::fill(tx::at_the_server_in(app, &place, actor()).await?).await
}

/// The modules in the order of their arrows, in one transaction.
async fn rows(mut tx: Tx, (school, id): (&School, i64), filled: &Filled) -> Result<()> {
    let Filled { students, seed, as_of: today, years } = *filled;
    let province = school.province;
    let mut sources = Sources::read();
    let shape = classes::demo::Shape { province, students, years, today };
    let places = classes::demo::fill(&mut tx, &shape).await?;
    courses::demo::fill(&mut tx, &places.units.organizations).await?;
    question_bank::demo::fill(&mut tx).await?;
    papers::demo::fill(&mut tx).await?;
    teaching_plan::demo::fill(&mut tx, &places.majors, &places.calendar.grades).await?;
    let draw = student_status::demo::Draw { province, students, seed, today };
    student_status::demo::fill(&mut tx, &mut sources, &places, &draw).await?;
    student_numbers::demo::fill(&mut tx).await?;
    corrections::demo::fill(&mut tx).await?;
    enrolment::demo::fill(&mut tx, &places, today).await?;
    let number = province.parse().unwrap_or(42);
    let applicants = recruitment::demo::Offer { places: &places, province: number, students, seed, today };
    recruitment::demo::fill(&mut tx, &mut sources, &applicants).await?;
    let admitted = admission::demo::Draw { places: &places, province: number, seed, today };
    admission::demo::fill(&mut tx, &mut sources, &admitted).await?;
    registration::demo::fill(&mut tx, seed, today).await?;
    status_change::demo::fill(&mut tx, today).await?;
    information_review::demo::fill(&mut tx, seed, today, school.name).await?;
    let staff = people::demo::Place { places: &places, students, province: number, seed, today };
    people::demo::fill(&mut tx, &mut sources, &staff).await?;
    course_opening::demo::fill(&mut tx, today).await?;
    course_selection::demo::fill(&mut tx).await?;
    timetable::demo::fill(&mut tx).await?;
    instruction::demo::fill(&mut tx, today).await?;
    online_study::demo::fill(&mut tx, today).await?;
    homework::demo::fill(&mut tx, today).await?;
    exams::demo::fill(&mut tx, today).await?;
    exam_seats::demo::fill(&mut tx, today).await?;
    scores::demo::fill(&mut tx, today).await?;
    online_exams::demo::fill(&mut tx, today).await?;
    offline_exams::demo::fill(&mut tx, today).await?;
    exams::demo::deferrals(&mut tx, today).await?;
    exam_seats::demo::seats(&mut tx).await?;
    exam_day::demo::fill(&mut tx, today).await?;
    exams::demo::violations(&mut tx, today).await?;
    exams::demo::markers_on_paper(&mut tx).await?;
    offline_exams::demo::ended(&mut tx, today).await?;
    scores::demo::sheets(&mut tx).await?;
    thesis::demo::fill(&mut tx, today).await?;
    graduation_grades::demo::fill(&mut tx).await?;
    graduation::demo::fill(&mut tx, today).await?;
    certificates::demo::fill(&mut tx, today, (id, school.name)).await?;
    statistics::demo::fill(&mut tx, today).await?;
    settings::demo::banners(&mut tx, today).await?;
    support::demo::fill(&mut tx, today).await?;
    mark::fill(&mut tx, filled).await?;
    tx.commit(Change::event("school", 0, "import", json!({ "students": students, "seed": seed }))).await
}

async fn is_empty(tx: &mut Tx) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from grade) or exists (select from site) or exists (select from major)
               or exists (select from course) or exists (select from teacher) or exists (select from student)
               or exists (select from pre_registration) as "known!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(!known)
}

async fn exists(app: &App, login_name: &str) -> Result<bool> {
    let mut tx = app.platform_read().await?;
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.sys_user where login_name = $1) as "known!""#,
        login_name
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(known)
}

async fn make_operator(app: &App) -> Result<()> {
    let (login_name, real_name) = OPERATOR;
    if exists(app, login_name).await? {
        return Ok(());
    }
    let mut tx = begin(app).await?;
    let new = NewAccount {
        login_name,
        real_name,
        phone: None,
        user_type: "platform",
        password: PASSWORD,
        must_change: false,
        built_in: true,
    };
    let id = account::create(&mut tx, &new, app.clock().now()).await?;
    account::give_role(&mut tx, id, "super", None).await?;
    account::give_role(&mut tx, id, "support", None).await?;
    mark::note(&mut tx, "sys_user", &[id], None).await?;
    tx.commit(Change::event("sys_user", id, "insert", json!({ "loginName": login_name }))).await
}

async fn open(app: &App, school: &School, password: &str) -> Result<i64> {
    let mut new = NewSchool::named(school.code, school.name);
    new.status = schools::school::NewSchoolStatus::Active;
    new.form.short_name = Some(school.short_name.to_owned());
    new.form.brand_color = Some(school.color.to_owned());
    new.form.assistance_center_enabled = true;
    let opened = mark::open(begin(app).await?, &new, password.to_owned()).await?;
    infra::jobs::wake(app);
    for _ in 0..600 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let mut tx = app.platform_read().await?;
        let state = sqlx::query_scalar!("select provision_state from platform.school where id = $1", opened.id)
            .fetch_one(&mut *tx)
            .await?;
        match state.as_str() {
            "ready" => return Ok(opened.id),
            "failed" => return Err(Error::conflict("演示院校开通失败，请查看任务中心")),
            _ => {}
        }
    }
    Err(Error::conflict("演示院校30秒内未开通完成，请稍后重试"))
}

/// One account for each role that ships; the site administrator sees one site.
async fn make_staff(app: &App, place: &directory::School, school: &School, password: &str) -> Result<()> {
    let now = app.clock().now();
    let mut look = tx::at_the_server_read_in(app, place).await?;
    let first_site = sqlx::query_scalar!("select id from site order by id limit 1").fetch_one(&mut *look).await?;
    drop(look);
    for (suffix, real_name, role) in STAFF {
        let login_name = format!("{}_{suffix}", school.code);
        if exists(app, &login_name).await? {
            continue;
        }
        let mut tx = begin(app).await?;
        let new = NewAccount {
            login_name: &login_name,
            real_name,
            phone: None,
            user_type: "school",
            password,
            must_change: false,
            built_in: false,
        };
        let id = account::create(&mut tx, &new, now).await?;
        account::bind(&mut tx, id, place.id, false).await?;
        account::give_role(&mut tx, id, role, Some(place.id)).await?;
        if role == "site_admin" {
            accounts::demo::see_site(&mut tx, id, first_site).await?;
        }
        mark::note(&mut tx, "sys_user", &[id], Some(place.id)).await?;
        tx.commit(Change::event("sys_user", id, "insert", json!({ "loginName": login_name }))).await?;
    }
    Ok(())
}

/// What the school's administrator asked the operators.
async fn ask_operators(app: &App, place: &directory::School, school: &School) -> Result<()> {
    let login_name = format!("{}_admin", school.code);
    let asker = sqlx::query!("select id, real_name from platform.sys_user where login_name = $1", login_name)
        .fetch_optional(&mut *app.platform_read().await?)
        .await?;
    let Some(asker) = asker else { return Ok(()) };
    support::demo::asked(app, begin(app).await?, place.id, (asker.id, &asker.real_name)).await
}

/// Begins to remove a demonstration school with its accounts; answers the job that takes its schema away.
///
/// # Errors
/// 404 for an unknown code, 409 for a real school.
pub async fn clear_school(app: &App, code: &str) -> Result<i64> {
    let id = mark::of_code(app, code).await?.ok_or_else(|| Error::conflict(format!("没有代码为{code}的演示院校")))?;
    let mut tx = begin(app).await?;
    let accounts = mark::take(&mut tx, "sys_user", Some(id)).await?;
    remove_accounts(&mut tx, &accounts).await?;
    support::demo::forget(&mut tx, id).await?;
    site_content::demo::forget(&mut tx, id).await?;
    mark::remove(tx, id).await
}

async fn remove_accounts(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    // A machine token's account is one of its own.
    let machines = sign_in::machine_token::remove_of(tx, ids).await?;
    accounts::demo::remove(tx, &[ids, &machines].concat()).await
}

/// Removes the operators' part of the demonstration: their accounts and their site.
///
/// # Errors
/// Only internal ones.
pub async fn clear_platform(app: &App) -> Result<()> {
    let mut tx = begin(app).await?;
    let accounts = mark::take(&mut tx, "sys_user", None).await?;
    remove_accounts(&mut tx, &accounts).await?;
    site::clear(&mut tx).await?;
    let rows = settings::demo::Rows {
        banners: mark::take(&mut tx, "banner", None).await?,
        words: mark::take(&mut tx, "sensitive_word", None).await?,
        configs: mark::take(&mut tx, "sys_config", None).await?,
    };
    settings::demo::clear(&mut tx, &rows).await?;
    let (categories, articles) =
        (mark::take(&mut tx, "support_category", None).await?, mark::take(&mut tx, "support_article", None).await?);
    support::demo::clear(&mut tx, &categories, &articles).await?;
    tx.commit(Change::event("demonstration", 0, "delete", json!({ "accounts": accounts.len() }))).await
}

/// The codes of the demonstration schools that are open.
///
/// # Errors
/// Only internal ones.
pub async fn codes(app: &App) -> Result<Vec<String>> {
    Ok(mark::all(app).await?.into_iter().map(|(_, code)| code).collect())
}
