//! 补选 and 重修选课: a clerk puts students into openings, many at once, and sees beforehand who does not come in.

use std::collections::BTreeSet;

use infra::{Allowed, Body, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

use super::{RetakeCourses, SaveSelections};
use crate::{
    admission::{Accepted, Applying, Decision, Pair, decide, write},
    enums::SelectionSource,
    tell_each,
};

/// Whoever puts people where they repeat a course holds it, whichever call or sheet they use.
pub(super) const RETAKES: &str = "adult:pc:adult:selection:retake";
/// Told to whoever does not.
pub(super) const NO_RETAKES: &str = "没有“重修选课”权限，来源不能选重修";
/// Pairs of one call: their openings and students are held until they are written.
const MOST: usize = 20_000;

/// Whom a clerk puts into which openings.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SelectionSave {
    /// 开课
    #[oai(validator(min_items = 1, max_items = 100))]
    pub opening_ids: Vec<i64>,
    /// 学生
    /// 与班级二选一
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub student_ids: Option<Vec<i64>>,
    /// 班级
    /// 班级的全部在籍学生
    #[oai(validator(min_items = 1, max_items = 200))]
    pub class_ids: Option<Vec<i64>>,
    /// 来源
    /// 补选、重修或补修，不填为补选
    pub source: Option<SelectionSource>,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for SelectionSave {
    fn example() -> Self {
        Self {
            opening_ids: vec![1],
            student_ids: Some(vec![1]),
            class_ids: None,
            source: Some(SelectionSource::Admin),
            reason: Some("转入后补选".to_owned()),
            dry_run: false,
        }
    }
}

/// A student who repeats a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RetakeItem {
    /// 学生
    pub student_id: i64,
    /// 开课
    pub opening_id: i64,
    /// 上课班级
    /// 不填为学生所在班级
    pub class_id: Option<i64>,
}

/// Who repeats which courses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Retakes {
    /// 重修学生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<RetakeItem>,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for Retakes {
    fn example() -> Self {
        Self { items: vec![RetakeItem { student_id: 1, opening_id: 1, class_id: None }], dry_run: false }
    }
}

/// A student and an opening, with what is told of them.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionNote {
    /// 学生
    pub student_id: i64,
    /// 开课
    pub opening_id: i64,
    /// 说明
    pub message: String,
}

/// How it went.
#[derive(Debug, Clone, Default, Object)]
pub struct SelectionsSaved {
    /// 已选条数
    /// 仅检查时为可以选的条数
    pub created: i64,
    /// 未选上的
    pub refused: Vec<SelectionNote>,
    /// 提醒
    /// 已选上但值得核对的
    pub warnings: Vec<SelectionNote>,
}

pub struct Save;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl Save {
    /// 补选
    #[oai(path = "/save", method = "post", operation_id = "saveSelections")]
    async fn save(
        &self,
        caller: Allowed<SaveSelections>,
        Body(wanted): Body<SelectionSave>,
    ) -> Result<Reply<SelectionsSaved>> {
        let source = wanted.source.unwrap_or(SelectionSource::Admin);
        if matches!(source, SelectionSource::Plan | SelectionSource::Own) {
            return Err(Error::field("source", "来源只能为补选、重修或补修"));
        }
        let retakes = caller.rights().get(RETAKES);
        if source == SelectionSource::Retake && retakes.is_none() {
            return Err(Error::new(403, NO_RETAKES));
        }
        let scope = caller.scope();
        let now = caller.app().clock().now();
        let retakes = retakes.unwrap_or(&scope);
        let applying = Applying { scope: &scope, retakes, learner: false, writes: !wanted.dry_run, now };
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => {
                let Some(first) = error.replayed() else { return Err(error) };
                let mut tx = caller.read().await?;
                let pairs = pairs(&mut tx, &wanted, source, &scope).await?;
                return Ok(reply(again(&mut tx, &pairs, first, (caller.user_id(), applying)).await?));
            }
        };
        let pairs = pairs(&mut tx, &wanted, source, &scope).await?;
        Ok(reply(put(tx, &pairs, applying).await?))
    }

    /// 重修选课
    #[oai(path = "/retake", method = "post", operation_id = "retakeCourses")]
    async fn retake(
        &self,
        caller: Allowed<RetakeCourses>,
        Body(wanted): Body<Retakes>,
    ) -> Result<Reply<SelectionsSaved>> {
        let pairs: Vec<Pair> = wanted
            .items
            .iter()
            .map(|item| Pair {
                student_id: item.student_id,
                opening_id: item.opening_id,
                source: SelectionSource::Retake,
                class_id: item.class_id,
                remark: None,
            })
            .collect();
        let scope = caller.scope();
        let now = caller.app().clock().now();
        let applying = Applying { scope: &scope, retakes: &scope, learner: false, writes: !wanted.dry_run, now };
        Ok(reply(put(caller.begin().await?, &pairs, applying).await?))
    }
}

