//! 督学 in the clients: a class manager sees their own cases, writes contacts, reminds and reads a telephone number one by one; people of
//! a site see the site's, and write contacts (part 05 C4, C6).

use infra::{
    Body, BulkFailure, Change, Client, Error, Page, Paged, Reads, Reply, Result, Scope,
    access::{MayWrite, Mode},
    clients, reply,
};
use people::site_staff::site_of;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scenes::enums::Channel;
use serde_json::json;
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;
use supervision_rules::enums::SuperviseContactBy;

use crate::{
    case::{SuperviseCase, SuperviseDetail, detail, filter::SuperviseFilter, hold, in_words, students_of_page},
    contact::{SuperviseContactForm, Who, Words, record},
    remind::{SuperviseReminded, remind_own},
};

clients! {
    /// Class managers, in the client of teachers, and people of a site.
    pub CarerClient = "teacher", "site";
    /// Class managers alone.
    pub ManagerClient = "teacher";
}

/// What is said to students in somebody's name, and whose number was looked at, nobody does for another.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some("代登录只能查看，不能代为联系、提醒学生或查看电话");
}
impl MayWrite for WritesOwn {}

/// Students whom a class manager reminds at once, and numbers that they read in a day.
const MOST_REMINDED: usize = 200;
const MOST_PHONES: i32 = 100;

/// A contact, sent by a client.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSuperviseContact {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub form: SuperviseContactForm,
}

impl Example for OwnSuperviseContact {
    fn example() -> Self {
        Self { request_id: "8e2f1d70".to_owned(), form: SuperviseContactForm::example() }
    }
}

/// Whom a class manager reminds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSuperviseRemind {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 案例
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
    /// 发送通道
    #[oai(default, validator(max_items = 5))]
    pub channels: Vec<Channel>,
}

impl Example for OwnSuperviseRemind {
    fn example() -> Self {
        Self { request_id: "8e2f1d71".to_owned(), ids: vec![1], channels: Vec::new() }
    }
}

/// A student's telephone number.
#[derive(Debug, Clone, Object)]
pub struct OwnSupervisePhone {
    /// 手机
    pub phone: Option<String>,
}

/// A contact that was written.
#[derive(Debug, Clone, Object)]
pub struct OwnSuperviseSaved {
    /// 编号
    pub id: i64,
}

pub struct OwnCases;

#[OpenApi(prefix_path = "/user/client/supervise", tag = "crate::Tag::Supervision")]
impl OwnCases {
    /// 我的督学学生
    #[oai(path = "/list", method = "post", operation_id = "listOwnSuperviseCases")]
    async fn list(
        &self,
        caller: Client<CarerClient, Reads>,
        Body(asked): Body<Paged<SuperviseFilter>>,
    ) -> Result<Reply<Page<SuperviseCase>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let today = caller.app.clock().today();
        let mut tx = caller.read().await?;
        let own = Own::of(&caller, &mut tx).await?;
        let filter = SuperviseFilter { manager_id: own.manager.or(filter.manager_id), ..filter };
        let (total, mut list) = students_of_page(&mut tx, &filter, &own.scope, (paging, today)).await?;
        in_words(&caller.app, &mut list).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 督学案例详情
    #[oai(path = "/view", method = "get", operation_id = "viewOwnSuperviseCase")]
    async fn view(
        &self,
        caller: Client<CarerClient, Reads>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SuperviseDetail>> {
        let mut tx = caller.read().await?;
        let own = Own::of(&caller, &mut tx).await?;
        let seen = detail(&caller.app, &mut tx, id.0, &own.scope).await?;
        if own.manager.is_some() && seen.case.manager_id != own.manager {
            return Err(Error::not_found());
        }
        Ok(reply(seen))
    }

    /// 登记联系
    #[oai(path = "/contact", method = "post", operation_id = "saveOwnSuperviseContact")]
    async fn contact(
        &self,
        caller: Client<CarerClient, WritesOwn>,
        Body(wanted): Body<OwnSuperviseContact>,
    ) -> Result<Reply<OwnSuperviseSaved>> {
        let known = Words::of(&caller.app).await?;
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let own = Own::of(&caller, &mut tx).await?;
        own.may(&mut tx, wanted.form.case_id).await?;
        let who = Who { kind: own.kind(), id: caller.session.person_id };
        let (id, mut changes) = record(&mut tx, &wanted.form, &known, who, &own.scope).await?;
        let first = changes.remove(0);
        tx.record(&changes).await?;
        tx.commit(first, OwnSuperviseSaved { id }).await
    }

    /// 督学提醒
    /// 一次最多200名学生
    #[oai(path = "/remind", method = "post", operation_id = "remindOwnSuperviseStudents")]
    async fn remind(
        &self,
        caller: Client<ManagerClient, WritesOwn>,
        Body(wanted): Body<OwnSuperviseRemind>,
    ) -> Result<Reply<SuperviseReminded>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let own = Own::of(&caller, &mut tx).await?;
        let mut ids = wanted.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(MOST_REMINDED);
        let mut failed = Vec::new();
        let mut held = Vec::with_capacity(ids.len());
        for id in ids {
            match own.may(&mut tx, id).await {
                Ok(()) => held.push(id),
                Err(error) if error.code == 404 => {
                    failed.push(BulkFailure { id, name: String::new(), msg: NOT_YOURS.to_owned() });
                }
                Err(error) => return Err(error),
            }
        }
        let (told, mut changes) = remind_own(&mut tx, &held, Some(caller.school.id), &wanted.channels).await?;
        let mut told = told;
        told.failed.extend(failed);
        // Where nobody is reminded nothing is written, and a repetition finds the same.
        let Some(last) = changes.pop() else { return Ok(reply(told)) };
        tx.record(&changes).await?;
        tx.commit(last, told).await
    }

