//! 分配批阅: to whom a sheet is given when it is handed in, and how they are given anew (part 03 B7).

use std::collections::HashMap;

use homework_rules::{
    assign::{Waiting, by_class, evenly},
    form::check_seqs,
};
use infra::{Allowed, Body, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{AssignSheets, lock::release_all};
use crate::{
    enums::AssignMode,
    homework::{HomeworkMarkerForm, viewable},
    sheet::{Sheet, Task},
};

/// Sheets of one call.
const MOST: usize = 5_000;

/// Which sheets, and to whom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MarkingAssignment {
    /// 答卷
    /// 与 homeworkId 二选一
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub sheet_ids: Option<Vec<i64>>,
    /// 作业
    /// 该作业全部待批阅的答卷
    pub homework_id: Option<i64>,
    /// 分配方式
    pub mode: AssignMode,
    /// 批阅教师
    /// 按班级时填写班级，按题目时填写题号
    #[oai(validator(min_items = 1, max_items = 200))]
    pub markers: Vec<HomeworkMarkerForm>,
}

impl Example for MarkingAssignment {
    fn example() -> Self {
        let marker = HomeworkMarkerForm { teacher_id: 1, class_id: None, question_seqs: Vec::new(), quota: None };
        Self { sheet_ids: None, homework_id: Some(1), mode: AssignMode::Average, markers: vec![marker] }
    }
}

/// How many sheets were given to somebody.
#[derive(Debug, Clone, Object)]
pub struct MarkingAssigned {
    /// 已分配份数
    pub done: i64,
    /// 未分配份数
    /// 没有对应的批阅教师或超出最多份数
    pub left: i64,
}

pub struct Assignments;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Assignments {
    /// 分配批阅
    /// 也用于转交；正在批阅的答卷随之释放
    #[oai(path = "/assign", method = "put", operation_id = "assignSheets")]
    async fn assign(
        &self,
        caller: Allowed<AssignSheets>,
        Body(wanted): Body<MarkingAssignment>,
    ) -> Result<Reply<MarkingAssigned>> {
        if wanted.sheet_ids.is_some() == wanted.homework_id.is_some() {
            return Err(Error::field("sheetIds", "请勾选答卷或选择一个作业"));
        }
        let mut tx = caller.begin().await?;
        if let Some(homework) = wanted.homework_id {
            viewable(&mut tx, homework, &caller.scope()).await?;
        }
        check(&mut tx, &wanted).await?;
        let sheets = waiting(&mut tx, &wanted, &caller.scope()).await?;
        let changes = match wanted.mode {
            AssignMode::Question => by_question(&mut tx, &wanted.markers, &sheets).await?,
            AssignMode::Average => whole(&mut tx, &sheets, &evenly(&wanted.markers, &sheets)).await?,
            AssignMode::Class => whole(&mut tx, &sheets, &by_class(&wanted.markers, &sheets)).await?,
        };
        let given: Vec<i64> = changes.iter().map(Change::id).collect();
        release_all(&mut tx, &given).await?;
        let done = i64::try_from(given.len()).map_err(Error::internal)?;
        let left = i64::try_from(sheets.len()).map_err(Error::internal)? - done;
        if done > 0 {
            tx.commit_all(changes).await?;
        }
        Ok(reply(MarkingAssigned { done, left }))
    }
}

