//! `make bench BENCH=selection`: 5,000 learners choose 40 courses of 100 seats over HTTP from a server that listens. Then the proof that
//! no course is over its seats and nobody is in one twice, and the rate beside that of a bare transaction of PostgreSQL that takes a
//! seat. A server of its own on a database of its own, which does not wait for its disk; nothing of it is kept.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use kit::{
    Client, Server,
    clients::inside,
    cohort::{Cohort, cohort, registrar},
    openings::{OPENING, generate, plan, rule, semester},
    plans,
    rows::students,
};
use people::demo::Dice;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::load::{self, Wire, at_once, bare, headings, rate, time, within};

const LEARNERS: i64 = 5_000;
const COURSES: usize = 40;
const SEATS: i64 = 100;
/// Courses that a learner tries until one of them has a seat.
const TRIES: usize = 3;
/// Of so many learners one sends all from two devices at once.
const TWICE: usize = 10;
const MINUTE: Duration = Duration::from_secs(60);

struct Learner {
    place: usize,
    student: i64,
    token: String,
    /// Openings.
    wishes: Vec<i64>,
}

/// What became of a learner.
#[derive(Default)]
struct Outcome {
    /// How often the server said that they are in.
    came_in: usize,
    took: Vec<Duration>,
    refused: Vec<String>,
}

pub async fn selection() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let spring = semester(&admin, "2026-1").await;
    let openings = electives(&server, &admin, &p, spring).await;
    let learners = learners(&server, &openings).await;
    let listening = server.listen().await;
    let wire = Wire::to(&listening);
    println!("{LEARNERS} learners, {COURSES} courses of {SEATS} seats, {} calls at once", load::AT_ONCE);
    let begun = Instant::now();
    let outcomes = at_once(learners.iter().map(|learner| choose(&wire, learner))).await;
    let elapsed = begun.elapsed();
    let came_in: usize = outcomes.iter().map(|outcome| outcome.came_in).sum();
    let mut took: Vec<Duration> = outcomes.iter().flat_map(|outcome| outcome.took.iter().copied()).collect();
    proved(&server, came_in).await;
    let offered = format!("/user/client/selection/available?semesterId={spring}");
    let offered = wire.get(&learners[0].token, &offered).await;
    let courses = offered["data"]["courses"].as_array().expect("courses");
    let fits = |course: &Value| course["taken"].as_i64().is_some_and(|taken| taken <= SEATS);
    assert!(courses.len() == COURSES && courses.iter().all(fits), "as the learners see it");
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in outcomes.iter().flat_map(|outcome| &outcome.refused) {
        *refused.entry(reason).or_default() += 1;
    }
    println!("{} calls: {came_in} came in, refused {refused:?}", took.len());
    println!(
        "a call: half within {:.0} ms, 95 of 100 within {:.0} ms",
        within(&mut took, 50).as_secs_f64() * 1e3,
        within(&mut took, 95).as_secs_f64() * 1e3
    );
    let (sent, alone) = transactions(&server, &learners, &openings).await;
    headings();
    time("everybody has chosen, beside a minute", elapsed, MINUTE);
    let ours = took.len() as f64 / elapsed.as_secs_f64();
    rate("choices, beside bare transactions of PostgreSQL", ours, sent as f64 / alone.as_secs_f64());
    listening.close().await;
    server.close().await;
}

/// The learners, and opened electives of their cohort with their seats, in the time of their rule.
async fn electives(server: &Server, admin: &Client<'_>, p: &Cohort, spring: i64) -> Vec<i64> {
    // Courses are opened for who is there, in classes.
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(server, p, p.site, Some(class), 1, LEARNERS).await;
    let mut courses = Vec::with_capacity(COURSES);
    for n in 0..COURSES {
        courses.push(plans::course(admin, &format!("X{n:02}"), 2.0, 36, 8).await);
    }
    let held: Vec<(i64, &str, i32)> = courses.iter().map(|course| (*course, "elective", 1)).collect();
    plan(server, p, &held).await;
    generate(admin, spring).await;
    let openings = numbers(server, "select id from school_1.course_opening order by id").await;
    assert_eq!(openings.len(), COURSES);
    let items: Vec<Value> = openings.iter().map(|id| json!({ "id": id, "version": 1 })).collect();
    let opened = admin.put(&format!("{OPENING}/open"), json!({ "items": items })).await;
    assert_eq!(opened.data()["done"], json!(COURSES), "{}", opened.body);
    server.run(&format!("update school_1.course_opening set capacity = {SEATS}")).await;
    rule(server, admin, spring, 20.0).await;
    openings
}

