//! 代填, 审核, 退回 and 撤销通过 of 入学资格审查 (02 §11.2).

use information_review_rules::steps::{Going, Turn};
use infra::{
    Allowed, Body, BulkResult, Edit, Reply, Result, Saved, Scope, Tx, Warned, reply,
    steps::{self, Chosen, Step, Stepped},
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AdmissionCommitments, EditAdmissionCommitment, RejectAdmissionCommitment, ReviewAdmissionCommitment,
    ReviewAdmissionCommitments, filling::filled,
};
use crate::{
    content::AdmissionCommitmentForm,
    enums::{CommitmentConclusion, InformationKind, InformationResult},
    information::{
        export::Sheet,
        held::{InformationReviewItem, held_one},
        list::{InformationFilter, InformationRow},
        review::{InformationReject, Verdict, turn, turn_all},
        submit::{Hand, collecting, fill, may_fill},
    },
};

const KIND: InformationKind = InformationKind::AdmissionCommitment;

/// What the school says of a form, with what it concludes.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AdmissionCommitmentReview {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核结果
    /// 对已通过的信息退回即撤销通过
    pub result: InformationResult,
    /// 审查结论
    /// 通过时为合格；退回时为不合格或待补材料，可不填
    pub conclusion: Option<CommitmentConclusion>,
    /// 原因
    /// 退回时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for AdmissionCommitmentReview {
    fn example() -> Self {
        Self {
            id: 1,
            version: 2,
            result: InformationResult::Pass,
            conclusion: Some(CommitmentConclusion::Qualified),
            remark: None,
        }
    }
}

/// What is said of many forms.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AdmissionCommitmentsVerdict {
    #[oai(flatten)]
    pub rows: Chosen<InformationReviewItem, InformationFilter>,
    /// 审核结果
    pub result: InformationResult,
    /// 审查结论
    /// 通过时为合格
    pub conclusion: Option<CommitmentConclusion>,
    /// 原因
    /// 退回时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for AdmissionCommitmentsVerdict {
    fn example() -> Self {
        let rows = Chosen::items(vec![InformationReviewItem { id: 1, version: 2 }]);
        Self { rows, result: InformationResult::Pass, conclusion: Some(CommitmentConclusion::Qualified), remark: None }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/user/pc/admissionCommitment", tag = "crate::Tag::InformationReview")]
impl Steps {
    /// 代填入学资格审查
    /// 暂存，或按学生本人签字的纸质表提交；须上传纸质表扫描件，不受采集时间限制
    #[oai(path = "/edit", method = "put", operation_id = "editAdmissionCommitment")]
    async fn edit(
        &self,
        caller: Allowed<EditAdmissionCommitment>,
        Body(edit): Body<Edit<AdmissionCommitmentForm>>,
    ) -> Result<Reply<Warned>> {
        let Edit { id, version, form } = edit;
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let (before, student) = held_one(&mut tx, KIND, id, version, &scope).await?;
        let asked = collecting(&mut tx, KIND, student.grade_id).await?;
        let (hand, now) = (Hand::Staff(&scope), tx.app().clock().now());
        may_fill(&before, &student, asked.as_ref(), hand, (form.submit, now))?;
        let school = caller.school.as_ref().map_or("", |school| school.name.as_str());
        let filled = filled(&mut tx, form, (&before, &student), (asked.as_ref(), school)).await?;
        let (saved, change) = fill(&mut tx, &before, &student, filled, asked.as_ref(), hand).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 审核入学资格审查
    #[oai(path = "/review", method = "post", operation_id = "reviewAdmissionCommitment")]
    async fn review(
        &self,
        caller: Allowed<ReviewAdmissionCommitment>,
        Body(wanted): Body<AdmissionCommitmentReview>,
    ) -> Result<Reply<Warned>> {
        let AdmissionCommitmentReview { id, version, result, conclusion, remark } = wanted;
        let going = Going { id, version, kind: KIND, turn: Turn::School(result), conclusion, remark };
        let mut tx = caller.begin().await?;
        let (warnings, change) = turn(&mut tx, going, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 退回入学资格审查
    #[oai(path = "/reject", method = "post", operation_id = "rejectAdmissionCommitment")]
    async fn reject(
        &self,
        caller: Allowed<RejectAdmissionCommitment>,
        Body(wanted): Body<InformationReject>,
    ) -> Result<Reply<Saved>> {
        let id = wanted.id;
        let mut tx = caller.begin().await?;
        let (_, change) = turn(&mut tx, wanted.going(KIND), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量审核入学资格审查
    #[oai(path = "/batchReview", method = "post", operation_id = "reviewAdmissionCommitments")]
    async fn review_all(
        &self,
        caller: Allowed<ReviewAdmissionCommitments>,
        Body(wanted): Body<AdmissionCommitmentsVerdict>,
    ) -> Result<Reply<Stepped>> {
        let AdmissionCommitmentsVerdict { rows, result, conclusion, remark } = wanted;
        let step = AdmissionCommitmentsReview { result, conclusion, remark };
        step.verdict().check()?;
        Ok(reply(steps::inside(&caller, rows, step).await?))
    }
}

/// 批量审核入学资格审查
#[derive(Debug, Object)]
pub(super) struct AdmissionCommitmentsReview {
    result: InformationResult,
    conclusion: Option<CommitmentConclusion>,
    remark: Option<String>,
}

impl AdmissionCommitmentsReview {
    fn verdict(&self) -> Verdict {
        Verdict { kind: KIND, result: self.result, conclusion: self.conclusion, remark: self.remark.clone() }
    }
}

impl Step for AdmissionCommitmentsReview {
    const KIND: &'static str = "admission_commitment.review";
    const TITLE: &'static str = "批量审核入学资格审查";
    type Permission = ReviewAdmissionCommitments;
    type Item = InformationReviewItem;
    type List = Sheet<AdmissionCommitments>;

    fn item(row: &InformationRow) -> InformationReviewItem {
        InformationReviewItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, items: Vec<InformationReviewItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, &self.verdict(), items, scope).await
    }
}
