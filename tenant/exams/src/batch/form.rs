//! What is typed of a batch, and how it is written (part 04 §1).

use chrono::NaiveDate;
use exam_rules::batch::{BatchFields, check, editable, holds, prefix};
use infra::{Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment, naming::tidy, pinyin};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use crate::enums::{ExamModeOfBatch, TestBatchKind, TestBatchStatus};

/// What is typed.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TestBatchForm {
    /// 批次编码
    /// 1至20位字母、数字或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9-]{1,20}$"))]
    pub code: String,
    /// 批次名称
    #[oai(validator(min_length = 1, max_length = 60))]
    pub name: String,
    /// 学期
    pub semester_id: i64,
    /// 批次类型
    pub kind: TestBatchKind,
    /// 考试方式
    pub mode: ExamModeOfBatch,
    /// 考试开始日期
    pub exam_starts_on: Option<NaiveDate>,
    /// 考试结束日期
    pub exam_ends_on: Option<NaiveDate>,
    /// 准考证开放时间
    pub ticket_publish_at: Option<Moment>,
    /// 成绩录入开始
    pub score_entry_starts_at: Option<Moment>,
    /// 成绩录入结束
    pub score_entry_ends_at: Option<Moment>,
    /// 审核级数
    /// 不填为2
    #[oai(validator(minimum(value = "1"), maximum(value = "2")))]
    pub review_levels: Option<i32>,
    /// 发布后自动锁定天数
    /// 0为不自动锁定，不填为15
    #[oai(validator(minimum(value = "0"), maximum(value = "90")))]
    pub auto_lock_days: Option<i32>,
    /// 每考场默认人数
    /// 不填为30
    #[oai(validator(minimum(value = "1"), maximum(value = "900")))]
    pub room_capacity_default: Option<i32>,
    /// 每考场最少人数
    /// 不填为10
    #[oai(validator(minimum(value = "0"), maximum(value = "900")))]
    pub room_min_fill: Option<i32>,
    /// 准考证前缀
    /// 6位数字，不填时为年份和当年批次序号
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub ticket_prefix: Option<String>,
    /// 考生须知
    #[oai(validator(max_length = 2000))]
    pub notice: Option<String>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for TestBatchForm {
    fn example() -> Self {
        Self {
            code: "202601QM".to_owned(),
            name: "2026年春季学期期末考试".to_owned(),
            semester_id: 1,
            kind: TestBatchKind::Final,
            mode: ExamModeOfBatch::Mixed,
            exam_starts_on: NaiveDate::from_ymd_opt(2026, 6, 20),
            exam_ends_on: NaiveDate::from_ymd_opt(2026, 6, 30),
            ticket_publish_at: None,
            score_entry_starts_at: None,
            score_entry_ends_at: None,
            review_levels: Some(2),
            auto_lock_days: Some(15),
            room_capacity_default: Some(30),
            room_min_fill: Some(10),
            ticket_prefix: None,
            notice: None,
            remark: None,
        }
    }
}

impl TestBatchForm {
    fn fields(&self) -> BatchFields {
        BatchFields {
            code: self.code.clone(),
            semester_id: self.semester_id,
            kind: self.kind,
            mode: self.mode,
            starts_on: self.exam_starts_on,
            ends_on: self.exam_ends_on,
            entry: (self.score_entry_starts_at, self.score_entry_ends_at),
            ticket_publish_at: self.ticket_publish_at,
            review_levels: self.review_levels.unwrap_or(2),
            auto_lock_days: self.auto_lock_days.unwrap_or(15),
            room_capacity: self.room_capacity_default.unwrap_or(30),
            room_min_fill: self.room_min_fill.unwrap_or(10),
            ticket_prefix: self.ticket_prefix.clone().unwrap_or_default(),
        }
    }

