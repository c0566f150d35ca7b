//! A student at work: what they choose, what they ask, their homework, and then study to the end of the time.

use std::time::Duration;

use infra::clock::Moment;
use people::demo::Dice;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    Act, Person, Wire,
    wire::{Call, Own, moment, rows},
};

/// Electives that a student chooses at the most.
const CHOSEN: usize = 2;
/// Of so many students one leaves a course again that they chose.
const LEAVING: usize = 8;
/// Homework that a student does at the most.
const HOMEWORK: usize = 2;
/// Answers that are saved together: a client saves what changed every few seconds.
const SAVED: usize = 3;
/// In a document a page takes so long.
const PAGE: Duration = Duration::from_secs(6);

const TITLES: [&str; 3] = ["第一章的例题如何理解", "教材与视频的定义不一致", "这一节的结论怎样推出来"];
const QUESTION: &str = "老师好，学习到这里有些疑问，请帮忙解答，谢谢。";
const HELP: &str = "我也遇到过这个问题，可以再看一遍本节的小结。";
const SENTENCES: [&str; 4] = [
    "货币在商品交换中首先执行价值尺度的职能，它使各种商品的价值能够在量上互相比较。",
    "企业在核算成本时必须区分固定费用与变动费用。",
    "日常业务也要按照权责发生制来判断费用所属的期间。",
    "理论的结论应当放到具体的业务当中去检验，不能只停留在概念上。",
];

/// A course that somebody studies.
#[derive(Debug, Clone, Copy)]
struct Course {
    selection: i64,
    /// Somebody teaches it, who answers questions.
    is_taught: bool,
}

struct Learner<'w> {
    own: Own<'w>,
    dice: Dice,
    place: usize,
    until: Instant,
}

pub(super) async fn work(wire: &Wire<'_>, person: &Person, until: Instant) {
    let Some(own) = wire.sign_in(person, "student").await else { return };
    let dice = Dice::new(wire.plan.seed, "learner", person.place);
    let mut learner = Learner { own, dice, place: person.place, until };
    learner.choose().await;
    let courses = learner.courses().await;
    learner.talk(courses.iter().find(|course| course.is_taught)).await;
    learner.homework().await;
    learner.study(&courses).await;
}

fn shuffled<T>(mut all: Vec<T>, dice: &mut Dice) -> Vec<T> {
    for place in (1..all.len()).rev() {
        all.swap(place, dice.below(place + 1));
    }
    all
}

/// Whether a student may choose a course that is offered, as far as their client shows it.
fn may_choose(course: &Value) -> bool {
    let free = course["capacity"].as_i64().is_none_or(|seats| course["taken"].as_i64().unwrap_or(0) < seats);
    let chosen = course["selectionStatus"].as_str().is_some_and(|status| status != "dropped");
    free && !chosen && rows(&course["lackingPrerequisites"]).is_empty()
}

fn is_within(now: Option<Moment>, from: &Value, until: &Value) -> bool {
    let (Some(now), Some(from), Some(until)) = (now, moment(from), moment(until)) else { return false };
    from <= now && now < until
}

