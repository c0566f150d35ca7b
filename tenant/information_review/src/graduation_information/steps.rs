//! 代填, 审核, 退回 and 撤销通过 of 毕业登记 (02 §11.2).

use infra::{
    Allowed, Body, BulkResult, Edit, Reply, Result, Saved, Scope, Tx, Warned, reply,
    steps::{self, Chosen, Step, Stepped},
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditGraduationInformation, GraduationInformations, RejectGraduationInformation, ReviewGraduationInformation,
    ReviewGraduationInformations, filling::filled,
};
use crate::{
    content::GraduationInformationForm,
    enums::{InformationKind, InformationResult},
    information::{
        export::Sheet,
        held::{InformationReviewItem, held_one},
        list::{InformationFilter, InformationRow},
        review::{InformationReject, InformationReview, Verdict, turn, turn_all},
        submit::{Hand, collecting, fill, may_fill},
    },
};

const KIND: InformationKind = InformationKind::GraduationInformation;

/// What is said of many forms.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationInformationsVerdict {
    #[oai(flatten)]
    pub rows: Chosen<InformationReviewItem, InformationFilter>,
    /// 审核结果
    pub result: InformationResult,
    /// 原因
    /// 退回时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for GraduationInformationsVerdict {
    fn example() -> Self {
        let rows = Chosen::items(vec![InformationReviewItem { id: 1, version: 2 }]);
        Self { rows, result: InformationResult::Pass, remark: None }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/user/pc/graduationInformation", tag = "crate::Tag::InformationReview")]
impl Steps {
    /// 代填毕业登记
    /// 暂存，或按学生本人签字的纸质表提交；须上传纸质表扫描件，不受采集时间限制
    #[oai(path = "/edit", method = "put", operation_id = "editGraduationInformation")]
    async fn edit(
        &self,
        caller: Allowed<EditGraduationInformation>,
        Body(edit): Body<Edit<GraduationInformationForm>>,
    ) -> Result<Reply<Warned>> {
        let Edit { id, version, form } = edit;
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let (before, student) = held_one(&mut tx, KIND, id, version, &scope).await?;
        let asked = collecting(&mut tx, KIND, student.grade_id).await?;
        let (hand, now) = (Hand::Staff(&scope), tx.app().clock().now());
        may_fill(&before, &student, asked.as_ref(), hand, (form.submit, now))?;
        let filled = filled(&mut tx, form, (&before, &student), hand).await?;
        let (saved, change) = fill(&mut tx, &before, &student, filled, asked.as_ref(), hand).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 审核毕业登记
    #[oai(path = "/review", method = "post", operation_id = "reviewGraduationInformation")]
    async fn review(
        &self,
        caller: Allowed<ReviewGraduationInformation>,
        Body(wanted): Body<InformationReview>,
    ) -> Result<Reply<Warned>> {
        let id = wanted.id;
        let going = wanted.going(KIND);
        let mut tx = caller.begin().await?;
        let (warnings, change) = turn(&mut tx, going, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 退回毕业登记
    #[oai(path = "/reject", method = "post", operation_id = "rejectGraduationInformation")]
    async fn reject(
        &self,
        caller: Allowed<RejectGraduationInformation>,
        Body(wanted): Body<InformationReject>,
    ) -> Result<Reply<Saved>> {
        let id = wanted.id;
        let mut tx = caller.begin().await?;
        let (_, change) = turn(&mut tx, wanted.going(KIND), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量审核毕业登记
    #[oai(path = "/batchReview", method = "post", operation_id = "reviewGraduationInformations")]
    async fn review_all(
        &self,
        caller: Allowed<ReviewGraduationInformations>,
        Body(wanted): Body<GraduationInformationsVerdict>,
    ) -> Result<Reply<Stepped>> {
        let GraduationInformationsVerdict { rows, result, remark } = wanted;
        let step = GraduationInformationsReview { result, remark };
        step.verdict().check()?;
        Ok(reply(steps::inside(&caller, rows, step).await?))
    }
}

/// 批量审核毕业登记
#[derive(Debug, Object)]
pub(super) struct GraduationInformationsReview {
    result: InformationResult,
    remark: Option<String>,
}

impl GraduationInformationsReview {
    fn verdict(&self) -> Verdict {
        Verdict { kind: KIND, result: self.result, conclusion: None, remark: self.remark.clone() }
    }
}

impl Step for GraduationInformationsReview {
    const KIND: &'static str = "graduation_information.review";
    const TITLE: &'static str = "批量审核毕业登记";
    type Permission = ReviewGraduationInformations;
    type Item = InformationReviewItem;
    type List = Sheet<GraduationInformations>;

    fn item(row: &InformationRow) -> InformationReviewItem {
        InformationReviewItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, items: Vec<InformationReviewItem>, scope: &Scope) -> Result<BulkResult> {
        turn_all(tx, &self.verdict(), items, scope).await
    }
}
