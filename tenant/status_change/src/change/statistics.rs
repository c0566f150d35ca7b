//! 异动统计: the changes of a list, counted in one of several ways (02 §10).

use infra::{Allowed, Body, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use status_change_rules::{
    enums::ChangeStatisticBy,
    statistics::{ChangeCount, Line, counted},
};

use super::{ChangeFilter, ListChanges, select::of_changes};

/// Which changes are counted, and by what.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeCounting {
    /// 统计方式
    pub by: ChangeStatisticBy,
    #[oai(flatten)]
    pub filter: ChangeFilter,
}

impl Example for ChangeCounting {
    fn example() -> Self {
        Self { by: ChangeStatisticBy::Type, filter: ChangeFilter::default() }
    }
}

/// The changes of a list, counted.
#[derive(Debug, Clone, Object)]
pub struct ChangeStatistics {
    /// 总条数
    /// 各项条数之和；除按专业流向外，与同样条件的列表条数相等
    pub total: i64,
    /// 统计
    pub list: Vec<ChangeCount>,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Statistics {
    /// 学籍异动统计
    /// 条件与学籍异动列表相同；按月统计时取生效日期，没有生效日期的计入未定；按站点取原站点；按专业流向只计专业有变化的
    #[oai(path = "/statistics", method = "post", operation_id = "countChanges")]
    async fn statistics(
        &self,
        caller: Allowed<ListChanges>,
        Body(asked): Body<ChangeCounting>,
    ) -> Result<Reply<ChangeStatistics>> {
        let mut tx = caller.read().await?;
        let wanted = asked.filter.wanted(&caller.scope());
        let lines = of_changes!(query_as [Line]
            [r#"select case $25::text when 'type' then c.type when 'month' then to_char(c.effective_on, 'YYYY-MM')
                                      when 'reason' then c.reason_code when 'site' then c.before ->> 'siteId'
                                      else c.before ->> 'majorId' end as key,
                       case $25 when 'site' then t.name when 'flow' then m.name end as name,
                       case $25 when 'flow' then c.after ->> 'majorId' end as to_key,
                       case $25 when 'flow' then n.name end as to_name,
                       count(*) as "count!"
                from student_change c
                left join student s on s.id = c.student_id
                left join site t on $25 = 'site' and t.id = (c.before ->> 'siteId')::bigint
                left join major m on $25 = 'flow' and m.id = (c.before ->> 'majorId')::bigint
                left join major n on $25 = 'flow' and n.id = (c.after ->> 'majorId')::bigint"#]
            wanted
            [+ " and ($25 <> 'flow' or c.target_major_id is not null) group by 1, 2, 3, 4 order by 5 desc, 1, 3"],
            asked.by.as_str());
        let lines = lines.fetch_all(&mut *tx).await?;
        let mut list: Vec<ChangeCount> = lines.into_iter().filter_map(|line| counted(asked.by, line)).collect();
        if asked.by == ChangeStatisticBy::Month {
            // What has no day yet comes last.
            list.sort_by(|one, other| (one.key.is_empty(), &one.key).cmp(&(other.key.is_empty(), &other.key)));
        }
        Ok(reply(ChangeStatistics { total: list.iter().map(|line| line.count).sum(), list }))
    }
}
