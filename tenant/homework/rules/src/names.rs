//! Titles of homework, and names of files in an archive (part 03 B6).

use std::collections::HashSet;

use infra::files::archive::plain_name;

/// Characters of a title.
const LONGEST_TITLE: usize = 100;

/// A title of a pattern, cut where it is too long.
pub fn title(pattern: &str, course: &str, semester: &str, number: i64) -> String {
    let title = pattern.replace("{课程名}", course).replace("{学期}", semester).replace("{序号}", &number.to_string());
    title.chars().take(LONGEST_TITLE).collect()
}

/// The title of one more copy, no longer than a title may be.
pub fn copy_title(title: &str, number: i64) -> String {
    let behind = format!("（复制{number}）");
    let kept = LONGEST_TITLE.saturating_sub(behind.chars().count());
    title.chars().take(kept).chain(behind.chars()).collect()
}

/// Letters of a folder's or file's name.
const LONGEST_NAME: usize = 80;

/// What may be the name of a folder or file.
pub fn named(name: &str) -> String {
    let name = plain_name(name);
    let name: String = match name.chars().count().checked_sub(LONGEST_NAME) {
        Some(over) => name.chars().skip(over).collect(),
        None => name,
    };
    if name.is_empty() { "未命名".to_owned() } else { name }
}

/// The name, with a number where it was given before.
pub fn once(name: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.to_lowercase()) {
        return name;
    }
    let mut numbered = (2..).map(|number: u32| match name.rsplit_once('.') {
        Some((stem, kind)) => format!("{stem}({number}).{kind}"),
        None => format!("{name}({number})"),
    });
    numbered.find(|name| taken.insert(name.to_lowercase())).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_made_of_its_pattern() {
        let told = title("{学期}{课程名}作业{序号}", "会计学原理", "2026年春季学期", 3);
        assert_eq!(told, "2026年春季学期会计学原理作业3");
        assert_eq!(title(&"课".repeat(120), "", "", 1).chars().count(), 100);
    }

    #[test]
    fn the_title_of_a_copy_is_no_longer_than_a_title() {
        assert_eq!(copy_title("第一次作业", 2), "第一次作业（复制2）");
        let long = copy_title(&"课".repeat(100), 12);
        assert_eq!(long.chars().count(), LONGEST_TITLE);
        assert!(long.ends_with("课（复制12）"));
    }

    #[test]
    fn two_files_of_one_name_are_two() {
        let mut taken = HashSet::new();
        let names = ["a/作业.docx", "a/作业.docx", "b/作业.docx"].map(|name| once(name.to_owned(), &mut taken));
        assert_eq!(names, ["a/作业.docx", "a/作业(2).docx", "b/作业.docx"]);
        assert_eq!(named("26春/会计:1班"), "26春_会计_1班");
    }
}
