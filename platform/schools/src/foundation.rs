//! 复制基础数据: a new school takes over from another one what both have alike: levels, grades, semesters, majors, the library of
//! courses, fields and settings. It is done by an operator who may see them there and add them here, and told beforehand;
//! nothing that the school has already is touched, and each piece goes the way of `save` and stands in the school's trail.

use std::{collections::BTreeSet, sync::Arc};

use infra::{
    Allowed, App, Body, Change, Error, Part, Reply, Result,
    access::Permission,
    directory,
    foundation::{self, Foundation, Piece},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    permissions, reply,
    session::Rights,
    token::Area,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::{Value, json};

use crate::school::{SchoolStatus, find, of_directory};

permissions! {
    pages "/sys/school/list";
    InPlatform Reads  ViewFoundations = "system:pc:sys:school:foundation:copy" "复制基础数据";
    InPlatform Writes CopyFoundations = "system:pc:sys:school:foundation:copy" "复制基础数据";
}

const COPY: JobKind = JobKind {
    kind: "school.foundation",
    code: Some(CopyFoundations::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[COPY], ..Part::NONE };

const ARCHIVED: &str = "院校已归档，仅可查看";
/// Pieces of a kind that are named beforehand.
const NAMED: usize = 20;

/// What of one kind would come.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FoundationView {
    /// 种类
    kind: String,
    /// 名称
    name: String,
    /// 来源院校在用
    found: i64,
    /// 已有
    known: i64,
    /// 将新增
    added: i64,
    /// 将新增的名称
    /// 前20项
    names: Vec<String>,
    /// 须先复制的种类
    needs: Vec<String>,
    /// 不能复制的原因
    refusal: Option<String>,
}

/// What goes from which school into which.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FoundationCopy {
    /// 院校
    pub id: i64,
    /// 来源院校
    pub source_id: i64,
    /// 种类
    #[oai(validator(min_items = 1, max_items = 50))]
    pub kinds: Vec<String>,
}

impl Example for FoundationCopy {
    fn example() -> Self {
        Self { id: 2, source_id: 1, kinds: vec!["level".to_owned()] }
    }
}

pub struct Foundations;

#[OpenApi(prefix_path = "/system/pc/sys/school/foundation", tag = "crate::Tag::Schools")]
impl Foundations {
    /// 查看可复制的基础数据
    #[oai(path = "/view", method = "get", operation_id = "viewFoundations")]
    async fn view(
        &self,
        caller: Allowed<ViewFoundations>,
        /// 院校
        id: Query<i64>,
        /// 来源院校
        #[oai(name = "sourceId")]
        source_id: Query<i64>,
    ) -> Result<Reply<Vec<FoundationView>>> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let (target, source) = (find(&mut tx, caller.user_id(), Some(id.0), None).await?.id, source_id.0);
        find(&mut tx, caller.user_id(), Some(source), None).await?;
        drop(tx);
        let places = Places::of(app, caller.user_id(), source, target).await?;
        let mut views = Vec::new();
        for kind in app.modules().foundations() {
            let refusal = places.refusal(&kind);
            // Nothing is told of what the person may not see.
            let (found, fresh) = if refusal.is_some() {
                (0, Vec::new())
            } else {
                let pieces = (kind.all)(app, &mut *caller.look_into(&places.source).await?).await?;
                let has = (kind.all)(app, &mut *caller.look_into(&places.target).await?).await?;
                let found = pieces.iter().filter(|piece| piece.in_use).count();
                (found, foundation::missing(pieces, &foundation::keys(&has)))
            };
            views.push(view_of(&kind, found, &fresh, refusal));
        }
        Ok(reply(views))
    }

    /// 复制基础数据
    /// 已有的不变；逐项写入，不能新增的保留原因
    #[oai(path = "/copy", method = "post", operation_id = "copyFoundations")]
    async fn copy(
        &self,
        caller: Allowed<CopyFoundations>,
        Body(wanted): Body<FoundationCopy>,
    ) -> Result<Reply<JobStarted>> {
        if wanted.id == wanted.source_id {
            return Err(Error::field("sourceId", "来源院校不能是本院校"));
        }
        let app = caller.app();
        let mut tx = caller.begin().await?;
        let target = find(&mut tx, caller.user_id(), Some(wanted.id), None).await?;
        let source = find(&mut tx, caller.user_id(), Some(wanted.source_id), None).await?;
        if target.status == SchoolStatus::Archived {
            return Err(Error::conflict(ARCHIVED));
        }
        let places = Places::of(app, caller.user_id(), wanted.source_id, wanted.id).await?;
        let kinds = chosen(app, &wanted.kinds)?;
        if let Some(refusal) = kinds.iter().find_map(|kind| places.refusal(kind)) {
            return Err(Error::new(403, refusal));
        }
        let names: Vec<&str> = kinds.iter().map(|kind| kind.kind).collect();
        let job = NewJob {
            kind: COPY.kind,
            target: wanted.id.to_string(),
            title: format!("复制基础数据：{}到{}", source.name, target.name),
            params: json!({ "schoolId": wanted.id, "sourceId": wanted.source_id, "kinds": names }),
        };
        let job_id = jobs::start_in(&mut tx, None, &job).await?;
        let what = json!({ "sourceId": wanted.source_id, "kinds": names, "jobId": job_id });
        tx.commit(Change::event("school", wanted.id, "copy", what)).await?;
        jobs::wake(app);
        Ok(reply(JobStarted { job_id }))
    }
}

