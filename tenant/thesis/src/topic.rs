//! 选题库: proposed, audited by another person, taken as often as they have places (part 04 §8.1).

mod import;

use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    clock::Moment,
    naming::tidy,
    permissions, pinyin, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use thesis_rules::{
    enums::{TopicMode, TopicSource, TopicStatus},
    title,
};

permissions! {
    pages "/schoolPC/graduate/thesis/list";
    InSchool    Reads       ListTopics   = "adult:pc:thesis:topic:list" "论文选题列表";
    InSchool    Reads       ViewTopic    = "adult:pc:thesis:topic:view" "查看论文选题";
    InSchool    ReadsLogged ExportTopics = "adult:pc:thesis:topic:export" "导出论文选题";
    WholeSchool Writes      SaveTopic    = "adult:pc:thesis:topic:save" "新增论文选题";
    InSchool    Writes      EditTopic    = "adult:pc:thesis:topic:edit" "编辑论文选题";
    InSchool    Writes      DeleteTopic  = "adult:pc:thesis:topic:delete" "删除论文选题";
    InSchool    Writes      DeleteTopics = "adult:pc:thesis:topic:batchDel" "批量删除论文选题";
    WholeSchool Writes      ImportTopics = "adult:pc:thesis:topic:import" "导入论文选题";
    WholeSchool Reads       FetchTopicSheet = "adult:pc:thesis:topic:import" "导入论文选题";
    InSchool    Writes      AuditTopic   = "adult:pc:thesis:topic:audit" "审核论文选题";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "thesis_topic", name: "论文选题", counted: "个论文选题" }],
    jobs: &[export_job::<ThesisTopics>(), import_job::<import::TopicSheet>()],
    histories: &[History {
        table: "thesis_topic",
        code: "adult:pc:thesis:topic:view",
        // That of a student lies where the student is.
        scope: Some((
            "(select y.site_id from student y where y.id = thesis_topic.proposed_by)",
            Some("(select y.class_id from student y where y.id = thesis_topic.proposed_by)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of topics.
pub struct ThesisTopics;

/// What is typed of a topic.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisTopicForm {
    /// 论文批次
    pub plan_id: i64,
    /// 题目
    #[oai(validator(min_length = 5, max_length = 60))]
    pub title: String,
    /// 指导教师
    /// 学生申报的选题可以不填
    pub teacher_id: Option<i64>,
    /// 适用专业
    /// 不填为全部
    #[oai(default, validator(max_items = 500))]
    pub major_ids: Vec<i64>,
    /// 来源
    pub source: TopicSource,
    /// 说明
    #[oai(validator(max_length = 1000))]
    pub description: Option<String>,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "200")))]
    pub capacity: i32,
    /// 提交审核
    /// 否则保存为草稿
    #[oai(default)]
    pub submit: bool,
    /// 关闭
    /// 已通过的选题不再供选择
    #[oai(default)]
    pub closed: bool,
}

impl Example for ThesisTopicForm {
    fn example() -> Self {
        Self {
            plan_id: 1,
            title: "小微企业成本控制研究".to_owned(),
            teacher_id: Some(1),
            major_ids: Vec::new(),
            source: TopicSource::Production,
            description: None,
            capacity: 1,
            submit: true,
            closed: false,
        }
    }
}

/// A topic, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisTopic {
    /// 编号
    pub id: i64,
    /// 论文批次编号
    pub plan_id: i64,
    /// 论文批次
    pub plan_name: String,
    /// 题目
    pub title: String,
    /// 指导教师编号
    pub teacher_id: Option<i64>,
    /// 指导教师
    pub teacher_name: Option<String>,
    /// 申报学生
    pub proposed_by_name: Option<String>,
    /// 适用专业编号
    pub major_ids: Vec<i64>,
    /// 来源
    pub source: TopicSource,
    /// 说明
    pub description: Option<String>,
    /// 容量
    pub capacity: i32,
    /// 已选
    pub taken: i32,
    /// 选题状态
    pub status: TopicStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 审核人
    pub audited_by_name: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisTopicFilter {
    /// 论文批次
    pub plan_id: Option<i64>,
    /// 题目
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 指导教师
    pub teacher_id: Option<i64>,
    /// 选题状态
    pub status: Option<TopicStatus>,
    /// 有空位
    pub free: Option<bool>,
}

/// What somebody decides of topics.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ThesisTopicAudit {
    /// 选题
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
    /// 通过
    pub pass: bool,
    /// 意见
    /// 退回时必填
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
}

impl Example for ThesisTopicAudit {
    fn example() -> Self {
        Self { ids: vec![1], pass: true, opinion: None }
    }
}

