//! 任课安排: what is typed of one, and who teaches a class (part 03 B3).

use infra::{Error, FieldError};
use poem_openapi::{Object, types::Example};
use serde_json::Value;

use crate::enums::AllocationRole;

/// What is typed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AllocationForm {
    /// 开课
    pub opening_id: i64,
    /// 班级
    /// 不填为全部班级
    pub class_id: Option<i64>,
    /// 教师
    pub teacher_id: i64,
    /// 角色
    pub role: AllocationRole,
    /// 学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub hours: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for AllocationForm {
    fn example() -> Self {
        Self {
            opening_id: 1,
            class_id: None,
            teacher_id: 1,
            role: AllocationRole::Lecturer,
            hours: Some(36),
            remark: None,
        }
    }
}

/// An allocation, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseAllocation {
    /// 编号
    pub id: i64,
    /// 开课
    pub opening_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 班级编号
    /// 为空时是全部班级
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 教师编号
    pub teacher_id: i64,
    /// 工号
    pub teacher_work_no: String,
    /// 教师
    pub teacher_name: String,
    /// 角色
    pub role: AllocationRole,
    /// 学时
    pub hours: Option<i32>,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

/// A teacher of a class.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AllocatedTeacher {
    /// 任课安排编号
    pub id: i64,
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub name: String,
    /// 学时
    pub hours: Option<i32>,
    /// 来自全部班级的安排
    pub of_all_classes: bool,
    /// 版本
    pub version: i32,
}

/// A class of an opening with its teachers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassAllocations {
    /// 班级编号
    pub class_id: i64,
    /// 班级
    pub class_name: String,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 人数
    pub student_count: i64,
    /// 主讲
    pub lecturer: Option<AllocatedTeacher>,
    /// 辅导
    pub tutors: Vec<AllocatedTeacher>,
    /// 批阅
    pub markers: Vec<AllocatedTeacher>,
}

impl ClassAllocations {
    /// Whether a filter by site and class names it.
    pub fn is_meant(&self, site: Option<i64>, class: Option<i64>) -> bool {
        site.is_none_or(|id| self.site_id == id) && class.is_none_or(|id| self.class_id == id)
    }

    /// Of each role those who are named for the class, else those of all classes.
    pub fn fill(&mut self, teachers: &[CourseAllocation]) {
        let of = |role: AllocationRole| {
            let named = |class: Option<i64>| {
                let mine = teachers.iter().filter(move |one| one.role == role && one.class_id == class);
                mine.map(AllocatedTeacher::of).collect::<Vec<_>>()
            };
            let own = named(Some(self.class_id));
            if own.is_empty() { named(None) } else { own }
        };
        let (lecturer, tutors, markers) =
            (of(AllocationRole::Lecturer), of(AllocationRole::Tutor), of(AllocationRole::Marker));
        self.lecturer = lecturer.into_iter().next();
        self.tutors = tutors;
        self.markers = markers;
    }
}

impl AllocatedTeacher {
    fn of(allocation: &CourseAllocation) -> Self {
        Self {
            id: allocation.id,
            teacher_id: allocation.teacher_id,
            name: allocation.teacher_name.clone(),
            hours: allocation.hours,
            of_all_classes: allocation.class_id.is_none(),
            version: allocation.version,
        }
    }
}

/// A refusal at fields of one of several forms.
pub fn at(prefix: &str, error: Error) -> Error {
    let fields = error.data.as_array().filter(|_| error.code == 422).cloned();
    let Some(fields) = fields else { return error };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fields = fields.iter().map(|field| FieldError {
        field: format!("{prefix}{}", text(&field["field"])),
        message: text(&field["message"]),
    });
    Error::fields(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_which_of_the_forms_it_means() {
        let told = at("items[2].", Error::field("teacherId", "教师“张三”已离职或停用"));
        assert_eq!((told.code, &told.data[0]["field"]), (422, &serde_json::json!("items[2].teacherId")));
        assert_eq!(told.msg, "教师“张三”已离职或停用");
        assert_eq!(at("items[2].", Error::not_found()), Error::not_found());
    }

    fn allocation(id: i64, class_id: Option<i64>, role: AllocationRole) -> CourseAllocation {
        CourseAllocation {
            id,
            opening_id: 1,
            semester_name: String::new(),
            course_code: String::new(),
            course_name: String::new(),
            class_id,
            class_name: None,
            teacher_id: 100 + id,
            teacher_work_no: String::new(),
            teacher_name: format!("教师{id}"),
            role,
            hours: None,
            remark: None,
            version: 1,
        }
    }

    fn class(class_id: i64) -> ClassAllocations {
        ClassAllocations {
            class_id,
            class_name: String::new(),
            site_id: 1,
            site_name: String::new(),
            student_count: 0,
            lecturer: None,
            tutors: Vec::new(),
            markers: Vec::new(),
        }
    }

    /// A of all classes, B of C1: C1 shows B, C2 shows A.
    #[test]
    fn who_is_named_for_a_class_goes_before_who_is_of_all() {
        let teachers = [
            allocation(1, None, AllocationRole::Lecturer),
            allocation(2, Some(11), AllocationRole::Lecturer),
            allocation(3, None, AllocationRole::Tutor),
            allocation(4, None, AllocationRole::Tutor),
        ];
        let (mut c1, mut c2) = (class(11), class(12));
        c1.fill(&teachers);
        c2.fill(&teachers);
        let name = |class: &ClassAllocations| class.lecturer.as_ref().map(|one| one.name.clone());
        assert_eq!((name(&c1).as_deref(), name(&c2).as_deref()), (Some("教师2"), Some("教师1")));
        assert_eq!((c1.tutors.len(), c1.markers.len()), (2, 0));
    }
}
