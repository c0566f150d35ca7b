//! `make bench BENCH=study`: the players of 2,000 learners send their heartbeats over HTTP to a server that listens. Then the proof that
//! none was lost and none counted twice, and what one heartbeat costs beside the bare statements of PostgreSQL that keep it. The clock
//! goes half a minute on from one round to the next. A server of its own on a database of its own, which does not wait for its disk;
//! nothing of it is kept.

use std::time::{Duration, Instant};

use kit::{
    Server,
    clients::inside,
    cohort::{cohort, registrar},
    openings::{opened, plan, semester},
    plans,
    rows::students,
    study::{BEAT, PLAY, material, set},
};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::load::{self, Wire, at_once, bare, headings, rate, time, within};

const LEARNERS: i64 = 2_000;
const ROUNDS: i32 = 10;
/// From one beat of a player to the next, in seconds.
const SECONDS: i32 = 30;
/// Of the video, in seconds.
const LENGTH: i32 = 3_600;
/// Beats of which each is alone.
const ALONE: usize = 300;
/// Between two beats of a player.
const SPAN: Duration = Duration::from_secs(SECONDS as u64);
/// A call that the server had no place for is sent again, as a player does.
const AGAIN: Duration = Duration::from_millis(200);

struct Learner {
    selection: i64,
    token: String,
    session: i64,
}

pub async fn study() {
    let server = Server::start().await;
    let (people, period) = taught(&server).await;
    let listening = server.listen().await;
    let wire = Wire::to(&listening);
    let learners = at_once(people.into_iter().map(|(selection, token)| play(&wire, selection, token, period))).await;
    println!("{} learners, {ROUNDS} heartbeats each, {} calls at once", learners.len(), load::AT_ONCE);
    let (mut elapsed, mut took, mut busy, mut credited) = (Duration::ZERO, Vec::new(), 0, 0);
    for round in 0..ROUNDS {
        server.app.clock().shift(chrono::Duration::seconds(i64::from(SECONDS)));
        let begun = Instant::now();
        let beats = at_once(learners.iter().map(|learner| beat(&wire, learner, round))).await;
        elapsed += begun.elapsed();
        for sent in beats {
            took.push(sent.took);
            busy += sent.busy;
            credited += sent.credited();
        }
    }
    proved(&server, &wire, &learners, credited).await;
    println!(
        "{busy} sent again; a heartbeat: half within {:.0} ms, 95 of 100 within {:.0} ms",
        within(&mut took, 50).as_secs_f64() * 1e3,
        within(&mut took, 95).as_secs_f64() * 1e3
    );
    // One after the other, in another round.
    server.app.clock().shift(chrono::Duration::seconds(i64::from(SECONDS)));
    let mut single = Vec::with_capacity(ALONE);
    for learner in &learners[..ALONE] {
        single.push(beat(&wire, learner, ROUNDS).await.took);
    }
    let (crowd, mut bare_single) = transactions(&server, &learners, period).await;
    headings();
    time("a heartbeat of everybody, beside the time to the next", elapsed / ROUNDS.unsigned_abs(), SPAN);
    rate("heartbeats, beside their bare statements", took.len() as f64 / elapsed.as_secs_f64(), crowd);
    time("one heartbeat alone, beside its bare statements", within(&mut single, 50), within(&mut bare_single, 50));
    listening.close().await;
    server.close().await;
}

