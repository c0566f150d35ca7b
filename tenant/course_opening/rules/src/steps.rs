//! 开课, 结课 and 取消开课 (part 03 B2).

use crate::enums::OpeningStatus;

/// Where an opening goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Open,
    Close,
    Cancel,
}

/// Why it does not.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("“{0}”为{status}，只有待开课的可以开课", status = .1.zh())]
    NotDraft(String, OpeningStatus),
    #[error("“{0}”为{status}，只有已开课的可以结课", status = .1.zh())]
    NotOpened(String, OpeningStatus),
    #[error("“{0}”为{status}，不能取消", status = .1.zh())]
    Over(String, OpeningStatus),
}

/// Where a turn leads from a status.
///
/// # Errors
/// Why it does not.
pub fn after(name: &str, status: OpeningStatus, turn: Turn) -> Result<OpeningStatus, Refusal> {
    use OpeningStatus::{Cancelled, Closed, Draft, Opened};
    match (turn, status) {
        (Turn::Open, Draft) => Ok(Opened),
        (Turn::Open, Opened | Closed | Cancelled) => Err(Refusal::NotDraft(name.to_owned(), status)),
        (Turn::Close, Opened) => Ok(Closed),
        (Turn::Close, Draft | Closed | Cancelled) => Err(Refusal::NotOpened(name.to_owned(), status)),
        (Turn::Cancel, Draft | Opened) => Ok(Cancelled),
        (Turn::Cancel, Closed | Cancelled) => Err(Refusal::Over(name.to_owned(), status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_goes_on_from_where_it_is() {
        use OpeningStatus::{Cancelled, Closed, Draft, Opened};
        let told = |status, turn| after("会计学原理", status, turn).map_err(|why| why.to_string());
        assert_eq!(told(Draft, Turn::Open), Ok(Opened));
        assert_eq!(told(Opened, Turn::Open), Err("“会计学原理”为已开课，只有待开课的可以开课".to_owned()));
        assert_eq!(told(Opened, Turn::Close), Ok(Closed));
        assert_eq!(told(Draft, Turn::Close), Err("“会计学原理”为待开课，只有已开课的可以结课".to_owned()));
        assert_eq!((told(Draft, Turn::Cancel), told(Opened, Turn::Cancel)), (Ok(Cancelled), Ok(Cancelled)));
        assert_eq!(told(Closed, Turn::Cancel), Err("“会计学原理”为已结课，不能取消".to_owned()));
    }
}
