//! 批量鉴定意见: what class, site and school say of students who graduate (02 §11.1).

use information_review_rules::opinion;
use infra::{
    Allowed, Body, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::check::NOT_YOURS;

use super::{EditGraduationInformation, GraduationInformations};
use crate::{
    enums::InformationKind,
    information::{
        export::Sheet,
        held::{InformationReviewItem, counts, held_one, hold_all},
        list::{InformationFilter, InformationRow},
        named,
    },
};

/// What is said of some students; an opinion that is left out stays as it is.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationOpinions {
    #[oai(flatten)]
    pub rows: Chosen<InformationReviewItem, InformationFilter>,
    /// 班级鉴定意见
    #[oai(validator(max_length = 200))]
    pub class_opinion: Option<String>,
    /// 站点鉴定意见
    #[oai(validator(max_length = 200))]
    pub site_opinion: Option<String>,
    /// 学校鉴定意见
    #[oai(validator(max_length = 200))]
    pub school_opinion: Option<String>,
}

impl Example for GraduationOpinions {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![InformationReviewItem { id: 1, version: 1 }]),
            class_opinion: Some("该生学习认真，表现良好。".to_owned()),
            site_opinion: None,
            school_opinion: None,
        }
    }
}

pub struct Opinions;

#[OpenApi(prefix_path = "/user/pc/graduationInformation", tag = "crate::Tag::InformationReview")]
impl Opinions {
    /// 批量鉴定意见
    /// 至少填写一项；未填的保持不变
    #[oai(path = "/opinion", method = "put", operation_id = "writeGraduationOpinions")]
    async fn write(
        &self,
        caller: Allowed<EditGraduationInformation>,
        Body(wanted): Body<GraduationOpinions>,
    ) -> Result<Reply<Stepped>> {
        let GraduationOpinions { rows, class_opinion, site_opinion, school_opinion } = wanted;
        let said = |opinion: Option<String>| opinion.filter(|text| !text.trim().is_empty());
        let step = WriteOpinions {
            class_opinion: said(class_opinion),
            site_opinion: said(site_opinion),
            school_opinion: said(school_opinion),
        };
        if step.class_opinion.is_none() && step.site_opinion.is_none() && step.school_opinion.is_none() {
            return Err(Error::field("classOpinion", "请至少填写一项鉴定意见"));
        }
        Ok(reply(inside(&caller, rows, step).await?))
    }
}

/// 批量鉴定意见
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct WriteOpinions {
    class_opinion: Option<String>,
    site_opinion: Option<String>,
    school_opinion: Option<String>,
}

impl Step for WriteOpinions {
    const KIND: &'static str = "graduation_information.opinion";
    const TITLE: &'static str = "批量鉴定意见";
    type Permission = EditGraduationInformation;
    type Item = InformationReviewItem;
    type List = Sheet<GraduationInformations>;

    fn item(row: &InformationRow) -> InformationReviewItem {
        InformationReviewItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, items: Vec<InformationReviewItem>, scope: &Scope) -> Result<BulkResult> {
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        hold_all(&mut tx, InformationKind::GraduationInformation, &ids, scope).await?;
        let mut bulk = named(tx);
        for item in items {
            let outcome = self.write(bulk.row().await?, item, scope).await;
            let outcome = outcome.map_err(|error| match error.code {
                404 => Error::new(404, NOT_YOURS),
                _ => error,
            });
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

impl WriteOpinions {
    fn said(&self) -> opinion::Opinions {
        let Self { class_opinion, site_opinion, school_opinion } = self;
        opinion::Opinions {
            class_opinion: class_opinion.clone(),
            site_opinion: site_opinion.clone(),
            school_opinion: school_opinion.clone(),
        }
    }

    /// # Errors
    /// 404 outside the scope; 409 of a student who is not active any more, or when the form changed since it was read.
    async fn write(&self, tx: &mut Tx, item: InformationReviewItem, scope: &Scope) -> Result<Change> {
        let kind = InformationKind::GraduationInformation;
        let (form, student) = held_one(tx, kind, item.id, item.version, scope).await?;
        counts(&student, "填写鉴定意见")?;
        let before = sqlx::query_as!(
            opinion::Opinions,
            "select class_opinion, site_opinion, school_opinion from student_information where id = $1",
            form.id
        )
        .fetch_one(&mut **tx)
        .await?;
        let after = before.with(self.said());
        let by = tx.by();
        sqlx::query!(
            "update student_information
             set class_opinion = $2, site_opinion = $3, school_opinion = $4, updated_at = now(), updated_by = $5,
                 version = version + 1
             where id = $1",
            form.id,
            after.class_opinion,
            after.site_opinion,
            after.school_opinion,
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Change::edited("student_information", form.id, &before.told(), &after.told()))
    }
}
