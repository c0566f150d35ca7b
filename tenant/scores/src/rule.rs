//! 成绩规则: how each part of a score is computed, of the whole school or of a grade, level, major or course (part 04 §5.1).
//!
//! Of the rules that fit a student and a course the one that names most counts, whole. The rule that names nothing is always there.

mod explained;
mod form;
mod inputs;
mod preview;
mod resolver;
mod select;

use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, History, Paged, Part, Reply, Result, Saved, Tx,
    across::{self, Keyed, SchoolPage},
    jobs, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use form::ScoreRuleForm;
pub use resolver::Resolver;
pub use scores_rules::resolve::Place;
pub use select::{ScoreRule, ScoreRuleFilter};

use crate::component::{RECOMPUTE, recompute::of_stale};
use select::ScoreRules;

permissions! {
    pages
        "/schoolPC/achievement/scoreSet/schoolRecord",
        "/schoolPC/achievement/scoreSet/OnlineOperation",
        "/schoolPC/achievement/scoreSet/finalExam",
        "/schoolPC/achievement/scoreSet/otherScore/attendanceScores",
        "/schoolPC/achievement/scoreSet/otherScore/questionsScore",
        "/schoolPC/achievement/scoreSet/otherScore/thesisScore",
        "/schoolPC/achievement/scoreSet/otherScore/reviewScore",
        "/schoolPC/achievement/scoreSet/otherScore/defenseScore",
        "/schoolPC/achievement/scoreSet/totalScore",
        "/schoolPC/achievement/scoreSet/graduationTotal",
        "/platformPC/achievement/scoreSet/schoolRecord",
        "/platformPC/achievement/scoreSet/OnlineOperation",
        "/platformPC/achievement/scoreSet/finalExam",
        "/platformPC/achievement/scoreSet/otherScore/attendanceScores",
        "/platformPC/achievement/scoreSet/otherScore/questionsScore",
        "/platformPC/achievement/scoreSet/totalScore";
    EachSchool  Reads  ListScoreRules        = "adult:pc:score:rule:list" "成绩规则列表";
    EachSchool  Reads  ViewScoreRule         = "adult:pc:score:rule:view" "查看成绩规则";
    EachSchool  Reads  CoverScoreRules       = "adult:pc:score:rule:coverage" "成绩公式覆盖检查";
    WholeSchool Writes SaveScoreRule         = "adult:pc:score:rule:save" "新增成绩规则";
    WholeSchool Writes EditScoreRule         = "adult:pc:score:rule:edit" "编辑成绩规则";
    WholeSchool Writes DeleteScoreRule       = "adult:pc:score:rule:delete" "删除成绩规则";
    WholeSchool Writes ChangeScoreRuleStatus = "adult:pc:score:rule:update:status" "启用停用成绩规则";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "score_rule", name: "成绩规则", counted: "条成绩规则" }],
    histories: &[History { table: "score_rule", code: "adult:pc:score:rule:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// A rule that was saved, and what is counted anew because of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreRuleSaved {
    /// 编号
    pub id: i64,
    /// 重算成绩数
    /// 未提交的成绩，稍后自动重算
    pub stale_count: i64,
    /// 任务编号
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// The rule that counts for a student and a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreRuleResolved {
    /// 规则
    pub rule: ScoreRule,
}

pub struct ScoreRuleRows;

#[OpenApi(prefix_path = "/adult/pc/score/rule", tag = "crate::Tag::Scores")]
impl ScoreRuleRows {
    /// 成绩规则列表
    #[oai(path = "/list", method = "post", operation_id = "listScoreRules")]
    async fn list(
        &self,
        caller: Allowed<ListScoreRules>,
        Body(asked): Body<Paged<ScoreRuleFilter>>,
    ) -> Result<Reply<SchoolPage<ScoreRule>>> {
        across::list::<ScoreRules, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看成绩规则
    #[oai(path = "/view", method = "get", operation_id = "viewScoreRule")]
    async fn view(
        &self,
        caller: Allowed<ViewScoreRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ScoreRule>> {
        let mut tx = caller.read().await?;
        Ok(reply(ScoreRules::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增成绩规则
    #[oai(path = "/save", method = "post", operation_id = "saveScoreRule")]
    async fn save(
        &self,
        caller: Allowed<SaveScoreRule>,
        Body(form): Body<ScoreRuleForm>,
    ) -> Result<Reply<ScoreRuleSaved>> {
        let kind = form.kind;
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => {
                let again = |id| reply(ScoreRuleSaved { id, stale_count: 0, job_id: None });
                return error.replayed().map(again).ok_or(error);
            }
        };
        let (id, change) = form::insert(&mut tx, &form, &caller.session.real_name).await?;
        let stale_count = form::follow(&mut tx, id).await?;
        tx.commit(change).await?;
        let job_id = started(&caller, kind, stale_count).await?;
        Ok(reply(ScoreRuleSaved { id, stale_count, job_id }))
    }

    /// 编辑成绩规则
    /// 默认规则只能修改参数和备注
    #[oai(path = "/edit", method = "put", operation_id = "editScoreRule")]
    async fn edit(
        &self,
        caller: Allowed<EditScoreRule>,
        Body(edit): Body<Edit<ScoreRuleForm>>,
    ) -> Result<Reply<ScoreRuleSaved>> {
        let (id, kind) = (edit.id, edit.form.kind);
        let mut tx = caller.begin().await?;
        // Those that lose the rule are counted anew as well as those that get it.
        let before = form::follow(&mut tx, id).await?;
        let change = form::update(&mut tx, &edit, &caller.session.real_name).await?;
        let stale_count = before + form::follow(&mut tx, id).await?;
        tx.commit(change).await?;
        let job_id = started(&caller, kind, stale_count).await?;
        Ok(reply(ScoreRuleSaved { id, stale_count, job_id }))
    }

    /// 删除成绩规则
    #[oai(path = "/delete", method = "delete", operation_id = "deleteScoreRule")]
    async fn delete(
        &self,
        caller: Allowed<DeleteScoreRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用成绩规则
    #[oai(path = "/update/status", method = "put", operation_id = "changeScoreRuleStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeScoreRuleStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = form::held(&mut tx, wanted.id).await?;
        if held.is_default() && !wanted.enabled {
            return Err(Error::conflict("默认规则不能停用"));
        }
        let change = tx.set_enabled("score_rule", &wanted).await?;
        form::follow(&mut tx, wanted.id).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 适用成绩规则
    /// 对一名学生的一门课程适用的规则
    #[oai(path = "/resolve", method = "get", operation_id = "resolveScoreRule")]
    async fn resolve(
        &self,
        caller: Allowed<ViewScoreRule>,
        /// 成绩项
        kind: Query<scores_rules::enums::ScoreKind>,
        /// 学生
        #[oai(name = "studentId")]
        student_id: Query<i64>,
        /// 课程
        #[oai(name = "courseId")]
        course_id: Query<Option<i64>>,
    ) -> Result<Reply<ScoreRuleResolved>> {
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let place = preview::place_of(&mut tx, student_id.0, course_id.0, &scope).await?;
        let id = Resolver::load(&mut tx, kind.0).await?.of(place).id;
        let rule = select::rules_of(&mut tx, &[id], &scope).await?.pop().ok_or_else(Error::not_found)?;
        Ok(reply(ScoreRuleResolved { rule }))
    }

    /// 成绩公式覆盖检查
    /// 学期的各门开课适用哪条总评规则
    #[oai(path = "/coverage", method = "get", operation_id = "coverScoreRules")]
    async fn coverage(
        &self,
        caller: Allowed<CoverScoreRules>,
        /// 学期
        #[oai(name = "semesterId")]
        semester_id: Query<i64>,
    ) -> Result<Reply<select::ScoreCoverage>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::covered(&mut tx, semester_id.0).await?))
    }
}

/// The operations on rules.
pub(crate) fn api() -> impl OpenApi {
    (ScoreRuleRows, preview::Previews)
}

/// Begins to count anew at once where the caller may; else the work that goes by itself finds what is stale.
async fn started<P: infra::access::Permission>(
    caller: &Allowed<P>,
    kind: scores_rules::enums::ScoreKind,
    stale: i64,
) -> Result<Option<i64>> {
    if stale == 0 || !caller.holds(RECOMPUTE) {
        return Ok(None);
    }
    match jobs::start(caller.caller(), of_stale(kind)).await {
        Ok(id) => Ok(Some(id)),
        // The one that runs, or the next one by itself, finds them.
        Err(error) if error.code == 409 => Ok(None),
        Err(error) => Err(error),
    }
}

/// # Errors
/// 404; 409 for the rule of the whole school.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let held = form::held(tx, id).await?;
    if held.is_default() {
        return Err(Error::conflict("默认规则不能删除"));
    }
    form::follow(tx, id).await?;
    sqlx::query!("delete from score_rule where id = $1", id).execute(&mut **tx).await?;
    Ok(Change::deleted("score_rule", id, &held.form))
}
