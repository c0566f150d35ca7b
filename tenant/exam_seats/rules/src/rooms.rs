//! How many sit in which room (part 04 §4.3).

use crate::enums::SeatFill;

/// How many each room takes, in the order of the rooms, and for how many there is no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    pub rooms: Vec<usize>,
    pub left: usize,
}

/// Deals `count` people over rooms, at most `per_room` into one. No more rooms are used than it takes.
pub fn sizes(count: usize, per_room: usize, min_fill: usize, fill: SeatFill, capacities: &[usize]) -> Sizes {
    let limits: Vec<usize> = capacities.iter().map(|capacity| (*capacity).min(per_room)).collect();
    let mut used = 0;
    let mut room = 0;
    while used < limits.len() && room < count {
        room += limits[used];
        used += 1;
    }
    let limits = &limits[..used];
    let placed = count.min(room);
    let rooms = match fill {
        SeatFill::Even => even(placed, limits),
        SeatFill::Full => full(placed, limits, min_fill),
    };
    Sizes { rooms, left: count - placed }
}

/// As even as the rooms allow; the first ones take one more.
fn even(placed: usize, limits: &[usize]) -> Vec<usize> {
    let mut sizes = vec![0; limits.len()];
    let mut open: Vec<usize> = (0..limits.len()).collect();
    let mut rest = placed;
    while !open.is_empty() {
        let (share, more) = (rest / open.len(), rest % open.len());
        let wanted = |place: usize| share + usize::from(place < more);
        let small: Vec<usize> = open
            .iter()
            .enumerate()
            .filter(|(place, room)| limits[**room] < wanted(*place))
            .map(|(_, room)| *room)
            .collect();
        if small.is_empty() {
            for (place, room) in open.iter().enumerate() {
                sizes[*room] = wanted(place);
            }
            break;
        }
        for room in &small {
            sizes[*room] = limits[*room];
            rest -= limits[*room];
        }
        open.retain(|room| !small.contains(room));
    }
    sizes
}

/// One room after the other; a last one that would be nearly empty shares with the one before it.
fn full(placed: usize, limits: &[usize], min_fill: usize) -> Vec<usize> {
    let mut sizes = Vec::with_capacity(limits.len());
    let mut rest = placed;
    for limit in limits {
        let size = rest.min(*limit);
        sizes.push(size);
        rest -= size;
    }
    if let [.., before, last] = sizes.as_mut_slice()
        && (1..min_fill).contains(last)
    {
        let both = *before + *last;
        let most = limits[limits.len() - 1];
        *last = (both / 2).min(most);
        *before = both - *last;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(count: usize, fill: SeatFill, capacities: &[usize]) -> (Vec<usize>, usize) {
        let Sizes { rooms, left } = sizes(count, 30, 10, fill, capacities);
        (rooms, left)
    }

    /// Part 04 §4.3, worked.
    #[test]
    fn two_hundred_and_fifteen_sit_in_eight_rooms() {
        assert_eq!(dealt(215, SeatFill::Even, &[30; 10]), (vec![27, 27, 27, 27, 27, 27, 27, 26], 0));
        assert_eq!(dealt(215, SeatFill::Full, &[30; 10]), (vec![30, 30, 30, 30, 30, 30, 18, 17], 0));
        assert_eq!(dealt(220, SeatFill::Full, &[30; 10]), (vec![30, 30, 30, 30, 30, 30, 30, 10], 0));
    }

    /// Scenario 3.
    #[test]
    fn nobody_is_squeezed_in() {
        assert_eq!(dealt(215, SeatFill::Even, &[30, 30, 30, 30, 30, 30, 20]), (vec![30, 30, 30, 30, 30, 30, 20], 15));
        assert_eq!(dealt(5, SeatFill::Full, &[]), (vec![], 5));
        assert_eq!(dealt(0, SeatFill::Even, &[30]), (vec![], 0));
    }

    #[test]
    fn a_small_room_takes_what_it_holds() {
        assert_eq!(dealt(60, SeatFill::Even, &[30, 8, 30, 30]), (vec![26, 8, 26], 0));
        assert_eq!(dealt(33, SeatFill::Full, &[30, 30]), (vec![17, 16], 0));
        assert_eq!(dealt(33, SeatFill::Full, &[30, 5]), (vec![28, 5], 0));
    }
}
