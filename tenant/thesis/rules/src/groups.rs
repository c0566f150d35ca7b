//! 答辩组: who may sit in one, and who is defended where and when.

use std::collections::{BTreeSet, HashMap};

use infra::FieldError;

/// Members of a group, at least.
const LEAST: usize = 3;

fn wrong(field: &str, message: &str) -> FieldError {
    FieldError { field: field.to_owned(), message: message.to_owned() }
}

/// What is wrong with a group in which theses are defended whose advisers are `advised`.
pub fn valid(members: &[i64], chair: Option<i64>, secretary: Option<i64>, advised: &[i64]) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let of: BTreeSet<i64> = members.iter().copied().collect();
    if of.len() != members.len() {
        errors.push(wrong("members", "答辩组成员重复"));
    }
    if of.len() < LEAST {
        errors.push(wrong("members", "答辩组成员不少于3人"));
    }
    match chair {
        None => errors.push(wrong("members", "请指定一名组长")),
        Some(chair) if !of.contains(&chair) => errors.push(wrong("members", "组长须为答辩组成员")),
        Some(_) => {}
    }
    match secretary {
        None => errors.push(wrong("secretaryTeacherId", "请指定秘书")),
        Some(secretary) if of.contains(&secretary) => {
            errors.push(wrong("secretaryTeacherId", "秘书不能是答辩组成员"));
        }
        Some(_) => {}
    }
    if advised.iter().any(|adviser| of.contains(adviser)) {
        errors.push(wrong("members", "指导教师应回避"));
    }
    errors
}

/// Whose thesis is defended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defended {
    pub thesis: i64,
    pub major: i64,
    pub adviser: Option<i64>,
}

/// A group with its members, and how many fit in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRoom {
    pub group: i64,
    pub members: Vec<i64>,
    pub most: usize,
}

/// A place in the order of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub thesis: i64,
    pub group: i64,
    pub order: i32,
    /// Minutes after the group begins.
    pub minutes: i64,
}

/// Slots, and who found none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dealt {
    pub slots: Vec<Slot>,
    pub left: Vec<i64>,
}

/// Majors stay together, groups are even, nobody is defended before their adviser; so many minutes each.
pub fn deal(theses: &[Defended], groups: &[GroupRoom], minutes: i64) -> Dealt {
    let mut sorted: Vec<&Defended> = theses.iter().collect();
    sorted.sort_by_key(|one| (one.major, one.thesis));
    let each = sorted.len().checked_div(groups.len()).unwrap_or_default();
    let more = sorted.len().checked_rem(groups.len()).unwrap_or_default();
    // The first groups take one more, so that 47 in three groups are 16, 16 and 15.
    let share = |place: usize| (each + usize::from(place < more)).min(groups[place].most);
    let mut of: HashMap<usize, Vec<i64>> = HashMap::new();
    let mut dealt = Dealt::default();
    for one in sorted {
        let avoids = |place: &usize| one.adviser.is_none_or(|adviser| !groups[*place].members.contains(&adviser));
        let has = |place: usize| of.get(&place).map_or(0, Vec::len);
        let free = (0..groups.len()).filter(avoids).find(|place| has(*place) < share(*place));
        // Beyond its share before nobody at all.
        let free = free.or_else(|| {
            let open = (0..groups.len()).filter(avoids).filter(|place| has(*place) < groups[*place].most);
            open.min_by_key(|place| has(*place))
        });
        match free {
            Some(place) => of.entry(place).or_default().push(one.thesis),
            None => dealt.left.push(one.thesis),
        }
    }
    for (place, group) in groups.iter().enumerate() {
        let own = of.remove(&place).unwrap_or_default();
        dealt.slots.extend(own.into_iter().zip(0_i32..).map(|(thesis, order)| Slot {
            thesis,
            group: group.group,
            order: order + 1,
            minutes: i64::from(order) * minutes,
        }));
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(errors: &[FieldError]) -> Vec<&str> {
        errors.iter().map(|error| error.message.as_str()).collect()
    }

    #[test]
    fn a_group_has_three_members_a_chair_and_a_secretary() {
        assert_eq!(told(&valid(&[1, 2], Some(1), Some(9), &[])), ["答辩组成员不少于3人"]);
        assert_eq!(told(&valid(&[1, 2, 3], Some(1), Some(9), &[])), Vec::<&str>::new());
        assert_eq!(told(&valid(&[1, 2, 3], None, Some(3), &[])), ["请指定一名组长", "秘书不能是答辩组成员"]);
        assert_eq!(told(&valid(&[1, 2, 3], Some(1), Some(9), &[2])), ["指导教师应回避"]);
    }

    #[test]
    fn groups_are_even_and_advisers_avoided() {
        let theses: Vec<Defended> =
            (1..=47).map(|thesis| Defended { thesis, major: thesis / 20, adviser: None }).collect();
        let room = |group, members: &[i64]| GroupRoom { group, members: members.to_vec(), most: 20 };
        let groups = [room(1, &[11]), room(2, &[12]), room(3, &[13])];
        let dealt = deal(&theses, &groups, 15);
        let size = |group| dealt.slots.iter().filter(|slot| slot.group == group).count();
        assert_eq!((size(1), size(2), size(3), dealt.left.len()), (16, 16, 15, 0));
        let second = dealt.slots.iter().find(|slot| slot.group == 1 && slot.order == 2).unwrap();
        assert_eq!(second.minutes, 15);
        let own: Vec<Defended> = (1..=4).map(|thesis| Defended { thesis, major: 1, adviser: Some(11) }).collect();
        assert!(deal(&own, &groups, 15).slots.iter().all(|slot| slot.group != 1));
        assert_eq!(deal(&own, &groups[..1], 15).left, [1, 2, 3, 4]);
        assert_eq!(deal(&own, &[], 15).left.len(), 4);
    }
}
