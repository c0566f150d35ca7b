//! What students see and change of their own file in their client (02 §13).

use infra::{Body, Change, Client, Error, Reads, Reply, Result, Saved, Scope, Tx, Writes, clients, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status_rules::{check::unmasked, edit::whole, form::FreeFields, student::Student};

use super::{
    edit::lock,
    find,
    history::{StudentStatusChange, of_student},
    view::{StudentDetail, detail},
};

clients! {
    /// Students.
    pub StudentClient = "student";
}

/// How a student is to be reached and where they work; what is left out is emptied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentProfileForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 版本
    pub version: i32,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 通讯地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 邮编
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub postal_code: Option<String>,
    /// 工作单位
    #[oai(validator(max_length = 100))]
    pub work_unit: Option<String>,
    /// 职业
    #[oai(validator(max_length = 60))]
    pub occupation: Option<String>,
    /// 籍贯
    #[oai(validator(max_length = 100))]
    pub native_place: Option<String>,
    /// 户口所在地
    #[oai(validator(max_length = 200))]
    pub hukou_place: Option<String>,
    /// 紧急联系人
    #[oai(validator(max_length = 50))]
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    #[oai(validator(pattern = "^[0-9*-]{5,20}$"))]
    pub emergency_phone: Option<String>,
}

impl Example for StudentProfileForm {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c70".to_owned(),
            version: 1,
            phone: Some("13800138000".to_owned()),
            email: None,
            address: None,
            postal_code: None,
            work_unit: Some("江城机械厂".to_owned()),
            occupation: None,
            native_place: None,
            hukou_place: None,
            emergency_contact: None,
            emergency_phone: None,
        }
    }
}

pub struct Own;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::StudentStatus")]
impl Own {
    /// 我的资料
    #[oai(path = "/profile/view", method = "get", operation_id = "viewStudentProfile")]
    async fn view(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<StudentDetail>> {
        let mut tx = caller.read().await?;
        let own = find(&mut tx, Some(caller.session.person_id), None, &Scope::whole_school()).await?;
        // What staff noted beside somebody is not for them.
        let own = Student { remark: None, register_message: None, ..own };
        Ok(reply(detail(&caller.app, &mut tx, own).await?))
    }

    /// 修改我的资料
    /// 联系方式和工作信息；姓名、证件号等请申请信息更正
    #[oai(path = "/profile/edit", method = "put", operation_id = "editStudentProfile")]
    async fn edit(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<StudentProfileForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let before = lock(&mut tx, caller.session.person_id, &Scope::whole_school()).await?;
        if !before.status.is_active() {
            return Err(Error::conflict(format!("当前学籍状态为{}，不能修改资料", before.status.zh())));
        }
        if before.version != wanted.version {
            return Err(tx.stale("student", before.id).await);
        }
        // What came back masked was not typed.
        let typed = FreeFields {
            phone: wanted.phone,
            email: wanted.email,
            address: wanted.address,
            postal_code: wanted.postal_code,
            work_unit: wanted.work_unit,
            occupation: wanted.occupation,
            native_place: wanted.native_place,
            hukou_place: wanted.hukou_place,
            emergency_contact: wanted.emergency_contact,
            emergency_phone: wanted.emergency_phone,
            ..FreeFields::default()
        };
        let free = whole(typed, &before);
        let wrong = unmasked(&free);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        update(&mut tx, before.id, &free).await?;
        let after = find(&mut tx, Some(before.id), None, &Scope::whole_school()).await?;
        tx.commit(Change::edited("student", before.id, &before, &after), Saved { id: before.id }).await
    }

    /// 我的学籍变动
    #[oai(path = "/statusHistory/list", method = "get", operation_id = "listOwnStatusHistory")]
    async fn history(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<Vec<StudentStatusChange>>> {
        let mut tx = caller.read().await?;
        Ok(reply(of_student(&caller.app, &mut tx, caller.session.person_id).await?))
    }
}

async fn update(tx: &mut Tx, id: i64, free: &FreeFields) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update student set phone = $2, email = $3, address = $4, postal_code = $5, work_unit = $6, occupation = $7,
                native_place = $8, hukou_place = $9, emergency_contact = $10, emergency_phone = $11, updated_at = now(),
                updated_by = $12, version = version + 1
         where id = $1",
        id,
        free.phone,
        free.email,
        free.address,
        free.postal_code,
        free.work_unit,
        free.occupation,
        free.native_place,
        free.hukou_place,
        free.emergency_contact,
        free.emergency_phone,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
