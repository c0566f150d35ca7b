//! Theses in the clients: a student chooses, hands in and reads what is said; the adviser decides (part 04 §8.1).

use infra::{
    Body, Change, Client, Error, OnConstraint, Reads, Reply, Result, Saved, Scope, Tx, across::Keyed, naming::tidy,
    pinyin, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use thesis_rules::{
    enums::{SelectMode, ThesisDocumentKind, ThesisStage, ThesisStageStatus, ThesisStatus, TopicMode},
    stage::ThesisTurn,
    title,
};

use crate::{
    StudentClient, TeacherClient, WritesOwn,
    thesis::{
        StudentThesis, Theses,
        document::{By, Decider, decide, extended, hand_in},
        hold::{Held, held, turned},
        topics::{give_back, take, topic},
        view::{ThesisDocument, ThesisView, documents, of},
    },
    topic::{ThesisTopic, ThesisTopics, told},
};

/// A topic that a student chooses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnTopicSelect {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 选题
    pub topic_id: i64,
}

impl Example for OwnTopicSelect {
    fn example() -> Self {
        Self { request_id: "7f1c2d3e-0001".to_owned(), topic_id: 1 }
    }
}

/// A topic that a student proposes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnTopicPropose {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 题目
    #[oai(validator(min_length = 5, max_length = 60))]
    pub title: String,
    /// 说明
    #[oai(validator(max_length = 1000))]
    pub description: Option<String>,
}

impl Example for OwnTopicPropose {
    fn example() -> Self {
        Self {
            request_id: "7f1c2d3e-0002".to_owned(), title: "小微企业成本控制研究".to_owned(), description: None
        }
    }
}

/// A document that a student hands in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnDocumentSave {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 文稿类型
    pub kind: ThesisDocumentKind,
    /// 文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub file_key: String,
}

impl Example for OwnDocumentSave {
    fn example() -> Self {
        Self {
            request_id: "7f1c2d3e-0003".to_owned(),
            kind: ThesisDocumentKind::Draft,
            file_key: "private/2026/03/a.pdf".to_owned(),
        }
    }
}

/// What an adviser decides.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnThesisDecide {
    /// 论文
    pub thesis_id: i64,
    /// 通过
    /// 选题阶段为同意指导
    pub pass: bool,
    /// 意见
    /// 退回时必填
    #[oai(validator(max_length = 500))]
    pub comment: Option<String>,
    /// 版本
    pub version: i32,
}

impl Example for OwnThesisDecide {
    fn example() -> Self {
        Self { thesis_id: 1, pass: true, comment: None, version: 1 }
    }
}

/// Topics that a student may choose.
#[derive(Debug, Clone, Object)]
pub struct OwnTopics {
    /// 选题
    pub list: Vec<ThesisTopic>,
}

/// What was said of a student's documents.
#[derive(Debug, Clone, Object)]
pub struct OwnComments {
    /// 文稿和意见
    pub list: Vec<ThesisDocument>,
}

/// The theses that a teacher advises.
#[derive(Debug, Clone, Object)]
pub struct AdvisedTheses {
    /// 论文
    pub list: Vec<StudentThesis>,
}

pub struct OwnThesis;

