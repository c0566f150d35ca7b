//! 毕业生 of a batch: what the rules said of them, what the site thinks, what was decided (part 04 §9).

pub mod audit;
pub mod client;
pub mod print;
mod select;
pub mod steps;

use graduation_rules::{
    enums::RulePurpose,
    rules::{label, tenths},
};
use infra::{
    Allowed, App, Body, Entity, History, Page, Paged, Part, Reply, Result, Scope,
    across::{Keyed, Listed},
    clock::Moment,
    permissions, reply,
    sheet::{Cell, Column},
    steps::job,
    transfer::{self, Export, Exported, Rows as RowStream, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use crate::enums::RuleSeverity;

pub use select::{GraduationUser, GraduationUserFilter};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/studentList", "/schoolPC/graduate/graduatingStudents/graduatingBatch";
    InSchool Reads       ListGraduates    = "adult:pc:graduate:user:list" "毕业生列表";
    InSchool Reads       ViewGraduate     = "adult:pc:graduate:user:view" "查看毕业生";
    InSchool Writes      AddGraduates     = "adult:pc:graduate:user:add" "添加毕业生";
    InSchool Writes      AuditGraduates   = "adult:pc:graduate:user:audit" "毕业审核";
    InSchool Writes      CheckGraduates   = "adult:pc:graduate:user:siteCheck" "站点初审";
    InSchool Writes      DecideGraduates  = "adult:pc:graduate:user:decide" "毕业终审";
    InSchool Writes      WaiveGraduate    = "adult:pc:graduate:user:waive" "豁免毕业条件";
    InSchool Writes      RemoveGraduates  = "adult:pc:graduate:user:remove" "移出毕业名单";
    InSchool Writes      RevokeGraduate   = "adult:pc:graduate:user:revoke" "撤销毕业";
    InSchool ReadsLogged ExportGraduates  = "adult:pc:graduate:user:export" "导出毕业生";
    InSchool ReadsLogged PrintGraduates   = "adult:pc:graduate:user:print" "打印毕业资格审核表";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "graduation_user", name: "毕业生", counted: "名毕业生" },
        Entity { table: "graduation_audit_item", name: "审核明细", counted: "条审核明细" },
    ],
    jobs: &[
        export_job::<Users>(),
        audit::JOB,
        job::<steps::CheckAll>(),
        job::<steps::DecideAll>(),
        job::<steps::RemoveAll>(),
    ],
    histories: &[History {
        table: "graduation_user",
        code: "adult:pc:graduate:user:view",
        scope: Some((
            "(select y.site_id from student y where y.id = graduation_user.student_id)",
            Some("(select y.class_id from student y where y.id = graduation_user.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// What a rule said of somebody.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AuditItem {
    /// 条件
    pub rule_code: String,
    /// 条件名称
    pub rule_name: String,
    /// 强度
    pub severity: RuleSeverity,
    /// 通过
    pub passed: bool,
    /// 要求
    pub required: String,
    /// 实际
    pub actual: String,
    /// 说明
    pub explanation: String,
    /// 未通过的课程
    /// 课程代码和名称；只有必修课程一项有
    pub courses: Vec<String>,
    /// 已豁免
    pub waived: bool,
    /// 豁免原因
    pub waive_reason: Option<String>,
    /// 豁免材料
    pub waive_file_url: Option<String>,
    /// 豁免人
    pub waived_by_name: Option<String>,
    /// 豁免时间
    pub waived_at: Option<Moment>,
}

/// Somebody of a batch, with each rule.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationUserView {
    #[oai(flatten)]
    pub row: GraduationUser,
    /// 站点意见说明
    pub site_remark: Option<String>,
    /// 初审人
    pub site_by_name: Option<String>,
    /// 初审时间
    pub site_at: Option<Moment>,
    /// 终审人
    pub decided_by_name: Option<String>,
    /// 终审时间
    pub decided_at: Option<Moment>,
    /// 移出原因
    pub remove_reason: Option<String>,
    /// 撤销原因
    pub revoke_reason: Option<String>,
    /// 撤销材料
    pub revoke_file_url: Option<String>,
    /// 审核明细
    pub items: Vec<AuditItem>,
}

pub struct Users;

#[OpenApi(prefix_path = "/adult/pc/graduate/user", tag = "crate::Tag::Graduation")]
impl Users {
    /// 毕业生列表
    #[oai(path = "/list", method = "post", operation_id = "listGraduates")]
    async fn list(
        &self,
        caller: Allowed<ListGraduates>,
        Body(asked): Body<Paged<GraduationUserFilter>>,
    ) -> Result<Reply<Page<GraduationUser>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看毕业生
    #[oai(path = "/view", method = "get", operation_id = "viewGraduate")]
    async fn view(
        &self,
        caller: Allowed<ViewGraduate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GraduationUserView>> {
        let mut tx = caller.read().await?;
        let row = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let more = sqlx::query!(
            "select site_remark, site_by_name, site_at, decided_by_name, decided_at, remove_reason, revoke_reason, revoke_file_id
             from graduation_user where id = $1",
            id.0
        )
        .fetch_one(&mut *tx)
        .await?;
        let revoke_file_url = address(caller.app(), &mut tx, more.revoke_file_id).await?;
        let items = items_of(caller.app(), &mut tx, Some(id.0), None).await?;
        Ok(reply(GraduationUserView {
            row,
            site_remark: more.site_remark,
            site_by_name: more.site_by_name,
            site_at: more.site_at,
            decided_by_name: more.decided_by_name,
            decided_at: more.decided_at,
            remove_reason: more.remove_reason,
            revoke_reason: more.revoke_reason,
            revoke_file_url,
            items,
        }))
    }

    /// 导出毕业生
    #[oai(path = "/export", method = "post", operation_id = "exportGraduates")]
    async fn export(
        &self,
        caller: Allowed<ExportGraduates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GraduationUserFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

async fn address(app: &App, connection: &mut PgConnection, file: Option<i64>) -> Result<Option<String>> {
    match file {
        Some(file) => Ok(infra::files::address(app, connection, file).await?.map(|(url, _)| url)),
        None => Ok(None),
    }
}

/// The items of a graduate or of an application, in the order of the rules.
///
/// # Errors
/// Those of the database and of the store.
pub(crate) async fn items_of(
    app: &App,
    connection: &mut PgConnection,
    user: Option<i64>,
    application: Option<i64>,
) -> Result<Vec<AuditItem>> {
    let rows = sqlx::query!(
        r#"select i.rule_code, i.severity as "severity: RuleSeverity", i.passed, i.required, i.actual, i.explanation,
                  array(select u.code || ' ' || u.name
                        from jsonb_array_elements_text(i.detail -> 'courseIds') as j (id) join course u on u.id = j.id::bigint
                        order by u.code) as "courses!",
                  i.waived, i.waive_reason, i.waive_file_id, i.waived_by_name, i.waived_at
           from graduation_audit_item i
           where graduation_user_id = $1 or degree_application_id = $2"#,
        user,
        application
    )
    .fetch_all(&mut *connection)
    .await?;
    let purpose = if user.is_some() { RulePurpose::Graduation } else { RulePurpose::Degree };
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let waive_file_url = address(app, connection, row.waive_file_id).await?;
        items.push(AuditItem {
            rule_name: label(purpose, &row.rule_code).unwrap_or_default().to_owned(),
            rule_code: row.rule_code,
            severity: row.severity,
            passed: row.passed,
            required: row.required,
            actual: row.actual,
            explanation: row.explanation,
            courses: row.courses,
            waived: row.waived,
            waive_reason: row.waive_reason,
            waive_file_url,
            waived_by_name: row.waived_by_name,
            waived_at: row.waived_at,
        });
    }
    // Labels begin with their numbers.
    items.sort_by(|one, other| one.rule_name.cmp(&other.rule_name));
    Ok(items)
}

fn decimal(number: Option<f64>) -> Cell {
    number.map_or(Cell::Empty, |number| Cell::Decimal(tenths(number), 1))
}

impl Export for Users {
    type Filter = GraduationUserFilter;
    type Row = GraduationUser;
    const KIND: &'static str = "graduation_user.export";
    type Permission = ExportGraduates;
    const TITLE: &'static str = "毕业生";
    const COLUMNS: &'static [Column<GraduationUser>] = &[
        Column { heading: "毕业批次", width: 24, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "学号", width: 16, cell: |row| Cell::text(row.student_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.clone()) },
        Column { heading: "教学站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "已获学分", width: 10, cell: |row| decimal(Some(row.earned_credits)) },
        Column { heading: "应修学分", width: 10, cell: |row| decimal(row.required_credits) },
        Column { heading: "不及格门数", width: 10, cell: |row| Cell::Int(row.failed_courses) },
        Column { heading: "加权平均", width: 10, cell: |row| decimal(row.average) },
        Column { heading: "论文", width: 8, cell: |row| decimal(row.thesis_total) },
        Column {
            heading: "缴费",
            width: 8,
            cell: |row| Cell::Text(if row.arrears { "欠费" } else { "无欠费" }.to_owned()),
        },
        Column {
            heading: "图像",
            width: 8,
            cell: |row| Cell::Text(if row.has_photo { "有" } else { "无" }.to_owned()),
        },
        Column { heading: "审核结果", width: 10, cell: |row| Cell::Text(row.audit_result.zh().to_owned()) },
        Column { heading: "未过条件", width: 30, cell: |row| Cell::Text(row.failed_rules.join("、")) },
        Column { heading: "站点意见", width: 10, cell: |row| Cell::Text(row.site_opinion.zh().to_owned()) },
        Column { heading: "结论", width: 10, cell: |row| Cell::Text(row.decision.zh().to_owned()) },
        Column { heading: "结论说明", width: 24, cell: |row| Cell::text(row.decision_reason.clone()) },
        Column { heading: "状态", width: 12, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GraduationUserFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, GraduationUser>> {
        Self::all(connection, filter, scope).await
    }
}
