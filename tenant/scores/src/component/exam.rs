//! 期末考试成绩明细: each round in which a course was examined, on the net, on paper or by import (part 04 §5.5).

use infra::{
    Allowed, App, Body, Paged, Reply, Result, Scope,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use scores_rules::enums::{ExamRound, ExamScoreSource, ScoreMark};
use sqlx::PgConnection;

use super::{ExportComponents, ListComponents};

/// The list of rounds.
pub struct ExamScores;

/// A round of a course score.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamScoreLine {
    /// 编号
    pub id: i64,
    /// 课程成绩编号
    pub course_score_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 年级
    pub grade_name: String,
    /// 专业
    pub major_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 考试性质
    pub round: ExamRound,
    /// 第几次
    pub round_no: i32,
    /// 考试安排
    pub setup_name: Option<String>,
    /// 卷面分
    pub raw: Option<f64>,
    /// 卷面总分
    pub paper_total: f64,
    /// 折百分
    pub value: Option<f64>,
    /// 特殊情况
    pub mark: ScoreMark,
    /// 本次总评
    pub total: Option<f64>,
    /// 来源
    pub source: ExamScoreSource,
    /// 已发布
    pub published: bool,
    /// 录入人
    pub entered_by_name: String,
    /// 录入时间
    pub entered_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamScoreFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 考试性质
    pub round: Option<ExamRound>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 来源
    pub source: Option<ExamScoreSource>,
    /// 已发布
    pub published: Option<bool>,
    /// 关键字
    /// 学号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for ExamScores {
    type Filter = ExamScoreFilter;
    type Row = ExamScoreLine;

    fn id(row: &ExamScoreLine) -> i64 {
        row.id
    }

    /// A round lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ExamScoreFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select x.id, x.created_at, count(*) over () as "total!"
               from exam_score x
               join course_score s on s.id = x.course_score_id
               join student y on y.id = s.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or s.semester_id = $3)
                 and ($4::bigint is null or y.grade_id = $4)
                 and ($5::bigint is null or y.level_id = $5)
                 and ($6::bigint is null or y.major_id = $6)
                 and ($7::bigint is null or s.class_id = $7)
                 and ($8::bigint is null or y.site_id = $8)
                 and ($9::bigint is null or s.course_id = $9)
                 and ($10::bigint is null or s.student_id = $10)
                 and ($11::text is null or x.round = $11)
                 and ($12::text is null or x.mark = $12)
                 and ($13::text is null or x.source = $13)
                 and ($14::boolean is null or x.published = $14)
                 and ($15::text is null or y.student_no = $15 or strpos(y.name, $15) > 0)
                 and ($16::bigint is null or x.id = $16)
                 and ($17::timestamptz is null or x.created_at <= $17)
               order by x.created_at desc, x.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.course_id,
            filter.student_id,
            filter.round.map(ExamRound::as_str),
            filter.mark.map(ScoreMark::as_str),
            filter.source.map(ExamScoreSource::as_str),
            filter.published,
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ExamScoreLine>> {
        sqlx::query_as!(
            ExamScoreLine,
            r#"select x.id as "id!", x.course_score_id as "course_score_id!", y.student_no as "student_no?",
                      y.name as "student_name!", g.name as "grade_name!", m.name as "major_name!", k.name as "class_name?",
                      t.name as "site_name!", e.name as "semester_name!", u.code as "course_code!", u.name as "course_name!",
                      x.round as "round!: _", x.round_no as "round_no!", p.name as "setup_name?", x.raw::float8 as "raw?",
                      x.paper_total::float8 as "paper_total!", x.value::float8 as "value?", x.mark as "mark!: _",
                      x.total::float8 as "total?", x.source as "source!: _", x.published as "published!",
                      x.entered_by_name as "entered_by_name!", x.updated_at as "entered_at!"
               from exam_score x
               join course_score s on s.id = x.course_score_id
               join student y on y.id = s.student_id
               join grade g on g.id = y.grade_id
               join major m on m.id = y.major_id
               join site t on t.id = y.site_id
               join semester e on e.id = s.semester_id
               join course u on u.id = s.course_id
               left join class k on k.id = s.class_id
               left join exam_setup p on p.id = x.setup_id
               where x.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for ExamScores {
    type Filter = ExamScoreFilter;
    type Row = ExamScoreLine;
    const KIND: &'static str = "exam_score.export";
    type Permission = ExportComponents;
    const TITLE: &'static str = "期末考试成绩";
    const COLUMNS: &'static [Column<ExamScoreLine>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "教学站点", width: 24, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "学期", width: 20, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程名称", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
        Column { heading: "第几次", width: 8, cell: |row| Cell::Int(row.round_no.into()) },
        Column { heading: "考试安排", width: 28, cell: |row| Cell::text(row.setup_name.as_deref()) },
        Column { heading: "卷面分", width: 8, cell: |row| row.raw.map_or(Cell::Empty, tenths) },
        Column { heading: "折百分", width: 8, cell: |row| row.value.map_or(Cell::Empty, tenths) },
        Column { heading: "特殊情况", width: 10, cell: |row| Cell::Text(row.mark.zh().to_owned()) },
        Column { heading: "总评", width: 8, cell: |row| row.total.map_or(Cell::Empty, tenths) },
        Column { heading: "来源", width: 8, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "录入人", width: 12, cell: |row| Cell::Text(row.entered_by_name.clone()) },
        Column { heading: "录入时间", width: 20, cell: |row| Cell::time(Some(row.entered_at)) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamScoreFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ExamScoreLine>> {
        Self::all(connection, filter, scope).await
    }
}

pub struct ExamScoreList;

#[OpenApi(prefix_path = "/adult/pc/score/component/exam", tag = "crate::Tag::Scores")]
impl ExamScoreList {
    /// 期末考试成绩明细
    /// 每次考试一行
    #[oai(path = "/list", method = "post", operation_id = "listExamScores")]
    async fn list(
        &self,
        caller: Allowed<ListComponents>,
        Body(asked): Body<Paged<ExamScoreFilter>>,
    ) -> Result<Reply<SchoolPage<ExamScoreLine>>> {
        across::list::<ExamScores, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 导出期末考试成绩明细
    #[oai(path = "/export", method = "post", operation_id = "exportExamScores")]
    async fn export(
        &self,
        caller: Allowed<ExportComponents>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamScoreFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ExamScores>(&caller, asked.filter, job.0).await
    }
}
