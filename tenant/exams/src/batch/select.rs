//! How batches are read.

use chrono::NaiveDate;
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought_word,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::TestBatches;
use crate::enums::{ExamModeOfBatch, TestBatchKind, TestBatchStatus};

/// A batch, as shown; what it counts of people and sheets lies in the caller's scope.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TestBatch {
    /// 编号
    pub id: i64,
    /// 批次编码
    pub code: String,
    /// 批次名称
    pub name: String,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
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
    pub review_levels: i32,
    /// 发布后自动锁定天数
    pub auto_lock_days: i32,
    /// 每考场默认人数
    pub room_capacity_default: i32,
    /// 每考场最少人数
    pub room_min_fill: i32,
    /// 准考证前缀
    pub ticket_prefix: String,
    /// 考生须知
    pub notice: Option<String>,
    /// 状态
    pub status: TestBatchStatus,
    /// 结束时间
    pub closed_at: Option<Moment>,
    /// 归档时间
    pub archived_at: Option<Moment>,
    /// 备注
    pub remark: Option<String>,
    /// 考试安排数
    pub setup_count: i64,
    /// 考生人次
    pub candidate_count: i64,
    /// 已发布成绩表
    pub published_sheets: i64,
    /// 成绩表总数
    pub sheet_count: i64,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TestBatchFilter {
    /// 名称或编码
    #[oai(validator(max_length = 60))]
    pub name: Option<String>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 批次类型
    pub kind: Option<TestBatchKind>,
    /// 考试方式
    pub mode: Option<ExamModeOfBatch>,
    /// 状态
    pub status: Option<TestBatchStatus>,
}

impl Keyed for TestBatches {
    type Filter = TestBatchFilter;
    type Row = TestBatch;

    fn id(row: &TestBatch) -> i64 {
        row.id
    }

    fn states(filter: &TestBatchFilter) -> Vec<(&'static str, TestBatchFilter)> {
        let state =
            |status: TestBatchStatus| (status.as_str(), TestBatchFilter { status: Some(status), ..filter.clone() });
        TestBatchStatus::CHOICES.iter().map(|(_, status)| state(*status)).collect()
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &TestBatchFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!"
               from test_batch b
               where ($1::bigint is null or b.id = $1)
                 and ($2::timestamptz is null or b.created_at <= $2)
                 and ($3::text is null or strpos(lower(b.name), lower($3)) > 0 or strpos(lower(b.code), lower($3)) > 0
                      or starts_with(b.initials, lower($3)))
                 and ($4::bigint is null or b.semester_id = $4)
                 and ($5::text is null or b.kind = $5)
                 and ($6::text is null or b.mode = $6)
                 and ($7::text is null or b.status = $7)
                 and ($10::text is null or b.semester_id = any(array(
                          select x.id from semester x where strpos(lower(x.code), $10) > 0 or strpos(lower(x.name), $10) > 0)))
               order by b.created_at desc, b.id
               limit $8 offset $9"#,
            wanted.id,
            wanted.newest_until,
            filter.name,
            filter.semester_id,
            filter.kind.map(TestBatchKind::as_str),
            filter.mode.map(ExamModeOfBatch::as_str),
            filter.status.map(TestBatchStatus::as_str),
            wanted.limit,
            wanted.offset,
            sought_word(filter.semester_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<TestBatch>> {
        sqlx::query_as!(
            TestBatch,
            r#"select b.id, b.code, b.name, b.semester_id, e.name as semester_name, b.kind as "kind: _", b.mode as "mode: _",
                      b.exam_starts_on, b.exam_ends_on, b.ticket_publish_at, b.score_entry_starts_at, b.score_entry_ends_at,
                      b.review_levels, b.auto_lock_days, b.room_capacity_default, b.room_min_fill, b.ticket_prefix, b.notice,
                      b.status as "status: _", b.closed_at, b.archived_at, b.remark,
                      (select count(*) from exam_setup s where s.batch_id = b.id and s.status <> 'cancelled'
                         and ($2::bigint[] is null
                              or exists (select from exam_setup_class t join class k on k.id = t.class_id
                                         where t.setup_id = s.id and (k.site_id = any($2) or k.id = any($3::bigint[])))
                              or exists (select from exam_candidate c join student y on y.id = c.student_id
                                         where c.setup_id = s.id and (y.site_id = any($2) or y.class_id = any($3)))))
                          as "setup_count!",
                      (select count(*) from exam_candidate c join student y on y.id = c.student_id
                       where c.batch_id = b.id and not c.removed
                         and ($2 is null or y.site_id = any($2) or y.class_id = any($3))) as "candidate_count!",
                      (select count(*) from score_sheet f
                       where f.batch_id = b.id and f.status in ('published', 'locked')
                         and ($2 is null or exists (
                                  select from class k where k.id = f.class_id and (k.site_id = any($2) or k.id = any($3)))))
                          as "published_sheets!",
                      (select count(*) from score_sheet f
                       where f.batch_id = b.id
                         and ($2 is null or exists (
                                  select from class k where k.id = f.class_id and (k.site_id = any($2) or k.id = any($3)))))
                          as "sheet_count!",
                      b.created_at, b.version
               from test_batch b join semester e on e.id = b.semester_id
               where b.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}
