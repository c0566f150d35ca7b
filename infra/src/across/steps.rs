//! Bulk steps over rows of one school or, in the operators' area, of several (05 F 8).
//!
//! ```text
//! items ─ by school, in the order of its number ─→ may they act for it? is it open? is it being migrated?
//!                                                ─→ a transaction of its own ─[step]→ committed there, with its trail
//! ```
//!
//! A school that is refused or fails is told at each of its rows; what was done in the others stays. An item carries the
//! version that was read, so that the same call again changes nothing twice.

use std::{collections::BTreeMap, future::Future};

use poem_openapi::{
    Object,
    types::{IsObjectType, ParseFromJSON, ToJSON},
};

use super::{MOST_SCHOOLS, OfSchool};
use crate::{
    Allowed, BulkFailure, BulkResult, Error, FieldError, Result, Tx,
    access::{MayWrite, OverSchools, Permission, choose_school},
    token::Area,
};

/// By what a step knows a row: its number in its school, and what else it must know of it.
pub trait Item: IsObjectType + ParseFromJSON + ToJSON {
    fn id(&self) -> i64;
}

/// An item of a step, with the school whose it is: `(schoolId, id)` names it (00 §3).
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ItemOfSchool<T: Item> {
    #[oai(flatten)]
    pub item: T,
    /// 院校编号
    /// 平台人员未在地址中指明院校时，每条都须填写
    #[oai(skip_serializing_if_is_none)]
    pub school_id: Option<i64>,
}

impl<T: Item> From<T> for ItemOfSchool<T> {
    /// Of the school that the call means.
    fn from(item: T) -> Self {
        Self { item, school_id: None }
    }
}

/// How a step went in one school or in several: each row succeeds or fails by itself.
#[derive(Debug, Clone, Default, Object)]
pub struct BulkOfSchools {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<OfSchool<BulkFailure>>,
    /// 各院校结果
    /// 平台人员办理时列出
    #[oai(skip_serializing_if_is_empty, default)]
    pub schools: Vec<SchoolResult>,
}

/// How a step went in one of the schools.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolResult {
    /// 院校编号
    pub school_id: i64,
    /// 院校
    #[oai(skip_serializing_if_is_none)]
    pub school_name: Option<String>,
    /// 成功条数
    pub done: i64,
    /// 失败条数
    pub failed: i64,
}

/// The body of a bulk operation of both areas. `step` is given a transaction in a school and the items of its rows, and
/// commits; without a school named it is done for each school that the items name.
///
/// # Errors
/// 422 at `items[n].schoolId` for another school than the one that the call means, at `schoolId` when neither the call
/// nor each item names one, at `items` above 200 schools.
pub async fn bulk_over_schools<P, I, F, S>(
    caller: &Allowed<P>,
    items: Vec<ItemOfSchool<I>>,
    step: F,
) -> Result<BulkOfSchools>
where
    P: Permission,
    P::Realm: OverSchools,
    P::Mode: MayWrite,
    I: Item,
    F: Fn(Tx, Vec<I>) -> S,
    S: Future<Output = Result<BulkResult>>,
{
    // Nothing more is told of the rows that went well.
    let (result, _) = bulk_over_schools_with_rows(caller, items, |tx, items| {
        let done = step(tx, items);
        async move { Ok((done.await?, Vec::<BulkFailure>::new())) }
    })
    .await?;
    Ok(result)
}

/// The same for a step that also tells something of rows that went well: passwords that nobody can look up later.
///
/// # Errors
/// As [`bulk_over_schools`].
pub async fn bulk_over_schools_with_rows<P, I, T, F, S>(
    caller: &Allowed<P>,
    items: Vec<ItemOfSchool<I>>,
    step: F,
) -> Result<(BulkOfSchools, Vec<OfSchool<T>>)>
where
    P: Permission,
    P::Realm: OverSchools,
    P::Mode: MayWrite,
    I: Item,
    T: IsObjectType + ParseFromJSON + ToJSON,
    F: Fn(Tx, Vec<I>) -> S,
    S: Future<Output = Result<(BulkResult, Vec<T>)>>,
{
    let mut answer = BulkOfSchools::default();
    let mut told = Vec::new();
    if let Some(school) = &caller.school {
        let items = of_one(school.id, items)?;
        let (result, rows) = step(caller.begin().await?, items).await?;
        // Inside a school nobody needs to be told whose the rows are.
        let whose = match caller.session.area {
            Area::Platform => Whose { id: Some(school.id), name: Some(school.name.clone()) },
            Area::School => Whose::default(),
        };
        told.extend(rows.into_iter().map(|row| whose.of(row)));
        answer.add(&whose, result);
        return Ok((answer, told));
    }
    let wanted = by_school(items)?;
    caller.note("schools", wanted.keys().copied().collect::<Vec<i64>>());
    for (id, items) in wanted {
        let ids: Vec<i64> = items.iter().map(Item::id).collect();
        let mut whose = Whose { id: Some(id), name: None };
        let outcome = async {
            let school = caller.own_school(id).await?;
            whose.name = Some(school.name.clone());
            step(caller.begin_at(&school).await?, items).await
        };
        let (result, rows) = match outcome.await {
            Ok(done) => done,
            Err(error) => {
                tracing::debug!(school = id, %error, "a school's part of a step was refused");
                (refused(&ids, &error), Vec::new())
            }
        };
        told.extend(rows.into_iter().map(|row| whose.of(row)));
        answer.add(&whose, result);
    }
    Ok((answer, told))
}

