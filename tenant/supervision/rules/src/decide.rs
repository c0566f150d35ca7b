//! What a scan does to the case of one student: flags are raised, changed and cleared, and the case follows (part 05 C3, C4). The same
//! facts decided twice change nothing.

use chrono::NaiveDate;

use crate::{
    enums::{SuperviseClosedReason, SuperviseKind, SuperviseLevel, SuperviseRef, SuperviseStatus},
    level::{case_level, level_of},
    measure::in_grace,
    rule::{Place, Rule, rule_of},
};

/// Days without a live flag after which a case is relieved.
const CLEAR_DAYS: i64 = 3;

/// Something that is measured of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub kind: SuperviseKind,
    pub ref_type: SuperviseRef,
    pub ref_id: i64,
    pub course_id: Option<i64>,
    pub title: String,
    /// In tenths; of what is counted [`decide`] finds it.
    pub value: i32,
    /// In tenths; of what grows with time.
    pub expected: Option<i32>,
    /// Why an examination is not yet open to the student.
    pub lack: Option<String>,
}

/// A flag as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldFlag {
    pub id: i64,
    pub kind: SuperviseKind,
    pub ref_id: i64,
    pub value: i32,
    pub expected: Option<i32>,
    pub lack: Option<String>,
    pub level: SuperviseLevel,
    pub cleared: bool,
    pub muted: bool,
}

/// A case as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldCase {
    pub status: SuperviseStatus,
    pub level: SuperviseLevel,
    pub flag_count: i32,
    pub clear_since: Option<NaiveDate>,
    pub contacted: bool,
    pub closed_reason: Option<SuperviseClosedReason>,
    pub flags: Vec<HeldFlag>,
}

/// Of whom, and when.
#[derive(Debug, Clone, Copy)]
pub struct Whom {
    pub place: Place,
    /// Why the student is supervised no more; none while they are.
    pub gone: Option<SuperviseClosedReason>,
    pub day: NaiveDate,
    pub semester_starts: NaiveDate,
    /// Whether a case is opened where there is none.
    pub opens: bool,
}

/// What becomes of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagStep {
    Raise {
        fact: Fact,
        level: SuperviseLevel,
    },
    /// A flag that is live again, or whose measure or level is another.
    Change {
        id: i64,
        fact: Fact,
        level: SuperviseLevel,
        again: bool,
    },
    Clear {
        id: i64,
    },
}

/// How a case stands afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseAfter {
    pub status: SuperviseStatus,
    pub level: SuperviseLevel,
    pub flag_count: i32,
    pub clear_since: Option<NaiveDate>,
    pub closed_reason: Option<SuperviseClosedReason>,
}

/// What a scan does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decided {
    pub flags: Vec<FlagStep>,
    /// None: there is no case, or it stays as it is.
    pub case: Option<CaseAfter>,
}

/// The level of a fact by the rule that counts for the student; none: no flag.
fn level(whom: &Whom, rules: &[Rule], fact: &Fact, live: bool) -> Option<SuperviseLevel> {
    let rule = rule_of(rules, fact.kind, whom.place)?;
    if in_grace(whom.semester_starts, rule.grace_weeks, whom.day) {
        return None;
    }
    let clear_below = i32::try_from(rule.whole("clearBelow").unwrap_or(0)).unwrap_or(0);
    level_of(fact.kind, rule.thresholds, fact.value, live, clear_below)
}

/// How many facts of its kind there are, in tenths. What staff acknowledged by ignoring it counts for the others no more.
fn number(facts: &[Fact], flags: &[HeldFlag], of: &Fact, muted: bool) -> i32 {
    let ignored =
        |fact: &Fact| flags.iter().any(|flag| flag.muted && flag.kind == fact.kind && flag.ref_id == fact.ref_id);
    let all = facts.iter().filter(|fact| fact.kind == of.kind && (muted || !ignored(fact))).count();
    i32::try_from(all).unwrap_or(i32::MAX).saturating_mul(10)
}

