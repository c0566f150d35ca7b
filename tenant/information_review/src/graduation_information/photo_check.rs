//! 三照比对: whether the three pictures of a student show one person (02 §11.1).

use infra::{Allowed, Body, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::{Student, check::NOT_YOURS};

use super::ReviewGraduationInformation;
use crate::{
    enums::{InformationKind, InformationStatus, PhotoCheck},
    information::{
        held::{InformationReviewItem, counts, held_one, hold_all, write},
        named,
    },
};

/// What was seen on the pictures of some students.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PhotoChecks {
    /// 勾选的记录
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<InformationReviewItem>,
    /// 比对结果
    /// 一致或不一致
    pub result: PhotoCheck,
}

impl Example for PhotoChecks {
    fn example() -> Self {
        Self { items: vec![InformationReviewItem { id: 1, version: 1 }], result: PhotoCheck::Same }
    }
}

pub struct PhotoChecking;

#[OpenApi(prefix_path = "/user/pc/graduationInformation", tag = "crate::Tag::InformationReview")]
impl PhotoChecking {
    /// 三照比对
    /// 三张照片齐全才能判定一致；不一致的不能审核通过
    #[oai(path = "/photoCheck", method = "put", operation_id = "checkGraduationPhotos")]
    async fn check(
        &self,
        caller: Allowed<ReviewGraduationInformation>,
        Body(wanted): Body<PhotoChecks>,
    ) -> Result<Reply<BulkResult>> {
        let PhotoChecks { items, result } = wanted;
        if result == PhotoCheck::Pending {
            return Err(Error::field("result", "请选择一致或不一致"));
        }
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        hold_all(&mut tx, InformationKind::GraduationInformation, &ids, &scope).await?;
        let mut bulk = named(tx);
        for item in items {
            let outcome = checked(bulk.row().await?, item, result, &scope).await;
            let outcome = outcome.map_err(|error| match error.code {
                404 => Error::new(404, NOT_YOURS),
                _ => error,
            });
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// What there is nothing to compare with.
fn missing(student: &Student) -> Vec<&'static str> {
    let pictures = [
        ("录取照片", student.admission_photo_id),
        ("入学照片", student.enrol_photo_id),
        ("学历照片", student.graduation_photo_id),
    ];
    pictures.into_iter().filter(|(_, picture)| picture.is_none()).map(|(name, _)| name).collect()
}

/// # Errors
/// 404 outside the scope; 409 of a student who is not active any more, of three that are one while a picture is missing, of a form
/// that is approved although the pictures differ, or when it changed since it was read.
async fn checked(tx: &mut Tx, item: InformationReviewItem, result: PhotoCheck, scope: &Scope) -> Result<Change> {
    let kind = InformationKind::GraduationInformation;
    let (before, student) = held_one(tx, kind, item.id, item.version, scope).await?;
    counts(&student, "比对照片")?;
    if result == PhotoCheck::Different && before.status == InformationStatus::Approved {
        return Err(Error::conflict("毕业登记已通过，请先撤销通过再登记三照不一致"));
    }
    let missing = missing(&student);
    if result == PhotoCheck::Same && !missing.is_empty() {
        return Err(Error::conflict(format!("缺少{}，不能判定一致", missing.join("、"))));
    }
    let mut form = before.clone();
    form.photo_check = Some(result);
    write(tx, &before, &form).await
}
