//! One line a module: its registry and its operations.

use infra::module::Modules;
use poem_openapi::OpenApi;

/// What the modules tell of themselves.
pub fn modules() -> Modules {
    Modules::new(vec![
        infra::MODULE,
        accounts::MODULE,
        roles::MODULE,
        sign_in::MODULE,
        catalogue::MODULE,
        schools::MODULE,
        logs::MODULE,
        scenes::MODULE,
        channels::MODULE,
        messages::MODULE,
        monitor::MODULE,
        overview::MODULE,
        settings::MODULE,
        admission::MODULE,
        calendar::MODULE,
        certificates::MODULE,
        chsi::MODULE,
        units::MODULE,
        majors::MODULE,
        classes::MODULE,
        corrections::MODULE,
        course_opening::MODULE,
        course_selection::MODULE,
        courses::MODULE,
        enrolment::MODULE,
        exam_day::MODULE,
        exam_seats::MODULE,
        exams::MODULE,
        field_attributes::MODULE,
        graduation::MODULE,
        graduation_grades::MODULE,
        homework::MODULE,
        information_review::MODULE,
        instruction::MODULE,
        offline_exams::MODULE,
        online_exams::MODULE,
        online_study::MODULE,
        papers::MODULE,
        people::MODULE,
        question_bank::MODULE,
        recruitment::MODULE,
        registration::MODULE,
        scores::MODULE,
        statistics::MODULE,
        status_change::MODULE,
        student_numbers::MODULE,
        student_status::MODULE,
        support::MODULE,
        supervision::MODULE,
        teaching_plan::MODULE,
        thesis::MODULE,
        timetable::MODULE,
    ])
}

/// Every operation of the server.
pub fn operations() -> impl OpenApi {
    (
        infra::api(),
        (accounts::api(), roles::api(), sign_in::api()),
        (catalogue::api(), schools::api(), settings::api()),
        (logs::api(), monitor::api(), overview::api()),
        (scenes::api(), channels::api(), messages::api()),
        (calendar::api(), units::api(), majors::api(), classes::api()),
        (courses::api(), question_bank::api(), papers::api(), teaching_plan::api()),
        (
            course_opening::api(),
            course_selection::api(),
            (online_study::api(), homework::api()),
            (timetable::api(), instruction::api()),
        ),
        (people::api(), enrolment::api(), field_attributes::api()),
        (admission::api(), recruitment::api(), registration::api()),
        (corrections::api(), status_change::api(), student_numbers::api(), student_status::api()),
        (chsi::api(), information_review::api(), statistics::api(), supervision::api()),
        (exam_seats::api(), exams::api(), exam_day::api(), offline_exams::api(), online_exams::api()),
        (scores::api(), thesis::api(), graduation_grades::api()),
        (certificates::api(), graduation::api()),
        support::api(),
    )
}
