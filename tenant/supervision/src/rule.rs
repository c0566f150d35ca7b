//! 督学规则: from which measure on somebody is flagged, and for whom (part 05 C2). One that is switched on for each kind and scope.

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, OnConstraint, Part, Reply, Result, Saved, Tx, clock::Moment,
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use supervision_rules::{
    enums::SuperviseKind,
    level::Thresholds,
    rule::{Rule, USUAL_GRACE, params_of, usual},
};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool    Reads  ListRules  = "adult:pc:supervise:list" "督学案例列表";
    WholeSchool Writes SaveRule   = "adult:pc:supervise:rule" "维护督学规则";
    WholeSchool Writes EditRule   = "adult:pc:supervise:rule" "维护督学规则";
    WholeSchool Writes DeleteRule = "adult:pc:supervise:rule" "维护督学规则";
    WholeSchool Writes ResetRules = "adult:pc:supervise:rule" "维护督学规则";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "supervise_rule", name: "督学规则", counted: "条督学规则" }],
    // Of the whole school: the trail names sites that a rule covers, or covered, beyond those of its reader.
    histories: &[History {
        table: "supervise_rule",
        code: "adult:pc:supervise:rule",
        scope: Some(("null::bigint", None)),
    }],
    ..Part::NONE
};

/// A parameter of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct SuperviseParam {
    /// 参数
    #[oai(validator(max_length = 30))]
    pub key: String,
    /// 值
    pub value: i64,
}

/// What a rule says. The scope is a key of the table, which holds so many numbers and no more.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseRuleForm {
    /// 预警类型
    pub kind: SuperviseKind,
    /// 适用年级
    /// 不选为全部
    #[oai(default, validator(max_items = 50))]
    pub grade_ids: Vec<i64>,
    /// 适用层次
    #[oai(default, validator(max_items = 20))]
    pub level_ids: Vec<i64>,
    /// 适用站点
    #[oai(default, validator(max_items = 200))]
    pub site_ids: Vec<i64>,
    /// 黄色阈值
    /// 不填时不用该级别
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub yellow: Option<i32>,
    /// 橙色阈值
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub orange: Option<i32>,
    /// 红色阈值
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub red: Option<i32>,
    /// 宽限周数
    /// 学期开始后的若干周内不预警
    #[oai(default = "grace", validator(minimum(value = "0"), maximum(value = "8")))]
    pub grace_weeks: i32,
    /// 参数
    #[oai(default, validator(max_items = 10))]
    pub params: Vec<SuperviseParam>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn grace() -> i32 {
    USUAL_GRACE
}

fn on() -> bool {
    true
}

impl Example for SuperviseRuleForm {
    fn example() -> Self {
        Self {
            kind: SuperviseKind::VideoLag,
            grade_ids: Vec::new(),
            level_ids: Vec::new(),
            site_ids: Vec::new(),
            yellow: Some(15),
            orange: Some(30),
            red: Some(50),
            grace_weeks: 3,
            params: vec![SuperviseParam { key: "clearBelow".to_owned(), value: 5 }],
            enabled: true,
        }
    }
}

/// A rule as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseRule {
    /// 编号
    pub id: i64,
    #[oai(flatten)]
    pub form: SuperviseRuleForm,
    /// 适用范围
    pub scope_name: String,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// What is put back to what every school begins with.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SuperviseRuleReset {
    /// 预警类型
    /// 不填时为全部
    pub kind: Option<SuperviseKind>,
}

impl Example for SuperviseRuleReset {
    fn example() -> Self {
        Self { kind: Some(SuperviseKind::VideoLag) }
    }
}

impl SuperviseRuleForm {
    fn thresholds(&self) -> Thresholds {
        Thresholds { yellow: self.yellow, orange: self.orange, red: self.red }
    }

    /// Numbers without repetition and in order, so that the same scope is one.
    fn tidied(mut self) -> Self {
        for ids in [&mut self.grade_ids, &mut self.level_ids, &mut self.site_ids] {
            ids.sort_unstable();
            ids.dedup();
        }
        self
    }

    /// # Errors
    /// 422 for thresholds that do not grow stricter, and for parameters that the kind does not have.
    fn check(&self) -> Result<()> {
        if self.kind == SuperviseKind::Manual {
            return Err(Error::field("kind", "人工关注没有规则"));
        }
        if !self.thresholds().grow(self.kind) {
            return Err(Error::field("yellow", "三级阈值须依次加严"));
        }
        for param in &self.params {
            let known = params_of(self.kind).iter().find(|(key, ..)| *key == param.key);
            let Some((_, words, _, (least, most))) = known else {
                return Err(Error::field("params", format!("该类型没有参数“{}”", param.key)));
            };
            if !(*least..=*most).contains(&param.value) {
                return Err(Error::field("params", format!("{words}应在{least}到{most}之间")));
            }
        }
        Ok(())
    }

