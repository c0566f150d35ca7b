//! The ways of certificates and archives (part 04 §10, §11).

use crate::enums::{ArchiveStatus, CertificateStatus};

/// Where a certificate goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateTurn {
    Print,
    /// Of one that was numbered elsewhere, also without being printed here.
    Issue {
        imported: bool,
    },
    Void,
    Reissue,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: CertificateStatus, turn: CertificateTurn) -> Result<CertificateStatus, String> {
    use CertificateStatus::{Allocated, Issued, Printed, Voided};
    match (turn, from) {
        (CertificateTurn::Print, Allocated | Printed) => Ok(Printed),
        (CertificateTurn::Print | CertificateTurn::Reissue, Issued)
        | (CertificateTurn::Issue { .. }, Printed)
        | (CertificateTurn::Issue { imported: true }, Allocated) => Ok(Issued),
        (CertificateTurn::Void, Allocated | Printed | Issued) => Ok(Voided),
        (CertificateTurn::Issue { imported: false }, Allocated) => Err("证书未打印，不能发放".to_owned()),
        (CertificateTurn::Issue { .. }, Issued) => Err("证书已发放".to_owned()),
        (CertificateTurn::Reissue, Allocated | Printed) => Err("证书未发放，不能补办证明书".to_owned()),
        (_, Voided) => Err("证书已作废".to_owned()),
    }
}

/// Where an archive goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveTurn {
    /// A paper is added, replaced or waived.
    Change,
    Seal,
    Unseal,
    HandOver,
}

/// # Errors
/// The refusal in Chinese for what may not be done to an archive as it stands.
pub fn may(from: ArchiveStatus, turn: ArchiveTurn) -> Result<(), String> {
    use ArchiveStatus::{Collecting, Complete, HandedOver, Sealed};
    match (turn, from) {
        (ArchiveTurn::Change | ArchiveTurn::Seal, Collecting | Complete)
        | (ArchiveTurn::Unseal | ArchiveTurn::HandOver, Sealed) => Ok(()),
        (ArchiveTurn::Change, Sealed | HandedOver) => Err("档案已归档，不能修改".to_owned()),
        (ArchiveTurn::Seal, Sealed | HandedOver) => Err("档案已归档".to_owned()),
        (ArchiveTurn::Unseal, HandedOver) => Err("档案已移交，不能取消归档".to_owned()),
        (ArchiveTurn::Unseal | ArchiveTurn::HandOver, Collecting | Complete) => Err("档案未归档".to_owned()),
        (ArchiveTurn::HandOver, HandedOver) => Err("档案已移交".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_goes_its_way() {
        use CertificateStatus::{Allocated, Issued, Printed, Voided};
        let issue = CertificateTurn::Issue { imported: false };
        for (from, turn, to) in [
            (Allocated, CertificateTurn::Print, Ok(Printed)),
            (Printed, CertificateTurn::Print, Ok(Printed)),
            (Issued, CertificateTurn::Print, Ok(Issued)),
            (Printed, issue, Ok(Issued)),
            (Allocated, issue, Err("证书未打印，不能发放")),
            (Allocated, CertificateTurn::Issue { imported: true }, Ok(Issued)),
            (Issued, issue, Err("证书已发放")),
            (Issued, CertificateTurn::Void, Ok(Voided)),
            (Voided, CertificateTurn::Void, Err("证书已作废")),
            (Issued, CertificateTurn::Reissue, Ok(Issued)),
            (Printed, CertificateTurn::Reissue, Err("证书未发放，不能补办证明书")),
        ] {
            assert_eq!(after(from, turn), to.map_err(str::to_owned), "{from:?} {turn:?}");
        }
    }

    #[test]
    fn an_archive_that_is_sealed_does_not_change() {
        use ArchiveStatus::{Collecting, Complete, HandedOver, Sealed};
        assert_eq!(may(Collecting, ArchiveTurn::Change), Ok(()));
        assert_eq!(may(Sealed, ArchiveTurn::Change), Err("档案已归档，不能修改".to_owned()));
        assert_eq!(may(Complete, ArchiveTurn::Seal), Ok(()));
        assert_eq!(may(Sealed, ArchiveTurn::Seal), Err("档案已归档".to_owned()));
        assert_eq!(may(Sealed, ArchiveTurn::HandOver), Ok(()));
        assert_eq!(may(HandedOver, ArchiveTurn::Unseal), Err("档案已移交，不能取消归档".to_owned()));
    }
}
