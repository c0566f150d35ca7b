//! How many people of a major a site is granted.

/// A major that is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub name: String,
    /// Whether the batch still recruits for it.
    pub enabled: bool,
    /// What the sites may have together.
    pub quota: i64,
    /// What sites have of it, those aside whose grants are being written.
    pub granted: i64,
}

/// What is wrong with granting so many of a major.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}剩余计划{left}人，核定{wanted}人超出")]
pub struct Exceeded {
    name: String,
    left: i64,
    wanted: i64,
}

impl Held {
    /// Grants so many.
    ///
    /// # Errors
    /// What is left, where it is less.
    pub fn grant(&mut self, wanted: i64) -> Result<(), Exceeded> {
        // A quota is never lowered below what was granted, so that nothing is left at the least.
        let left = (self.quota - self.granted).max(0);
        if wanted > left {
            return Err(Exceeded { name: self.name.clone(), left, wanted });
        }
        self.granted += wanted;
        Ok(())
    }
}

/// By how many people a site would be over its capacity; a site without one is not measured.
pub fn over_capacity(capacity: i32, students: i64, granted: i64) -> Option<String> {
    let over = students + granted - i64::from(capacity);
    (capacity > 0 && over > 0).then(|| format!("超出站点容量{over}人"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 会计学 120: A has 50 and B 40; C asks for 35, then for 30.
    #[test]
    fn what_is_left_of_a_major_is_granted_once() {
        let mut held = Held { name: "会计学".to_owned(), enabled: true, quota: 120, granted: 90 };
        let refused = held.grant(35).expect_err("more than is left");
        assert_eq!(refused.to_string(), "会计学剩余计划30人，核定35人超出");
        assert!(held.grant(30).is_ok());
        assert_eq!(held.grant(1).expect_err("nothing is left").to_string(), "会计学剩余计划0人，核定1人超出");
    }

    #[test]
    fn a_site_is_measured_with_its_students() {
        assert_eq!(over_capacity(500, 400, 100), None);
        assert_eq!(over_capacity(500, 400, 130).as_deref(), Some("超出站点容量30人"));
        assert_eq!(over_capacity(0, 400, 130), None);
    }
}
