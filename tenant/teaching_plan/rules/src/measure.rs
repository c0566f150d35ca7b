//! What the courses of a plan come to (part 03 B1, computation).
//!
//! Credits are whole tenths; hours of elective groups are shares of what their courses have, counted in parts so small that
//! nothing but the last step rounds.

use crate::{
    course::{PlanCourse, PlanGroup},
    credit::{points, tenths},
    enums::CourseNature,
};

/// Hours or credits with twelve places: what shares are added up in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i128);

pub(crate) const UNIT: i128 = 1_000_000_000_000;

impl Amount {
    pub(crate) fn whole(number: i64) -> Self {
        Self(i128::from(number) * UNIT)
    }

    /// `part` of `whole`, of a number; nothing where there is no whole.
    fn share(number: i64, part: i64, whole: i64) -> Self {
        if whole <= 0 {
            Self::default()
        } else {
            Self(half_up(i128::from(number) * i128::from(part) * UNIT, whole.into()))
        }
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// In tenths, rounded half up. What division left in the last places is none of the number.
    pub fn tenths(self) -> i64 {
        let settled = half_up(self.0, 1_000);
        i64::try_from(half_up(settled * 10, UNIT / 1_000)).unwrap_or(i64::MAX)
    }

    /// With one place.
    pub fn rounded(self) -> f64 {
        points(self.tenths())
    }

    /// Without the last places, to be compared.
    pub(crate) fn settled(self) -> i128 {
        half_up(self.0, 1_000) * 1_000
    }
}

fn half_up(number: i128, by: i128) -> i128 {
    (2 * number + by).div_euclid(2 * by)
}

/// What the courses of a plan come to, as far as they are required: all compulsory ones, and of each group its least credits.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// In tenths.
    pub compulsory: i64,
    /// The groups' least credits together, in tenths.
    pub elective: i64,
    pub hours: Amount,
    pub offline: Amount,
    /// In per cent, with one place; none without hours.
    pub offline_ratio: Option<f64>,
    /// With one place; none without credits.
    pub hours_per_credit: Option<f64>,
}

/// Counts a plan.
pub fn measure(courses: &[PlanCourse], groups: &[PlanGroup]) -> Measure {
    let compulsory: Vec<&PlanCourse> =
        courses.iter().filter(|course| course.nature == CourseNature::Compulsory).collect();
    let mut hours = Amount::whole(compulsory.iter().map(|course| i64::from(course.hours)).sum());
    let mut offline = Amount::whole(compulsory.iter().map(|course| course.offline_hours()).sum());
    let mut elective: i64 = 0;
    for group in groups {
        let own = of_group(courses, group.id);
        let (least, credits) = (tenths(group.min_credits), own.credits);
        hours = hours.plus(Amount::share(own.hours, least, credits));
        offline = offline.plus(Amount::share(own.offline, least, credits));
        elective += least;
    }
    let compulsory: i64 = compulsory.iter().map(|course| tenths(course.credits)).sum();
    Measure {
        compulsory,
        elective,
        hours,
        offline,
        offline_ratio: ratio(offline, hours),
        hours_per_credit: density(hours, compulsory + elective),
    }
}

/// Per cent with one place.
fn ratio(part: Amount, whole: Amount) -> Option<f64> {
    let (part, whole) = (part.settled(), whole.settled());
    (whole > 0).then(|| points(i64::try_from(half_up(part * 1_000, whole)).unwrap_or(i64::MAX)))
}

/// Hours a credit with one place; the credits are in tenths.
fn density(hours: Amount, credits: i64) -> Option<f64> {
    (credits > 0)
        .then(|| points(i64::try_from(half_up(hours.settled() * 100, UNIT * i128::from(credits))).unwrap_or(i64::MAX)))
}

/// What the courses of a group have together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OfGroup {
    pub courses: i64,
    /// In tenths.
    pub credits: i64,
    pub hours: i64,
    pub offline: i64,
}

pub(crate) fn of_group(courses: &[PlanCourse], group: i64) -> OfGroup {
    let own = courses.iter().filter(|course| course.elective_group_id == Some(group));
    own.fold(OfGroup::default(), |sum, course| OfGroup {
        courses: sum.courses + 1,
        credits: sum.credits + tenths(course.credits),
        hours: sum.hours + i64::from(course.hours),
        offline: sum.offline + course.offline_hours(),
    })
}

/// Required credits of one term: of a group as much as its courses of the term are of all of them.
pub(crate) fn term_credits(courses: &[PlanCourse], groups: &[PlanGroup], term: i32) -> Amount {
    let in_term = |course: &&PlanCourse| course.term_no == term;
    let compulsory: i64 = courses
        .iter()
        .filter(in_term)
        .filter(|course| course.nature == CourseNature::Compulsory)
        .map(|course| tenths(course.credits))
        .sum();
    groups.iter().fold(Amount::whole(compulsory), |sum, group| {
        let own = courses.iter().filter(in_term).filter(|course| course.elective_group_id == Some(group.id));
        let here: i64 = own.map(|course| tenths(course.credits)).sum();
        sum.plus(Amount::share(tenths(group.min_credits), here, of_group(courses, group.id).credits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_once() {
        let third = Amount::share(1, 1, 3);
        assert_eq!(third.plus(third).plus(third).rounded(), 1.0);
        assert_eq!(Amount::share(1, 1, 20).rounded(), 0.1, "0.05 is rounded up");
        let parts = Amount::share(1, 1, 60).plus(Amount::share(1, 1, 30));
        assert_eq!(parts.rounded(), 0.1, "0.05 of parts too");
        assert_eq!(Amount::share(5, 1, 0), Amount::default());
    }
}
