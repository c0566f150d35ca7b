//! 考试班级: what examinations have come to, by the definitions of part 05 A4. Absent, cheating and disqualified stay in the whole of
//! the pass rate, as in the scores themselves (04 §7).

use infra::{Result, Tx};

/// Computes all classes of examinations anew, and takes away those of which nobody is a candidate any more.
pub(super) async fn compute(tx: &mut Tx, setups: &[i64]) -> Result<u64> {
    let now = tx.app().clock().now();
    let done = sqlx::query!(
        r#"with candidates as (
               select e.setup_id, coalesce(c.class_id, 0) as class_id, coalesce(k.site_id, y.site_id) as site_id,
                      coalesce(k.major_id, y.major_id) as major_id, coalesce(k.grade_id, y.grade_id) as grade_id,
                      coalesce(k.level_id, y.level_id) as level_id, e.batch_id, t.semester_id, e.course_id, t.mode, t.round,
                      e.eligibility, e.attendance, e.violation_level, (t.pass_score * 10)::integer as pass_at,
                      case when x.mark = 'normal' and (x.published or t.marking_status = 'transferred')
                           then (x.value * 10)::integer end as score,
                      exists (select from exam_sheet_monitor m
                              where m.candidate_id = e.id and m.risk_level = 'high') as risk
               from exam_candidate e
               join exam_setup t on t.id = e.setup_id and t.status in ('published', 'closed')
               join course_selection c on c.id = e.selection_id
               join student y on y.id = e.student_id
               left join class k on k.id = c.class_id
               left join exam_score x on x.candidate_id = e.id
               where e.setup_id = any($1) and not e.removed
           ), counted as (
               select r.setup_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id, r.batch_id, r.semester_id,
                      r.course_id, r.mode, r.round, count(*)::integer as enrolled,
                      (count(*) filter (where r.eligibility = 'eligible'))::integer as should,
                      (count(*) filter (where r.eligibility = 'eligible' and r.attendance = 'present'))::integer as present,
                      (count(*) filter (where r.eligibility = 'eligible' and r.attendance = 'absent'))::integer as absent,
                      (count(*) filter (where r.eligibility = 'deferred'))::integer as deferred,
                      (count(*) filter (where r.eligibility = 'exempt'))::integer as exempt,
                      (count(*) filter (where r.eligibility = 'disqualified'))::integer as disqualified,
                      (count(*) filter (where r.violation_level = 'cheating'))::integer as cheating,
                      (count(*) filter (where r.violation_level = 'violation'))::integer as violation,
                      count(r.score)::integer as scored,
                      coalesce(array_agg(r.score order by r.score) filter (where r.score is not null), '{}') as scores,
                      coalesce(sum(r.score), 0)::bigint as score_sum,
                      coalesce(sum(r.score::bigint * r.score), 0)::bigint as score_sq_sum,
                      (count(*) filter (where r.score >= r.pass_at))::integer as passed,
                      (count(*) filter (where r.score >= 900))::integer as excellent,
                      (count(*) filter (where r.risk))::integer as risk_high
               from candidates r
               group by r.setup_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id, r.batch_id, r.semester_id,
                        r.course_id, r.mode, r.round
           ), gone as (
               delete from stat_exam_class s
               where s.setup_id = any($1)
                 and not exists (select from counted t
                                 where t.setup_id = s.setup_id and t.class_id = s.class_id and t.site_id = s.site_id
                                   and t.major_id = s.major_id and t.grade_id = s.grade_id and t.level_id = s.level_id)
               returning s.setup_id
           )
           insert into stat_exam_class as s (setup_id, class_id, site_id, major_id, grade_id, level_id, batch_id, semester_id,
               course_id, mode, round, enrolled, should, present, absent, deferred, exempt, disqualified, cheating, violation,
               scored, scores, score_sum, score_sq_sum, passed, excellent, risk_high, computed_at)
           select t.setup_id, t.class_id, t.site_id, t.major_id, t.grade_id, t.level_id, t.batch_id, t.semester_id, t.course_id,
                  t.mode, t.round, t.enrolled, t.should, t.present, t.absent, t.deferred, t.exempt, t.disqualified, t.cheating,
                  t.violation, t.scored, t.scores, t.score_sum, t.score_sq_sum, t.passed, t.excellent, t.risk_high,
                  $2::timestamptz
           from counted t
           on conflict (setup_id, class_id, site_id, major_id, grade_id, level_id) do update
           set enrolled = excluded.enrolled, should = excluded.should, present = excluded.present, absent = excluded.absent,
               deferred = excluded.deferred, exempt = excluded.exempt, disqualified = excluded.disqualified,
               cheating = excluded.cheating, violation = excluded.violation, scored = excluded.scored,
               scores = excluded.scores, score_sum = excluded.score_sum, score_sq_sum = excluded.score_sq_sum,
               passed = excluded.passed, excellent = excluded.excellent, risk_high = excluded.risk_high,
               computed_at = excluded.computed_at
           where (s.enrolled, s.should, s.present, s.absent, s.deferred, s.exempt, s.disqualified, s.cheating, s.violation,
                  s.scores, s.passed, s.excellent, s.risk_high)
                 is distinct from (excluded.enrolled, excluded.should, excluded.present, excluded.absent, excluded.deferred,
                  excluded.exempt, excluded.disqualified, excluded.cheating, excluded.violation, excluded.scores,
                  excluded.passed, excluded.excellent, excluded.risk_high)"#,
        setups,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected())
}
