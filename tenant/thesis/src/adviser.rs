//! 指导教师 of a plan, with their load (part 04 §8.1).

use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

permissions! {
    pages "/schoolPC/graduate/thesis/list";
    InSchool    Reads       ListAdvisers   = "adult:pc:thesis:adviser:list" "指导教师列表";
    InSchool    Reads       ViewAdviser    = "adult:pc:thesis:adviser:view" "查看指导教师";
    InSchool    ReadsLogged ExportAdvisers = "adult:pc:thesis:adviser:export" "导出指导教师";
    WholeSchool Writes      SaveAdviser    = "adult:pc:thesis:adviser:save" "新增指导教师";
    WholeSchool Writes      EditAdviser    = "adult:pc:thesis:adviser:edit" "编辑指导教师";
    WholeSchool Writes      DeleteAdviser  = "adult:pc:thesis:adviser:delete" "删除指导教师";
    WholeSchool Writes      DeleteAdvisers = "adult:pc:thesis:adviser:batchDel" "批量删除指导教师";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "thesis_adviser", name: "指导教师", counted: "名指导教师" }],
    jobs: &[export_job::<ThesisAdvisers>()],
    histories: &[History { table: "thesis_adviser", code: "adult:pc:thesis:adviser:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of advisers.
pub struct ThesisAdvisers;

/// What is typed of an adviser.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisAdviserForm {
    /// 论文批次
    pub plan_id: i64,
    /// 教师
    pub teacher_id: i64,
    /// 人数上限
    /// 不填为批次的每名导师人数
    #[oai(validator(minimum(value = "1"), maximum(value = "200")))]
    pub quota: Option<i32>,
    /// 适用专业
    /// 不填为全部
    #[oai(default, validator(max_items = 500))]
    pub major_ids: Vec<i64>,
    /// 可评阅
    #[oai(default)]
    pub can_review: bool,
    /// 可答辩
    #[oai(default)]
    pub can_defend: bool,
}

impl Example for ThesisAdviserForm {
    fn example() -> Self {
        Self { plan_id: 1, teacher_id: 1, quota: None, major_ids: Vec::new(), can_review: true, can_defend: true }
    }
}

/// An adviser, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisAdviser {
    /// 编号
    pub id: i64,
    #[oai(flatten)]
    pub form: ThesisAdviserForm,
    /// 论文批次名称
    pub plan_name: String,
    /// 工号
    pub work_no: Option<String>,
    /// 教师姓名
    pub teacher_name: String,
    /// 已指导
    pub advised: i64,
    /// 上限
    pub most: i32,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisAdviserFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
    /// 教师姓名
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
}

impl Keyed for ThesisAdvisers {
    type Filter = ThesisAdviserFilter;
    type Row = ThesisAdviser;

    fn id(row: &ThesisAdviser) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ThesisAdviserFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select a.id, a.created_at, count(*) over () as "total!"
               from thesis_adviser a join teacher t on t.id = a.teacher_id
               where ($1::bigint is null or a.plan_id = $1)
                 and ($2::text is null or strpos(t.name, $2) > 0)
                 and ($3::bigint is null or a.id = $3)
                 and ($4::timestamptz is null or a.created_at <= $4)
               order by a.created_at desc, a.id
               limit $5 offset $6"#,
            filter.plan_id,
            filter.name,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    /// The load is of the whole plan, because the quota is.
    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ThesisAdviser>> {
        let rows = sqlx::query!(
            r#"select a.id, a.plan_id, a.teacher_id, a.quota, a.major_ids, a.can_review, a.can_defend, a.version,
                      p.name as plan_name, t.work_no as "work_no?", t.name as teacher_name,
                      coalesce(a.quota, p.adviser_quota) as "most!",
                      (select count(*) from thesis x
                       where x.plan_id = a.plan_id and x.adviser_id = a.teacher_id
                         and x.status in ('active', 'finished')) as "advised!"
               from thesis_adviser a join thesis_plan p on p.id = a.plan_id join teacher t on t.id = a.teacher_id
               where a.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| ThesisAdviser {
                id: row.id,
                form: ThesisAdviserForm {
                    plan_id: row.plan_id,
                    teacher_id: row.teacher_id,
                    quota: row.quota,
                    major_ids: row.major_ids,
                    can_review: row.can_review,
                    can_defend: row.can_defend,
                },
                plan_name: row.plan_name,
                work_no: row.work_no,
                teacher_name: row.teacher_name,
                advised: row.advised,
                most: row.most,
                version: row.version,
            })
            .collect())
    }
}

