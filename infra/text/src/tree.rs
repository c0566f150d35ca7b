//! Rows that stand below one another, such as units or categories: where one may stand, and how those that match are shown.
//! The rules that are a module's own, and the words of a refusal, are the module's.

use std::collections::{HashMap, HashSet};

/// A row that names the one above it.
pub trait Branch {
    fn id(&self) -> i64;

    /// None for a root.
    fn parent_id(&self) -> Option<i64>;
}

/// Why a row may not stand where it is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misplaced {
    /// There is no such row to stand below.
    Unknown,
    BelowItself,
    TooDeep,
}

/// Who stands below whom.
#[derive(Debug)]
pub struct Shape(HashMap<i64, Option<i64>>);

impl FromIterator<(i64, Option<i64>)> for Shape {
    /// Of every row's number and its parent's.
    fn from_iter<I: IntoIterator<Item = (i64, Option<i64>)>>(rows: I) -> Self {
        Self(rows.into_iter().collect())
    }
}

impl Shape {
    /// Whether a row, new or a `mover` with all that stands below it, may stand below `parent` in a tree of so many levels.
    ///
    /// # Errors
    /// [`Misplaced`] with the reason.
    pub fn may_stand(&self, mover: Option<i64>, parent: i64, levels: usize) -> Result<(), Misplaced> {
        if !self.0.contains_key(&parent) {
            return Err(Misplaced::Unknown);
        }
        let above = self.upwards(parent);
        if mover.is_some_and(|mover| above.contains(&mover)) {
            return Err(Misplaced::BelowItself);
        }
        let brought = mover.map_or(1, |mover| self.levels_of(mover));
        if above.len() + brought > levels { Err(Misplaced::TooDeep) } else { Ok(()) }
    }

    /// The row, the one above it, and so on to the root; a circle, which no rule lets arise, ends where it closes.
    fn upwards(&self, id: i64) -> Vec<i64> {
        let mut chain = vec![id];
        let mut at = id;
        while let Some(parent) = self.0.get(&at).copied().flatten()
            && !chain.contains(&parent)
        {
            chain.push(parent);
            at = parent;
        }
        chain
    }

    /// How many levels a row and those below it have.
    fn levels_of(&self, id: i64) -> usize {
        self.0.keys().filter_map(|below| self.upwards(*below).iter().position(|above| *above == id)).max().unwrap_or(0)
            + 1
    }
}

/// The rows that match, with all above them, as a tree of nodes; the order of the rows is the order of siblings.
pub fn build_tree<Row: Branch, Node>(
    rows: Vec<Row>,
    matches: impl Fn(&Row) -> bool,
    node: impl Fn(Row, Vec<Node>) -> Node,
) -> Vec<Node> {
    let shape: Shape = rows.iter().map(|row| (row.id(), row.parent_id())).collect();
    let kept: HashSet<i64> = rows.iter().filter(|row| matches(row)).flat_map(|row| shape.upwards(row.id())).collect();
    let mut below: HashMap<Option<i64>, Vec<Row>> = HashMap::new();
    for row in rows.into_iter().filter(|row| kept.contains(&row.id())) {
        below.entry(row.parent_id()).or_default().push(row);
    }
    nest(&mut below, None, &node)
}

fn nest<Row: Branch, Node>(
    below: &mut HashMap<Option<i64>, Vec<Row>>,
    parent: Option<i64>,
    node: &impl Fn(Row, Vec<Node>) -> Node,
) -> Vec<Node> {
    let siblings = below.remove(&parent).unwrap_or_default();
    siblings
        .into_iter()
        .map(|row| {
            let children = nest(below, Some(row.id()), node);
            node(row, children)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Branch for (i64, Option<i64>) {
        fn id(&self) -> i64 {
            self.0
        }

        fn parent_id(&self) -> Option<i64> {
            self.1
        }
    }

    /// 1 > 2 > 3 and, beside it, 4 > 5.
    fn shape() -> Shape {
        [(1, None), (2, Some(1)), (3, Some(2)), (4, None), (5, Some(4))].into_iter().collect()
    }

    #[test]
    fn nothing_stands_below_itself() {
        assert_eq!(shape().may_stand(Some(1), 3, 9), Err(Misplaced::BelowItself));
        assert_eq!(shape().may_stand(Some(3), 3, 9), Err(Misplaced::BelowItself));
        assert_eq!(shape().may_stand(Some(3), 1, 9), Ok(()));
        assert_eq!(shape().may_stand(None, 9, 9), Err(Misplaced::Unknown));
    }

    #[test]
    fn what_moves_brings_its_levels_with_it() {
        assert_eq!(shape().may_stand(None, 2, 3), Ok(()));
        assert_eq!(shape().may_stand(None, 3, 3), Err(Misplaced::TooDeep));
        assert_eq!(shape().may_stand(Some(4), 1, 3), Ok(()));
        assert_eq!(shape().may_stand(Some(4), 2, 3), Err(Misplaced::TooDeep));
    }

    #[test]
    fn a_circle_ends_where_it_closes() {
        let circle: Shape = [(1, Some(2)), (2, Some(1))].into_iter().collect();
        assert_eq!(circle.upwards(1), [1, 2]);
    }

    #[test]
    fn a_match_keeps_what_stands_above_it() {
        let rows = vec![(2, Some(1)), (1, None), (3, Some(1)), (4, None)];
        let drawn = |wanted: &[i64]| {
            build_tree(
                rows.clone(),
                |row| wanted.contains(&row.0),
                |row, below: Vec<String>| format!("{}{below:?}", row.0),
            )
            .join(" ")
        };
        assert_eq!(drawn(&[3]), r#"1["3[]"]"#);
        assert_eq!(drawn(&[1, 2, 3, 4]), r#"1["2[]", "3[]"] 4[]"#);
        assert_eq!(drawn(&[]), "");
    }
}
