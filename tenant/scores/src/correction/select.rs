//! How corrections are read.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use scores_rules::enums::{
    ExamRound, ScoreCorrectionReason, ScoreCorrectionStatus, ScoreCorrectionTarget, ScoreMark, ScorePart,
};
use sqlx::PgConnection;

use crate::evidence::{ScoreFile, shown};

/// The list of corrections.
pub struct ScoreCorrections;

/// A correction, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreCorrection {
    /// 编号
    pub id: i64,
    /// 课程成绩编号
    pub course_score_id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 课程
    pub course_name: String,
    /// 学期
    pub semester_name: String,
    /// 更正内容
    pub target: ScoreCorrectionTarget,
    /// 成绩组成项
    pub component_kind: Option<ScorePart>,
    /// 考试性质
    pub round: Option<ExamRound>,
    /// 原分数
    pub old_value: Option<f64>,
    /// 原特殊情况
    pub old_mark: Option<ScoreMark>,
    /// 新分数
    pub new_value: Option<f64>,
    /// 新特殊情况
    pub new_mark: Option<ScoreMark>,
    /// 原成绩
    pub old_text: String,
    /// 更正后成绩
    pub new_text: Option<String>,
    /// 更正原因
    pub reason_type: ScoreCorrectionReason,
    /// 说明
    pub reason: String,
    /// 附件数
    pub file_count: i64,
    /// 更正状态
    pub status: ScoreCorrectionStatus,
    /// 申请人
    pub applied_by_name: String,
    /// 审核人
    pub audited_by_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 审核意见
    pub opinion: Option<String>,
    /// 申请时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A correction with what proves it.
#[derive(Debug, Clone, Object)]
pub struct ScoreCorrectionView {
    #[oai(flatten)]
    pub correction: ScoreCorrection,
    /// 附件
    pub files: Vec<ScoreFile>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreCorrectionFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 课程成绩
    pub course_score_id: Option<i64>,
    /// 更正内容
    pub target: Option<ScoreCorrectionTarget>,
    /// 更正原因
    pub reason_type: Option<ScoreCorrectionReason>,
    /// 更正状态
    pub status: Option<ScoreCorrectionStatus>,
    /// 关键字
    /// 学号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for ScoreCorrections {
    type Filter = ScoreCorrectionFilter;
    type Row = ScoreCorrection;

    fn id(row: &ScoreCorrection) -> i64 {
        row.id
    }

    /// A correction lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ScoreCorrectionFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select c.id, c.created_at, count(*) over () as "total!"
               from score_correction c
               join course_score s on s.id = c.course_score_id
               join student y on y.id = s.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or s.semester_id = $3)
                 and ($4::bigint is null or s.course_id = $4)
                 and ($5::bigint is null or s.student_id = $5)
                 and ($6::bigint is null or c.course_score_id = $6)
                 and ($7::text is null or c.target = $7)
                 and ($8::text is null or c.reason_type = $8)
                 and ($9::text is null or c.status = $9)
                 and ($10::text is null or y.student_no = $10 or strpos(y.name, $10) > 0)
                 and ($11::bigint is null or c.id = $11)
                 and ($12::timestamptz is null or c.created_at <= $12)
               order by c.created_at desc, c.id
               limit $13 offset $14"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.student_id,
            filter.course_score_id,
            filter.target.map(ScoreCorrectionTarget::as_str),
            filter.reason_type.map(ScoreCorrectionReason::as_str),
            filter.status.map(ScoreCorrectionStatus::as_str),
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ScoreCorrection>> {
        sqlx::query_as!(
            ScoreCorrection,
            r#"select c.id as "id!", c.course_score_id as "course_score_id!", s.student_id as "student_id!", y.student_no,
                      y.name as "student_name!", k.name as "class_name?", u.name as "course_name!", e.name as "semester_name!",
                      c.target as "target!: _", c.component_kind as "component_kind?: _", x.round as "round?: _",
                      c.old_value::float8 as "old_value?", c.old_mark as "old_mark?: _", c.new_value::float8 as "new_value?",
                      c.new_mark as "new_mark?: _", c.old_text as "old_text!", c.new_text, c.reason_type as "reason_type!: _",
                      c.reason as "reason!",
                      (select count(*) from score_correction_file f where f.correction_id = c.id) as "file_count!",
                      c.status as "status!: _", c.applied_by_name as "applied_by_name!", c.audited_by_name,
                      c.audited_at as "audited_at?", c.opinion, c.created_at as "created_at!", c.version as "version!"
               from score_correction c
               join course_score s on s.id = c.course_score_id
               join student y on y.id = s.student_id
               join course u on u.id = s.course_id
               join semester e on e.id = s.semester_id
               left join class k on k.id = s.class_id
               left join exam_score x on x.id = c.exam_score_id
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// One with the files that prove it: whoever decides reads them.
///
/// # Errors
/// 404 beyond the scope.
pub(super) async fn viewed(
    app: &App,
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
) -> Result<ScoreCorrectionView> {
    let correction = ScoreCorrections::find(connection, id, scope).await?;
    let ids = sqlx::query_scalar!(
        "select file_id from score_correction_file where correction_id = $1 order by sort_no, file_id",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(ScoreCorrectionView { correction, files: shown(app, connection, &ids).await? })
}
