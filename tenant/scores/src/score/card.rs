//! Scores as they are computed: with their parts and rounds, read set-wise.

use std::collections::BTreeMap;

use infra::{Error, Result};
use scores_rules::{
    correct::{Formula, Round},
    enums::{Applicability, ComponentKind, CourseScoreStatus, ExamRound, ScoreKind, ScoreMark, ScoreOrigin},
    params::{FinalExamParams, Params, TotalParams},
    resolve::Place,
    total::{Component, Parts},
};
use sqlx::PgConnection;

use crate::rule::Resolver;

/// The rules by which totals are made.
pub(crate) struct Rules {
    total: Resolver,
    exam: Resolver,
}

impl Rules {
    /// # Errors
    /// Those of the database.
    pub async fn load(connection: &mut PgConnection) -> Result<Self> {
        Ok(Self {
            total: Resolver::load(connection, ScoreKind::Total).await?,
            exam: Resolver::load(connection, ScoreKind::FinalExam).await?,
        })
    }

    /// The formula of a place as of today.
    ///
    /// # Errors
    /// An internal one: a rule is of another kind than it says.
    pub fn formula(&self, place: Place) -> Result<Formula> {
        let total = self.total.of(place);
        let (rule_id, rule_version) = (total.id, total.version);
        let (Params::Total(total), Params::FinalExam(exam)) = (&total.params, &self.exam.of(place).params) else {
            return Err(Error::internal("a rule of totals is none"));
        };
        let (total, exam): (TotalParams, FinalExamParams) = (total.clone(), exam.clone());
        Ok(Formula { rule_id, rule_version, total, exam })
    }
}

/// A round that was examined.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Examined {
    pub id: i64,
    pub round: ExamRound,
    pub sheet_id: Option<i64>,
    pub value: Option<i64>,
    pub mark: ScoreMark,
    pub published: bool,
}

impl Examined {
    /// As the rules see it: a mark of a violation stands only where it voids the examination.
    pub fn round(&self) -> Round {
        Round { round: self.round, value: self.value, mark: self.mark, zero_exam: self.mark == ScoreMark::Violation }
    }
}

/// A score with all that it is made of; numbers in tenths.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    pub id: i64,
    pub selection_id: i64,
    pub student_id: i64,
    pub course_name: String,
    pub place: Place,
    pub status: CourseScoreStatus,
    pub imported: bool,
    pub origin: ScoreOrigin,
    pub formula: Option<Formula>,
    pub credits: i64,
    pub total: Option<i64>,
    pub mark: Option<ScoreMark>,
    pub passed: Option<bool>,
    pub text: String,
    pub components: BTreeMap<&'static str, Component>,
    /// In the order in which they were examined.
    pub rounds: Vec<Examined>,
}

impl Card {
    fn part(&self, kind: ComponentKind) -> Component {
        // What was imported as a whole has no parts.
        let missing = if self.imported { Component::NotApplicable } else { Component::None };
        self.components.get(kind.as_str()).copied().unwrap_or(missing)
    }

    /// Its parts, without an examination.
    pub fn parts(&self) -> Parts {
        Parts {
            study: self.part(ComponentKind::Study),
            homework: self.part(ComponentKind::Homework),
            attendance: self.part(ComponentKind::Attendance),
            questions: self.part(ComponentKind::Questions),
            exam: Component::None,
            exam_mark: ScoreMark::Normal,
            zero_exam: false,
        }
    }

    /// The formula that counts for it.
    ///
    /// # Errors
    /// As [`Rules::formula`].
    pub fn formula(&self, rules: &Rules) -> Result<Formula> {
        match &self.formula {
            Some(formula) => Ok(formula.clone()),
            None => rules.formula(self.place),
        }
    }

    /// The rounds that count: all while it is computed, and those that are published once it is.
    pub fn counting(&self) -> Vec<&Examined> {
        self.rounds.iter().filter(|round| round.published || !self.status.is_out()).collect()
    }
}

/// These scores, by their ids.
///
/// # Errors
/// Those of the database.
pub(crate) async fn cards(connection: &mut PgConnection, ids: &[i64]) -> Result<BTreeMap<i64, Card>> {
    let rows = sqlx::query!(
        r#"select s.id, s.selection_id, s.student_id, s.course_id, u.name as course_name, y.grade_id, y.level_id, y.major_id,
                  s.status as "status: CourseScoreStatus", s.imported, s.formula, (s.credits * 10)::bigint as "credits!",
                  case when s.imported then 'history' when (s.formula -> 'graduation') is not null then 'thesis'
                       when (s.formula -> 'internship') is not null then 'internship' else 'examined' end as "origin!: ScoreOrigin",
                  (s.total * 10)::bigint as total, s.mark as "mark: ScoreMark", s.passed, s.display_text
           from course_score s join student y on y.id = s.student_id join course u on u.id = s.course_id
           where s.id = any($1) order by s.id"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut cards: BTreeMap<i64, Card> = rows
        .into_iter()
        .map(|row| {
            let place =
                Place { grade: row.grade_id, level: row.level_id, major: row.major_id, course: Some(row.course_id) };
            let card = Card {
                id: row.id,
                selection_id: row.selection_id,
                student_id: row.student_id,
                course_name: row.course_name,
                place,
                status: row.status,
                imported: row.imported,
                origin: row.origin,
                formula: row.formula.as_ref().and_then(Formula::read),
                credits: row.credits,
                total: row.total,
                mark: row.mark,
                passed: row.passed,
                text: row.display_text,
                components: BTreeMap::new(),
                rounds: Vec::new(),
            };
            (row.id, card)
        })
        .collect();
    let components = sqlx::query!(
        r#"select course_score_id, kind as "kind: ComponentKind", (value * 10)::bigint as value,
                  applicability as "applicability: Applicability"
           from course_score_component where course_score_id = any($1)"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    for row in components {
        let part = match row.applicability {
            Applicability::Value => row.value.map_or(Component::None, Component::Value),
            Applicability::None => Component::None,
            Applicability::NotApplicable => Component::NotApplicable,
        };
        if let Some(card) = cards.get_mut(&row.course_score_id) {
            card.components.insert(row.kind.as_str(), part);
        }
    }
    let rounds = sqlx::query!(
        r#"select course_score_id, id, round as "round: ExamRound", sheet_id, (value * 10)::bigint as value,
                  mark as "mark: ScoreMark", published
           from exam_score where course_score_id = any($1)
           order by course_score_id, array_position(array['first', 'deferred', 'makeup', 'final_makeup'], round), round_no"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    for row in rounds {
        let examined = Examined {
            id: row.id,
            round: row.round,
            sheet_id: row.sheet_id,
            value: row.value,
            mark: row.mark,
            published: row.published,
        };
        if let Some(card) = cards.get_mut(&row.course_score_id) {
            card.rounds.push(examined);
        }
    }
    Ok(cards)
}
