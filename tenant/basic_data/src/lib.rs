//! Basic data: the calendar, the units, the majors and the classes that everything else in a school hangs on.
//!
//! ```text
//! grade ┐                                    organization ┬─ site
//! level ┼─ class ── student                  (a tree)     └─ major
//! major ┤     its (level, major) is a pair of major,
//! site ─┘     its number comes from a counter that only goes up
//! semester    open ⇄ closed, one is current             national_major   platform; schools copy code and name
//! ```
//!
//! Grades, levels, semesters, units and majors are seen by all who hold the code; sites and classes lie in the data scope.
//! Invariant: what other rows rely on (a grade's code, a level's years, a class's place) does not change under them.
//!
//! Other rooms take from here `by_code` of each entity for imports, [`class::class_seats`] before they fill a class, and
//! [`term`] for the arithmetic of terms. Start reading at [`grade`]: every entity is made like it.

pub mod class;
pub mod grade;
pub mod level;
pub mod major;
pub mod naming;
pub mod national_major;
pub mod options;
pub mod organization;
pub mod semester;
pub mod site;
pub mod term;

use infra::{
    Entity, Plain, Room,
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
        level::PERMISSIONS,
        semester::PERMISSIONS,
        semester::CURRENT_PERMISSIONS,
        semester::STANDING_PERMISSIONS,
        organization::PERMISSIONS,
        site::PERMISSIONS,
        site::STATUS_PERMISSIONS,
        national_major::PERMISSIONS,
        major::PERMISSIONS,
        class::PERMISSIONS,
        options::PERMISSIONS,
    ],
    enumerations: &[
        term::Season::ENUMERATION,
        term::EntryLevel::ENUMERATION,
        term::NationalLevel::ENUMERATION,
        organization::OrganizationKind::ENUMERATION,
        site::SiteKind::ENUMERATION,
        site::SiteStatus::ENUMERATION,
        major::StudyForm::ENUMERATION,
    ],
    entities: &[
        Entity { table: "grade", name: "年级", counted: "个年级" },
        Entity { table: "level", name: "层次", counted: "个层次" },
        Entity { table: "semester", name: "学期", counted: "个学期" },
        Entity { table: "organization", name: "机构", counted: "个下级机构" },
        Entity { table: "site", name: "站点", counted: "个站点" },
        Entity { table: "national_major", name: "国家专业", counted: "个国家专业" },
        Entity { table: "major", name: "学校专业", counted: "个专业" },
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
    params: &[],
};

pub fn api() -> impl OpenApi {
    (
        (grade::Grades, level::Levels),
        (semester::Semesters, semester::Current, semester::Standing),
        (organization::Organizations, site::Sites, site::ChangeStatus),
        (national_major::NationalMajors, major::Majors, class::Classes),
        options::Options,
    )
}
