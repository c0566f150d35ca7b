//! 选课规则: of a semester, perhaps of a grade, a major or a term in it: when students select, until when they leave, and how many
//! credits (part 03 B2). The most specific rule counts ([`course_selection::opening::rule_of`]).

pub use course_opening_rules::rule::SelectionRuleForm;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Paged, Part, Reply,
    Result, Saved, Scope, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    naming::{switched_off, tenths},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use crate::{of_whole_school, open_semester};

permissions! {
    pages "/schoolPC/educational/selection/courseCredit", "/platformPC/educational/selection/courseCredit";
    EachSchool Reads       ListSelectionRules   = "adult:pc:selectionRule:list" "选课规则列表";
    EachSchool Reads       ViewSelectionRule    = "adult:pc:selectionRule:view" "查看选课规则";
    EachSchool Writes      SaveSelectionRule    = "adult:pc:selectionRule:save" "新增选课规则";
    EachSchool Writes      EditSelectionRule    = "adult:pc:selectionRule:edit" "编辑选课规则";
    EachSchool Writes      DeleteSelectionRule  = "adult:pc:selectionRule:delete" "删除选课规则";
    EachSchool Writes      DeleteSelectionRules = "adult:pc:selectionRule:batchDel" "批量删除选课规则";
    EachSchool ReadsLogged ExportSelectionRules = "adult:pc:selectionRule:export" "导出选课规则";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "selection_rule", name: "选课规则", counted: "条选课规则" }],
    jobs: &[export_job::<SelectionRules>()],
    histories: &[History { table: "selection_rule", code: "adult:pc:selectionRule:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// A rule, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionRule {
    /// 编号
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 年级编号
    pub grade_id: Option<i64>,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业编号
    pub major_id: Option<i64>,
    /// 专业
    pub major_name: Option<String>,
    /// 学期序
    pub term_no: Option<i32>,
    /// 学分下限
    pub min_credits: f64,
    /// 学分上限
    pub max_credits: f64,
    /// 选课开始时间
    pub select_starts_at: Moment,
    /// 选课结束时间
    pub select_ends_at: Moment,
    /// 退选截止时间
    pub drop_ends_at: Moment,
    /// 须审核
    pub need_audit: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionRuleFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
}

pub struct SelectionRules;

#[OpenApi(prefix_path = "/adult/pc/selectionRule", tag = "crate::Tag::CourseOpening")]
impl SelectionRules {
    /// 选课规则列表
    #[oai(path = "/list", method = "post", operation_id = "listSelectionRules")]
    async fn list(
        &self,
        caller: Allowed<ListSelectionRules>,
        Body(asked): Body<Paged<SelectionRuleFilter>>,
    ) -> Result<Reply<SchoolPage<SelectionRule>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看选课规则
    #[oai(path = "/view", method = "get", operation_id = "viewSelectionRule")]
    async fn view(
        &self,
        caller: Allowed<ViewSelectionRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SelectionRule>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增选课规则
    #[oai(path = "/save", method = "post", operation_id = "saveSelectionRule")]
    async fn save(
        &self,
        caller: Allowed<SaveSelectionRule>,
        Body(form): Body<SelectionRuleForm>,
    ) -> Result<Reply<Saved>> {
        of_whole_school(&caller.scope())?;
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑选课规则
    #[oai(path = "/edit", method = "put", operation_id = "editSelectionRule")]
    async fn edit(
        &self,
        caller: Allowed<EditSelectionRule>,
        Body(edit): Body<Edit<SelectionRuleForm>>,
    ) -> Result<Reply<Saved>> {
        of_whole_school(&caller.scope())?;
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除选课规则
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSelectionRule")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSelectionRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        of_whole_school(&caller.scope())?;
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除选课规则
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSelectionRules")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteSelectionRules>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        of_whole_school(&caller.scope())?;
        let table = "(select r.id, e.name from selection_rule r join semester e on e.id = r.semester_id) rule";
        let mut bulk = Bulk::named(caller.begin().await?, table, "name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出选课规则
    #[oai(path = "/export", method = "post", operation_id = "exportSelectionRules")]
    async fn export(
        &self,
        caller: Allowed<ExportSelectionRules>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SelectionRuleFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Keyed for SelectionRules {
    type Filter = SelectionRuleFilter;
    type Row = SelectionRule;

    fn id(row: &SelectionRule) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &SelectionRuleFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.semester_text.as_deref(),
            filter.grade_text.as_deref(),
            filter.major_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!"
               from selection_rule r join semester e on e.id = r.semester_id
               where ($1::bigint is null or r.semester_id = $1)
                 and ($2::bigint is null or r.grade_id = $2)
                 and ($3::bigint is null or r.major_id = $3)
                 and ($4::bigint is null or r.id = $4)
                 and ($5::timestamptz is null or r.created_at <= $5)
                 and (($6::text[])[1] is null or r.semester_id = any(array(
                          select y.id from semester y where strpos(lower(y.code), ($6::text[])[1]) > 0 or strpos(lower(y.name), ($6::text[])[1]) > 0)))
                 and (($6::text[])[2] is null or r.grade_id = any(array(
                          select y.id from grade y where strpos(lower(y.code), ($6::text[])[2]) > 0 or strpos(lower(y.name), ($6::text[])[2]) > 0)))
                 and (($6::text[])[3] is null or r.major_id = any(array(
                          select y.id from major y where strpos(lower(y.code), ($6::text[])[3]) > 0 or strpos(lower(y.name), ($6::text[])[3]) > 0)))
               order by case when $5::timestamptz is null then e.code end desc, r.created_at desc, r.id
               limit $7 offset $8"#,
            filter.semester_id,
            filter.grade_id,
            filter.major_id,
            wanted.id,
            wanted.newest_until,
            texts.as_deref() as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<SelectionRule>> {
        sqlx::query_as!(
            SelectionRule,
            r#"select r.id as "id!", r.semester_id as "semester_id!", e.name as "semester_name!", r.grade_id,
                      g.name as "grade_name?", r.major_id, m.name as "major_name?", r.term_no,
                      r.min_credits::float8 as "min_credits!", r.max_credits::float8 as "max_credits!",
                      r.select_starts_at as "select_starts_at!", r.select_ends_at as "select_ends_at!",
                      r.drop_ends_at as "drop_ends_at!", r.need_audit as "need_audit!",
                      r.created_at as "created_at!", r.version as "version!"
               from selection_rule r
               join semester e on e.id = r.semester_id
               left join grade g on g.id = r.grade_id
               left join major m on m.id = r.major_id
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for SelectionRules {
    type Filter = SelectionRuleFilter;
    type Row = SelectionRule;
    const KIND: &'static str = "selection_rule.export";
    type Permission = ExportSelectionRules;
    const TITLE: &'static str = "选课规则";
    const COLUMNS: &'static [Column<SelectionRule>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::text(row.grade_name.as_deref()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::text(row.major_name.as_deref()) },
        Column {
            heading: "学期序", width: 8, cell: |row| row.term_no.map_or(Cell::Empty, |no| Cell::Int(no.into()))
        },
        Column { heading: "学分下限", width: 10, cell: |row| tenths(row.min_credits) },
        Column { heading: "学分上限", width: 10, cell: |row| tenths(row.max_credits) },
        Column { heading: "选课开始时间", width: 20, cell: |row| Cell::time(Some(row.select_starts_at)) },
        Column { heading: "选课结束时间", width: 20, cell: |row| Cell::time(Some(row.select_ends_at)) },
        Column { heading: "退选截止时间", width: 20, cell: |row| Cell::time(Some(row.drop_ends_at)) },
        Column { heading: "须审核", width: 8, cell: |row| Cell::Bool(row.need_audit) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SelectionRuleFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SelectionRule>> {
        Self::all(connection, filter, scope).await
    }
}

/// # Errors
/// 422 at what does not exist, or was switched off and is not the rule's already.
async fn references(tx: &mut Tx, form: &SelectionRuleForm, before: Option<&SelectionRule>) -> Result<()> {
    if let Some(id) = form.grade_id {
        let grade = sqlx::query!("select name, enabled from grade where id = $1", id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
        if !grade.enabled && before.is_none_or(|before| before.grade_id != Some(id)) {
            return Err(switched_off("gradeId", &grade.name));
        }
    }
    if let Some(id) = form.major_id {
        let major = sqlx::query!("select name, enabled from major where id = $1", id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
        if !major.enabled && before.is_none_or(|before| before.major_id != Some(id)) {
            return Err(switched_off("majorId", &major.name));
        }
    }
    Ok(())
}

async fn insert(tx: &mut Tx, form: &SelectionRuleForm) -> Result<(i64, Change)> {
    form.check()?;
    open_semester(tx, form.semester_id, "semesterId").await?;
    references(tx, form, None).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into selection_rule (semester_id, grade_id, major_id, term_no, min_credits, max_credits, select_starts_at,
             select_ends_at, drop_ends_at, need_audit, created_by, updated_by)
         values ($1, $2, $3, $4, $5::float8::numeric, $6::float8::numeric, $7, $8, $9, $10, $11, $11) returning id",
        form.semester_id,
        form.grade_id,
        form.major_id,
        form.term_no,
        form.min_credits,
        form.max_credits,
        form.select_starts_at as _,
        form.select_ends_at as _,
        form.drop_ends_at as _,
        form.need_audit,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("selection_rule", id, form)))
}

/// # Errors
/// 404 for none; 409 when its semester is closed, or somebody else edited meanwhile.
async fn update(tx: &mut Tx, edit: &Edit<SelectionRuleForm>) -> Result<Change> {
    let form = &edit.form;
    form.check()?;
    tx.lock("selection_rule", edit.id).await?;
    let before = SelectionRules::find(tx, edit.id, &Scope::whole_school()).await?;
    open_semester(tx, before.semester_id, "semesterId").await?;
    open_semester(tx, form.semester_id, "semesterId").await?;
    references(tx, form, Some(&before)).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update selection_rule set semester_id = $3, grade_id = $4, major_id = $5, term_no = $6,
                min_credits = $7::float8::numeric, max_credits = $8::float8::numeric, select_starts_at = $9,
                select_ends_at = $10, drop_ends_at = $11, need_audit = $12, updated_at = now(), updated_by = $13,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.semester_id,
        form.grade_id,
        form.major_id,
        form.term_no,
        form.min_credits,
        form.max_credits,
        form.select_starts_at as _,
        form.select_ends_at as _,
        form.drop_ends_at as _,
        form.need_audit,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("selection_rule", edit.id).await);
    }
    let after = SelectionRules::find(tx, edit.id, &Scope::whole_school()).await?;
    Ok(Change::edited("selection_rule", edit.id, &before, &after))
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("selection_rule", id).await?;
    let before = SelectionRules::find(tx, id, &Scope::whole_school()).await?;
    open_semester(tx, before.semester_id, "semesterId").await?;
    tx.remove("selection_rule", id, &before.semester_name).await?;
    Ok(Change::deleted("selection_rule", id, &before))
}

fn explain(constraint: &str) -> Option<Error> {
    (constraint == "selection_rule_taken").then(|| Error::field("semesterId", "该学期、年级、专业和学期序已有选课规则"))
}
