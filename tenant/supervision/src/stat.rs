//! 督学统计: how many fall behind, where, why, and whether it helps to talk with them (part 05 C5).

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, Days, NaiveDate};
use infra::{Allowed, App, Body, Part, Reply, Result, permissions, reply, share::percent};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use supervision_rules::enums::{SuperviseKind, SuperviseStatBy};

use crate::{
    case::filter::{SuperviseFilter, Wanted, of_cases},
    words::{REASONS, label, words},
};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool Reads Summarize = "adult:pc:supervise:list" "督学案例列表";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// Days of a line, and of what is called the effect.
const SHOWN_DAYS: i32 = 60;
const EFFECT_DAYS: i32 = 7;

/// The figures above the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseSummary {
    /// 在籍
    pub students: i64,
    /// 红色
    pub red: i64,
    /// 橙色
    pub orange: i64,
    /// 黄色
    pub yellow: i64,
    /// 本周新增
    pub opened: i64,
    /// 本周解除
    pub relieved: i64,
    /// 待联系
    pub due: i64,
    /// 联系率(%)
    /// 有联系记录的案例÷待处理和跟进中的案例
    pub contact_rate: Option<f64>,
}

/// By what figures are told.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SuperviseStatAsked {
    /// 统计方式
    pub by: SuperviseStatBy,
    /// 范围
    #[oai(default)]
    pub filter: SuperviseFilter,
}

impl Example for SuperviseStatAsked {
    fn example() -> Self {
        Self { by: SuperviseStatBy::Class, filter: SuperviseFilter::default() }
    }
}

/// A class, a manager, a kind, a day or a reason.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseStatRow {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 站点
    #[oai(skip_serializing_if_is_none)]
    pub site_name: Option<String>,
    /// 班主任
    #[oai(skip_serializing_if_is_none)]
    pub manager_name: Option<String>,
    /// 负责班级
    #[oai(skip_serializing_if_is_none)]
    pub classes: Option<i64>,
    /// 在籍
    #[oai(skip_serializing_if_is_none)]
    pub students: Option<i64>,
    /// 红色
    pub red: i64,
    /// 橙色
    pub orange: i64,
    /// 黄色
    pub yellow: i64,
    /// 个数
    pub count: i64,
    /// 预警率(%)
    /// 预警学生÷在籍
    #[oai(skip_serializing_if_is_none)]
    pub flagged_rate: Option<f64>,
    /// 已联系
    #[oai(skip_serializing_if_is_none)]
    pub contacted: Option<i64>,
    /// 联系率(%)
    #[oai(skip_serializing_if_is_none)]
    pub contact_rate: Option<f64>,
    /// 联系次数
    #[oai(skip_serializing_if_is_none)]
    pub contacts: Option<i64>,
    /// 平均首次联系(小时)
    #[oai(skip_serializing_if_is_none)]
    pub first_contact_hours: Option<f64>,
    /// 解除率(%)
    /// 已解除÷全部案例
    #[oai(skip_serializing_if_is_none)]
    pub relieved_rate: Option<f64>,
}

/// Whether those who were reminded study more than those who were not.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseEffect {
    /// 提醒过的学生
    pub reminded: i64,
    /// 其中7天内有活动
    pub reminded_active: i64,
    /// 有活动比例(%)
    pub reminded_rate: Option<f64>,
    /// 未提醒的学生
    pub others: i64,
    /// 其中7天内有活动
    pub others_active: i64,
    /// 有活动比例(%)
    pub others_rate: Option<f64>,
}

