//! Whom a number of a sheet names (02 §7).

use infra::Scope;
use student_status_rules::check::NOT_YOURS;

pub const EXAMINEE_NO: &str = "考生号";
pub const ID_CARD_NO: &str = "证件号";

/// Whom a number names among those whom the caller sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    Nobody,
    One(i64),
    /// Registrations of these batches, for any of which the row may be meant.
    Several(Vec<String>),
}

impl Named {
    /// The registration, where it is one.
    pub fn id(&self) -> Option<i64> {
        match self {
            Self::One(id) => Some(*id),
            Self::Nobody | Self::Several(_) => None,
        }
    }

    /// What is told of a number by which no one registration is found.
    pub fn refusal(&self, scope: &Scope, by: &str) -> String {
        match self {
            Self::Several(batches) if by == ID_CARD_NO => {
                format!("该证件号在招生批次“{}”均有报到数据，请改填考生号", batches.join("”“"))
            }
            Self::Several(batches) => {
                format!("该{by}在招生批次“{}”均有报到数据，请在报到列表中逐条办理", batches.join("”“"))
            }
            Self::Nobody | Self::One(_) if scope.is_whole() => format!("没有该{by}的报到数据"),
            Self::Nobody | Self::One(_) => NOT_YOURS.to_owned(),
        }
    }
}

/// A registration of a number.
#[derive(Debug, Clone)]
pub struct Standing {
    pub id: i64,
    pub batch: String,
    /// Whether it may still come to something: neither given up nor struck off.
    pub live: bool,
}

/// Which of the registrations of a number, the newest last, a row means: the one that may still come to something, else the newest,
/// whose state is told then.
pub fn meant(standing: &[Standing]) -> Named {
    let live: Vec<&Standing> = standing.iter().filter(|one| one.live).collect();
    match live.as_slice() {
        [one] => Named::One(one.id),
        [] => standing.last().map_or(Named::Nobody, |newest| Named::One(newest.id)),
        several => Named::Several(several.iter().map(|one| one.batch.clone()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(id: i64, live: bool) -> Standing {
        Standing { id, batch: format!("{}招生", 2020 + id), live }
    }

    #[test]
    fn a_number_means_who_may_still_come() {
        assert_eq!(meant(&[]), Named::Nobody);
        assert_eq!(meant(&[standing(1, true), standing(2, false)]), Named::One(1));
        assert_eq!(meant(&[standing(1, false), standing(2, false)]), Named::One(2));
        let both = meant(&[standing(1, true), standing(2, true), standing(3, false)]);
        let told = both.refusal(&Scope::whole_school(), ID_CARD_NO);
        assert_eq!(told, "该证件号在招生批次“2021招生”“2022招生”均有报到数据，请改填考生号");
        assert_eq!(Named::Nobody.refusal(&Scope::default(), EXAMINEE_NO), "无权操作该数据");
    }
}
