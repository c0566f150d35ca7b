//! 转交任课: what one teacher has of some openings goes to another (part 03 B3).

use infra::{Allowed, Body, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AllocationForm, TransferAllocations,
    form::{check_teacher, hold, update},
    of_row, rows_of,
    select::find,
};
use crate::enums::AllocationRole;

/// From whom to whom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AllocationTransfer {
    /// 原教师
    pub from_teacher_id: i64,
    /// 接任教师
    pub to_teacher_id: i64,
    /// 开课
    #[oai(validator(min_items = 1, max_items = 500))]
    pub opening_ids: Vec<i64>,
    /// 角色
    /// 不填为全部角色
    #[oai(default, validator(max_items = 3))]
    pub roles: Vec<AllocationRole>,
}

impl Example for AllocationTransfer {
    fn example() -> Self {
        Self { from_teacher_id: 1, to_teacher_id: 2, opening_ids: vec![1], roles: vec![AllocationRole::Lecturer] }
    }
}

pub struct Transferring;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl Transferring {
    /// 转交任课
    #[oai(path = "/transfer", method = "put", operation_id = "transferAllocations")]
    async fn transfer(
        &self,
        caller: Allowed<TransferAllocations>,
        Body(wanted): Body<AllocationTransfer>,
    ) -> Result<Reply<BulkResult>> {
        if wanted.from_teacher_id == wanted.to_teacher_id {
            return Err(Error::field("toTeacherId", "接任教师与原教师相同"));
        }
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        timetable::hold(&mut tx).await?;
        hold(&mut tx, &wanted.opening_ids).await?;
        check_teacher(&mut tx, wanted.to_teacher_id, "toTeacherId").await?;
        let roles = match wanted.roles.as_slice() {
            [] => AllocationRole::CHOICES.iter().map(|(_, role)| *role).collect(),
            some => some.to_vec(),
        };
        let roles: Vec<String> = roles.iter().map(|role| role.as_str().to_owned()).collect();
        let ids = sqlx::query_scalar!(
            "select id from course_allocation
             where teacher_id = $1 and opening_id = any($2) and role = any($3) order by id",
            wanted.from_teacher_id,
            &wanted.opening_ids,
            &roles
        )
        .fetch_all(&mut *tx)
        .await?;
        if ids.is_empty() {
            return Err(Error::field("openingIds", "该教师在所选开课中没有任课安排"));
        }
        let mut bulk = rows_of(tx);
        for id in ids {
            let outcome = hand_over(bulk.row().await?, id, wanted.to_teacher_id, &scope).await;
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// The same as an edit that changes the teacher alone.
async fn hand_over(tx: &mut Tx, id: i64, to: i64, scope: &Scope) -> Result<Change> {
    let before = find(tx, id, scope).await?;
    let form = AllocationForm {
        opening_id: before.opening_id,
        class_id: before.class_id,
        teacher_id: to,
        role: before.role,
        hours: before.hours,
        remark: before.remark,
    };
    update(tx, &infra::Edit { id, version: before.version, form }, true, scope).await
}
