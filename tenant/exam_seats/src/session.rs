//! 考试场次: the times of a batch at which people sit on paper (part 04 §4.1). Seen by everybody with the code; what is counted of people lies
//! in their scope.

mod form;
mod generate;
mod select;

use exam_seat_rules::session::{SessionTurn, after};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Tx,
    across::{Keyed, Listed},
    clock::Moment,
    options::{Asked, OptionItem, Source},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::enums::ExamSessionStatus;

pub use form::ExamSessionForm;
pub(crate) use form::{NewSession, insert};
pub use generate::{ExamSessionSlot, ExamSessionsGenerated, ExamSessionsWanted};
pub use select::{ExamSession, ExamSessionFilter};

permissions! {
    pages "/schoolPC/examination/offlineIndex/offlineSession", "/schoolPC/examination/offlineIndex/offlineManage";
    InSchool    Reads       ListExamSessions     = "offline:pc:offline:session:list" "考试场次列表";
    InSchool    Reads       ViewExamSession      = "offline:pc:offline:session:view" "查看考试场次";
    WholeSchool Writes      SaveExamSession      = "offline:pc:offline:session:save" "新增考试场次";
    WholeSchool Writes      EditExamSession      = "offline:pc:offline:session:edit" "编辑考试场次";
    WholeSchool Writes      DeleteExamSession    = "offline:pc:offline:session:delete" "删除考试场次";
    WholeSchool Writes      DeleteExamSessions   = "offline:pc:offline:session:batchDel" "批量删除考试场次";
    WholeSchool Writes      GenerateExamSessions = "offline:pc:offline:session:generate" "批量生成考试场次";
    InSchool    ReadsLogged ExportExamSessions   = "offline:pc:offline:session:export" "导出考试场次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "offline_session", name: "考试场次", counted: "个考试场次" },
        Entity { table: "offline_session_site", name: "场次站点", counted: "个场次的站点" },
        Entity { table: "offline_session_room", name: "场次考场", counted: "个场次的考场" },
    ],
    jobs: &[export_job::<Sessions>()],
    histories: &[History { table: "offline_session", code: "offline:pc:offline:session:view", scope: None }],
    options: &[
        Source::new("offlineSession", |connection, asked| Box::pin(options(connection, asked))).below("场次的考试批次")
    ],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Sessions;

