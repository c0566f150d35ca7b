//! How cases are read.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::classify;

use super::{ExportViolations, Violations};
use crate::{
    enums::{ExamMode, ViolationClause, ViolationLevel, ViolationPenalty, ViolationSource, ViolationStatus},
    evidence::{ExamEvidence, shown},
};

/// A case, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Violation {
    /// 编号
    pub id: i64,
    /// 考生编号
    pub candidate_id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 批次
    pub batch_name: String,
    /// 考试
    pub setup_name: String,
    /// 考试方式
    pub mode: ExamMode,
    /// 课程
    pub course_name: String,
    /// 违规性质
    pub level: ViolationLevel,
    /// 违规条款
    pub clause: ViolationClause,
    /// 情况说明
    pub description: String,
    /// 来源
    pub source: ViolationSource,
    /// 登记人
    pub reported_by_name: String,
    /// 状态
    pub status: ViolationStatus,
    /// 处理
    pub penalty: Option<ViolationPenalty>,
    /// 认定意见
    pub decision: Option<String>,
    /// 认定人
    pub decided_by_name: Option<String>,
    /// 认定时间
    pub decided_at: Option<Moment>,
    /// 撤销原因
    pub revoke_reason: Option<String>,
    /// 登记时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A case with its evidence.
#[derive(Debug, Clone, Object)]
pub struct ViolationView {
    #[oai(flatten)]
    pub violation: Violation,
    /// 证据
    pub files: Vec<ExamEvidence>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ViolationFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 批次
    /// 编码或名称包含；查看全部院校时代替批次编号
    #[oai(validator(max_length = 50))]
    pub batch_text: Option<String>,
    /// 考试
    pub setup_id: Option<i64>,
    /// 考试方式
    pub mode: Option<ExamMode>,
    /// 学生
    pub student_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 违规性质
    pub level: Option<ViolationLevel>,
    /// 违规条款
    pub clause: Option<ViolationClause>,
    /// 状态
    pub status: Option<ViolationStatus>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for Violations {
    type Filter = ViolationFilter;
    type Row = Violation;

    fn id(row: &Violation) -> i64 {
        row.id
    }

    fn states(filter: &ViolationFilter) -> Vec<(&'static str, ViolationFilter)> {
        let state =
            |status: ViolationStatus| (status.as_str(), ViolationFilter { status: Some(status), ..filter.clone() });
        ViolationStatus::CHOICES.iter().map(|(_, status)| state(*status)).collect()
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ViolationFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select v.id as "id!", v.created_at as "created_at!", count(*) over () as "total!"
               from exam_violation v
               join exam_candidate c on c.id = v.candidate_id
               join exam_setup s on s.id = c.setup_id
               join student y on y.id = c.student_id
               where ($1::bigint is null or v.id = $1)
                 and ($2::timestamptz is null or v.created_at <= $2)
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
                 and ($5::bigint is null or c.batch_id = $5)
                 and ($6::bigint is null or c.setup_id = $6)
                 and ($7::text is null or s.mode = $7)
                 and ($8::bigint is null or c.student_id = $8)
                 and ($9::bigint is null or y.site_id = $9)
                 and ($10::bigint is null or y.class_id = $10)
                 and ($11::text is null or v.level = $11)
                 and ($12::text is null or v.clause = $12)
                 and ($13::text is null or v.status = $13)
                 and ($14::text is null or y.id_card_no = $14)
                 and ($15::text is null or y.phone = $15)
                 and ($16::text is null or y.student_no like $16 or y.examinee_no like $16
                      or ($16 !~ '[0-9]' and y.initials like lower(rtrim($16, '%')) || '%'))
                 and ($17::text[] is null or y.name_grams @> $17)
                 and ($20::text is null or c.batch_id = any(array(
                          select x.id from test_batch x where strpos(lower(x.code), $20) > 0 or strpos(lower(x.name), $20) > 0)))
               order by v.created_at desc, v.id
               limit $18 offset $19"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.setup_id,
            filter.mode.map(ExamMode::as_str),
            filter.student_id,
            filter.site_id,
            filter.class_id,
            filter.level.map(ViolationLevel::as_str),
            filter.clause.map(ViolationClause::as_str),
            filter.status.map(ViolationStatus::as_str),
            keyword.id_card_no.as_deref(),
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref(),
            wanted.limit,
            wanted.offset,
            infra::naming::sought_word(filter.batch_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Violation>> {
        sqlx::query_as!(
            Violation,
            r#"select v.id as "id!", v.candidate_id as "candidate_id!", c.student_id as "student_id!", y.student_no,
                      y.name as "name!", t.name as "site_name!", k.name as "class_name?", b.name as "batch_name!",
                      s.name as "setup_name!", s.mode as "mode!: _", u.name as "course_name!", v.level as "level!: _",
                      v.clause as "clause!: _", v.description as "description!", v.source as "source!: _",
                      v.reported_by_name as "reported_by_name!", v.status as "status!: _", v.penalty as "penalty: _", v.decision,
                      v.decided_by_name, v.decided_at, v.revoke_reason, v.created_at as "created_at!", v.version as "version!"
               from exam_violation v
               join exam_candidate c on c.id = v.candidate_id
               join exam_setup s on s.id = c.setup_id
               join test_batch b on b.id = c.batch_id
               join course u on u.id = c.course_id
               join student y on y.id = c.student_id
               join site t on t.id = y.site_id
               left join class k on k.id = y.class_id
               where v.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// With its evidence.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, violation: Violation) -> Result<ViolationView> {
    let ids = sqlx::query_scalar!(
        "select file_id from exam_violation_file where violation_id = $1 order by sort_no",
        violation.id
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(ViolationView { files: shown(app, connection, &ids).await?, violation })
}

impl Export for Violations {
    type Filter = ViolationFilter;
    type Row = Violation;
    const KIND: &'static str = "exam_violation.export";
    type Permission = ExportViolations;
    const TITLE: &'static str = "违规记录";
    const COLUMNS: &'static [Column<Violation>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.setup_name.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(row.level.zh().to_owned()) },
        Column { heading: "条款", width: 24, cell: |row| Cell::Text(row.clause.zh().to_owned()) },
        Column { heading: "情况说明", width: 40, cell: |row| Cell::Text(row.description.clone()) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "登记人", width: 12, cell: |row| Cell::Text(row.reported_by_name.clone()) },
        Column { heading: "登记时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "处理", width: 20, cell: |row| Cell::text(row.penalty.map(ViolationPenalty::zh)) },
        Column { heading: "认定人", width: 12, cell: |row| Cell::text(row.decided_by_name.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ViolationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Violation>> {
        Self::all(connection, filter, scope).await
    }
}
