//! 论文批次: of a semester, for whom, with the day of each stage (part 04 §8.1).

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    clock::Moment,
    naming::{code_taken, name_taken, tidy},
    permissions, pinyin, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use thesis_rules::{
    enums::{DefenseMode, SelectMode, ThesisPlanStatus, TopicMode},
    plan::{PlanDates, ordered},
};

permissions! {
    pages "/schoolPC/graduate/thesis/list";
    InSchool    Reads       ListPlans        = "adult:pc:thesis:plan:list" "论文批次列表";
    InSchool    Reads       ViewPlan         = "adult:pc:thesis:plan:view" "查看论文批次";
    InSchool    ReadsLogged ExportPlans      = "adult:pc:thesis:plan:export" "导出论文批次";
    WholeSchool Writes      SavePlan         = "adult:pc:thesis:plan:save" "新增论文批次";
    WholeSchool Writes      EditPlan         = "adult:pc:thesis:plan:edit" "编辑论文批次";
    WholeSchool Writes      DeletePlan       = "adult:pc:thesis:plan:delete" "删除论文批次";
    WholeSchool Writes      DeletePlans      = "adult:pc:thesis:plan:batchDel" "批量删除论文批次";
    WholeSchool Writes      ChangePlanStatus = "adult:pc:thesis:plan:update:status" "启用停用论文批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "thesis_plan", name: "论文批次", counted: "个论文批次" }],
    jobs: &[export_job::<ThesisPlans>()],
    histories: &[History { table: "thesis_plan", code: "adult:pc:thesis:plan:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of plans.
pub struct ThesisPlans;

/// What is typed of a plan.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisPlanForm {
    /// 编码
    #[oai(validator(min_length = 1, max_length = 32, pattern = "^[A-Za-z0-9_-]+$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 1, max_length = 100))]
    pub name: String,
    /// 学期
    pub semester_id: i64,
    /// 年级
    /// 不填为全部，下同
    #[oai(default, validator(max_items = 100))]
    pub grade_ids: Vec<i64>,
    /// 层次
    #[oai(default, validator(max_items = 100))]
    pub level_ids: Vec<i64>,
    /// 专业
    #[oai(default, validator(max_items = 500))]
    pub major_ids: Vec<i64>,
    /// 选题开始
    pub topic_from: Option<NaiveDate>,
    /// 选题截止
    pub topic_to: Option<NaiveDate>,
    /// 开题截止
    pub proposal_due: Option<NaiveDate>,
    /// 初稿截止
    pub draft_due: Option<NaiveDate>,
    /// 终稿截止
    pub final_due: Option<NaiveDate>,
    /// 查重截止
    pub similarity_due: Option<NaiveDate>,
    /// 评阅截止
    pub review_due: Option<NaiveDate>,
    /// 答辩开始
    pub defense_from: Option<NaiveDate>,
    /// 答辩结束
    pub defense_to: Option<NaiveDate>,
    /// 选题方式
    pub topic_mode: TopicMode,
    /// 选题规则
    pub select_mode: SelectMode,
    /// 须开题
    #[oai(default)]
    pub require_proposal: bool,
    /// 每名导师人数
    #[oai(validator(minimum(value = "1"), maximum(value = "200")))]
    pub adviser_quota: i32,
    /// 复制比上限(%)
    pub similarity_limit: f64,
    /// 查重次数
    #[oai(validator(minimum(value = "1"), maximum(value = "5")))]
    pub similarity_attempts: i32,
    /// 答辩方式
    pub defense_mode: DefenseMode,
    /// 最少评阅人数
    #[oai(validator(minimum(value = "1"), maximum(value = "3")))]
    pub min_reviewers: i32,
}

impl Example for ThesisPlanForm {
    fn example() -> Self {
        Self {
            code: "LW2026".to_owned(),
            name: "2026届毕业论文".to_owned(),
            semester_id: 1,
            grade_ids: Vec::new(),
            level_ids: Vec::new(),
            major_ids: Vec::new(),
            topic_from: None,
            topic_to: None,
            proposal_due: None,
            draft_due: None,
            final_due: NaiveDate::from_ymd_opt(2026, 4, 20),
            similarity_due: None,
            review_due: None,
            defense_from: None,
            defense_to: None,
            topic_mode: TopicMode::Both,
            select_mode: SelectMode::FirstCome,
            require_proposal: true,
            adviser_quota: 20,
            similarity_limit: 30.0,
            similarity_attempts: 2,
            defense_mode: DefenseMode::Onsite,
            min_reviewers: 1,
        }
    }
}

impl ThesisPlanForm {
    fn dates(&self) -> PlanDates {
        PlanDates {
            topic_from: self.topic_from,
            topic_to: self.topic_to,
            proposal_due: self.proposal_due,
            draft_due: self.draft_due,
            final_due: self.final_due,
            similarity_due: self.similarity_due,
            review_due: self.review_due,
            defense_from: self.defense_from,
            defense_to: self.defense_to,
        }
    }

    /// # Errors
    /// 422 for dates that are out of order, and a limit that is none.
    fn check(&self) -> Result<()> {
        let wrong = ordered(&self.dates());
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        if scores_rules::arith::in_tenths(self.similarity_limit, 1_000).is_none() {
            return Err(Error::field("similarityLimit", "应为0到100之间的数字，最多一位小数"));
        }
        Ok(())
    }
}

/// A plan, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisPlan {
    /// 编号
    pub id: i64,
    #[oai(flatten)]
    pub form: ThesisPlanForm,
    /// 学期名称
    pub semester_name: String,
    /// 学生论文数
    pub thesis_count: i64,
    /// 选题数
    pub topic_count: i64,
    /// 论文批次状态
    pub status: ThesisPlanStatus,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ThesisPlanFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 论文批次状态
    pub status: Option<ThesisPlanStatus>,
}

/// Where a plan is to go.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ThesisPlanStatusChange {
    /// 编号
    pub id: i64,
    /// 状态
    /// 启用或结束
    pub status: ThesisPlanStatus,
    /// 版本
    pub version: i32,
}

