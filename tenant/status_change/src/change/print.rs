//! 打印学籍异动审批表: what the browser prints on A4 (02 §10): the person, both placements, the reason, the opinions of the
//! sites and the school, and the number of the filing.

use chrono::NaiveDate;
use infra::{Allowed, Error, Reply, Result, mask, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use student_status::{
    enums::StudentStatus,
    id_card::Gender,
    roster::{Letterhead, letterhead},
};

use super::{ChangeStage, ChangeStep, ChangeView, Changes, ViewChange, select::viewed};

/// What stands on the paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangePrint {
    #[oai(flatten)]
    pub view: ChangeView,
    /// 院校
    pub school_name: String,
    /// 页眉
    pub header: String,
    /// 学院信息
    pub office: Option<String>,
    /// 性别
    pub gender: Option<Gender>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: Option<String>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 预计毕业
    pub expected_graduation_on: NaiveDate,
    /// 学籍状态
    pub student_status: StudentStatus,
    /// 原站点意见
    pub site_opinion: Option<ChangeStep>,
    /// 接收站点意见
    pub target_site_opinion: Option<ChangeStep>,
    /// 学校意见
    pub school_opinion: Option<ChangeStep>,
}

pub struct Print;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Print {
    /// 打印异动审批表
    #[oai(path = "/print", method = "get", operation_id = "printChange")]
    async fn print(
        &self,
        caller: Allowed<ViewChange>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ChangePrint>> {
        let mut tx = caller.read().await?;
        let change = Changes::find(&mut tx, id.0, &caller.scope()).await?;
        let student = change.student_id;
        let view = viewed(caller.app(), &mut tx, vec![change]).await?.pop().ok_or_else(Error::not_found)?;
        let person = sqlx::query!(
            r#"select gender as "gender: Gender", examinee_no, id_card_no, phone, enrolled_on, expected_graduation_on,
                      status as "status: StudentStatus"
               from student where id = $1"#,
            student
        )
        .fetch_one(&mut *tx)
        .await?;
        let opinion = |stage| view.steps.iter().rev().find(|step| step.step == stage).cloned();
        let school = caller.school.as_ref().ok_or_else(Error::not_found)?;
        let Letterhead { header, office, .. } = letterhead(caller.app(), &mut tx).await?;
        Ok(reply(ChangePrint {
            header: header.unwrap_or_else(|| school.name.clone()),
            office,
            school_name: school.name.clone(),
            gender: person.gender,
            examinee_no: person.examinee_no,
            id_card_no: mask::id_card(&person.id_card_no),
            phone: person.phone.as_deref().map(mask::phone),
            enrolled_on: person.enrolled_on,
            expected_graduation_on: person.expected_graduation_on,
            student_status: person.status,
            site_opinion: opinion(ChangeStage::Site),
            target_site_opinion: opinion(ChangeStage::TargetSite),
            school_opinion: opinion(ChangeStage::School),
            view,
        }))
    }
}
