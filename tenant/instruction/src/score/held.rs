//! Scores that are changed: held with their selections in the order of the ids, judged, counted anew and written.

use std::collections::BTreeMap;

use course_selection::enums::SelectionStatus;
use infra::{Error, Result, Scope, Tx};
use poem_openapi::Object;
use student_status::student::check::NOT_YOURS;

use crate::{
    enums::InstructionScoreStatus,
    rule::{Attended, Scored, Weights, scored},
};

/// What people put into a score, as the trail keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ScoreContent {
    /// 选课编号
    pub selection_id: i64,
    /// 出勤成绩
    /// 没有课次时录入的
    pub attendance_score: Option<f64>,
    /// 表现成绩
    pub performance_score: Option<f64>,
}

/// A selection with its score, kept from others until the transaction ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub selection_id: i64,
    pub student_name: String,
    pub opening_id: i64,
    pub class_id: Option<i64>,
    pub course_name: String,
    pub selection_status: SelectionStatus,
    /// The score of the course is locked.
    pub score_locked: bool,
    pub face_to_face: bool,
    pub semester_name: String,
    pub semester_closed: bool,
    /// None as long as nothing was registered.
    pub score_id: Option<i64>,
    pub status: InstructionScoreStatus,
    pub version: i32,
    /// In tenths.
    pub performance: Option<i64>,
    /// In tenths; typed where there were no sessions.
    pub typed: Option<i64>,
    pub attended: Attended,
    /// Sessions of the class that are not cancelled.
    pub sessions: i64,
}

impl Held {
    /// # Errors
    /// 409 in a closed semester, for a course that is taught on the net alone, and for who is not on the roster any more.
    pub fn may_change(&self) -> Result<()> {
        if self.semester_closed {
            return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", self.semester_name)));
        }
        if !self.face_to_face {
            return Err(Error::conflict(format!("“{}”不是面授或混合教学的课程", self.course_name)));
        }
        match self.selection_status {
            SelectionStatus::Selected | SelectionStatus::Completed => Ok(()),
            SelectionStatus::Pending | SelectionStatus::Dropped | SelectionStatus::Exempted => Err(Error::conflict(
                format!("“{}”的选课为{}，不能登记面授成绩", self.student_name, self.selection_status.zh()),
            )),
        }
    }

    /// # Errors
    /// 409 for what was submitted or confirmed.
    pub fn is_draft(&self) -> Result<()> {
        match self.status {
            InstructionScoreStatus::Draft => Ok(()),
            InstructionScoreStatus::Submitted => Err(Error::conflict("已提交的成绩不能修改，请先退回")),
            InstructionScoreStatus::Confirmed => Err(Error::conflict("已确认的成绩不能修改")),
        }
    }

    /// Whether the final score of the selection stands, so that what it was made of does not change any more.
    pub fn is_locked(&self) -> bool {
        self.selection_status == SelectionStatus::Completed || self.score_locked
    }

    pub fn content(&self) -> ScoreContent {
        ScoreContent {
            selection_id: self.selection_id,
            attendance_score: self.typed.map(points),
            performance_score: self.performance.map(points),
        }
    }
}

/// Tenths as a number.
pub(crate) fn points(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// A typed score in tenths; none beyond 0–100, or with more than one place.
pub(crate) fn in_tenths(score: f64) -> Option<i64> {
    let tenths = (score * 10.0).round();
    let fits = (0.0..=1000.0).contains(&tenths) && (score * 10.0 - tenths).abs() < 1e-6;
    fits.then_some(tenths as i64)
}

/// The selections with their scores, held; those that are not there or lie outside the scope are missing.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub(crate) async fn hold(tx: &mut Tx, ids: &[i64], scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!(
        "select id from semester where id in (select semester_id from course_selection where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from course_selection where id = any($1) order by id for no key update", ids)
        .fetch_all(&mut **tx)
        .await?;
    // Read after they are held, so that what others did until then is seen.
    let rows = sqlx::query!(
        r#"select c.id as "id!", s.name as "name!", c.opening_id as "opening_id!", c.class_id, u.name as "course_name!",
                  c.status as "selection_status!: SelectionStatus",
                  exists (select from course_score v where v.selection_id = c.id and v.status = 'locked') as "score_locked!",
                  o.teaching_mode in ('offline', 'blended') as "face_to_face!", e.name as "semester_name!",
                  e.closed_at is not null as "semester_closed!", x.id as "score_id?",
                  coalesce(x.status, 'draft') as "status!: InstructionScoreStatus", coalesce(x.version, 0) as "version!",
                  (x.performance_score * 10)::bigint as "performance?",
                  case when x.attendance_typed then (x.attendance_score * 10)::bigint end as "typed?",
                  a.present as "present!", a.late as "late!", a.leave as "leave!", a.absent as "absent!",
                  (select count(*) from course_arrange_class k
                   join course_arrange_session q on q.arrange_id = k.arrange_id and q.status = 'scheduled'
                   where k.opening_id = c.opening_id and k.class_id = c.class_id) as "sessions!"
           from course_selection c
           join student s on s.id = c.student_id
           join course_opening o on o.id = c.opening_id
           join course u on u.id = c.course_id
           join semester e on e.id = c.semester_id
           left join instruction_score x on x.selection_id = c.id
           cross join lateral (
               select count(*) filter (where y.result = 'present') as present,
                      count(*) filter (where y.result = 'late') as late,
                      count(*) filter (where y.result = 'leave') as leave,
                      count(*) filter (where y.result = 'absent') as absent
               from instruction_attendance y where y.selection_id = c.id) a
           where c.id = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = rows.into_iter().map(|row| {
        let held = Held {
            selection_id: row.id,
            student_name: row.name,
            opening_id: row.opening_id,
            class_id: row.class_id,
            course_name: row.course_name,
            selection_status: row.selection_status,
            score_locked: row.score_locked,
            face_to_face: row.face_to_face,
            semester_name: row.semester_name,
            semester_closed: row.semester_closed,
            score_id: row.score_id,
            status: row.status,
            version: row.version,
            performance: row.performance,
            typed: row.typed,
            attended: Attended { present: row.present, late: row.late, leave: row.leave, absent: row.absent },
            sessions: row.sessions,
        };
        (row.id, held)
    });
    Ok(held.collect())
}

