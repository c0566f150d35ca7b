//! 混排隔开: no two neighbours of the same course, as far as that can be (part 04 §4.3).

use std::collections::{BTreeMap, VecDeque};

use crate::order::Sitter;

/// People along a line of `places`: of equal neighbours as few as there can be, spare places between those that remain. The pairs are
/// places of neighbours of one course.
pub fn interleave(sitters: Vec<Sitter>, places: usize) -> (Vec<Option<Sitter>>, Vec<(usize, usize)>) {
    let mut spare = places.saturating_sub(sitters.len());
    let dealt = apart(sitters);
    let mut line: Vec<Option<Sitter>> = Vec::with_capacity(places);
    let mut pairs = Vec::new();
    for sitter in dealt {
        let same = line.last().and_then(Option::as_ref).is_some_and(|before| before.course == sitter.course);
        if same && spare > 0 {
            line.push(None);
            spare -= 1;
        } else if same {
            pairs.push((line.len() - 1, line.len()));
        }
        line.push(Some(sitter));
    }
    (line, pairs)
}

/// The queues of the courses, the longest first.
fn queues(sitters: Vec<Sitter>) -> Vec<VecDeque<Sitter>> {
    let mut by_course: BTreeMap<i64, VecDeque<Sitter>> = BTreeMap::new();
    for sitter in sitters {
        by_course.entry(sitter.course).or_default().push_back(sitter);
    }
    let mut queues: Vec<VecDeque<Sitter>> = by_course.into_values().collect();
    queues.sort_by_key(|queue| std::cmp::Reverse(queue.len()));
    queues
}

/// One behind the other, courses alternating where they can.
fn apart(sitters: Vec<Sitter>) -> Vec<Sitter> {
    let all = sitters.len();
    let mut queues = queues(sitters);
    let Some(longest) = queues.first().map(VecDeque::len) else { return Vec::new() };
    let others = all - longest;
    if longest <= others + 1 {
        return alternating(queues, all);
    }
    // Too many of one course: the others stand between them, evenly.
    let many = queues.remove(0);
    let between = alternating(queues, others);
    let gaps = between.len() + 1;
    let mut line = Vec::with_capacity(all);
    let (mut many, mut between) = (many.into_iter(), between.into_iter());
    for gap in 0..gaps {
        let take = (gap + 1) * longest / gaps - gap * longest / gaps;
        line.extend(many.by_ref().take(take));
        line.extend(between.next());
    }
    line
}

/// Always of the course that has most left and was not the last.
fn alternating(mut queues: Vec<VecDeque<Sitter>>, all: usize) -> Vec<Sitter> {
    let mut line = Vec::with_capacity(all);
    let mut last: Option<usize> = None;
    while line.len() < all {
        let most = |skipped: Option<usize>| {
            let open = queues.iter().enumerate().filter(|(place, queue)| !queue.is_empty() && Some(*place) != skipped);
            open.max_by_key(|(place, queue)| (queue.len(), std::cmp::Reverse(*place))).map(|(place, _)| place)
        };
        let Some(place) = most(last).or_else(|| most(None)) else { break };
        line.extend(queues[place].pop_front());
        last = Some(place);
    }
    line
}

/// Dealt over rooms so that each holds every course in its share: the order in which the rooms are cut.
pub fn proportional(sitters: Vec<Sitter>) -> Vec<Sitter> {
    let all = sitters.len();
    let mut queues: Vec<(usize, usize, VecDeque<Sitter>)> =
        queues(sitters).into_iter().map(|queue| (queue.len(), 0, queue)).collect();
    let mut line = Vec::with_capacity(all);
    while line.len() < all {
        // Whoever is furthest behind its share: (taken + 1) / whole is the least.
        let next = queues
            .iter()
            .enumerate()
            .filter(|(_, (_, _, queue))| !queue.is_empty())
            .min_by(|(_, (one, taken, _)), (_, (other, given, _))| ((taken + 1) * other).cmp(&((given + 1) * one)))
            .map(|(place, _)| place);
        let Some(place) = next else { break };
        let (_, taken, queue) = &mut queues[place];
        *taken += 1;
        line.extend(queue.pop_front());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(counts: &[(i64, i64)]) -> Vec<Sitter> {
        let of = |(course, count): &(i64, i64)| {
            let course = *course;
            (1..=*count).map(move |n| Sitter {
                candidate: course * 1000 + n,
                student: course * 1000 + n,
                class: String::new(),
                number: n.to_string(),
                course,
            })
        };
        counts.iter().flat_map(of).collect()
    }

    fn courses(line: &[Option<Sitter>]) -> Vec<i64> {
        line.iter().map(|sitter| sitter.as_ref().map_or(0, |sitter| sitter.course)).collect()
    }

    /// Part 04 §4.3, worked.
    #[test]
    fn fifteen_and_fifteen_alternate() {
        let (line, pairs) = interleave(people(&[(1, 15), (2, 15)]), 30);
        assert_eq!(courses(&line), [1, 2].repeat(15));
        assert!(pairs.is_empty(), "{pairs:?}");
    }

    /// Part 04 §4.3, worked: A 20, B 10.
    #[test]
    fn what_cannot_be_avoided_is_told() {
        let (line, pairs) = interleave(people(&[(1, 20), (2, 10)]), 30);
        assert_eq!(line.len(), 30);
        assert_eq!(pairs.len(), 9, "twenty in eleven parts leave nine pairs");
        let second: Vec<usize> =
            courses(&line).iter().enumerate().filter(|(_, course)| **course == 2).map(|(place, _)| place).collect();
        let gaps: Vec<usize> = second.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| (2..=3).contains(gap)), "{gaps:?}");
        // Spare seats stand between equal neighbours.
        let (line, pairs) = interleave(people(&[(1, 20), (2, 10)]), 34);
        assert_eq!((line.len(), pairs.len()), (34, 5));
        assert_eq!(courses(&line).iter().filter(|course| **course == 0).count(), 4);
    }

    #[test]
    fn one_course_alone_takes_every_other_seat_while_there_are_some() {
        let (line, pairs) = interleave(people(&[(1, 3)]), 5);
        assert_eq!((courses(&line), pairs), (vec![1, 0, 1, 0, 1], vec![]));
    }

    #[test]
    fn three_courses_never_meet_themselves() {
        let (line, pairs) = interleave(people(&[(1, 4), (2, 3), (3, 3)]), 10);
        assert!(courses(&line).windows(2).all(|pair| pair[0] != pair[1]), "{:?}", courses(&line));
        assert!(pairs.is_empty(), "{pairs:?}");
    }

    #[test]
    fn each_room_gets_every_course() {
        let line = proportional(people(&[(1, 40), (2, 20)]));
        let first: Vec<i64> = line[..30].iter().map(|sitter| sitter.course).collect();
        assert_eq!(first.iter().filter(|course| **course == 2).count(), 10);
    }
}