fn view_of(kind: &Foundation, found: usize, fresh: &[Piece], refusal: Option<String>) -> FoundationView {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    FoundationView {
        kind: kind.kind.to_owned(),
        name: kind.name.to_owned(),
        found: count(found),
        known: count(found.saturating_sub(fresh.len())),
        added: count(fresh.len()),
        names: fresh.iter().take(NAMED).map(|piece| piece.name.clone()).collect(),
        needs: kind.needs.iter().map(|&need| need.to_owned()).collect(),
        refusal,
    }
}

/// The kinds of these words, in the order in which they go.
///
/// # Errors
/// 422 at a word that is none.
fn chosen(app: &App, words: &[String]) -> Result<Vec<Foundation>> {
    let all = app.modules().foundations();
    if let Some(odd) = words.iter().find(|word| !all.iter().any(|kind| kind.kind == word.as_str())) {
        return Err(Error::field("kinds", format!("没有“{odd}”这种基础数据")));
    }
    let wanted: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    Ok(all.into_iter().filter(|kind| wanted.contains(kind.kind)).collect())
}

/// The two schools, and what the operator may do in each: from outside, and as one who entered it.
struct Places {
    source: Arc<directory::School>,
    target: Arc<directory::School>,
    outside: Arc<Rights>,
    in_source: Arc<Rights>,
    in_target: Arc<Rights>,
}

impl Places {
    /// # Errors
    /// 404 when one of them is gone; 409 while one is opened or migrated.
    async fn of(app: &App, user: i64, source: i64, target: i64) -> Result<Self> {
        let places = Self {
            source: of_directory(app, source).await?,
            target: of_directory(app, target).await?,
            outside: app.rights(user, Area::Platform, None).await?,
            in_source: app.rights(user, Area::School, Some(source)).await?,
            in_target: app.rights(user, Area::School, Some(target)).await?,
        };
        places.source.key()?;
        places.target.key()?;
        Ok(places)
    }

    /// Why a kind is not theirs to take over.
    fn refusal(&self, kind: &Foundation) -> Option<String> {
        let whole = |rights: &Rights, code: &str| rights.get(code).is_some_and(infra::Scope::is_whole);
        let may = |inside: &Rights, code: &str| whole(&self.outside, code) || whole(inside, code);
        if !may(&self.in_source, kind.reads) {
            Some(format!("没有查看来源院校{}的权限", kind.name))
        } else if !may(&self.in_target, kind.adds) {
            Some(format!("没有为院校新增{}的权限", kind.name))
        } else {
            None
        }
    }
}

/// What became of one kind.
struct Done {
    name: &'static str,
    added: usize,
    known: usize,
    failed: Vec<Value>,
}

impl Done {
    fn words(&self) -> String {
        let Self { name, added, known, failed } = self;
        let left = if failed.is_empty() { String::new() } else { format!("、{}项未复制", failed.len()) };
        format!("{name}新增{added}项、已有{known}项{left}")
    }
}

/// Kind by kind, each in a transaction of its own: what went over stays, also when the next one fails.
async fn work(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let number = |name: &str| run.params[name].as_i64().ok_or_else(|| Error::internal("the job names no school"));
    let (source, target) = (number("sourceId")?, number("schoolId")?);
    let words: Vec<String> =
        run.params["kinds"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let kinds = chosen(&app, &words)?;
    let total = i64::try_from(kinds.len()).unwrap_or(i64::MAX);
    let mut told = Vec::with_capacity(kinds.len());
    let mut errors = Vec::new();
    for (kind, done) in kinds.iter().zip(0..) {
        run.progress(kind.name, done, total).await?;
        let places = still(&run, source, target).await?;
        if let Some(refusal) = places.refusal(kind) {
            return Err(Error::new(403, refusal));
        }
        let mut one = copy_kind(&run, &places, kind).await?;
        told.push(one.words());
        errors.append(&mut one.failed);
    }
    Ok(Outcome { message: told.join("；"), errors, ..Outcome::default() })
}

/// The places as they are at this moment, which may be long after the job was started.
///
/// # Errors
/// 404 when a school is not the starter's any more; 409 when the one that takes over was archived.
async fn still(run: &JobRun, source: i64, target: i64) -> Result<Places> {
    let mut tx = run.read().await?;
    find(&mut tx, run.actor.id, Some(source), None).await?;
    if find(&mut tx, run.actor.id, Some(target), None).await?.status == SchoolStatus::Archived {
        return Err(Error::conflict(ARCHIVED));
    }
    drop(tx);
    Places::of(run.app(), run.actor.id, source, target).await
}

async fn copy_kind(run: &JobRun, places: &Places, kind: &Foundation) -> Result<Done> {
    let app = run.app();
    let pieces = (kind.all)(app, &mut *run.read_in(&places.source).await?).await?;
    let mut tx = run.begin_in(&places.target).await?;
    let has = (kind.all)(app, &mut tx).await?;
    let found = pieces.iter().filter(|piece| piece.in_use).count();
    let fresh = foundation::missing(pieces, &foundation::keys(&has));
    let known = found.saturating_sub(fresh.len());
    let (mut changes, mut failed) = (Vec::new(), Vec::new());
    for piece in fresh {
        let name = format!("{} {}", kind.name, piece.name);
        tx.savepoint().await?;
        match (kind.add)(&mut tx, places.target.id, piece).await {
            Ok(change) => {
                tx.row_done().await?;
                changes.push(change);
            }
            Err(error) => {
                let why = tx.row_failed(error).await?.0;
                failed.push(json!({ "id": 0, "name": name, "msg": why }));
            }
        }
    }
    let added = changes.len();
    // Nothing is committed where nothing came.
    if added > 0 {
        tx.commit_all(changes).await?;
    }
    Ok(Done { name: kind.name, added, known, failed })
}
