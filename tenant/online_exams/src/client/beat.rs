//! 心跳: what the player saw since the last one, and what the server has to say (part 04 §2.3, §2.6).

use exam_rules::risk::{Forced, Monitor, counts_as_switch, forced, points};
use exams::enums::{ExamCommandKind, ExamEvent};
use homework::enums::SubmitKind;
use infra::{Body, Change, Client, Error, Reply, Result, Tx, clock::Moment, reply};
use online_study::{StudentClient, WritesOften};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{
    answer::{answered, ran_out},
    exam::{Elsewhere, own_picture, refused},
};
use crate::{
    attempt::{Told, command, level, note},
    sheet::{HeldSheet, hand_in},
};

/// Something that the player saw.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamEvent {
    /// 事件
    #[oai(rename = "type")]
    pub kind: ExamEvent,
    /// 发生时间
    pub at: Moment,
    /// 秒数
    #[oai(validator(minimum(value = "0"), maximum(value = "86400")))]
    pub seconds: Option<i32>,
    /// 照片
    pub file_id: Option<i64>,
}

/// A beat.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnExamBeat {
    /// 答卷
    pub sheet_id: i64,
    /// 设备
    #[oai(validator(min_length = 1, max_length = 100))]
    pub device_id: String,
    /// 事件
    #[oai(default, validator(max_items = 200))]
    pub events: Vec<OwnExamEvent>,
}

impl Example for OwnExamBeat {
    fn example() -> Self {
        Self { sheet_id: 1, device_id: "web-5f2c".to_owned(), events: Vec::new() }
    }
}

/// What the player is to do.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamCommand {
    /// 指令
    #[oai(rename = "type")]
    pub kind: ExamCommandKind,
    /// 内容
    pub text: Option<String>,
}

/// The answer to a beat.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnExamBeaten {
    /// 剩余秒数
    pub remaining_seconds: i64,
    /// 指令
    pub commands: Vec<OwnExamCommand>,
}

pub struct OwnBeats;

#[OpenApi(prefix_path = "/exam/client/exam", tag = "crate::Tag::OnlineExams")]
impl OwnBeats {
    /// 考试心跳
    #[oai(path = "/heartbeat", method = "post", operation_id = "beatOwnExam")]
    async fn beat(
        &self,
        caller: Client<StudentClient, WritesOften>,
        Body(wanted): Body<OwnExamBeat>,
    ) -> Result<Reply<OwnExamBeaten>> {
        let over = ran_out(&caller, wanted.sheet_id).await?;
        let mut tx = caller.begin().await?;
        let held = match answered(&mut tx, wanted.sheet_id, caller.session.person_id).await {
            Ok(held) => held,
            // Told to end, and why, as often as it asks.
            Err(error) if error.code == 409 || over => {
                let kind = ExamCommandKind::Submit;
                let commands = vec![OwnExamCommand { kind, text: Some(error.msg.to_string()) }];
                return Ok(reply(OwnExamBeaten { remaining_seconds: 0, commands }));
            }
            Err(error) => return Err(error),
        };
        let ip = caller.visit.ip.as_str();
        let seen = match seen(&mut tx, &held, &wanted, ip).await? {
            Ok(seen) => seen,
            Err(why) => {
                drop(tx);
                return Err(refused(&caller, wanted.sheet_id, why, (&wanted.device_id, ip)).await?);
            }
        };
        let mut changes = Vec::new();
        if let Some(why) = forced(held.anti(), &seen) {
            let kind = match why {
                Forced::SwitchLimit => SubmitKind::SwitchLimit,
                Forced::Idle => SubmitKind::Idle,
                Forced::FaceFail => SubmitKind::FaceFail,
            };
            note(&mut tx, held.sheet.id, Told { kind: ExamEvent::ForceSubmit, detail: Some(why.zh()), by: None })
                .await?;
            command(&mut tx, held.sheet.id, ExamCommandKind::Submit, Some(why.zh())).await?;
            changes.extend(hand_in(&mut tx, held.sheet.id, kind, Some(why.zh())).await?);
        }
        let commands = waiting(&mut tx, held.sheet.id).await?;
        let now = caller.app.clock().now();
        let over = !changes.is_empty();
        if over || !wanted.events.is_empty() {
            let what = json!({ "events": wanted.events.len(), "switches": seen.switches });
            changes.push(Change::event("exam_sheet_monitor", held.sheet.id, "beat", what));
            tx.commit_all(changes).await?;
        } else {
            tx.commit_untracked("a beat in which nothing happened").await?;
        }
        let remaining = if over { 0 } else { (held.sheet.deadline_at - now).num_seconds().max(0) };
        Ok(reply(OwnExamBeaten { remaining_seconds: remaining, commands }))
    }
}

