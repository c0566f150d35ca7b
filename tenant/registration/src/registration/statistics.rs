//! 报到统计: of those who should come, how many came, were kept, gave up or are missing (02 §7). Who went on in a later batch is kept
//! in the figures of the first, and counts once, in the later one, wherever batches are summed.

use infra::{
    Allowed, Body, Error, Reply, Result, Scope,
    across::{self, SchoolNotice},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::statistics::{Counted, RegistrationFigures, together};
use sqlx::PgConnection;

use super::ListRegistrations;
use crate::enums::RegistrationGroup;

/// What is counted, and by what.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationStatisticsOf {
    /// 招生批次
    /// 不填时为全部批次；按院校统计时为全部批次
    pub batch_id: Option<i64>,
    /// 统计方式
    /// 按院校统计只用于平台，且不指明院校
    pub by: RegistrationGroup,
}

impl Example for RegistrationStatisticsOf {
    fn example() -> Self {
        Self { batch_id: Some(1), by: RegistrationGroup::Site }
    }
}

/// The figures, line by line and together.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationStatistics {
    /// 各行
    pub rows: Vec<RegistrationFigures>,
    /// 合计
    pub all: RegistrationFigures,
    /// 未包含的院校
    pub notices: Vec<SchoolNotice>,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Statistics {
    /// 报到统计
    #[oai(path = "/statistics", method = "post", operation_id = "summarizeRegistrations")]
    async fn statistics(
        &self,
        caller: Allowed<ListRegistrations>,
        Body(asked): Body<RegistrationStatisticsOf>,
    ) -> Result<Reply<RegistrationStatistics>> {
        if asked.by == RegistrationGroup::School {
            if caller.school_id().is_some() {
                return Err(Error::field("by", "按院校统计只用于平台全部院校，请选择按站点或按专业"));
            }
            // The number of a batch is one within its school alone.
            let (answers, notices) =
                across::each(&caller, |connection| Box::pin(async move { counted(connection).await })).await?;
            let rows: Vec<RegistrationFigures> = answers
                .into_iter()
                .map(|(school, counted)| {
                    counted.figures(school.id, school.name.clone(), Some(school.code.clone()), None)
                })
                .collect();
            return Ok(reply(RegistrationStatistics { all: together(&rows), rows, notices }));
        }
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let rows = match asked.by {
            RegistrationGroup::Major => by_major(&mut tx, asked.batch_id, &scope).await?,
            RegistrationGroup::Site | RegistrationGroup::School => by_site(&mut tx, asked.batch_id, &scope).await?,
        };
        Ok(reply(RegistrationStatistics { all: together(&rows), rows, notices: Vec::new() }))
    }
}

/// A whole school.
async fn counted(connection: &mut PgConnection) -> Result<Counted> {
    let counted = sqlx::query_as!(
        Counted,
        r#"select count(*) filter (where status = 'reported') as "reported!",
                  count(*) filter (where status = 'reserved') as "reserved!",
                  count(*) filter (where status = 'abandoned') as "abandoned!",
                  count(*) filter (where status in ('pending', 'no_show')) as "missing!",
                  count(*) filter (where status = 'revoked') as "revoked!"
           from registration where deleted_at is null and not carried_on"#
    );
    Ok(counted.fetch_one(connection).await?)
}

async fn by_site(connection: &mut PgConnection, batch: Option<i64>, scope: &Scope) -> Result<Vec<RegistrationFigures>> {
    let rows = sqlx::query!(
        r#"select t.id, t.code, t.name, n.reported as "reported!", n.reserved as "reserved!", n.abandoned as "abandoned!",
                  n.missing as "missing!", n.revoked as "revoked!"
           from (select site_id, count(*) filter (where status = 'reported') as reported,
                        count(*) filter (where status = 'reserved') as reserved,
                        count(*) filter (where status = 'abandoned') as abandoned,
                        count(*) filter (where status in ('pending', 'no_show')) as missing,
                        count(*) filter (where status = 'revoked') as revoked
                 from registration
                 where deleted_at is null and ($1::bigint is null or batch_id = $1)
                   and ($1::bigint is not null or not carried_on)
                   and ($2::bigint[] is null or site_id = any($2))
                 group by site_id) n
           join site t on t.id = n.site_id
           order by t.code"#,
        batch,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let counted = Counted {
                reported: row.reported,
                reserved: row.reserved,
                abandoned: row.abandoned,
                missing: row.missing,
                revoked: row.revoked,
            };
            counted.figures(row.id, row.name, Some(row.code), None)
        })
        .collect())
}

async fn by_major(
    connection: &mut PgConnection,
    batch: Option<i64>,
    scope: &Scope,
) -> Result<Vec<RegistrationFigures>> {
    let rows = sqlx::query!(
        r#"select m.id, m.code, m.name, l.name as level_name, n.reported as "reported!", n.reserved as "reserved!",
                  n.abandoned as "abandoned!", n.missing as "missing!", n.revoked as "revoked!"
           from (select major_id, count(*) filter (where status = 'reported') as reported,
                        count(*) filter (where status = 'reserved') as reserved,
                        count(*) filter (where status = 'abandoned') as abandoned,
                        count(*) filter (where status in ('pending', 'no_show')) as missing,
                        count(*) filter (where status = 'revoked') as revoked
                 from registration
                 where deleted_at is null and ($1::bigint is null or batch_id = $1)
                   and ($1::bigint is not null or not carried_on)
                   and ($2::bigint[] is null or site_id = any($2))
                 group by major_id) n
           join major m on m.id = n.major_id
           join level l on l.id = m.level_id
           order by l.sort_no, l.code, m.code"#,
        batch,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let counted = Counted {
                reported: row.reported,
                reserved: row.reserved,
                abandoned: row.abandoned,
                missing: row.missing,
                revoked: row.revoked,
            };
            counted.figures(row.id, row.name, Some(row.code), Some(row.level_name))
        })
        .collect())
}
