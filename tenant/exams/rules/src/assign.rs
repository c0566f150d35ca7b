//! 分配阅卷: which sheets and answers a marker gets: evenly, by class, by question, up to their quota; for two markers two different
//! ones (part 04 §2.3).

use std::collections::HashMap;

/// A marker.
#[derive(Debug, Clone, Default)]
pub struct MarkerShare {
    pub teacher: i64,
    /// Empty: of every class.
    pub classes: Vec<i64>,
    /// Empty: every question.
    pub questions: Vec<String>,
    pub quota: Option<usize>,
    /// Sheets that they have already.
    pub held: usize,
}

/// A sheet with what of it waits for a marker.
#[derive(Debug, Clone, Default)]
pub struct SheetShare {
    pub sheet: i64,
    pub class: Option<i64>,
    pub items: Vec<(i64, String)>,
}

/// What somebody gets: a whole sheet, or one answer of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    pub sheet: i64,
    pub item: Option<i64>,
    pub teacher: i64,
    /// Counted from 1: the first or the second of two markers.
    pub copy: usize,
}

/// Gives the sheets out in their order. What nobody may mark is given to nobody.
pub fn round_robin(markers: &[MarkerShare], sheets: &[SheetShare], copies: usize) -> Vec<Given> {
    let mut load: Vec<usize> = markers.iter().map(|marker| marker.held).collect();
    let whole = copies == 1 && markers.iter().all(|marker| marker.questions.is_empty());
    let mut given = Vec::new();
    for sheet in sheets {
        // Whoever marks one answer of a sheet marks the others that they may.
        let mut chosen: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
        let mut of_sheet: Vec<usize> = Vec::new();
        let mut pick = |seq: Option<&str>, load: &[usize], of_sheet: &[usize]| -> Vec<usize> {
            let may = |place: &usize| {
                let marker = &markers[*place];
                let class = marker.classes.is_empty() || sheet.class.is_some_and(|own| marker.classes.contains(&own));
                let question =
                    marker.questions.is_empty() || seq.is_some_and(|seq| marker.questions.iter().any(|own| own == seq));
                let free = of_sheet.contains(place) || marker.quota.is_none_or(|quota| load[*place] < quota);
                class && question && free
            };
            let able: Vec<usize> = (0..markers.len()).filter(may).collect();
            chosen
                .entry(able.clone())
                .or_insert_with(|| {
                    let mut able = able;
                    able.sort_by_key(|place| (!of_sheet.contains(place), load[*place], *place));
                    able.truncate(copies);
                    able
                })
                .clone()
        };
        if whole {
            for (place, copy) in pick(None, &load, &of_sheet).into_iter().zip(1..) {
                load[place] += 1;
                given.push(Given { sheet: sheet.sheet, item: None, teacher: markers[place].teacher, copy });
            }
            continue;
        }
        for (item, seq) in &sheet.items {
            for (place, copy) in pick(Some(seq), &load, &of_sheet).into_iter().zip(1..) {
                if !of_sheet.contains(&place) {
                    of_sheet.push(place);
                    load[place] += 1;
                }
                given.push(Given { sheet: sheet.sheet, item: Some(*item), teacher: markers[place].teacher, copy });
            }
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(teacher: i64) -> MarkerShare {
        MarkerShare { teacher, ..MarkerShare::default() }
    }

    fn sheets(count: i64) -> Vec<SheetShare> {
        (1..=count)
            .map(|sheet| SheetShare {
                sheet,
                class: Some(sheet % 2),
                items: vec![(sheet * 10, "3".to_owned()), (sheet * 10 + 1, "4".to_owned())],
            })
            .collect()
    }

    fn of(given: &[Given], teacher: i64) -> usize {
        let mut own: Vec<i64> = given.iter().filter(|one| one.teacher == teacher).map(|one| one.sheet).collect();
        own.dedup();
        own.len()
    }

    #[test]
    fn ten_sheets_over_three() {
        let given = round_robin(&[marker(1), marker(2), marker(3)], &sheets(10), 1);
        assert_eq!((of(&given, 1), of(&given, 2), of(&given, 3)), (4, 3, 3));
        assert!(given.iter().all(|one| one.item.is_none() && one.copy == 1));
        let few = MarkerShare { quota: Some(1), ..marker(1) };
        let given = round_robin(&[few, marker(2)], &sheets(4), 1);
        assert_eq!((of(&given, 1), of(&given, 2)), (1, 3));
    }

    #[test]
    fn by_class_and_by_question() {
        let class = |teacher, class| MarkerShare { classes: vec![class], ..marker(teacher) };
        let given = round_robin(&[class(1, 0), class(2, 1)], &sheets(4), 1);
        assert!(given.iter().all(|one| one.teacher == if one.sheet % 2 == 0 { 1 } else { 2 }));
        let question = |teacher, seq: &str| MarkerShare { questions: vec![seq.to_owned()], ..marker(teacher) };
        let given = round_robin(&[question(1, "3"), question(2, "4")], &sheets(2), 1);
        assert_eq!(given.len(), 4);
        assert!(given.iter().all(|one| one.item.is_some_and(|item| item % 10 == one.teacher - 1)));
    }

    #[test]
    fn two_markers_are_two_people() {
        let given = round_robin(&[marker(1), marker(2), marker(3)], &sheets(3), 2);
        assert_eq!(given.len(), 12);
        for one in &given {
            let both: Vec<i64> =
                given.iter().filter(|other| other.item == one.item).map(|other| other.teacher).collect();
            assert!(both.len() == 2 && both[0] != both[1], "{both:?}");
        }
        assert_eq!([1, 2, 3].map(|teacher| of(&given, teacher)), [2, 2, 2]);
        assert_eq!(round_robin(&[marker(1)], &sheets(1), 2).len(), 2, "there is no second one");
    }
}
