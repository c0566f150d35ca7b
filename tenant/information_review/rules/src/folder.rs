//! Names of the folders and files of a download (02 §11.5).

use std::collections::HashSet;

use infra::files::archive::plain_name;

/// Letters of a folder's or file's name.
const LONGEST_NAME: usize = 80;

/// The name, with a number where it was given before. Some systems do not tell capitals from small letters.
pub fn once(name: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.to_lowercase()) {
        return name;
    }
    let mut numbered = (2..).map(|number| format!("{name}({number})"));
    numbered.find(|name| taken.insert(name.to_lowercase())).unwrap_or(name)
}

/// What may be the name of a folder or file; of a long one the end stays, where its kind is told.
pub fn named(name: &str) -> String {
    let name = plain_name(name);
    let name: String = match name.chars().count().checked_sub(LONGEST_NAME) {
        Some(over) => name.chars().skip(over).collect(),
        None => name,
    };
    if name.is_empty() { "未命名".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_its_folder() {
        assert_eq!(named("26春/会计:1班"), "26春_会计_1班");
        assert_eq!(named(" . "), "未命名");
        assert_eq!(named(&format!("{}.pdf", "长".repeat(200))).chars().count(), LONGEST_NAME);
        assert!(named(&format!("{}.pdf", "长".repeat(200))).ends_with("长.pdf"));
        assert_eq!(named(".."), "未命名");
    }

    #[test]
    fn two_of_one_name_have_two_folders() {
        let mut taken = HashSet::new();
        let names = ["a/1_张伟", "A/1_张伟", "a/1_张伟"].map(|name| once(name.to_owned(), &mut taken));
        assert_eq!(names, ["a/1_张伟", "A/1_张伟(2)", "a/1_张伟(3)"]);
    }
}
