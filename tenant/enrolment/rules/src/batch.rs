//! The way of a batch.

use infra::enumeration;

enumeration! {
    /// 招生批次状态
    pub enum EnrollmentBatchStatus = "enrollmentBatchStatus" {
        Draft = "draft" "草稿",
        Open = "open" "进行中",
        Closed = "closed" "已结束",
    }
}

/// Why a batch does not go there.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("当前状态为{}，不能改为{}", .0.zh(), .1.zh())]
    NoWay(EnrollmentBatchStatus, EnrollmentBatchStatus),
    #[error("该批次还没有招生专业，不能开放")]
    Empty,
}

/// Whether the step is to be had.
pub fn allow(from: EnrollmentBatchStatus, to: EnrollmentBatchStatus, majors: i64) -> Result<(), Refusal> {
    use EnrollmentBatchStatus::{Closed, Draft, Open};
    match (from, to) {
        (Draft | Closed, Open) if majors == 0 => Err(Refusal::Empty),
        (Draft | Closed, Open) | (Open, Closed) => Ok(()),
        (Draft, Draft | Closed) | (Open, Draft | Open) | (Closed, Draft | Closed) => Err(Refusal::NoWay(from, to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EnrollmentBatchStatus::{Closed, Draft, Open};

    #[test]
    fn a_batch_goes_its_way() {
        let told = |from, to, majors| allow(from, to, majors).map_or_else(|why| why.to_string(), |()| String::new());
        assert_eq!(told(Draft, Open, 1), "");
        assert_eq!(told(Draft, Open, 0), "该批次还没有招生专业，不能开放");
        assert_eq!(told(Open, Closed, 1), "");
        assert_eq!(told(Closed, Open, 1), "");
        assert_eq!(told(Draft, Closed, 1), "当前状态为草稿，不能改为已结束");
        assert_eq!(told(Open, Draft, 1), "当前状态为进行中，不能改为草稿");
    }
}