#[OpenApi(prefix_path = "/offline/pc/offline/session", tag = "crate::Tag::ExamSeats")]
impl Sessions {
    /// 考试场次列表
    #[oai(path = "/list", method = "post", operation_id = "listExamSessions")]
    async fn list(
        &self,
        caller: Allowed<ListExamSessions>,
        Body(asked): Body<Paged<ExamSessionFilter>>,
    ) -> Result<Reply<Page<ExamSession>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看考试场次
    #[oai(path = "/view", method = "get", operation_id = "viewExamSession")]
    async fn view(
        &self,
        caller: Allowed<ViewExamSession>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ExamSession>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增考试场次
    #[oai(path = "/save", method = "post", operation_id = "saveExamSession")]
    async fn save(&self, caller: Allowed<SaveExamSession>, Body(form): Body<ExamSessionForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &NewSession::of(form)?).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑考试场次
    /// 已编排座位的，重新检查考生和考场的时间冲突
    #[oai(path = "/edit", method = "put", operation_id = "editExamSession")]
    async fn edit(
        &self,
        caller: Allowed<EditExamSession>,
        Body(edit): Body<Edit<ExamSessionForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除考试场次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteExamSession")]
    async fn delete(
        &self,
        caller: Allowed<DeleteExamSession>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除考试场次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteExamSessions")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteExamSessions>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "offline_session");
        let mut ids = ids.ids;
        ids.sort_unstable();
        for id in ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 批量生成考试场次
    /// 每个日期的每个时段一场，已有的时段跳过
    #[oai(path = "/generate", method = "post", operation_id = "generateExamSessions")]
    async fn generate(
        &self,
        caller: Allowed<GenerateExamSessions>,
        Body(wanted): Body<ExamSessionsWanted>,
    ) -> Result<Reply<ExamSessionsGenerated>> {
        let mut tx = caller.begin().await?;
        let (made, skipped) = generate::generate(&mut tx, &wanted).await?;
        let ids = made.iter().map(Change::id).collect();
        tx.commit_all(made).await?;
        Ok(reply(ExamSessionsGenerated { ids, skipped }))
    }

    /// 导出考试场次
    #[oai(path = "/export", method = "post", operation_id = "exportExamSessions")]
    async fn export(
        &self,
        caller: Allowed<ExportExamSessions>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamSessionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// A session that is held until the transaction ends.
#[derive(Debug, Clone)]
pub(crate) struct HeldSession {
    pub id: i64,
    pub batch_id: i64,
    pub status: ExamSessionStatus,
    pub version: i32,
}

/// Holds sessions, by id; the seats of their batch are held.
///
/// # Errors
/// 404 when one is not there.
pub(crate) async fn held(tx: &mut Tx, ids: &[i64]) -> Result<Vec<HeldSession>> {
    let found = sqlx::query_as!(
        HeldSession,
        r#"select id, batch_id, status as "status: ExamSessionStatus", version from offline_session
           where id = any($1) order by id for update"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut wanted = ids.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    if found.len() == wanted.len() { Ok(found) } else { Err(Error::not_found()) }
}

/// The state behind a step, as a refusal for people.
pub(crate) fn turn(session: &HeldSession, turn: SessionTurn) -> Result<ExamSessionStatus> {
    after(session.status, turn).map_err(|why| Error::conflict(why.to_string()))
}

/// Writes the state of a held session, with the moment that belongs to it.
pub(crate) async fn turned(tx: &mut Tx, id: i64, from: ExamSessionStatus, to: ExamSessionStatus) -> Result<Change> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update offline_session
         set status = $2, seated_at = case when $2 = 'draft' then null when seated_at is null then $3 else seated_at end,
             confirmed_at = case when $2 = 'confirmed' then $3 when $2 in ('draft', 'seated') then null else confirmed_at end,
             updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        id,
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("offline_session", id, "status", from.as_str(), to.as_str()))
}

/// The first session of a batch at this time that is for all of these sites; where none is named, one for the whole school.
pub(crate) async fn covering(
    connection: &mut PgConnection,
    batch: i64,
    (starts_at, ends_at): (Moment, Moment),
    sites: &[i64],
) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select x.id from offline_session x
         where x.batch_id = $1 and x.starts_at = $2 and x.ends_at = $3
           and (not exists (select from offline_session_site w where w.session_id = x.id)
                or $4::bigint[] <> '{}'
                   and $4::bigint[] <@ array(select w.site_id from offline_session_site w where w.session_id = x.id))
         order by x.id limit 1",
        batch,
        starts_at as _,
        ends_at as _,
        sites
    )
    .fetch_optional(connection)
    .await?)
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Sessions::find(tx, id, &infra::Scope::whole_school()).await?;
    held(tx, &[id]).await?;
    let setups = sqlx::query_scalar!(r#"select count(*) as "count!" from exam_setup where session_id = $1"#, id)
        .fetch_one(&mut **tx)
        .await?;
    if setups > 0 {
        return Err(Error::conflict(format!("该场次已有 {setups} 门考试")));
    }
    sqlx::query!("delete from offline_session_site where session_id = $1", id).execute(&mut **tx).await?;
    tx.remove("offline_session", id, &before.name).await?;
    Ok(Change::deleted("offline_session", id, &before))
}

/// The sessions of a batch for selectors.
async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select x.id as "id!", x.code as "code!", b.name || ' ' || x.name || ' '
                  || to_char(x.starts_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') as "name!",
                  x.status <> 'finished' as "open!", x.batch_id as "batch_id!"
           from offline_session x join test_batch b on b.id = x.batch_id
           where (x.status <> 'finished' or not $2)
             and ($1::text is null or strpos(x.name, $1) > 0 or starts_with(x.code, $1))
             and ($3::bigint is null or x.batch_id = $3)
           order by x.starts_at desc, x.id limit $4"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    let item = rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, row.open).below(row.batch_id));
    Ok(item.collect())
}
