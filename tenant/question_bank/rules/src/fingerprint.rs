//! 指纹: what two questions have in common that are the same (part 03 A7).

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::{check::Part, text::loose};

/// sha256 of type, normalised stem, digests of its pictures and of the audio, and the sorted normalised options.
pub fn fingerprint(part: &Part, audio: Option<&str>, digests: &HashMap<String, String>) -> Vec<u8> {
    let digest = |key: &str| digests.get(key).cloned().unwrap_or_else(|| key.to_owned());
    let mut options: Vec<String> = part.options.iter().map(|option| loose(&option.content.told(digest))).collect();
    options.sort_unstable();
    let mut sum = Sha256::new();
    let stem = loose(&part.stem.plain());
    let pictures = part.stem.keys().into_iter().map(|key| digest(&key));
    let told = [part.kind.as_str().to_owned(), stem].into_iter().chain(pictures);
    for text in told.chain(audio.map(&digest)).chain(options) {
        sum.update(text.as_bytes());
        // No text has it, so that no two lists run together.
        sum.update([0_u8]);
    }
    sum.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::{check::Complete, form::QuestionForm, text::QuestionText};

    fn of(form: &QuestionForm) -> Vec<u8> {
        fingerprint(&Complete::of(form).expect("right").own, None, &HashMap::new())
    }

    #[test]
    fn order_of_options_and_typing_make_no_difference() {
        let first = QuestionForm::example();
        let mut second = first.clone();
        second.stem = QuestionText::cleaned("<p>货币 最基本的<b>职能</b>是 </p>");
        second.options.reverse();
        for (option, letter) in second.options.iter_mut().zip(["A", "B"]) {
            letter.clone_into(&mut option.letter);
        }
        assert_eq!(of(&first), of(&second));
        second.stem = QuestionText::cleaned("货币最根本的职能是");
        assert_ne!(of(&first), of(&second));
    }
}
