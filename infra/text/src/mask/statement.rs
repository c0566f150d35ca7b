//! Statements of a database without what was asked for.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Quoted texts and numbers; statements of the server carry none, others' might.
static VALUES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b").expect("a constant expression"));
/// Characters of a statement that are shown.
const SHOWN: usize = 2000;

/// A statement without its values; what stands for a parameter stays.
pub fn statement(text: &str) -> String {
    let kept = text.replace('$', "\u{1}");
    let plain = VALUES.replace_all(&kept, |found: &Captures<'_>| {
        let at = found.get(0).map_or(0, |whole| whole.start());
        let is_parameter = kept[..at].ends_with('\u{1}');
        if is_parameter { found[0].to_owned() } else { "?".to_owned() }
    });
    plain.replace('\u{1}', "$").split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_of_a_statement_is_shown() {
        assert_eq!(
            statement("select *\n from student where name = '张''三' and id = 42 and score > 59.5 and site_id = $1"),
            "select * from student where name = ? and id = ? and score > ? and site_id = $1"
        );
        assert_eq!(statement("update t1 set a = $12"), "update t1 set a = $12");
    }
}
