//! Selections in the students' client: which electives are offered, choosing some, leaving one (part 03 B10).

use course_selection_rules::steps::Turn;
use infra::{Body, Change, Client, Error, Reads, Reply, Result, Saved, Scope, Writes, clients, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use student_status::enums::StudentStatus;
use teaching_plan::{credit::points, enums::CourseNature};

use super::{SelectionItem, locked, steps::turn};
use crate::{
    admission::{Accepted, Applying, Pair, decide, lacking, write},
    enums::{SelectionSource, SelectionStatus},
    opening::{Cohort, Rule, hold_of, known, rule_of, rules},
};

clients! {
    /// Students.
    pub StudentClient = "student";
}

/// An elective that a student may choose.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AvailableCourse {
    /// 开课编号
    pub opening_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 性质
    pub nature: CourseNature,
    /// 学分
    pub credits: f64,
    /// 选修组
    pub group_name: Option<String>,
    /// 选修组最低学分
    pub group_min_credits: Option<f64>,
    /// 人数上限
    pub capacity: Option<i32>,
    /// 已选人数
    pub taken: i64,
    /// 未通过的先修课程
    pub lacking_prerequisites: Vec<String>,
    /// 本人的选课编号
    pub selection_id: Option<i64>,
    /// 本人的选课状态
    pub selection_status: Option<SelectionStatus>,
}

/// What a student may choose in a semester, and when.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AvailableCourses {
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 服务器时间
    pub server_time: Moment,
    /// 选课开始时间
    pub select_starts_at: Option<Moment>,
    /// 选课结束时间
    pub select_ends_at: Option<Moment>,
    /// 退选截止时间
    pub drop_ends_at: Option<Moment>,
    /// 学分下限
    pub min_credits: Option<f64>,
    /// 学分上限
    pub max_credits: Option<f64>,
    /// 已选学分
    pub selected_credits: f64,
    /// 可选课程
    pub courses: Vec<AvailableCourse>,
}

/// What a student chooses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSelectionForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 开课
    #[oai(validator(min_items = 1, max_items = 50))]
    pub opening_ids: Vec<i64>,
}

impl Example for OwnSelectionForm {
    fn example() -> Self {
        Self { request_id: "7d1f0c80".to_owned(), opening_ids: vec![1] }
    }
}

/// What a student leaves.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSelectionDrop {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 选课编号
    pub selection_id: i64,
}

impl Example for OwnSelectionDrop {
    fn example() -> Self {
        Self { request_id: "7d1f0c81".to_owned(), selection_id: 1 }
    }
}

/// How it went with one of the courses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSelectionResult {
    /// 开课编号
    pub opening_id: i64,
    /// 选课状态
    /// 未选上时为空
    pub status: Option<SelectionStatus>,
    /// 未选上的原因
    pub message: Option<String>,
}

/// How it went with all of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSelectionResults {
    /// 选上的门数
    pub created: i64,
    /// 各课程的结果
    pub results: Vec<OwnSelectionResult>,
    /// 服务器时间
    pub server_time: Moment,
}

/// The student behind a session, as far as selections ask.
struct Own {
    id: i64,
    status: StudentStatus,
    grade_id: i64,
    major_id: i64,
    /// The grade's place on the calendar.
    ordinal: i32,
}

impl Own {
    async fn find(connection: &mut PgConnection, id: i64) -> Result<Self> {
        sqlx::query_as!(
            Own,
            r#"select s.id, s.status as "status: _", s.grade_id, s.major_id,
                      g.entry_year * 2 + case g.entry_season when 'autumn' then 1 else 0 end as "ordinal!"
               from student s join grade g on g.id = s.grade_id where s.id = $1"#,
            id
        )
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
    }

    /// # Errors
    /// 403 for whoever does not study now.
    fn studies(&self) -> Result<()> {
        self.status.may_study()
    }

    async fn rule(&self, connection: &mut PgConnection, semester: i64, ordinal: i32) -> Result<Option<Rule>> {
        let all = rules(connection, &[semester]).await?;
        let cohort = Cohort {
            semester_id: semester,
            grade_id: self.grade_id,
            major_id: self.major_id,
            term_no: ordinal - self.ordinal + 1,
        };
        Ok(rule_of(&all, cohort).cloned())
    }
}

pub struct OwnSelections;

