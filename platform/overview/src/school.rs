//! A school's page: its register within the person's data scope, its calendar, who of its people signed in.

use std::{collections::BTreeMap, sync::Arc};

use chrono::NaiveDate;
use infra::{
    Allowed, ReadTx, Result, Scope,
    clock::{Moment, day_began},
};

use crate::{
    dashboard::ViewSchoolDashboard,
    figures::{
        BEYOND, BEYOND_DAYS, Calendar, CalendarSemester, Card, Chart, ChartKind, DAYS, Deadline, Figures, PLAIN_VIEW,
        Point, STATUSES, Series, SetupStep, Todo, by_day,
    },
    platform::KINDS,
    remembered::{self, Whose},
    term_figures,
};

const STUDENTS: &str = "/schoolPC/studentStatus/studentRoll/BeRegistered";
/// The list's filter for students in the register, whom the figures count by `student.active`.
const ACTIVE: &str = "status=pending_registration,registered,suspended,expired";
const APPLICANTS: &str = "/schoolPC/recruitStudents/preRegistration/preRegistrationList";
const CHANGES: &str = "/schoolPC/studentStatus/transaction/changeApplication";
const COMMITMENTS: &str = "/schoolPC/information/qualification/studentStatistics";
const EXAM_CASES: &str = "/schoolPC/examination/offlineIndex/offlineManage";
const EXAM_MARKING: &str = "/schoolPC/examination/onlineIndex/onlineExamMarking";
const ARCHIVES: &str = "/schoolPC/graduate/graduatingStudents/archives";
const SETUPS: &str = "/schoolPC/examination/offlineIndex/offlineTestSetup/offlineExamAudit";
const SEATS: &str = "/schoolPC/examination/offlineIndex/offlineManage";
const GRADUATES: &str = "/schoolPC/graduate/graduatingStudents/studentList";
const SHEETS: &str = "/schoolPC/achievement/gradeProcessing/scoreEntryProcessing";
const REVIEWS: &str = "/schoolPC/achievement/gradeProcessing/gradeReviewProcess";
const MAKEUP_REVIEWS: &str = "/schoolPC/achievement/gradeProcessing/supplementaryGradeAudit";
const THESES: &str = "/schoolPC/graduate/thesis/list";
const SUPPORT: &str = "/schoolPC/supportCenter";
/// So many days after the end of a suspension who has not come back is 逾期未复学.
const OVERDUE_DAYS: i64 = 30;
const STUDENTS_CODE: &str = "adult:pc:studentRoll:list";
const DIVIDE_CODE: &str = "user:pc:student:allocation";
const APPLICANTS_CODE: &str = "adult:pc:preRegistration:list";
/// So long before its end a batch is worth a look.
const BATCH_DAYS: i64 = 7;
/// So long before it comes the calendar tells a deadline.
const DEADLINE_DAYS: i64 = 14;
/// Sites and majors that are named in a chart.
const TOP: usize = 10;

