//! 批量新增 and 自动安排场次 (part 04 §4.3, §4.4).

use std::collections::{BTreeMap, HashMap, HashSet};

use exam_rules::enums::AssessMode;
use exam_seat_rules::sessions::{SessionPlace, SetupNode, colour};
use exams::{enums::ExamMode, setup};
use infra::{Allowed, Body, Error, FieldError, Reply, Result, Scope, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

use super::{
    OfflineExamForm, PlaceSessions, SaveOfflineSetups,
    form::{insert, students_of},
};

/// A course of a batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfflineExamLine {
    /// 课程
    pub course_id: i64,
    /// 学期
    pub semester_id: i64,
    /// 考核方式
    /// 不填时与开课相同
    pub assess_mode: Option<AssessMode>,
    /// 场次
    pub session_id: Option<i64>,
    /// 考试对象
    /// 班级
    #[oai(default, validator(max_items = 1000))]
    pub class_ids: Vec<i64>,
    /// 不编排座位
    #[oai(default)]
    pub no_seating: bool,
}

/// Drafts that are made together.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflineExamsForm {
    /// 批次
    pub batch_id: i64,
    /// 课程
    #[oai(validator(min_items = 1, max_items = 300))]
    pub rows: Vec<OfflineExamLine>,
}

impl Example for OfflineExamsForm {
    fn example() -> Self {
        let line = OfflineExamLine {
            course_id: 1,
            semester_id: 1,
            assess_mode: None,
            session_id: Some(1),
            class_ids: vec![1],
            no_seating: false,
        };
        Self { batch_id: 1, rows: vec![line] }
    }
}

/// The drafts that were made.
#[derive(Debug, Clone, Object)]
pub struct OfflineExamsSaved {
    /// 编号
    pub ids: Vec<i64>,
}

/// Which drafts get sessions.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SessionsWanted {
    /// 批次
    pub batch_id: i64,
    /// 考试
    /// 不填时为批次全部没有场次的草稿
    #[oai(default, validator(max_items = 1000))]
    pub setup_ids: Vec<i64>,
    /// 仅预览
    #[oai(default)]
    pub preview: bool,
}

impl Example for SessionsWanted {
    fn example() -> Self {
        Self { batch_id: 1, setup_ids: Vec::new(), preview: true }
    }
}

/// A draft with its session.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SetupPlaced {
    /// 考试
    pub setup_id: i64,
    /// 考试名称
    pub setup_name: String,
    /// 场次
    pub session_id: i64,
    /// 场次号
    pub session_code: String,
}

/// A draft that fits nowhere.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SetupUnplaced {
    /// 考试
    pub setup_id: i64,
    /// 考试名称
    pub setup_name: String,
    /// 原因
    pub why: String,
}

/// Which drafts got which session.
#[derive(Debug, Clone, Default, Object)]
pub struct SessionsPlaced {
    /// 已安排
    pub placed: Vec<SetupPlaced>,
    /// 未安排
    pub unplaced: Vec<SetupUnplaced>,
}

pub struct Batches;

