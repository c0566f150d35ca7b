//! A teacher at work: questions that wait, sheets that wait, and who came to the latest lessons.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use chrono::Days;
use people::demo::Dice;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    Act, Person, Wire,
    wire::{Call, Own, moment, rows},
};

/// From one look at what waits to the next.
const REST: Duration = Duration::from_secs(15);
/// Sheets that are marked in one round.
const SHEETS: i64 = 20;
/// Days before today whose lessons are looked at.
const DAYS: u64 = 6;

const REPLY: &str = "请结合本节视频后半部分的讲解，再看教材的例题。";
const COMMENT: &str = "要点基本完整，注意结合实例。";
/// Who comes, of a hundred.
const CAME: [(&str, f64); 4] = [("present", 86.0), ("late", 6.0), ("leave", 4.0), ("absent", 4.0)];

/// A teacher who is signed in.
pub(super) struct Teacher<'w> {
    own: Own<'w>,
    dice: Dice,
    rosters: &'w HashMap<i64, Vec<i64>>,
    /// Sessions whose attendance was sent.
    registered: HashSet<i64>,
}

pub(super) async fn work<'w>(
    wire: &'w Wire<'w>,
    person: &Person,
    rosters: &'w HashMap<i64, Vec<i64>>,
    until: Instant,
) -> Option<Teacher<'w>> {
    let own = wire.sign_in(person, "teacher").await?;
    let dice = Dice::new(wire.plan.seed, "teacher", person.place);
    let mut teacher = Teacher { own, dice, rosters, registered: HashSet::new() };
    while Instant::now() < until {
        teacher.round().await;
        sleep(REST.min(until.saturating_duration_since(Instant::now()))).await;
    }
    Some(teacher)
}

impl Teacher<'_> {
    /// Everything that waits, once.
    pub(super) async fn round(&mut self) {
        self.reply().await;
        self.mark().await;
        self.register().await;
    }

    async fn reply(&mut self) {
        let Some(taught) = self.own.send(Call::get(Act::Taught, "/user/client/teacher/course/list")).await else {
            return;
        };
        for question in rows(&taught).iter().flat_map(|course| rows(&course["waitingQuestions"])) {
            let body = json!({ "requestId": self.own.request(), "qaId": question["qaId"], "content": REPLY });
            self.own.send(Call::post(Act::Reply, "/user/client/teacher/qa/reply", body)).await;
        }
    }

    async fn mark(&mut self) {
        let asked = json!({ "tab": "pending", "pageSize": SHEETS });
        let Some(waiting) = self.own.send(Call::post(Act::Waiting, "/exam/client/marking/list", asked)).await else {
            return;
        };
        for sheet in rows(&waiting["list"]).iter().filter_map(|sheet| sheet["id"].as_i64()) {
            let open = Call::get(Act::Open, "/exam/client/marking/open").with("sheetId", sheet);
            let Some(paper) = self.own.send(open).await else { continue };
            let items = marks(&paper, &mut self.dice);
            if !items.is_empty() {
                let body = json!({ "sheetId": sheet, "version": paper["version"], "items": items });
                self.own.send(Call::put(Act::Mark, "/exam/client/marking/submit", body)).await;
            }
        }
    }

    /// Who came to the lessons of the last days, as far as nobody has registered it.
    async fn register(&mut self) {
        let now = self.own.plan().clock.now();
        let today = self.own.plan().clock.today();
        let from = today.checked_sub_days(Days::new(DAYS)).unwrap_or(today);
        let lessons =
            Call::get(Act::Lessons, "/user/client/teacher/timetable/list").with("from", from).with("to", today);
        let Some(lessons) = self.own.send(lessons).await else { return };
        for lesson in rows(&lessons["sessions"]) {
            let took_place = lesson["status"] == "published"
                && lesson["sessionStatus"] == "scheduled"
                && moment(&lesson["startsAt"]).is_some_and(|starts| starts <= now);
            let Some(id) = lesson["sessionId"].as_i64().filter(|_| took_place && lesson["attended"] == false) else {
                continue;
            };
            let rosters = self.rosters;
            let Some(roster) = rosters.get(&id).filter(|_| self.registered.insert(id)) else { continue };
            let items: Vec<Value> = roster
                .iter()
                .map(|selection| json!({ "selectionId": selection, "result": self.dice.weighted(&CAME) }))
                .collect();
            let body = json!({ "sessionId": id, "items": items });
            self.own.send(Call::post(Act::Attend, "/user/client/teacher/instruction/attendance", body)).await;
        }
    }
}

/// Marks for what waits for this marker: from two thirds of the points upwards, in steps of half a point.
fn marks(paper: &Value, dice: &mut Dice) -> Vec<Value> {
    let waits = |item: &&Value| item["markState"] == "pending" && item["ofAnother"] == false;
    rows(&paper["items"])
        .iter()
        .filter(waits)
        .map(|item| {
            let halves = (item["fullScore"].as_f64().unwrap_or(0.0) * 2.0).floor();
            let fewer = dice.below((halves / 3.0) as usize + 1) as f64;
            let score = ((halves - fewer) / 2.0).max(0.0);
            json!({ "itemId": item["itemId"], "score": score, "comment": COMMENT })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_gives_halves_of_points_for_what_is_theirs() {
        let item = |id: i64, state: &str, other: bool| {
            let (full, other) = (5.0, json!(other));
            json!({ "itemId": id, "markState": state, "ofAnother": other, "fullScore": full })
        };
        let paper = json!({ "items": [item(1, "auto", false), item(2, "pending", false), item(3, "pending", true)] });
        for place in 0..20 {
            let given = marks(&paper, &mut Dice::new(1, "t", place));
            assert_eq!(given.len(), 1);
            let score = given[0]["score"].as_f64().expect("a score");
            assert!((3.5..=5.0).contains(&score) && (score * 2.0).fract() == 0.0, "{score}");
        }
    }
}