/// Compares the facts of a student with their case.
pub fn decide(whom: &Whom, rules: &[Rule], facts: &[Fact], held: Option<&HeldCase>) -> Decided {
    let none = Vec::new();
    let flags = held.map_or(&none, |case| &case.flags);
    let mut steps = Vec::new();
    let mut live: Vec<(SuperviseKind, SuperviseLevel)> = Vec::new();
    let mut is_new = false;
    let mut seen = Vec::new();
    if whom.gone.is_none() {
        for fact in facts {
            let before = flags.iter().find(|flag| flag.kind == fact.kind && flag.ref_id == fact.ref_id);
            let value = if fact.kind.counts() {
                number(facts, flags, fact, before.is_some_and(|flag| flag.muted))
            } else {
                fact.value
            };
            let fact = &Fact { value, ..fact.clone() };
            let Some(level) = level(whom, rules, fact, before.is_some_and(|flag| !flag.cleared)) else { continue };
            match before {
                None => {
                    is_new = true;
                    live.push((fact.kind, level));
                    steps.push(FlagStep::Raise { fact: fact.clone(), level });
                }
                Some(flag) => {
                    seen.push(flag.id);
                    if !flag.muted {
                        is_new |= flag.cleared;
                        live.push((flag.kind, level));
                    }
                    let same = flag.value == fact.value
                        && flag.expected == fact.expected
                        && flag.lack == fact.lack
                        && flag.level == level;
                    if flag.cleared || !same {
                        steps.push(FlagStep::Change { id: flag.id, fact: fact.clone(), level, again: flag.cleared });
                    }
                }
            }
        }
    }
    for flag in flags.iter().filter(|flag| !flag.cleared && !seen.contains(&flag.id)) {
        // What people opened, people clear.
        if flag.kind == SuperviseKind::Manual && whom.gone.is_none() {
            if !flag.muted {
                live.push((flag.kind, flag.level));
            }
        } else {
            steps.push(FlagStep::Clear { id: flag.id });
        }
    }
    let Some(case) = held else {
        return match case_level(&live) {
            Some(level) if whom.opens => Decided {
                flags: steps,
                case: Some(CaseAfter {
                    status: SuperviseStatus::Open,
                    level,
                    flag_count: count(&live),
                    clear_since: None,
                    closed_reason: None,
                }),
            },
            _ => Decided::default(),
        };
    };
    let after = follow(whom, case, &live, is_new);
    let same = after.status == case.status
        && after.level == case.level
        && after.flag_count == case.flag_count
        && after.clear_since == case.clear_since
        && after.closed_reason == case.closed_reason;
    Decided { flags: steps, case: (!same).then_some(after) }
}

fn count(live: &[(SuperviseKind, SuperviseLevel)]) -> i32 {
    i32::try_from(live.len()).unwrap_or(i32::MAX)
}

