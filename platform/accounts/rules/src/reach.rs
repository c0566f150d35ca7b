//! On whose accounts somebody may act (01 §2.2.3).

/// Where an account works and whoever acts may act, as far as a step touches it.
#[derive(Debug, Clone)]
pub struct Places {
    pub of_platform: bool,
    /// Of a platform account: it acts for all schools.
    pub everywhere: bool,
    pub schools: Vec<i64>,
    pub administrator: bool,
    /// Whoever acts: a school's own person, with the flag of 院校管理员 there.
    pub staff: bool,
    pub is_administrator: bool,
    pub acts_everywhere: bool,
    pub acts_for: Vec<i64>,
}

/// Why an account lies beyond whoever acts.
#[derive(Debug, PartialEq, Eq)]
pub enum Beyond {
    WiderScope,
    AnotherSchool,
    Administrator,
}

impl Places {
    /// Why the account lies beyond whoever acts, `inside` a school or on the platform; none where it does not.
    pub fn beyond(&self, inside: Option<i64>) -> Option<Beyond> {
        let own = |school: &i64| match inside {
            Some(here) => *school == here,
            None => self.acts_everywhere || self.acts_for.contains(school),
        };
        if self.of_platform && self.everywhere && !self.acts_everywhere {
            Some(Beyond::WiderScope)
        } else if !self.schools.iter().all(own) {
            Some(if self.of_platform { Beyond::WiderScope } else { Beyond::AnotherSchool })
        } else if self.administrator && self.staff && !self.is_administrator {
            Some(Beyond::Administrator)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(schools: &[i64]) -> Places {
        Places {
            of_platform: false,
            everywhere: true,
            schools: schools.to_vec(),
            administrator: false,
            staff: false,
            is_administrator: false,
            acts_everywhere: false,
            acts_for: vec![1],
        }
    }

    #[test]
    fn an_operator_of_some_schools_acts_on_accounts_of_these_alone() {
        assert_eq!(places(&[1]).beyond(None), None);
        assert_eq!(places(&[1, 2]).beyond(None), Some(Beyond::AnotherSchool));
        let everywhere = Places { acts_everywhere: true, ..places(&[1, 2]) };
        assert_eq!(everywhere.beyond(None), None);
        let operator = |everywhere, schools: &[i64]| Places { of_platform: true, everywhere, ..places(schools) };
        assert_eq!(operator(false, &[1]).beyond(None), None);
        assert_eq!(operator(false, &[1, 2]).beyond(None), Some(Beyond::WiderScope));
        assert_eq!(operator(true, &[]).beyond(None), Some(Beyond::WiderScope));
    }

    #[test]
    fn a_school_acts_on_what_is_its_own() {
        let staff = |schools: &[i64], administrator, is_administrator| Places {
            staff: true,
            acts_everywhere: true,
            administrator,
            is_administrator,
            ..places(schools)
        };
        assert_eq!(staff(&[1], false, false).beyond(Some(1)), None);
        assert_eq!(staff(&[1, 2], false, false).beyond(Some(1)), Some(Beyond::AnotherSchool));
        assert_eq!(staff(&[1], true, false).beyond(Some(1)), Some(Beyond::Administrator));
        assert_eq!(staff(&[1], true, true).beyond(Some(1)), None);
    }
}