/// The figures.
#[derive(Debug, Clone, Object)]
pub struct SuperviseStat {
    /// 列表
    pub rows: Vec<SuperviseStatRow>,
    /// 提醒效果
    /// 按日统计时
    #[oai(skip_serializing_if_is_none)]
    pub effect: Option<SuperviseEffect>,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Statistics {
    /// 督学汇总
    #[oai(path = "/summary", method = "post", operation_id = "summarizeSuperviseCases")]
    async fn summary(
        &self,
        caller: Allowed<Summarize>,
        Body(filter): Body<SuperviseFilter>,
    ) -> Result<Reply<SuperviseSummary>> {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let wanted = filter.wanted(&mut tx, &caller.scope(), today).await?;
        Ok(reply(summary(&mut tx, &wanted, today).await?))
    }

    /// 督学统计
    #[oai(path = "/stat", method = "post", operation_id = "statSuperviseCases")]
    async fn stat(
        &self,
        caller: Allowed<Summarize>,
        Body(asked): Body<SuperviseStatAsked>,
    ) -> Result<Reply<SuperviseStat>> {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let wanted = asked.filter.wanted(&mut tx, &caller.scope(), today).await?;
        let rows = match asked.by {
            SuperviseStatBy::Class => by_class(&mut tx, &wanted).await?,
            SuperviseStatBy::Manager => by_manager(&mut tx, &wanted).await?,
            SuperviseStatBy::Kind => by_kind(&mut tx, &wanted).await?,
            SuperviseStatBy::Day => {
                asked.filter.of_classes()?;
                by_day(&mut tx, &wanted, today).await?
            }
            SuperviseStatBy::Reason => by_reason(caller.app(), &mut tx, &wanted).await?,
        };
        let effect = match asked.by {
            SuperviseStatBy::Day => Some(effect(&mut tx, &wanted, today).await?),
            _ => None,
        };
        Ok(reply(SuperviseStat { rows, effect }))
    }
}

/// What cases have come to, as a whole.
struct Sums {
    red: i64,
    orange: i64,
    yellow: i64,
    opened: i64,
    relieved: i64,
    due: i64,
    contacted: i64,
}

async fn summary(connection: &mut PgConnection, wanted: &Wanted, today: NaiveDate) -> Result<SuperviseSummary> {
    let monday = today - Days::new(u64::from(today.weekday().num_days_from_monday()));
    let sums = of_cases!(query_as [Sums]
        [r#"select count(*) filter (where c.status in ('open', 'following') and c.level = 'red') as "red!",
                   count(*) filter (where c.status in ('open', 'following') and c.level = 'orange') as "orange!",
                   count(*) filter (where c.status in ('open', 'following') and c.level = 'yellow') as "yellow!",
                   count(*) filter (where (c.first_flagged_at at time zone 'Asia/Shanghai')::date >= $17::date) as "opened!",
                   count(*) filter (where (c.relieved_at at time zone 'Asia/Shanghai')::date >= $17) as "relieved!",
                   count(*) filter (where c.status in ('open', 'following') and c.next_contact_on <= $18::date) as "due!",
                   count(*) filter (where c.status in ('open', 'following') and c.last_contact_at is not null) as "contacted!"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id"#]
        wanted
        [],
        monday,
        today);
    let sums = sums.fetch_one(&mut *connection).await?;
    let students = active(connection, wanted).await?.values().sum();
    Ok(SuperviseSummary {
        students,
        red: sums.red,
        orange: sums.orange,
        yellow: sums.yellow,
        opened: sums.opened,
        relieved: sums.relieved,
        due: sums.due,
        contact_rate: percent(sums.contacted, sums.red + sums.orange + sums.yellow),
    })
}

/// The active students of each class within the filter; 0 are those without one.
async fn active(connection: &mut PgConnection, wanted: &Wanted) -> Result<BTreeMap<i64, i64>> {
    let rows = sqlx::query!(
        r#"select coalesce(s.class_id, 0) as "class!", count(*) as "students!" from student s
           where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or s.class_id = ($3::bigint[])[6])
             and ($4::text is null or s.study_form = $4)
             and (($3::bigint[])[8] is null
                  or exists (select from class k where k.id = s.class_id and k.manager_id = ($3::bigint[])[8]))
           group by 1"#,
        wanted.scope.sites(),
        wanted.scope.classes(),
        &wanted.ids as &[Option<i64>],
        wanted.study_form
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.class, row.students)).collect())
}

/// What the cases of a class or manager have come to.
struct Group {
    key: i64,
    red: i64,
    orange: i64,
    yellow: i64,
    contacted: i64,
    relieved: i64,
    all: i64,
    contacts: i64,
    hours: Option<f64>,
}

impl Group {
    fn row(&self, name: String, students: Option<i64>) -> SuperviseStatRow {
        let flagged = self.red + self.orange + self.yellow;
        SuperviseStatRow {
            id: self.key,
            name,
            students,
            red: self.red,
            orange: self.orange,
            yellow: self.yellow,
            count: flagged,
            flagged_rate: students.and_then(|students| percent(flagged, students)),
            contacted: Some(self.contacted),
            contact_rate: percent(self.contacted, flagged),
            contacts: Some(self.contacts),
            first_contact_hours: self.hours,
            relieved_rate: percent(self.relieved, self.all),
            ..SuperviseStatRow::default()
        }
    }
}

