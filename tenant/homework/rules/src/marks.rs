//! Whose an answer is to mark, and which scores it may have (part 03 B7).

use question_bank::score::{is_score, shown};
use serde_json::Value;

use crate::enums::ItemMarkState;

/// An answer as it is marked.
pub struct Line {
    pub id: i64,
    pub seq: String,
    pub full: i64,
    pub state: ItemMarkState,
    pub score: Option<i64>,
    pub comment: Option<String>,
    pub annotations: Value,
    pub files: Vec<i64>,
    pub marker_id: Option<i64>,
}

/// Whether an answer is a teacher's to mark: what was given to them, and of their sheet what was given to nobody. Whoever was
/// given nothing of it marks on behalf of the others, all of it.
pub fn is_theirs(
    teacher: Option<i64>,
    of_sheet: Option<i64>,
    mut of_answers: impl Iterator<Item = Option<i64>>,
    of_answer: Option<i64>,
) -> bool {
    let Some(teacher) = teacher else { return true };
    match of_answer {
        Some(other) if other == teacher => true,
        _ if of_sheet != Some(teacher) => !of_answers.any(|marker| marker == Some(teacher)),
        Some(_) => false,
        None => true,
    }
}

/// Why a score is not one of the answer, as the wire tells it.
pub fn check_score(line: &Line, score: f64) -> Result<(), String> {
    if is_score(score, 0, line.full) {
        Ok(())
    } else {
        Err(format!("第{}题得分应在0–{}之间", line.seq, shown(line.full)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(seq: &str, marker_id: Option<i64>) -> Line {
        Line {
            id: 1,
            seq: seq.to_owned(),
            full: 50,
            state: ItemMarkState::Pending,
            score: None,
            comment: None,
            annotations: json!([]),
            files: Vec::new(),
            marker_id,
        }
    }

    #[test]
    fn five_and_a_half_of_five_is_refused() {
        let seven = line("7", None);
        assert_eq!(check_score(&seven, 5.5), Err("第7题得分应在0–5.0之间".to_owned()));
        assert_eq!(check_score(&seven, 4.3), Ok(()), "tenths are taken");
        assert!(check_score(&seven, 4.35).is_err());
        assert!(check_score(&seven, -0.5).is_err());
    }

    #[test]
    fn whoever_was_given_questions_marks_those() {
        let lines = [line("1", None), line("2", Some(7))];
        let mine = |teacher, of_sheet| {
            let own =
                |line: &Line| is_theirs(teacher, of_sheet, lines.iter().map(|line| line.marker_id), line.marker_id);
            lines.iter().map(own).collect::<Vec<bool>>()
        };
        assert_eq!(mine(Some(7), Some(8)), [false, true]);
        assert_eq!(mine(Some(7), Some(7)), [true, true], "the sheet is theirs too");
        assert_eq!(mine(Some(8), Some(8)), [true, false], "the rest of their sheet");
        assert_eq!(mine(Some(9), Some(8)), [true, true], "nobody gave them anything: on behalf");
        assert_eq!(mine(None, Some(8)), [true, true], "an account marks on behalf");
    }
}
