//! 毕业条件 and 学位条件 (part 04 §9.1): of each code the row that names more counts. The rows of the whole school are always there.

use graduation_rules::rules::{checked, label};
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, OnConstraint, Page,
    Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows as RowStream, export_job},
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use serde_json::Value;
use sqlx::PgConnection;

use crate::enums::{RulePurpose, RuleSeverity};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/graduatingBatch";
    InSchool    Reads       ListGraduationRules    = "adult:pc:graduate:rule:list" "毕业条件列表";
    InSchool    Reads       ViewGraduationRule     = "adult:pc:graduate:rule:view" "查看毕业条件";
    WholeSchool Writes      SaveGraduationRule     = "adult:pc:graduate:rule:save" "新增毕业条件";
    WholeSchool Writes      EditGraduationRule     = "adult:pc:graduate:rule:edit" "编辑毕业条件";
    WholeSchool Writes      DeleteGraduationRule   = "adult:pc:graduate:rule:delete" "删除毕业条件";
    WholeSchool Writes      DeleteGraduationRules  = "adult:pc:graduate:rule:batchDel" "批量删除毕业条件";
    WholeSchool Writes      SwitchGraduationRule   = "adult:pc:graduate:rule:update:status" "启用停用毕业条件";
    InSchool    ReadsLogged ExportGraduationRules  = "adult:pc:graduate:rule:export" "导出毕业条件";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "graduation_rule", name: "毕业条件", counted: "条毕业条件" }],
    jobs: &[export_job::<Rules>()],
    histories: &[History { table: "graduation_rule", code: "adult:pc:graduate:rule:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationRuleForm {
    /// 用途
    pub purpose: RulePurpose,
    /// 条件
    #[oai(validator(max_length = 40))]
    pub rule_code: String,
    /// 年级
    /// 不填时为全部，下同
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 参数
    pub params: Option<Any<Value>>,
    /// 强度
    pub severity: RuleSeverity,
    /// 可豁免
    /// 只用于毕业条件
    #[oai(default)]
    pub waivable: bool,
}

impl Example for GraduationRuleForm {
    fn example() -> Self {
        Self {
            purpose: RulePurpose::Graduation,
            rule_code: "fee".to_owned(),
            grade_id: Some(1),
            level_id: None,
            major_id: None,
            params: None,
            severity: RuleSeverity::Warn,
            waivable: true,
        }
    }
}

/// A rule, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationRule {
    /// 编号
    pub id: i64,
    /// 用途
    pub purpose: RulePurpose,
    /// 条件
    pub rule_code: String,
    /// 条件名称
    pub rule_name: String,
    /// 年级
    pub grade_id: Option<i64>,
    /// 年级名称
    pub grade_name: Option<String>,
    /// 层次
    pub level_id: Option<i64>,
    /// 层次名称
    pub level_name: Option<String>,
    /// 专业
    pub major_id: Option<i64>,
    /// 专业名称
    pub major_name: Option<String>,
    /// 参数
    pub params: Any<Value>,
    /// 强度
    pub severity: RuleSeverity,
    /// 可豁免
    pub waivable: bool,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationRuleFilter {
    /// 用途
    pub purpose: Option<RulePurpose>,
    /// 条件
    #[oai(validator(max_length = 40))]
    pub rule_code: Option<String>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
}

pub struct Rules;

#[OpenApi(prefix_path = "/adult/pc/graduate/rule", tag = "crate::Tag::Graduation")]
impl Rules {
    /// 毕业条件列表
    #[oai(path = "/list", method = "post", operation_id = "listGraduationRules")]
    async fn list(
        &self,
        caller: Allowed<ListGraduationRules>,
        Body(asked): Body<Paged<GraduationRuleFilter>>,
    ) -> Result<Reply<Page<GraduationRule>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看毕业条件
    #[oai(path = "/view", method = "get", operation_id = "viewGraduationRule")]
    async fn view(
        &self,
        caller: Allowed<ViewGraduationRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GraduationRule>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增毕业条件
    #[oai(path = "/save", method = "post", operation_id = "saveGraduationRule")]
    async fn save(
        &self,
        caller: Allowed<SaveGraduationRule>,
        Body(form): Body<GraduationRuleForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let params = params_of(&form)?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into graduation_rule (purpose, rule_code, grade_id, level_id, major_id, params, severity, waivable, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
            form.purpose.as_str(),
            form.rule_code,
            form.grade_id,
            form.level_id,
            form.major_id,
            params,
            form.severity.as_str(),
            form.waivable,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain)?;
        let after = Self::find(&mut tx, id, &Scope::whole_school()).await?;
        tx.commit(Change::created("graduation_rule", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑毕业条件
    #[oai(path = "/edit", method = "put", operation_id = "editGraduationRule")]
    async fn edit(
        &self,
        caller: Allowed<EditGraduationRule>,
        Body(edit): Body<Edit<GraduationRuleForm>>,
    ) -> Result<Reply<Saved>> {
        let Edit { id, version, form } = edit;
        let mut tx = caller.begin().await?;
        let before = Self::find(&mut tx, id, &caller.scope()).await?;
        if (before.purpose, before.rule_code.as_str()) != (form.purpose, form.rule_code.as_str()) {
            return Err(Error::field("ruleCode", "不能改为其他条件，请新增"));
        }
        let is_default = before.grade_id.is_none() && before.level_id.is_none() && before.major_id.is_none();
        if is_default && (form.grade_id.is_some() || form.level_id.is_some() || form.major_id.is_some()) {
            return Err(Error::field("gradeId", "全校默认条件不能改为部分适用，请新增"));
        }
        let params = params_of(&form)?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update graduation_rule set grade_id = $3, level_id = $4, major_id = $5, params = $6, severity = $7, waivable = $8,
                    updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
            id,
            version,
            form.grade_id,
            form.level_id,
            form.major_id,
            params,
            form.severity.as_str(),
            form.waivable,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("graduation_rule", id).await);
        }
        let after = Self::find(&mut tx, id, &caller.scope()).await?;
        tx.commit(Change::edited("graduation_rule", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除毕业条件
    /// 全校默认条件不能删除，可以停用
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGraduationRule")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGraduationRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除毕业条件
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteGraduationRules")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteGraduationRules>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "graduation_rule", "rule_code");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用毕业条件
    #[oai(path = "/update/status", method = "put", operation_id = "changeGraduationRuleStatus")]
    async fn change_status(
        &self,
        caller: Allowed<SwitchGraduationRule>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("graduation_rule", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出毕业条件
    #[oai(path = "/export", method = "post", operation_id = "exportGraduationRules")]
    async fn export(
        &self,
        caller: Allowed<ExportGraduationRules>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GraduationRuleFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// # Errors
/// 422 at the code or its parameters.
fn params_of(form: &GraduationRuleForm) -> Result<Value> {
    if label(form.purpose, &form.rule_code).is_none() {
        return Err(Error::field("ruleCode", "没有这个条件，请重新选择"));
    }
    // Nothing waives a condition of a degree.
    if form.purpose == RulePurpose::Degree && form.waivable {
        return Err(Error::field("waivable", "学位条件不能豁免"));
    }
    let given = form.params.as_ref().map_or(Value::Null, |params| params.0.clone());
    checked(form.purpose, &form.rule_code, &given).map_err(|why| Error::field("params", why))
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "graduation_rule_scope_taken" => Some(Error::field("ruleCode", "该适用范围已有此条件，请编辑原有条件")),
        "graduation_rule_of_grade" => Some(Error::field("gradeId", "所选年级不存在，请重新选择")),
        "graduation_rule_of_level" => Some(Error::field("levelId", "所选层次不存在，请重新选择")),
        "graduation_rule_of_major" => Some(Error::field("majorId", "所选专业不存在，请重新选择")),
        _ => None,
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Rules::find(tx, id, &Scope::whole_school()).await?;
    if before.grade_id.is_none() && before.level_id.is_none() && before.major_id.is_none() {
        return Err(Error::conflict("全校默认条件不能删除，可以停用"));
    }
    tx.remove("graduation_rule", id, &before.rule_name).await?;
    Ok(Change::deleted("graduation_rule", id, &before))
}

impl Keyed for Rules {
    type Filter = GraduationRuleFilter;
    type Row = GraduationRule;

    fn id(row: &GraduationRule) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &GraduationRuleFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!" from graduation_rule r
               where ($1::text is null or r.purpose = $1) and ($2::text is null or r.rule_code = $2)
                 and ($3::bigint is null or r.grade_id = $3) and ($4::bigint is null or r.level_id = $4)
                 and ($5::bigint is null or r.major_id = $5) and ($6::boolean is null or r.enabled = $6)
                 and ($7::bigint is null or r.id = $7) and ($8::timestamptz is null or r.created_at <= $8)
               order by case when $8::timestamptz is null then r.purpose end desc,
                        case when $8::timestamptz is null then (select min(d.id) from graduation_rule d
                            where d.purpose = r.purpose and d.rule_code = r.rule_code) end, r.created_at desc, r.id
               limit $9 offset $10"#,
            filter.purpose.map(RulePurpose::as_str),
            filter.rule_code,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<GraduationRule>> {
        let rows = sqlx::query!(
            r#"select r.id as "id!", r.purpose as "purpose!: RulePurpose", r.rule_code as "rule_code!", r.grade_id as "grade_id?",
                      g.name as "grade_name?", r.level_id as "level_id?", l.name as "level_name?", r.major_id as "major_id?",
                      m.name as "major_name?", r.params as "params!", r.severity as "severity!: RuleSeverity",
                      r.waivable as "waivable!", r.enabled as "enabled!", r.version as "version!"
               from graduation_rule r
               left join grade g on g.id = r.grade_id
               left join level l on l.id = r.level_id
               left join major m on m.id = r.major_id
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        let rule = rows.into_iter().map(|row| GraduationRule {
            id: row.id,
            purpose: row.purpose,
            rule_name: label(row.purpose, &row.rule_code).unwrap_or_default().to_owned(),
            rule_code: row.rule_code,
            grade_id: row.grade_id,
            grade_name: row.grade_name,
            level_id: row.level_id,
            level_name: row.level_name,
            major_id: row.major_id,
            major_name: row.major_name,
            params: Any(row.params),
            severity: row.severity,
            waivable: row.waivable,
            enabled: row.enabled,
            version: row.version,
        });
        Ok(rule.collect())
    }
}

impl Export for Rules {
    type Filter = GraduationRuleFilter;
    type Row = GraduationRule;
    const KIND: &'static str = "graduation_rule.export";
    type Permission = ExportGraduationRules;
    const TITLE: &'static str = "毕业条件";
    const COLUMNS: &'static [Column<GraduationRule>] = &[
        Column { heading: "用途", width: 8, cell: |row| Cell::Text(row.purpose.zh().to_owned()) },
        Column { heading: "条件", width: 24, cell: |row| Cell::Text(row.rule_name.clone()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::text(row.grade_name.clone()) },
        Column { heading: "层次", width: 12, cell: |row| Cell::text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::text(row.major_name.clone()) },
        Column { heading: "参数", width: 40, cell: |row| Cell::Text(row.params.0.to_string()) },
        Column { heading: "强度", width: 8, cell: |row| Cell::Text(row.severity.zh().to_owned()) },
        Column { heading: "可豁免", width: 8, cell: |row| Cell::Bool(row.waivable) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GraduationRuleFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, GraduationRule>> {
        Self::all(connection, filter, scope).await
    }
}
