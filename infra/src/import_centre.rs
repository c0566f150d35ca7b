//! 导入记录: the imports of the last 30 days, and their undoing ([`crate::transfer`]).
//!
//! Whoever may import a kind of record sees its imports and undoes them; with a limited data scope, their own alone.

use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::{PgConnection, Row, postgres::PgRow};

use crate::{
    Body, Error, Page, Paged, Reply, Result, SignedIn, Writes,
    access::{Caller, HomeOrNamed, Reads},
    clock::Moment,
    jobs::{self, JobStarted, NewJob},
    module::{Entity, Part},
    reply,
    transfer::undo::{self, UNDO},
};

pub const PART: Part =
    Part { entities: &[Entity { table: "import_run", name: "导入记录", counted: "次导入" }], ..Part::NONE };

/// 导入记录
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct ImportRun {
    /// 编号
    id: i64,
    /// 内容
    title: String,
    /// 文件名
    file_name: String,
    /// 行数
    total: i64,
    /// 写入的记录数
    records: i64,
    /// 已撤销的记录数
    undone: i64,
    /// 导入时间
    at: Moment,
    /// 导入人
    by_name: String,
    /// 可撤销至
    until: Moment,
    /// 撤销时间
    undone_at: Option<Moment>,
    /// 撤销人
    undone_by: Option<String>,
}

impl ImportRun {
    fn of(row: &PgRow) -> sqlx::Result<Self> {
        let at: Moment = row.try_get("at")?;
        Ok(Self {
            id: row.try_get("id")?,
            title: row.try_get("title")?,
            file_name: row.try_get("file_name")?,
            total: row.try_get("total")?,
            records: row.try_get("records")?,
            undone: row.try_get("undone")?,
            at,
            by_name: row.try_get("by_name")?,
            until: at + chrono::Duration::days(i64::from(undo::KEPT_DAYS)),
            undone_at: row.try_get("undone_at")?,
            undone_by: row.try_get("undone_by")?,
        })
    }
}

/// Which imports; all that can be undone.
#[derive(Debug, Clone, Default, Object)]
struct ImportRunFilter {
    /// 编号
    id: Option<i64>,
}

/// 撤销导入
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
struct UndoImport {
    /// 编号
    id: i64,
    /// 仅检查
    /// 逐条说明哪些记录不能撤销及原因，不改动数据
    #[oai(default)]
    dry_run: bool,
}

impl Example for UndoImport {
    fn example() -> Self {
        Self { id: 1, dry_run: true }
    }
}

pub struct ImportCentre;

#[OpenApi(prefix_path = "/system/pc/import", tag = "crate::Tag::Infra")]
impl ImportCentre {
    /// 导入记录
    /// 近30天内本人有权导入的各次导入
    #[oai(path = "/list", method = "post", operation_id = "listImportRuns")]
    async fn list(
        &self,
        caller: SignedIn<Reads, HomeOrNamed>,
        Body(asked): Body<Paged<ImportRunFilter>>,
    ) -> Result<Reply<Page<ImportRun>>> {
        let paging = asked.paging()?;
        let mut tx = caller.caller().home_read().await?;
        let rows = visible(&mut tx, caller.caller(), asked.filter.id, paging.limit(), paging.offset()).await?;
        let total = rows.first().map_or(Ok(0), |row| row.try_get("whole"))?;
        Ok(reply(paging.page(total, rows.iter().map(ImportRun::of).collect::<sqlx::Result<_>>()?)))
    }

    /// 撤销导入
    /// 作为后台任务执行：新增的记录删除，修改的记录恢复原内容；导入后有改动或被引用的记录保留并说明
    #[oai(path = "/undo", method = "put", operation_id = "undoImport")]
    async fn undo(
        &self,
        caller: SignedIn<Writes, HomeOrNamed>,
        Body(wanted): Body<UndoImport>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.caller().home_read().await?;
        let rows = visible(&mut tx, caller.caller(), Some(wanted.id), 1, 0).await?;
        drop(tx);
        let row = rows.first().ok_or_else(Error::not_found)?;
        let (run, kind): (ImportRun, String) = (ImportRun::of(row)?, row.try_get("kind")?);
        if run.undone == run.records {
            return Err(Error::conflict("该次导入已全部撤销"));
        }
        let kind = caller.app().modules().job(&kind).ok_or_else(Error::not_found)?.kind;
        let what = if wanted.dry_run { "检查能否撤销导入" } else { "撤销导入" };
        // Jobs are seen by more people than imports: the name of the file is for these.
        let job = NewJob {
            kind,
            target: String::new(),
            title: format!("{what}{}（{}）", run.title, run.at.format("%Y-%m-%d")),
            params: json!({ UNDO: run.id, "dryRun": wanted.dry_run, "total": run.records }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

/// The imports that a caller may undo, the newest first, each with how many there are as `whole`: everybody's of the kinds that they
/// may import in the whole school, their own of the others.
async fn visible(
    connection: &mut PgConnection,
    caller: &Caller,
    id: Option<i64>,
    limit: i64,
    offset: i64,
) -> Result<Vec<PgRow>> {
    let (mut everybodys, mut own) = (Vec::new(), Vec::new());
    for job in caller.app().modules().jobs() {
        let Some(scope) = job.code.and_then(|code| caller.rights().get(code)) else { continue };
        if scope.is_whole() { &mut everybodys } else { &mut own }.push(job.kind);
    }
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    let rows = sqlx::query(
        "select id, kind, title, file_name, total, records, at, by_name, undone, undone_at, undone_by, count(*) over () as whole
         from import_run
         where ($1::bigint is null or id = $1) and at > $2 and (kind = any($3) or kind = any($4) and by_id = $5)
         order by at desc, id desc limit $6 offset $7",
    )
    .bind(id)
    .bind(undo::since(caller.app()))
    .bind(everybodys)
    .bind(own)
    .bind(caller.user_id())
    .bind(limit)
    .bind(offset)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
