//! 教学统计: what is taught in a semester, and how it goes (part 05 A6).

use infra::Result;
use sqlx::PgConnection;
use statistics_rules::{enums::StatChartKind, rates};

use super::{Groups, Wanted, names, table};
use crate::{
    screen::told,
    table::{Col, Found, StatCell, StatChart, cell, chart, count, decimal, percent, point},
};

pub(super) const COLUMNS: [Col; 12] = [
    count("openings", "开课数", "有应学学生的开课门次"),
    count("teachers", "教师数", "这些开课的授课教师"),
    decimal("perTeacher", "师生比", "在籍学生÷教师数"),
    count("lessonHours", "排课学时", "已发布排课中未取消的节次数，按上课站点；只在按站点和合计时有"),
    percent("attendance", "面授出勤率", "（出勤＋迟到的一半）÷（出勤＋迟到＋缺勤），请假不计"),
    count("roster", "应学人次", "已选课的在籍学生人次"),
    decimal("avgProgress", "平均进度", "进度之和÷应学人次"),
    percent("reachRate", "达标率", "进度达到要求的人次÷应学人次"),
    percent("handRate", "作业提交率", "已交÷应交"),
    percent("markRate", "批阅率", "已批阅÷（已批阅＋待批）"),
    count("questions", "答疑数", "学生的提问"),
    percent("replyRate", "答疑回复率", "有教师或工作人员回复的提问÷提问"),
];

#[derive(Debug, Clone, Default)]
struct Taught {
    openings: i64,
    teachers: i64,
    students: i64,
    lesson_hours: Option<i64>,
    halves: i64,
    expected: i64,
    roster: i64,
    reached: i64,
    progress_sum: i64,
    should: i64,
    handed: i64,
    marked: i64,
    pending: i64,
    questions: i64,
    replied: i64,
}

impl Taught {
    fn cells(&self, least: Option<i64>) -> Vec<StatCell> {
        vec![
            cell::count(self.openings),
            cell::count(self.teachers),
            told(self.students, least, cell::number(rates::each(self.students, self.teachers))),
            self.lesson_hours.map_or_else(StatCell::default, cell::count),
            cell::percent(self.halves, 2 * self.expected),
            cell::count(self.roster),
            told(self.roster, least, cell::mean(self.progress_sum, self.roster)),
            told(self.roster, least, cell::percent(self.reached, self.roster)),
            cell::percent(self.handed, self.should),
            cell::percent(self.marked, self.marked + self.pending),
            cell::count(self.questions),
            cell::percent(self.replied, self.questions),
        ]
    }
}

