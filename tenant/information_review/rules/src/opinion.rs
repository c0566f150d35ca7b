//! What class, site and school say of who graduates (02 §11.1).

use serde_json::{Value, json};

/// The opinions of one form; what is said newly has those that change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinions {
    pub class_opinion: Option<String>,
    pub site_opinion: Option<String>,
    pub school_opinion: Option<String>,
}

impl Opinions {
    /// As the trail keeps it.
    pub fn told(&self) -> Value {
        let Self { class_opinion, site_opinion, school_opinion } = self;
        json!({ "classOpinion": class_opinion, "siteOpinion": site_opinion, "schoolOpinion": school_opinion })
    }

    /// What is said newly over what was said before.
    pub fn with(&self, said: Self) -> Self {
        let over = |new: Option<String>, old: &Option<String>| new.or_else(|| old.clone());
        Self {
            class_opinion: over(said.class_opinion, &self.class_opinion),
            site_opinion: over(said.site_opinion, &self.site_opinion),
            school_opinion: over(said.school_opinion, &self.school_opinion),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opinion_that_is_left_out_stays() {
        let before = Opinions {
            class_opinion: Some("学习认真。".to_owned()),
            site_opinion: None,
            school_opinion: Some("同意毕业。".to_owned()),
        };
        let said = Opinions {
            class_opinion: None,
            site_opinion: Some("同意班级意见。".to_owned()),
            school_opinion: Some("准予毕业。".to_owned()),
        };
        let after = before.with(said);
        assert_eq!(after.class_opinion.as_deref(), Some("学习认真。"));
        assert_eq!(after.site_opinion.as_deref(), Some("同意班级意见。"));
        assert_eq!(after.school_opinion.as_deref(), Some("准予毕业。"));
    }
}
