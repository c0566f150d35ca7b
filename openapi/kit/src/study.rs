//! Online study: material of a course, the player of a student, and how far they are.

use chrono::Duration;
use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    courses::{PERIOD, RECORD, chapter, record},
    rows::video,
};

pub const TEACHING: &str = "/adult/pc/onlineTeaching";
pub const PLAY: &str = "/user/client/study/play";
pub const BEAT: &str = "/user/client/study/heartbeat";

/// A published record of a course, its default, with a ready video for each length and weight; answers the record and the periods.
pub async fn material(server: &Server, client: &Client<'_>, course: i64, videos: &[(i32, i32)]) -> (i64, Vec<i64>) {
    let record = record(client, course, "录播").await;
    let chapter = chapter(client, course, None, "第一章").await;
    let mut periods = Vec::new();
    for (place, (seconds, weight)) in videos.iter().enumerate() {
        let media = video(server, "school_1", &format!("v{course}-{place}"), "ready", *seconds).await;
        let period = json!({ "courseRecordId": record, "chapterId": chapter, "title": format!("1.{place}"), "kind": "video",
            "mediaAssetId": media, "durationSeconds": seconds, "weight": weight });
        periods.push(client.post(&format!("{PERIOD}/save"), period).await.id());
    }
    let published =
        client.put(&format!("{RECORD}/update/status"), json!({ "id": record, "status": "published" })).await;
    assert_eq!(published.code(), 200, "{}", published.body);
    (record, periods)
}

/// Sets how an opening is studied, in a window of today and tomorrow unless `more` says otherwise.
pub async fn set(server: &Server, client: &Client<'_>, opening: i64, more: Value) -> Answer {
    let seen = client.get(&format!("{TEACHING}/view?id={opening}")).await.data().clone();
    let day = |days: i64| server.app.clock().now() + Duration::days(days);
    let mut edit =
        json!({ "id": opening, "version": seen["version"], "studyStartsAt": day(-1), "studyEndsAt": day(2) });
    for (field, value) in more.as_object().expect("fields") {
        edit[field] = value.clone();
    }
    client.put(&format!("{TEACHING}/edit"), edit).await
}

/// Opens a period; answers the session.
pub async fn play(own: &Client<'_>, selection: i64, period: i64) -> i64 {
    let answer = opened(own, selection, period).await;
    answer.data()["playSessionId"].as_i64().unwrap_or_else(|| panic!("{}", answer.body))
}

/// The answer to opening a period.
pub async fn opened(own: &Client<'_>, selection: i64, period: i64) -> Answer {
    own.get(&format!("{PLAY}?selectionId={selection}&periodId={period}")).await
}

/// A beat that says these seconds were played at the usual speed.
pub async fn beat(own: &Client<'_>, session: i64, seq: i64, parts: &[[i32; 2]]) -> Answer {
    let position = parts.last().map_or(0, |part| part[1]);
    let body = json!({ "playSessionId": session, "seq": seq, "event": "play", "segments": parts, "speed": 1.0,
        "position": position });
    own.post(BEAT, body).await
}

/// Watches a part of a period from its beginning in a session of its own, a hundred seconds of the clock a beat; answers the last
/// beat.
pub async fn watch(server: &Server, own: &Client<'_>, selection: i64, period: i64, until: i32) -> Value {
    let session = play(own, selection, period).await;
    let (mut at, mut seq, mut last) = (0, 0, Value::Null);
    while at < until {
        server.app.clock().shift(Duration::seconds(100));
        seq += 1;
        let to = (at + 100).min(until);
        let answer = beat(own, session, seq, &[[at, to]]).await;
        assert_eq!(answer.code(), 200, "{}", answer.body);
        last = answer.data().clone();
        at = to;
    }
    last
}

/// How far the selection is, as the staff sees it.
pub async fn detail(client: &Client<'_>, selection: i64) -> Value {
    client.get(&format!("{TEACHING}/progress/view?selectionId={selection}")).await.data().clone()
}
