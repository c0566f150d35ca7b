//! Files that a lesson brings with it: a script, exercises (01 §9.2).

use std::collections::HashSet;

use infra::FieldError;

use crate::resource::EXTENSIONS;

/// The largest file, in MiB.
pub const MOST_MB: i64 = 50;

/// Files of all lessons of a course.
const ATTACHMENTS: usize = 200;

/// A lesson that has files, by its place in the course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attached<'c> {
    pub chapter: usize,
    pub period: usize,
    pub period_name: &'c str,
    pub keys: &'c [String],
}

impl Attached<'_> {
    /// Where its files stand in the form.
    pub fn field(&self) -> String {
        format!("chapters[{}].periods[{}].attachmentKeys", self.chapter, self.period)
    }
}

/// A file stands once in a course, and is of a kind that the library takes.
pub(crate) fn mistakes(lessons: &[Attached<'_>]) -> Vec<FieldError> {
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for lesson in lessons {
        let message = if lesson.keys.iter().any(|key| !is_taken(key)) {
            format!("不支持该附件格式，可上传：{}", EXTENSIONS.join("、"))
        } else if lesson.keys.iter().any(|key| !seen.insert(key)) {
            "同一附件出现了两次，请删除其中一个".to_owned()
        } else {
            continue;
        };
        wrong.push(FieldError { field: lesson.field(), message });
    }
    if seen.len() > ATTACHMENTS {
        wrong.push(FieldError { field: "chapters".to_owned(), message: format!("附件最多{ATTACHMENTS}个") });
    }
    wrong
}

fn is_taken(key: &str) -> bool {
    key.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(keys: &[&[&str]]) -> Vec<String> {
        let keys: Vec<Vec<String>> =
            keys.iter().map(|lesson| lesson.iter().map(|key| (*key).to_owned()).collect()).collect();
        let lessons: Vec<Attached<'_>> = keys
            .iter()
            .enumerate()
            .map(|(period, keys)| Attached { chapter: 0, period, period_name: "1.1", keys })
            .collect();
        mistakes(&lessons).into_iter().map(|wrong| format!("{}: {}", wrong.field, wrong.message)).collect()
    }

    #[test]
    fn a_file_stands_once_and_is_of_a_known_kind() {
        assert_eq!(told(&[&["a.pdf", "b.DOCX"], &["c.zip"]]), Vec::<String>::new());
        let twice = "chapters[0].periods[1].attachmentKeys: 同一附件出现了两次，请删除其中一个";
        assert_eq!(told(&[&["a.pdf"], &["a.pdf"]]), [twice]);
        let kind = "chapters[0].periods[0].attachmentKeys: \
                    不支持该附件格式，可上传：doc、docx、xls、xlsx、ppt、pptx、pdf、zip";
        assert_eq!(told(&[&["a.exe"]]), [kind]);
        assert_eq!(told(&[&["a"]]), [kind]);
    }

    #[test]
    fn a_course_has_an_end_of_files() {
        let many: Vec<String> = (0..=ATTACHMENTS).map(|number| format!("{number}.pdf")).collect();
        let lesson = Attached { chapter: 0, period: 0, period_name: "1.1", keys: &many };
        assert_eq!(mistakes(&[lesson]).len(), 1);
        assert!(mistakes(&[Attached { keys: &many[1..], ..lesson }]).is_empty());
    }
}
