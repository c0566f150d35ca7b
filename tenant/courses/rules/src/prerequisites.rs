//! 先修课程: that nobody must pass a course before itself (part 03 A5).

use std::collections::{HashMap, HashSet};

/// All prerequisites of the school, by the course that requires them.
#[derive(Debug, Default)]
pub struct Graph(HashMap<i64, Vec<i64>>);

impl Graph {
    /// That a course requires another.
    pub fn add(&mut self, course: i64, earlier: i64) {
        self.0.entry(course).or_default().push(earlier);
    }

    /// All that a course requires.
    pub fn set(&mut self, course: i64, earlier: Vec<i64>) {
        self.0.insert(course, earlier);
    }

    /// From the course over one of its prerequisites back to itself; the shortest such way.
    pub fn circle(&self, course: i64, earlier: &[i64]) -> Option<Vec<i64>> {
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
