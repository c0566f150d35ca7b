//! 实习 of a student and 论文成绩 of an adviser, in their clients (part 04 §8.1, §8.2).

use chrono::NaiveDate;
use infra::{Body, Change, Client, Error, Reads, Reply, Result, Saved, Scope, access::Once, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use thesis_rules::grade::InternshipTurn;

use crate::{
    StudentClient, TeacherClient, WritesOwn,
    grade::{
        GraduationPart,
        enter::{GraduationItemScore, enter, given},
        hold::held as held_grade,
    },
    internship::{
        InternshipView, Internships,
        hold::held as held_internship,
        select::with_papers,
        write::{InternshipContent, Papers, filled, put, turned},
    },
};

/// What a student writes of their internship.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnInternshipSave {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 编号
    /// 实习课程的选课编号
    pub id: i64,
    /// 版本
    /// 尚未填写时为0
    pub version: i32,
    /// 实习单位
    #[oai(validator(max_length = 100))]
    pub unit: Option<String>,
    /// 岗位
    #[oai(validator(max_length = 50))]
    pub post: Option<String>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
    /// 单位指导人
    #[oai(validator(max_length = 50))]
    pub mentor: Option<String>,
    /// 指导人电话
    #[oai(validator(max_length = 20))]
    pub mentor_phone: Option<String>,
    /// 申请免实习
    #[oai(default)]
    pub apply_waiver: bool,
    /// 实习报告
    /// 不填为保留原文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub report_file_key: Option<String>,
    /// 实习鉴定
    /// 申请免实习时为在职证明；不填为保留原文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub appraisal_file_key: Option<String>,
    /// 提交审核
    /// 否则保存为草稿
    #[oai(default)]
    pub submit: bool,
}

impl Example for OwnInternshipSave {
    fn example() -> Self {
        Self {
            request_id: "7f1c2d3e-0001".to_owned(),
            id: 1,
            version: 0,
            unit: Some("青岛海岸电子有限公司".to_owned()),
            post: Some("质检员".to_owned()),
            starts_on: None,
            ends_on: None,
            mentor: None,
            mentor_phone: None,
            apply_waiver: false,
            report_file_key: None,
            appraisal_file_key: None,
            submit: false,
        }
    }
}

/// The internships of a student.
#[derive(Debug, Clone, Object)]
pub struct OwnInternships {
    /// 实习
    pub list: Vec<InternshipView>,
}

/// What an adviser gives a thesis.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnThesisScore {
    /// 请求编号
    #[oai(validator(min_length = 8, max_length = 64))]
    pub request_id: String,
    /// 论文
    pub thesis_id: i64,
    /// 成绩
    /// 与评分项填写一种
    pub score: Option<f64>,
    /// 评分项
    #[oai(default, validator(max_items = 50))]
    pub items: Vec<GraduationItemScore>,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
}

impl Example for OwnThesisScore {
    fn example() -> Self {
        Self {
            request_id: "7f1c2d3e-0002".to_owned(),
            thesis_id: 1,
            score: Some(82.0),
            items: Vec::new(),
            comment: None,
        }
    }
}

pub struct OwnPractice;

