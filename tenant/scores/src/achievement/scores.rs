//! Scores course by course.

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    enumeration,
    naming::sought,
};
use poem_openapi::Object;
use scores_rules::enums::{CourseScoreStatus, EffectiveRound, ScoreMark, ScoreOrigin};
use sqlx::PgConnection;
use student_status::enums::{StudentStatus, StudyForm};
use teaching_plan::enums::CourseNature;

enumeration! {
    /// 成绩列表维度
    pub enum AchievementDimension = "achievementDimension" {
        Student = "student" "学生",
        Score = "score" "课程成绩",
    }
}

enumeration! {
    /// 成绩导出格式
    pub enum AchievementLayout = "achievementLayout" {
        List = "list" "列表",
        Matrix = "matrix" "班级矩阵",
    }
}

/// The list of scores.
pub struct CourseScores;

/// A score of a course, or all of a student together; what belongs to the other of both is empty.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct Achievement {
    /// 编号
    /// 课程成绩或学生的编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 证件号
    /// 部分隐藏
    pub id_card_no: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 学籍状态
    pub student_status: String,
    /// 学期
    pub semester_name: Option<String>,
    /// 课程代码
    pub course_code: Option<String>,
    /// 课程
    pub course_name: Option<String>,
    /// 性质
    pub nature: Option<String>,
    /// 学分
    pub credits: Option<f64>,
    /// 修读次数
    pub attempt_no: Option<i32>,
    /// 学习成绩
    pub study: Option<f64>,
    /// 作业成绩
    pub homework: Option<f64>,
    /// 考勤成绩
    pub attendance: Option<f64>,
    /// 答疑成绩
    pub questions: Option<f64>,
    /// 卷面成绩
    /// 最近一次考试
    pub exam: Option<f64>,
    /// 总评
    pub total: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 有效成绩性质
    pub effective_round: Option<EffectiveRound>,
    /// 成绩显示
    pub display_text: Option<String>,
    /// 绩点
    pub grade_point: Option<f64>,
    /// 通过
    pub passed: Option<bool>,
    /// 获得学分
    pub earned_credits: Option<f64>,
    /// 补考次数
    pub makeup_used: Option<i32>,
    /// 成绩来由
    pub origin: Option<ScoreOrigin>,
    /// 课程成绩状态
    pub status: Option<CourseScoreStatus>,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 已修门数
    pub taken: Option<i64>,
    /// 通过门数
    pub passed_count: Option<i64>,
    /// 不及格门数
    pub failed_count: Option<i64>,
    /// 已获学分
    pub credits_earned: Option<f64>,
    /// 应修学分
    pub credits_required: Option<f64>,
    /// 不及格必修学分
    pub credits_failed: Option<f64>,
    /// 加权平均
    pub average: Option<f64>,
    /// 平均绩点
    pub gpa: Option<f64>,
    /// 班级排名
    pub class_rank: Option<i64>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AchievementFilter {
    /// 维度
    /// 不填为课程成绩
    pub dimension: Option<AchievementDimension>,
    /// 学生
    pub student_id: Option<i64>,
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
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 性质
    pub nature: Option<CourseNature>,
    /// 通过
    pub passed: Option<bool>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 有效成绩性质
    pub round: Option<EffectiveRound>,
    /// 总评下限
    pub total_from: Option<f64>,
    /// 总评上限
    pub total_to: Option<f64>,
    /// 状态
    /// 不填为已发布和已锁定
    pub status: Option<CourseScoreStatus>,
    /// 学业预警
    /// 只看不及格必修学分过多或平均绩点过低的学生
    pub warning: Option<bool>,
    /// 关键字
    /// 学号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 含未发布
    /// 须有查看未发布成绩的权限
    #[oai(default)]
    pub drafts: bool,
    /// 导出格式
    /// 只用于导出课程成绩，不填为列表
    pub layout: Option<AchievementLayout>,
    /// Whose scores the caller sees before they are published; never of the body.
    #[oai(skip)]
    pub(super) drafts_of: Scope,
}

impl Keyed for CourseScores {
    type Filter = AchievementFilter;
    type Row = Achievement;

    fn id(row: &Achievement) -> i64 {
        row.id
    }

