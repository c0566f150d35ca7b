//! A list of names and numbers that a person brings from a sheet (`among` of a list's filter).

/// The names and numbers, each once and without the space around them; none for a list without any.
pub fn named(pasted: Option<&[String]>) -> Option<Vec<String>> {
    let mut named: Vec<String> = Vec::new();
    for text in pasted.unwrap_or_default() {
        // Checked documents end in a small or a capital X.
        let text = text.trim();
        let text = if text.len() == 18 && text.ends_with('x') { text.to_uppercase() } else { text.to_owned() };
        if !text.is_empty() && !named.contains(&text) {
            named.push(text);
        }
    }
    (!named.is_empty()).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_counts_once() {
        let pasted = [" 刘亮 ", "刘亮", "", "11010519491231002x"].map(ToOwned::to_owned);
        assert_eq!(named(Some(&pasted)).unwrap(), ["刘亮", "11010519491231002X"]);
        assert_eq!(named(Some(&[" ".to_owned()])), None);
        assert_eq!(named(None), None);
    }
}