impl Learner<'_> {
    fn has_time(&self) -> bool {
        Instant::now() < self.until
    }

    /// As long as there is time.
    async fn think(&self, time: Duration) {
        sleep(time.min(self.until.saturating_duration_since(Instant::now()))).await;
    }

    async fn offered(&mut self) -> Option<Value> {
        self.own.send(Call::get(Act::Offered, "/user/client/selection/available")).await
    }

    /// Electives, within the time of the rule.
    async fn choose(&mut self) {
        let Some(offered) = self.offered().await else { return };
        if !is_within(moment(&offered["serverTime"]), &offered["selectStartsAt"], &offered["selectEndsAt"]) {
            return self.own.leave_out("选课，不在选课时间内");
        }
        let wanted = rows(&offered["courses"]).iter().filter(|course| may_choose(course)).collect();
        let wanted = shuffled(wanted, &mut self.dice);
        let mut credits = offered["selectedCredits"].as_f64().unwrap_or(0.0);
        let most = offered["maxCredits"].as_f64().unwrap_or(f64::MAX);
        for course in wanted.into_iter().take(CHOSEN) {
            let more = course["credits"].as_f64().unwrap_or(0.0);
            if credits + more > most {
                continue;
            }
            let body = json!({ "requestId": self.own.request(), "openingIds": [course["openingId"]] });
            let answer = self.own.ask(Call::post(Act::Select, "/user/client/selection/submit", body)).await;
            // The call goes well where the course does not.
            let refused = match &answer {
                Ok(data) => data["results"][0]["message"].as_str(),
                Err(reason) => Some(reason.as_str()),
            };
            self.own.note(Act::Select, refused);
            if refused.is_none() {
                credits += more;
            }
        }
        if self.place % LEAVING == LEAVING - 1 {
            self.leave().await;
        }
    }

    async fn leave(&mut self) {
        let Some(offered) = self.offered().await else { return };
        let now = moment(&offered["serverTime"]);
        if now.zip(moment(&offered["dropEndsAt"])).is_none_or(|(now, ends)| now >= ends) {
            return self.own.leave_out("退选，已过退选时间");
        }
        let chosen = rows(&offered["courses"])
            .iter()
            .find(|course| matches!(course["selectionStatus"].as_str(), Some("selected" | "pending")));
        if let Some(course) = chosen {
            let body = json!({ "requestId": self.own.request(), "selectionId": course["selectionId"] });
            self.own.send(Call::post(Act::Drop, "/user/client/selection/drop", body)).await;
        }
    }

    /// Selections of the semester that are studied, in an order of the student's own; the week's lessons are looked at beside.
    async fn courses(&mut self) -> Vec<Course> {
        let today = self.own.plan().clock.today();
        let week = today.checked_add_days(chrono::Days::new(6)).unwrap_or(today);
        let lessons = Call::get(Act::Timetable, "/user/client/timetable/list").with("from", today).with("to", week);
        self.own.send(lessons).await;
        let Some(courses) = self.own.send(Call::get(Act::Courses, "/user/client/course/list")).await else {
            return Vec::new();
        };
        let studied = rows(&courses).iter().filter(|course| course["status"] == "selected");
        let known = studied.filter_map(|course| {
            Some(Course { selection: course["selectionId"].as_i64()?, is_taught: course["lecturer"].is_string() })
        });
        shuffled(known.collect(), &mut self.dice)
    }

    /// Every second student asks something, and whoever finds a fellow's question answers it as often as not.
    async fn talk(&mut self, course: Option<&Course>) {
        let Some(Course { selection, .. }) = course else { return };
        if self.place.is_multiple_of(2) {
            let title = TITLES[self.dice.below(TITLES.len())];
            let body = json!({
                "requestId": self.own.request(), "selectionId": selection, "title": title, "content": QUESTION,
            });
            self.own.send(Call::post(Act::Ask, "/user/client/study/qa/save", body)).await;
        }
        let list = Call::get(Act::Questions, "/user/client/study/qa/list").with("selectionId", selection);
        let Some(asked) = self.own.send(list).await else { return };
        let others = rows(&asked["list"]).iter().find(|question| question["own"] == false);
        let helps = self.dice.below(2) == 0;
        if let Some(question) = others.filter(|_| helps) {
            let body = json!({ "requestId": self.own.request(), "qaId": question["id"], "content": HELP });
            self.own.send(Call::post(Act::Help, "/user/client/study/qa/reply", body)).await;
        }
    }

    /// Two students in three do what can be done of their homework.
    async fn homework(&mut self) {
        let Some(tasks) = self.own.send(Call::get(Act::Tasks, "/exam/client/tasks/list")).await else { return };
        if self.place % 3 == 2 {
            return;
        }
        let now = self.own.plan().clock.now();
        let open = rows(&tasks).iter().filter(|task| can_be_done(task, now));
        let open: Vec<i64> = open.filter_map(|task| task["homeworkStudentId"].as_i64()).take(HOMEWORK).collect();
        for id in open {
            if self.has_time() {
                self.answer(id).await;
            }
        }
    }

    /// A homework from its beginning to its end, saved part by part as it is answered.
    async fn answer(&mut self, homework: i64) -> Option<()> {
        let body = json!({ "homeworkStudentId": homework, "requestId": self.own.request() });
        let begun = self.own.send(Call::post(Act::Start, "/exam/client/tasks/start", body)).await?;
        let sheet = begun["sheetId"].as_i64()?;
        let mut seq = begun["lastClientSeq"].as_i64().unwrap_or(0);
        let answers: Vec<Value> =
            questions(&begun["paper"]).filter_map(|question| answer(question, &mut self.dice)).collect();
        for part in answers.chunks(SAVED) {
            let seconds = 1.0 + self.dice.unit() * 2.0;
            self.think(Duration::from_secs_f64(seconds)).await;
            seq += 1;
            let body = json!({ "sheetId": sheet, "clientSeq": seq, "items": part });
            self.own.send(Call::put(Act::Save, "/exam/client/tasks/save", body)).await?;
        }
        let body = json!({ "sheetId": sheet, "requestId": self.own.request() });
        self.own.send(Call::post(Act::Submit, "/exam/client/tasks/submit", body)).await.map(drop)
    }

    /// Period after period, course after course.
    async fn study(&mut self, courses: &[Course]) {
        for Course { selection, .. } in courses {
            while self.has_time() {
                let call = Call::get(Act::Chapters, "/user/client/course/chapters").with("selectionId", selection);
                let Some(seen) = self.own.send(call).await else { break };
                let now = moment(&seen["serverTime"]);
                let next = periods(&seen).find(|period| can_be_studied(period, now));
                let Some(period) = next.filter(|_| seen["window"] == "running") else { break };
                // What the server does not count today it does not count in a minute either.
                if self.watch(*selection, period).await.is_none() {
                    break;
                }
            }
        }
    }

    /// A period until its end, or that of the time; none when the server refused it.
    async fn watch(&mut self, selection: i64, period: &Value) -> Option<()> {
        let number = period["periodId"].as_i64()?;
        let call =
            Call::get(Act::Play, "/user/client/study/play").with("selectionId", selection).with("periodId", number);
        let ticket = self.own.send(call).await?;
        let plan = self.own.plan();
        // That a link was opened is all of it.
        let Some(mut player) = Player::of(period, &ticket, plan.speed) else { return Some(()) };
        let every = plan.beat.unwrap_or(Duration::from_secs(ticket["beatSeconds"].as_u64().unwrap_or(30)));
        let mut last = Instant::now();
        loop {
            self.think(every).await;
            let now = Instant::now();
            let (beat, is_over) = player.beat(now - last, !self.has_time());
            last = now;
            let answer = self.own.send(Call::post(Act::Beat, "/user/client/study/heartbeat", beat)).await?;
            let seconds = |name: &str| answer[name].as_i64().unwrap_or(0);
            self.own.studied(seconds("creditedSeconds"), seconds("rejectedSeconds"));
            if is_over {
                return Some(());
            }
        }
    }
}

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// In seconds.
    Film,
    /// In pages.
    Paper,
    Live,
}