/// A compulsory course with one video; its selections with the tokens of their students, and the period.
async fn taught(server: &Server) -> (Vec<(i64, String)>, i64) {
    let admin = registrar(server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(server, &p, p.site, Some(class), 1, LEARNERS).await;
    let (_, periods) = material(server, &admin, course, &[(LENGTH, 1)]).await;
    let opening = opened(&admin, spring, course).await;
    assert_eq!(set(server, &admin, opening, json!({})).await.code(), 200);
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "select id, student_id from school_1.course_selection where status = 'selected' order by student_id",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("selections");
    assert_eq!(i64::try_from(rows.len()), Ok(LEARNERS));
    let people: Vec<i64> = rows.iter().map(|(_, student)| *student).collect();
    let tokens = inside(server, &people).await;
    server.run("analyze").await;
    (rows.into_iter().map(|(selection, _)| selection).zip(tokens).collect(), periods[0])
}

async fn play(wire: &Wire, selection: i64, token: String, period: i64) -> Learner {
    let opened = wire.get(&token, &format!("{PLAY}?selectionId={selection}&periodId={period}")).await;
    let session = opened["data"]["playSessionId"].as_i64().unwrap_or_else(|| panic!("{opened}"));
    Learner { selection, token, session }
}

/// A heartbeat with its answer.
struct Sent {
    answer: Value,
    took: Duration,
    /// How often the server had no place for it.
    busy: usize,
}

impl Sent {
    fn credited(&self) -> i64 {
        self.answer["creditedSeconds"].as_i64().unwrap_or_else(|| panic!("{}", self.answer))
    }
}

/// What was played in a round; sent until the server has taken it.
async fn beat(wire: &Wire, learner: &Learner, round: i32) -> Sent {
    let (from, to) = (round * SECONDS, (round + 1) * SECONDS);
    let body = json!({
        "playSessionId": learner.session, "seq": round + 1, "event": "play", "segments": [[from, to]], "speed": 1.0,
        "position": to,
    });
    let (begun, mut busy) = (Instant::now(), 0);
    loop {
        let mut answer = wire.post(&learner.token, BEAT, &body).await;
        if answer["code"] == json!(429) {
            busy += 1;
            tokio::time::sleep(AGAIN).await;
            continue;
        }
        assert_eq!(answer["code"], json!(200), "{answer}");
        return Sent { answer: answer["data"].take(), took: begun.elapsed(), busy };
    }
}

/// Every heartbeat counted, and once: in the answers, the sessions, the days, the periods and the courses; sent again it changes
/// nothing.
async fn proved(server: &Server, wire: &Wire, learners: &[Learner], credited: i64) {
    let wanted = LEARNERS * i64::from(ROUNDS * SECONDS);
    assert_eq!(credited, wanted, "as the players were told");
    let sums = [
        ("credited_seconds", "study_session"),
        ("seconds", "study_day"),
        ("watched_seconds", "study_progress"),
        ("seen", "study_progress"),
        ("study_seconds", "study_course_progress"),
    ];
    for replayed in [false, true] {
        if replayed {
            let again = at_once(learners.iter().map(|learner| beat(wire, learner, ROUNDS - 1))).await;
            assert_eq!(again.iter().map(Sent::credited).sum::<i64>(), LEARNERS * i64::from(SECONDS), "the same answer");
        }
        for (column, table) in sums {
            let stands: i64 = server.one(&format!("select sum({column})::bigint from school_1.{table}")).await;
            assert_eq!(stands, wanted, "{column} of {table}");
        }
    }
    println!(
        "{wanted} s credited as told, in sessions, days, periods and courses; the last heartbeats again changed nothing"
    );
}

/// The bare statements of a heartbeat: how many a second on all connections, and what each took alone.
async fn transactions(server: &Server, learners: &[Learner], period: i64) -> (f64, Vec<Duration>) {
    server
        .run(
            "create schema bench;
             create table bench.session (id bigint primary key, seq bigint not null, at timestamptz not null, seconds integer not null);
             create table bench.progress (selection bigint, period bigint, watched int4multirange not null, seconds integer not null,
                                          primary key (selection, period));
             create table bench.day (selection bigint, day date, seconds integer not null, primary key (selection, day));
             create table bench.course (selection bigint primary key, seconds bigint not null)",
        )
        .await;
    server
        .run(
            "insert into bench.session select id, 0, now(), 0 from school_1.study_session;
             insert into bench.course select id, 0 from school_1.study_course_progress",
        )
        .await;
    let works: Vec<(&Learner, i32)> =
        (0..ROUNDS).flat_map(|round| learners.iter().map(move |one| (one, round))).collect();
    let took = bare(server, &works, async |connection, (learner, round): &(&Learner, i32)| {
        counted(connection, learner, period, *round).await;
    })
    .await;
    let mut single = Vec::with_capacity(ALONE);
    let mut connection = server.owner().await;
    for learner in &learners[..ALONE] {
        let begun = Instant::now();
        counted(&mut connection, learner, period, ROUNDS).await;
        single.push(begun.elapsed());
    }
    (works.len() as f64 / took.as_secs_f64(), single)
}

async fn counted(connection: &mut PgConnection, learner: &Learner, period: i64, round: i32) {
    let mut tx = connection.begin().await.expect("a transaction");
    sqlx::query("select seq from bench.session where id = $1 for update")
        .bind(learner.session)
        .fetch_one(&mut *tx)
        .await
        .expect("a session");
    sqlx::query(
        "insert into bench.progress as x values ($1, $2, int4multirange(int4range($3, $4)), $5)
         on conflict (selection, period) do update
         set watched = x.watched + excluded.watched, seconds = x.seconds + excluded.seconds",
    )
    .bind(learner.selection)
    .bind(period)
    .bind(round * SECONDS)
    .bind((round + 1) * SECONDS)
    .bind(SECONDS)
    .execute(&mut *tx)
    .await
    .expect("progress");
    sqlx::query(
        "insert into bench.day as x values ($1, current_date, $2)
         on conflict (selection, day) do update set seconds = x.seconds + excluded.seconds",
    )
    .bind(learner.selection)
    .bind(SECONDS)
    .execute(&mut *tx)
    .await
    .expect("a day");
    sqlx::query("update bench.course set seconds = seconds + $2 where selection = $1")
        .bind(learner.selection)
        .bind(SECONDS)
        .execute(&mut *tx)
        .await
        .expect("a course");
    sqlx::query("update bench.session set seq = $2, at = now(), seconds = seconds + $3 where id = $1")
        .bind(learner.session)
        .bind(i64::from(round) + 1)
        .bind(SECONDS)
        .execute(&mut *tx)
        .await
        .expect("a session");
    tx.commit().await.expect("committed");
}
