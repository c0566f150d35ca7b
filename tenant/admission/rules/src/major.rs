//! Which major a row of the authority's file means (02 §6.4).

use enrolment::admitting::RecruitedMajor;
use majors::major::StudyForm;

/// The one that the authority means.
///
/// # Errors
/// None has the code, or the one that has it has another study form.
pub fn major_of<'m>(
    there: Option<&'m RecruitedMajor>,
    form: Option<StudyForm>,
    code: &str,
) -> Result<&'m RecruitedMajor, String> {
    let major = there.ok_or_else(|| format!("招办专业代码{code}未在本批次维护"))?;
    match form {
        Some(form) if form != major.study_form => {
            Err(format!("学习形式为{}，专业“{}”为{}", form.zh(), major.name, major.study_form.zh()))
        }
        _ => Ok(major),
    }
}

#[cfg(test)]
mod tests {
    use term::EntryLevel;

    use super::*;

    fn major(id: i64, form: StudyForm) -> RecruitedMajor {
        RecruitedMajor {
            id,
            major_id: id,
            level_id: 1,
            entry_level: EntryLevel::AssociateToBachelor,
            name: "会计学".to_owned(),
            authority_name: None,
            exam_category: None,
            study_form: form,
            schooling_years: 25,
        }
    }

    #[test]
    fn the_authority_means_one_major() {
        use StudyForm::{NonFullTime, PartTime};
        let told = |there: Option<&RecruitedMajor>, form| major_of(there, form, "101").map(|major| major.id);
        assert_eq!(told(None, None), Err("招办专业代码101未在本批次维护".to_owned()));
        let one = major(1, NonFullTime);
        assert_eq!((told(Some(&one), None), told(Some(&one), Some(NonFullTime))), (Ok(1), Ok(1)));
        assert_eq!(told(Some(&one), Some(PartTime)), Err("学习形式为业余，专业“会计学”为非脱产".to_owned()));
    }
}
