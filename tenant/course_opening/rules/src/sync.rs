//! 同步名单: how it went with several openings (part 03 B2, B4).

use course_selection_rules::sync::Synced;
use infra::{BulkFailure, Result};
use poem_openapi::Object;
use student_status_rules::check::NOT_YOURS;

/// What was changed, and which openings could not be looked at.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OpeningsSynced {
    /// 名单有变动的开课数
    pub done: i64,
    /// 新增
    pub added: i64,
    /// 退选
    pub dropped: i64,
    /// 转入其他开课或班级
    pub moved: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
    /// 任务编号
    /// 超过50个开课时的后台任务，结果见任务中心
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

impl OpeningsSynced {
    /// Adds how one opening went.
    ///
    /// # Errors
    /// What went wrong on our side.
    pub fn add(&mut self, id: i64, outcome: Result<Synced>) -> Result<()> {
        match outcome {
            Ok(synced) => {
                self.done += i64::from(synced != Synced::default());
                self.added += synced.added;
                self.dropped += synced.dropped;
                self.moved += synced.moved;
            }
            Err(error) if error.code == 500 => return Err(error),
            Err(error) => {
                let msg = if error.code == 404 { NOT_YOURS.to_owned() } else { error.msg.into_owned() };
                self.failed.push(BulkFailure { id, name: String::new(), msg });
            }
        }
        Ok(())
    }

    /// In words.
    pub fn told(&self) -> String {
        let Self { done, added, dropped, moved, failed, .. } = self;
        format!("{done}个开课的名单有变动，新增{added}人，退选{dropped}人，转入{moved}人，{}个未同步", failed.len())
    }
}

#[cfg(test)]
mod tests {
    use infra::Error;

    use super::*;

    #[test]
    fn what_was_left_is_told_beside_what_was_done() {
        let mut sum = OpeningsSynced::default();
        sum.add(1, Ok(Synced { added: 2, dropped: 1, moved: 0 })).expect("added");
        sum.add(2, Ok(Synced::default())).expect("nothing to do");
        sum.add(3, Err(Error::not_found())).expect("not theirs");
        assert_eq!(sum.told(), "1个开课的名单有变动，新增2人，退选1人，转入0人，1个未同步");
        assert_eq!(sum.failed[0].msg, NOT_YOURS);
    }
}
