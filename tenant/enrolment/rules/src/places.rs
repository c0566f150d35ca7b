//! The places of a site: the last one is taken once.

/// What a site has of a major of the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub site: String,
    pub major: String,
    /// None when the site was granted nothing of it.
    pub approved: Option<i64>,
    pub taken: i64,
}

impl Places {
    /// Takes a place. Answers what is told when the site has more people then than it was granted.
    ///
    /// # Errors
    /// The sentence with which it is refused, where it is.
    pub fn take(&mut self, refuses: bool) -> Result<Option<String>, String> {
        let Self { site, major, taken, .. } = &*self;
        let beyond = match self.approved {
            None => Some(format!("站点{site}未核定{major}的招生计划")),
            Some(approved) if *taken >= approved => Some(format!("站点{site}{major}已满（{taken}/{approved}）")),
            Some(_) => None,
        };
        match beyond {
            Some(beyond) if refuses => Err(beyond),
            beyond => {
                self.taken += 1;
                Ok(beyond)
            }
        }
    }

    /// Whether the site has more people than it was granted.
    pub fn is_beyond(&self) -> bool {
        self.approved.is_none_or(|approved| self.taken > approved)
    }

    /// Somebody left.
    pub fn give_back(&mut self) {
        self.taken -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_is_taken_once() {
        let mut places =
            Places { site: "城东".to_owned(), major: "会计学".to_owned(), approved: Some(50), taken: 49 };
        assert_eq!(places.take(true), Ok(None));
        assert_eq!(places.take(true), Err("站点城东会计学已满（50/50）".to_owned()));
        assert!(!places.is_beyond());
        assert_eq!(places.take(false), Ok(Some("站点城东会计学已满（50/50）".to_owned())));
        assert!(places.is_beyond());
        places.give_back();
        places.give_back();
        assert_eq!(places.take(true), Ok(None));
        places.approved = None;
        assert_eq!(places.take(true), Err("站点城东未核定会计学的招生计划".to_owned()));
    }
}
