//! What learners ask of this module: to teach, where their money is to go, and for it (01 §9.11).

use catalogue::client::LearnerClient;
use infra::{Body, Customer, Error, Reply, Result, Saved, Writes, reply};
use lecturer_rules::lecturer::LecturerForm;
use poem_openapi::{Object, OpenApi, types::Example};
use settings::sensitive::{Screened, screen_field};

use crate::{
    bank::{card_of, keep},
    extract::{self, BankCard, ExtractStatus},
    lecturer::{agreed_proportion, usual_proportion},
    lecturer_audit,
};

/// Who wants to teach. Their part of each sale is the operator's to say.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LecturerApplication {
    /// 姓名
    #[oai(validator(max_length = 30))]
    pub lecturer_name: String,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ *]+@[^@ *]+[.][^@ *]+$"))]
    pub email: Option<String>,
    /// 职位
    #[oai(validator(max_length = 50))]
    pub position: Option<String>,
    /// 头像
    /// 请上传图片，或填写以 https:// 开头的图片地址
    #[oai(validator(
        max_length = 300,
        pattern = r"^(https://[^\s/\\?#@]+([/?#][^\s\\]*)?|/admin/files(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$"
    ))]
    pub head_img: Option<String>,
    /// 简介
    #[oai(validator(max_length = 2000))]
    pub introduce: Option<String>,
}

impl Example for LecturerApplication {
    fn example() -> Self {
        Self {
            lecturer_name: "江若宁".to_owned(),
            phone: "13900000031".to_owned(),
            email: None,
            position: Some("讲师".to_owned()),
            head_img: None,
            introduce: Some("从事成人学历教育英语教学十年".to_owned()),
        }
    }
}

/// How much somebody wants.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExtractWanted {
    /// 提现金额(分)
    #[oai(validator(minimum(value = "1"), maximum(value = "100000000000")))]
    pub amount: i64,
}

impl Example for ExtractWanted {
    fn example() -> Self {
        Self { amount: 10_000 }
    }
}

/// A withdrawal that waits, and what is left.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExtractApplied {
    /// 编号
    pub id: i64,
    /// 提现金额(分)
    pub amount: i64,
    /// 状态
    pub status: ExtractStatus,
    /// 可提现余额(分)
    pub available: i64,
    /// 冻结金额(分)
    pub frozen: i64,
}

pub struct OwnLecturer;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::Lecturers")]
impl OwnLecturer {
    /// 申请讲师
    /// 审核通过后成为讲师；已是讲师的，通过后更新资料，分成比例不变
    #[oai(path = "/lecturer/apply", method = "post", operation_id = "applyLecturer")]
    async fn apply(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<LecturerApplication>,
    ) -> Result<Reply<Saved>> {
        let (app, learner) = (&caller.app, caller.session.person_id);
        let introduce = match form.introduce {
            None => None,
            // It waits for an auditor in any case.
            Some(text) => match screen_field(app, "introduce", &text).await? {
                Screened::Publish(text) | Screened::Review(text) => Some(text),
            },
        };
        let usual = usual_proportion(app).await?;
        let mut tx = caller.begin().await?;
        let proportion = agreed_proportion(&mut tx, learner).await?.unwrap_or(usual);
        let form = LecturerForm {
            lecturer_name: form.lecturer_name,
            phone: form.phone,
            email: form.email,
            position: form.position,
            head_img: form.head_img,
            lecturer_proportion: None,
            introduce,
        };
        let (id, change) = lecturer_audit::apply(&mut tx, learner, form, proportion).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 保存银行卡
    /// 每人一张，再次保存时替换；已申请的提现仍付到原卡
    #[oai(path = "/account/bank", method = "post", operation_id = "saveBankCard")]
    async fn bank(&self, caller: Customer<LearnerClient, Writes>, Body(card): Body<BankCard>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = keep(&mut tx, caller.session.person_id, card).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 申请提现
    /// 付到已保存的银行卡；审核、打款前金额冻结
    #[oai(path = "/account/extract", method = "post", operation_id = "applyExtract")]
    async fn extract(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(wanted): Body<ExtractWanted>,
    ) -> Result<Reply<ExtractApplied>> {
        let learner = caller.session.person_id;
        let mut tx = caller.begin().await?;
        let card = card_of(&mut tx, learner).await?.ok_or_else(|| Error::conflict("请先保存收款银行卡"))?;
        let (id, change) = extract::apply(&mut tx, learner, wanted.amount, &card).await?;
        let left = sqlx::query!("select available, frozen from platform.user_account where learner_id = $1", learner)
            .fetch_one(&mut *tx)
            .await?;
        tx.commit(change).await?;
        Ok(reply(ExtractApplied {
            id,
            amount: wanted.amount,
            status: ExtractStatus::Pending,
            available: left.available,
            frozen: left.frozen,
        }))
    }
}