#[OpenApi(prefix_path = "/exam/client/thesis", tag = "crate::Tag::Thesis")]
impl OwnThesis {
    /// 我的论文
    #[oai(path = "/view", method = "get", operation_id = "viewOwnThesis")]
    async fn view(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<ThesisView>> {
        let mut tx = caller.read().await?;
        let id = own(&mut tx, caller.session.person_id).await?;
        let thesis = Theses::find(&mut tx, id, &Scope::whole_school()).await?;
        let mut view = of(&caller.app, &mut tx, thesis).await?;
        // What reviewers gave is told with the published score; their words are for the student at once.
        if view.thesis.status == ThesisStatus::Active {
            view.thesis.review_score = None;
            for review in &mut view.reviews {
                (review.score, review.items) = (None, Vec::new());
            }
        }
        Ok(reply(view))
    }

    /// 可选论文题目
    #[oai(path = "/topics", method = "get", operation_id = "listOwnThesisTopics")]
    async fn topics(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<OwnTopics>> {
        let mut tx = caller.read().await?;
        let id = own(&mut tx, caller.session.person_id).await?;
        let ids = sqlx::query_scalar!(
            "select p.id from thesis t
             join thesis_topic p on p.plan_id = t.plan_id and p.status = 'approved' and p.taken < p.capacity
             join student y on y.id = t.student_id
             join thesis_plan l on l.id = t.plan_id
             where t.id = $1 and (l.topic_mode <> 'self' or p.proposed_by is not null) and (p.major_ids = '{}' or y.major_id = any(p.major_ids))
               and (p.proposed_by is null or p.proposed_by = t.student_id)
             order by p.id limit 1000",
            id
        )
        .fetch_all(&mut *tx)
        .await?;
        let list = ThesisTopics::rows(&mut tx, &ids, &Scope::whole_school()).await?;
        Ok(reply(OwnTopics { list }))
    }

    /// 选择论文题目
    #[oai(path = "/topic/select", method = "post", operation_id = "selectOwnThesisTopic")]
    async fn select(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnTopicSelect>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let id = own(&mut tx, caller.session.person_id).await?;
        let thesis = held(&mut tx, id, &[wanted.topic_id], &Scope::whole_school()).await?;
        in_time(&mut tx, &thesis).await?;
        let topic = topic(&mut tx, wanted.topic_id).await?;
        match topic.proposed_by {
            Some(proposer) if proposer == thesis.student_id => {}
            Some(_) => return Err(Error::not_found()),
            None if thesis.topic_mode == TopicMode::Own || thesis.select_mode == SelectMode::Assigned => {
                return Err(Error::conflict("本批次不能自行选择题库中的题目"));
            }
            None => {}
        }
        let changes = take(&mut tx, &thesis, &topic, true).await?;
        end(tx, changes, Saved { id }).await
    }

    /// 自拟论文题目
    /// 审核通过后由导师确认
    #[oai(path = "/topic/propose", method = "post", operation_id = "proposeOwnThesisTopic")]
    async fn propose(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnTopicPropose>,
    ) -> Result<Reply<Saved>> {
        title::fits(&wanted.title).map_err(|why| Error::field("title", why))?;
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let student = caller.session.person_id;
        let id = own(&mut tx, student).await?;
        let thesis = held(&mut tx, id, &[], &Scope::whole_school()).await?;
        in_time(&mut tx, &thesis).await?;
        if thesis.topic_mode == TopicMode::Pool {
            return Err(Error::conflict("本批次只能选择题库中的题目"));
        }
        if thesis.stage != ThesisStage::Topic {
            return Err(Error::conflict(format!("论文已进入{}阶段，不能再申报题目", thesis.stage.zh())));
        }
        let waits = sqlx::query_scalar!(
            r#"select exists (select from thesis_topic where plan_id = $1 and proposed_by = $2 and status = 'submitted') as "waits!""#,
            thesis.plan_id,
            student
        )
        .fetch_one(&mut **tx)
        .await?;
        if waits {
            return Err(Error::conflict("您申报的题目正在审核，请等待结果"));
        }
        let name = tidy(&wanted.title);
        let topic = sqlx::query_scalar!(
            "insert into thesis_topic (plan_id, title, title_key, initials, proposed_by, source, description, capacity, status,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, 'self', $6, 1, 'submitted', 0, 0) returning id",
            thesis.plan_id,
            name,
            title::key(&name),
            pinyin::initials(&name),
            student,
            wanted.description
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(told)?;
        let what = json!({ "title": name, "proposedBy": student });
        end(tx, vec![Change::event("thesis_topic", topic, "insert", what)], Saved { id: topic }).await
    }

    /// 提交论文文稿
    #[oai(path = "/document/save", method = "post", operation_id = "saveOwnThesisDocument")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnDocumentSave>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let id = own(&mut tx, caller.session.person_id).await?;
        let thesis = held(&mut tx, id, &[], &Scope::whole_school()).await?;
        let by = By { kind: "student", name: caller.session.person_name.clone() };
        let changes = hand_in(&mut tx, &thesis, wanted.kind, &wanted.file_key, &by).await?;
        end(tx, changes, Saved { id }).await
    }

    /// 论文批阅意见
    #[oai(path = "/comments", method = "get", operation_id = "listOwnThesisComments")]
    async fn comments(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<OwnComments>> {
        let mut tx = caller.read().await?;
        let id = own(&mut tx, caller.session.person_id).await?;
        Ok(reply(OwnComments { list: documents(&caller.app, &mut tx, id).await? }))
    }

    /// 指导的论文
    #[oai(path = "/list", method = "get", operation_id = "listAdvisedTheses")]
    async fn list(&self, caller: Client<TeacherClient, Reads>) -> Result<Reply<AdvisedTheses>> {
        let mut tx = caller.read().await?;
        let ids = sqlx::query_scalar!(
            "select id from thesis where adviser_id = $1 and status <> 'cancelled' order by id desc limit 1000",
            caller.session.person_id
        )
        .fetch_all(&mut *tx)
        .await?;
        let list = Theses::rows(&mut tx, &ids, &Scope::whole_school()).await?;
        Ok(reply(AdvisedTheses { list }))
    }

    /// 导师审阅文稿
    /// 选题待确认时为同意或不同意指导
    #[oai(path = "/decide", method = "put", operation_id = "decideOwnThesis")]
    async fn decide(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(wanted): Body<OwnThesisDecide>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let thesis = held(&mut tx, wanted.thesis_id, &[], &Scope::whole_school()).await?;
        let teacher = caller.session.person_id;
        if thesis.adviser_id != Some(teacher) {
            return Err(Error::not_found());
        }
        thesis.as_read(&mut tx, wanted.version).await?;
        let waits = (thesis.stage, thesis.stage_status) == (ThesisStage::Topic, ThesisStageStatus::Submitted);
        let changes = if waits {
            vec![confirmed(&mut tx, &thesis, &wanted).await?]
        } else {
            let who = Decider { kind: "teacher", id: teacher, name: caller.session.person_name.clone() };
            decide(&mut tx, &thesis, wanted.pass, wanted.comment.as_deref(), &who).await?
        };
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.thesis_id }))
    }
}

