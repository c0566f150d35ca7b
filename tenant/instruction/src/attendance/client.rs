//! 教师登记考勤: of one's own sessions, until seven days after them (part 03 B10).

use chrono::Days;
use infra::{Body, Client, Error, Reply, Result, Saved, Scope, Writes, reply};
use poem_openapi::OpenApi;

use super::{AttendanceForm, Registrar, open_session, register};
use crate::{TeacherClient, enums::AttendanceSource};

/// Days after a session in which its teacher registers who came.
const DAYS: u64 = 7;

pub struct TeacherAttendance;

#[OpenApi(prefix_path = "/user/client/teacher/instruction", tag = "crate::Tag::Instruction")]
impl TeacherAttendance {
    /// 教师登记考勤
    /// 本人的课次，上课后7天内
    #[oai(path = "/attendance", method = "post", operation_id = "registerOwnAttendance")]
    async fn save(
        &self,
        caller: Client<TeacherClient, Writes>,
        Body(form): Body<AttendanceForm>,
    ) -> Result<Reply<Saved>> {
        caller.in_person("代登录只能查看，不能代为学习、作答或批阅")?;
        let mut tx = caller.begin().await?;
        let session = open_session(&mut tx, form.session_id, Registrar::Teacher(caller.session.person_id)).await?;
        let last = session.held_on.checked_add_days(Days::new(DAYS)).unwrap_or(session.held_on);
        if caller.app.clock().today() > last {
            return Err(Error::conflict(format!("只能在上课后{DAYS}天内登记考勤，请联系教务人员")));
        }
        // A teacher sees everybody in their own session.
        let scope = Scope::whole_school();
        let changes = register(&mut tx, &session, &form.items, AttendanceSource::Teacher, &scope).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: form.session_id }))
    }
}