    /// With what it leaves open decided.
    fn usual(mut self, prefix: String) -> Self {
        self.name = tidy(&self.name);
        self.review_levels = self.review_levels.or(Some(2));
        self.auto_lock_days = self.auto_lock_days.or(Some(15));
        self.room_capacity_default = self.room_capacity_default.or(Some(30));
        self.room_min_fill = self.room_min_fill.or(Some(10));
        self.ticket_prefix = self.ticket_prefix.or(Some(prefix));
        self.notice = self.notice.filter(|text| !text.is_empty());
        self.remark = self.remark.filter(|text| !text.is_empty());
        self
    }
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "test_batch_code_taken" => Some(Error::field("code", "批次编码已存在")),
        "test_batch_name_taken" => Some(Error::field("name", "批次名称已存在")),
        "test_batch_prefix_taken" => Some(Error::field("ticketPrefix", "准考证前缀已被其他批次使用")),
        "test_batch_of_semester" => Some(Error::field("semesterId", "所选学期不存在，请重新选择")),
        _ => None,
    }
}

/// The prefix that is free in the year of the semester.
async fn free_prefix(tx: &mut Tx, semester: i64) -> Result<String> {
    let year = sqlx::query_scalar!("select year from semester where id = $1", semester)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("semesterId", "所选学期不存在，请重新选择"))?;
    // Whoever makes the next batch waits for this one's prefix.
    sqlx::query_scalar!(
        r#"select pg_advisory_xact_lock(hashtextextended('test_batch prefix ' || current_schema(), 0))::text as "held""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let taken = sqlx::query_scalar!(
        "select ticket_prefix from test_batch where starts_with(ticket_prefix, $1::text)",
        year.to_string()
    )
    .fetch_all(&mut **tx)
    .await?;
    prefix(year, &taken).ok_or_else(|| Error::field("ticketPrefix", "当年的准考证前缀已用完，请填写其他前缀"))
}

/// Makes a batch, a draft.
///
/// # Errors
/// 422 for what is wrong, taken or not there.
pub(crate) async fn insert(tx: &mut Tx, form: TestBatchForm) -> Result<(i64, Change)> {
    let prefix = match &form.ticket_prefix {
        Some(prefix) => prefix.clone(),
        None => free_prefix(tx, form.semester_id).await?,
    };
    let form = form.usual(prefix);
    let wrong = check(&form.fields());
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into test_batch (code, name, initials, semester_id, kind, mode, exam_starts_on, exam_ends_on, ticket_publish_at,
             score_entry_starts_at, score_entry_ends_at, review_levels, auto_lock_days, room_capacity_default, room_min_fill,
             ticket_prefix, notice, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19) returning id",
        form.code,
        form.name,
        pinyin::text_initials(&form.name),
        form.semester_id,
        form.kind.as_str(),
        form.mode.as_str(),
        form.exam_starts_on,
        form.exam_ends_on,
        form.ticket_publish_at as _,
        form.score_entry_starts_at as _,
        form.score_entry_ends_at as _,
        form.review_levels,
        form.auto_lock_days,
        form.room_capacity_default,
        form.room_min_fill,
        form.ticket_prefix,
        form.notice,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("test_batch", id, &form)))
}

/// A batch as it was typed, with its status and version.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn form_of(connection: &mut PgConnection, id: i64) -> Result<(TestBatchForm, TestBatchStatus, i32)> {
    let row = sqlx::query!(
        r#"select code, name, semester_id, kind as "kind: TestBatchKind", mode as "mode: ExamModeOfBatch", exam_starts_on,
                  exam_ends_on, ticket_publish_at, score_entry_starts_at, score_entry_ends_at, review_levels, auto_lock_days,
                  room_capacity_default, room_min_fill, ticket_prefix, notice, remark, status as "status: TestBatchStatus",
                  version
           from test_batch where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let form = TestBatchForm {
        code: row.code,
        name: row.name,
        semester_id: row.semester_id,
        kind: row.kind,
        mode: row.mode,
        exam_starts_on: row.exam_starts_on,
        exam_ends_on: row.exam_ends_on,
        ticket_publish_at: row.ticket_publish_at,
        score_entry_starts_at: row.score_entry_starts_at,
        score_entry_ends_at: row.score_entry_ends_at,
        review_levels: Some(row.review_levels),
        auto_lock_days: Some(row.auto_lock_days),
        room_capacity_default: Some(row.room_capacity_default),
        room_min_fill: Some(row.room_min_fill),
        ticket_prefix: Some(row.ticket_prefix),
        notice: row.notice,
        remark: row.remark,
    };
    Ok((form, row.status, row.version))
}