    /// A score lies where its student is.
    async fn matching(
        connection: &mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select s.id, s.created_at, count(*) over () as "total!"
               from course_score s join student y on y.id = s.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and (s.status in ('published', 'locked')
                      or $3::boolean and ($25::bigint[] is null or y.site_id = any($25) or y.class_id = any($26::bigint[])))
                 and ($4::text is null or s.status = $4)
                 and ($5::bigint is null or s.student_id = $5)
                 and ($6::bigint is null or y.grade_id = $6)
                 and ($7::bigint is null or y.level_id = $7)
                 and ($8::bigint is null or y.major_id = $8)
                 and ($9::bigint is null or s.class_id = $9)
                 and ($10::bigint is null or y.site_id = $10)
                 and ($11::bigint is null or s.semester_id = $11)
                 and ($12::bigint is null or s.course_id = $12)
                 and ($13::boolean is null or s.passed = $13)
                 and ($14::text is null or s.mark = $14)
                 and ($15::text is null or s.effective_round = $15)
                 and ($16::float8 is null or s.total >= $16::float8::numeric)
                 and ($17::float8 is null or s.total <= $17::float8::numeric)
                 and ($18::text is null or y.student_no = $18 or strpos(y.name, $18) > 0)
                 and (($19::text[])[1] is null or s.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($19::text[])[1]) > 0 or strpos(lower(x.name), ($19::text[])[1]) > 0)))
                 and ($20::bigint is null or s.id = $20)
                 and ($21::timestamptz is null or s.created_at <= $21)
                 and ($24::text is null or s.nature = $24)
               order by s.created_at desc, s.id
               limit $22 offset $23"#,
            scope.sites(),
            scope.classes(),
            filter.drafts,
            filter.status.map(CourseScoreStatus::as_str),
            filter.student_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.semester_id,
            filter.course_id,
            filter.passed,
            filter.mark.map(ScoreMark::as_str),
            filter.round.map(EffectiveRound::as_str),
            filter.total_from,
            filter.total_to,
            filter.keyword,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset,
            filter.nature.map(CourseNature::as_str),
            filter.drafts_of.sites(),
            filter.drafts_of.classes()
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Achievement>> {
        rows_of(connection, ids).await
    }
}

/// Scores by their ids, in the order of semesters and courses.
pub(super) async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Achievement>> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.student_id as "student_id!", y.student_no, y.name as "student_name!",
                  y.id_card_no as "id_card_no!", g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                  y.study_form as "study_form!: StudyForm", k.name as "class_name?", t.name as "site_name!", y.status as "student_status!: StudentStatus", e.name as "semester_name!",
                  u.code as "course_code!", u.name as "course_name!", s.nature as "nature!", s.credits::float8 as "credits!",
                  s.attempt_no as "attempt_no!", c.study as "study?", c.homework as "homework?", c.attendance as "attendance?",
                  c.questions as "questions?",
                  (select x.value::float8 from exam_score x
                   where x.course_score_id = s.id and (x.published or s.status not in ('published', 'locked'))
                   order by x.id desc limit 1) as "exam?",
                  s.total::float8 as "total?", s.mark as "mark?: ScoreMark", s.effective_round as "round?: EffectiveRound",
                  s.display_text as "text!", s.grade_point::float8 as "point?", s.passed, s.earned_credits::float8 as "earned!",
                  s.makeup_used as "makeups!",
                  case when s.imported then 'history' when (s.formula -> 'graduation') is not null then 'thesis'
                       when (s.formula -> 'internship') is not null then 'internship' else 'examined' end
                      as "origin!: ScoreOrigin", s.status as "status!: CourseScoreStatus", s.published_at as "published_at?"
           from course_score s
           join student y on y.id = s.student_id
           join grade g on g.id = y.grade_id
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           join semester e on e.id = s.semester_id
           join course u on u.id = s.course_id
           left join class k on k.id = y.class_id
           cross join lateral (
               select (max(x.value) filter (where x.kind = 'study'))::float8 as study,
                      (max(x.value) filter (where x.kind = 'homework'))::float8 as homework,
                      (max(x.value) filter (where x.kind = 'attendance'))::float8 as attendance,
                      (max(x.value) filter (where x.kind = 'questions'))::float8 as questions
               from course_score_component x where x.course_score_id = s.id) c
           where s.id = any($1)
           order by e.starts_on, u.code, s.id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Achievement {
            id: row.id,
            student_id: row.student_id,
            student_no: row.student_no,
            student_name: row.student_name,
            id_card_no: infra::mask::id_card(&row.id_card_no),
            grade_name: row.grade_name,
            level_name: row.level_name,
            major_name: row.major_name,
            study_form: Some(row.study_form.zh().to_owned()),
            class_name: row.class_name,
            site_name: row.site_name,
            student_status: row.student_status.zh().to_owned(),
            semester_name: Some(row.semester_name),
            course_code: Some(row.course_code),
            course_name: Some(row.course_name),
            nature: Some(row.nature),
            credits: Some(row.credits),
            attempt_no: Some(row.attempt_no),
            study: row.study,
            homework: row.homework,
            attendance: row.attendance,
            questions: row.questions,
            exam: row.exam,
            total: row.total,
            mark: row.mark,
            effective_round: row.round,
            display_text: Some(row.text),
            grade_point: row.point,
            passed: row.passed,
            earned_credits: Some(row.earned),
            makeup_used: Some(row.makeups),
            origin: Some(row.origin),
            status: Some(row.status),
            published_at: row.published_at,
            ..Achievement::default()
        })
        .collect())
}
