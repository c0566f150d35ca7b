//! How applications are read.

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

use super::{Deferrals, ExportDeferrals};
use crate::{
    enums::{DeferralApplicant, DeferralReason, DeferralStatus, ExamMode},
    evidence::{ExamEvidence, shown},
};

/// An application, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Deferral {
    /// 编号
    pub id: i64,
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
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 课程编号
    pub course_id: i64,
    /// 课程
    pub course_name: String,
    /// 考试时间
    pub starts_at: Option<Moment>,
    /// 缓考原因
    pub reason_type: DeferralReason,
    /// 说明
    pub reason: String,
    /// 申请人
    pub applied_by: DeferralApplicant,
    /// 申请人姓名
    pub applied_by_name: String,
    /// 状态
    pub status: DeferralStatus,
    /// 审核人
    pub reviewed_by_name: Option<String>,
    /// 审核时间
    pub reviewed_at: Option<Moment>,
    /// 审核意见
    pub opinion: Option<String>,
    /// 申请时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// An application with what proves it.
#[derive(Debug, Clone, Object)]
pub struct DeferralView {
    #[oai(flatten)]
    pub deferral: Deferral,
    /// 证明材料
    pub files: Vec<ExamEvidence>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeferralFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 批次
    /// 编码或名称包含；查看全部院校时代替批次编号
    #[oai(validator(max_length = 50))]
    pub batch_text: Option<String>,
    /// 课程
    pub course_id: Option<i64>,
    /// 考试方式
    /// 还没有安排考试的以批次为准
    pub mode: Option<ExamMode>,
    /// 学生
    pub student_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 缓考原因
    pub reason_type: Option<DeferralReason>,
    /// 状态
    pub status: Option<DeferralStatus>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for Deferrals {
    type Filter = DeferralFilter;
    type Row = Deferral;

    fn id(row: &Deferral) -> i64 {
        row.id
    }

    fn states(filter: &DeferralFilter) -> Vec<(&'static str, DeferralFilter)> {
        let state =
            |status: DeferralStatus| (status.as_str(), DeferralFilter { status: Some(status), ..filter.clone() });
        DeferralStatus::CHOICES.iter().map(|(_, status)| state(*status)).collect()
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &DeferralFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select d.id as "id!", d.created_at as "created_at!", count(*) over () as "total!"
               from exam_deferral d join student y on y.id = d.student_id
               where ($1::bigint is null or d.id = $1)
                 and ($2::timestamptz is null or d.created_at <= $2)
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
                 and ($5::bigint is null or d.batch_id = $5)
                 and ($6::bigint is null or d.course_id = $6)
                 and ($7::bigint is null or d.student_id = $7)
                 and ($8::bigint is null or y.site_id = $8)
                 and ($9::bigint is null or y.class_id = $9)
                 and ($10::text is null or d.reason_type = $10)
                 and ($11::text is null or d.status = $11)
                 and ($12::text is null or y.id_card_no = $12)
                 and ($13::text is null or y.phone = $13)
                 and ($14::text is null or y.student_no like $14 or y.examinee_no like $14
                      or ($14 !~ '[0-9]' and y.initials like lower(rtrim($14, '%')) || '%'))
                 and ($15::text[] is null or y.name_grams @> $15)
                 and ($18::text is null or d.batch_id = any(array(
                          select x.id from test_batch x where strpos(lower(x.code), $18) > 0 or strpos(lower(x.name), $18) > 0)))
                 and ($19::text is null or $19 = coalesce(
                          (select s.mode from exam_candidate c join exam_setup s on s.id = c.setup_id
                           where c.batch_id = d.batch_id and c.course_id = d.course_id and c.student_id = d.student_id and not c.removed),
                          (select nullif(b.mode, 'mixed') from test_batch b where b.id = d.batch_id), $19))
               order by d.created_at desc, d.id
               limit $16 offset $17"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.course_id,
            filter.student_id,
            filter.site_id,
            filter.class_id,
            filter.reason_type.map(DeferralReason::as_str),
            filter.status.map(DeferralStatus::as_str),
            keyword.id_card_no.as_deref(),
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref(),
            wanted.limit,
            wanted.offset,
            infra::naming::sought_word(filter.batch_text.as_deref()),
            filter.mode.map(ExamMode::as_str)
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Deferral>> {
        sqlx::query_as!(
            Deferral,
            r#"select d.id as "id!", d.student_id as "student_id!", y.student_no, y.name as "name!", t.name as "site_name!",
                      k.name as "class_name?", d.batch_id as "batch_id!", b.name as "batch_name!", d.course_id as "course_id!",
                      u.name as "course_name!",
                      (select w.starts_at from exam_candidate c join exam_setup_time w on w.setup_id = c.setup_id
                       where c.batch_id = d.batch_id and c.course_id = d.course_id and c.student_id = d.student_id and not c.removed)
                          as starts_at,
                      d.reason_type as "reason_type!: _", d.reason as "reason!", d.applied_by as "applied_by!: _",
                      d.applied_by_name as "applied_by_name!", d.status as "status!: _", d.reviewed_by_name, d.reviewed_at, d.opinion,
                      d.created_at as "created_at!", d.version as "version!"
               from exam_deferral d
               join student y on y.id = d.student_id
               join site t on t.id = y.site_id
               join test_batch b on b.id = d.batch_id
               join course u on u.id = d.course_id
               left join class k on k.id = y.class_id
               where d.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// With the files that prove it.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, deferral: Deferral) -> Result<DeferralView> {
    let ids = sqlx::query_scalar!(
        "select file_id from exam_deferral_file where deferral_id = $1 order by sort_no, file_id",
        deferral.id
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(DeferralView { files: shown(app, connection, &ids).await?, deferral })
}

impl Export for Deferrals {
    type Filter = DeferralFilter;
    type Row = Deferral;
    const KIND: &'static str = "exam_deferral.export";
    type Permission = ExportDeferrals;
    const TITLE: &'static str = "缓考申请";
    const COLUMNS: &'static [Column<Deferral>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "原因", width: 10, cell: |row| Cell::Text(row.reason_type.zh().to_owned()) },
        Column { heading: "说明", width: 40, cell: |row| Cell::Text(row.reason.clone()) },
        Column { heading: "申请时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "审核人", width: 12, cell: |row| Cell::text(row.reviewed_by_name.as_deref()) },
        Column { heading: "审核意见", width: 30, cell: |row| Cell::text(row.opinion.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DeferralFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Deferral>> {
        Self::all(connection, filter, scope).await
    }
}
