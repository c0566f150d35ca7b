//! The machine of the three groups: a form of a student, filled in, looked at, returned or approved (02 §11.2).
//!
//! Whatever step: forms are held in the order of their numbers, then what lies in other modules (`held`).

pub(crate) mod download;
pub(crate) mod export;
pub(crate) mod held;
pub(crate) mod items;
pub(crate) mod list;
pub(crate) mod locked;
pub(crate) mod managed;
pub(crate) mod papers;
pub(crate) mod remind;
pub(crate) mod review;
pub(crate) mod statistics;
pub(crate) mod submit;
pub(crate) mod view;

use infra::{
    Bulk, Entity, Part, Tx,
    files::purpose,
    setting::{Setting, Settings},
};

/// Whether the class manager looks at a form before the school does (01 §13).
pub(crate) const CLASS_MANAGER_REVIEW: Setting =
    Setting::yes_no("classManagerReview", "信息审核增加班主任环节", false, "学校只审核班主任通过的信息");

pub const PART: Part = Part {
    entities: &[
        Entity { table: "student_information", name: "学生信息", counted: "条学生信息" },
        Entity { table: "information_window", name: "采集设置", counted: "个采集设置" },
    ],
    params: &[&[purpose("upload.ext.information", "信息核对材料格式", "pdf,jpg,jpeg,png")]],
    settings: &[Settings { group: "recruitment", settings: &[CLASS_MANAGER_REVIEW] }],
    ..Part::NONE
};

/// The rows of a bulk step, which people know by their students' names.
pub(crate) fn named(tx: Tx) -> Bulk {
    let rows = "(select i.id, s.name from student_information i join student s on s.id = i.student_id) information";
    Bulk::named(tx, rows, "name")
}