#[OpenApi(prefix_path = "/user/client/selection", tag = "crate::Tag::CourseSelection")]
impl OwnSelections {
    /// 可选课程
    #[oai(path = "/available", method = "get", operation_id = "listAvailableCourses")]
    async fn available(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 学期
        /// 不填为当前学期
        #[oai(name = "semesterId")]
        semester_id: Query<Option<i64>>,
    ) -> Result<Reply<AvailableCourses>> {
        let mut tx = caller.read().await?;
        let own = Own::find(&mut tx, caller.session.person_id).await?;
        let semester = sqlx::query!(
            r#"select id, name, year * 2 + case season when 'autumn' then 1 else 0 end as "ordinal!" from semester
               where ($1::bigint is null and current) or id = $1"#,
            semester_id.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let rule = own.rule(&mut tx, semester.id, semester.ordinal).await?;
        let selected = sqlx::query_scalar!(
            r#"select coalesce(sum(o.credits), 0)::float8 as "credits!"
               from course_selection c join course_opening o on o.id = c.opening_id
               where c.student_id = $1 and c.semester_id = $2 and c.status in ('pending', 'selected')"#,
            own.id,
            semester.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let courses = offered(&mut tx, &own, semester.id).await?;
        Ok(reply(AvailableCourses {
            semester_id: semester.id,
            semester_name: semester.name,
            server_time: caller.app.clock().now(),
            select_starts_at: rule.as_ref().map(|rule| rule.select_starts_at),
            select_ends_at: rule.as_ref().map(|rule| rule.select_ends_at),
            drop_ends_at: rule.as_ref().map(|rule| rule.drop_ends_at),
            min_credits: rule.as_ref().map(|rule| points(rule.min_credits)),
            max_credits: rule.as_ref().map(|rule| points(rule.max_credits)),
            selected_credits: selected,
            courses,
        }))
    }

    /// 选课
    /// 逐门办理，未选上的说明原因
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnSelections")]
    async fn submit(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnSelectionForm>,
    ) -> Result<Reply<OwnSelectionResults>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let own = Own::find(&mut tx, caller.session.person_id).await?;
        own.studies()?;
        let now = caller.app.clock().now();
        let pairs: Vec<Pair> = wanted
            .opening_ids
            .iter()
            .map(|opening_id| Pair {
                student_id: own.id,
                opening_id: *opening_id,
                source: SelectionSource::Own,
                class_id: None,
                remark: None,
            })
            .collect();
        let whole = Scope::whole_school();
        let applying = Applying { scope: &whole, retakes: &whole, learner: true, writes: true, now };
        let decision = decide(&mut tx, &pairs, applying).await?;
        let accepted: Vec<&Accepted> = decision.accepted.iter().map(|(_, accepted)| accepted).collect();
        let mut changes = write(&mut tx, &accepted).await?;
        let result = |(place, pair): (usize, &Pair)| OwnSelectionResult {
            opening_id: pair.opening_id,
            status: decision.accepted.iter().find(|(at, _)| *at == place).map(|(_, accepted)| accepted.status),
            message: decision.refused.iter().find(|(at, _)| *at == place).map(|(_, why)| why.to_string()),
        };
        let answer = OwnSelectionResults {
            created: i64::try_from(accepted.len()).map_err(Error::internal)?,
            results: pairs.iter().enumerate().map(result).collect(),
            server_time: now,
        };
        match changes.pop() {
            Some(last) => {
                tx.record(&changes).await?;
                tx.commit(last, answer).await
            }
            // Kept too: sent again it is answered the same, whoever has left a place meanwhile.
            None => {
                let what = json!({ "openingIds": wanted.opening_ids });
                tx.commit(Change::event("student", own.id, "select", what), answer).await
            }
        }
    }

    /// 退选
    /// 退选截止时间前可退选修课程
    #[oai(path = "/drop", method = "post", operation_id = "dropOwnSelection")]
    async fn leave(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnSelectionDrop>,
    ) -> Result<Reply<Saved>> {
        let id = wanted.selection_id;
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let own = Own::find(&mut tx, caller.session.person_id).await?;
        own.studies()?;
        let openings = hold_of(&mut tx, &[id]).await?;
        let whole = Scope::whole_school();
        let before = locked(&mut tx, id, &whole).await?;
        if before.student_id != own.id {
            return Err(Error::not_found());
        }
        let opening = openings.get(&before.opening_id);
        // However it came there: what is compulsory is not left.
        if before.nature == CourseNature::Compulsory {
            return Err(Error::conflict("必修课程不能退选"));
        }
        let ordinal = opening.map_or(0, |opening| opening.ordinal);
        let rule = own.rule(&mut tx, before.semester_id, ordinal).await?;
        if rule.is_none_or(|rule| caller.app.clock().now() >= rule.drop_ends_at) {
            return Err(Error::conflict("已过退选时间"));
        }
        let item = SelectionItem { id, version: before.version };
        let turned = turn(&mut tx, item, (Turn::Drop, None), opening, &whole).await?;
        tx.commit(turned.change, Saved { id }).await
    }
}

/// Electives of the student's grade and major that are opened, with what decides about each.
async fn offered(connection: &mut PgConnection, own: &Own, semester: i64) -> Result<Vec<AvailableCourse>> {
    let rows = sqlx::query!(
        r#"select o.id, u.code, u.name, o.nature as "nature: CourseNature", o.credits::float8 as "credits!",
                  p.name as "group_name?", p.min_credits::float8 as group_min_credits, o.capacity,
                  (select count(*) from course_selection x
                   where x.opening_id = o.id and x.status in ('pending', 'selected')) as "taken!",
                  c.id as "selection_id?", c.status as "selection_status?: SelectionStatus"
           from course_opening o
           join course u on u.id = o.course_id
           left join plan_elective_group p on p.id = o.elective_group_id
           left join course_selection c on c.opening_id = o.id and c.student_id = $2
           where o.semester_id = $1 and o.status = 'opened' and o.nature <> 'compulsory'
             and o.kind <> 'retake' and (o.grade_id is null or o.grade_id = $3) and (o.major_id is null or o.major_id = $4)
           order by p.sort_no, p.name, u.code, o.id
           limit 500"#,
        semester,
        own.id,
        own.grade_id,
        own.major_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let openings = known(connection, &ids).await?;
    let mut lacking = lacking(connection, own.id, openings.values()).await?;
    Ok(rows
        .into_iter()
        .map(|row| AvailableCourse {
            opening_id: row.id,
            course_code: row.code,
            course_name: row.name,
            nature: row.nature,
            credits: row.credits,
            group_name: row.group_name,
            group_min_credits: row.group_min_credits,
            capacity: row.capacity,
            taken: row.taken,
            lacking_prerequisites: lacking.remove(&row.id).unwrap_or_default(),
            selection_id: row.selection_id,
            selection_status: row.selection_status,
        })
        .collect())
}