/// The operations of the clients.
pub(crate) fn api() -> impl OpenApi {
    OwnThesis
}

/// The thesis at which a student works, else their last one.
async fn own(connection: &mut sqlx::PgConnection, student: i64) -> Result<i64> {
    sqlx::query_scalar!(
        "select id from thesis where student_id = $1 and status <> 'cancelled'
         order by status = 'active' desc, attempt_no desc, id desc limit 1",
        student
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::new(404, "您还没有论文任务"))
}

/// # Errors
/// 409 for a thesis that does not go on, and beside the days in which topics are chosen, with the extension that the student got.
async fn in_time(tx: &mut Tx, thesis: &Held) -> Result<()> {
    thesis.goes_on()?;
    let today = tx.app().clock().today();
    let extended = extended(tx, thesis).await?;
    let early = thesis.topic_from.is_some_and(|from| today < from);
    let late = thesis.topic_to.is_some_and(|to| today > to.max(extended.unwrap_or(to)));
    if early || late { Err(Error::conflict("不在选题时间内")) } else { Ok(()) }
}

/// The adviser agrees to a topic that was chosen, or declines: its place is free again.
async fn confirmed(tx: &mut Tx, thesis: &Held, wanted: &OwnThesisDecide) -> Result<Change> {
    thesis.goes_on()?;
    if wanted.pass {
        return turned(tx, thesis, thesis.to(ThesisTurn::TakeTopic)?, None).await;
    }
    let comment = wanted.comment.as_deref().map(str::trim).filter(|comment| !comment.is_empty());
    let comment = comment.ok_or_else(|| Error::field("comment", "请填写不同意的原因"))?;
    give_back(tx, thesis).await?;
    sqlx::query!(
        "update thesis set topic_id = null, adviser_id = null, updated_at = now(), updated_by = 0, version = version + 1
         where id = $1",
        thesis.id
    )
    .execute(&mut **tx)
    .await?;
    crate::thesis::document::tell_returned(tx, thesis, comment).await?;
    turned(tx, thesis, thesis.to(ThesisTurn::DeclineTopic)?, Some(comment)).await
}

/// Ends a call that may come twice.
async fn end(mut tx: infra::access::Once, changes: Vec<Change>, saved: Saved) -> Result<Reply<Saved>> {
    let mut changes = changes.into_iter();
    let first = changes.next().unwrap_or_else(|| Change::nothing("thesis", saved.id));
    let rest: Vec<Change> = changes.collect();
    tx.record(&rest).await?;
    tx.commit(first, saved).await
}
