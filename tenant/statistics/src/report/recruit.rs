//! 招生统计: from the plan to those who reported, of a grade (part 05 A6; the rates as in part 02 §3).

use std::collections::HashMap;

use infra::{App, Result};
use sqlx::PgConnection;
use statistics_rules::enums::StatChartKind;
use student_status::enums::PreEduLevel;

use super::{Groups, Wanted, names, table};
use crate::{
    table::{Col, Found, StatCell, StatChart, cell, chart, count, counted, percent},
    words::{label, words},
};

pub(super) const COLUMNS: [Col; 11] = [
    count("quota", "计划", "招生专业的计划人数；按站点时为站点已批准的人数"),
    count("preRegistrations", "预报名", "未取消、未删除的预报名"),
    count("examRegistered", "网报", "已参加网上报名的预报名"),
    count("admitted", "录取", "录取名单中未取消的"),
    count("reported", "报到", "已报到"),
    count("reserved", "保留", "保留入学资格"),
    count("abandoned", "放弃", "放弃入学资格"),
    count("missing", "未报到", "待报到和未报到"),
    percent("planRate", "计划完成率", "录取÷计划"),
    percent("admitRate", "录取率", "网报后被录取的预报名÷网报"),
    percent("reportRate", "报到率", "报到÷录取"),
];

/// Groups that are told by name in a chart.
const TOP: usize = 10;
const HAN: &str = "01";

#[derive(Debug, Clone, Default)]
struct Recruited {
    quota: i64,
    pre: i64,
    exam: i64,
    exam_admitted: i64,
    admitted: i64,
    reported: i64,
    reserved: i64,
    abandoned: i64,
    missing: i64,
}

impl Recruited {
    fn cells(&self) -> Vec<StatCell> {
        vec![
            cell::count(self.quota),
            cell::count(self.pre),
            cell::count(self.exam),
            cell::count(self.admitted),
            cell::count(self.reported),
            cell::count(self.reserved),
            cell::count(self.abandoned),
            cell::count(self.missing),
            cell::percent(self.admitted, self.quota),
            cell::percent(self.exam_admitted, self.exam),
            cell::percent(self.reported, self.admitted),
        ]
    }

    fn add(&mut self, other: &Self) {
        self.quota += other.quota;
        self.pre += other.pre;
        self.exam += other.exam;
        self.exam_admitted += other.exam_admitted;
        self.admitted += other.admitted;
        self.reported += other.reported;
        self.reserved += other.reserved;
        self.abandoned += other.abandoned;
        self.missing += other.missing;
    }
}

