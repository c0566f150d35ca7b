//! All scores of each student together, and whom to warn.

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
};
use sqlx::PgConnection;
use student_status::enums::StudentStatus;

use super::scores::{Achievement, AchievementFilter};

/// The list of students with what they have.
pub struct Standings;

impl Keyed for Standings {
    type Filter = AchievementFilter;
    type Row = Achievement;

    fn id(row: &Achievement) -> i64 {
        row.id
    }

    /// Students with a published score. Warned is who failed more compulsory credits, or has fewer credit points, than the school set.
    async fn matching(
        connection: &mut PgConnection,
        filter: &AchievementFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select y.id, y.created_at, count(*) over () as "total!"
               from student y
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and exists (
                     select from course_score s
                     where s.student_id = y.id and s.status in ('published', 'locked')
                       and ($3::bigint is null or s.semester_id = $3) and ($4::bigint is null or s.course_id = $4))
                 and ($5::bigint is null or y.id = $5)
                 and ($6::bigint is null or y.grade_id = $6)
                 and ($7::bigint is null or y.level_id = $7)
                 and ($8::bigint is null or y.major_id = $8)
                 and ($9::bigint is null or y.class_id = $9)
                 and ($10::bigint is null or y.site_id = $10)
                 and ($11::text is null or y.student_no = $11 or strpos(y.name, $11) > 0)
                 and ($12::boolean is null or $12 = exists (
                          select 1 from transcript_score t
                          where t.student_id = y.id
                          having coalesce(sum(t.credits) filter (where t.passed is false and t.nature = 'compulsory'), 0)
                                 >= coalesce((select (x.value #>> '{}')::numeric from school_setting x
                                              where x.key = 'warnFailedCredits'), 10)
                              or sum(t.credits * coalesce(t.grade_point, 0)) filter (where t.mark not in ('exempt', 'deferred'))
                                 / nullif(sum(t.credits) filter (where t.mark not in ('exempt', 'deferred')), 0)
                                 < coalesce((select (x.value #>> '{}')::numeric from school_setting x where x.key = 'warnGpa'), 1.5)))
                 and ($13::bigint is null or y.id = $13)
                 and ($14::timestamptz is null or y.created_at <= $14)
               order by y.created_at desc, y.id
               limit $15 offset $16"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.student_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.site_id,
            filter.keyword,
            filter.warning,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Achievement>> {
        let rows = sqlx::query!(
            r#"with mates as (
                   select c.id, c.class_id,
                          sum(t.credits * coalesce(t.total, 0)) filter (where t.mark not in ('exempt', 'deferred'))
                          / nullif(sum(t.credits) filter (where t.mark not in ('exempt', 'deferred')), 0) as average
                   from student c join transcript_score t on t.student_id = c.id
                   where c.class_id in (select x.class_id from student x where x.id = any($1))
                   group by c.id, c.class_id)
               select y.id as "id!", y.student_no, y.name as "student_name!", y.id_card_no as "id_card_no!",
                      g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!", k.name as "class_name?",
                      s.name as "site_name!", y.status as "student_status!: StudentStatus", n.taken as "taken!", n.passed as "passed!",
                      n.failed as "failed!", n.earned as "earned!", n.lost as "lost!", n.average as "average?", n.gpa as "gpa?",
                      (select max(p.total_credits)::float8 from teaching_plan p
                       where p.grade_id = y.grade_id and p.major_id = y.major_id and p.status = 'effective') as "required?",
                      (select 1 + count(*) from mates o
                       where o.class_id = y.class_id
                         and o.average > (select w.average from mates w where w.id = y.id)) as "rank?"
               from student y
               join grade g on g.id = y.grade_id
               join level l on l.id = y.level_id
               join major m on m.id = y.major_id
               join site s on s.id = y.site_id
               left join class k on k.id = y.class_id
               cross join lateral (
                   select count(*) as taken, count(*) filter (where t.passed) as passed,
                          count(*) filter (where t.passed is false) as failed,
                          coalesce(sum(t.earned_credits), 0)::float8 as earned,
                          coalesce(sum(t.credits) filter (where t.passed is false and t.nature = 'compulsory'), 0)::float8 as lost,
                          round(sum(t.credits * coalesce(t.total, 0)) filter (where t.mark not in ('exempt', 'deferred'))
                                / nullif(sum(t.credits) filter (where t.mark not in ('exempt', 'deferred')), 0), 1)::float8 as average,
                          round(sum(t.credits * coalesce(t.grade_point, 0)) filter (where t.mark not in ('exempt', 'deferred'))
                                / nullif(sum(t.credits) filter (where t.mark not in ('exempt', 'deferred')), 0), 2)::float8 as gpa
                   from transcript_score t where t.student_id = y.id) n
               where y.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| Achievement {
                id: row.id,
                student_id: row.id,
                student_no: row.student_no,
                student_name: row.student_name,
                id_card_no: infra::mask::id_card(&row.id_card_no),
                grade_name: row.grade_name,
                level_name: row.level_name,
                major_name: row.major_name,
                class_rank: row.rank.filter(|_| row.class_name.is_some()),
                class_name: row.class_name,
                site_name: row.site_name,
                student_status: row.student_status.zh().to_owned(),
                taken: Some(row.taken),
                passed_count: Some(row.passed),
                failed_count: Some(row.failed),
                credits_earned: Some(row.earned),
                credits_required: row.required,
                credits_failed: Some(row.lost),
                average: row.average,
                gpa: row.gpa,
                ..Achievement::default()
            })
            .collect())
    }
}
