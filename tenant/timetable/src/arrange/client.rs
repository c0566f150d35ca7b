//! The timetable in the clients: what a student attends, and what a teacher teaches (part 03 B10).

use chrono::NaiveDate;
use infra::{Client, Reads, Reply, Result, Scope, clients, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use timetable_rules::entry::{TimetableEntry, checked_span};

use super::timetable::{Asked, Whose, entries};

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers.
    pub TeacherClient = "teacher";
}

/// One's own sessions.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnTimetable {
    /// 服务器时间
    pub server_time: Moment,
    /// 课次
    pub sessions: Vec<TimetableEntry>,
}

pub struct OwnTimetables;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::Timetable")]
impl OwnTimetables {
    /// 我的课表
    /// 已发布的课次，停课的也列出
    #[oai(path = "/timetable/list", method = "get", operation_id = "listOwnTimetable")]
    async fn of_student(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 开始日期
        from: Query<NaiveDate>,
        /// 结束日期
        to: Query<NaiveDate>,
    ) -> Result<Reply<OwnTimetable>> {
        let asked = own(Whose::Student(caller.session.person_id), from.0, to.0)?;
        let mut tx = caller.read().await?;
        let sessions = entries(&mut tx, &asked, &Scope::whole_school()).await?;
        Ok(reply(OwnTimetable { server_time: caller.app.clock().now(), sessions }))
    }

    /// 教师课表
    /// 本人任课或担任助教的已发布课次，停课的也列出
    #[oai(path = "/teacher/timetable/list", method = "get", operation_id = "listTeacherTimetable")]
    async fn of_teacher(
        &self,
        caller: Client<TeacherClient, Reads>,
        /// 开始日期
        from: Query<NaiveDate>,
        /// 结束日期
        to: Query<NaiveDate>,
    ) -> Result<Reply<OwnTimetable>> {
        let asked = own(Whose::Teacher(caller.session.person_id), from.0, to.0)?;
        let mut tx = caller.read().await?;
        let sessions = entries(&mut tx, &asked, &Scope::whole_school()).await?;
        Ok(reply(OwnTimetable { server_time: caller.app.clock().now(), sessions }))
    }
}

fn own(whose: Whose, from: NaiveDate, to: NaiveDate) -> Result<Asked> {
    checked_span(from, to)?;
    Ok(Asked { whose, days: (from, to), only_published: true, cancelled: true })
}
