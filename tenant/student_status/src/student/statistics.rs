//! 在籍统计: the register counted instead of listed (02 §9.10), and who still has no class (02 §12.3, 班级人数).
//!
//! One statement counts both tables of the answer, so that their sums are equal to each other and to the list's total.

use infra::{Allowed, Body, Paged, Reply, Result, reply};
use poem_openapi::OpenApi;
use student_status_rules::{
    list::StudentFilter,
    statistics::{Group, StudentStatistics, sum},
};

use super::ListStudents;
use crate::register::of_register;

pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Statistics {
    /// 在籍统计
    /// 条件与学籍列表相同；分页不起作用
    #[oai(path = "/statistics", method = "post", operation_id = "countStudents")]
    async fn statistics(
        &self,
        caller: Allowed<ListStudents>,
        Body(asked): Body<Paged<StudentFilter>>,
    ) -> Result<Reply<StudentStatistics>> {
        let filter = asked.filter;
        let wanted = filter.wanted(&caller.scope());
        let mut tx = caller.read().await?;
        let groups = of_register!(query_as [Group]
            [r#"select p.grade_id, g.code as grade_code, g.name as grade_name, p.level_id, l.name as level_name, p.major_id,
                       m.code as major_code, m.name as major_name, p.study_form as "study_form: _", p.site_id,
                       t.code as site_code, t.name as site_name, p.count as "count!", p.unassigned as "unassigned!"
                from (select s.grade_id, s.level_id, s.major_id, s.study_form, s.site_id, count(*) as count,
                             count(*) filter (where s.class_id is null) as unassigned
                      from student s "#]
            wanted
            [+ " group by s.grade_id, s.level_id, s.major_id, s.study_form, s.site_id) p
                join grade g on g.id = p.grade_id join level l on l.id = p.level_id join major m on m.id = p.major_id
                join site t on t.id = p.site_id"])
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(sum(groups)))
    }
}
