//! 我的课程: the courses of a student in a semester, with what there is to do (part 03 B10).

use course_selection::enums::SelectionStatus;
use infra::{Client, Reads, Reply, Result, clock::Moment, reply};
use online_study::StudentClient;
use poem_openapi::{Object, OpenApi, param::Query};
use teaching_plan::enums::CourseNature;

/// A course of a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnCourse {
    /// 选课编号
    pub selection_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学分
    pub credits: f64,
    /// 性质
    pub nature: CourseNature,
    /// 主讲
    pub lecturer: Option<String>,
    /// 学习进度(%)
    pub progress: f64,
    /// 学习开始时间
    pub study_starts_at: Option<Moment>,
    /// 学习结束时间
    pub study_ends_at: Option<Moment>,
    /// 待完成作业数
    pub homework_todo: i64,
    /// 选课状态
    pub status: SelectionStatus,
}

pub struct OwnCourses;

#[OpenApi(prefix_path = "/user/client/course", tag = "crate::Tag::Homework")]
impl OwnCourses {
    /// 我的课程
    #[oai(path = "/list", method = "get", operation_id = "listOwnCourses")]
    async fn list(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 学期
        /// 不填为当前学期
        #[oai(name = "semesterId")]
        semester_id: Query<Option<i64>>,
    ) -> Result<Reply<Vec<OwnCourse>>> {
        let mut tx = caller.read().await?;
        let now = caller.app.clock().now();
        let rows = sqlx::query_as!(
            OwnCourse,
            r#"select c.id as "selection_id!", u.code as "course_code!", u.name as "course_name!",
                      o.credits::float8 as "credits!", o.nature as "nature!: _",
                      (select w.name from course_allocation a join teacher w on w.id = a.teacher_id
                       where a.opening_id = c.opening_id and a.role = 'lecturer'
                         and (a.class_id is null or a.class_id = c.class_id)
                       order by a.class_id nulls last limit 1) as lecturer,
                      coalesce(p.progress, 0)::float8 as "progress!",
                      coalesce(t.study_starts_at, e.starts_on::timestamp at time zone 'Asia/Shanghai') as study_starts_at,
                      coalesce(t.study_ends_at, (e.ends_on + 1)::timestamp at time zone 'Asia/Shanghai') as study_ends_at,
                      (select count(*) from homework_student s join homework h on h.id = s.homework_id
                       where s.selection_id = c.id and h.starts_at <= $3
                         and (h.status = 'published' and s.state in ('not_started', 'in_progress')
                              and coalesce(s.extended_until, h.late_until, h.ends_at) >= $3
                              or s.state = 'returned' and s.redo_until >= $3)) as "homework_todo!",
                      c.status as "status!: _"
               from course_selection c
               join course_opening o on o.id = c.opening_id
               join course u on u.id = c.course_id
               join semester e on e.id = c.semester_id
               left join online_teaching t on t.id = c.opening_id
               left join study_course_progress p on p.id = c.id
               where c.student_id = $1 and c.status in ('selected', 'completed')
                 and c.semester_id = coalesce($2, (select id from semester where current limit 1))
               order by u.code, c.id"#,
            caller.session.person_id,
            semester_id.0,
            now as _
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }
}