/// The first and the last day on which something stands in a batch.
async fn set_days(connection: &mut PgConnection, batch: i64) -> Result<Option<(NaiveDate, NaiveDate)>> {
    let row = sqlx::query!(
        r#"select min((w.starts_at at time zone 'Asia/Shanghai')::date) as first,
                  max(((w.ends_at - interval '1 second') at time zone 'Asia/Shanghai')::date) as last
           from (select t.starts_at, t.ends_at from exam_setup s join exam_setup_time t on t.setup_id = s.id
                 where s.batch_id = $1 and s.status <> 'cancelled'
                 union all
                 select x.starts_at, x.ends_at from offline_session x where x.batch_id = $1) w"#,
        batch
    )
    .fetch_one(connection)
    .await?;
    Ok(row.first.zip(row.last))
}

/// # Errors
/// 404 for none; 409 when it changed since it was read; 422 for what may not change any more, or is wrong.
pub(crate) async fn update(tx: &mut Tx, edit: Edit<TestBatchForm>) -> Result<Change> {
    let id = edit.id;
    tx.lock("test_batch", id).await?;
    let (before, status, version) = form_of(tx, id).await?;
    if version != edit.version {
        return Err(tx.stale("test_batch", id).await);
    }
    let form = edit.form.usual(before.ticket_prefix.clone().unwrap_or_default());
    if matches!(status, TestBatchStatus::Closed | TestBatchStatus::Archived) {
        return Err(Error::conflict(format!("批次{}，不能修改", status.zh())));
    }
    let (was, is) = (before.fields(), form.fields());
    let mut wrong = check(&is);
    wrong.extend(editable(&was, &is, status));
    let days = set_days(tx, id).await?;
    if (was.starts_on, was.ends_on) != (is.starts_on, is.ends_on) {
        wrong.extend(holds(&is, days));
    }
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    if was.mode != is.mode || was.semester_id != is.semester_id {
        let set = sqlx::query_scalar!(r#"select exists (select from exam_setup where batch_id = $1) as "set!""#, id)
            .fetch_one(&mut **tx)
            .await?;
        if set {
            return Err(Error::conflict("批次下已有考试安排，不能修改学期和考试方式"));
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update test_batch
         set code = $2, name = $3, initials = $4, semester_id = $5, kind = $6, mode = $7, exam_starts_on = $8, exam_ends_on = $9,
             ticket_publish_at = $10, score_entry_starts_at = $11, score_entry_ends_at = $12, review_levels = $13,
             auto_lock_days = $14, room_capacity_default = $15, room_min_fill = $16, ticket_prefix = $17, notice = $18,
             remark = $19, updated_at = now(), updated_by = $20, version = version + 1
         where id = $1",
        id,
        form.code,
        form.name,
        pinyin::text_initials(&form.name),
        form.semester_id,
        form.kind.as_str(),
        form.mode.as_str(),
        form.exam_starts_on,
        form.exam_ends_on,
        form.ticket_publish_at as _,
        form.score_entry_starts_at as _,
        form.score_entry_ends_at as _,
        form.review_levels,
        form.auto_lock_days,
        form.room_capacity_default,
        form.room_min_fill,
        form.ticket_prefix,
        form.notice,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(Change::edited("test_batch", id, &before, &form))
}
