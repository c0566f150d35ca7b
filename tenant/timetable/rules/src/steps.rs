//! The way of an arrangement (part 03 B9).

use crate::enums::ArrangeStatus;

/// Where an arrangement goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Publish,
    Cancel,
}

/// Why it does not.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("“{0}”{status}，只有草稿可以发布", status = .1.zh())]
    NotDraft(String, ArrangeStatus),
    #[error("“{0}”已取消")]
    Over(String),
}

/// Where a turn leads from a status.
pub fn after(name: &str, status: ArrangeStatus, turn: Turn) -> Result<ArrangeStatus, Refusal> {
    use ArrangeStatus::{Cancelled, Draft, Published};
    match (turn, status) {
        (Turn::Publish, Draft) => Ok(Published),
        (Turn::Publish, Published | Cancelled) => Err(Refusal::NotDraft(name.to_owned(), status)),
        (Turn::Cancel, Draft | Published) => Ok(Cancelled),
        (Turn::Cancel, Cancelled) => Err(Refusal::Over(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrangement_goes_on_from_where_it_is() {
        use ArrangeStatus::{Cancelled, Draft, Published};
        let told = |status, turn| after("管理学", status, turn).map_err(|why| why.to_string());
        assert_eq!(told(Draft, Turn::Publish), Ok(Published));
        assert_eq!(told(Published, Turn::Publish), Err("“管理学”已发布，只有草稿可以发布".to_owned()));
        assert_eq!(told(Cancelled, Turn::Publish), Err("“管理学”已取消，只有草稿可以发布".to_owned()));
        assert_eq!((told(Draft, Turn::Cancel), told(Published, Turn::Cancel)), (Ok(Cancelled), Ok(Cancelled)));
        assert_eq!(told(Cancelled, Turn::Cancel), Err("“管理学”已取消".to_owned()));
    }
}
