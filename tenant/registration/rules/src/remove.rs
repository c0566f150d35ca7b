//! 删除: who may go into the recycle bin (02 §7, §8).

use crate::{arriving::Arriving, enums::RegistrationStatus};

/// # Errors
/// Why the row stays.
pub fn removable(person: &Arriving) -> Result<(), String> {
    use RegistrationStatus::{Abandoned, NoShow, Pending, Reported, Reserved, Revoked};
    match person.status {
        Pending | Abandoned | NoShow if person.fee_paid => Err("已缴费，不能删除，请先取消缴费标记".to_owned()),
        Pending | Abandoned | NoShow => Ok(()),
        Reported | Reserved | Revoked => Err(format!("当前状态为{}，不能删除", person.status.zh())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arriving::tests::arriving;

    fn unpaid(status: RegistrationStatus) -> Arriving {
        Arriving { fee_paid: false, ..arriving(status) }
    }

    #[test]
    fn whoever_came_or_is_kept_stays() {
        let may: Vec<&str> = RegistrationStatus::CHOICES
            .iter()
            .filter(|(_, status)| removable(&unpaid(*status)).is_ok())
            .map(|(_, status)| status.as_str())
            .collect();
        assert_eq!(may, ["pending", "abandoned", "no_show"]);
        assert_eq!(removable(&unpaid(RegistrationStatus::Reported)), Err("当前状态为已报到，不能删除".to_owned()));
        let paid = arriving(RegistrationStatus::Pending);
        assert_eq!(removable(&paid), Err("已缴费，不能删除，请先取消缴费标记".to_owned()));
    }
}
