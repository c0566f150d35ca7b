//! 论文批次: its dates come one after the other.

use chrono::NaiveDate;
use infra::FieldError;

/// The dates of a plan; none is not set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlanDates {
    pub topic_from: Option<NaiveDate>,
    pub topic_to: Option<NaiveDate>,
    pub proposal_due: Option<NaiveDate>,
    pub draft_due: Option<NaiveDate>,
    pub final_due: Option<NaiveDate>,
    pub similarity_due: Option<NaiveDate>,
    pub review_due: Option<NaiveDate>,
    pub defense_from: Option<NaiveDate>,
    pub defense_to: Option<NaiveDate>,
}

/// Dates that are before one that should come first.
pub fn ordered(plan: &PlanDates) -> Vec<FieldError> {
    let dates = [
        ("topicFrom", plan.topic_from),
        ("topicTo", plan.topic_to),
        ("proposalDue", plan.proposal_due),
        ("draftDue", plan.draft_due),
        ("finalDue", plan.final_due),
        ("similarityDue", plan.similarity_due),
        ("reviewDue", plan.review_due),
        ("defenseFrom", plan.defense_from),
        ("defenseTo", plan.defense_to),
    ];
    let mut last: Option<NaiveDate> = None;
    let mut wrong = Vec::new();
    for (field, date) in dates.into_iter().filter_map(|(field, date)| Some((field, date?))) {
        if last.is_some_and(|last| date < last) {
            wrong.push(FieldError { field: field.to_owned(), message: "各阶段日期须依次推后".to_owned() });
        }
        last = last.max(Some(date));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_one_after_the_other() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 3, day);
        let plan = PlanDates { topic_from: day(1), topic_to: day(10), draft_due: day(10), ..PlanDates::default() };
        assert_eq!(ordered(&plan), []);
        let wrong = ordered(&PlanDates { final_due: day(5), ..plan });
        assert_eq!(wrong.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), ["finalDue"]);
    }
}
