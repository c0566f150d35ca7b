//! The files of reference data that ship with the server: dictionaries and administrative divisions (05 H).

use infra::{Error, Result};

pub const DICT_TYPES: &str = include_str!("../../data/dict_type.csv");
pub const DICT_DATA: &str = include_str!("../../data/dict_data.csv");
pub const REGIONS: &str = include_str!("../../data/region_gbt2260.csv");

/// The lines of a file behind its head.
///
/// # Errors
/// Internal ones, of a file that is no table.
pub fn rows(text: &str) -> Result<Vec<csv::StringRecord>> {
    csv::Reader::from_reader(text.as_bytes()).records().collect::<Result<_, _>>().map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_files_are_whole() {
        let types: HashSet<String> = rows(DICT_TYPES).expect("a table").iter().map(|row| row[0].to_owned()).collect();
        let data = rows(DICT_DATA).expect("a table");
        assert_eq!((types.len(), data.len()), (28, 264));
        assert!(data.iter().all(|row| types.contains(&row[0])));
        let regions = rows(REGIONS).expect("a table");
        assert_eq!(regions.len(), 3351);
        let codes: HashSet<&str> = regions.iter().map(|row| &row[0]).collect();
        assert_eq!(codes.len(), 3351);
        assert!(regions.iter().all(|row| row[3].is_empty() || codes.contains(&row[3])));
        assert!(
            regions.iter().all(|row| &row[0][2..4] != "99"),
            "demo identity numbers rely on prefecture 99 being nobody's"
        );
    }
}