impl Export for ThesisAdvisers {
    type Filter = ThesisAdviserFilter;
    type Row = ThesisAdviser;
    const KIND: &'static str = "thesis_adviser.export";
    type Permission = ExportAdvisers;
    const TITLE: &'static str = "指导教师";
    const COLUMNS: &'static [Column<ThesisAdviser>] = &[
        Column { heading: "论文批次", width: 24, cell: |row| Cell::Text(row.plan_name.clone()) },
        Column { heading: "工号", width: 14, cell: |row| Cell::text(row.work_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.teacher_name.clone()) },
        Column { heading: "已指导", width: 8, cell: |row| Cell::Int(row.advised) },
        Column { heading: "上限", width: 8, cell: |row| Cell::Int(row.most.into()) },
        Column { heading: "可评阅", width: 8, cell: |row| Cell::Bool(row.form.can_review) },
        Column { heading: "可答辩", width: 8, cell: |row| Cell::Bool(row.form.can_defend) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ThesisAdviserFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ThesisAdviser>> {
        Self::all(connection, filter, scope).await
    }
}

pub struct Advisers;

#[OpenApi(prefix_path = "/adult/pc/thesis/adviser", tag = "crate::Tag::Thesis")]
impl Advisers {
    /// 指导教师列表
    #[oai(path = "/list", method = "post", operation_id = "listThesisAdvisers")]
    async fn list(
        &self,
        caller: Allowed<ListAdvisers>,
        Body(asked): Body<Paged<ThesisAdviserFilter>>,
    ) -> Result<Reply<Page<ThesisAdviser>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <ThesisAdvisers as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看指导教师
    #[oai(path = "/view", method = "get", operation_id = "viewThesisAdviser")]
    async fn view(
        &self,
        caller: Allowed<ViewAdviser>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ThesisAdviser>> {
        let mut tx = caller.read().await?;
        Ok(reply(ThesisAdvisers::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出指导教师
    #[oai(path = "/export", method = "post", operation_id = "exportThesisAdvisers")]
    async fn export(
        &self,
        caller: Allowed<ExportAdvisers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ThesisAdviserFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ThesisAdvisers>(&caller, asked.filter, job.0).await
    }

    /// 新增指导教师
    #[oai(path = "/save", method = "post", operation_id = "saveThesisAdviser")]
    async fn save(&self, caller: Allowed<SaveAdviser>, Body(form): Body<ThesisAdviserForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into thesis_adviser (plan_id, teacher_id, quota, major_ids, can_review, can_defend, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
            form.plan_id,
            form.teacher_id,
            form.quota,
            &form.major_ids,
            form.can_review,
            form.can_defend,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(told)?;
        tx.commit(Change::created("thesis_adviser", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑指导教师
    #[oai(path = "/edit", method = "put", operation_id = "editThesisAdviser")]
    async fn edit(
        &self,
        caller: Allowed<EditAdviser>,
        Body(edit): Body<Edit<ThesisAdviserForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除指导教师
    #[oai(path = "/delete", method = "delete", operation_id = "deleteThesisAdviser")]
    async fn delete(
        &self,
        caller: Allowed<DeleteAdviser>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除指导教师
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteThesisAdvisers")]
    async fn delete_many(&self, caller: Allowed<DeleteAdvisers>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let table = "(select a.id, t.name from thesis_adviser a join teacher t on t.id = a.teacher_id) adviser";
        let mut bulk = Bulk::named(caller.begin().await?, table, "name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// The operations on advisers.
pub(crate) fn api() -> impl OpenApi {
    Advisers
}

fn told(constraint: &str) -> Option<Error> {
    let (field, text) = match constraint {
        "thesis_adviser_taken" => ("teacherId", "该教师已是本批次的指导教师"),
        "thesis_adviser_of_plan" => ("planId", "论文批次不存在"),
        "thesis_adviser_of_teacher" => ("teacherId", "教师不存在"),
        _ => return None,
    };
    Some(Error::field(field, text))
}

/// # Errors
/// 404; 409 when it changed since; 422 for another plan or teacher, and for fewer places than students.
async fn update(tx: &mut Tx, edit: Edit<ThesisAdviserForm>, scope: &Scope) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("thesis_adviser", id).await?;
    let before = ThesisAdvisers::find(tx, id, scope).await?;
    if before.version != version {
        return Err(tx.stale("thesis_adviser", id).await);
    }
    if (before.form.plan_id, before.form.teacher_id) != (form.plan_id, form.teacher_id) {
        return Err(Error::field("teacherId", "论文批次和教师不能修改"));
    }
    if form.quota.is_some_and(|quota| i64::from(quota) < before.advised) {
        return Err(Error::field("quota", format!("已指导{}人，上限不能更少", before.advised)));
    }
    let by = tx.by();
    sqlx::query!(
        "update thesis_adviser
         set quota = $2, major_ids = $3, can_review = $4, can_defend = $5, updated_at = now(), updated_by = $6, version = version + 1
         where id = $1",
        id,
        form.quota,
        &form.major_ids,
        form.can_review,
        form.can_defend,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited("thesis_adviser", id, &before.form, &form))
}

/// # Errors
/// 409 for who advises somebody.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("thesis_adviser", id).await?;
    let before = ThesisAdvisers::find(tx, id, scope).await?;
    if before.advised > 0 {
        return Err(Error::conflict(format!("“{}”已指导{}人，不能删除", before.teacher_name, before.advised)));
    }
    tx.remove("thesis_adviser", id, &before.teacher_name).await?;
    Ok(Change::deleted("thesis_adviser", id, &before.form))
}
