//! 先修课程: which course comes before which, and that nobody must pass a course before itself (part 03 A5).

use std::collections::{HashMap, HashSet};

use infra::{Error, Result, Tx, naming::switched_off};

const FIELD: &str = "prerequisiteIds";

/// # Errors
/// 422 at `prerequisiteIds` for a course that does not exist, or that was switched off and is not `kept` from before.
pub(super) async fn check(tx: &mut Tx, wanted: &[i64], kept: &[i64]) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let known =
        sqlx::query!("select id, name, enabled from course where id = any($1)", wanted).fetch_all(&mut **tx).await?;
    if known.len() < wanted.len() {
        return Err(Error::field(FIELD, "所选先修课程不存在，请重新选择"));
    }
    match known.iter().find(|course| !course.enabled && !kept.contains(&course.id)) {
        Some(off) => Err(switched_off(FIELD, &off.name)),
        None => Ok(()),
    }
}

/// All prerequisites of the school, by the course that requires them.
#[derive(Debug, Default)]
pub(super) struct Graph(HashMap<i64, Vec<i64>>);

impl Graph {
    /// Nobody else changes it until this transaction ends: two edits that are each right could together close a circle.
    pub(super) async fn lock(tx: &mut Tx) -> Result<Self> {
        sqlx::query!("lock table course_prerequisite in share row exclusive mode").execute(&mut **tx).await?;
        let rows =
            sqlx::query!("select course_id, prerequisite_id from course_prerequisite").fetch_all(&mut **tx).await?;
        let mut graph = Self::default();
        for row in rows {
            graph.0.entry(row.course_id).or_default().push(row.prerequisite_id);
        }
        Ok(graph)
    }

    pub(super) fn set(&mut self, course: i64, earlier: Vec<i64>) {
        self.0.insert(course, earlier);
    }

    /// # Errors
    /// 422 at `prerequisiteIds` with the courses of the circle, by name.
    pub(super) async fn refuse_circle(&self, tx: &mut Tx, course: i64, earlier: &[i64]) -> Result<()> {
        let Some(circle) = self.circle(course, earlier) else { return Ok(()) };
        let names: HashMap<i64, String> = sqlx::query!("select id, name from course where id = any($1)", &circle)
            .fetch_all(&mut **tx)
            .await?
            .into_iter()
            .map(|row| (row.id, row.name))
            .collect();
        let path: Vec<&str> = circle.iter().filter_map(|id| names.get(id)).map(String::as_str).collect();
        Err(Error::field(FIELD, format!("先修课程形成循环：{}", path.join("→"))))
    }

    /// From the course over one of its prerequisites back to itself; the shortest such way.
    fn circle(&self, course: i64, earlier: &[i64]) -> Option<Vec<i64>> {
        let mut seen: HashSet<i64> = HashSet::new();
        let mut ways: Vec<Vec<i64>> = earlier.iter().map(|id| vec![course, *id]).collect();
        while !ways.is_empty() {
            let mut longer = Vec::new();
            for way in ways {
                let Some(last) = way.last().copied() else { continue };
                if last == course {
                    return Some(way);
                }
                if !seen.insert(last) {
                    continue;
                }
                for next in self.0.get(&last).into_iter().flatten() {
                    let mut way = way.clone();
                    way.push(*next);
                    longer.push(way);
                }
            }
            ways = longer;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_over_any_number_of_courses() {
        let mut graph = Graph::default();
        graph.set(1, vec![2]);
        graph.set(2, vec![3, 4]);
        assert_eq!(graph.circle(4, &[1]), Some(vec![4, 1, 2, 4]));
        assert_eq!(graph.circle(3, &[1]), Some(vec![3, 1, 2, 3]));
        assert_eq!(graph.circle(5, &[1, 3]), None);
        assert_eq!(graph.circle(5, &[5]), Some(vec![5, 5]));
        assert_eq!(graph.circle(1, &[2]), None);
    }
}