/// How a case follows its flags.
fn follow(whom: &Whom, case: &HeldCase, live: &[(SuperviseKind, SuperviseLevel)], is_new: bool) -> CaseAfter {
    let level = case_level(live).unwrap_or(case.level);
    let mut after = CaseAfter {
        status: case.status,
        level,
        flag_count: count(live),
        clear_since: None,
        closed_reason: case.closed_reason,
    };
    if let Some(reason) = whom.gone {
        // Whoever was closed for another reason stays so.
        if case.status != SuperviseStatus::Closed {
            after.status = SuperviseStatus::Closed;
            after.closed_reason = Some(reason);
        }
        return after;
    }
    let again = if case.contacted { SuperviseStatus::Following } else { SuperviseStatus::Open };
    match case.status {
        SuperviseStatus::Open | SuperviseStatus::Following if live.is_empty() => {
            let since = case.clear_since.unwrap_or(whom.day);
            after.clear_since = Some(since);
            if (whom.day - since).num_days() >= CLEAR_DAYS {
                after.status = SuperviseStatus::Relieved;
            }
        }
        SuperviseStatus::Open | SuperviseStatus::Following => {}
        SuperviseStatus::Relieved if live.is_empty() => after.clear_since = case.clear_since,
        SuperviseStatus::Relieved => after.status = again,
        SuperviseStatus::Closed => {
            let returned = matches!(
                case.closed_reason,
                Some(
                    SuperviseClosedReason::Suspended
                        | SuperviseClosedReason::Withdrawn
                        | SuperviseClosedReason::TransferredOut
                        | SuperviseClosedReason::Graduated
                )
            );
            let reopens = match case.closed_reason {
                Some(SuperviseClosedReason::NoNeed) => is_new,
                _ => returned && !live.is_empty(),
            };
            if reopens {
                after.status = again;
                after.closed_reason = None;
            }
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{measure::expected, rule::usual};

    fn day(text: &str) -> NaiveDate {
        format!("2026-{text}").parse().expect("a day")
    }

    fn rules() -> Vec<Rule> {
        [SuperviseKind::VideoLag, SuperviseKind::Silent]
            .into_iter()
            .zip(1..)
            .map(|(kind, id)| Rule {
                id,
                kind,
                grades: Vec::new(),
                levels: Vec::new(),
                sites: Vec::new(),
                thresholds: usual(kind),
                grace_weeks: 3,
                params: json!({ "clearBelow": if kind == SuperviseKind::VideoLag { 5 } else { 0 } }),
            })
            .collect()
    }

    fn on(day: NaiveDate) -> Whom {
        let place = Place { grade: 1, level: 1, site: 1 };
        Whom { place, gone: None, day, semester_starts: "2026-03-02".parse().expect("a day"), opens: true }
    }

    /// A course with this progress in tenths, on a day.
    fn lag(day: NaiveDate, progress: i32) -> Fact {
        let expected = expected(0, "2026-03-02".parse().expect("a day"), "2026-07-12".parse().expect("a day"), day);
        Fact {
            kind: SuperviseKind::VideoLag,
            ref_type: SuperviseRef::Selection,
            ref_id: 1,
            course_id: Some(1),
            title: "管理学".to_owned(),
            value: expected - progress,
            expected: Some(expected),
            lack: None,
        }
    }

    fn silence(days: i32) -> Fact {
        Fact {
            kind: SuperviseKind::Silent,
            ref_type: SuperviseRef::Student,
            ref_id: 9,
            course_id: None,
            title: String::new(),
            value: days * 10,
            expected: None,
            lack: None,
        }
    }

    fn level_on(text: &str, facts: &[Fact]) -> Option<SuperviseLevel> {
        decide(&on(day(text)), &rules(), facts, None).case.map(|case| case.level)
    }

    /// The case that a decision made, for the next one.
    fn held(decided: &Decided) -> HeldCase {
        let case = decided.case.clone().expect("a case");
        let flags = decided.flags.iter().zip(1..).filter_map(|(step, id)| match step {
            FlagStep::Raise { fact, level } => Some(HeldFlag {
                id,
                kind: fact.kind,
                ref_id: fact.ref_id,
                value: fact.value,
                expected: fact.expected,
                lack: fact.lack.clone(),
                level: *level,
                cleared: false,
                muted: false,
            }),
            _ => None,
        });
        HeldCase {
            status: case.status,
            level: case.level,
            flag_count: case.flag_count,
            clear_since: None,
            contacted: false,
            closed_reason: None,
            flags: flags.collect(),
        }
    }

    /// 05 C4, the worked example.
    #[test]
    fn who_lags_is_yellow_or_orange_and_who_was_never_there_red() {
        let today = day("04-20");
        assert_eq!(level_on("04-20", &[lag(today, 120)]), Some(SuperviseLevel::Yellow));
        assert_eq!(level_on("04-20", &[lag(today, 50)]), Some(SuperviseLevel::Orange));
        assert_eq!(level_on("04-20", &[lag(today, 0), silence(50)]), Some(SuperviseLevel::Red));
        assert_eq!(level_on("03-15", &[lag(day("03-15"), 0), silence(14)]), None, "within the weeks of grace");
    }

    #[test]
    fn a_lag_clears_at_ten_and_stays_at_eleven() {
        let before = held(&decide(&on(day("04-20")), &rules(), &[lag(day("04-20"), 120)], None));
        let later = on(day("04-27"));
        let cleared = decide(&later, &rules(), &[lag(later.day, 330)], Some(&before));
        assert_eq!(cleared.flags, [FlagStep::Clear { id: 1 }]);
        assert_eq!(cleared.case.map(|case| (case.flag_count, case.clear_since)), Some((0, Some(later.day))));
        let stays = decide(&later, &rules(), &[lag(later.day, 320)], Some(&before));
        assert!(matches!(&stays.flags[..], [FlagStep::Change { level: SuperviseLevel::Yellow, again: false, .. }]));
    }

    /// 05 C7-2.
    #[test]
    fn equal_facts_change_nothing() {
        let facts = [lag(day("04-20"), 50), silence(50)];
        let before = held(&decide(&on(day("04-20")), &rules(), &facts, None));
        assert_eq!(decide(&on(day("04-20")), &rules(), &facts, Some(&before)), Decided::default());
    }

    #[test]
    fn three_days_without_a_flag_relieve_and_a_new_flag_reopens() {
        let mut case = held(&decide(&on(day("04-20")), &rules(), &[lag(day("04-20"), 50)], None));
        case.flags[0].cleared = true;
        (case.flag_count, case.clear_since) = (0, Some(day("04-21")));
        assert_eq!(decide(&on(day("04-23")), &rules(), &[], Some(&case)), Decided::default());
        let relieved = decide(&on(day("04-24")), &rules(), &[], Some(&case)).case.expect("a change");
        assert_eq!(relieved.status, SuperviseStatus::Relieved);
        (case.status, case.contacted) = (SuperviseStatus::Relieved, true);
        let again = decide(&on(day("04-25")), &rules(), &[lag(day("04-25"), 0)], Some(&case));
        assert_eq!(again.case.map(|case| case.status), Some(SuperviseStatus::Following));
    }

    #[test]
    fn what_was_closed_reopens_for_something_new_alone() {
        let facts = [lag(day("04-20"), 50)];
        let mut case = held(&decide(&on(day("04-20")), &rules(), &facts, None));
        (case.status, case.closed_reason) = (SuperviseStatus::Closed, Some(SuperviseClosedReason::NoNeed));
        let same = decide(&on(day("04-21")), &rules(), &[lag(day("04-21"), 50)], Some(&case));
        assert!(same.case.is_none(), "the same flag: {:?}", same.case);
        let more = decide(&on(day("04-21")), &rules(), &[lag(day("04-21"), 50), silence(50)], Some(&case));
        assert_eq!(more.case.map(|case| (case.status, case.closed_reason)), Some((SuperviseStatus::Open, None)));
    }

    #[test]
    fn whoever_leaves_is_closed_and_whoever_comes_back_is_open_again() {
        let facts = [lag(day("04-20"), 50)];
        let mut case = held(&decide(&on(day("04-20")), &rules(), &facts, None));
        let gone = Whom { gone: Some(SuperviseClosedReason::Suspended), ..on(day("04-21")) };
        let closed = decide(&gone, &rules(), &facts, Some(&case));
        assert_eq!(closed.flags, [FlagStep::Clear { id: 1 }]);
        assert_eq!(closed.case.expect("a change").closed_reason, Some(SuperviseClosedReason::Suspended));
        (case.status, case.closed_reason) = (SuperviseStatus::Closed, Some(SuperviseClosedReason::Suspended));
        case.flags[0].cleared = true;
        let back = decide(&on(day("05-20")), &rules(), &[lag(day("05-20"), 0)], Some(&case));
        assert_eq!(back.case.map(|case| case.status), Some(SuperviseStatus::Open));
        let nobody = decide(&gone, &rules(), &facts, None);
        assert_eq!(nobody, Decided::default());
    }

    /// 05 C2: of two homeworks that are overdue one is acknowledged, and the other is one alone.
    #[test]
    fn what_is_acknowledged_counts_no_more() {
        let rule = Rule {
            kind: SuperviseKind::HomeworkOverdue,
            thresholds: usual(SuperviseKind::HomeworkOverdue),
            params: json!({}),
            ..rules().remove(0)
        };
        let overdue = |ref_id| Fact {
            kind: SuperviseKind::HomeworkOverdue,
            ref_type: SuperviseRef::HomeworkStudent,
            ref_id,
            expected: None,
            value: 0,
            ..lag(day("04-20"), 0)
        };
        let (rules, facts, whom) = ([rule], [overdue(1), overdue(2)], on(day("04-20")));
        let mut case = held(&decide(&whom, &rules, &facts, None));
        assert_eq!((case.level, case.flags[0].value), (SuperviseLevel::Orange, 20));
        case.flags[0].muted = true;
        let after = decide(&whom, &rules, &facts, Some(&case));
        assert!(
            matches!(&after.flags[..], [FlagStep::Change { id: 2, level: SuperviseLevel::Yellow, .. }]),
            "{:?}",
            after.flags
        );
        assert_eq!(after.case.map(|case| (case.level, case.flag_count)), Some((SuperviseLevel::Yellow, 1)));
    }

    #[test]
    fn a_flag_that_is_muted_is_no_flag_of_the_case() {
        let facts = [lag(day("04-20"), 50), silence(50)];
        let mut case = held(&decide(&on(day("04-20")), &rules(), &facts, None));
        case.flags.iter_mut().filter(|flag| flag.kind == SuperviseKind::Silent).for_each(|flag| flag.muted = true);
        let after = decide(&on(day("04-20")), &rules(), &facts, Some(&case)).case.expect("a change");
        assert_eq!((after.level, after.flag_count), (SuperviseLevel::Orange, 1));
    }
}
