//! 监考: what staff do to sheets while they are answered (part 04 §2.4).

use exams::{
    enums::{ExamCommandKind, ExamEvent, ExamMode, MarkingStatus},
    setup,
};
use homework::{
    enums::{SheetMarkState, SubmitKind},
    sheet::void,
};
use infra::{Allowed, Body, BulkFailure, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{ExtendAttempts, ForceAttempts, ReleaseDevice, Told, VoidAttempts, WarnAttempts, command, done, note};
use crate::{
    candidate::extended,
    of_row,
    sheet::{hand_in, held, see},
};

/// Which sheets, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AttemptsReason {
    /// 答卷
    #[oai(validator(min_items = 1, max_items = 500))]
    pub sheet_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for AttemptsReason {
    fn example() -> Self {
        Self { sheet_ids: vec![1], reason: "多次切屏".to_owned() }
    }
}

/// Which sheets, and what their students are told.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AttemptsWarning {
    /// 答卷
    #[oai(validator(min_items = 1, max_items = 500))]
    pub sheet_ids: Vec<i64>,
    /// 警告内容
    #[oai(validator(min_length = 1, max_length = 100))]
    pub text: String,
}

impl Example for AttemptsWarning {
    fn example() -> Self {
        Self { sheet_ids: vec![1], text: "请不要离开考试页面".to_owned() }
    }
}

/// Which sheets get more minutes, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AttemptsExtend {
    /// 答卷
    #[oai(validator(min_items = 1, max_items = 500))]
    pub sheet_ids: Vec<i64>,
    /// 分钟
    #[oai(validator(minimum(value = "1"), maximum(value = "120")))]
    pub minutes: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for AttemptsExtend {
    fn example() -> Self {
        Self { sheet_ids: vec![1], minutes: 15, reason: "网络中断".to_owned() }
    }
}

pub struct Watching;

#[OpenApi(prefix_path = "/exam/pc/online/attempt", tag = "crate::Tag::OnlineExams")]
impl Watching {
    /// 警告考生
    /// 考生在下一次心跳时看到
    #[oai(path = "/warn", method = "put", operation_id = "warnAttempts")]
    async fn warn(
        &self,
        caller: Allowed<WarnAttempts>,
        Body(wanted): Body<AttemptsWarning>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, wanted.sheet_ids, (Deed::Warn, &wanted.text), &caller.scope()).await?))
    }

    /// 强制交卷
    #[oai(path = "/forceSubmit", method = "put", operation_id = "forceAttempts")]
    async fn force(
        &self,
        caller: Allowed<ForceAttempts>,
        Body(wanted): Body<AttemptsReason>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, wanted.sheet_ids, (Deed::Force, &wanted.reason), &caller.scope()).await?))
    }

    /// 考试加时
    #[oai(path = "/extend", method = "put", operation_id = "extendAttempts")]
    async fn extend(
        &self,
        caller: Allowed<ExtendAttempts>,
        Body(wanted): Body<AttemptsExtend>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let rows = sqlx::query!(
            r#"select id, exam_candidate_id as "candidate!" from answer_sheet
               where id = any($1) and exam_candidate_id is not null order by id"#,
            &wanted.sheet_ids
        )
        .fetch_all(&mut *tx)
        .await?;
        if rows.is_empty() {
            return Err(Error::not_found());
        }
        let candidates: Vec<i64> = rows.iter().map(|row| row.candidate).collect();
        let told = extended(&mut tx, &candidates, (wanted.minutes, &wanted.reason), &caller.scope()).await?;
        tx.commit_all(Vec::new()).await?;
        // Failures are told by the sheets that were asked for.
        let failed = told.failed.into_iter().map(|row| {
            let sheet = rows.iter().find(|one| one.candidate == row.id).map_or(row.id, |one| one.id);
            BulkFailure { id: sheet, ..row }
        });
        Ok(reply(BulkResult { done: told.done, failed: failed.collect() }))
    }

    /// 解除设备
    /// 考生可以在其他设备上继续作答
    #[oai(path = "/releaseDevice", method = "put", operation_id = "releaseDevice")]
    async fn release(
        &self,
        caller: Allowed<ReleaseDevice>,
        Body(wanted): Body<AttemptsReason>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, wanted.sheet_ids, (Deed::Release, &wanted.reason), &caller.scope()).await?))
    }

    /// 作废答卷
    /// 不占用作答次数
    #[oai(path = "/void", method = "put", operation_id = "voidAttempts")]
    async fn void(
        &self,
        caller: Allowed<VoidAttempts>,
        Body(wanted): Body<AttemptsReason>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, wanted.sheet_ids, (Deed::Void, &wanted.reason), &caller.scope()).await?))
    }
}