#[OpenApi(prefix_path = "/exam/client/internship", tag = "crate::Tag::GraduationGrades")]
impl OwnPractice {
    /// 我的实习
    /// 评分和评分人在审核通过后才显示
    #[oai(path = "/view", method = "get", operation_id = "viewOwnInternships")]
    async fn view(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<OwnInternships>> {
        let mut tx = caller.read().await?;
        let ids = sqlx::query_scalar!(
            "select c.id from course_selection c join course u on u.id = c.course_id and u.kind = 'internship'
             where c.student_id = $1 and c.status in ('selected', 'completed') order by c.id desc limit 100",
            caller.session.person_id
        )
        .fetch_all(&mut *tx)
        .await?;
        let rows = Internships::rows(&mut tx, &ids, &Scope::whole_school()).await?;
        let mut list = Vec::with_capacity(rows.len());
        for row in rows {
            list.push(with_papers(&caller.app, &mut tx, row.seen_by_its_student()).await?);
        }
        list.sort_by_key(|view| std::cmp::Reverse(view.internship.id));
        Ok(reply(OwnInternships { list }))
    }

    /// 提交实习
    /// 保存草稿或提交审核
    #[oai(path = "/save", method = "post", operation_id = "saveOwnInternship")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnInternshipSave>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let held = held_internship(&mut tx, wanted.id, &Scope::whole_school()).await?;
        if held.student != caller.session.person_id {
            return Err(Error::not_found());
        }
        held.as_read(&mut tx, wanted.version).await?;
        held.to(InternshipTurn::Write)?;
        let lacks = !wanted.apply_waiver && filled(wanted.unit.clone()).is_none();
        if wanted.submit && lacks {
            return Err(Error::field("unit", "请填写实习单位"));
        }
        if wanted.submit && wanted.apply_waiver && wanted.appraisal_file_key.is_none() && held.appraisal.is_none() {
            return Err(Error::field("appraisalFileKey", "请上传在职证明"));
        }
        let content = InternshipContent {
            unit: filled(wanted.unit),
            post: filled(wanted.post),
            starts_on: wanted.starts_on,
            ends_on: wanted.ends_on,
            mentor: filled(wanted.mentor),
            mentor_phone: filled(wanted.mentor_phone),
            apply_waiver: wanted.apply_waiver,
            // What was given is not the student's.
            unit_score: held.content.unit_score,
            teacher_score: held.content.teacher_score,
        };
        let papers =
            Papers { report: wanted.report_file_key.as_deref(), appraisal: wanted.appraisal_file_key.as_deref() };
        let (id, change) = put(&mut tx, &held, &content, &papers, None).await?;
        let mut changes = vec![change];
        if wanted.submit {
            let who = (0, caller.session.person_name.as_str());
            changes.push(turned(&mut tx, &held, id, held.to(InternshipTurn::Submit)?, who, None).await?);
        }
        end(tx, changes, Saved { id: wanted.id }).await
    }
}

pub struct OwnGrades;

#[OpenApi(prefix_path = "/exam/client/thesis", tag = "crate::Tag::GraduationGrades")]
impl OwnGrades {
    /// 导师评定论文
    /// 只能评定自己指导的论文，终稿通过后评定
    #[oai(path = "/score", method = "put", operation_id = "scoreOwnThesis")]
    async fn score(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(wanted): Body<OwnThesisScore>,
    ) -> Result<Reply<Saved>> {
        let given = given(wanted.score, &wanted.items, wanted.comment.clone())?;
        if given.score.is_none() && given.items.is_empty() {
            return Err(Error::field("score", "请填写成绩"));
        }
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let selection = sqlx::query_scalar!(
            "select selection_id from thesis where id = $1 and adviser_id = $2 and status <> 'cancelled'",
            wanted.thesis_id,
            caller.session.person_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let held = held_grade(&mut tx, selection, &Scope::whole_school()).await?;
        let who = (None, caller.session.person_name.as_str());
        let change = enter(&mut tx, &held, GraduationPart::Thesis, given, who).await?;
        end(tx, vec![change], Saved { id: wanted.thesis_id }).await
    }
}

/// The operations of the clients.
pub(crate) fn api() -> impl OpenApi {
    (OwnPractice, OwnGrades)
}

/// Ends a call that may come twice.
async fn end(mut tx: Once, changes: Vec<Change>, saved: Saved) -> Result<Reply<Saved>> {
    let mut changes = changes.into_iter();
    let first = changes.next().unwrap_or_else(|| Change::nothing("internship", saved.id));
    let rest: Vec<Change> = changes.collect();
    tx.record(&rest).await?;
    tx.commit(first, saved).await
}
