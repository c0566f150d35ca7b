//! The order of a course's chapters (part 03 A6).

use std::collections::BTreeMap;

use poem_openapi::Object;

/// Where a chapter comes to stand.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChapterPlace {
    /// 编号
    pub id: i64,
    /// 上级章
    pub parent_id: Option<i64>,
    /// 排序
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

/// Why an order cannot be written.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("章节已变化，请刷新")]
    Changed,
    #[error("章节最多两级：章、节")]
    TooDeep,
}

/// Whether an order names every chapter of a course once, in two levels.
///
/// # Errors
/// Why it does not.
pub fn check(known: &[i64], items: &[ChapterPlace]) -> Result<(), Refusal> {
    let wanted: BTreeMap<i64, Option<i64>> = items.iter().map(|item| (item.id, item.parent_id)).collect();
    let mut known = known.to_vec();
    known.sort_unstable();
    if items.len() != wanted.len() || !wanted.keys().eq(known.iter()) {
        return Err(Refusal::Changed);
    }
    for parent in wanted.values().flatten() {
        match wanted.get(parent) {
            None => return Err(Refusal::Changed),
            Some(Some(_)) => return Err(Refusal::TooDeep),
            Some(None) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: i64, parent_id: Option<i64>) -> ChapterPlace {
        ChapterPlace { id, parent_id, sort_no: 0 }
    }

    #[test]
    fn an_order_names_every_chapter_once_and_no_other() {
        let known = [3, 1, 2];
        assert_eq!(check(&known, &[place(1, None), place(2, Some(1)), place(3, None)]), Ok(()));
        assert_eq!(check(&known, &[place(1, None), place(2, None)]), Err(Refusal::Changed));
        assert_eq!(check(&known, &[place(1, None), place(2, None), place(2, None)]), Err(Refusal::Changed));
        assert_eq!(check(&known, &[place(1, None), place(2, None), place(9, None)]), Err(Refusal::Changed));
        assert_eq!(check(&known, &[place(1, Some(9)), place(2, None), place(3, None)]), Err(Refusal::Changed));
        assert_eq!(check(&known, &[place(1, None), place(2, Some(1)), place(3, Some(2))]), Err(Refusal::TooDeep));
    }
}
