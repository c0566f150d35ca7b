//! 毕业统计: what became of those who were to graduate, and of whom degrees were awarded (part 05 A4, A6).

use infra::Result;
use sqlx::PgConnection;
use statistics_rules::enums::StatChartKind;

use super::{Groups, Wanted, names, table};
use crate::table::{Col, Found, StatCell, StatChart, cell, chart, count, counted, percent};

pub(super) const COLUMNS: [Col; 11] = [
    count("listed", "应届", "毕业名单中未移出的学生"),
    count("passed", "审核通过", "毕业审核通过"),
    count("graduated", "毕业", "结论为毕业"),
    count("completed", "结业", "结论为结业"),
    count("incomplete", "肄业", "结论为肄业"),
    count("delayed", "延期", "结论为延期毕业"),
    percent("gradRate", "毕业率", "毕业÷（毕业＋结业＋肄业＋延期）"),
    percent("onTimeRate", "按期毕业率", "在学制加6个月内毕业的学生÷报到的学生，按年级计"),
    count("applied", "学位申请", "学位申请"),
    count("awarded", "授予", "已授予学位"),
    percent("degreeRate", "学位授予率", "已授予学位÷本科层次的毕业"),
];

/// Rules that are told by name in a chart.
const TOP: i64 = 10;

#[derive(Debug, Clone, Default)]
struct Finished {
    listed: i64,
    passed: i64,
    graduated: i64,
    completed: i64,
    incomplete: i64,
    delayed: i64,
    on_time: i64,
    reported: i64,
    applied: i64,
    awarded: i64,
    bachelors: i64,
}

impl Finished {
    fn cells(&self) -> Vec<StatCell> {
        let decided = self.graduated + self.completed + self.incomplete + self.delayed;
        vec![
            cell::count(self.listed),
            cell::count(self.passed),
            cell::count(self.graduated),
            cell::count(self.completed),
            cell::count(self.incomplete),
            cell::count(self.delayed),
            cell::percent(self.graduated, decided),
            cell::percent(self.on_time, self.reported),
            cell::count(self.applied),
            cell::count(self.awarded),
            cell::percent(self.awarded, self.bachelors),
        ]
    }

    fn add(&mut self, other: &Self) {
        self.listed += other.listed;
        self.passed += other.passed;
        self.graduated += other.graduated;
        self.completed += other.completed;
        self.incomplete += other.incomplete;
        self.delayed += other.delayed;
        self.on_time += other.on_time;
        self.reported += other.reported;
        self.applied += other.applied;
        self.awarded += other.awarded;
        self.bachelors += other.bachelors;
    }
}

