//! A question as a sheet asks it, and what of an answer is kept (part 03 B10).

use std::collections::HashSet;

use infra::{Error, Result};
use question_bank::{enums::QuestionType, marking::GivenAnswer, question::QuestionUpload, text::QuestionText};

use crate::shuffle::Letters;

/// Characters of an answer in words, and of one blank.
const LONGEST_TEXT: usize = 50_000;
const LONGEST_BLANK: usize = 500;
/// What may go with an answer in words, where the question says nothing of it.
const ATTACHED: [&str; 7] = ["pdf", "doc", "docx", "zip", "jpg", "jpeg", "png"];
const ATTACHED_FILES: i32 = 5;
const ATTACHED_MB: i32 = 20;

/// A question of a snapshot that is answered: of a frame each of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetQuestion {
    pub id: i64,
    pub seq: String,
    pub kind: QuestionType,
    /// In tenths.
    pub score: i64,
    pub options: usize,
    pub blanks: usize,
    /// What files it takes; none takes none.
    pub files: Option<QuestionUpload>,
    pub stem: QuestionText,
    /// What stands above it: the material of a frame.
    pub material: Option<QuestionText>,
}

/// What files a question takes.
pub fn files_of(kind: QuestionType, upload: Option<&QuestionUpload>, allowed: bool) -> Option<QuestionUpload> {
    let usual = || QuestionUpload {
        extensions: ATTACHED.iter().map(|one| (*one).to_owned()).collect(),
        max_files: ATTACHED_FILES,
        max_size_mb: ATTACHED_MB,
    };
    match kind {
        QuestionType::FileUpload => Some(upload.cloned().unwrap_or_else(usual)),
        QuestionType::ShortAnswer | QuestionType::Essay if allowed => Some(upload.cloned().unwrap_or_else(usual)),
        _ => None,
    }
}

/// What of an answer is kept: the fields that the question's type has, letters as the question has them.
///
/// # Errors
/// 422 at `answer` for letters that are not shown, and for too much text.
pub fn kept(question: &SheetQuestion, letters: &Letters, given: GivenAnswer) -> Result<GivenAnswer> {
    let told = |message: String| Error::field("items", format!("第{}题：{message}", question.seq));
    let mut answer = GivenAnswer::default();
    match question.kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice => {
            let shown = given.letters.unwrap_or_default();
            if question.kind == QuestionType::SingleChoice && shown.len() > 1 {
                return Err(told("单选题只能选一项".to_owned()));
            }
            let mut stored = Vec::with_capacity(shown.len());
            for letter in shown {
                stored.push(letters.stored(&letter).ok_or_else(|| told(format!("没有选项{letter}")))?);
            }
            stored.sort_unstable();
            stored.dedup();
            answer.letters = Some(stored);
        }
        QuestionType::TrueFalse => answer.value = given.value,
        QuestionType::FillBlank => {
            let texts = given.texts.unwrap_or_default();
            if texts.len() > question.blanks {
                return Err(told(format!("共{}个空", question.blanks)));
            }
            if texts.iter().any(|text| text.chars().count() > LONGEST_BLANK) {
                return Err(told(format!("每空不能超过{LONGEST_BLANK}个字符")));
            }
            answer.texts = Some(texts);
        }
        QuestionType::ShortAnswer | QuestionType::Essay => {
            if let Some(html) = &given.html {
                html.at_most("items", &format!("第{}题的答案", question.seq), LONGEST_TEXT)?;
            }
            answer.html = given.html;
            answer.file_ids = given.file_ids;
        }
        QuestionType::FileUpload => answer.file_ids = given.file_ids,
        QuestionType::CaseAnalysis | QuestionType::Listening => {}
    }
    let files = answer.file_ids.get_or_insert_default();
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(*file));
    match &question.files {
        None if !files.is_empty() => return Err(told("该题不能上传附件".to_owned())),
        Some(rule) if i64::try_from(files.len()).unwrap_or(i64::MAX) > i64::from(rule.max_files) => {
            return Err(told(format!("最多上传{}个附件", rule.max_files)));
        }
        _ => {}
    }
    if files.is_empty() {
        answer.file_ids = None;
    }
    Ok(answer)
}

/// An answer as its student sees it: letters as the sheet shows them.
pub fn as_shown(answer: &mut GivenAnswer, letters: &Letters) {
    if let Some(stored) = &mut answer.letters {
        let mut shown: Vec<String> = stored.iter().filter_map(|letter| letters.shown(letter)).collect();
        shown.sort_unstable();
        *stored = shown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::Shuffle;

    fn question(kind: QuestionType) -> SheetQuestion {
        SheetQuestion {
            id: 1,
            seq: "7.2".to_owned(),
            kind,
            score: 50,
            options: 4,
            blanks: 2,
            files: files_of(kind, None, false),
            stem: QuestionText::default(),
            material: None,
        }
    }

    #[test]
    fn what_a_student_sees_as_c_is_stored_in_the_questions_letter() {
        let shuffle = Shuffle { questions: false, options: true, seed: 3 };
        let letters = shuffle.letters("7.2", 4);
        let given = GivenAnswer { letters: Some(vec!["C".to_owned()]), ..GivenAnswer::default() };
        let mut stored = kept(&question(QuestionType::SingleChoice), &letters, given.clone()).expect("a letter");
        assert_eq!(stored.letters.as_ref().and_then(|all| letters.shown(&all[0])).as_deref(), Some("C"));
        as_shown(&mut stored, &letters);
        assert_eq!(stored.letters, given.letters);
    }

    #[test]
    fn what_is_not_asked_is_not_kept() {
        let letters = Shuffle::default().letters("7.2", 4);
        let refused = |kind, given| kept(&question(kind), &letters, given).map_err(|error| error.msg.into_owned());
        let choice = |all: &[&str]| GivenAnswer {
            letters: Some(all.iter().map(|one| (*one).to_owned()).collect()),
            ..GivenAnswer::default()
        };
        assert_eq!(refused(QuestionType::SingleChoice, choice(&["E"])), Err("第7.2题：没有选项E".to_owned()));
        assert_eq!(
            refused(QuestionType::SingleChoice, choice(&["A", "B"])),
            Err("第7.2题：单选题只能选一项".to_owned())
        );
        let mixed = GivenAnswer { value: Some(true), ..choice(&["A"]) };
        assert_eq!(
            refused(QuestionType::TrueFalse, mixed).map(|kept| (kept.value, kept.letters)),
            Ok((Some(true), None))
        );
        let files = GivenAnswer { file_ids: Some(vec![1]), ..GivenAnswer::default() };
        assert_eq!(refused(QuestionType::Essay, files.clone()), Err("第7.2题：该题不能上传附件".to_owned()));
        assert_eq!(refused(QuestionType::FileUpload, files).map(|kept| kept.file_ids), Ok(Some(vec![1])));
        let twice = GivenAnswer { file_ids: Some(vec![2, 1, 2]), ..GivenAnswer::default() };
        assert_eq!(refused(QuestionType::FileUpload, twice).map(|kept| kept.file_ids), Ok(Some(vec![2, 1])));
        let many = GivenAnswer { file_ids: Some((1..=6).collect()), ..GivenAnswer::default() };
        assert_eq!(refused(QuestionType::FileUpload, many), Err("第7.2题：最多上传5个附件".to_owned()));
    }
}