impl Keyed for ThesisTopics {
    type Filter = ThesisTopicFilter;
    type Row = ThesisTopic;

    fn id(row: &ThesisTopic) -> i64 {
        row.id
    }

    /// What a student proposed lies where the student is; the others are everybody's to see.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ThesisTopicFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select t.id, t.created_at, count(*) over () as "total!"
               from thesis_topic t
               where ($1::bigint is null or t.plan_id = $1)
                 and ($2::text is null or strpos(t.title, $2) > 0 or starts_with(t.initials, lower($2)))
                 and ($3::bigint is null or t.teacher_id = $3)
                 and ($4::text is null or t.status = $4)
                 and ($5::boolean is null or $5 = (t.taken < t.capacity))
                 and ($6::bigint is null or t.id = $6)
                 and ($7::timestamptz is null or t.created_at <= $7)
                 and ($10::bigint[] is null or t.proposed_by is null
                      or exists (select from student y
                                 where y.id = t.proposed_by and (y.site_id = any($10) or y.class_id = any($11::bigint[]))))
               order by t.created_at desc, t.id
               limit $8 offset $9"#,
            filter.plan_id,
            filter.title,
            filter.teacher_id,
            filter.status.map(TopicStatus::as_str),
            filter.free,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ThesisTopic>> {
        sqlx::query_as!(
            ThesisTopic,
            r#"select t.id as "id!", t.plan_id as "plan_id!", p.name as "plan_name!", t.title as "title!", t.teacher_id,
                      a.name as "teacher_name?", y.name as "proposed_by_name?", t.major_ids as "major_ids!",
                      t.source as "source!: _", t.description, t.capacity as "capacity!", t.taken as "taken!",
                      t.status as "status!: _", t.audit_opinion, t.audited_by_name, t.created_at as "created_at!",
                      t.version as "version!"
               from thesis_topic t
               join thesis_plan p on p.id = t.plan_id
               left join teacher a on a.id = t.teacher_id
               left join student y on y.id = t.proposed_by
               where t.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for ThesisTopics {
    type Filter = ThesisTopicFilter;
    type Row = ThesisTopic;
    const KIND: &'static str = "thesis_topic.export";
    type Permission = ExportTopics;
    const TITLE: &'static str = "论文选题";
    const COLUMNS: &'static [Column<ThesisTopic>] = &[
        Column { heading: "论文批次", width: 24, cell: |row| Cell::Text(row.plan_name.clone()) },
        Column { heading: "题目", width: 40, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "指导教师", width: 12, cell: |row| Cell::text(row.teacher_name.as_deref()) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "容量", width: 8, cell: |row| Cell::Int(row.capacity.into()) },
        Column { heading: "已选", width: 8, cell: |row| Cell::Int(row.taken.into()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "说明", width: 40, cell: |row| Cell::text(row.description.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ThesisTopicFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ThesisTopic>> {
        Self::all(connection, filter, scope).await
    }
}

pub struct Topics;

#[OpenApi(prefix_path = "/adult/pc/thesis/topic", tag = "crate::Tag::Thesis")]
impl Topics {
    /// 论文选题列表
    #[oai(path = "/list", method = "post", operation_id = "listThesisTopics")]
    async fn list(
        &self,
        caller: Allowed<ListTopics>,
        Body(asked): Body<Paged<ThesisTopicFilter>>,
    ) -> Result<Reply<Page<ThesisTopic>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <ThesisTopics as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看论文选题
    #[oai(path = "/view", method = "get", operation_id = "viewThesisTopic")]
    async fn view(
        &self,
        caller: Allowed<ViewTopic>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ThesisTopic>> {
        let mut tx = caller.read().await?;
        Ok(reply(ThesisTopics::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出论文选题
    #[oai(path = "/export", method = "post", operation_id = "exportThesisTopics")]
    async fn export(
        &self,
        caller: Allowed<ExportTopics>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ThesisTopicFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ThesisTopics>(&caller, asked.filter, job.0).await
    }

    /// 新增论文选题
    #[oai(path = "/save", method = "post", operation_id = "saveThesisTopic")]
    async fn save(&self, caller: Allowed<SaveTopic>, Body(form): Body<ThesisTopicForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑论文选题
    /// 已通过的只能关闭或增加容量；已退回的修改后重新提交
    #[oai(path = "/edit", method = "put", operation_id = "editThesisTopic")]
    async fn edit(&self, caller: Allowed<EditTopic>, Body(edit): Body<Edit<ThesisTopicForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除论文选题
    #[oai(path = "/delete", method = "delete", operation_id = "deleteThesisTopic")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTopic>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除论文选题
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteThesisTopics")]
    async fn delete_many(&self, caller: Allowed<DeleteTopics>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "thesis_topic", "title");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 审核论文选题
    /// 由提交人以外的人审核
    #[oai(path = "/audit", method = "put", operation_id = "auditThesisTopics")]
    async fn audit(
        &self,
        caller: Allowed<AuditTopic>,
        Body(decision): Body<ThesisTopicAudit>,
    ) -> Result<Reply<BulkResult>> {
        let opinion = decision.opinion.as_deref().map(str::trim).filter(|opinion| !opinion.is_empty());
        if !decision.pass && opinion.is_none() {
            return Err(Error::field("opinion", "请填写退回的意见"));
        }
        let who = (caller.user_id(), caller.session.real_name.clone());
        let mut ids = decision.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let mut bulk = Bulk::named(caller.begin().await?, "thesis_topic", "title");
        for id in ids {
            let row = bulk.row().await?;
            let outcome = audited(row, id, (decision.pass, opinion), (who.0, &who.1), &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// The operations on topics.
pub(crate) fn api() -> impl OpenApi {
    (Topics, import::ImportTopic)
}

/// What a broken constraint says of a topic.
pub(crate) fn told(constraint: &str) -> Option<Error> {
    let (field, text) = match constraint {
        "thesis_topic_title_taken" => ("title", "本批次已有相同的题目"),
        "thesis_topic_of_plan" => ("planId", "论文批次不存在"),
        "thesis_topic_of_teacher" => ("teacherId", "教师不存在"),
        "thesis_topic_teacher_missing" => ("teacherId", "请选择指导教师"),
        "thesis_topic_taken_range" => ("capacity", "容量不能小于已选人数"),
        _ => return None,
    };
    Some(Error::field(field, text))
}

/// Topics that no student proposed are the school's: they are seen by everybody with the code, and changed by who sees the school.
///
/// # Errors
/// 403 for who sees a part of it.
fn may_change(topic: &ThesisTopic, scope: &Scope) -> Result<()> {
    if topic.proposed_by_name.is_none() && !scope.is_whole() {
        return Err(Error::new(403, "您只能管理已分配的站点或班级，题库中的选题请由数据范围为全校的人员办理"));
    }
    Ok(())
}

/// # Errors
/// 422 in a plan whose students bring their own titles, and for one of theirs where they choose.
async fn in_mode(tx: &mut Tx, form: &ThesisTopicForm) -> Result<()> {
    let mode =
        sqlx::query_scalar!(r#"select topic_mode as "mode: TopicMode" from thesis_plan where id = $1"#, form.plan_id)
            .fetch_optional(&mut **tx)
            .await?;
    match (mode, form.source) {
        (Some(TopicMode::Own), _) => Err(Error::field("title", "本批次由学生自拟题目，不设题库")),
        (Some(TopicMode::Pool), TopicSource::Own) => Err(Error::field("source", "本批次从题库选题，来源不能为自拟")),
        _ => Ok(()),
    }
}

/// Holds a plan that takes topics.
///
/// # Errors
/// 422 for no plan, and for one that is over.
async fn open_plan(tx: &mut Tx, plan: i64) -> Result<i64> {
    sqlx::query_scalar!("select id from thesis_plan where id = $1 and status <> 'closed' for share", plan)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("planId", "论文批次不存在或已结束"))
}

async fn insert(tx: &mut Tx, form: &ThesisTopicForm) -> Result<(i64, Change)> {
    title::fits(&form.title).map_err(|why| Error::field("title", why))?;
    open_plan(tx, form.plan_id).await?;
    in_mode(tx, form).await?;
    let name = tidy(&form.title);
    let by = tx.by();
    let status = if form.submit { TopicStatus::Submitted } else { TopicStatus::Draft };
    let id = sqlx::query_scalar!(
        "insert into thesis_topic (plan_id, title, title_key, initials, teacher_id, major_ids, source, description, capacity, status,
             submitted_by, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11) returning id",
        form.plan_id,
        name,
        title::key(&name),
        pinyin::initials(&name),
        form.teacher_id,
        &form.major_ids,
        form.source.as_str(),
        form.description,
        form.capacity,
        status.as_str(),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(told)?;
    Ok((id, Change::created("thesis_topic", id, form)))
}

/// A stored topic as it would be typed.
fn typed(topic: &ThesisTopic) -> ThesisTopicForm {
    ThesisTopicForm {
        plan_id: topic.plan_id,
        title: topic.title.clone(),
        teacher_id: topic.teacher_id,
        major_ids: topic.major_ids.clone(),
        source: topic.source,
        description: topic.description.clone(),
        capacity: topic.capacity,
        submit: topic.status != TopicStatus::Draft,
        closed: topic.status == TopicStatus::Closed,
    }
}

/// # Errors
/// 404; 403 for one of the school's where a part of it is seen; 409 when it changed since, or waits for its audit; 422 for what may
/// not change any more.
async fn update(tx: &mut Tx, edit: Edit<ThesisTopicForm>, scope: &Scope) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("thesis_topic", id).await?;
    let found = ThesisTopics::find(tx, id, scope).await?;
    may_change(&found, scope)?;
    if found.version != version {
        return Err(tx.stale("thesis_topic", id).await);
    }
    title::fits(&form.title).map_err(|why| Error::field("title", why))?;
    let before = typed(&found);
    if before.plan_id != form.plan_id {
        return Err(Error::field("planId", "论文批次不能修改"));
    }
    let same = ThesisTopicForm {
        capacity: form.capacity,
        submit: form.submit,
        closed: form.closed,
        description: form.description.clone(),
        major_ids: form.major_ids.clone(),
        ..before.clone()
    };
    let to = match found.status {
        TopicStatus::Submitted => return Err(Error::conflict("选题待审核，不能修改")),
        TopicStatus::Approved | TopicStatus::Closed if same != form => {
            return Err(Error::conflict("已通过的选题不能修改题目、教师和来源"));
        }
        TopicStatus::Approved | TopicStatus::Closed if form.closed => TopicStatus::Closed,
        TopicStatus::Approved | TopicStatus::Closed => TopicStatus::Approved,
        TopicStatus::Draft | TopicStatus::Rejected if form.submit => TopicStatus::Submitted,
        TopicStatus::Draft | TopicStatus::Rejected => TopicStatus::Draft,
    };
    if before.source != form.source {
        in_mode(tx, &form).await?;
    }
    let name = tidy(&form.title);
    let by = tx.by();
    sqlx::query!(
        "update thesis_topic
         set title = $2, title_key = $3, initials = $4, teacher_id = $5, major_ids = $6,
             source = $7, description = $8, capacity = $9, status = $10,
             submitted_by = case when $10 = 'submitted' then $11 else submitted_by end, updated_at = now(), updated_by = $11,
             version = version + 1
         where id = $1",
        id,
        name,
        title::key(&name),
        pinyin::initials(&name),
        form.teacher_id,
        &form.major_ids,
        form.source.as_str(),
        form.description,
        form.capacity,
        to.as_str(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(told)?;
    Ok(Change::edited("thesis_topic", id, &before, &form))
}

/// # Errors
/// 409 for one that somebody has.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("thesis_topic", id).await?;
    let found = ThesisTopics::find(tx, id, scope).await?;
    may_change(&found, scope)?;
    if found.status == TopicStatus::Submitted {
        return Err(Error::conflict("选题待审核，不能删除"));
    }
    tx.remove("thesis_topic", id, &found.title).await?;
    Ok(Change::deleted("thesis_topic", id, &typed(&found)))
}

/// # Errors
/// 409 for one that does not wait, and for who submitted it.
async fn audited(
    tx: &mut Tx,
    id: i64,
    (pass, opinion): (bool, Option<&str>),
    (account, name): (i64, &str),
    scope: &Scope,
) -> Result<Change> {
    tx.lock("thesis_topic", id).await?;
    let found = ThesisTopics::find(tx, id, scope).await?;
    may_change(&found, scope)?;
    if found.status != TopicStatus::Submitted {
        return Err(Error::conflict(format!("该选题{}，只有待审的可以审核", found.status.zh())));
    }
    let by =
        sqlx::query_scalar!("select submitted_by from thesis_topic where id = $1", id).fetch_one(&mut **tx).await?;
    // What a student proposed has such an account once somebody edited and submitted it again.
    if by == Some(account) {
        return Err(Error::conflict("不能审核自己提交的选题"));
    }
    let to = if pass { TopicStatus::Approved } else { TopicStatus::Rejected };
    let now = tx.app().clock().now();
    sqlx::query!(
        "update thesis_topic
         set status = $2, audit_opinion = $3, audited_by_name = $4, audited_at = $5, updated_at = now(), updated_by = $6,
             version = version + 1
         where id = $1",
        id,
        to.as_str(),
        opinion,
        name,
        now as _,
        account
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("thesis_topic", id, "status", found.status.as_str(), to.as_str());
    Ok(change.because(opinion))
}