/// Keeps what was seen; events that came before, because an answer was lost, are not counted twice. Or why nothing is taken: it comes
/// from another device or address.
async fn seen(
    tx: &mut Tx,
    held: &HeldSheet,
    beat: &OwnExamBeat,
    ip: &str,
) -> Result<std::result::Result<Monitor, Elsewhere>> {
    let id = held.sheet.id;
    let now = tx.app().clock().now();
    let row = sqlx::query!(
        r#"select m.device_id, m.holds_device, m.last_activity_at, m.switch_count, m.face_fail_count, m.risk_score, a.ip
           from exam_sheet_monitor m join answer_sheet a on a.id = m.id where m.id = $1 for update of m"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let mut risk = i64::from(row.risk_score);
    let moved = !row.ip.is_empty() && row.ip != ip;
    let other = row.device_id != beat.device_id && row.holds_device;
    if let Some(why) = Elsewhere::of(held.anti(), (other, moved)) {
        return Ok(Err(why));
    }
    let known = sqlx::query!(
        r#"select type as "kind: ExamEvent", occurred_at from exam_event
           where sheet_id = $1 and received_at > $2 and occurred_at is not null"#,
        id,
        (now - chrono::TimeDelta::seconds(60)) as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let again =
        |event: &OwnExamEvent| known.iter().any(|one| one.kind == event.kind && one.occurred_at == Some(event.at));
    // What only the server or staff tell is not taken from a player.
    let told = |kind: ExamEvent| {
        !matches!(
            kind,
            ExamEvent::Warn
                | ExamEvent::ForceSubmit
                | ExamEvent::ReleaseDevice
                | ExamEvent::Extend
                | ExamEvent::IpChange
                | ExamEvent::MultiDevice
                | ExamEvent::Enter
        )
    };
    let new: Vec<&OwnExamEvent> = beat.events.iter().filter(|event| told(event.kind) && !again(event)).collect();
    let tolerance = i64::from(held.anti().switch_tolerance_seconds);
    let (mut switches, mut fails) = (i64::from(row.switch_count), i64::from(row.face_fail_count));
    let mut active = row.last_activity_at;
    let (mut kinds, mut times, mut seconds, mut files) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for event in new {
        let gone = event.kind == ExamEvent::LeavePage;
        let counts = !gone || counts_as_switch(event.seconds.map(i64::from), tolerance);
        switches += i64::from(gone && counts);
        fails +=
            i64::from(matches!(event.kind, ExamEvent::FaceMismatch | ExamEvent::FaceMissing | ExamEvent::MultiFace));
        risk += if counts { points(event.kind) } else { 0 };
        if !matches!(event.kind, ExamEvent::Idle | ExamEvent::NetworkLost | ExamEvent::Snapshot) {
            active = now;
        }
        kinds.push(event.kind.as_str().to_owned());
        times.push(event.at);
        seconds.push(event.seconds);
        files.push(match event.file_id {
            Some(file) => own_picture(tx, id, file, held.candidate.student_id).await?,
            None => None,
        });
    }
    sqlx::query!(
        "insert into exam_event (sheet_id, type, occurred_at, received_at, seconds, file_id)
         select $1, w.type, w.at, $2, w.seconds, w.file
         from unnest($3::text[], $4::timestamptz[], $5::integer[], $6::bigint[]) as w (type, at, seconds, file)",
        id,
        now as _,
        &kinds,
        &times as &[Moment],
        &seconds as &[Option<i32>],
        &files as &[Option<i64>]
    )
    .execute(&mut **tx)
    .await?;
    if moved {
        let noted = sqlx::query_scalar!(
            r#"select exists (select from exam_event where sheet_id = $1 and type = 'ip_change' and detail = $2) as "noted!""#,
            id,
            ip
        )
        .fetch_one(&mut **tx)
        .await?;
        if !noted {
            risk += points(ExamEvent::IpChange);
            note(tx, id, Told { kind: ExamEvent::IpChange, detail: Some(ip), by: None }).await?;
        }
    }
    if row.device_id != beat.device_id {
        risk += points(ExamEvent::MultiDevice);
        note(tx, id, Told { kind: ExamEvent::MultiDevice, detail: Some(&beat.device_id), by: None }).await?;
    }
    // Answers are activity too.
    let saved = sqlx::query_scalar!("select max(saved_at) as saved from answer_item where sheet_id = $1", id)
        .fetch_one(&mut **tx)
        .await?;
    active = saved.map_or(active, |saved| active.max(saved));
    let small = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    sqlx::query!(
        "update exam_sheet_monitor
         set device_id = $2, holds_device = true, last_beat_at = $3, last_activity_at = $4, switch_count = $5, face_fail_count = $6,
             risk_score = $7, risk_level = $8, updated_at = now()
         where id = $1",
        id,
        beat.device_id,
        now as _,
        active as _,
        small(switches),
        small(fails),
        small(risk),
        level(risk).as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(Ok(Monitor { switches, face_fails: fails, idle: (now - active).num_seconds() }))
}

/// What waits to be told, told once.
async fn waiting(tx: &mut Tx, sheet: i64) -> Result<Vec<OwnExamCommand>> {
    let now = tx.app().clock().now();
    let mut rows = sqlx::query!(
        r#"update exam_command set delivered_at = $2, updated_at = now() where sheet_id = $1 and delivered_at is null
           returning id, type as "kind: ExamCommandKind", text"#,
        sheet,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    rows.sort_by_key(|row| row.id);
    Ok(rows.into_iter().map(|row| OwnExamCommand { kind: row.kind, text: row.text }).collect())
}