/// One of them.
///
/// # Errors
/// 404 when it is missing.
pub(crate) fn one(held: &BTreeMap<i64, Held>, id: i64) -> Result<&Held> {
    held.get(&id).ok_or_else(|| Error::new(404, NOT_YOURS))
}

/// Counts these scores anew and writes them; answers the number and the version of each by its selection. Whoever calls holds
/// the selections and has judged what may change.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write(tx: &mut Tx, scores: &[Held]) -> Result<BTreeMap<i64, (i64, i32)>> {
    let weights = Weights::of(tx).await?;
    let counted: Vec<Scored> =
        scores.iter().map(|held| scored(held.attended, held.typed, held.performance, weights)).collect();
    let selections: Vec<i64> = scores.iter().map(|held| held.selection_id).collect();
    let required: Vec<i64> = scores.iter().map(|held| held.attended.required()).collect();
    let attended: Vec<i64> = scores.iter().map(|held| held.attended.attended()).collect();
    let rates: Vec<Option<i64>> = scores.iter().map(|held| held.attended.score()).collect();
    let attendance: Vec<Option<i64>> = counted.iter().map(|counted| counted.attendance).collect();
    let typed: Vec<bool> = scores.iter().map(|held| held.typed.is_some() && !held.attended.is_any()).collect();
    let performance: Vec<Option<i64>> = scores.iter().map(|held| held.performance).collect();
    let totals: Vec<Option<i64>> = counted.iter().map(|counted| counted.total).collect();
    let by = tx.by();
    let written = sqlx::query!(
        "insert into instruction_score (selection_id, required_sessions, attended_count, attendance_rate, attendance_score,
             attendance_typed, performance_score, total_score, created_by, updated_by)
         select w.selection, w.required::integer, w.attended / 10.0, w.rate / 10.0, w.attendance / 10.0, w.typed,
                w.performance / 10.0, w.total / 10.0, $9::bigint, $9::bigint
         from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[], $7::bigint[], $8::bigint[])
              as w (selection, required, attended, rate, attendance, typed, performance, total)
         on conflict (selection_id) do update
         set required_sessions = excluded.required_sessions, attended_count = excluded.attended_count,
             attendance_rate = excluded.attendance_rate, attendance_score = excluded.attendance_score,
             attendance_typed = excluded.attendance_typed, performance_score = excluded.performance_score,
             total_score = excluded.total_score, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
             version = instruction_score.version + 1
         returning selection_id, id, version",
        &selections,
        &required,
        &attended,
        &rates as &[Option<i64>],
        &attendance as &[Option<i64>],
        &typed,
        &performance as &[Option<i64>],
        &totals as &[Option<i64>],
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(written.into_iter().map(|row| (row.selection_id, (row.id, row.version))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_one_place() {
        assert_eq!((in_tenths(88.0), in_tenths(0.0), in_tenths(100.0)), (Some(880), Some(0), Some(1000)));
        assert_eq!((in_tenths(86.1), in_tenths(33.3)), (Some(861), Some(333)));
        assert_eq!(
            (in_tenths(88.05), in_tenths(101.0), in_tenths(-0.1), in_tenths(f64::NAN)),
            (None, None, None, None)
        );
        assert!((points(861) - 86.1).abs() < 1e-9);
    }

    fn held(status: InstructionScoreStatus, selection_status: SelectionStatus) -> Held {
        Held {
            selection_id: 1,
            student_name: "王芳".to_owned(),
            opening_id: 1,
            class_id: Some(1),
            course_name: "管理学".to_owned(),
            selection_status,
            score_locked: false,
            face_to_face: true,
            semester_name: "2026年春季学期".to_owned(),
            semester_closed: false,
            score_id: Some(1),
            status,
            version: 1,
            performance: None,
            typed: None,
            attended: Attended::default(),
            sessions: 0,
        }
    }

    #[test]
    fn what_went_on_does_not_change() {
        use InstructionScoreStatus::{Confirmed, Draft, Submitted};
        let told = |status| held(status, SelectionStatus::Selected).is_draft().map_err(|error| error.msg);
        assert_eq!(told(Draft), Ok(()));
        assert_eq!(told(Submitted), Err("已提交的成绩不能修改，请先退回".into()));
        assert_eq!(told(Confirmed), Err("已确认的成绩不能修改".into()));
        assert!(held(Confirmed, SelectionStatus::Completed).is_locked());
        let left = held(Draft, SelectionStatus::Dropped).may_change().map_err(|error| error.msg);
        assert_eq!(left, Err("“王芳”的选课为已退选，不能登记面授成绩".into()));
        let online = Held { face_to_face: false, ..held(Draft, SelectionStatus::Selected) };
        assert_eq!(online.may_change().map_err(|error| error.msg), Err("“管理学”不是面授或混合教学的课程".into()));
    }
}