/// Every student that the call means with every opening.
///
/// # Errors
/// 422 where the call names nobody, or too many.
async fn pairs(
    connection: &mut PgConnection,
    wanted: &SelectionSave,
    source: SelectionSource,
    scope: &Scope,
) -> Result<Vec<Pair>> {
    let students = whom(connection, wanted, scope).await?;
    let openings: BTreeSet<i64> = wanted.opening_ids.iter().copied().collect();
    if students.len() * openings.len() > MOST {
        return Err(Error::field("studentIds", format!("一次最多补选{MOST}条，请分批办理")));
    }
    let pair =
        |student_id, opening_id| Pair { student_id, opening_id, source, class_id: None, remark: wanted.reason.clone() };
    Ok(openings.iter().flat_map(|opening| students.iter().map(|student| pair(*student, *opening))).collect())
}

/// What a call answered that is sent again under its key (00 §8): which pairs it wrote, as the trail has them beside the `first`; the
/// others are judged as they stand now.
async fn again(
    connection: &mut PgConnection,
    pairs: &[Pair],
    first: i64,
    (by, applying): (i64, Applying<'_>),
) -> Result<SelectionsSaved> {
    // A key is known for a day.
    let since = applying.now - chrono::Duration::hours(25);
    let written = sqlx::query!(
        "select distinct c.student_id, c.opening_id
         from audit_log a
         join audit_log b on b.trace_id = a.trace_id and b.entity_type = 'course_selection'
                         and b.action in ('insert', 'update') and b.actor_id = a.actor_id
         join course_selection c on c.id = b.entity_id
         where a.entity_type = 'course_selection' and a.entity_id = $1 and a.action in ('insert', 'update')
           and a.actor_id = $2 and a.at > $3",
        first,
        by,
        since as _
    )
    .fetch_all(&mut *connection)
    .await?;
    let written: BTreeSet<(i64, i64)> = written.into_iter().map(|row| (row.student_id, row.opening_id)).collect();
    let is_written = |pair: &&Pair| written.contains(&(pair.student_id, pair.opening_id));
    let created = pairs.iter().filter(is_written).count();
    let others: Vec<Pair> = pairs.iter().filter(|pair| !is_written(pair)).cloned().collect();
    let decision = decide(connection, &others, Applying { writes: false, ..applying }).await?;
    let created = i64::try_from(created).map_err(Error::internal)?;
    Ok(SelectionsSaved { created, ..told(&others, &decision) })
}

/// The students that the call means, each once; of classes those within the scope, and nothing is told of the others.
async fn whom(connection: &mut PgConnection, wanted: &SelectionSave, scope: &Scope) -> Result<Vec<i64>> {
    match (&wanted.student_ids, &wanted.class_ids) {
        (Some(students), None) => {
            let once: BTreeSet<i64> = students.iter().copied().collect();
            Ok(once.into_iter().collect())
        }
        (None, Some(classes)) => {
            let students = sqlx::query_scalar!(
                "select id from student
                 where class_id = any($1) and active
                   and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
                 order by id",
                classes,
                scope.sites(),
                scope.classes()
            )
            .fetch_all(connection)
            .await?;
            if students.is_empty() {
                return Err(Error::field("classIds", "所选班级没有在籍学生"));
            }
            Ok(students)
        }
        (None, None) => Err(Error::field("studentIds", "请选择学生或班级")),
        (Some(_), Some(_)) => Err(Error::field("classIds", "已选择学生，不能同时选择班级")),
    }
}

/// Judges the pairs and, unless it is a check, writes those that come in.
async fn put(mut tx: Tx, pairs: &[Pair], applying: Applying<'_>) -> Result<SelectionsSaved> {
    let decision = decide(&mut tx, pairs, applying).await?;
    let answer = told(pairs, &decision);
    if !applying.writes || decision.accepted.is_empty() {
        return Ok(answer);
    }
    let accepted: Vec<&Accepted> = decision.accepted.iter().map(|(_, accepted)| accepted).collect();
    let changes = write(&mut tx, &accepted).await?;
    tell_added(&mut tx, &accepted).await?;
    tx.commit_all(changes).await?;
    Ok(answer)
}

fn told(pairs: &[Pair], decision: &Decision) -> SelectionsSaved {
    let note = |place: usize, message: String| {
        let pair = &pairs[place];
        SelectionNote { student_id: pair.student_id, opening_id: pair.opening_id, message }
    };
    SelectionsSaved {
        created: i64::try_from(decision.accepted.len()).unwrap_or(i64::MAX),
        refused: decision.refused.iter().map(|(place, why)| note(*place, why.to_string())).collect(),
        warnings: decision.warnings.iter().map(|(place, warning)| note(*place, warning.clone())).collect(),
    }
}

/// Tells each student what they have now.
pub(super) async fn tell_added(tx: &mut Tx, accepted: &[&Accepted]) -> Result<()> {
    let openings: BTreeSet<i64> = accepted.iter().map(|one| one.pair.opening_id).collect();
    let known = crate::opening::known(tx, &openings.into_iter().collect::<Vec<_>>()).await?;
    let line = |one: &&Accepted| {
        let name = known.get(&one.pair.opening_id).map_or("", |opening| &opening.course_name);
        (one.pair.student_id, format!("增加《{name}》"))
    };
    let told: Vec<(i64, String)> = accepted.iter().map(line).collect();
    tell_each(tx, told).await
}