/// A player that runs, as far as its own clock says.
struct Player {
    session: i64,
    kind: Kind,
    /// Seconds of a film, pages of a paper.
    whole: i32,
    /// Where it goes on: a second, or the page that is shown next.
    at: i32,
    speed: f64,
    seq: i64,
    /// What was played of the next second or page.
    begun: Duration,
}

impl Player {
    /// None for what is not played.
    fn of(period: &Value, ticket: &Value, speed: f64) -> Option<Self> {
        let number = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok()).unwrap_or(0);
        let (kind, whole) = match period["kind"].as_str()? {
            "video" | "audio" => (Kind::Film, number(&period["durationSeconds"])),
            "document" => (Kind::Paper, number(&period["pageCount"]).max(1)),
            "live" => (Kind::Live, i32::MAX),
            _ => return None,
        };
        let position = number(&ticket["position"]);
        let at = match kind {
            Kind::Film if position < whole => position,
            Kind::Paper if position < whole => position + 1,
            Kind::Paper => 1,
            Kind::Film | Kind::Live => 0,
        };
        let speed = if kind == Kind::Film { speed.min(ticket["maxSpeed"].as_f64().unwrap_or(1.0)) } else { 1.0 };
        let session = ticket["playSessionId"].as_i64()?;
        Some(Self { session, kind, whole, at, speed, seq: 0, begun: Duration::ZERO })
    }

    /// What it says after so much time, and whether that is the end.
    fn beat(&mut self, passed: Duration, ends: bool) -> (Value, bool) {
        self.seq += 1;
        let played = self.begun + passed.mul_f64(self.speed);
        let (unit, end) = match self.kind {
            Kind::Film => (Duration::from_secs(1), self.whole),
            // Behind the last page.
            Kind::Paper => (PAGE, self.whole.saturating_add(1)),
            Kind::Live => (Duration::from_secs(1), i32::MAX),
        };
        let units = i32::try_from(played.as_millis() / unit.as_millis()).unwrap_or(i32::MAX);
        self.begun = played - unit.saturating_mul(u32::try_from(units).unwrap_or(0));
        let from = self.at;
        self.at = from.saturating_add(units).min(end);
        let is_over = ends || self.at == end;
        let segments = if self.kind == Kind::Film && from < self.at { json!([[from, self.at]]) } else { json!([]) };
        let pages: Vec<i32> = if self.kind == Kind::Paper { (from..self.at).collect() } else { Vec::new() };
        let position = match self.kind {
            Kind::Film => self.at,
            Kind::Paper => self.at - 1,
            Kind::Live => 0,
        };
        let body = json!({
            "playSessionId": self.session, "seq": self.seq, "event": if is_over { "end" } else { "play" },
            "segments": segments, "pages": pages, "speed": self.speed, "position": position,
        });
        (body, is_over)
    }
}