#[derive(Clone, Copy)]
enum Deed {
    Warn,
    Force,
    Release,
    Void,
}

/// Does it to each sheet for itself, by their candidates' order.
async fn each(mut tx: Tx, ids: Vec<i64>, (deed, text): (Deed, &str), scope: &Scope) -> Result<BulkResult> {
    let ids = sqlx::query_scalar!(
        r#"select w.id as "id!" from unnest($1::bigint[]) as w (id) left join answer_sheet a on a.id = w.id
           order by a.exam_candidate_id, w.id"#,
        &ids
    )
    .fetch_all(&mut *tx)
    .await?;
    let (mut told, mut changes) = (BulkResult::default(), Vec::new());
    for id in ids {
        tx.savepoint().await?;
        match one(&mut tx, id, (deed, text), scope).await.map_err(of_row) {
            Ok(done) => {
                tx.row_done().await?;
                told.done += 1;
                changes.extend(done);
            }
            Err(error) => {
                let msg = tx.row_failed(error).await?.0;
                told.failed.push(BulkFailure { id, name: String::new(), msg });
            }
        }
    }
    tx.commit_all(changes).await?;
    Ok(told)
}

async fn one(tx: &mut Tx, id: i64, (deed, text): (Deed, &str), scope: &Scope) -> Result<Vec<Change>> {
    see(tx, id, scope).await?;
    if matches!(deed, Deed::Void) {
        // The setup before its candidate: what was handed in may have to be handed in again.
        let of = sqlx::query_scalar!(
            "select c.setup_id from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id where a.id = $1",
            id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        setup::hold(tx, of, ExamMode::Online).await?;
    }
    let held = held(tx, id).await?;
    let name = tx.actor().name.clone();
    let open = held.sheet.mark_state == SheetMarkState::InProgress;
    if !open && !matches!(deed, Deed::Void) {
        return Err(Error::conflict(format!("答卷{}，不能办理", held.sheet.mark_state.zh())));
    }
    match deed {
        Deed::Warn => {
            command(tx, id, ExamCommandKind::Warn, Some(text)).await?;
            note(tx, id, Told { kind: ExamEvent::Warn, detail: Some(text), by: Some(&name) }).await?;
            Ok(vec![done(id, "warn", Some(text))])
        }
        Deed::Force => {
            note(tx, id, Told { kind: ExamEvent::ForceSubmit, detail: Some(text), by: Some(&name) }).await?;
            command(tx, id, ExamCommandKind::Submit, Some(text)).await?;
            hand_in(tx, id, SubmitKind::Forced, Some(text)).await
        }
        Deed::Release => {
            let by = tx.by();
            sqlx::query!(
                "update exam_sheet_monitor set holds_device = false, updated_at = now(), updated_by = $2, version = version + 1
                 where id = $1",
                id,
                by
            )
            .execute(&mut **tx)
            .await?;
            note(tx, id, Told { kind: ExamEvent::ReleaseDevice, detail: Some(text), by: Some(&name) }).await?;
            Ok(vec![done(id, "release", Some(text))])
        }
        Deed::Void => {
            let past = scores::offered::past_entering(tx, &[held.candidate.id]).await?;
            if !past.is_empty() {
                return Err(Error::conflict("成绩已提交审核，请先退回成绩登记表"));
            }
            let change = void(tx, id).await?;
            let by = tx.by();
            sqlx::query!(
                "update exam_sheet_monitor set void_reason = $2, updated_at = now(), updated_by = $3, version = version + 1
                 where id = $1",
                id,
                text,
                by
            )
            .execute(&mut **tx)
            .await?;
            exams::marker::recount(tx, held.setup.id).await?;
            let mut changes = vec![change.because(Some(text))];
            // The score that was handed in is out of date, as after a corrected key.
            if held.setup.marking_status == MarkingStatus::Transferred {
                changes.push(setup::marking(tx, held.setup.id, MarkingStatus::Done).await?);
            }
            Ok(changes)
        }
    }
}