/// The school of rows of an answer, as far as the caller is told.
#[derive(Debug, Default)]
struct Whose {
    id: Option<i64>,
    name: Option<String>,
}

impl Whose {
    fn of<T: IsObjectType + ParseFromJSON + ToJSON>(&self, row: T) -> OfSchool<T> {
        OfSchool { row, school_id: self.id, school_name: self.name.clone() }
    }
}

impl BulkOfSchools {
    fn add(&mut self, whose: &Whose, BulkResult { done, failed }: BulkResult) {
        self.schools.extend(whose.id.map(|school_id| SchoolResult {
            school_id,
            school_name: whose.name.clone(),
            done,
            failed: i64::try_from(failed.len()).unwrap_or(i64::MAX),
        }));
        self.done += done;
        self.failed.extend(failed.into_iter().map(|row| whose.of(row)));
    }
}

/// What a school's rows are told when nothing was done there. Their names are not looked up.
fn refused(ids: &[i64], error: &Error) -> BulkResult {
    let row = |id: &i64| BulkFailure { id: *id, name: String::new(), msg: error.msg.clone().into_owned() };
    BulkResult { done: 0, failed: ids.iter().map(row).collect() }
}

/// The items of each school that they name.
fn by_school<I: Item>(items: Vec<ItemOfSchool<I>>) -> Result<BTreeMap<i64, Vec<I>>> {
    let mut wanted: BTreeMap<i64, Vec<I>> = BTreeMap::new();
    for ItemOfSchool { item, school_id } in items {
        wanted.entry(school_id.ok_or_else(choose_school)?).or_default().push(item);
    }
    if wanted.len() > MOST_SCHOOLS {
        return Err(Error::field("items", format!("一次最多办理{MOST_SCHOOLS}所院校的记录，请分批办理")));
    }
    Ok(wanted)
}

/// The items of a call that means one school: an item may repeat it, and chooses nothing.
pub(crate) fn of_one<I: Item>(school: i64, items: Vec<ItemOfSchool<I>>) -> Result<Vec<I>> {
    let strays: Vec<FieldError> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.school_id.is_some_and(|id| id != school))
        .map(|(n, _)| FieldError {
            field: format!("items[{n}].schoolId"),
            message: "该记录不属于当前院校，请刷新后重试".to_owned(),
        })
        .collect();
    if strays.is_empty() { Ok(items.into_iter().map(|item| item.item).collect()) } else { Err(Error::fields(strays)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Object)]
    struct Row {
        /// 编号
        id: i64,
    }

    impl Item for Row {
        fn id(&self) -> i64 {
            self.id
        }
    }

    fn items(rows: &[(i64, Option<i64>)]) -> Vec<ItemOfSchool<Row>> {
        rows.iter().map(|&(id, school_id)| ItemOfSchool { item: Row { id }, school_id }).collect()
    }

    #[test]
    fn items_go_to_their_schools_in_the_order_of_the_call() {
        let wanted = by_school(items(&[(7, Some(2)), (5, Some(1)), (3, Some(2))])).expect("schools");
        assert_eq!(
            wanted.into_iter().collect::<Vec<_>>(),
            [(1, vec![Row { id: 5 }]), (2, vec![Row { id: 7 }, Row { id: 3 }])]
        );
        let unnamed = by_school(items(&[(7, Some(2)), (5, None)])).expect_err("no school");
        assert_eq!((unnamed.code, &*unnamed.msg), (422, "请选择院校"));
    }

    #[test]
    fn two_hundred_schools_are_the_most() {
        let over = |count: i64| by_school(items(&(1..=count).map(|id| (id, Some(id))).collect::<Vec<_>>()));
        assert_eq!(over(200).expect("schools").len(), 200);
        assert_eq!(over(201).expect_err("one too many").msg, "一次最多办理200所院校的记录，请分批办理");
    }

    #[test]
    fn an_item_of_another_school_is_none_of_this_one() {
        assert_eq!(of_one(1, items(&[(7, None), (5, Some(1))])).expect("both").len(), 2);
        let strays = of_one(1, items(&[(7, None), (5, Some(2))])).expect_err("a stray");
        assert_eq!((strays.code, &strays.data[0]["field"]), (422, &serde_json::json!("items[1].schoolId")));
    }
}
