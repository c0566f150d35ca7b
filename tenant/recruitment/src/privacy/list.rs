//! 清理清单: what is scrubbed soon, before it happens.

use chrono::{Days, NaiveDate};
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::{Object, types::Example};
use recruitment_rules::due::{due_on, ended_before};
use sqlx::PgConnection;

use super::Privacy;

/// Days before its time that a batch is listed.
const AHEAD: Days = Days::new(90);

/// A batch with people of whom something personal is to be taken away.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PersonalBatch {
    /// 批次编号
    pub batch_id: i64,
    /// 批次编码
    pub code: String,
    /// 批次
    pub name: String,
    /// 结束时间
    pub ends_at: Moment,
    /// 清理日期
    pub due_on: NaiveDate,
    /// 清理人数
    /// 未录取且个人信息尚在的预报名，含回收站
    pub rows: i64,
    /// 暂停清理
    pub hold: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PersonalBatchFilter {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
}

impl Example for PersonalBatchFilter {
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(20) }
    }
}

/// The batches that end before a moment; without one, all.
#[derive(Debug, Default)]
pub struct ListedSoon {
    ended_before: Option<Moment>,
}

impl ListedSoon {
    pub(super) fn on(today: NaiveDate) -> Self {
        let until = today.checked_add_days(AHEAD).unwrap_or(today);
        Self { ended_before: Some(ended_before(until)) }
    }
}

impl Keyed for Privacy {
    type Filter = ListedSoon;
    type Row = PersonalBatch;

    fn id(row: &PersonalBatch) -> i64 {
        row.batch_id
    }

    /// The soonest first.
    async fn matching(
        connection: &mut PgConnection,
        asked: &ListedSoon,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select b.id, b.created_at, count(*) over () as "total!"
               from pre_registration_batch b
               where ($1::timestamptz is null or b.ends_at < $1)
                 and exists (select from pre_registration p
                             where p.batch_id = b.id and p.exam_status <> 'admitted' and p.scrubbed_at is null
                               and not exists (select from admission a where a.pre_registration_id = p.id and a.deleted_at is null))
                 and ($2::bigint is null or b.id = $2)
                 and ($3::timestamptz is null or b.created_at <= $3)
               order by case when $3::timestamptz is null then b.ends_at end, case when $3::timestamptz is null then b.id end,
                        b.created_at desc, b.id
               limit $4 offset $5"#,
            asked.ended_before,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    /// The numbers are the school's: a batch is scrubbed as a whole.
    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<PersonalBatch>> {
        sqlx::query!(
            r#"select b.id, b.code, b.name, b.ends_at, b.privacy_hold, b.version,
                      (select count(*) from pre_registration p
                       where p.batch_id = b.id and p.exam_status <> 'admitted' and p.scrubbed_at is null
                         and not exists (select from admission a where a.pre_registration_id = p.id and a.deleted_at is null)) as "rows!"
               from pre_registration_batch b
               where b.id = any($1)"#,
            ids
        )
        .map(|row| PersonalBatch {
            batch_id: row.id,
            code: row.code,
            name: row.name,
            ends_at: row.ends_at,
            due_on: due_on(row.ends_at),
            rows: row.rows,
            hold: row.privacy_hold,
            version: row.version,
        })
        .fetch_all(connection)
        .await
    }
}