impl Example for ThesisPlanStatusChange {
    fn example() -> Self {
        Self { id: 1, status: ThesisPlanStatus::Active, version: 1 }
    }
}

impl Keyed for ThesisPlans {
    type Filter = ThesisPlanFilter;
    type Row = ThesisPlan;

    fn id(row: &ThesisPlan) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ThesisPlanFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select p.id, p.created_at, count(*) over () as "total!"
               from thesis_plan p
               where ($1::bigint is null or p.semester_id = $1)
                 and ($2::text is null or strpos(p.name, $2) > 0 or starts_with(p.initials, lower($2)))
                 and ($3::text is null or p.status = $3)
                 and ($4::bigint is null or p.id = $4)
                 and ($5::timestamptz is null or p.created_at <= $5)
               order by p.created_at desc, p.id
               limit $6 offset $7"#,
            filter.semester_id,
            filter.name,
            filter.status.map(ThesisPlanStatus::as_str),
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<ThesisPlan>> {
        let rows = sqlx::query!(
            r#"select p.id, p.code, p.name, p.semester_id, p.grade_ids, p.level_ids, p.major_ids, p.topic_from, p.topic_to,
                      p.proposal_due, p.draft_due, p.final_due, p.similarity_due, p.review_due, p.defense_from, p.defense_to,
                      p.topic_mode as "topic_mode: TopicMode", p.select_mode as "select_mode: SelectMode", p.require_proposal,
                      p.adviser_quota, p.similarity_limit::float8 as "similarity_limit!", p.similarity_attempts,
                      p.defense_mode as "defense_mode: DefenseMode", p.min_reviewers,
                      p.status as "status: ThesisPlanStatus", p.created_at, p.version, e.name as semester_name,
                      (select count(*) from thesis t join student y on y.id = t.student_id
                       where t.plan_id = p.id and t.status <> 'cancelled'
                         and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "theses!",
                      (select count(*) from thesis_topic t where t.plan_id = p.id) as "topics!"
               from thesis_plan p join semester e on e.id = p.semester_id
               where p.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| ThesisPlan {
                id: row.id,
                form: ThesisPlanForm {
                    code: row.code,
                    name: row.name,
                    semester_id: row.semester_id,
                    grade_ids: row.grade_ids,
                    level_ids: row.level_ids,
                    major_ids: row.major_ids,
                    topic_from: row.topic_from,
                    topic_to: row.topic_to,
                    proposal_due: row.proposal_due,
                    draft_due: row.draft_due,
                    final_due: row.final_due,
                    similarity_due: row.similarity_due,
                    review_due: row.review_due,
                    defense_from: row.defense_from,
                    defense_to: row.defense_to,
                    topic_mode: row.topic_mode,
                    select_mode: row.select_mode,
                    require_proposal: row.require_proposal,
                    adviser_quota: row.adviser_quota,
                    similarity_limit: row.similarity_limit,
                    similarity_attempts: row.similarity_attempts,
                    defense_mode: row.defense_mode,
                    min_reviewers: row.min_reviewers,
                },
                semester_name: row.semester_name,
                thesis_count: row.theses,
                topic_count: row.topics,
                status: row.status,
                created_at: row.created_at,
                version: row.version,
            })
            .collect())
    }
}

