//! 分配 and 催办 of markers (part 04 §4.4). Sheets of examinations on the net are given out by `online_exams`.

use std::collections::{BTreeMap, HashSet};

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;

use super::{AssignExamMarkers, AutoExamMarkers, RemindExamMarkers};
use crate::{
    enums::{ExamMode, ExamSetupStatus, MarkerScope},
    setup::{HeldSetup, held},
};

/// A marker that is wanted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarkerForm {
    /// 教师
    pub teacher_id: i64,
    /// 阅卷范围
    /// 不填为全部
    pub scope: Option<MarkerScope>,
    /// 班级
    /// 按班级时填写
    #[oai(default, validator(max_items = 200))]
    pub class_ids: Vec<i64>,
    /// 题号
    /// 按题目时填写，例如 3 或 7.2
    #[oai(default, validator(max_items = 200))]
    pub question_seqs: Vec<String>,
    /// 份数上限
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub quota: Option<i32>,
    /// 仲裁
    #[oai(default)]
    pub arbiter: bool,
    /// 截止时间
    pub deadline_at: Option<Moment>,
}

/// The markers of a setup.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamMarkersForm {
    /// 考试
    pub setup_id: i64,
    /// 阅卷教师
    /// 替换没有阅卷记录的教师
    #[oai(validator(min_items = 1, max_items = 200))]
    pub markers: Vec<ExamMarkerForm>,
}

impl Example for ExamMarkersForm {
    fn example() -> Self {
        let marker = ExamMarkerForm {
            teacher_id: 1,
            scope: Some(MarkerScope::All),
            class_ids: Vec::new(),
            question_seqs: Vec::new(),
            quota: None,
            arbiter: false,
            deadline_at: None,
        };
        Self { setup_id: 1, markers: vec![marker] }
    }
}

/// Which setups get their teachers as markers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamMarkersAuto {
    /// 考试
    #[oai(validator(min_items = 1, max_items = 200))]
    pub setup_ids: Vec<i64>,
}

impl Example for ExamMarkersAuto {
    fn example() -> Self {
        Self { setup_ids: vec![1] }
    }
}

/// What came of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarkersGiven {
    /// 已分配人数
    pub given: i64,
    /// 没有任课教师的考试
    pub without: Vec<String>,
}

/// Whom to remind.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamMarkersRemind {
    /// 考试
    #[oai(default, validator(max_items = 200))]
    pub setup_ids: Vec<i64>,
    /// 阅卷教师
    #[oai(default, validator(max_items = 1000))]
    pub marker_ids: Vec<i64>,
}

impl Example for ExamMarkersRemind {
    fn example() -> Self {
        Self { setup_ids: vec![1], marker_ids: Vec::new() }
    }
}

/// How many were told.
#[derive(Debug, Clone, Object)]
pub struct ExamMarkersTold {
    /// 已催办人数
    pub told: i64,
}

pub struct Assignments;

