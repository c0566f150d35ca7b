//! How members are read.

use infra::{Paging, Result, clock::Moment, mask, naming::sought_word, transfer::Rows};
use poem_openapi::Object;
use quiz_rules::enums::QuizMemberState;
use sqlx::PgConnection;

/// A member of a class.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizMember {
    /// 编号
    pub id: i64,
    /// 考试班级
    pub grade_id: i64,
    /// 班级名称
    pub grade_name: String,
    /// 学员
    pub learner_id: i64,
    /// 学员昵称
    pub learner_name: String,
    /// 手机号
    pub phone: String,
    /// 状态
    pub state: QuizMemberState,
    /// 申请时间
    pub created_at: Moment,
    /// 加入时间
    pub joined_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizMemberFilter {
    /// 考试班级
    pub grade_id: Option<i64>,
    /// 学员
    /// 昵称，或手机号的开头
    #[oai(validator(max_length = 30))]
    pub learner: Option<String>,
    /// 状态
    pub state: Option<QuizMemberState>,
}

pub(super) struct MemberRow {
    id: i64,
    grade_id: i64,
    grade_name: String,
    learner_id: i64,
    nickname: Option<String>,
    phone: String,
    state: QuizMemberState,
    created_at: Moment,
    joined_at: Option<Moment>,
    version: i32,
}

impl From<MemberRow> for QuizMember {
    fn from(row: MemberRow) -> Self {
        let phone = mask::phone(&row.phone);
        Self {
            id: row.id,
            grade_id: row.grade_id,
            grade_name: row.grade_name,
            learner_id: row.learner_id,
            learner_name: row.nickname.unwrap_or_else(|| phone.clone()),
            phone,
            state: row.state,
            created_at: row.created_at,
            joined_at: row.joined_at,
            version: row.version,
        }
    }
}

/// Those who wait before all others, the newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    filter: &QuizMemberFilter,
    page: Option<Paging>,
) -> Rows<'c, MemberRow> {
    let rows = sqlx::query_as!(
        MemberRow,
        r#"select m.id, m.grade_id, g.grade_name, m.learner_id, u.nickname, u.phone, m.state as "state: _", m.created_at, m.joined_at,
                  m.version
           from platform.exam_grade_member m
           join platform.exam_grade_info g on g.id = m.grade_id
           join platform.user_ext u on u.id = m.learner_id
           where ($1::bigint is null or m.grade_id = $1)
             and ($2::text is null or strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))
             and ($3::text is null or m.state = $3)
           order by m.state = 'pending' desc, m.id desc limit $4 offset $5"#,
        filter.grade_id,
        sought_word(filter.learner.as_deref()),
        filter.state.map(QuizMemberState::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &QuizMemberFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.exam_grade_member m
           where ($1::bigint is null or m.grade_id = $1)
             and ($2::text is null or exists (
                 select from platform.user_ext u
                 where u.id = m.learner_id and (strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))))
             and ($3::text is null or m.state = $3)"#,
        filter.grade_id,
        sought_word(filter.learner.as_deref()),
        filter.state.map(QuizMemberState::as_str)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}
