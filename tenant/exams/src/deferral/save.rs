//! An application: by the student, or by staff on their behalf.

use infra::{Change, Error, OnConstraint, Result, Scope, Tx, clock::Moment};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use crate::{
    enums::{DeferralApplicant, DeferralReason, TestBatchStatus},
    evidence::keep,
};

/// Told to whoever comes too late.
pub(super) const BEGUN: &str = "考试已开始，不能申请缓考";

/// What staff type.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DeferralForm {
    /// 学生
    pub student_id: i64,
    /// 批次
    pub batch_id: i64,
    /// 课程
    pub course_id: i64,
    /// 缓考原因
    pub reason_type: DeferralReason,
    /// 说明
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 证明材料
    #[oai(default, validator(max_items = 9))]
    pub file_ids: Vec<i64>,
}

impl Example for DeferralForm {
    fn example() -> Self {
        Self {
            student_id: 1,
            batch_id: 1,
            course_id: 1,
            reason_type: DeferralReason::Illness,
            reason: "住院治疗".to_owned(),
            file_ids: Vec::new(),
        }
    }
}

/// When the examination of a student begins that is put off: their own, else the first day of the batch.
pub(super) async fn begins(
    connection: &mut PgConnection,
    (student, batch, course): (i64, i64, i64),
) -> Result<Option<Moment>> {
    Ok(sqlx::query_scalar!(
        r#"select coalesce(
               (select w.starts_at from exam_candidate c join exam_setup_time w on w.setup_id = c.setup_id
                where c.batch_id = $2 and c.course_id = $3 and c.student_id = $1 and not c.removed),
               (select b.exam_starts_on::timestamp at time zone 'Asia/Shanghai' from test_batch b where b.id = $2)) as begins"#,
        student,
        batch,
        course
    )
    .fetch_one(connection)
    .await?)
}

/// # Errors
/// As [`insert`]; 404 for a student beyond the scope.
pub(super) async fn by_staff(tx: &mut Tx, form: DeferralForm, scope: &Scope) -> Result<(i64, Change)> {
    let place = sqlx::query!("select site_id, class_id from student where id = $1", form.student_id)
        .fetch_optional(&mut **tx)
        .await?
        .filter(|row| scope.sees(Some(row.site_id), row.class_id));
    if place.is_none() {
        return Err(Error::new(404, NOT_YOURS));
    }
    insert(tx, form, DeferralApplicant::Staff).await
}

/// # Errors
/// 404 for no batch; 409 when the examination began, the batch is over, or there is an application; 422 without the course.
pub(super) async fn insert(tx: &mut Tx, form: DeferralForm, by: DeferralApplicant) -> Result<(i64, Change)> {
    let status = sqlx::query_scalar!(
        r#"select status as "status: TestBatchStatus" from test_batch where id = $1 for share"#,
        form.batch_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))?;
    if matches!(status, TestBatchStatus::Closed | TestBatchStatus::Archived) {
        return Err(Error::conflict(format!("批次{}，不能申请缓考", status.zh())));
    }
    let selection = sqlx::query_scalar!(
        "select id from course_selection where student_id = $1 and course_id = $2 and status in ('selected', 'completed')
         order by attempt_no desc, id desc limit 1",
        form.student_id,
        form.course_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("courseId", "该学生没有选修该课程"))?;
    let now = tx.app().clock().now();
    let begins = begins(tx, (form.student_id, form.batch_id, form.course_id)).await?;
    if begins.is_some_and(|begins| now >= begins) {
        return Err(Error::conflict(BEGUN));
    }
    let (account, name) = (tx.by(), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, applied_by_name,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.student_id,
        form.batch_id,
        form.course_id,
        selection,
        form.reason_type.as_str(),
        form.reason,
        by.as_str(),
        name,
        account
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "exam_deferral_taken").then(|| Error::conflict("该课程在本批次已有缓考申请，请勿重复申请"))
    })?;
    with_files(tx, id, &form.file_ids, false).await?;
    Ok((id, Change::created("exam_deferral", id, &form)))
}

/// Files of an application; `late`: why it was approved after the examination.
pub(super) async fn with_files(tx: &mut Tx, id: i64, files: &[i64], late: bool) -> Result<()> {
    keep(tx, ("exam_deferral", id), files).await?;
    sqlx::query!(
        "insert into exam_deferral_file (deferral_id, file_id, late, sort_no)
         select $1, f.id, $3, f.place::integer from unnest($2::bigint[]) with ordinality as f (id, place)",
        id,
        files,
        late
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