/// # Errors
/// 422 for teachers who are not there any more, and for a mode without what it asks.
async fn check(tx: &mut Tx, wanted: &MarkingAssignment) -> Result<()> {
    check_seqs(&wanted.markers)?;
    for marker in &wanted.markers {
        let teacher = sqlx::query!(
            r#"select name, status = 'active' as "active!" from teacher where id = $1"#,
            marker.teacher_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("markers", "所选教师不存在，请重新选择"))?;
        if !teacher.active {
            return Err(Error::field("markers", format!("教师“{}”已离职或停用", teacher.name)));
        }
        match wanted.mode {
            AssignMode::Class if marker.class_id.is_none() => {
                return Err(Error::field("markers", format!("请为教师“{}”选择班级", teacher.name)));
            }
            AssignMode::Question if marker.question_seqs.is_empty() => {
                return Err(Error::field("markers", format!("请为教师“{}”填写题号", teacher.name)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Those of the call within the scope, held.
async fn waiting(tx: &mut Tx, wanted: &MarkingAssignment, scope: &Scope) -> Result<Vec<Waiting>> {
    let sheets = sqlx::query_as!(
        Waiting,
        r#"select a.id as "id!", c.class_id, a.marker_id
           from answer_sheet a
           join homework_student s on s.id = a.homework_student_id
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           where a.mark_state = 'submitted' and s.state not in ('exempt', 'void')
             and ($1::bigint[] is null or a.id = any($1))
             and ($2::bigint is null or s.homework_id = $2)
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
           order by a.id limit $5 for update of a"#,
        wanted.sheet_ids.as_deref(),
        wanted.homework_id,
        scope.sites(),
        scope.classes(),
        i64::try_from(MOST + 1).map_err(Error::internal)?
    )
    .fetch_all(&mut **tx)
    .await?;
    if sheets.is_empty() {
        return Err(Error::conflict("没有待批阅的答卷"));
    }
    if sheets.len() > MOST {
        return Err(Error::field("homeworkId", format!("待批阅的答卷超过{MOST}份，请勾选后分批分配")));
    }
    Ok(sheets)
}

/// Gives whole sheets; parts that were given to somebody go with them.
async fn whole(tx: &mut Tx, sheets: &[Waiting], to: &HashMap<i64, i64>) -> Result<Vec<Change>> {
    let ids: Vec<i64> = sheets.iter().filter(|sheet| to.contains_key(&sheet.id)).map(|sheet| sheet.id).collect();
    let teachers: Vec<i64> = ids.iter().filter_map(|id| to.get(id).copied()).collect();
    let by = tx.by();
    sqlx::query!(
        "update answer_sheet a set marker_id = m.teacher, updated_at = now(), updated_by = $3, version = a.version + 1
         from unnest($1::bigint[], $2::bigint[]) as m (id, teacher) where a.id = m.id",
        &ids,
        &teachers,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("update answer_item set marker_id = null where sheet_id = any($1) and marker_id is not null", &ids)
        .execute(&mut **tx)
        .await?;
    let change = |sheet: &Waiting| {
        let teacher = *to.get(&sheet.id)?;
        Some(Change::status("answer_sheet", sheet.id, "markerId", sheet.marker_id, teacher))
    };
    Ok(sheets.iter().filter_map(change).collect())
}

/// Gives questions: of each sheet those that a teacher was named for.
async fn by_question(tx: &mut Tx, markers: &[HomeworkMarkerForm], sheets: &[Waiting]) -> Result<Vec<Change>> {
    let mut touched: Vec<i64> = Vec::new();
    for marker in markers {
        let classes: Vec<i64> = sheets
            .iter()
            .filter(|sheet| marker.class_id.is_none() || sheet.class_id == marker.class_id)
            .map(|sheet| sheet.id)
            .collect();
        let given = sqlx::query_scalar!(
            "update answer_item set marker_id = $3
             where sheet_id = any($1) and seq = any($2) and mark_state <> 'auto' returning sheet_id",
            &classes,
            &marker.question_seqs,
            marker.teacher_id
        )
        .fetch_all(&mut **tx)
        .await?;
        touched.extend(given);
    }
    touched.sort_unstable();
    touched.dedup();
    let by = tx.by();
    sqlx::query!(
        "update answer_sheet set updated_at = now(), updated_by = $2, version = version + 1 where id = any($1)",
        &touched,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "markers": markers.iter().map(|marker| marker.teacher_id).collect::<Vec<i64>>() });
    Ok(touched.iter().map(|id| Change::event("answer_sheet", *id, "assign", what.clone())).collect())
}

/// Gives a sheet that was handed in to who marks it: a marker of the homework, else of the opening, else its lecturer; of its
/// class before of all; of several the one with the fewest open sheets. Questions that the homework gives to somebody are theirs.
///
/// # Errors
/// Those of the database.
pub(crate) async fn default_marker(tx: &mut Tx, task: &Task, sheet: &Sheet) -> Result<()> {
    sqlx::query!(
        "update answer_sheet
         set marker_id = (
             select m.teacher_id
             from (select x.teacher_id, 1 as tier, x.class_id is null as of_all, x.quota
                   from homework_marker x
                   where x.homework_id = $2 and x.question_seqs = '{}' and (x.class_id is null or x.class_id = c.class_id)
                   union all
                   select x.teacher_id, case x.role when 'marker' then 2 else 3 end, x.class_id is null, null
                   from course_allocation x
                   where x.opening_id = c.opening_id and x.role in ('marker', 'lecturer')
                     and (x.class_id is null or x.class_id = c.class_id)) m
             join teacher t on t.id = m.teacher_id and t.status = 'active'
             cross join lateral (
                 select count(*) filter (where o.mark_state = 'submitted') as open,
                        count(*) filter (where w.homework_id = $2) as of_homework
                 from answer_sheet o left join homework_student w on w.id = o.homework_student_id
                 where o.marker_id = m.teacher_id) n
             where m.quota is null or n.of_homework < m.quota
             order by m.tier, m.of_all, n.open, m.teacher_id
             limit 1)
         from course_selection c
         where answer_sheet.id = $1 and c.id = $3",
        sheet.id,
        task.homework_id,
        task.selection_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update answer_item i set marker_id = m.teacher_id
         from homework_marker m, course_selection c
         where i.sheet_id = $1 and i.mark_state = 'pending' and c.id = $3 and m.homework_id = $2
           and m.question_seqs <> '{}' and i.seq = any(m.question_seqs) and (m.class_id is null or m.class_id = c.class_id)",
        sheet.id,
        task.homework_id,
        task.selection_id
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
