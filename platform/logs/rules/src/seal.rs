//! Seals of a day: of each row its number and eight bytes of its hash.

use infra::enumeration;

/// Bytes that a seal keeps of a row: eight of its number, eight of its hash.
const OF_A_ROW: usize = 16;

enumeration! {
    /// 问题
    pub enum LogDefect = "logDefect" {
        Changed = "changed" "内容被修改",
        Missing = "missing" "记录缺失",
        Added = "added" "事后添加",
        Seal = "seal" "封存记录被修改",
    }
}

/// The first row in which two seals differ; both are in the order of the rows' numbers.
pub fn first_difference(sealed: &[u8], now: &[u8]) -> Option<(i64, LogDefect)> {
    let (mut sealed, mut now) = (sealed.chunks_exact(OF_A_ROW), now.chunks_exact(OF_A_ROW));
    loop {
        match (sealed.next(), now.next()) {
            (None, None) => return None,
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after)) if number(before) == number(after) => {
                return Some((number(before), LogDefect::Changed));
            }
            (Some(before), Some(after)) if number(before) > number(after) => {
                return Some((number(after), LogDefect::Added));
            }
            (Some(before), _) => return Some((number(before), LogDefect::Missing)),
            (None, Some(after)) => return Some((number(after), LogDefect::Added)),
        }
    }
}

fn number(row: &[u8]) -> i64 {
    row.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(i64, u8)]) -> Vec<u8> {
        rows.iter().flat_map(|(id, hash)| id.to_be_bytes().into_iter().chain([*hash; 8])).collect()
    }

    #[test]
    fn the_first_row_that_differs_is_named() {
        let sealed = rows(&[(1, 10), (3, 30), (4, 40)]);
        assert_eq!(first_difference(&sealed, &sealed), None);
        for (now, id, defect) in [
            (rows(&[(1, 10), (3, 31), (4, 41)]), 3, LogDefect::Changed),
            (rows(&[(1, 10), (4, 40)]), 3, LogDefect::Missing),
            (rows(&[(1, 10), (3, 30)]), 4, LogDefect::Missing),
            (rows(&[(1, 10), (2, 20), (3, 30), (4, 40)]), 2, LogDefect::Added),
            (rows(&[(1, 10), (3, 30), (4, 40), (5, 50)]), 5, LogDefect::Added),
        ] {
            assert_eq!(first_difference(&sealed, &now), Some((id, defect)));
        }
    }
}
