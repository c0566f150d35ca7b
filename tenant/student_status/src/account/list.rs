//! The list of students as accounts, and one of them.

use infra::{
    Allowed, Body, Error, Paged, Paging, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage},
    clock::Moment,
    mask, reply,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status_rules::{
    account_list::{Asked, StudentAccountFilter},
    register::Wanted,
    student::Student,
};

use super::{ListStudentAccounts, ViewStudentAccount};
use crate::{
    enums::{AccountState, StudentStatus},
    id_card::Gender,
    register::of_register,
    student::find,
};

/// A student as an account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentAccountRow {
    /// 学生编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 账号编号
    pub account_id: Option<i64>,
    /// 账号版本
    pub account_version: Option<i32>,
    /// 登录名
    pub login_name: Option<String>,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 手机
    pub phone: Option<String>,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 学籍状态
    pub status: StudentStatus,
    /// 账号状态
    pub account_state: AccountState,
    /// 需修改密码
    pub must_change: Option<bool>,
    /// 已绑定微信
    pub wechat_bound: bool,
    /// 首次登录
    pub first_login_at: Option<Moment>,
    /// 最近登录
    pub last_login_at: Option<Moment>,
}

impl StudentAccountRow {
    /// As lists show it.
    pub(super) fn mask(&mut self) {
        self.phone = self.phone.as_deref().map(mask::phone);
    }
}

/// An account with the student behind it, read-only here but for the ways to reach the student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentAccountDetail {
    /// 账号
    pub account: StudentAccountRow,
    /// 学生
    pub student: Student,
}

/// The condition of a student with the conditions of the account behind it: parameters `$27` to `$30`. Who has no account is
/// told by the column of the join, which lets the planner look for what is absent.
macro_rules! of_accounts {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        of_register!($query [$($row)?] [$($head)+] $wanted
            [+ " and ($27::text is null or case $27
                         when 'none' then a.owner_id is null
                         when 'disabled' then not a.enabled
                         when 'locked' then a.enabled and a.locked_until > now()
                         else a.enabled and (a.locked_until is null or a.locked_until <= now()) end)
                 and ($28::boolean is null or (a.last_login_at is not null) = $28)
                 and ($29::timestamptz is null or a.last_login_at >= $29)
                 and ($30::timestamptz is null or a.last_login_at < $30) " $($tail)*],
            $asked.state.map(AccountState::as_str), $asked.signed_in, $asked.from, $asked.until $(, $extra)*)
    };
}

/// The lines of the students that `$from` names.
macro_rules! lines {
    ([$($from:tt)+] $wanted:ident $asked:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_accounts!(query_as [StudentAccountRow]
            [r#"select s.id, s.version, a.id as "account_id?", a.version as "account_version?",
                       a.login_name as "login_name?", s.student_no, s.name, s.gender as "gender: _", s.phone,
                       g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!", t.name as "site_name!",
                       c.name as "class_name?", s.status as "status: _",
                       case when a.id is null then 'none' when not a.enabled then 'disabled'
                            when a.locked_until > now() then 'locked' else 'enabled' end as "account_state!: AccountState",
                       a.must_change as "must_change?", a.wechat_open_id is not null as "wechat_bound!",
                       a.first_login_at, a.last_login_at "# + $($from)+]
            $wanted $asked [$($tail)+] $(, $extra)*)
    };
}

pub struct List;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl List {
    /// 学生账号列表
    #[oai(path = "/list", method = "post", operation_id = "listStudentAccounts")]
    async fn list(
        &self,
        caller: Allowed<ListStudentAccounts>,
        Body(asked): Body<Paged<StudentAccountFilter>>,
    ) -> Result<Reply<SchoolPage<StudentAccountRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看学生账号
    #[oai(path = "/view", method = "get", operation_id = "viewStudentAccount")]
    async fn view(
        &self,
        caller: Allowed<ViewStudentAccount>,
        /// 学生编号
        id: Query<Option<i64>>,
        /// 学号
        #[oai(name = "studentNo")]
        student_no: Query<Option<String>>,
    ) -> Result<Reply<StudentAccountDetail>> {
        if id.is_some() == student_no.is_some() {
            return Err(Error::malformed());
        }
        let mut tx = caller.read().await?;
        let student = find(&mut tx, id.0, student_no.as_deref(), &caller.scope()).await?;
        let account = of_ids(&mut tx, &[student.id]).await?.pop().ok_or_else(Error::not_found)?;
        Ok(reply(StudentAccountDetail { account, student: student.masked() }))
    }
}

impl Listed for List {
    type Filter = StudentAccountFilter;
    type Row = StudentAccountRow;

    fn id(row: &StudentAccountRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &StudentAccountFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudentAccountRow>)> {
        let (wanted, asked) = (filter.wanted(scope), filter.asked());
        let total = of_accounts!(query_scalar []
            [r#"select count(*) as "count!" from student s
                left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id"#]
            wanted asked [])
        .fetch_one(&mut *connection)
        .await?;
        let mut list = match Window::of(paging, total) {
            Some(window) => page(connection, &wanted, &asked, window).await?,
            None => Vec::new(),
        };
        list.iter_mut().for_each(StudentAccountRow::mask);
        Ok((total, list))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &StudentAccountFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let (wanted, asked) = (filter.wanted(scope), filter.asked());
        let keys = of_accounts!(query_as [Key]
            [r#"select s.id, s.created_at, count(*) over () as "total!" from student s
                left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id"#]
            wanted asked
            [+ " and s.created_at <= $31 order by s.created_at desc, s.id limit $32"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentAccountRow>> {
        of_ids(connection, ids).await
    }
}

/// The lines of these students, as lists show them.
async fn of_ids(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentAccountRow>> {
    let (wanted, asked) = (Wanted::anybody(), StudentAccountFilter::default().asked());
    let rows = lines!(
        ["from student s
          join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
          join site t on t.id = s.site_id left join class c on c.id = s.class_id
          left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id"]
        wanted asked
        [+ " and s.id = any($31)"],
        ids
    );
    let mut list = rows.fetch_all(connection).await?;
    list.iter_mut().for_each(StudentAccountRow::mask);
    Ok(list)
}

/// As in the register: first the numbers of the page's rows, then the rows. Without a filter on the account the first
/// join is left out by the planner.
async fn page(
    connection: &mut PgConnection,
    wanted: &Wanted,
    asked: &Asked,
    window: Window,
) -> Result<Vec<StudentAccountRow>> {
    let rows = lines!(
        ["from (select s.id from student s
                left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id"]
        wanted asked
        [+ " order by case when $31 then s.created_at end, case when $31 then s.id end, s.created_at desc, s.id desc
                limit $32 offset $33) p
          join student s on s.id = p.id
          join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
          join site t on t.id = s.site_id left join class c on c.id = s.class_id
          left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id
          order by s.created_at desc, s.id desc"],
        window.from_end,
        window.limit,
        window.offset
    );
    Ok(rows.fetch_all(connection).await?)
}

/// Every line, in the list's order.
pub(super) fn all<'c>(
    connection: &'c mut PgConnection,
    filter: &StudentAccountFilter,
    scope: &Scope,
) -> Rows<'c, StudentAccountRow> {
    let (wanted, asked) = (filter.wanted(scope), filter.asked());
    let rows = lines!(
        ["from student s
          join grade g on g.id = s.grade_id join level l on l.id = s.level_id join major m on m.id = s.major_id
          join site t on t.id = s.site_id left join class c on c.id = s.class_id
          left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id"]
        wanted asked
        [+ " order by s.created_at desc, s.id desc"]
    );
    Box::pin(rows.fetch(connection))
}