async fn groups(connection: &mut PgConnection, wanted: &Wanted) -> Result<Groups<Recruited>> {
    let rows = sqlx::query!(
        r#"select k.key as "key!", sum(k.quota)::bigint as "quota!", sum(k.pre)::bigint as "pre!", sum(k.exam)::bigint as "exam!",
                  sum(k.exam_admitted)::bigint as "exam_admitted!", sum(k.admitted)::bigint as "admitted!",
                  sum(k.reported)::bigint as "reported!", sum(k.reserved)::bigint as "reserved!",
                  sum(k.abandoned)::bigint as "abandoned!", sum(k.missing)::bigint as "missing!"
           from (
               select case $1::text when 'major' then e.major_id::text when 'level' then e.level_id::text
                                    when 'grade' then b.grade_id::text when 'study_form' then m.study_form else '' end as key,
                      e.quota::bigint as quota, 0::bigint as pre, 0::bigint as exam, 0::bigint as exam_admitted,
                      0::bigint as admitted, 0::bigint as reported, 0::bigint as reserved, 0::bigint as abandoned,
                      0::bigint as missing
               from enrollment_major e join enrollment_batch b on b.id = e.batch_id join major m on m.id = e.major_id
               where e.enabled and ($2::bigint is null or b.grade_id = $2) and $1::text <> 'site'
                 and $3::bigint[] is null and $4::bigint is null
               union all
               select case $1::text when 'site' then s.site_id::text when 'major' then e.major_id::text
                                    when 'level' then e.level_id::text when 'grade' then b.grade_id::text
                                    when 'study_form' then m.study_form else '' end,
                      coalesce(l.quota_approved, 0)::bigint, 0, 0, 0, 0, 0, 0, 0, 0
               from site_enrollment_line l
               join site_enrollment s on s.id = l.site_enrollment_id and s.status = 'approved'
               join enrollment_major e on e.id = l.enrollment_major_id and e.enabled
               join enrollment_batch b on b.id = l.batch_id join major m on m.id = e.major_id
               where ($2::bigint is null or b.grade_id = $2)
                 and ($1::text = 'site' or $3::bigint[] is not null or $4::bigint is not null)
                 and ($3::bigint[] is null or s.site_id = any($3)) and ($4::bigint is null or s.site_id = $4)
               union all
               select case $1::text when 'site' then p.site_id::text when 'major' then p.major_id::text
                                    when 'level' then p.level_id::text when 'grade' then p.grade_id::text
                                    when 'study_form' then p.study_form else '' end,
                      0, count(*), count(*) filter (where p.exam_status <> 'none'),
                      count(*) filter (where p.exam_status = 'admitted'), 0, 0, 0, 0, 0
               from pre_registration p
               where p.deleted_at is null and p.status <> 'cancelled' and ($2::bigint is null or p.grade_id = $2)
                 and ($5::bigint is null or p.batch_id = $5)
                 and ($3::bigint[] is null or p.site_id = any($3)) and ($4::bigint is null or p.site_id = $4)
               group by 1
               union all
               select case $1::text when 'site' then coalesce(a.site_id, 0)::text when 'major' then a.major_id::text
                                    when 'level' then a.level_id::text when 'grade' then a.grade_id::text
                                    when 'study_form' then a.study_form else '' end,
                      0, 0, 0, 0, count(*), 0, 0, 0, 0
               from admission a
               where a.deleted_at is null and a.status <> 'cancelled' and ($2::bigint is null or a.grade_id = $2)
                 and ($3::bigint[] is null or a.site_id = any($3)) and ($4::bigint is null or a.site_id = $4)
               group by 1
               union all
               select case $1::text when 'site' then r.site_id::text when 'major' then r.major_id::text
                                    when 'level' then r.level_id::text when 'grade' then r.grade_id::text
                                    when 'study_form' then r.study_form else '' end,
                      0, 0, 0, 0, 0, count(*) filter (where r.status = 'reported'),
                      count(*) filter (where r.status = 'reserved'), count(*) filter (where r.status = 'abandoned'),
                      count(*) filter (where r.status in ('pending', 'no_show'))
               from registration r
               where r.deleted_at is null and not r.carried_on and ($2::bigint is null or r.grade_id = $2)
                 and ($3::bigint[] is null or r.site_id = any($3)) and ($4::bigint is null or r.site_id = $4)
               group by 1) k
           group by k.key"#,
        wanted.key(),
        wanted.grade,
        wanted.sites(),
        wanted.site,
        wanted.pre_batch
    )
    .fetch_all(connection)
    .await?;
    let groups = rows.into_iter().map(|row| {
        let figures = Recruited {
            quota: row.quota,
            pre: row.pre,
            exam: row.exam,
            exam_admitted: row.exam_admitted,
            admitted: row.admitted,
            reported: row.reported,
            reserved: row.reserved,
            abandoned: row.abandoned,
            missing: row.missing,
        };
        (row.key, figures)
    });
    Ok(groups.collect())
}

fn together(groups: &Groups<Recruited>) -> Recruited {
    let mut all = Recruited::default();
    groups.values().for_each(|group| all.add(group));
    all
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let groups = groups(&mut *connection, wanted).await?;
    let names = names(connection, wanted).await?;
    let total = wanted.dimension.is_some().then(|| together(&groups).cells());
    Ok(table(names, groups, Recruited::cells, total))
}

/// One of those who were admitted, as the charts count them.
struct Kind {
    kind: String,
    value: String,
    gender: String,
    number: i64,
}

/// Of the admitted: how many of each age, ethnicity, political status and education.
async fn kinds(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Kind>> {
    Ok(sqlx::query_as!(
        Kind,
        r#"with who as (
               select a.gender, coalesce(a.ethnicity, '') as ethnicity, coalesce(a.political_status, '') as political,
                      coalesce(a.pre_edu_level, '') as education,
                      extract(year from age($4::date, a.birthday))::integer as age
               from admission a
               where a.deleted_at is null and a.status <> 'cancelled' and ($1::bigint is null or a.grade_id = $1)
                 and ($2::bigint[] is null or a.site_id = any($2)) and ($3::bigint is null or a.site_id = $3))
           select 'age' as "kind!",
                  case when w.age <= 20 then '≤20' when w.age <= 25 then '21–25' when w.age <= 30 then '26–30'
                       when w.age <= 40 then '31–40' else '>40' end as "value!",
                  w.gender as "gender!", count(*) as "number!" from who w group by 2, 3
           union all select 'ethnicity', w.ethnicity, '', count(*) from who w group by 2
           union all select 'political', w.political, '', count(*) from who w group by 2
           union all select 'education', w.education, '', count(*) from who w group by 2"#,
        wanted.grade,
        wanted.sites(),
        wanted.site,
        wanted.today
    )
    .fetch_all(connection)
    .await?)
}