    /// 查看学生电话
    /// 每天最多100次，每次都有记录
    #[oai(path = "/phone", method = "get", operation_id = "viewOwnStudentPhone")]
    async fn phone(
        &self,
        caller: Client<ManagerClient, WritesOwn>,
        /// 学生
        #[oai(name = "studentId")]
        student_id: Query<i64>,
    ) -> Result<Reply<OwnSupervisePhone>> {
        let today = caller.app.clock().today();
        let mut tx = caller.begin().await?;
        let own = Own::of(&caller, &mut tx).await?;
        let manager = own.manager.unwrap_or_default();
        let student = sqlx::query!(
            r#"select s.phone from student s left join class k on k.id = s.class_id
               where s.id = $1 and (k.manager_id = $2 or exists (
                     select from supervise_case c
                     where c.student_id = s.id and c.status in ('open', 'following')
                       and c.class_id is not distinct from s.class_id and c.manager_id = $2))"#,
            student_id.0,
            manager
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let seen = sqlx::query_scalar!(
            "insert into supervise_phone_view as v (manager_id, day, seen) values ($1, $2, 1)
             on conflict (manager_id, day) do update set seen = v.seen + 1 where v.seen < $3
             returning v.seen",
            manager,
            today,
            MOST_PHONES
        )
        .fetch_optional(&mut *tx)
        .await?;
        if seen.is_none() {
            return Err(Error::too_many("今日查看学生电话已达100次，请明天再试"));
        }
        tx.commit(Change::event("student", student_id.0, "phone", json!({ "field": "phone" }))).await?;
        Ok(reply(OwnSupervisePhone { phone: student.phone }))
    }
}

/// Whose cases somebody looks after.
struct Own {
    /// Set of a class manager.
    manager: Option<i64>,
    scope: Scope,
}

impl Own {
    /// # Errors
    /// 403 for a teacher who is no class manager.
    async fn of<K: infra::access::Clients, M: Mode>(
        caller: &Client<K, M>,
        connection: &mut PgConnection,
    ) -> Result<Self> {
        match caller.session.kind.as_str() {
            // Cases that were handed over lie in classes of others, so whose a case is decides, not where.
            "class_manager" => Ok(Self { manager: Some(caller.session.person_id), scope: Scope::whole_school() }),
            "site_staff" => {
                let site = site_of(connection, caller.session.person_id).await?;
                Ok(Self { manager: None, scope: Scope::limited(vec![site], Vec::new()) })
            }
            _ => Err(Error::new(403, "当前身份不能访问")),
        }
    }

    fn kind(&self) -> SuperviseContactBy {
        if self.manager.is_some() { SuperviseContactBy::ClassManager } else { SuperviseContactBy::SiteStaff }
    }

    /// # Errors
    /// 404 for a case of somebody else's.
    async fn may(&self, tx: &mut infra::Tx, case: i64) -> Result<()> {
        let held = hold(tx, case, &self.scope).await?;
        if self.manager.is_some() && held.manager_id != self.manager {
            return Err(Error::not_found());
        }
        Ok(())
    }
}
