//! 手工分班: ticked students into one class, or out of theirs.

use std::collections::{HashMap, HashSet};

use classes::class::{Seats, class_seats};
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Error, Reply, Result, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status_rules::{
    account::StudentItem,
    check::NOT_YOURS,
    list::StudentFilter,
    seating::{Found, allow},
};

use super::{DivideStudents, Move, SCORED, scored, seat};
use crate::{
    enums::StudentStatus,
    student::{ExportStudents, list::StudentRow},
};

/// Who comes into which class.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ManualDivision {
    #[oai(flatten)]
    pub rows: Chosen<StudentItem, StudentFilter>,
    /// 班级
    /// 不填表示移出班级
    pub class_id: Option<i64>,
    /// 允许超员
    #[oai(default)]
    pub force: bool,
}

impl Example for ManualDivision {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![StudentItem { id: 1, version: 1 }]), class_id: Some(1), force: false }
    }
}

pub struct Manual;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Manual {
    /// 分班
    #[oai(path = "/divide", method = "put", operation_id = "divideStudents")]
    async fn divide(
        &self,
        caller: Allowed<DivideStudents>,
        Body(wanted): Body<ManualDivision>,
    ) -> Result<Reply<Stepped>> {
        let ManualDivision { rows, class_id, force } = wanted;
        Ok(reply(inside(&caller, rows, Divide { class_id, force }).await?))
    }
}

/// 分班
#[derive(Debug, Object)]
pub(super) struct Divide {
    class_id: Option<i64>,
    force: bool,
}

impl Step for Divide {
    const KIND: &'static str = "student.divide";
    const TITLE: &'static str = "分班";
    type Permission = DivideStudents;
    type Item = StudentItem;
    type List = ExportStudents;

    fn item(row: &StudentRow) -> StudentItem {
        StudentItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut found = lock(&mut tx, &items).await?;
        let mut class = match self.class_id {
            Some(id) => Some(open_class(&mut tx, id, scope).await?),
            None => None,
        };
        let scored = match self.class_id {
            Some(_) => HashSet::new(),
            None => scored(&mut tx, &found.keys().copied().collect::<Vec<_>>()).await?,
        };
        let (mut moves, mut failed) = (Vec::new(), Vec::new());
        for item in items {
            let refused = |name: &str, msg: String| BulkFailure { id: item.id, name: name.to_owned(), msg };
            let Some(student) = found.remove(&item.id) else {
                failed.push(refused("", Error::not_found().msg.into_owned()));
                continue;
            };
            if !scope.sees(Some(student.site_id), student.class_id) {
                // The name of a student who is not theirs is not told either.
                failed.push(refused("", NOT_YOURS.to_owned()));
            } else if student.version != item.version {
                failed.push(refused(&student.name, tx.stale("student", student.id).await.msg.into_owned()));
            } else if let Err(why) = allow(&student, class.as_ref()) {
                failed.push(refused(&student.name, why));
            } else if scored.contains(&student.id) {
                failed.push(refused(&student.name, SCORED.to_owned()));
            } else if let Some(full) = class.as_ref().filter(|_| !self.force).and_then(|class| class.admit(1).err()) {
                failed.push(refused(&student.name, full.msg.into_owned()));
            } else {
                moves.push(Move { student_id: student.id, from: student.class_id, to: self.class_id });
                if let Some(class) = &mut class {
                    class.taken += 1;
                }
            }
        }
        let done = i64::try_from(moves.len()).map_err(Error::internal)?;
        let changes = seat(&mut tx, &moves, None).await?;
        tx.commit_all(changes).await?;
        Ok(BulkResult { done, failed })
    }
}

/// The students, none of whom anybody else moves until this transaction ends.
async fn lock(tx: &mut Tx, items: &[StudentItem]) -> Result<HashMap<i64, Found>> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let rows = sqlx::query!(
        r#"select id, name, version, status as "status: StudentStatus", grade_id, level_id, major_id, site_id, class_id
           from student where id = any($1) order by id for update"#,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let found = Found {
                id: row.id,
                name: row.name,
                version: row.version,
                status: row.status,
                cohort: [row.grade_id, row.level_id, row.major_id, row.site_id],
                site_id: row.site_id,
                class_id: row.class_id,
            };
            (row.id, found)
        })
        .collect())
}

/// The class with its seats, locked.
///
/// # Errors
/// 422 at `classId` when it is gone or not the caller's, 409 when it was switched off.
async fn open_class(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Seats> {
    let class = class_seats(tx, id).await.map_err(|error| match error.code {
        404 => Error::field("classId", "所选班级不存在，请重新选择"),
        _ => error,
    })?;
    if !scope.sees(Some(class.cohort.site_id), Some(id)) {
        return Err(Error::field("classId", NOT_YOURS));
    }
    class.open()?;
    Ok(class)
}