    fn params(&self) -> Value {
        let all = params_of(self.kind).iter().map(|(key, _, usual, _)| {
            let told = self.params.iter().find(|param| param.key == *key).map_or(*usual, |param| param.value);
            ((*key).to_owned(), json!(told))
        });
        Value::Object(all.collect::<Map<String, Value>>())
    }
}

pub struct Rules;

#[OpenApi(prefix_path = "/adult/pc/supervise/rule", tag = "crate::Tag::Supervision")]
impl Rules {
    /// 督学规则列表
    #[oai(path = "/list", method = "get", operation_id = "listSuperviseRules")]
    async fn list(&self, caller: Allowed<ListRules>) -> Result<Reply<Vec<SuperviseRule>>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        Ok(reply(select(&mut tx, None, scope.sites()).await?))
    }

    /// 新增督学规则
    #[oai(path = "/save", method = "post", operation_id = "saveSuperviseRule")]
    async fn save(&self, caller: Allowed<SaveRule>, Body(form): Body<SuperviseRuleForm>) -> Result<Reply<Saved>> {
        let form = form.tidied();
        form.check()?;
        let mut tx = caller.begin().await?;
        known(&mut tx, &form).await?;
        let id = insert(&mut tx, &form).await?;
        tx.commit(Change::created("supervise_rule", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑督学规则
    #[oai(path = "/edit", method = "put", operation_id = "editSuperviseRule")]
    async fn edit(&self, caller: Allowed<EditRule>, Body(edit): Body<Edit<SuperviseRuleForm>>) -> Result<Reply<Saved>> {
        let form = edit.form.tidied();
        form.check()?;
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        if before.form.kind != form.kind {
            return Err(Error::field("kind", "预警类型不能修改，请新增规则"));
        }
        known(&mut tx, &form).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update supervise_rule
             set grade_ids = $3, level_ids = $4, site_ids = $5, params = $6, yellow = $7, orange = $8, red = $9, grace_weeks = $10,
                 enabled = $11, updated_at = now(), updated_by = $12, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            &form.grade_ids,
            &form.level_ids,
            &form.site_ids,
            form.params(),
            form.yellow,
            form.orange,
            form.red,
            form.grace_weeks,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(refused)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("supervise_rule", edit.id).await);
        }
        tx.commit(Change::edited("supervise_rule", edit.id, &before.form, &form)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除督学规则
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSuperviseRule")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        tx.remove("supervise_rule", id.0, before.form.kind.zh()).await?;
        tx.commit(Change::deleted("supervise_rule", id.0, &before.form)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 恢复默认督学规则
    /// 删除该类型的全部规则，换回初始规则
    #[oai(path = "/reset", method = "post", operation_id = "resetSuperviseRules")]
    async fn reset(
        &self,
        caller: Allowed<ResetRules>,
        Body(wanted): Body<SuperviseRuleReset>,
    ) -> Result<Reply<Vec<SuperviseRule>>> {
        let mut tx = caller.begin().await?;
        let kinds: Vec<SuperviseKind> = SuperviseKind::CHOICES
            .iter()
            .map(|(_, kind)| *kind)
            .filter(|kind| *kind != SuperviseKind::Manual && wanted.kind.is_none_or(|one| one == *kind))
            .collect();
        if kinds.is_empty() {
            return Err(Error::field("kind", "人工关注没有规则"));
        }
        let mut changes = Vec::new();
        for rule in select(&mut tx, None, None).await?.into_iter().filter(|rule| kinds.contains(&rule.form.kind)) {
            tx.remove("supervise_rule", rule.id, rule.form.kind.zh()).await?;
            changes.push(Change::deleted("supervise_rule", rule.id, &rule.form));
        }
        for kind in kinds {
            let Thresholds { yellow, orange, red } = usual(kind);
            let form =
                SuperviseRuleForm { kind, yellow, orange, red, params: Vec::new(), ..SuperviseRuleForm::example() };
            let id = insert(&mut tx, &form).await?;
            changes.push(Change::created("supervise_rule", id, &form));
        }
        let rules = select(&mut tx, None, None).await?;
        tx.commit_all(changes).await?;
        Ok(reply(rules))
    }
}

fn refused(constraint: &str) -> Option<Error> {
    (constraint == "supervise_rule_taken").then(|| Error::conflict("该类型在这个范围已有启用的规则"))
}

async fn insert(tx: &mut Tx, form: &SuperviseRuleForm) -> Result<i64> {
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into supervise_rule (kind, grade_ids, level_ids, site_ids, params, yellow, orange, red, grace_weeks, enabled,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.kind.as_str(),
        &form.grade_ids,
        &form.level_ids,
        &form.site_ids,
        form.params(),
        form.yellow,
        form.orange,
        form.red,
        form.grace_weeks,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(refused)
}

/// # Errors
/// 422 for a grade, level or site that there is not.
async fn known(tx: &mut Tx, form: &SuperviseRuleForm) -> Result<()> {
    let unknown = sqlx::query!(
        r#"select exists (select from unnest($1::bigint[]) as w (id) where not exists (select from grade x where x.id = w.id)) as "grades!",
                  exists (select from unnest($2::bigint[]) as w (id) where not exists (select from level x where x.id = w.id)) as "levels!",
                  exists (select from unnest($3::bigint[]) as w (id) where not exists (select from site x where x.id = w.id)) as "sites!""#,
        &form.grade_ids,
        &form.level_ids,
        &form.site_ids
    )
    .fetch_one(&mut **tx)
    .await?;
    for (wrong, field) in [(unknown.grades, "gradeIds"), (unknown.levels, "levelIds"), (unknown.sites, "siteIds")] {
        if wrong {
            return Err(Error::field(field, "所选范围不存在，请重新选择"));
        }
    }
    Ok(())
}

/// Rules in the order of their kinds, those of the whole school first; of `sites`, whoever sees these alone is told of no others. A
/// scope of which nothing is left counts for nobody, and says so.
async fn select(connection: &mut PgConnection, only: Option<i64>, sites: Option<&[i64]>) -> Result<Vec<SuperviseRule>> {
    let rows = sqlx::query!(
        r#"select r.id, r.kind as "kind: SuperviseKind", r.grade_ids, r.level_ids, r.site_ids, r.params, r.yellow, r.orange, r.red,
                  r.grace_weeks, r.enabled, r.updated_at, r.version,
                  concat_ws('；',
                      case when r.grade_ids <> '{}' then coalesce(
                          (select string_agg(x.name, '、' order by x.code) from grade x where x.id = any(r.grade_ids)),
                          '（范围已删除）') end,
                      case when r.level_ids <> '{}' then coalesce(
                          (select string_agg(x.name, '、' order by x.code) from level x where x.id = any(r.level_ids)),
                          '（范围已删除）') end,
                      case when r.site_ids <> '{}' then coalesce(
                          (select string_agg(x.name, '、' order by x.code) from site x
                           where x.id = any(r.site_ids) and ($2::bigint[] is null or x.id = any($2))),
                          '（范围已删除）') end) as "scope_name!"
           from supervise_rule r
           where ($1::bigint is null or r.id = $1)
             and ($2::bigint[] is null or r.site_ids = '{}' or r.site_ids && $2)
           order by cardinality(r.grade_ids) + cardinality(r.level_ids) + cardinality(r.site_ids), r.id"#,
        only,
        sites
    )
    .fetch_all(connection)
    .await?;
    let mut rules: Vec<SuperviseRule> = rows
        .into_iter()
        .map(|row| {
            let params = params_of(row.kind).iter().map(|(key, _, usual, _)| SuperviseParam {
                key: (*key).to_owned(),
                value: row.params[*key].as_i64().unwrap_or(*usual),
            });
            let site_ids = row.site_ids.into_iter().filter(|id| sites.is_none_or(|sites| sites.contains(id))).collect();
            SuperviseRule {
                id: row.id,
                form: SuperviseRuleForm {
                    kind: row.kind,
                    params: params.collect(),
                    grade_ids: row.grade_ids,
                    level_ids: row.level_ids,
                    site_ids,
                    yellow: row.yellow,
                    orange: row.orange,
                    red: row.red,
                    grace_weeks: row.grace_weeks,
                    enabled: row.enabled,
                },
                scope_name: if row.scope_name.is_empty() { "全校".to_owned() } else { row.scope_name },
                updated_at: row.updated_at,
                version: row.version,
            }
        })
        .collect();
    rules.sort_by_key(|rule| SuperviseKind::CHOICES.iter().position(|(_, kind)| *kind == rule.form.kind));
    Ok(rules)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<SuperviseRule> {
    select(connection, Some(id), None).await?.pop().ok_or_else(Error::not_found)
}

/// The rules that are switched on.
///
/// # Errors
/// Those of the database.
pub(crate) async fn in_force(connection: &mut PgConnection) -> Result<Vec<Rule>> {
    let rows = sqlx::query!(
        r#"select id, kind as "kind: SuperviseKind", grade_ids, level_ids, site_ids, params, yellow, orange, red, grace_weeks
           from supervise_rule where enabled order by id"#
    )
    .fetch_all(connection)
    .await?;
    let rules = rows.into_iter().map(|row| Rule {
        id: row.id,
        kind: row.kind,
        grades: row.grade_ids,
        levels: row.level_ids,
        sites: row.site_ids,
        thresholds: Thresholds { yellow: row.yellow, orange: row.orange, red: row.red },
        grace_weeks: row.grace_weeks,
        params: row.params,
    });
    Ok(rules.collect())
}
