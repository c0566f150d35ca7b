//! The seats of a room, and the line along which they are given (part 04 §4.3).

use crate::enums::SeatPattern;

/// A place of a room, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
}

/// The places that may be used, row by row: as many as the room is to hold. Blocked ones are counted from 1, row by row.
pub fn usable(rows: usize, columns: usize, blocked: &[i32], capacity: usize) -> Vec<Cell> {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| Cell { row, column }));
    let is_free = |cell: &Cell| {
        let no = i32::try_from(cell.row * columns + cell.column + 1).unwrap_or(i32::MAX);
        !blocked.contains(&no)
    };
    cells.filter(is_free).take(capacity).collect()
}

/// The places of `cells` in the order in which a pattern goes through the room: a seat's number is its place there, from 1.
pub fn along(cells: &[Cell], rows: usize, columns: usize, pattern: SeatPattern) -> Vec<usize> {
    let rank = |cell: &Cell| match pattern {
        SeatPattern::Row => cell.row * columns + cell.column,
        SeatPattern::Column => cell.column * rows + cell.row,
        SeatPattern::Snake if cell.column.is_multiple_of(2) => cell.column * rows + cell.row,
        SeatPattern::Snake => cell.column * rows + (rows - 1 - cell.row.min(rows - 1)),
    };
    let mut places: Vec<usize> = (0..cells.len()).collect();
    places.sort_by_key(|place| rank(&cells[*place]));
    places
}

/// The places by their numbers: what is at `seats[no - 1]` is seat `no`.
pub fn numbered((rows, columns): (usize, usize), blocked: &[i32], capacity: usize, pattern: SeatPattern) -> Vec<Cell> {
    let cells = usable(rows, columns, blocked, capacity);
    along(&cells, rows, columns, pattern).into_iter().map(|place| cells[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(pattern: SeatPattern) -> Vec<(usize, usize)> {
        numbered((6, 5), &[], 30, pattern).into_iter().map(|cell| (cell.row, cell.column)).collect()
    }

    /// Part 04 §4.3, worked: seats 1–6 down column 1, 7–12 up column 2.
    #[test]
    fn a_snake_goes_down_and_up() {
        let seats = places(SeatPattern::Snake);
        assert_eq!(seats[..6], [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
        assert_eq!(seats[6..12], [(5, 1), (4, 1), (3, 1), (2, 1), (1, 1), (0, 1)]);
        assert_eq!(places(SeatPattern::Column)[6], (0, 1));
        assert_eq!(places(SeatPattern::Row)[..3], [(0, 0), (0, 1), (0, 2)]);
    }

    #[test]
    fn blocked_places_have_no_number() {
        let cells = usable(2, 3, &[2], 4);
        assert_eq!(
            cells.iter().map(|cell| (cell.row, cell.column)).collect::<Vec<_>>(),
            [(0, 0), (0, 2), (1, 0), (1, 1)]
        );
        let seats = numbered((2, 3), &[2], 5, SeatPattern::Snake);
        assert_eq!(
            seats.iter().map(|cell| (cell.row, cell.column)).collect::<Vec<_>>(),
            [(0, 0), (1, 0), (1, 1), (0, 2), (1, 2)]
        );
    }
}