fn day(day: Option<NaiveDate>) -> Cell {
    Cell::date(day)
}

impl Export for ThesisPlans {
    type Filter = ThesisPlanFilter;
    type Row = ThesisPlan;
    const KIND: &'static str = "thesis_plan.export";
    type Permission = ExportPlans;
    const TITLE: &'static str = "论文批次";
    const COLUMNS: &'static [Column<ThesisPlan>] = &[
        Column { heading: "编码", width: 14, cell: |row| Cell::Text(row.form.code.clone()) },
        Column { heading: "名称", width: 28, cell: |row| Cell::Text(row.form.name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "选题开始", width: 12, cell: |row| day(row.form.topic_from) },
        Column { heading: "选题截止", width: 12, cell: |row| day(row.form.topic_to) },
        Column { heading: "开题截止", width: 12, cell: |row| day(row.form.proposal_due) },
        Column { heading: "初稿截止", width: 12, cell: |row| day(row.form.draft_due) },
        Column { heading: "终稿截止", width: 12, cell: |row| day(row.form.final_due) },
        Column { heading: "答辩开始", width: 12, cell: |row| day(row.form.defense_from) },
        Column { heading: "答辩结束", width: 12, cell: |row| day(row.form.defense_to) },
        Column { heading: "学生论文数", width: 10, cell: |row| Cell::Int(row.thesis_count) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ThesisPlanFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ThesisPlan>> {
        Self::all(connection, filter, scope).await
    }
}

pub struct Plans;

#[OpenApi(prefix_path = "/adult/pc/thesis/plan", tag = "crate::Tag::Thesis")]
impl Plans {
    /// 论文批次列表
    #[oai(path = "/list", method = "post", operation_id = "listThesisPlans")]
    async fn list(
        &self,
        caller: Allowed<ListPlans>,
        Body(asked): Body<Paged<ThesisPlanFilter>>,
    ) -> Result<Reply<Page<ThesisPlan>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <ThesisPlans as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看论文批次
    #[oai(path = "/view", method = "get", operation_id = "viewThesisPlan")]
    async fn view(
        &self,
        caller: Allowed<ViewPlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ThesisPlan>> {
        let mut tx = caller.read().await?;
        Ok(reply(ThesisPlans::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出论文批次
    #[oai(path = "/export", method = "post", operation_id = "exportThesisPlans")]
    async fn export(
        &self,
        caller: Allowed<ExportPlans>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ThesisPlanFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ThesisPlans>(&caller, asked.filter, job.0).await
    }

    /// 新增论文批次
    #[oai(path = "/save", method = "post", operation_id = "saveThesisPlan")]
    async fn save(&self, caller: Allowed<SavePlan>, Body(form): Body<ThesisPlanForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑论文批次
    #[oai(path = "/edit", method = "put", operation_id = "editThesisPlan")]
    async fn edit(&self, caller: Allowed<EditPlan>, Body(edit): Body<Edit<ThesisPlanForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除论文批次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteThesisPlan")]
    async fn delete(
        &self,
        caller: Allowed<DeletePlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除论文批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteThesisPlans")]
    async fn delete_many(&self, caller: Allowed<DeletePlans>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "thesis_plan");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用论文批次
    #[oai(path = "/update/status", method = "put", operation_id = "changeThesisPlanStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePlanStatus>,
        Body(wanted): Body<ThesisPlanStatusChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = turn(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// The operations on plans.
pub(crate) fn api() -> impl OpenApi {
    Plans
}

/// What a broken constraint says of a plan.
fn told(constraint: &str, form: &ThesisPlanForm) -> Option<Error> {
    match constraint {
        "thesis_plan_code_taken" => Some(code_taken(&form.code)),
        "thesis_plan_name_taken" => Some(name_taken(&form.name)),
        "thesis_plan_of_semester" => Some(Error::field("semesterId", "学期不存在")),
        _ => None,
    }
}

async fn insert(tx: &mut Tx, form: ThesisPlanForm) -> Result<(i64, Change)> {
    form.check()?;
    let form = ThesisPlanForm { name: tidy(&form.name), ..form };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into thesis_plan (code, name, initials, semester_id, grade_ids, level_ids, major_ids, topic_from, topic_to,
             proposal_due, draft_due, final_due, similarity_due, review_due, defense_from, defense_to, topic_mode, select_mode,
             require_proposal, adviser_quota, similarity_limit, similarity_attempts, defense_mode, min_reviewers, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21::float8::numeric,
                 $22, $23, $24, $25, $25)
         returning id",
        form.code,
        form.name,
        pinyin::initials(&form.name),
        form.semester_id,
        &form.grade_ids,
        &form.level_ids,
        &form.major_ids,
        form.topic_from,
        form.topic_to,
        form.proposal_due,
        form.draft_due,
        form.final_due,
        form.similarity_due,
        form.review_due,
        form.defense_from,
        form.defense_to,
        form.topic_mode.as_str(),
        form.select_mode.as_str(),
        form.require_proposal,
        form.adviser_quota,
        form.similarity_limit,
        form.similarity_attempts,
        form.defense_mode.as_str(),
        form.min_reviewers,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| told(constraint, &form))?;
    Ok((id, Change::created("thesis_plan", id, &form)))
}

/// # Errors
/// 404; 409 for a plan that is over, or changed since; 422 for what is wrong, and for another semester once there are theses.
async fn update(tx: &mut Tx, edit: Edit<ThesisPlanForm>, scope: &Scope) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("thesis_plan", id).await?;
    let before = ThesisPlans::find(tx, id, scope).await?;
    if before.version != version {
        return Err(tx.stale("thesis_plan", id).await);
    }
    if before.status == ThesisPlanStatus::Closed {
        return Err(Error::conflict("论文批次已结束，不能修改"));
    }
    form.check()?;
    let form = ThesisPlanForm { name: tidy(&form.name), ..form };
    let begun = sqlx::query_scalar!(
        r#"select exists (select from thesis where plan_id = $1 and status <> 'cancelled') as "begun!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if begun && before.form.semester_id != form.semester_id {
        return Err(Error::field("semesterId", "已有学生论文，不能修改学期"));
    }
    let by = tx.by();
    sqlx::query!(
        "update thesis_plan
         set code = $2, name = $3, initials = $4, semester_id = $5, grade_ids = $6, level_ids = $7, major_ids = $8, topic_from = $9,
             topic_to = $10, proposal_due = $11, draft_due = $12, final_due = $13, similarity_due = $14, review_due = $15,
             defense_from = $16, defense_to = $17, topic_mode = $18, select_mode = $19, require_proposal = $20, adviser_quota = $21,
             similarity_limit = $22::float8::numeric, similarity_attempts = $23, defense_mode = $24, min_reviewers = $25,
             updated_at = now(), updated_by = $26, version = version + 1
         where id = $1",
        id,
        form.code,
        form.name,
        pinyin::initials(&form.name),
        form.semester_id,
        &form.grade_ids,
        &form.level_ids,
        &form.major_ids,
        form.topic_from,
        form.topic_to,
        form.proposal_due,
        form.draft_due,
        form.final_due,
        form.similarity_due,
        form.review_due,
        form.defense_from,
        form.defense_to,
        form.topic_mode.as_str(),
        form.select_mode.as_str(),
        form.require_proposal,
        form.adviser_quota,
        form.similarity_limit,
        form.similarity_attempts,
        form.defense_mode.as_str(),
        form.min_reviewers,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| told(constraint, &form))?;
    Ok(Change::edited("thesis_plan", id, &before.form, &form))
}

/// # Errors
/// 409 for a plan that began, or is referred to.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("thesis_plan", id).await?;
    let before = ThesisPlans::find(tx, id, scope).await?;
    if before.status != ThesisPlanStatus::Draft {
        return Err(Error::conflict(format!("论文批次{}，只有草稿可以删除", before.status.zh())));
    }
    tx.remove("thesis_plan", id, &before.form.name).await?;
    Ok(Change::deleted("thesis_plan", id, &before.form))
}

/// # Errors
/// 409 from a status that does not lead there.
async fn turn(tx: &mut Tx, wanted: &ThesisPlanStatusChange, scope: &Scope) -> Result<Change> {
    tx.lock("thesis_plan", wanted.id).await?;
    let before = ThesisPlans::find(tx, wanted.id, scope).await?;
    if before.version != wanted.version {
        return Err(tx.stale("thesis_plan", wanted.id).await);
    }
    match (before.status, wanted.status) {
        (ThesisPlanStatus::Draft, ThesisPlanStatus::Active) | (ThesisPlanStatus::Active, ThesisPlanStatus::Closed) => {}
        (from, to) => {
            return Err(Error::conflict(format!("论文批次{}，不能改为{}", from.zh(), to.zh())));
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update thesis_plan set status = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.status.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("thesis_plan", wanted.id, "status", before.status.as_str(), wanted.status.as_str()))
}