async fn groups(connection: &mut PgConnection, wanted: &Wanted) -> Result<Groups<Finished>> {
    let rows = sqlx::query!(
        r#"with people as (
               select s.id, s.level_id, s.status, s.enrolled_on, s.schooling_years, s.ended_on, s.grade_id,
                      case $1::text when 'site' then s.site_id::text when 'major' then s.major_id::text
                                    when 'level' then s.level_id::text when 'grade' then s.grade_id::text
                                    when 'study_form' then s.study_form else '' end as key
               from student s
               where ($2::bigint is null or s.grade_id = $2)
                 and ($4::bigint[] is null or s.site_id = any($4) or s.class_id = any($5::bigint[]))
                 and ($6::bigint is null or s.site_id = $6)
           ), listed as (
               select p.key, count(*) as listed, count(*) filter (where g.audit_result = 'passed') as passed,
                      count(*) filter (where g.decision = 'graduate') as graduated,
                      count(*) filter (where g.decision = 'complete') as completed,
                      count(*) filter (where g.decision = 'incomplete') as incomplete,
                      count(*) filter (where g.decision = 'delay') as delayed,
                      count(*) filter (where g.decision = 'graduate' and l.national_level = 'bachelor') as bachelors
               from graduation_user g
               join people p on p.id = g.student_id
               join level l on l.id = p.level_id
               where g.status not in ('removed', 'revoked') and ($3::bigint is null or g.batch_id = $3)
               group by p.key
           ), degrees as (
               select p.key, count(*) as applied, count(*) filter (where d.status = 'awarded') as awarded
               from degree_application d join people p on p.id = d.student_id
               where ($3::bigint is null or d.batch_id = $3)
               group by p.key
           ), grades as (
               select b.grade_id from (select distinct p.grade_id from graduation_user g join people p on p.id = g.student_id
                                       where $3::bigint is not null and g.batch_id = $3 and g.status not in ('removed', 'revoked')
                                       union select $2::bigint where $2::bigint is not null) b
           ), timely as (
               select p.key,
                      count(*) filter (where p.status = 'graduated' and p.ended_on is not null
                          and p.ended_on <= (p.enrolled_on + make_interval(months => (p.schooling_years * 12)::integer + 6))::date)
                          as on_time,
                      count(*) as reported
               from people p
               where p.grade_id in (select x.grade_id from grades x)
               group by p.key
           )
           select k.key as "key!", coalesce(l.listed, 0) as "listed!", coalesce(l.passed, 0) as "passed!",
                  coalesce(l.graduated, 0) as "graduated!", coalesce(l.completed, 0) as "completed!",
                  coalesce(l.incomplete, 0) as "incomplete!", coalesce(l.delayed, 0) as "delayed!",
                  coalesce(l.bachelors, 0) as "bachelors!", coalesce(d.applied, 0) as "applied!",
                  coalesce(d.awarded, 0) as "awarded!", coalesce(t.on_time, 0) as "on_time!",
                  coalesce(t.reported, 0) as "reported!"
           from (select l.key from listed l union select d.key from degrees d) k
           left join listed l on l.key = k.key left join degrees d on d.key = k.key left join timely t on t.key = k.key"#,
        wanted.key(),
        wanted.grade,
        wanted.graduation_batch,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    let groups = rows.into_iter().map(|row| {
        let finished = Finished {
            listed: row.listed,
            passed: row.passed,
            graduated: row.graduated,
            completed: row.completed,
            incomplete: row.incomplete,
            delayed: row.delayed,
            on_time: row.on_time,
            reported: row.reported,
            applied: row.applied,
            awarded: row.awarded,
            bachelors: row.bachelors,
        };
        (row.key, finished)
    });
    Ok(groups.collect())
}

fn together(groups: &Groups<Finished>) -> Finished {
    let mut all = Finished::default();
    groups.values().for_each(|group| all.add(group));
    all
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let groups = groups(&mut *connection, wanted).await?;
    let names = names(connection, wanted).await?;
    let total = wanted.dimension.is_some().then(|| together(&groups).cells());
    Ok(table(names, groups, Finished::cells, total))
}

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let all = together(&groups(&mut *connection, wanted).await?);
    let funnel = [
        ("应届", all.listed),
        ("审核通过", all.passed),
        ("毕业", all.graduated),
        ("学位申请", all.applied),
        ("授予学位", all.awarded),
    ];
    let failed = sqlx::query!(
        r#"select i.rule_code as "code!", count(*) as "number!"
           from graduation_audit_item i
           join graduation_user g on g.id = i.graduation_user_id and g.status not in ('removed', 'revoked')
           join student s on s.id = g.student_id
           where not i.passed and not i.waived and i.severity = 'must'
             and ($1::bigint is null or s.grade_id = $1) and ($2::bigint is null or g.batch_id = $2)
             and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
             and ($5::bigint is null or s.site_id = $5)
           group by i.rule_code order by 2 desc, 1 limit $6"#,
        wanted.grade,
        wanted.graduation_batch,
        wanted.sites(),
        wanted.classes(),
        wanted.site,
        TOP
    )
    .fetch_all(connection)
    .await?;
    let rules = failed.into_iter().map(|row| counted(rule(&row.code), row.number));
    Ok(vec![
        chart(
            "funnel",
            "毕业漏斗",
            (StatChartKind::Bar, "人"),
            vec![("人数", funnel.into_iter().map(|(name, number)| counted(name, number)).collect())],
        ),
        chart("rules", "未通过的毕业条件", (StatChartKind::Bar, "人"), vec![("人数", rules.collect())]),
    ])
}

/// What a rule is called.
fn rule(code: &str) -> String {
    graduation_rules::enums::GraduationRuleCode::parse(code)
        .map_or_else(|| code.to_owned(), |rule| rule.zh().to_owned())
}
