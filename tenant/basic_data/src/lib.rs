//! Basic data: the calendar, the units, the majors and the classes that everything else in a school hangs on.
//!
//! ```text
//! grade ┐                                    organization ┬─ site ── classroom
//! level ┼─ class ── student                  (a tree)     └─ major ── forecast_major
//! major ┤     its (level, major) is a pair of major,
//! site ─┘     its number comes from a counter that only goes up
//! semester    open ⇄ closed, one is current             national_major   platform; schools copy code and name
//! ```
//!
//! Grades, levels, semesters, units and majors are seen by all who hold the code; sites and classes lie in the data scope.
//! Invariant: what other rows rely on (a grade's code, a level's years, a class's place) does not change under them.
//!
//! Other rooms take from here `by_code` of each entity for imports, [`class::class_seats`] before they fill a class, and
//! `term` for the arithmetic of terms. What a year leaves to the next is made by [`roll_over`]. Start reading at
//! [`grade`]: every entity is made like it.

pub mod class;
pub mod classroom;
pub mod demo;
pub mod forecast_major;
pub mod grade;
pub mod level;
pub mod major;
pub mod national_major;
pub mod options;
pub mod organization;
pub mod roll_over;
pub mod semester;
pub mod site;

use infra::{
    Entity, History, Plain, Room,
    transfer::{ByRow, export_job, import_job},
};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// basic_data
    #[oai(rename = "basic_data")]
    BasicData,
}

pub const ROOM: Room = Room {
    name: "basic_data",
    permissions: &[
        grade::PERMISSIONS,
        roll_over::PERMISSIONS,
        level::PERMISSIONS,
        semester::PERMISSIONS,
        semester::CURRENT_PERMISSIONS,
        semester::STANDING_PERMISSIONS,
        organization::PERMISSIONS,
        site::PERMISSIONS,
        site::STATUS_PERMISSIONS,
        classroom::PERMISSIONS,
        national_major::PERMISSIONS,
        national_major::upkeep::PERMISSIONS,
        major::PERMISSIONS,
        forecast_major::PERMISSIONS,
        class::PERMISSIONS,
        class::generate::PERMISSIONS,
        options::PERMISSIONS,
    ],
    enumerations: &[
        term::Season::ENUMERATION,
        term::EntryLevel::ENUMERATION,
        term::NationalLevel::ENUMERATION,
        roll_over::RollOverState::ENUMERATION,
        organization::OrganizationKind::ENUMERATION,
        site::SiteKind::ENUMERATION,
        site::SiteStatus::ENUMERATION,
        classroom::ClassroomType::ENUMERATION,
        national_major::Discipline::ENUMERATION,
        major::StudyForm::ENUMERATION,
        forecast_major::ForecastStatus::ENUMERATION,
    ],
    entities: &[
        Entity { table: "grade", name: "年级", counted: "个年级" },
        Entity { table: "level", name: "层次", counted: "个层次" },
        Entity { table: "semester", name: "学期", counted: "个学期" },
        Entity { table: "organization", name: "机构", counted: "个下级机构" },
        Entity { table: "site", name: "站点", counted: "个站点" },
        Entity { table: "classroom", name: "教室", counted: "间教室" },
        Entity { table: "national_major", name: "国家专业", counted: "个国家专业" },
        Entity { table: "major", name: "学校专业", counted: "个专业" },
        Entity { table: "forecast_major", name: "拟招生专业", counted: "个拟招生专业" },
        Entity { table: "forecast_major_site", name: "拟招生专业的站点", counted: "个拟招生专业" },
        Entity { table: "class", name: "班级", counted: "个班级" },
    ],
    jobs: &[
        export_job::<grade::Grades>(),
        import_job::<ByRow<grade::Grades>>(),
        export_job::<level::Levels>(),
        import_job::<ByRow<level::Levels>>(),
        export_job::<semester::Semesters>(),
        import_job::<ByRow<semester::Semesters>>(),
        export_job::<organization::Organizations>(),
        export_job::<site::Sites>(),
        import_job::<ByRow<site::SiteImport>>(),
        export_job::<classroom::Classrooms>(),
        import_job::<ByRow<classroom::ClassroomImport>>(),
        export_job::<national_major::NationalMajors>(),
        import_job::<national_major::NationalMajorImport>(),
        export_job::<forecast_major::ForecastMajors>(),
        import_job::<forecast_major::FilingResults>(),
        export_job::<major::Majors>(),
        import_job::<ByRow<major::MajorImport>>(),
        export_job::<class::Classes>(),
        import_job::<ByRow<class::ClassImport>>(),
    ],
    plain: &[Plain {
        entity: "site",
        table: "site",
        code: "adult:pc:site:viewPlain",
        fields: &[("phone", "phone")],
        scope: ("id", None),
        platform: None,
    }],
    histories: &[
        History { table: "classroom", code: "adult:pc:classroom:view", scope: Some(("site_id", None)) },
        History { table: "forecast_major", code: "adult:pc:forecastingMajor:view", scope: None },
        History { table: "grade", code: "adult:pc:grade:view", scope: None },
        History { table: "level", code: "adult:pc:arrangement:view", scope: None },
        History { table: "semester", code: "adult:pc:semester:view", scope: None },
        History { table: "organization", code: "adult:pc:organize:view", scope: None },
        History { table: "site", code: "adult:pc:site:view", scope: Some(("id", None)) },
        History { table: "major", code: "adult:pc:major:view", scope: None },
        History { table: "class", code: "adult:pc:class:view", scope: Some(("site_id", Some("id"))) },
    ],
    params: &[],
    schedules: &[],
};

/// `further`: the types of options that other rooms serve.
pub fn api(further: &'static [&'static [options::Source]]) -> impl OpenApi {
    (
        (grade::Grades, roll_over::RollOver, level::Levels),
        (semester::Semesters, semester::Current, semester::Standing),
        (organization::Organizations, site::Sites, site::ChangeStatus, classroom::Classrooms),
        (national_major::NationalMajors, national_major::upkeep::Upkeep, major::Majors),
        (forecast_major::api(), class::Classes, class::generate::Generate),
        options::Options(further),
    )
}