#[OpenApi(prefix_path = "/offline/pc/offline/setup", tag = "crate::Tag::OfflineExams")]
impl Batches {
    /// 批量新增线下考试
    /// 全部写入草稿；有一行不正确时都不写入
    #[oai(path = "/saveBatch", method = "post", operation_id = "saveOfflineSetups")]
    async fn save(
        &self,
        caller: Allowed<SaveOfflineSetups>,
        Body(form): Body<OfflineExamsForm>,
    ) -> Result<Reply<OfflineExamsSaved>> {
        let mut tx = caller.begin_long().await?;
        let (mut ids, mut changes, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for (place, line) in form.rows.iter().enumerate() {
            let one = OfflineExamForm {
                batch_id: form.batch_id,
                course_id: line.course_id,
                semester_id: line.semester_id,
                assess_mode: line.assess_mode,
                session_id: line.session_id,
                class_ids: line.class_ids.clone(),
                no_seating: line.no_seating,
                name: None,
                round: None,
                date: None,
                start_time: None,
                end_time: None,
                duration_minutes: None,
                min_progress: None,
                min_homework: None,
                max_absence: None,
                require_fee: false,
                include_deferred: None,
                papers: Vec::new(),
                remark: None,
            };
            tx.savepoint().await?;
            match insert(&mut tx, &one, &caller.scope()).await {
                Ok((id, made)) => {
                    tx.row_done().await?;
                    ids.push(id);
                    changes.extend(made);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    wrong.extend(at_row(place, &error));
                }
            }
        }
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        tx.commit_all(changes).await?;
        Ok(reply(OfflineExamsSaved { ids }))
    }

    /// 自动安排场次
    /// 没有场次的草稿；共有考生的考试不在同一时间
    #[oai(path = "/autoSession", method = "post", operation_id = "placeOfflineSetups")]
    async fn place(
        &self,
        caller: Allowed<PlaceSessions>,
        Body(wanted): Body<SessionsWanted>,
    ) -> Result<Reply<SessionsPlaced>> {
        let scope = caller.scope();
        let mut tx = caller.begin_long().await?;
        let setups = drafts(&mut tx, &wanted, &scope).await?;
        let sessions = sessions(&mut tx, wanted.batch_id).await?;
        let nodes: Vec<SetupNode> = setups.iter().map(|setup| setup.node.clone()).collect();
        let places: Vec<SessionPlace> = sessions.iter().map(|(_, place)| place.clone()).collect();
        let coloured = colour(&nodes, &places);
        let name = |id: i64| {
            setups.iter().find(|setup| setup.node.setup == id).map(|setup| setup.name.clone()).unwrap_or_default()
        };
        let code = |id: i64| {
            sessions.iter().find(|(_, place)| place.session == id).map(|(code, _)| code.clone()).unwrap_or_default()
        };
        let mut changes = Vec::new();
        let mut result = SessionsPlaced::default();
        for (setup_id, session_id) in coloured.placed {
            if !wanted.preview {
                let mut plan = setup::plan_of(&mut tx, setup_id).await?;
                let version = setup::known(&mut tx, setup_id, ExamMode::Offline).await?.version;
                plan.session_id = Some(session_id);
                (plan.starts_at, plan.ends_at) = (None, None);
                changes.push(setup::update(&mut tx, setup_id, version, &plan, ExamMode::Offline, &scope).await?);
            }
            result.placed.push(SetupPlaced {
                setup_id,
                setup_name: name(setup_id),
                session_id,
                session_code: code(session_id),
            });
        }
        for (setup_id, why) in coloured.unplaced {
            result.unplaced.push(SetupUnplaced { setup_id, setup_name: name(setup_id), why: why.to_owned() });
        }
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(result))
    }
}

/// What is wrong with a row, at its fields.
fn at_row(place: usize, error: &Error) -> Vec<FieldError> {
    let fields = error.data.as_array().filter(|_| error.code == 422).into_iter().flatten();
    let told: Vec<FieldError> = fields
        .map(|field| FieldError {
            field: format!("rows[{place}].{}", field["field"].as_str().unwrap_or_default()),
            message: field["message"].as_str().unwrap_or_default().to_owned(),
        })
        .collect();
    if told.is_empty() {
        vec![FieldError { field: format!("rows[{place}].courseId"), message: error.msg.to_string() }]
    } else {
        told
    }
}

/// A draft without a session.
struct Draft {
    name: String,
    node: SetupNode,
}

