//! 教室: what a registrar types of a room, and what follows from it (part 03 A2).

use infra::{Error, Result, enumeration, naming::tidy};
use poem_openapi::{Object, types::Example};

enumeration! {
    /// 教室类型
    pub enum ClassroomType = "classroomType" {
        Ordinary = "ordinary" "普通",
        Multimedia = "multimedia" "多媒体",
        Computer = "computer" "机房",
        Lab = "lab" "实验室",
        Language = "language" "语音室",
    }
}

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassroomForm {
    /// 站点
    pub site_id: i64,
    /// 楼宇
    #[oai(validator(max_length = 50))]
    pub building: Option<String>,
    /// 房间号
    #[oai(validator(max_length = 20))]
    pub room_no: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 类型
    pub room_type: ClassroomType,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub capacity: i32,
    /// 考试容量
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub exam_capacity: Option<i32>,
}

impl Example for ClassroomForm {
    fn example() -> Self {
        Self {
            site_id: 1,
            building: Some("第一教学楼".to_owned()),
            room_no: "301".to_owned(),
            name: None,
            room_type: ClassroomType::Multimedia,
            capacity: 60,
            exam_capacity: Some(30),
        }
    }
}

/// A form that is right, with the name that the room takes.
#[derive(Debug)]
pub struct Complete {
    pub site_id: i64,
    pub building: String,
    pub room_no: String,
    pub name: String,
    pub room_type: ClassroomType,
    pub capacity: i32,
    pub exam_capacity: Option<i32>,
}

impl Complete {
    /// The form, completed.
    ///
    /// # Errors
    /// 422 when more people are to be examined than fit.
    pub fn of(form: ClassroomForm) -> Result<Self> {
        if form.exam_capacity.is_some_and(|exam| exam > form.capacity) {
            return Err(Error::field("examCapacity", "考试容量不能大于容量"));
        }
        let building = form.building.as_deref().map(tidy).unwrap_or_default();
        let name = form.name.as_deref().map_or_else(|| format!("{building}{}", form.room_no), tidy);
        Ok(Self {
            site_id: form.site_id,
            building,
            room_no: form.room_no,
            name,
            room_type: form.room_type,
            capacity: form.capacity,
            exam_capacity: form.exam_capacity,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_named_after_its_place() {
        let named = |building: Option<&str>, name: Option<&str>| {
            let form = ClassroomForm {
                building: building.map(ToOwned::to_owned),
                name: name.map(ToOwned::to_owned),
                ..ClassroomForm::example()
            };
            Complete::of(form).expect("a right form").name
        };
        assert_eq!(named(Some("第一教学楼"), None), "第一教学楼301");
        assert_eq!(named(None, None), "301");
        assert_eq!(named(None, Some("阶梯  教室")), "阶梯 教室");
    }

    /// Part 03 A2, acceptance 4.
    #[test]
    fn nobody_is_examined_in_the_corridor() {
        let form = ClassroomForm { capacity: 60, exam_capacity: Some(80), ..ClassroomForm::example() };
        let refused = Complete::of(form).expect_err("80 do not fit");
        assert_eq!((refused.code, refused.msg.as_ref()), (422, "考试容量不能大于容量"));
    }
}