/// By the key that is asked for, or all together where it is empty: different teachers and openings do not add up.
async fn groups(connection: &mut PgConnection, wanted: &Wanted, key: &str) -> Result<Groups<Taught>> {
    let rows = sqlx::query!(
        r#"with sums as (
               select case $1::text when 'site' then o.site_id::text when 'major' then o.major_id::text
                                    when 'level' then o.level_id::text when 'grade' then o.grade_id::text
                                    when 'study_form' then m.study_form else '' end as key,
                      o.opening_id, o.class_id, o.roster, o.reached, o.progress_sum, o.hw_should, o.hw_handed, o.hw_marked,
                      o.hw_pending
               from stat_opening_class o left join major m on m.id = o.major_id
               where o.semester_id = $2 and ($3::bigint[] is null or o.site_id = any($3) or o.class_id = any($4::bigint[]))
                 and ($5::bigint is null or o.site_id = $5)
           ), study as (
               select key, count(distinct opening_id) as openings, sum(roster)::bigint as roster,
                      sum(reached)::bigint as reached, sum(progress_sum)::bigint as progress_sum,
                      sum(hw_should)::bigint as should, sum(hw_handed)::bigint as handed, sum(hw_marked)::bigint as marked,
                      sum(hw_pending)::bigint as pending
               from sums group by key
           ), taught as (
               select u.key, count(distinct a.teacher_id) as teachers
               from sums u join course_allocation a on a.opening_id = u.opening_id
                    and (a.class_id is null or a.class_id = u.class_id)
               group by u.key
           ), people as (
               select s.id,
                      case $1::text when 'site' then s.site_id::text when 'major' then s.major_id::text
                                    when 'level' then s.level_id::text when 'grade' then s.grade_id::text
                                    when 'study_form' then s.study_form else '' end as key, s.active
               from student s
               where ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                 and ($5::bigint is null or s.site_id = $5)
           ), there as (
               select p.key, count(*) filter (where p.active) as students from people p group by p.key
           ), attended as (
               select p.key,
                      sum(case t.result when 'present' then 2 when 'late' then 1 else 0 end)::bigint as halves,
                      count(*) filter (where t.result in ('present', 'late', 'absent')) as expected
               from instruction_attendance t
               join course_selection c on c.id = t.selection_id and c.semester_id = $2
               join people p on p.id = c.student_id
               group by p.key
           ), asked as (
               select p.key, count(*) as questions,
                      count(*) filter (where exists (select from course_qa_reply r where r.qa_id = q.id
                                                     and r.by_kind in ('teacher', 'staff'))) as replied
               from course_qa q
               join course_selection c on c.id = q.selection_id and c.semester_id = $2
               join people p on p.id = c.student_id
               group by p.key
           ), lessons as (
               select case $1::text when 'site' then a.site_id::text else '' end as key,
                      sum(x.period_to - x.period_from + 1)::bigint as hours
               from course_arrange a join course_arrange_session x on x.arrange_id = a.id and x.status = 'scheduled'
               where a.semester_id = $2 and a.status = 'published' and $1::text in ('', 'site')
                 and ($3::bigint[] is null or a.site_id = any($3)) and ($5::bigint is null or a.site_id = $5)
               group by 1
           )
           select t.key as "key!", t.openings as "openings!", t.roster as "roster!", t.reached as "reached!",
                  t.progress_sum as "progress_sum!", t.should as "should!", t.handed as "handed!", t.marked as "marked!",
                  t.pending as "pending!", coalesce(g.teachers, 0) as "teachers!", coalesce(h.students, 0) as "students!",
                  coalesce(b.halves, 0) as "halves!", coalesce(b.expected, 0) as "expected!",
                  coalesce(q.questions, 0) as "questions!", coalesce(q.replied, 0) as "replied!", l.hours as "hours?"
           from study t
           left join taught g on g.key = t.key
           left join there h on h.key = t.key
           left join attended b on b.key = t.key
           left join asked q on q.key = t.key
           left join lessons l on l.key = t.key"#,
        key,
        wanted.semester,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    let lessons_told = matches!(key, "" | "site");
    let groups = rows.into_iter().map(|row| {
        let taught = Taught {
            openings: row.openings,
            teachers: row.teachers,
            students: row.students,
            lesson_hours: lessons_told.then(|| row.hours.unwrap_or_default()),
            halves: row.halves,
            expected: row.expected,
            roster: row.roster,
            reached: row.reached,
            progress_sum: row.progress_sum,
            should: row.should,
            handed: row.handed,
            marked: row.marked,
            pending: row.pending,
            questions: row.questions,
            replied: row.replied,
        };
        (row.key, taught)
    });
    Ok(groups.collect())
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let found = groups(&mut *connection, wanted, wanted.key()).await?;
    let total = if wanted.dimension.is_some() {
        groups(&mut *connection, wanted, "").await?.remove("").map(|all| all.cells(wanted.least))
    } else {
        None
    };
    let names = names(connection, wanted).await?;
    Ok(table(names, found, |taught| taught.cells(wanted.least), total))
}

/// Units that are told by name in a chart.
const TOP: usize = 15;

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    // Sites are compared, whatever the table is grouped by.
    let by_site = Wanted { dimension: Some(statistics_rules::enums::ReportDimension::Site), ..wanted.clone() };
    let found = groups(&mut *connection, &by_site, "site").await?;
    let names = names(connection, &by_site).await?;
    let rate = |value: fn(&Taught) -> Option<f64>| {
        names
            .iter()
            .filter_map(|(key, _, name)| found.get(key).map(|taught| (name, taught)))
            .filter(|(_, taught)| wanted.least.is_none_or(|least| taught.roster >= least))
            .filter_map(|(name, taught)| point(name.clone(), value(taught)))
            .take(TOP)
            .collect()
    };
    let series = vec![
        ("平均进度", rate(|taught| rates::mean(taught.progress_sum, taught.roster))),
        ("达标率", rate(|taught| rates::percent(taught.reached, taught.roster))),
        ("作业提交率", rate(|taught| rates::percent(taught.handed, taught.should))),
        ("批阅率", rate(|taught| rates::percent(taught.marked, taught.marked + taught.pending))),
        ("面授出勤率", rate(|taught| rates::percent(taught.halves, 2 * taught.expected))),
        ("答疑回复率", rate(|taught| rates::percent(taught.replied, taught.questions))),
    ];
    Ok(vec![chart("sites", "站点对比", (StatChartKind::Bar, "%"), series)])
}
