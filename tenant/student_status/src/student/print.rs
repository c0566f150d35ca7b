//! 学籍登记表 of one student, on A4 by the browser (02 §9.11).

use chrono::NaiveDate;
use infra::{Allowed, Reply, Result, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::ParseFromJSON};
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    ViewStudent, find,
    history::{StudentStatusChange, of_student},
    view::{StudentDetail, detail},
};
use crate::roster::{Letterhead, letterhead};

/// A line of the résumé that the student stated at 学籍注册信息核对.
#[derive(Debug, Clone, Object)]
pub struct PrintedResumeLine {
    /// 起始年月
    pub from: String,
    /// 截止年月
    pub to: Option<String>,
    /// 学校或单位
    pub unit: String,
    /// 职务
    pub duty: Option<String>,
    /// 证明人
    pub witness: Option<String>,
}

/// A page about one student; numbers are masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentPrint {
    /// 院校
    pub school_name: String,
    /// 页眉
    pub header: String,
    /// 学院信息
    pub office: Option<String>,
    /// 印章地址
    pub seal_url: Option<String>,
    /// 打印时间
    pub printed_at: Moment,
    /// 学籍
    pub student: StudentDetail,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 录取日期
    pub admitted_on: Option<NaiveDate>,
    /// 简历
    pub resume: Vec<PrintedResumeLine>,
    /// 学籍变动
    pub history: Vec<StudentStatusChange>,
}

pub struct Print;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Print {
    /// 打印学籍登记表
    #[oai(path = "/print", method = "get", operation_id = "printStudent")]
    async fn print(
        &self,
        caller: Allowed<ViewStudent>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<StudentPrint>> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let student = find(&mut tx, Some(id.0), None, &caller.scope()).await?;
        let history = of_student(app, &mut tx, student.id).await?;
        let (ticket_no, admitted_on) = admission(&mut tx, student.id).await?;
        let resume = resume(&mut tx, student.id).await?;
        let school_name = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let Letterhead { header, office, seal_url } = letterhead(app, &mut tx).await?;
        Ok(reply(StudentPrint {
            header: header.unwrap_or_else(|| school_name.clone()),
            school_name,
            office,
            seal_url,
            printed_at: app.clock().now(),
            student: detail(app, &mut tx, student).await?,
            ticket_no,
            admitted_on,
            resume,
            history,
        }))
    }
}

async fn admission(connection: &mut PgConnection, student: i64) -> Result<(Option<String>, Option<NaiveDate>)> {
    let found = sqlx::query!(
        "select a.ticket_no, a.admitted_on from student s join admission a on a.id = s.admission_id where s.id = $1",
        student
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.map(|row| (row.ticket_no, row.admitted_on)).unwrap_or_default())
}

/// What the student stated, once somebody had looked at it.
async fn resume(connection: &mut PgConnection, student: i64) -> Result<Vec<PrintedResumeLine>> {
    let stated: Option<Value> = sqlx::query_scalar!(
        "select content -> 'resume' from student_information
         where student_id = $1 and kind = 'admission_information' and status = 'approved'",
        student
    )
    .fetch_optional(connection)
    .await?
    .flatten();
    Ok(stated.and_then(|lines| Vec::parse_from_json(Some(lines)).ok()).unwrap_or_default())
}