/// The periods of a course in their order.
fn periods(course: &Value) -> impl Iterator<Item = &Value> {
    rows(&course["chapters"]).iter().flat_map(|chapter| {
        let below = rows(&chapter["sections"]).iter().flat_map(|section| rows(&section["periods"]));
        rows(&chapter["periods"]).iter().chain(below)
    })
}

/// Whether there is something left to study of a period, now.
fn can_be_studied(period: &Value, now: Option<Moment>) -> bool {
    let is_there = match period["kind"].as_str() {
        Some("video" | "audio") => period["durationSeconds"].as_i64().is_some_and(|seconds| seconds > 0),
        Some("live") => is_within(now, &period["liveStartsAt"], &period["liveEndsAt"]),
        _ => true,
    };
    is_there && period["finished"] == false && period["locked"] == false
}

/// Whether a homework of questions can be answered now.
fn can_be_done(task: &Value, now: Moment) -> bool {
    let later = |name: &str| moment(&task[name]).is_some_and(|until| now < until);
    let is_open = later("endsAt") || later("lateUntil") || later("extendedUntil");
    let has_begun = moment(&task["startsAt"]).is_some_and(|starts| starts <= now);
    let is_asked = match task["state"].as_str() {
        Some("not_started") => is_open && task["attemptsLeft"].as_i64().unwrap_or(0) > 0,
        Some("in_progress") => is_open,
        Some("returned") => later("redoUntil"),
        _ => false,
    };
    task["kind"] == "paper" && has_begun && is_asked
}

/// The questions of a paper, of a frame its parts.
fn questions(paper: &Value) -> impl Iterator<Item = &Value> {
    rows(&paper["sections"]).iter().flat_map(|section| rows(&section["questions"])).flat_map(|question| {
        let parts = rows(&question["subQuestions"]);
        if parts.is_empty() { std::slice::from_ref(question) } else { parts }
    })
}

