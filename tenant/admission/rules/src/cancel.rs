//! 注销, 恢复: from where (02 §6).

use crate::enums::{AdmissionStatus, AdmissionTurn};

/// Whether the step is to be had.
///
/// # Errors
/// Why not.
pub fn allow(from: AdmissionStatus, turn: AdmissionTurn) -> Result<(), String> {
    use AdmissionStatus::{Assigned, Audited, Cancelled, Imported, Rejected};
    match (turn, from) {
        (AdmissionTurn::Cancel, Imported | Assigned | Rejected) | (AdmissionTurn::Restore, Cancelled) => Ok(()),
        (AdmissionTurn::Cancel, Audited) => Err("该生已审核，请先撤销审核再注销".to_owned()),
        (AdmissionTurn::Cancel, Cancelled) => Err("该录取数据已注销".to_owned()),
        (AdmissionTurn::Restore, _) => Err(format!("当前状态为{}，无须恢复", from.zh())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_withdraws_who_is_not_audited() {
        use AdmissionStatus::{Assigned, Audited, Cancelled, Imported, Rejected};
        let told = |turn, from| allow(from, turn).err().unwrap_or_default();
        for from in [Imported, Assigned, Rejected] {
            assert_eq!(told(AdmissionTurn::Cancel, from), "");
        }
        assert_eq!(told(AdmissionTurn::Cancel, Audited), "该生已审核，请先撤销审核再注销");
        assert_eq!(told(AdmissionTurn::Cancel, Cancelled), "该录取数据已注销");
        assert_eq!(told(AdmissionTurn::Restore, Cancelled), "");
        assert_eq!(told(AdmissionTurn::Restore, Imported), "当前状态为待分配，无须恢复");
    }
}