/// # Errors
/// 999 when there is none.
async fn drafts(connection: &mut PgConnection, wanted: &SessionsWanted, scope: &Scope) -> Result<Vec<Draft>> {
    let rows = sqlx::query!(
        r#"select s.id, s.name, s.no_seating,
                  exists (select from exam_candidate c where c.setup_id = s.id and not c.removed) as "listed!"
           from exam_setup s
           where s.batch_id = $1 and s.mode = 'offline' and s.status = 'draft' and s.session_id is null
             and ($2::bigint[] = '{}' or s.id = any($2))
             and ($3::bigint[] is null
                  or not exists (
                      select from exam_setup_class t join class k on k.id = t.class_id
                      where t.setup_id = s.id and not (k.site_id = any($3) or k.id = any($4::bigint[])))
                     and not exists (
                      select from exam_candidate c join student y on y.id = c.student_id
                      where c.setup_id = s.id and not c.removed
                        and not coalesce(y.site_id = any($3) or y.class_id = any($4), false))
                     and (exists (select from exam_setup_class t where t.setup_id = s.id)
                          or exists (select from exam_candidate c where c.setup_id = s.id and not c.removed)))
           order by s.id"#,
        wanted.batch_id,
        &wanted.setup_ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *connection)
    .await?;
    if rows.is_empty() {
        return Err(Error::conflict("没有需要安排场次的草稿"));
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let people = sqlx::query!(
        r#"select c.setup_id as "setup!", c.student_id as "student!", coalesce(p.exam_site_id, y.site_id) as "site!"
           from exam_candidate c
           join student y on y.id = c.student_id
           left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
           where c.setup_id = any($1) and not c.removed and c.eligibility = 'eligible'"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut nodes: HashMap<i64, (HashSet<i64>, BTreeMap<i64, usize>)> = HashMap::new();
    for person in people {
        let (students, seats) = nodes.entry(person.setup).or_default();
        students.insert(person.student);
        *seats.entry(person.site).or_default() += 1;
    }
    // Too many to be listed while the call that saved it waited: who studies the course in its classes.
    for row in rows.iter().filter(|row| !row.listed) {
        let plan = setup::plan_of(connection, row.id).await?;
        let students = students_of(connection, &plan).await?;
        let sites = sqlx::query!(
            r#"select coalesce(p.exam_site_id, y.site_id) as "site!", count(*) as "count!"
               from student y left join offline_point p on p.batch_id = $1 and p.site_id = y.site_id
               where y.id = any($2) group by 1"#,
            wanted.batch_id,
            &students
        )
        .fetch_all(&mut *connection)
        .await?;
        let seats = sites.into_iter().map(|site| (site.site, usize::try_from(site.count).unwrap_or(0))).collect();
        nodes.insert(row.id, (students.into_iter().collect(), seats));
    }
    let draft = rows.into_iter().map(|row| {
        let (students, seats) = nodes.remove(&row.id).unwrap_or_default();
        let seats = if row.no_seating { BTreeMap::new() } else { seats };
        Draft { name: row.name, node: SetupNode { setup: row.id, students, seats } }
    });
    Ok(draft.collect())
}

/// The open sessions of a batch in the order of time, with their numbers, the seats that are left and who is busy.
async fn sessions(connection: &mut PgConnection, batch: i64) -> Result<Vec<(String, SessionPlace)>> {
    let rows = sqlx::query!(
        r#"select x.id, x.code, x.starts_at, x.ends_at from offline_session x
           where x.batch_id = $1 and x.status in ('draft', 'seated') order by x.starts_at, x.code"#,
        batch
    )
    .fetch_all(&mut *connection)
    .await?;
    let times: Vec<(Moment, Moment)> = rows.iter().map(|row| (row.starts_at, row.ends_at)).collect();
    let mut places = Vec::with_capacity(rows.len());
    for (at, row) in rows.into_iter().enumerate() {
        let capacity = sqlx::query!(
            r#"select e.site_id as "site!", sum(e.capacity)::bigint as "seats!" from exam_room e
               where e.enabled
                 and (not exists (select from offline_session_site w where w.session_id = $1)
                      or exists (select from offline_session_site w where w.session_id = $1 and w.site_id = e.site_id))
               group by e.site_id"#,
            row.id
        )
        .fetch_all(&mut *connection)
        .await?;
        let taken = sqlx::query!(
            r#"select coalesce(p.exam_site_id, y.site_id) as "site!", count(*) as "count!"
               from exam_setup s
               join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
               join student y on y.id = c.student_id
               left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
               where s.session_id = $1 and s.status <> 'cancelled' and not s.no_seating
               group by 1"#,
            row.id
        )
        .fetch_all(&mut *connection)
        .await?;
        let busy = sqlx::query_scalar!(
            r#"select distinct c.student_id from exam_setup_time t
               join exam_setup s on s.id = t.setup_id and s.mode = 'offline' and s.status <> 'cancelled'
               join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
               where t.starts_at < $2 and t.ends_at > $1"#,
            row.starts_at as _,
            row.ends_at as _
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut free: BTreeMap<i64, usize> =
            capacity.into_iter().map(|row| (row.site, usize::try_from(row.seats).unwrap_or(0))).collect();
        for used in taken {
            if let Some(left) = free.get_mut(&used.site) {
                *left = left.saturating_sub(usize::try_from(used.count).unwrap_or(0));
            }
        }
        let overlaps = times
            .iter()
            .enumerate()
            .filter(|(other, (starts, ends))| *other != at && *starts < row.ends_at && *ends > row.starts_at)
            .map(|(other, _)| other)
            .collect();
        let place = SessionPlace { session: row.id, free, busy: busy.into_iter().collect(), overlaps };
        places.push((row.code, place));
    }
    if places.is_empty() {
        return Err(Error::conflict("批次还没有可用的考试场次"));
    }
    Ok(places)
}