#[OpenApi(prefix_path = "/offline/pc/offline/marker", tag = "crate::Tag::Exams")]
impl Assignments {
    /// 分配阅卷教师
    /// 替换没有阅卷记录的教师
    #[oai(path = "/assign", method = "post", operation_id = "assignExamMarkers")]
    async fn assign(
        &self,
        caller: Allowed<AssignExamMarkers>,
        Body(wanted): Body<ExamMarkersForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let setup = any_held(&mut tx, wanted.setup_id, &caller.scope()).await?;
        let changes = replaced(&mut tx, &setup, &wanted.markers).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.setup_id }))
    }

    /// 自动分配阅卷教师
    /// 各班级的批阅教师，没有时为主讲教师
    #[oai(path = "/auto", method = "post", operation_id = "autoExamMarkers")]
    async fn auto(
        &self,
        caller: Allowed<AutoExamMarkers>,
        Body(wanted): Body<ExamMarkersAuto>,
    ) -> Result<Reply<ExamMarkersGiven>> {
        let mut ids = wanted.setup_ids;
        ids.sort_unstable();
        ids.dedup();
        let mut tx = caller.begin().await?;
        let (mut told, mut changes) = (ExamMarkersGiven { given: 0, without: Vec::new() }, Vec::new());
        for id in ids {
            let setup = any_held(&mut tx, id, &caller.scope()).await?;
            let markers = teachers_of(&mut tx, &setup).await?;
            if markers.is_empty() {
                told.without.push(setup.name.clone());
                continue;
            }
            told.given += i64::try_from(markers.len()).unwrap_or_default();
            changes.extend(replaced(&mut tx, &setup, &markers).await?);
        }
        tx.commit_all(changes).await?;
        Ok(reply(told))
    }

    /// 催办阅卷
    #[oai(path = "/remind", method = "post", operation_id = "remindExamMarkers")]
    async fn remind(
        &self,
        caller: Allowed<RemindExamMarkers>,
        Body(wanted): Body<ExamMarkersRemind>,
    ) -> Result<Reply<ExamMarkersTold>> {
        if wanted.setup_ids.is_empty() && wanted.marker_ids.is_empty() {
            return Err(Error::field("setupIds", "请选择要催办的考试或教师"));
        }
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        let now = tx.app().clock().now();
        let by = tx.by();
        let rows = sqlx::query!(
            r#"update exam_marker m set reminded_at = $3, updated_at = now(), updated_by = $4, version = m.version + 1
               from exam_setup s join course u on u.id = s.course_id join exam_marker_progress p on p.setup_id = s.id
               where s.id = m.setup_id and p.marker_id = m.id and (m.setup_id = any($1) or m.id = any($2))
                 and p.status <> 'finished'
                 and ($5::bigint[] is null
                      or exists (select from exam_setup_class t join class k on k.id = t.class_id
                                 where t.setup_id = s.id and (k.site_id = any($5) or k.id = any($6::bigint[])))
                      or exists (select from exam_candidate c join student y on y.id = c.student_id
                                 where c.setup_id = s.id and (y.site_id = any($5) or y.class_id = any($6))))
               returning m.id as "id!", m.teacher_id as "teacher_id!", p.assigned - p.done as "left!", u.name as "course!""#,
            &wanted.setup_ids,
            &wanted.marker_ids,
            now as _,
            by,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        if rows.is_empty() {
            return Err(Error::conflict("没有需要催办的阅卷教师"));
        }
        let mut changes = Vec::new();
        for row in &rows {
            let values = [("course".to_owned(), row.course.clone()), ("count".to_owned(), row.left.max(0).to_string())];
            let person = Person { kind: PersonKind::Teacher, id: row.teacher_id };
            let once = format!("marking_remind:{}:{}", row.id, now.format("%Y%m%d%H%M"));
            notify(&mut tx, "marking_remind", Persons::Recipients(vec![person]), values.into(), Some(&once)).await?;
            changes.push(Change::event("exam_marker", row.id, "remind", json!({})));
        }
        tx.commit_all(changes).await?;
        Ok(reply(ExamMarkersTold { told: i64::try_from(rows.len()).unwrap_or_default() }))
    }
}

