//! 上架、下架 of a set of recorded material (part 03 A6).

use infra::enumeration;

enumeration! {
    /// 资源状态
    pub enum CourseRecordStatus = "courseRecordStatus" {
        Draft = "draft" "草稿",
        Published = "published" "已上架",
        OffShelf = "off_shelf" "已下架",
    }
}

/// What of a record's enabled periods decides whether it may be published.
#[derive(Debug, Clone, Copy)]
pub struct Periods {
    pub enabled: i64,
    pub required_unready: i64,
    /// Opened courses that are studied with the record: it is theirs, or their course's default.
    pub taught: i64,
}

/// Why a record may not come to a status.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("请先添加并启用课时，再上架")]
    NoPeriod,
    #[error("还有{0}个必修课时未转码完成")]
    Unready(i64),
    #[error("已上架的资源不能退回草稿，请下架")]
    NoWayBack,
    #[error("草稿尚未上架，无需下架")]
    NeverPublished,
    #[error("{0}个在开课程正在使用该资源")]
    Taught(i64),
    #[error("资源已是该状态")]
    Same,
}

/// Whether a record may come to a status.
///
/// # Errors
/// Why not.
pub fn may_become(from: CourseRecordStatus, to: CourseRecordStatus, periods: Periods) -> Result<(), Refusal> {
    use CourseRecordStatus::{Draft, OffShelf, Published};
    match (from, to) {
        (from, to) if from == to => Err(Refusal::Same),
        (_, Draft) => Err(Refusal::NoWayBack),
        (Draft, OffShelf) => Err(Refusal::NeverPublished),
        (Published, OffShelf) if periods.taught > 0 => Err(Refusal::Taught(periods.taught)),
        (_, Published) if periods.enabled == 0 => Err(Refusal::NoPeriod),
        (_, Published) if periods.required_unready > 0 => Err(Refusal::Unready(periods.required_unready)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CourseRecordStatus::{Draft, OffShelf, Published};

    #[test]
    fn only_what_can_be_watched_is_published() {
        let periods = |enabled, required_unready| Periods { enabled, required_unready, taught: 0 };
        assert_eq!(may_become(Draft, Published, periods(10, 0)), Ok(()));
        assert_eq!(may_become(Draft, Published, periods(10, 1)), Err(Refusal::Unready(1)));
        assert_eq!(may_become(OffShelf, Published, periods(0, 0)), Err(Refusal::NoPeriod));
        assert_eq!(may_become(Published, OffShelf, periods(10, 1)), Ok(()));
        assert_eq!(may_become(Draft, OffShelf, periods(10, 0)), Err(Refusal::NeverPublished));
        assert_eq!(may_become(Published, Draft, periods(10, 0)), Err(Refusal::NoWayBack));
        assert_eq!(may_become(Draft, Draft, periods(10, 0)), Err(Refusal::Same));
        let taught = Periods { taught: 2, ..periods(10, 0) };
        assert_eq!(may_become(Published, OffShelf, taught), Err(Refusal::Taught(2)));
        assert_eq!(may_become(OffShelf, Published, taught), Ok(()));
    }
}
