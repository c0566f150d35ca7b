//! 开课班级: what the rosters of openings have come to, by the definitions of part 05 A4.

use infra::{Result, Tx};

use super::STANDARD_PERCENT;

/// Computes all classes of openings anew, and takes away those without a roster.
pub(super) async fn compute(tx: &mut Tx, openings: &[i64]) -> Result<u64> {
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    let standard = i32::try_from(STANDARD_PERCENT.number(tx).await?).unwrap_or(80);
    let done = sqlx::query!(
        r#"with roster as (
               select c.id, c.opening_id, coalesce(c.class_id, 0) as class_id, coalesce(k.site_id, y.site_id) as site_id,
                      coalesce(k.major_id, y.major_id) as major_id, coalesce(k.grade_id, y.grade_id) as grade_id,
                      coalesce(k.level_id, y.level_id) as level_id, c.semester_id, c.course_id,
                      coalesce(p.progress, 0) as progress,
                      coalesce(p.study_seconds, 0) + coalesce(p.imported_seconds, 0) as seconds,
                      coalesce(p.imported_seconds, 0) as imported,
                      coalesce(p.progress, 0) >= case when coalesce(n.required_progress, 0) > 0 then n.required_progress
                                                      else $2::integer end as reached
               from course_selection c
               join course_opening o on o.id = c.opening_id and o.status in ('opened', 'closed')
               join semester e on e.id = c.semester_id
               join student y on y.id = c.student_id
               left join class k on k.id = c.class_id
               left join study_course_progress p on p.id = c.id
               left join online_teaching n on n.id = o.id
               where c.opening_id = any($1) and c.status in ('selected', 'completed')
                 and (y.status in ('registered', 'pending_registration', 'expired')
                      or y.status in ('graduated', 'completed', 'incomplete')
                         and (e.closed_at is not null or e.ends_on < $3::date))
           ), study as (
               select r.opening_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id, r.semester_id, r.course_id,
                      count(*)::integer as roster,
                      (count(*) filter (where r.progress = 0))::integer as not_started,
                      (count(*) filter (where r.progress > 0 and r.progress < 100))::integer as studying,
                      (count(*) filter (where r.progress = 100))::integer as finished,
                      (count(*) filter (where r.reached))::integer as reached,
                      sum((r.progress * 10)::bigint)::bigint as progress_sum,
                      array[(count(*) filter (where r.progress < 10))::integer,
                            (count(*) filter (where r.progress >= 10 and r.progress < 20))::integer,
                            (count(*) filter (where r.progress >= 20 and r.progress < 30))::integer,
                            (count(*) filter (where r.progress >= 30 and r.progress < 40))::integer,
                            (count(*) filter (where r.progress >= 40 and r.progress < 50))::integer,
                            (count(*) filter (where r.progress >= 50 and r.progress < 60))::integer,
                            (count(*) filter (where r.progress >= 60 and r.progress < 70))::integer,
                            (count(*) filter (where r.progress >= 70 and r.progress < 80))::integer,
                            (count(*) filter (where r.progress >= 80 and r.progress < 90))::integer,
                            (count(*) filter (where r.progress >= 90))::integer] as bins,
                      sum(r.seconds)::bigint as seconds, sum(r.imported)::bigint as imported
               from roster r
               group by r.opening_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id, r.semester_id, r.course_id
           ), work as (
               select r.opening_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id,
                      count(distinct x.homework_id)::integer as tasks, count(*)::integer as should,
                      (count(*) filter (where x.state in ('submitted', 'marked', 'returned')))::integer as handed,
                      (count(*) filter (where x.state in ('submitted', 'marked', 'returned') and not x.late))::integer as on_time,
                      (count(*) filter (where x.state = 'marked'))::integer as marked,
                      (count(*) filter (where x.state = 'missed'))::integer as missed,
                      (count(*) filter (where x.state = 'submitted'))::integer as pending,
                      (count(*) filter (where x.state = 'marked' and x.final_score is not null))::integer as scored,
                      coalesce(sum((x.final_score * 10)::bigint) filter (where x.state = 'marked'), 0)::bigint as score_sum,
                      (count(*) filter (where x.state = 'marked' and x.final_score >= 60))::integer as passed,
                      array[(count(*) filter (where x.state = 'marked' and x.final_score < 60))::integer,
                            (count(*) filter (where x.state = 'marked' and x.final_score >= 60 and x.final_score < 70))::integer,
                            (count(*) filter (where x.state = 'marked' and x.final_score >= 70 and x.final_score < 80))::integer,
                            (count(*) filter (where x.state = 'marked' and x.final_score >= 80 and x.final_score < 90))::integer,
                            (count(*) filter (where x.state = 'marked' and x.final_score >= 90))::integer] as bands
               from roster r
               join homework_student x on x.selection_id = r.id and x.state not in ('exempt', 'void')
               join homework h on h.id = x.homework_id and h.purpose = 'homework' and h.status in ('published', 'closed')
               group by r.opening_id, r.class_id, r.site_id, r.major_id, r.grade_id, r.level_id
           ), gone as (
               delete from stat_opening_class s
               where s.opening_id = any($1)
                 and not exists (select from study t
                                 where t.opening_id = s.opening_id and t.class_id = s.class_id and t.site_id = s.site_id
                                   and t.major_id = s.major_id and t.grade_id = s.grade_id and t.level_id = s.level_id)
               returning s.opening_id
           )
           insert into stat_opening_class as s (opening_id, class_id, site_id, major_id, grade_id, level_id, semester_id,
               course_id, roster, not_started, studying, finished, reached, progress_sum, bins, study_seconds,
               imported_seconds, hw_tasks, hw_should, hw_handed, hw_on_time, hw_marked, hw_missed, hw_pending, hw_scored,
               hw_score_sum, hw_passed, hw_bands, computed_at)
           select t.opening_id, t.class_id, t.site_id, t.major_id, t.grade_id, t.level_id, t.semester_id, t.course_id, t.roster,
                  t.not_started, t.studying, t.finished, t.reached, t.progress_sum, t.bins, t.seconds, t.imported,
                  coalesce(w.tasks, 0), coalesce(w.should, 0), coalesce(w.handed, 0), coalesce(w.on_time, 0),
                  coalesce(w.marked, 0), coalesce(w.missed, 0), coalesce(w.pending, 0), coalesce(w.scored, 0),
                  coalesce(w.score_sum, 0), coalesce(w.passed, 0), coalesce(w.bands, array[0, 0, 0, 0, 0]), $4::timestamptz
           from study t
           left join work w on w.opening_id = t.opening_id and w.class_id = t.class_id and w.site_id = t.site_id
                           and w.major_id = t.major_id and w.grade_id = t.grade_id and w.level_id = t.level_id
           on conflict (opening_id, class_id, site_id, major_id, grade_id, level_id) do update
           set roster = excluded.roster, not_started = excluded.not_started, studying = excluded.studying,
               finished = excluded.finished, reached = excluded.reached, progress_sum = excluded.progress_sum,
               bins = excluded.bins, study_seconds = excluded.study_seconds, imported_seconds = excluded.imported_seconds,
               hw_tasks = excluded.hw_tasks, hw_should = excluded.hw_should, hw_handed = excluded.hw_handed,
               hw_on_time = excluded.hw_on_time, hw_marked = excluded.hw_marked, hw_missed = excluded.hw_missed,
               hw_pending = excluded.hw_pending, hw_scored = excluded.hw_scored, hw_score_sum = excluded.hw_score_sum,
               hw_passed = excluded.hw_passed, hw_bands = excluded.hw_bands, computed_at = excluded.computed_at
           where (s.roster, s.not_started, s.studying, s.finished, s.reached, s.progress_sum, s.bins, s.study_seconds,
                  s.imported_seconds, s.hw_tasks, s.hw_should, s.hw_handed, s.hw_on_time, s.hw_marked, s.hw_missed,
                  s.hw_pending, s.hw_scored, s.hw_score_sum, s.hw_passed, s.hw_bands)
                 is distinct from (excluded.roster, excluded.not_started, excluded.studying, excluded.finished,
                  excluded.reached, excluded.progress_sum, excluded.bins, excluded.study_seconds, excluded.imported_seconds,
                  excluded.hw_tasks, excluded.hw_should, excluded.hw_handed, excluded.hw_on_time, excluded.hw_marked,
                  excluded.hw_missed, excluded.hw_pending, excluded.hw_scored, excluded.hw_score_sum, excluded.hw_passed, excluded.hw_bands)"#,
        openings,
        standard,
        today,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected())
}
