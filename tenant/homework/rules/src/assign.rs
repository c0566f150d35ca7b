//! How the sheets that wait are shared among markers (part 03 B7).

use std::collections::{BTreeMap, HashMap};

use crate::form::HomeworkMarkerForm;

/// A sheet that waits for its marker.
pub struct Waiting {
    pub id: i64,
    pub class_id: Option<i64>,
    pub marker_id: Option<i64>,
}

/// One after the other to each of the teachers, as long as they take more.
pub fn evenly(markers: &[HomeworkMarkerForm], sheets: &[Waiting]) -> HashMap<i64, i64> {
    let mut given: BTreeMap<usize, i32> = BTreeMap::new();
    let mut to = HashMap::with_capacity(sheets.len());
    let mut at = 0;
    for sheet in sheets {
        for _ in 0..markers.len() {
            let place = at % markers.len();
            at += 1;
            let marker = &markers[place];
            let count = given.entry(place).or_default();
            if marker.quota.is_none_or(|quota| *count < quota) {
                *count += 1;
                to.insert(sheet.id, marker.teacher_id);
                break;
            }
        }
    }
    to
}

/// To the teachers of each class its sheets, evenly; nobody marks who is in no class.
pub fn by_class(markers: &[HomeworkMarkerForm], sheets: &[Waiting]) -> HashMap<i64, i64> {
    let mut to = HashMap::with_capacity(sheets.len());
    let mut classes: BTreeMap<Option<i64>, Vec<&Waiting>> = BTreeMap::new();
    for sheet in sheets {
        classes.entry(sheet.class_id).or_default().push(sheet);
    }
    for (class, sheets) in classes {
        let own: Vec<HomeworkMarkerForm> =
            markers.iter().filter(|marker| class.is_some() && marker.class_id == class).cloned().collect();
        if own.is_empty() {
            continue;
        }
        let sheets: Vec<Waiting> = sheets
            .into_iter()
            .map(|sheet| Waiting { id: sheet.id, class_id: sheet.class_id, marker_id: sheet.marker_id })
            .collect();
        to.extend(evenly(&own, &sheets));
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(teacher_id: i64, class_id: Option<i64>, quota: Option<i32>) -> HomeworkMarkerForm {
        HomeworkMarkerForm { teacher_id, class_id, question_seqs: Vec::new(), quota }
    }

    fn sheets(count: i64, class_id: Option<i64>) -> Vec<Waiting> {
        (1..=count).map(|id| Waiting { id, class_id, marker_id: None }).collect()
    }

    fn counts(to: &HashMap<i64, i64>) -> BTreeMap<i64, usize> {
        let mut counts = BTreeMap::new();
        for teacher in to.values() {
            *counts.entry(*teacher).or_default() += 1;
        }
        counts
    }

    #[test]
    fn sheets_go_evenly_until_somebody_has_enough() {
        let two = [marker(7, None, None), marker(8, None, None)];
        assert_eq!(counts(&evenly(&two, &sheets(5, None))), BTreeMap::from([(7, 3), (8, 2)]));
        let few = [marker(7, None, Some(1)), marker(8, None, None)];
        assert_eq!(counts(&evenly(&few, &sheets(5, None))), BTreeMap::from([(7, 1), (8, 4)]));
        let none = [marker(7, None, Some(2))];
        assert_eq!(evenly(&none, &sheets(5, None)).len(), 2, "three are left");
    }

    #[test]
    fn classes_have_their_own_markers() {
        let mut all = sheets(4, Some(1));
        all.extend(sheets(3, Some(2)).into_iter().map(|sheet| Waiting { id: sheet.id + 10, ..sheet }));
        all.push(Waiting { id: 30, class_id: None, marker_id: None });
        let markers = [marker(7, Some(1), None), marker(8, Some(2), None), marker(9, Some(2), None)];
        let to = by_class(&markers, &all);
        assert_eq!(counts(&to), BTreeMap::from([(7, 4), (8, 2), (9, 1)]));
        assert!(!to.contains_key(&30), "nobody marks who is in no class");
    }
}
