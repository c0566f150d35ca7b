//! 毕业登记 in the student's own client (02 §13).

use infra::{Body, Change, Client, Reads, Reply, Result, Tx, Warned, Writes, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::filling::filled;
use crate::{
    StudentClient,
    content::GraduationInformationForm,
    enums::InformationKind,
    information::{
        held::held_own,
        submit::{Hand, collecting, fill, may_fill},
        view::{InformationView, of_student},
    },
};

const KIND: InformationKind = InformationKind::GraduationInformation;

/// 毕业登记, filled in by the student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnGraduationInformationForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 版本
    pub version: i32,
    /// 已完成人脸核验
    /// 由客户端核验
    #[oai(default)]
    pub face_verified: bool,
    #[oai(flatten)]
    pub form: GraduationInformationForm,
}

impl Example for OwnGraduationInformationForm {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c60".to_owned(),
            version: 1,
            face_verified: false,
            form: GraduationInformationForm::example(),
        }
    }
}

pub struct Own;

#[OpenApi(prefix_path = "/user/client/graduationInformation", tag = "crate::Tag::InformationReview")]
impl Own {
    /// 我的毕业登记
    #[oai(path = "/view", method = "get", operation_id = "viewOwnGraduationInformation")]
    async fn view(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<InformationView>> {
        let mut tx = caller.read().await?;
        let student = caller.session.person_id;
        Ok(reply(of_student(&caller.app, &mut tx, KIND, student, &caller.school.name).await?))
    }

    /// 暂存我的毕业登记
    #[oai(path = "/save", method = "put", operation_id = "saveOwnGraduationInformation")]
    async fn save(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnGraduationInformationForm>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let (saved, change) = fill_own(&mut tx, &caller, wanted, false).await?;
        tx.commit(change, saved).await
    }

    /// 提交我的毕业登记
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnGraduationInformation")]
    async fn submit(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnGraduationInformationForm>,
    ) -> Result<Reply<Warned>> {
        caller.in_person("代登录不能代替学生提交和签署，请在后台代填")?;
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let (saved, change) = fill_own(&mut tx, &caller, wanted, true).await?;
        tx.commit(change, saved).await
    }
}

async fn fill_own(
    tx: &mut Tx,
    caller: &Client<StudentClient, Writes>,
    wanted: OwnGraduationInformationForm,
    submit: bool,
) -> Result<(Warned, Change)> {
    let OwnGraduationInformationForm { version, face_verified, form, .. } = wanted;
    let form = GraduationInformationForm { submit, ..form };
    let (before, student) = held_own(tx, KIND, caller.session.person_id).await?;
    let asked = collecting(tx, KIND, student.grade_id).await?;
    let account = caller.session.acting.as_ref().map(|acting| acting.user_id);
    let hand = Hand::Student { ip: &caller.visit.ip, face: face_verified, account };
    may_fill(&before, &student, asked.as_ref(), hand, (submit, tx.app().clock().now()))?;
    if before.version != version {
        return Err(tx.stale("student_information", before.id).await);
    }
    let filled = filled(tx, form, (&before, &student), hand).await?;
    fill(tx, &before, &student, filled, asked.as_ref(), hand).await
}
