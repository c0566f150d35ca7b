//! 成绩进度: how many are to be entered and are, what is overdue, and since when the oldest sheet waits for its review. Of a school by
//! site or by course, of an operator's schools by school (part 04 §6.2).

use std::sync::Arc;

use infra::{
    Allowed, Body, Error, Reply, Result, Scope,
    across::{self, KeyQuery, Keyed, SchoolNotice},
    clock::Moment,
    enumeration, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

use super::{
    ListSheets,
    select::{ScoreSheetFilter, ScoreSheets},
};

enumeration! {
    /// 成绩进度分组
    pub enum ScoreProgressGroup = "scoreProgressGroup" {
        School = "school" "按院校",
        Site = "site" "按站点",
        Course = "course" "按课程",
    }
}

/// Whose figures.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ScoreProgressOf {
    /// 分组
    pub by: ScoreProgressGroup,
    /// 查询条件
    /// 与登记表列表的条件相同
    pub filter: Option<ScoreSheetFilter>,
}

impl Example for ScoreProgressOf {
    fn example() -> Self {
        Self { by: ScoreProgressGroup::Site, filter: None }
    }
}

/// The sheets of a site, a course or a school.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreProgress {
    /// 编号
    /// 未分班的为0
    pub id: i64,
    /// 名称
    pub name: String,
    /// 登记表
    pub sheets: i64,
    /// 应录
    pub total_count: i64,
    /// 已录
    pub entered_count: i64,
    /// 逾期
    pub overdue: i64,
    /// 待初审
    pub to_review: i64,
    /// 待终审
    pub to_audit: i64,
    /// 待发布
    pub to_publish: i64,
    /// 最早等待
    /// 等待审核或发布的登记表中最早的一张
    pub oldest_at: Option<Moment>,
}

/// The figures, line by line and together.
#[derive(Debug, Clone, Object)]
pub struct ScoreProgresses {
    /// 各行
    pub rows: Vec<ScoreProgress>,
    /// 合计
    pub all: ScoreProgress,
    /// 未包含的院校
    pub notices: Vec<SchoolNotice>,
}

pub struct ProgressFigures;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl ProgressFigures {
    /// 成绩进度
    /// 应录、已录、逾期和等待审核的登记表
    #[oai(path = "/progress", method = "post", operation_id = "summarizeScoreSheets")]
    async fn progress(
        &self,
        caller: Allowed<ListSheets>,
        Body(asked): Body<ScoreProgressOf>,
    ) -> Result<Reply<ScoreProgresses>> {
        let filter = asked.filter.unwrap_or_default();
        let now = caller.app().clock().now();
        if asked.by != ScoreProgressGroup::School {
            let mut tx = caller.read().await?;
            let rows = counted(&mut tx, &filter, &caller.scope(), asked.by, now).await?;
            return Ok(reply(ScoreProgresses { all: together(0, "合计", &rows), rows, notices: Vec::new() }));
        }
        if caller.school_id().is_some() {
            return Err(Error::field("by", "按院校统计只用于平台全部院校，请选择按站点或按课程"));
        }
        let filter = Arc::new(filter);
        let (answers, notices) = across::each(&caller, move |connection| {
            let filter = Arc::clone(&filter);
            let whole = ScoreProgressGroup::Course;
            Box::pin(async move { counted(connection, &filter, &Scope::whole_school(), whole, now).await })
        })
        .await?;
        let rows: Vec<ScoreProgress> =
            answers.into_iter().map(|(school, rows)| together(school.id, &school.name, &rows)).collect();
        Ok(reply(ScoreProgresses { all: together(0, "合计", &rows), rows, notices }))
    }
}

/// All lines as one.
fn together(id: i64, name: &str, rows: &[ScoreProgress]) -> ScoreProgress {
    let mut all = ScoreProgress { id, name: name.to_owned(), ..ScoreProgress::default() };
    for row in rows {
        all.sheets += row.sheets;
        all.total_count += row.total_count;
        all.entered_count += row.entered_count;
        all.overdue += row.overdue;
        all.to_review += row.to_review;
        all.to_audit += row.to_audit;
        all.to_publish += row.to_publish;
        all.oldest_at = all.oldest_at.into_iter().chain(row.oldest_at).min();
    }
    all
}

/// The sheets that a filter names, by site or by course.
async fn counted(
    connection: &mut PgConnection,
    filter: &ScoreSheetFilter,
    scope: &Scope,
    by: ScoreProgressGroup,
    now: Moment,
) -> Result<Vec<ScoreProgress>> {
    let keys = ScoreSheets::matching(&mut *connection, filter, scope, KeyQuery::default()).await?;
    let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
    Ok(sqlx::query_as!(
        ScoreProgress,
        r#"select g.id as "id!", g.name as "name!", count(*) as "sheets!", sum(g.total_count)::bigint as "total_count!",
                  sum(g.entered_count)::bigint as "entered_count!", count(*) filter (where g.overdue) as "overdue!",
                  count(*) filter (where g.status = 'submitted') as "to_review!",
                  count(*) filter (where g.status = 'first_reviewed') as "to_audit!",
                  count(*) filter (where g.status = 'reviewed') as "to_publish!",
                  min(g.waits_since) as "oldest_at?"
           from (
               select coalesce(case when $2 then k.site_id else s.course_id end, 0) as id,
                      coalesce(case when $2 then t.name else u.name end, '未分班') as name,
                      s.total_count, s.entered_count, s.status,
                      s.status in ('pending', 'entering', 'returned')
                          and coalesce(greatest(s.entry_open_until, b.score_entry_ends_at) < $3::timestamptz, false) as overdue,
                      case s.status when 'submitted' then s.submitted_at when 'first_reviewed' then s.first_reviewed_at
                                    when 'reviewed' then coalesce(s.reviewed_at, s.first_reviewed_at) end as waits_since
               from score_sheet s
               join test_batch b on b.id = s.batch_id
               join course u on u.id = s.course_id
               left join class k on k.id = s.class_id
               left join site t on t.id = k.site_id
               where s.id = any($1)) g
           group by g.id, g.name order by g.name, g.id"#,
        &ids,
        by == ScoreProgressGroup::Site,
        now as _
    )
    .fetch_all(connection)
    .await?)
}
