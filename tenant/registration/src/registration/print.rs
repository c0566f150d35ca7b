//! 打印: 入学登记表 and 报到单 of one person, on A4 by the browser (02 §7).

use chrono::NaiveDate;
use infra::{Allowed, App, Reply, Result, clock::Moment, mask, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status::{
    enums::{ExamCategory, PreEduLevel},
    roster::{Letterhead, letterhead},
    student::references::{Word, words},
};

use super::{
    PrintRegistration,
    view::{Kept, RegistrationView, view},
};
use crate::enums::ArrivalPaper;

/// What the authority and the person say beside the registration.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PrintedAdmission {
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 民族
    pub ethnicity_name: Option<String>,
    /// 政治面貌
    pub political_status_name: Option<String>,
    /// 通讯地址
    pub address: Option<String>,
    /// 邮编
    pub postal_code: Option<String>,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 毕业院校
    pub pre_edu_school: Option<String>,
    /// 毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 参加工作日期
    pub work_started_on: Option<NaiveDate>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 总分
    pub total_score: Option<f64>,
    /// 录取日期
    pub admitted_on: Option<NaiveDate>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
}

/// A page about one person; numbers are masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationPrint {
    /// 院校
    pub school_name: String,
    /// 页眉
    pub header: String,
    /// 学院信息
    pub office: Option<String>,
    /// 印章地址
    pub seal_url: Option<String>,
    /// 报到材料打印
    pub doc: ArrivalPaper,
    /// 打印时间
    pub printed_at: Moment,
    /// 报到
    pub registration: RegistrationView,
    /// 录取
    pub admission: PrintedAdmission,
}

pub struct Print;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Print {
    /// 打印报到材料
    #[oai(path = "/print", method = "get", operation_id = "printRegistration")]
    async fn print(
        &self,
        caller: Allowed<PrintRegistration>,
        /// 编号
        id: Query<i64>,
        /// 报到材料打印
        doc: Query<ArrivalPaper>,
    ) -> Result<Reply<RegistrationPrint>> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let registration = view(app, &mut tx, id.0, &caller.scope(), Kept::Live).await?;
        let admission = admission(app, &mut tx, registration.row.id).await?;
        let school_name = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let Letterhead { header, office, seal_url } = letterhead(app, &mut tx).await?;
        Ok(reply(RegistrationPrint {
            header: header.unwrap_or_else(|| school_name.clone()),
            school_name,
            office,
            seal_url,
            doc: doc.0,
            printed_at: app.clock().now(),
            registration,
            admission,
        }))
    }
}

/// What stands in the admission of a registration that the caller sees, masked.
async fn admission(app: &App, connection: &mut PgConnection, registration: i64) -> Result<PrintedAdmission> {
    let found = sqlx::query!(
        r#"select a.ticket_no, a.ethnicity, a.political_status, a.address, a.postal_code,
                  a.pre_edu_level as "pre_edu_level: PreEduLevel", a.pre_edu_school, a.pre_edu_graduated_on,
                  a.work_started_on, a.exam_category as "exam_category: ExamCategory",
                  (a.total_score / 10.0)::float8 as total_score, a.admitted_on, b.enrolled_on
           from registration r
           join admission a on a.id = r.admission_id
           join enrollment_batch b on b.id = r.batch_id
           where r.id = $1"#,
        registration
    )
    .fetch_one(connection)
    .await?;
    let (ethnicities, political) = words(app).await?;
    let label = |words: &[Word], value: Option<&str>| {
        words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
    };
    Ok(PrintedAdmission {
        ticket_no: found.ticket_no,
        ethnicity_name: label(&ethnicities, found.ethnicity.as_deref()),
        political_status_name: label(&political, found.political_status.as_deref()),
        address: found.address.as_deref().map(mask::address),
        postal_code: found.postal_code,
        pre_edu_level: found.pre_edu_level,
        pre_edu_school: found.pre_edu_school,
        pre_edu_graduated_on: found.pre_edu_graduated_on,
        work_started_on: found.work_started_on,
        exam_category: found.exam_category,
        total_score: found.total_score,
        admitted_on: found.admitted_on,
        enrolled_on: found.enrolled_on,
    })
}