async fn groups(connection: &mut PgConnection, wanted: &Wanted, by_manager: bool) -> Result<Vec<Group>> {
    let rows = of_cases!(query_as [Group]
        [r#"select case when $17::boolean
                        then coalesce(case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end, 0)
                        else coalesce(s.class_id, 0) end as "key!",
                   count(*) filter (where c.status in ('open', 'following') and c.level = 'red') as "red!",
                   count(*) filter (where c.status in ('open', 'following') and c.level = 'orange') as "orange!",
                   count(*) filter (where c.status in ('open', 'following') and c.level = 'yellow') as "yellow!",
                   count(*) filter (where c.status in ('open', 'following') and c.last_contact_at is not null) as "contacted!",
                   count(*) filter (where c.status = 'relieved') as "relieved!", count(*) as "all!",
                   coalesce(sum(x.contacts), 0)::bigint as "contacts!",
                   round((avg(greatest(extract(epoch from x.first - c.first_flagged_at), 0))
                              filter (where x.first is not null) / 3600.0)::numeric, 1)::float8 as "hours?"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
            cross join lateral (
                select count(*) as contacts, min(z.contacted_at) as first from supervise_contact z where z.case_id = c.id) x"#]
        wanted
        [+ " group by 1 order by 1"],
        by_manager);
    Ok(rows.fetch_all(connection).await?)
}

async fn by_class(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<SuperviseStatRow>> {
    let groups = groups(&mut *connection, wanted, false).await?;
    let students = active(&mut *connection, wanted).await?;
    let ids: Vec<i64> = students.keys().copied().chain(groups.iter().map(|group| group.key)).collect();
    let names = sqlx::query!(
        r#"select k.id, k.name, t.name as site, m.name as "manager?" from class k join site t on t.id = k.site_id
           left join class_manager m on m.id = k.manager_id where k.id = any($1) order by t.code, k.code"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let by_key: HashMap<i64, &Group> = groups.iter().map(|group| (group.key, group)).collect();
    let none =
        |key| Group { key, red: 0, orange: 0, yellow: 0, contacted: 0, relieved: 0, all: 0, contacts: 0, hours: None };
    let row = |key: i64, name: String| {
        let students = Some(students.get(&key).copied().unwrap_or(0));
        by_key
            .get(&key)
            .map_or_else(|| none(key).row(name.clone(), students), |group| group.row(name.clone(), students))
    };
    let mut rows: Vec<SuperviseStatRow> = names
        .into_iter()
        .map(|class| SuperviseStatRow {
            site_name: Some(class.site),
            manager_name: class.manager,
            ..row(class.id, class.name)
        })
        .collect();
    if students.contains_key(&0) || by_key.contains_key(&0) {
        rows.push(row(0, "未分班".to_owned()));
    }
    Ok(rows)
}

async fn by_manager(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<SuperviseStatRow>> {
    let groups = groups(&mut *connection, wanted, true).await?;
    let students = active(&mut *connection, wanted).await?;
    let ids: Vec<i64> = groups.iter().map(|group| group.key).collect();
    let classes: Vec<i64> = students.keys().copied().collect();
    let managers = sqlx::query!(
        r#"select m.id, m.name, array(select k.id from class k where k.manager_id = m.id and k.id = any($2)) as "classes!"
           from class_manager m
           where m.id = any($1) or exists (select from class k where k.manager_id = m.id and k.id = any($2))
           order by m.work_no"#,
        &ids,
        &classes
    )
    .fetch_all(connection)
    .await?;
    let mut rows = Vec::with_capacity(managers.len());
    for manager in managers {
        let of_classes = manager.classes.iter().filter_map(|class| students.get(class)).sum();
        let found = groups.iter().find(|group| group.key == manager.id);
        let told = found.map_or_else(
            || SuperviseStatRow {
                id: manager.id,
                name: manager.name.clone(),
                students: Some(of_classes),
                ..SuperviseStatRow::default()
            },
            |group| group.row(manager.name.clone(), Some(of_classes)),
        );
        let count = i64::try_from(manager.classes.len()).unwrap_or(i64::MAX);
        rows.push(SuperviseStatRow { classes: Some(count), ..told });
    }
    if let Some(nobody) = groups.iter().find(|group| group.key == 0) {
        rows.push(nobody.row("未指定班主任".to_owned(), None));
    }
    Ok(rows)
}

/// Cases that go on with live flags of a kind.
struct OfKind {
    kind: String,
    red: i64,
    orange: i64,
    yellow: i64,
}

async fn by_kind(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<SuperviseStatRow>> {
    let rows = of_cases!(query_as [OfKind]
        [r#"select f.kind as "kind!", count(distinct c.id) filter (where f.level = 'red') as "red!",
                   count(distinct c.id) filter (where f.level = 'orange') as "orange!",
                   count(distinct c.id) filter (where f.level = 'yellow') as "yellow!"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
            join supervise_flag f on f.case_id = c.id and f.cleared_at is null and not f.muted"#]
        wanted
        [+ " and c.status in ('open', 'following') group by f.kind"]);
    let rows: Vec<OfKind> = rows.fetch_all(connection).await?;
    let told = SuperviseKind::CHOICES.iter().zip(1..).filter_map(|((zh, kind), id)| {
        let row = rows.iter().find(|row| row.kind == kind.as_str())?;
        Some(SuperviseStatRow {
            id,
            name: (*zh).to_owned(),
            red: row.red,
            orange: row.orange,
            yellow: row.yellow,
            count: row.red + row.orange + row.yellow,
            ..SuperviseStatRow::default()
        })
    });
    Ok(told.collect())
}

/// The last days of a semester. Of a day only classes are kept, so they are told by what a class is.
async fn by_day(connection: &mut PgConnection, wanted: &Wanted, today: NaiveDate) -> Result<Vec<SuperviseStatRow>> {
    let rows = sqlx::query!(
        r#"select d.date as "date!", sum(d.red)::bigint as "red!", sum(d.orange)::bigint as "orange!", sum(d.yellow)::bigint as "yellow!"
           from supervise_day d
           join semester e on e.id = ($3::bigint[])[1]
           left join class k on k.id = d.class_id
           left join major m on m.id = k.major_id
           where d.date >= e.starts_on and d.date > least($4::date, e.ends_on) - $5::integer
             and (e.current or d.date <= e.ends_on)
             and ($1::bigint[] is null or d.site_id = any($1) or d.class_id = any($2::bigint[]))
             and (($3::bigint[])[2] is null or k.grade_id = ($3::bigint[])[2])
             and (($3::bigint[])[3] is null or k.level_id = ($3::bigint[])[3])
             and (($3::bigint[])[4] is null or k.major_id = ($3::bigint[])[4])
             and (($3::bigint[])[5] is null or d.site_id = ($3::bigint[])[5])
             and (($3::bigint[])[6] is null or d.class_id = ($3::bigint[])[6])
             and (($3::bigint[])[8] is null or k.manager_id = ($3::bigint[])[8])
             and ($6::text is null or m.study_form = $6)
           group by d.date order by d.date"#,
        wanted.scope.sites(),
        wanted.scope.classes(),
        &wanted.ids as &[Option<i64>],
        today,
        SHOWN_DAYS,
        wanted.study_form
    )
    .fetch_all(connection)
    .await?;
    let told = rows.into_iter().zip(1..).map(|(row, id)| SuperviseStatRow {
        id,
        name: row.date.to_string(),
        red: row.red,
        orange: row.orange,
        yellow: row.yellow,
        count: row.red + row.orange + row.yellow,
        ..SuperviseStatRow::default()
    });
    Ok(told.collect())
}

/// Contacts that told a reason.
struct OfReason {
    reason: String,
    count: i64,
}

async fn by_reason(app: &App, connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<SuperviseStatRow>> {
    let rows = of_cases!(query_as [OfReason]
        [r#"select x.lag_reason as "reason!", count(*) as "count!"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
            join supervise_contact x on x.case_id = c.id and x.lag_reason is not null"#]
        wanted
        [+ " group by x.lag_reason order by 2 desc, 1"]);
    let rows: Vec<OfReason> = rows.fetch_all(connection).await?;
    let reasons = words(app, REASONS).await?;
    let told = rows.into_iter().zip(1..).map(|(row, id)| SuperviseStatRow {
        id,
        name: label(&reasons, &row.reason),
        count: row.count,
        ..SuperviseStatRow::default()
    });
    Ok(told.collect())
}

/// Who did something within a week: after the first reminder, or after the first flag of those who had none.
struct Active {
    reminded: i64,
    reminded_active: i64,
    others: i64,
    others_active: i64,
}

async fn effect(connection: &mut PgConnection, wanted: &Wanted, today: NaiveDate) -> Result<SuperviseEffect> {
    let found = of_cases!(query_as [Active]
        [r#"select count(*) filter (where r.reminded) as "reminded!",
                   count(*) filter (where r.reminded and a.active) as "reminded_active!",
                   count(*) filter (where not r.reminded) as "others!",
                   count(*) filter (where not r.reminded and a.active) as "others_active!"
            from supervise_case c join student s on s.id = c.student_id left join class k on k.id = s.class_id
            cross join lateral (
                select min(z.reminded_at) is not null as reminded,
                       (coalesce(min(z.reminded_at), c.first_flagged_at) at time zone 'Asia/Shanghai')::date as day
                from supervise_remind z where z.case_id = c.id) r
            cross join lateral (
                select r.day + $17::integer <= $18::date as passed,
                       exists (select from stat_login_day l
                               where l.owner_kind = 'student' and l.owner_id = s.id and l.logins > 0
                                 and l.date > r.day and l.date <= r.day + $17)
                       or exists (select from stat_study_day t
                                  where t.student_id = s.id and t.date > r.day and t.date <= r.day + $17) as active) a"#]
        wanted
        [+ " and a.passed"],
        EFFECT_DAYS,
        today);
    let Active { reminded, reminded_active, others, others_active } = found.fetch_one(connection).await?;
    Ok(SuperviseEffect {
        reminded,
        reminded_active,
        reminded_rate: percent(reminded_active, reminded),
        others,
        others_active,
        others_rate: percent(others_active, others),
    })
}