/// What a student answers; nothing where a file is asked for.
fn answer(question: &Value, dice: &mut Dice) -> Option<Value> {
    let letters: Vec<&Value> = rows(&question["options"]).iter().map(|option| &option["letter"]).collect();
    let one = |dice: &mut Dice| letters.get(dice.below(letters.len())).copied();
    let given = match question["type"].as_str()? {
        "single_choice" => json!({ "letters": [one(dice)?] }),
        "multiple_choice" => {
            let first = one(dice)?;
            let some: Vec<&Value> =
                letters.iter().copied().filter(|letter| *letter == first || dice.below(2) == 0).collect();
            json!({ "letters": some })
        }
        "true_false" => json!({ "value": dice.below(2) == 0 }),
        "fill_blank" => json!({ "texts": ["价值尺度"] }),
        "short_answer" | "essay" => {
            let from = dice.below(SENTENCES.len());
            let said = [SENTENCES[from], SENTENCES[(from + 1 + dice.below(3)) % SENTENCES.len()]];
            json!({ "html": format!("<p>{}</p><p>{}</p>", said[0], said[1]) })
        }
        _ => return None,
    };
    Some(json!({ "seq": question["seq"], "answer": given }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(kind: &str, position: i64, speed: f64) -> Option<Player> {
        let period = json!({ "kind": kind, "durationSeconds": 100, "pageCount": 4 });
        let ticket = json!({ "playSessionId": 7, "position": position, "maxSpeed": 1.5, "beatSeconds": 30 });
        Player::of(&period, &ticket, speed)
    }

    #[test]
    fn a_player_claims_what_its_clock_has_played() {
        let mut film = player("video", 40, 2.0).expect("a player");
        let (beat, is_over) = film.beat(Duration::from_millis(10_500), false);
        assert_eq!((&beat["segments"], &beat["speed"], is_over), (&json!([[40, 55]]), &json!(1.5), false));
        let (beat, _) = film.beat(Duration::from_millis(10_000), false);
        assert_eq!((&beat["seq"], &beat["segments"]), (&json!(2), &json!([[55, 70]])), "half seconds are not lost");
        let (beat, is_over) = film.beat(Duration::from_secs(60), false);
        assert_eq!((&beat["segments"], &beat["event"], is_over), (&json!([[70, 100]]), &json!("end"), true));
        let again = player("video", 100, 1.0).expect("a player");
        assert_eq!(again.at, 0, "from its beginning");
        assert!(player("link", 0, 1.0).is_none());
    }

    #[test]
    fn pages_are_read_at_the_pace_of_a_reader() {
        let mut paper = player("document", 1, 1.5).expect("a player");
        let (beat, is_over) = paper.beat(Duration::from_secs(13), false);
        assert_eq!((&beat["pages"], &beat["position"], is_over), (&json!([2, 3]), &json!(3), false));
        let (beat, is_over) = paper.beat(Duration::from_secs(5), false);
        assert_eq!((&beat["pages"], &beat["segments"], is_over), (&json!([4]), &json!([]), true));
        let (beat, is_over) = player("live", 0, 1.0).expect("a player").beat(Duration::from_secs(30), true);
        assert_eq!((&beat["segments"], &beat["pages"], is_over), (&json!([]), &json!([]), true));
    }

    #[test]
    fn every_question_gets_an_answer_of_its_type() {
        let question =
            |kind: &str| json!({ "seq": "1", "type": kind, "options": [{ "letter": "A" }, { "letter": "B" }] });
        let told = |kind: &str| answer(&question(kind), &mut Dice::new(1, "t", 0)).map(|item| item["answer"].clone());
        assert_eq!(told("single_choice").map(|given| rows(&given["letters"]).len()), Some(1));
        assert!(told("multiple_choice").is_some_and(|given| !rows(&given["letters"]).is_empty()));
        assert!(told("true_false").is_some_and(|given| given["value"].is_boolean()));
        assert!(told("essay").is_some_and(|given| given["html"].as_str().is_some_and(|html| html.len() > 50)));
        assert_eq!(told("file_upload"), None);
        let paper = json!({ "sections": [{ "questions": [
            question("essay"),
            { "seq": "2", "type": "case_analysis", "subQuestions": [{ "seq": "2.1" }, { "seq": "2.2" }] },
        ] }] });
        let seqs: Vec<&str> = questions(&paper).filter_map(|question| question["seq"].as_str()).collect();
        assert_eq!(seqs, ["1", "2.1", "2.2"]);
    }

    #[test]
    fn homework_is_done_in_its_time() {
        let now = Moment::default() + chrono::TimeDelta::days(10);
        let day = |days: i64| json!(Moment::default() + chrono::TimeDelta::days(days));
        let task = json!({
            "kind": "paper", "state": "not_started", "startsAt": day(5), "endsAt": day(20), "attemptsLeft": 1,
        });
        let with = |field: &str, value: Value| {
            let mut task = task.clone();
            task[field] = value;
            can_be_done(&task, now)
        };
        assert!(can_be_done(&task, now));
        assert!(!with("startsAt", day(11)) && !with("endsAt", day(9)) && !with("attemptsLeft", json!(0)));
        assert!(!with("kind", json!("upload")) && !with("state", json!("marked")) && !with("state", json!("returned")));
    }

    #[test]
    fn a_course_is_chosen_that_has_a_seat() {
        let course = json!({ "capacity": 10, "taken": 9, "lackingPrerequisites": [], "selectionStatus": null });
        let with = |field: &str, value: Value| {
            let mut course = course.clone();
            course[field] = value;
            may_choose(&course)
        };
        assert!(may_choose(&course) && with("selectionStatus", json!("dropped")) && with("capacity", json!(null)));
        assert!(!with("taken", json!(10)) && !with("selectionStatus", json!("selected")));
        assert!(!with("lackingPrerequisites", json!(["管理学原理"])));
    }
}
