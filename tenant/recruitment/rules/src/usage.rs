//! What pre-registrations hold, as a refusal tells it.

use infra::{Error, Result};

/// So many name it, so many of them in the recycle bin.
pub struct Holders {
    pub all: i64,
    pub binned: i64,
}

impl Holders {
    /// `{n}条预报名`, with the part that no list shows.
    fn words(&self) -> String {
        match self.binned {
            0 => format!("{}条预报名", self.all),
            binned => format!("{}条预报名（含回收站{binned}条）", self.all),
        }
    }

    /// # Errors
    /// 409 with their number, when there are any.
    pub fn refused(&self, what: &str, step: &str) -> Result<()> {
        if self.all == 0 {
            Ok(())
        } else {
            Err(Error::conflict(format!("{what}已有{}，不能{step}", self.words())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_it_is_told_with_the_recycle_bin() {
        let told = |all, binned| {
            Holders { all, binned }
                .refused("该专业", "移除")
                .map_or_else(|error| error.msg.into_owned(), |()| String::new())
        };
        assert_eq!(told(0, 0), "");
        assert_eq!(told(7, 0), "该专业已有7条预报名，不能移除");
        assert_eq!(told(7, 2), "该专业已有7条预报名（含回收站2条），不能移除");
    }
}