/// A setup of either mode, held.
async fn any_held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<HeldSetup> {
    let mode = sqlx::query_scalar!(r#"select mode as "mode: ExamMode" from exam_setup where id = $1"#, id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    held(tx, id, mode, scope).await
}

/// Who marks the classes of a setup by the allocation of its course: markers, else lecturers.
async fn teachers_of(tx: &mut Tx, setup: &HeldSetup) -> Result<Vec<ExamMarkerForm>> {
    let rows = sqlx::query!(
        r#"select distinct c.class_id as "class_id!", w.teacher_id as "teacher_id!"
           from exam_candidate x
           join course_selection c on c.id = x.selection_id and c.class_id is not null
           cross join lateral (
               select a.teacher_id from course_allocation a
               where a.opening_id = c.opening_id and a.role in ('marker', 'lecturer')
                 and (a.class_id is null or a.class_id = c.class_id)
               order by a.role = 'marker' desc, a.class_id nulls last, a.id limit 1) w
           where x.setup_id = $1 and not x.removed"#,
        setup.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut classes: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in rows {
        classes.entry(row.teacher_id).or_default().push(row.class_id);
    }
    Ok(classes
        .into_iter()
        .map(|(teacher_id, class_ids)| ExamMarkerForm {
            teacher_id,
            scope: Some(MarkerScope::ByClass),
            class_ids,
            question_seqs: Vec::new(),
            quota: None,
            arbiter: false,
            deadline_at: None,
        })
        .collect())
}

/// The classes of a setup: those that it names, and those of its candidates.
async fn classes_of(tx: &mut Tx, setup: i64) -> Result<HashSet<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select class_id as "id!" from exam_setup_class where setup_id = $1
           union
           select w.class_id
           from exam_candidate c
           join student y on y.id = c.student_id
           join course_selection o on o.id = c.selection_id
           cross join lateral (values (y.class_id), (o.class_id)) as w (class_id)
           where c.setup_id = $1 and not c.removed and w.class_id is not null"#,
        setup
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Puts these markers in the place of those who have not marked anything. Whoever has, stays.
async fn replaced(tx: &mut Tx, setup: &HeldSetup, markers: &[ExamMarkerForm]) -> Result<Vec<Change>> {
    if setup.status == ExamSetupStatus::Cancelled {
        return Err(Error::conflict(format!("考试“{}”已取消", setup.name)));
    }
    let classes = classes_of(tx, setup.id).await?;
    let mut seen = HashSet::new();
    for marker in markers {
        if !seen.insert(marker.teacher_id) {
            return Err(Error::field("markers", "阅卷教师有重复，请检查"));
        }
        let scope = marker.scope.unwrap_or(MarkerScope::All);
        if (scope == MarkerScope::ByClass) == marker.class_ids.is_empty() {
            return Err(Error::field("markers", "按班级阅卷时请选择班级"));
        }
        if !marker.class_ids.iter().all(|id| classes.contains(id)) {
            return Err(Error::field("markers", "所选班级没有参加该考试，请重新选择"));
        }
        if (scope == MarkerScope::ByQuestion) == marker.question_seqs.is_empty() {
            return Err(Error::field("markers", "按题目阅卷时请填写题号"));
        }
        let name = sqlx::query!(
            r#"select name, status = 'active' as "active!" from teacher where id = $1"#,
            marker.teacher_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("markers", "所选教师不存在，请重新选择"))?;
        if !name.active {
            return Err(Error::field("markers", format!("教师“{}”已离职或停用", name.name)));
        }
    }
    let wanted: Vec<i64> = seen.into_iter().collect();
    let gone = sqlx::query_scalar!(
        "delete from exam_marker m using exam_marker_progress p
         where m.setup_id = $1 and p.marker_id = m.id and p.done = 0 and m.teacher_id <> all($2) returning m.id",
        setup.id,
        &wanted
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes: Vec<Change> =
        gone.into_iter().map(|id| Change::event("exam_marker", id, "delete", json!({ "setupId": setup.id }))).collect();
    let by = tx.by();
    for marker in markers {
        let id = sqlx::query_scalar!(
            "insert into exam_marker (setup_id, teacher_id, scope, class_ids, question_seqs, quota, arbiter, deadline_at, created_by,
                 updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
             on conflict (setup_id, teacher_id) do update
             set scope = excluded.scope, class_ids = excluded.class_ids, question_seqs = excluded.question_seqs,
                 quota = excluded.quota, arbiter = excluded.arbiter, deadline_at = excluded.deadline_at,
                 updated_at = excluded.updated_at, updated_by = excluded.updated_by, version = exam_marker.version + 1
             returning id",
            setup.id,
            marker.teacher_id,
            marker.scope.unwrap_or(MarkerScope::All).as_str(),
            &marker.class_ids,
            &marker.question_seqs,
            marker.quota,
            marker.arbiter,
            marker.deadline_at as _,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "setupId": setup.id, "teacherId": marker.teacher_id, "arbiter": marker.arbiter });
        changes.push(Change::event("exam_marker", id, "assign", what));
    }
    let candidates = sqlx::query_scalar!(
        r#"select count(*) as "count!" from exam_candidate where setup_id = $1 and not removed"#,
        setup.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let persons = wanted.iter().map(|id| Person { kind: PersonKind::Teacher, id: *id }).collect();
    let values = [("course".to_owned(), setup.course_name.clone()), ("count".to_owned(), candidates.to_string())];
    let once = format!("marking_assigned:{}:{}", setup.id, tx.app().clock().now().format("%Y%m%d%H%M"));
    notify(tx, "marking_assigned", Persons::Recipients(persons), values.into(), Some(&once)).await?;
    Ok(changes)
}

/// Counts anew what the markers of a setup have and have done, by its sheets, answers and second marks.
///
/// # Errors
/// Those of the database.
pub async fn recount(tx: &mut Tx, setup: i64) -> Result<()> {
    sqlx::query!(
        "update exam_marker m
         set assigned = w.assigned, done = w.done,
             status = case when w.assigned > 0 and w.done >= w.assigned then 'finished' when w.done > 0 then 'working' else 'assigned' end
         from (
             select k.id, count(o.teacher_id)::integer as assigned, count(*) filter (where not o.waits)::integer as done
             from exam_marker k
             left join (
                 select p.teacher_id, p.sheet_id, bool_or(p.waits) as waits
                 from (
                     select a.marker_id as teacher_id, a.id as sheet_id, a.mark_state = 'submitted' as waits
                     from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
                     where c.setup_id = $1 and a.marker_id is not null and a.mark_state in ('submitted', 'marked')
                     union all
                     select i.marker_id, a.id, i.mark_state = 'pending'
                     from answer_item i join answer_sheet a on a.id = i.sheet_id
                     join exam_candidate c on c.id = a.exam_candidate_id
                     where c.setup_id = $1 and i.marker_id is not null and a.mark_state in ('submitted', 'marked')
                     union all
                     select x.marker_teacher_id, a.id, x.score is null
                     from exam_item_mark x join answer_item i on i.id = x.item_id join answer_sheet a on a.id = i.sheet_id
                     join exam_candidate c on c.id = a.exam_candidate_id
                     where c.setup_id = $1 and a.mark_state in ('submitted', 'marked')) p
                 group by p.teacher_id, p.sheet_id) o on o.teacher_id = k.teacher_id
             where k.setup_id = $1
             group by k.id) w
         where m.id = w.id and (m.assigned, m.done) is distinct from (w.assigned, w.done)",
        setup
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