pub(crate) async fn figures(
    caller: &Allowed<ViewSchoolDashboard>,
    scope: &Scope,
    refresh: bool,
) -> Result<Arc<Figures>> {
    let seen = (!scope.is_whole()).then(|| {
        let sorted = |ids: Option<&[i64]>| {
            let mut ids = ids.unwrap_or_default().to_vec();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        (sorted(scope.sites()), sorted(scope.classes()))
    });
    let school = caller.session.school_id.unwrap_or_default();
    remembered::figures(caller.app(), Whose::School(school, seen), refresh, async {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let mut figures = register(&mut tx, scope).await?;
        applicants(&mut tx, scope, caller.app().clock().now(), &mut figures).await?;
        corrections(&mut tx, scope, &mut figures).await?;
        changes(&mut tx, scope, today, &mut figures).await?;
        commitments(&mut tx, scope, &mut figures).await?;
        exam_cases(&mut tx, scope, &mut figures).await?;
        examined(&mut tx, scope, &mut figures).await?;
        scored(&mut tx, scope, caller.app().clock().now(), &mut figures).await?;
        asked(&mut tx, scope, &mut figures).await?;
        soon(&mut tx, caller.app().clock().now(), &mut figures).await?;
        term_figures::add(&mut tx, scope, today, caller.app().clock().now(), &mut figures).await?;
        if scope.is_whole() {
            figures.setup = setup(&mut tx).await?;
        }
        figures.computed_at = caller.app().clock().now();
        figures.calendar = calendar(&mut tx, today, caller.app().clock().now()).await?;
        drop(tx);
        if scope.is_whole() {
            // Staff have no site: who sees a part of the school sees nobody's sign-ins.
            let mut platform = caller.platform().await?;
            sign_ins(&mut platform, school, today, &mut figures).await?;
            figures.todos.push(beyond(&mut platform, school, caller.app().clock().now()).await?);
        }
        Ok(figures)
    })
    .await
}

/// One walk over the register, and the names of what it found.
async fn register(tx: &mut ReadTx, scope: &Scope) -> Result<Figures> {
    let rows = sqlx::query!(
        r#"select status as "status?", site_id as "site?", major_id as "major?", count(*) as "all!",
                  count(*) filter (where active) as "active!"
           from student
           where $1::bigint[] is null or site_id = any($1) or class_id = any($2::bigint[])
           group by grouping sets ((status), (site_id), (major_id))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let by_status: BTreeMap<&str, i64> =
        rows.iter().filter_map(|row| Some((row.status.as_deref()?, row.all))).collect();
    let of = |status: &str| by_status.get(status).copied().unwrap_or(0);
    let active = rows.iter().filter(|row| row.status.is_some()).map(|row| row.active).sum();
    let places = sqlx::query!(
        r#"select (select count(*) from site s where $1::bigint[] is null or s.id = any($1)
                       or exists (select from class c where c.site_id = s.id and c.id = any($2::bigint[]))) as "sites!",
                  (select count(*) from class c
                   where $1::bigint[] is null or c.site_id = any($1) or c.id = any($2::bigint[])) as "classes!""#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let cards = vec![
        Card::new("activeStudents", "在籍学生", active, "人", "学籍状态为待注册、在籍、休学、超学制的学生")
            .leads_to(format!("{STUDENTS}?{ACTIVE}"))
            .of(STUDENTS_CODE),
        Card::new("registeredStudents", "已注册学生", of("registered"), "人", "学籍状态为在籍的学生")
            .leads_to(format!("{STUDENTS}?scope=registered"))
            .of(STUDENTS_CODE),
        Card::new("pendingStudents", "未注册", of("pending_registration"), "人", "学籍状态为待注册的学生")
            .leads_to(format!("{STUDENTS}?scope=pending_registration"))
            .of(STUDENTS_CODE),
        Card::new("sites", "教学站点", places.sites, "个", "全部教学站点，含停招和撤销")
            .leads_to("/schoolPC/basicData/site")
            .of("adult:pc:site:list"),
        Card::new("classes", "班级", places.classes, "个", "全部班级")
            .leads_to("/schoolPC/basicData/classes")
            .of("adult:pc:class:list"),
    ];
    let status_points = STATUSES
        .iter()
        .filter(|(status, _)| of(status) > 0)
        .map(|(status, zh)| Point {
            name: (*zh).to_owned(),
            value: of(status),
            link: Some(format!("{STUDENTS}?status={status}")),
        })
        .collect();
    let sites = top(rows.iter().filter_map(|row| Some((row.site?, row.active))));
    let majors = top(rows.iter().filter_map(|row| Some((row.major?, row.active))));
    let (site_ids, major_ids): (Vec<i64>, Vec<i64>) =
        (sites.iter().map(|(id, _)| *id).collect(), majors.iter().map(|(id, _)| *id).collect());
    let site_names: BTreeMap<i64, String> = sqlx::query!("select id, name from site where id = any($1)", &site_ids)
        .fetch_all(&mut **tx)
        .await?
        .into_iter()
        .map(|row| (row.id, row.name))
        .collect();
    let major_names: BTreeMap<i64, String> = sqlx::query!(
        r#"select m.id, m.name, l.name as level, m.study_form,
                  (select count(*) from major o where o.name = m.name and o.level_id = m.level_id) > 1 as "shared!"
           from major m join level l on l.id = m.level_id where m.id = any($1)"#,
        &major_ids
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .map(|row| {
        // A major that is taught in several forms of study is not told by its name alone.
        let form = if row.shared { format!("，{}", form_of(&row.study_form)) } else { String::new() };
        (row.id, format!("{}（{}{form}）", row.name, row.level))
    })
    .collect();
    let points = |top: &[(i64, i64)], names: &BTreeMap<i64, String>, filter: &str| {
        top.iter()
            .map(|(id, value)| Point {
                name: names.get(id).cloned().unwrap_or_default(),
                value: *value,
                link: Some(format!("{STUDENTS}?{filter}={id}&{ACTIVE}")),
            })
            .collect()
    };
    let help = "学籍状态为待注册、在籍、休学、超学制的学生";
    let series = |name: &str, points: Vec<Point>| vec![Series { name: name.to_owned(), points }];
    let mut charts = vec![
        Chart::new("studentsByStatus", "学生学籍状态", ChartKind::Bar, "人", "全部学生", series("学生", status_points)),
        Chart::new(
            "studentsBySite",
            "在籍学生（前10个站点）",
            ChartKind::Bar,
            "人",
            help,
            series("在籍学生", points(&sites, &site_names, "siteId")),
        ),
        Chart::new(
            "studentsByMajor",
            "在籍学生（前10个专业）",
            ChartKind::Pie,
            "人",
            help,
            series("在籍学生", points(&majors, &major_names, "majorId")),
        )
        .out_of(active),
    ];
    for chart in &mut charts {
        chart.code = Some(STUDENTS_CODE.to_owned());
    }
    charts.retain(|chart| chart.series.iter().any(|series| !series.points.is_empty()));
    let open = sqlx::query!(
        r#"select min(created_at) filter (where status = 'pending_registration') as "oldest_pending: Moment",
                  count(*) filter (where class_id is null) as "loose!",
                  min(created_at) filter (where class_id is null) as "oldest_loose: Moment",
                  count(*) filter (where enrol_photo_id is null) as "faceless!",
                  min(created_at) filter (where enrol_photo_id is null) as "oldest_faceless: Moment"
           from student
           where active and ($1::bigint[] is null or site_id = any($1) or class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let pending = format!("{STUDENTS}?scope=pending_registration");
    let todos = vec![
        Todo::new("pendingStudents", "待注册的学生", of("pending_registration"), pending, STUDENTS_CODE)
            .since(open.oldest_pending),
        Todo::new(
            "studentsWithoutClass",
            "未分班的学生",
            open.loose,
            format!("{STUDENTS}?assigned=false"),
            DIVIDE_CODE,
        )
        .since(open.oldest_loose),
        Todo::new(
            "studentsWithoutPhoto",
            "缺入学照片的学生",
            open.faceless,
            format!("{STUDENTS}?photoMissing=enrol"),
            "adult:pc:studentRoll:edit",
        )
        .since(open.oldest_faceless),
    ];
    Ok(Figures {
        computed_at: Moment::default(),
        data_until: None,
        demo: None,
        cards,
        charts,
        todos,
        setup: Vec::new(),
        schools: Vec::new(),
        calendar: None,
    })
}

/// Those who want to study: of the newest batch that is open, and what waits to be audited.
async fn applicants(tx: &mut ReadTx, scope: &Scope, now: Moment, figures: &mut Figures) -> Result<()> {
    let counts = sqlx::query!(
        r#"with newest as (
               select id, name from pre_registration_batch
               where enabled and starts_at <= $2 and ends_at > $2 order by starts_at desc, id desc limit 1)
           select (select name from newest) as batch, (select id from newest) as batch_id,
                  count(*) filter (where status = 'pending') as "pending!",
                  min(created_at) filter (where status = 'pending') as "oldest: Moment",
                  count(*) filter (where status = 'returned') as "returned!",
                  min(updated_at) filter (where status = 'returned') as "oldest_returned: Moment",
                  (select ends_at from pre_registration_batch where id = (select id from newest)) as "ends_at: Moment",
                  count(*) filter (where batch_id = (select id from newest)) as "entered!"
           from pre_registration
           where deleted_at is null and (status in ('pending', 'returned') or batch_id = (select id from newest))
             and ($1::bigint[] is null or site_id = any($1))"#,
        scope.sites(),
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    if let (Some(batch), Some(id)) = (counts.batch, counts.batch_id) {
        let help = format!("{batch}中的全部预报名人员");
        figures.cards.push(
            Card::new("applicants", "本批次预报名", counts.entered, "人", &help)
                .leads_to(format!("{APPLICANTS}?batchId={id}"))
                .of(APPLICANTS_CODE),
        );
    }
    let todo = |key: &str, title: &str, count: i64, status: &str| {
        Todo::new(key, title, count, format!("{APPLICANTS}?status={status}"), APPLICANTS_CODE).until(counts.ends_at)
    };
    figures.todos.extend([
        todo("pendingApplicants", "待审核的预报名", counts.pending, "pending").since(counts.oldest),
        todo("returnedApplicants", "退回未改的预报名", counts.returned, "returned").since(counts.oldest_returned),
    ]);
    Ok(())
}

/// Corrections of students within the scope that the school is to decide about.
async fn corrections(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let waiting = sqlx::query!(
        r#"select count(*) as "count!", min(c.created_at) as "oldest: Moment"
           from student_correction c join student s on s.id = c.student_id
           where c.status = 'pending_school'
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let link = format!("{STUDENTS}?tab=corrections&status=pending_school");
    figures.todos.push(
        Todo::new("pendingCorrections", "待学校审核的信息更正", waiting.count, link, "adult:pc:correction:audit")
            .since(waiting.oldest),
    );
    Ok(())
}

/// Changes of students within the scope that the school is to decide about, or that could not take effect; and who has not come
/// back thirty days after the end of a suspension (02 §10).
async fn changes(tx: &mut ReadTx, scope: &Scope, today: NaiveDate, figures: &mut Figures) -> Result<()> {
    let waiting = sqlx::query!(
        r#"select count(*) filter (where c.status = 'pending_school') as "pending!",
                  min(c.submitted_at) filter (where c.status = 'pending_school') as "oldest: Moment",
                  count(*) filter (where c.status = 'approved') as "stuck!",
                  min(c.moved_at) filter (where c.status = 'approved') as "oldest_stuck: Moment"
           from student_change c join student s on s.id = c.student_id
           where (c.status = 'pending_school' or c.status = 'approved' and c.alert is not null)
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let away = sqlx::query_scalar!(
        r#"select count(*) as "count!" from student
           where status = 'suspended' and suspended_until < $3
             and ($1::bigint[] is null or site_id = any($1) or class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes(),
        today - chrono::Duration::days(OVERDUE_DAYS)
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.todos.extend([
        Todo::new(
            "pendingChanges",
            "待学校审批的学籍异动",
            waiting.pending,
            format!("{CHANGES}?scope=pending_school"),
            "adult:pc:change:audit",
        )
        .since(waiting.oldest),
        Todo::new(
            "stuckChanges",
            "未能生效的学籍异动",
            waiting.stuck,
            format!("{CHANGES}?scope=approved"),
            "adult:pc:change:edit",
        )
        .since(waiting.oldest_stuck),
        Todo::new(
            "overdueReturns",
            "逾期未复学的学生",
            away,
            format!("{STUDENTS}?scope=suspended"),
            "adult:pc:change:save",
        ),
    ]);
    Ok(())
}

/// Students whose right to be admitted was approved before 学信网 found that their former diploma is none: their withdrawal is to be
/// begun (02 §11.5).
async fn commitments(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let failed = sqlx::query!(
        r#"select count(*) as "count!", min(i.chsi_checked_on) as oldest
           from student_information i join student s on s.id = i.student_id
           where i.kind = 'admission_commitment' and i.status = 'approved' and i.conclusion = 'unqualified' and s.active
             and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let link = format!("{COMMITMENTS}?status=approved&conclusion=unqualified&counted=true");
    figures.todos.push(
        Todo::new("failedCommitments", "清查未通过待发起退学的学生", failed.count, link, "adult:pc:change:save")
            .since(failed.oldest.map(day_began)),
    );
    Ok(())
}

/// Deferrals and violations that nobody decided, sheets of examinations that wait for a marker, and archives that may be sealed
/// (part 04 §2, §3, §6, §11).
async fn exam_cases(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let deferrals = sqlx::query!(
        r#"select count(*) as "count!", min(d.created_at) as "oldest: Moment"
           from exam_deferral d join student y on y.id = d.student_id
           where d.status = 'applied' and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let violations = sqlx::query!(
        r#"select count(*) as "count!", min(v.created_at) as "oldest: Moment"
           from exam_violation v
           join exam_candidate c on c.id = v.candidate_id
           join student y on y.id = c.student_id
           where v.status = 'reported' and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let sheets = sqlx::query!(
        r#"select count(*) as "count!", min(a.submitted_at) as "oldest: Moment"
           from answer_sheet a
           join exam_candidate c on c.id = a.exam_candidate_id
           join student y on y.id = c.student_id
           where a.mark_state = 'submitted' and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let archives = sqlx::query!(
        r#"select count(*) as "count!", min(a.updated_at) as "oldest: Moment"
           from archive a join student y on y.id = a.student_id
           where a.status = 'complete' and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.todos.extend([
        Todo::new(
            "pendingDeferrals",
            "待审核的缓考",
            deferrals.count,
            format!("{EXAM_CASES}?tab=deferral&status=applied"),
            "exam:pc:deferral:audit",
        )
        .since(deferrals.oldest),
        Todo::new(
            "pendingViolations",
            "待认定的违规",
            violations.count,
            format!("{EXAM_CASES}?tab=violation&status=reported"),
            "exam:pc:violation:audit",
        )
        .since(violations.oldest),
        Todo::new(
            "unmarkedSheets",
            "待阅答卷",
            sheets.count,
            format!("{EXAM_MARKING}?tab=sheets&status=submitted"),
            "exam:pc:online:mark:list",
        )
        .since(sheets.oldest),
        Todo::new(
            "archivesComplete",
            "待归档",
            archives.count,
            format!("{ARCHIVES}?status=complete"),
            "adult:pc:archive:seal",
        )
        .since(archives.oldest),
    ]);
    Ok(())
}

/// Examinations on paper that wait for somebody, candidates of theirs without a seat, and graduates who are not decided or whose
/// audit is out of date (part 04 §4, §9).
async fn examined(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let setups = sqlx::query!(
        r#"select count(*) as "count!", min(s.submitted_at) as "oldest: Moment" from exam_setup s
           where s.mode = 'offline' and s.status = 'submitted'
             and ($1::bigint[] is null or exists (
                 select from exam_candidate c join student y on y.id = c.student_id
                 where c.setup_id = s.id and not c.removed and (y.site_id = any($1) or y.class_id = any($2::bigint[]))))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let unseated = sqlx::query!(
        r#"select count(*) as "count!", min(s.reviewed_at) as "oldest: Moment"
           from exam_setup s
           join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
           join student y on y.id = c.student_id
           where s.mode = 'offline' and s.status in ('approved', 'published') and s.session_id is not null and not s.no_seating
             and not exists (select from offline_seat t where t.candidate_id = c.id)
             and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let graduates = sqlx::query!(
        r#"select count(*) filter (where g.status in ('listed', 'site_checked') and g.audit_result <> 'pending') as "undecided!",
                  min(g.audited_at) filter (where g.status in ('listed', 'site_checked') and g.audit_result <> 'pending')
                      as "oldest: Moment",
                  count(*) filter (where w.stale) as "stale!", min(w.counted) filter (where w.stale) as "oldest_stale: Moment"
           from graduation_user g
           join student y on y.id = g.student_id
           cross join lateral (
               select coalesce(max(c.counted_at) > g.audited_at, false) as stale, max(c.counted_at) as counted
               from course_score c where c.student_id = g.student_id) w
           where g.status in ('listed', 'site_checked', 'decided')
             and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.todos.extend([
        Todo::new(
            "submittedSetups",
            "待审核的线下考试",
            setups.count,
            format!("{SETUPS}?status=submitted"),
            "offline:pc:offline:setup:audit",
        )
        .since(setups.oldest),
        Todo::new(
            "unseatedCandidates",
            "待编排座位的考生",
            unseated.count,
            format!("{SEATS}?all=true&seated=false"),
            "offline:pc:offline:user:room:auto",
        )
        .since(unseated.oldest),
        Todo::new(
            "undecidedGraduates",
            "待终审的毕业生",
            graduates.undecided,
            format!("{GRADUATES}?decision=none"),
            "adult:pc:graduate:user:decide",
        )
        .since(graduates.oldest),
        Todo::new(
            "staleAudits",
            "审核结果已过期的毕业生",
            graduates.stale,
            format!("{GRADUATES}?stale=true"),
            "adult:pc:graduate:user:audit",
        )
        .since(graduates.oldest_stale),
    ]);
    Ok(())
}

/// Sheets that wait for their next step or are late, and corrections and theses that nobody decided (part 04 §6, §8).
async fn scored(tx: &mut ReadTx, scope: &Scope, now: Moment, figures: &mut Figures) -> Result<()> {
    let sheets = sqlx::query!(
        r#"select count(*) filter (where s.round = 'first' and s.status = 'submitted') as "review!",
                  min(s.submitted_at) filter (where s.round = 'first' and s.status = 'submitted') as "review_since: Moment",
                  count(*) filter (where s.round <> 'first' and s.status = 'submitted') as "makeup!",
                  min(s.submitted_at) filter (where s.round <> 'first' and s.status = 'submitted') as "makeup_since: Moment",
                  count(*) filter (where s.round = 'first' and s.status = 'first_reviewed') as "audit!",
                  min(s.first_reviewed_at) filter (where s.round = 'first' and s.status = 'first_reviewed') as "audit_since: Moment",
                  count(*) filter (where s.round = 'first' and s.status = 'reviewed') as "publish!",
                  min(s.reviewed_at) filter (where s.round = 'first' and s.status = 'reviewed') as "publish_since: Moment",
                  count(*) filter (where s.status in ('pending', 'entering', 'returned') and w.until < $3) as "late!",
                  min(w.until) filter (where s.status in ('pending', 'entering', 'returned') and w.until < $3) as "late_since: Moment"
           from score_sheet s
           join test_batch b on b.id = s.batch_id
           left join class k on k.id = s.class_id
           cross join lateral (select greatest(s.entry_open_until, b.score_entry_ends_at) as until) w
           where s.status not in ('published', 'locked')
             and ($1::bigint[] is null or k.site_id = any($1) or k.id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes(),
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    let corrections = sqlx::query!(
        r#"select count(*) as "count!", min(c.created_at) as "oldest: Moment"
           from score_correction c
           join course_score s on s.id = c.course_score_id
           join student y on y.id = s.student_id
           where c.status = 'applied' and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let theses = sqlx::query!(
        r#"select count(*) as "count!", min(t.updated_at) as "oldest: Moment"
           from thesis t join student y on y.id = t.student_id
           where t.status = 'active' and t.stage_status = 'submitted'
             and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let todo = |key: &str, title: &str, count: i64, link: String, code: &str| Todo::new(key, title, count, link, code);
    let submitted = |page: &str| format!("{page}?status=submitted");
    figures.todos.extend([
        todo("sheetsToReview", "待初审的成绩登记表", sheets.review, submitted(REVIEWS), "adult:pc:score:sheet:review")
            .since(sheets.review_since),
        todo(
            "makeupSheetsToReview",
            "待初审的补考登记表",
            sheets.makeup,
            submitted(MAKEUP_REVIEWS),
            "adult:pc:score:sheet:review",
        )
        .since(sheets.makeup_since),
        todo(
            "sheetsToAudit",
            "待终审的成绩登记表",
            sheets.audit,
            format!("{REVIEWS}?status=first_reviewed"),
            "adult:pc:score:sheet:audit",
        )
        .since(sheets.audit_since),
        todo(
            "sheetsToPublish",
            "待发布的成绩登记表",
            sheets.publish,
            format!("{REVIEWS}?status=reviewed"),
            "adult:pc:score:sheet:publish",
        )
        .since(sheets.publish_since),
        todo(
            "overdueEntry",
            "逾期未提交的成绩登记表",
            sheets.late,
            format!("{SHEETS}?overdue=true"),
            "adult:pc:score:sheet:remind",
        )
        .since(sheets.late_since),
        todo(
            "pendingScoreCorrections",
            "待审核的成绩更正",
            corrections.count,
            format!("{REVIEWS}?tab=corrections&status=applied"),
            "adult:pc:score:correction:audit",
        )
        .since(corrections.oldest),
        todo(
            "thesesToDecide",
            "待审阅的论文",
            theses.count,
            format!("{THESES}?status=active&stageStatus=submitted"),
            "adult:pc:thesis:decide",
        )
        .since(theses.oldest),
    ]);
    Ok(())
}

/// What the school's people ask and nobody has answered.
async fn asked(tx: &mut ReadTx, scope: &Scope, figures: &mut Figures) -> Result<()> {
    let rows = sqlx::query!(
        r#"select audience, count(*) as "waiting!", min(asked_at) as "oldest: Moment" from support_question
           where status = 'waiting'
             and ($1::bigint[] is null or site_id = any($1) or class_id = any($2::bigint[]))
           group by audience"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    for (audience, key, title, page) in [
        ("student", "waitingStudentQuestions", "待回复的学生咨询", "studentsSupport"),
        ("teacher", "waitingTeacherQuestions", "待回复的教师咨询", "teacherSupport"),
        ("site", "waitingSiteQuestions", "待回复的站点咨询", "siteSupport"),
    ] {
        let found = rows.iter().find(|row| row.audience == audience);
        let (count, oldest) = found.map_or((0, None), |row| (row.waiting, row.oldest));
        let link = format!("{SUPPORT}/{page}?tab=questions&status=waiting");
        let code = format!("system:pc:support:{audience}:question:list");
        figures.todos.push(Todo::new(key, title, count, link, &code).since(oldest));
    }
    Ok(())
}

/// Batches that end soon.
async fn soon(tx: &mut ReadTx, now: Moment, figures: &mut Figures) -> Result<()> {
    let batches = sqlx::query!(
        r#"select count(*) as "ending!", min(ends_at) as "deadline: Moment" from pre_registration_batch
           where enabled and starts_at <= $1 and ends_at > $1 and ends_at <= $2"#,
        now,
        now + chrono::Duration::days(BATCH_DAYS)
    )
    .fetch_one(&mut **tx)
    .await?;
    figures.todos.push(
        Todo::new(
            "endingBatches",
            "7天内截止的预报名批次",
            batches.ending,
            "/schoolPC/recruitStudents/preRegistration/preRegistrationBatch?phase=open",
            "adult:pc:preRegistrationBatch:list",
        )
        .until(batches.deadline),
    );
    Ok(())
}

/// The way from an empty school to its first students; nothing once each step has something.
async fn setup(tx: &mut ReadTx) -> Result<Vec<SetupStep>> {
    let counts = sqlx::query!(
        r#"select (select count(*) from level) as "levels!", (select count(*) from grade) as "grades!",
                  (select count(*) from site) as "sites!", (select count(*) from major) as "majors!",
                  (select count(*) from class) as "classes!", (select count(*) from teacher) as "teachers!",
                  (select count(*) from student) as "students!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let steps = [
        ("levels", "层次", counts.levels, "/schoolPC/basicData/levels", "adult:pc:arrangement:list"),
        ("grades", "年级", counts.grades, "/schoolPC/basicData/grade", "adult:pc:grade:list"),
        ("sites", "教学站点", counts.sites, "/schoolPC/basicData/site", "adult:pc:site:list"),
        ("majors", "专业", counts.majors, "/schoolPC/basicData/major/schoolMajor", "adult:pc:major:list"),
        ("classes", "班级", counts.classes, "/schoolPC/basicData/classes", "adult:pc:class:list"),
        ("teachers", "教师", counts.teachers, "/schoolPC/userManagerment/teacherList", "user:pc:teacher:list"),
        ("students", "学生", counts.students, STUDENTS, STUDENTS_CODE),
    ];
    if steps.iter().all(|(_, _, count, _, _)| *count > 0) {
        return Ok(Vec::new());
    }
    let shown = steps.into_iter().map(|(key, title, count, link, code)| SetupStep {
        key: key.to_owned(),
        title: title.to_owned(),
        count,
        link: link.to_owned(),
        code: code.to_owned(),
    });
    Ok(shown.collect())
}

/// The form of study in words, as the majors' enumeration has them.
fn form_of(form: &str) -> &str {
    match form {
        "non_full_time" => "非脱产",
        "correspondence" => "函授",
        "part_time" => "业余",
        "full_time" => "脱产",
        "online" => "网络教育",
        other => other,
    }
}

/// Those who wanted to see more personal values of the school than anybody may in a day (05 E4).
async fn beyond(tx: &mut ReadTx, school: i64, now: Moment) -> Result<Todo> {
    let count = sqlx::query_scalar!(
        r#"select count(distinct actor_id) as "people!" from platform.sys_log
           where result_code = 429 and school_id = $1 and path = $2 and at > $3"#,
        school,
        PLAIN_VIEW,
        now - chrono::Duration::days(BEYOND_DAYS)
    )
    .fetch_one(&mut **tx)
    .await?;
    let link = format!("/data/sys/log/userLog?{BEYOND}");
    Ok(Todo::new("plainViewsBeyond", "7天内查看敏感信息超过上限的人员", count, link, "data:pc:sys:log:userLog"))
}

/// The largest, each with its count.
fn top(counts: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, i64)> {
    let mut counts: Vec<(i64, i64)> = counts.filter(|(_, count)| *count > 0).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counts.truncate(TOP);
    counts
}

/// None of a school that has no semester yet and of which nothing ends soon: recruitment begins before the first semester.
async fn calendar(tx: &mut ReadTx, today: chrono::NaiveDate, now: Moment) -> Result<Option<Calendar>> {
    let current =
        sqlx::query!("select name, starts_on, ends_on from semester where current").fetch_optional(&mut **tx).await?;
    let deadlines = deadlines(tx, now).await?;
    let semester = current.map(|row| CalendarSemester {
        week: term::week_no(row.starts_on, row.ends_on, today),
        // A semester that begins in the middle of a week touches one more.
        weeks: term::week_no(row.starts_on, row.ends_on, row.ends_on)
            .unwrap_or_else(|| term::week_count(row.starts_on, row.ends_on)),
        name: row.name,
        starts_on: row.starts_on,
        ends_on: row.ends_on,
    });
    Ok((semester.is_some() || !deadlines.is_empty()).then_some(Calendar { semester, deadlines }))
}

/// What ends within two weeks and is open by now, and examinations that begin within them; the first eight.
async fn deadlines(tx: &mut ReadTx, now: Moment) -> Result<Vec<Deadline>> {
    let found = sqlx::query_as!(
        Deadline,
        r#"select d.title as "title!", d.at as "at!: Moment"
           from (select b.name || '：预报名截止' as title, b.starts_at as since, b.ends_at as at
                 from pre_registration_batch b where b.enabled
                 union all
                 select b.name || '：异动申请截止', b.starts_at, b.ends_at from change_batch b where b.enabled
                 union all
                 select case w.kind when 'admission_information' then '学籍注册信息填报截止'
                                    when 'admission_commitment' then '入学资格承诺截止'
                                    else '毕业登记填报截止' end, w.opens_at, w.closes_at
                 from information_window w where w.enabled
                 union all
                 select distinct n.name || '：选课截止', r.select_starts_at, r.select_ends_at
                 from selection_rule r join semester n on n.id = r.semester_id
                 union all
                 select b.name || '：考试开始', '-infinity', b.exam_starts_on::timestamp at time zone 'Asia/Shanghai'
                 from test_batch b where b.status = 'active') d
           where d.since <= $1 and d.at > $1 and d.at <= $2
           order by d.at, d.title limit 8"#,
        now,
        now + chrono::Duration::days(DEADLINE_DAYS)
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(found)
}

/// The school's own people; who enters for the platform is not counted.
async fn sign_ins(tx: &mut ReadTx, school: i64, today: chrono::NaiveDate, figures: &mut Figures) -> Result<()> {
    let from = today - chrono::Duration::days(DAYS - 1);
    let rows = sqlx::query!(
        r#"select (at at time zone 'Asia/Shanghai')::date as "day!", coalesce(client, 'school') as "kind!",
                  count(distinct coalesce(user_id::text, login_name)) as "people!", count(*) as "times!"
           from platform.login_log
           where school_id = $1 and success and event = 'login'
             and at >= ($2::date)::timestamp at time zone 'Asia/Shanghai'
           group by 1, 2"#,
        school,
        from
    )
    .fetch_all(&mut **tx)
    .await?;
    let on = |day: chrono::NaiveDate, kind: &str| {
        rows.iter().filter(|row| row.day == day && row.kind == kind).map(|row| row.people).sum::<i64>()
    };
    let of = |day: chrono::NaiveDate| rows.iter().filter(move |row| row.day == day);
    let yesterday = today - chrono::Duration::days(1);
    let link = format!("/data/user/log/login/list?event=login&result=succeeded&startsOn={today}&endsOn={today}");
    figures.cards.extend([
        Card::new(
            "signedInToday",
            "今日登录人数",
            of(today).map(|row| row.people).sum(),
            "人",
            "今天登录成功的本校人员：院校人员、学生、教师和站点人员",
        )
        .beside(of(yesterday).map(|row| row.people).sum()),
        Card::new(
            "signInsToday",
            "今日登录次数",
            of(today).map(|row| row.times).sum(),
            "次",
            "今天本校人员登录成功的次数",
        )
        .beside(of(yesterday).map(|row| row.times).sum())
        .leads_to(link),
    ]);
    figures.charts.push(Chart::new(
        "signIns",
        "近30天登录人数",
        ChartKind::Line,
        "人",
        "每天登录成功的不同账号",
        KINDS[1..].iter().map(|(kind, zh)| by_day(zh, today, |day| on(day, kind))).collect(),
    ));
    Ok(())
}