async fn numbers(server: &Server, statement: &'static str) -> Vec<i64> {
    sqlx::query_scalar(statement).fetch_all(&mut server.owner().await).await.expect("numbers")
}

/// Everybody, signed in, with what they wish.
async fn learners(server: &Server, openings: &[i64]) -> Vec<Learner> {
    let people = numbers(server, "select id from school_1.student order by id").await;
    let tokens = inside(server, &people).await;
    server.run("analyze").await;
    let wishes = |place: usize| {
        let mut dice = Dice::new(1, "wishes", place);
        let mut left = openings.to_vec();
        (0..TRIES).map(|_| left.swap_remove(dice.below(left.len()))).collect::<Vec<i64>>()
    };
    let all = people.into_iter().zip(tokens).enumerate();
    all.map(|(place, (student, token))| Learner { place, student, token, wishes: wishes(place) }).collect()
}

/// Tries one course after the other until one has a seat.
async fn choose(wire: &Wire, learner: &Learner) -> Outcome {
    let mut outcome = Outcome::default();
    let devices = if learner.place.is_multiple_of(TWICE) { 2 } else { 1 };
    for opening in &learner.wishes {
        let sent = (0..devices).map(|device| async move {
            let body = json!({ "requestId": format!("{opening}-{device}"), "openingIds": [opening] });
            let begun = Instant::now();
            let answer = wire.post(&learner.token, "/user/client/selection/submit", &body).await;
            (begun.elapsed(), answer)
        });
        for (took, answer) in join_all(sent).await {
            outcome.took.push(took);
            if answer["data"]["created"] == json!(1) {
                outcome.came_in += 1;
            } else {
                let reason = answer["data"]["results"][0]["message"].as_str().or(answer["msg"].as_str());
                outcome.refused.push(reason.unwrap_or_default().to_owned());
            }
        }
        if outcome.came_in > 0 {
            break;
        }
    }
    outcome
}

/// What must hold however many choose at once.
async fn proved(server: &Server, came_in: usize) {
    let over: i64 = server
        .one(&format!(
            "select count(*) from (select from school_1.course_selection where status in ('pending', 'selected')
                                   group by opening_id having count(*) > {SEATS}) o"
        ))
        .await;
    assert_eq!(over, 0, "courses over their seats");
    let twice: i64 = server
        .one(
            "select count(*) from (select from school_1.course_selection where status in ('pending', 'selected')
                                   group by student_id, course_id having count(*) > 1) t",
        )
        .await;
    assert_eq!(twice, 0, "students who are in a course twice");
    let stand: i64 = server.one("select count(*) from school_1.course_selection where status = 'selected'").await;
    assert_eq!(usize::try_from(stand), Ok(came_in), "whoever was told that they are in is in, and nobody else");
    println!("{stand} seats taken; courses over their seats {over}, students in a course twice {twice}");
}

/// The same wishes as bare transactions that hold the course, count its seats and take one; how many there were, and how long they
/// took.
async fn transactions(server: &Server, learners: &[Learner], openings: &[i64]) -> (usize, Duration) {
    server
        .run(
            "create schema bench;
             create table bench.course (id bigint primary key, seats bigint not null);
             create table bench.seat (course bigint not null, student bigint not null, primary key (course, student))",
        )
        .await;
    for opening in openings {
        server.run(&format!("insert into bench.course values ({opening}, {SEATS})")).await;
    }
    let sent = AtomicUsize::new(0);
    let took = bare(server, learners, async |connection, learner: &Learner| {
        for opening in &learner.wishes {
            sent.fetch_add(1, Ordering::Relaxed);
            if seated(connection, *opening, learner.student).await {
                break;
            }
        }
    })
    .await;
    (sent.into_inner(), took)
}

async fn seated(connection: &mut PgConnection, course: i64, student: i64) -> bool {
    let mut tx = connection.begin().await.expect("a transaction");
    let seats: i64 = sqlx::query_scalar("select seats from bench.course where id = $1 for update")
        .bind(course)
        .fetch_one(&mut *tx)
        .await
        .expect("a course");
    let taken: i64 = sqlx::query_scalar("select count(*) from bench.seat where course = $1")
        .bind(course)
        .fetch_one(&mut *tx)
        .await
        .expect("seats");
    let is_free = taken < seats;
    if is_free {
        sqlx::query("insert into bench.seat values ($1, $2)")
            .bind(course)
            .bind(student)
            .execute(&mut *tx)
            .await
            .expect("a seat");
    }
    tx.commit().await.expect("committed");
    is_free
}