/// How many were admitted at the sites of each region.
async fn regions(app: &App, connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"select coalesce(s.region, '') as "region!", count(*) as "number!"
           from admission a join site s on s.id = a.site_id
           where a.deleted_at is null and a.status <> 'cancelled' and ($1::bigint is null or a.grade_id = $1)
             and ($2::bigint[] is null or a.site_id = any($2)) and ($3::bigint is null or a.site_id = $3)
           group by 1 order by 2 desc"#,
        wanted.grade,
        wanted.sites(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    let codes: Vec<&str> = rows.iter().map(|row| row.region.as_str()).collect();
    // Names of divisions are the platform's.
    let named = sqlx::query!("select code, name from platform.region where code = any($1)", &codes as _)
        .fetch_all(&mut *app.platform_read().await?)
        .await?;
    let names: HashMap<String, String> = named.into_iter().map(|row| (row.code, row.name)).collect();
    Ok(rows
        .into_iter()
        .map(|row| (names.get(&row.region).cloned().unwrap_or_else(|| "未填地区".to_owned()), row.number))
        .collect())
}

pub(super) async fn charts(app: &App, connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let all = together(&groups(&mut *connection, wanted).await?);
    let funnel = [("预报名", all.pre), ("网报", all.exam), ("录取", all.admitted), ("报到", all.reported)];
    let kinds = kinds(&mut *connection, wanted).await?;
    let ages = |gender: &str| {
        ["≤20", "21–25", "26–30", "31–40", ">40"]
            .into_iter()
            .map(|age| {
                let of = |kind: &&Kind| kind.kind == "age" && kind.value == age && kind.gender == gender;
                counted(age, kinds.iter().filter(of).map(|kind| kind.number).sum())
            })
            .collect()
    };
    let of = |kind: &str| {
        let mut found: Vec<(&str, i64)> =
            kinds.iter().filter(|one| one.kind == kind).map(|one| (one.value.as_str(), one.number)).collect();
        found.sort_by_key(|(_, number)| -number);
        found
    };
    let minority: i64 =
        of("ethnicity").iter().filter(|(value, _)| !value.is_empty() && *value != HAN).map(|(_, number)| number).sum();
    let han: i64 = of("ethnicity").iter().filter(|(value, _)| *value == HAN).map(|(_, number)| number).sum();
    let political_words = words(app, "political_status").await?;
    let unknown = |name: String| if name.is_empty() { "未填".to_owned() } else { name };
    let political = of("political")
        .into_iter()
        .take(TOP)
        .map(|(value, number)| counted(unknown(label(&political_words, value)), number));
    let education = of("education")
        .into_iter()
        .map(|(value, number)| counted(PreEduLevel::parse(value).map_or("未填", PreEduLevel::zh), number));
    let regions = regions(app, connection, wanted).await?.into_iter().take(TOP);
    Ok(vec![
        chart(
            "funnel",
            "招生漏斗",
            (StatChartKind::Bar, "人"),
            vec![("人数", funnel.into_iter().map(|(name, number)| counted(name, number)).collect())],
        ),
        chart(
            "ages",
            "录取的性别与年龄",
            (StatChartKind::Bar, "人"),
            vec![("男", ages("male")), ("女", ages("female"))],
        ),
        chart(
            "ethnicity",
            "录取的民族",
            (StatChartKind::Pie, "人"),
            vec![("人数", vec![counted("汉族", han), counted("少数民族", minority)])],
        ),
        chart("political", "录取的政治面貌", (StatChartKind::Bar, "人"), vec![("人数", political.collect())]),
        chart("education", "录取的入学前学历", (StatChartKind::Pie, "人"), vec![("人数", education.collect())]),
        chart(
            "regions",
            "录取按站点地区",
            (StatChartKind::Bar, "人"),
            vec![("人数", regions.map(|(name, number)| counted(name, number)).collect())],
        ),
    ])
}
