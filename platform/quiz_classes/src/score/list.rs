//! How scores of a class are read.

use std::collections::HashMap;

use infra::{Paging, Result, mask, naming::sought_word, transfer::Rows};
use poem_openapi::Object;
use question_bank_rules::score::points;
use quiz_rules::enums::QuizMemberState;
use sqlx::PgConnection;

/// An exam of a class, as a column of its scores.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClassExam {
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
}

/// What somebody made of an exam in a class.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizExamScore {
    /// 试卷
    pub exam_id: i64,
    /// 考试次数
    pub attempts: i64,
    /// 得分
    /// 各次中最高的；没有已完成的考试时为空
    pub score: Option<f64>,
    /// 总分
    /// 得分最高的那次考试的总分，试卷修改后各次可能不同
    pub total_score: Option<f64>,
    /// 及格
    /// 有一次及格即为及格
    pub passed: Option<bool>,
    /// 待批改
    pub waiting: bool,
}

/// A member with what they made of each exam; one that they did not take is left out.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClassScore {
    /// 成员
    pub id: i64,
    /// 学员
    pub learner_id: i64,
    /// 学员昵称
    pub learner_name: String,
    /// 手机号
    pub phone: String,
    /// 状态
    pub state: QuizMemberState,
    /// 成绩
    pub scores: Vec<QuizExamScore>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClassScoreFilter {
    /// 考试班级
    pub grade_id: Option<i64>,
    /// 学员
    /// 昵称，或手机号的开头
    #[oai(validator(max_length = 30))]
    pub learner: Option<String>,
}

/// The exams of a class, the first to open before the others; none without a class.
pub(super) async fn exams(connection: &mut PgConnection, grade: Option<i64>) -> Result<Vec<QuizClassExam>> {
    let rows = sqlx::query!(
        "select e.id, e.exam_name
         from platform.exam_grade_exam x join platform.online_exam e on e.id = x.exam_id
         where x.grade_id = $1 order by x.opens_at, x.id",
        grade
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| QuizClassExam { exam_id: row.id, exam_name: row.exam_name }).collect())
}

/// Members who are in the class, or took an exam in it before they were removed.
pub(super) async fn count(connection: &mut PgConnection, filter: &QuizClassScoreFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.exam_grade_member m join platform.user_ext u on u.id = m.learner_id
           where m.grade_id = $1
             and (m.state = 'joined' or exists (select from platform.online_exam_record r
                                                where r.grade_id = m.grade_id and r.learner_id = m.learner_id))
             and ($2::text is null or strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))"#,
        filter.grade_id,
        sought_word(filter.learner.as_deref())
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// In the order in which they came.
pub(super) async fn page(
    connection: &mut PgConnection,
    filter: &QuizClassScoreFilter,
    page: Paging,
) -> Result<Vec<QuizClassScore>> {
    let members = sqlx::query!(
        r#"select m.id, m.learner_id, u.nickname, u.phone, m.state as "state: QuizMemberState"
           from platform.exam_grade_member m join platform.user_ext u on u.id = m.learner_id
           where m.grade_id = $1
             and (m.state = 'joined' or exists (select from platform.online_exam_record r
                                                where r.grade_id = m.grade_id and r.learner_id = m.learner_id))
             and ($2::text is null or strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))
           order by m.id limit $3 offset $4"#,
        filter.grade_id,
        sought_word(filter.learner.as_deref()),
        page.limit(),
        page.offset()
    )
    .fetch_all(&mut *connection)
    .await?;
    let learners: Vec<i64> = members.iter().map(|member| member.learner_id).collect();
    let taken = sqlx::query!(
        r#"select learner_id, exam_id, count(*) as "attempts!", max(score) as "score?",
                  (array_agg(total_score order by score desc, id) filter (where score is not null))[1] as "total_score?",
                  bool_or(passed) as "passed?", bool_or(state = 'marking') as "waiting!"
           from platform.online_exam_record where grade_id = $1 and learner_id = any($2)
           group by learner_id, exam_id order by exam_id"#,
        filter.grade_id,
        &learners
    )
    .fetch_all(connection)
    .await?;
    let mut scores: HashMap<i64, Vec<QuizExamScore>> = HashMap::new();
    for row in taken {
        let score = QuizExamScore {
            exam_id: row.exam_id,
            attempts: row.attempts,
            score: row.score.map(points),
            total_score: row.total_score.map(points),
            passed: row.passed,
            waiting: row.waiting,
        };
        scores.entry(row.learner_id).or_default().push(score);
    }
    let shown = members.into_iter().map(|member| {
        let phone = mask::phone(&member.phone);
        QuizClassScore {
            id: member.id,
            learner_id: member.learner_id,
            learner_name: member.nickname.unwrap_or_else(|| phone.clone()),
            phone,
            state: member.state,
            scores: scores.remove(&member.learner_id).unwrap_or_default(),
        }
    });
    Ok(shown.collect())
}

/// A member and an exam of their class, as a file has them; scores are tenths of a point.
pub struct QuizScoreLine {
    pub(super) grade_name: String,
    pub(super) nickname: Option<String>,
    pub(super) phone: String,
    pub(super) exam_name: String,
    /// Of the best attempt, or of the exam as it is now.
    pub(super) total_score: i64,
    pub(super) attempts: i64,
    pub(super) score: Option<i64>,
    pub(super) passed: Option<bool>,
    pub(super) waiting: bool,
}

/// Every member of the class with every exam, also those that they did not take; none without a class.
pub(super) fn lines<'c>(connection: &'c mut PgConnection, filter: &QuizClassScoreFilter) -> Rows<'c, QuizScoreLine> {
    let rows = sqlx::query_as!(
        QuizScoreLine,
        r#"select g.grade_name, u.nickname, u.phone, e.exam_name, coalesce(t.total_score, e.total_score) as "total_score!",
                  t.attempts as "attempts!", t.score as "score?", t.passed as "passed?", coalesce(t.waiting, false) as "waiting!"
           from platform.exam_grade_member m
           join platform.exam_grade_info g on g.id = m.grade_id
           join platform.user_ext u on u.id = m.learner_id
           join platform.exam_grade_exam x on x.grade_id = m.grade_id
           join platform.online_exam e on e.id = x.exam_id
           cross join lateral (
               select count(*) as attempts, max(r.score) as score,
                      (array_agg(r.total_score order by r.score desc, r.id) filter (where r.score is not null))[1] as total_score,
                      bool_or(r.passed) as passed, bool_or(r.state = 'marking') as waiting
               from platform.online_exam_record r
               where r.grade_id = m.grade_id and r.exam_id = x.exam_id and r.learner_id = m.learner_id) t
           where m.grade_id = $1 and (m.state = 'joined' or t.attempts > 0)
             and ($2::text is null or strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))
           order by m.id, x.opens_at, x.id"#,
        filter.grade_id,
        sought_word(filter.learner.as_deref())
    )
    .fetch(connection);
    Box::pin(rows)
}
