//! One line a room: its registry and its operations.

use infra::room::Rooms;
use poem_openapi::OpenApi;

/// What the rooms tell of themselves.
pub fn rooms() -> Rooms {
    Rooms::new(vec![
        infra::ROOM,
        accounts::ROOM,
        roles::ROOM,
        sign_in::ROOM,
        catalogue::ROOM,
        schools::ROOM,
        logs::ROOM,
        scenes::ROOM,
        channels::ROOM,
        messages::ROOM,
        monitor::ROOM,
        overview::ROOM,
        settings::ROOM,
        calendar::ROOM,
        units::ROOM,
        majors::ROOM,
        classes::ROOM,
        courses::ROOM,
        enrolment::ROOM,
        field_attributes::ROOM,
        people::ROOM,
        recruitment::ROOM,
        student_status::ROOM,
    ])
}

/// Every operation of the server.
pub fn operations() -> impl OpenApi {
    (
        infra::api(),
        (accounts::api(), roles::api(), sign_in::api()),
        catalogue::api(),
        schools::api(),
        logs::api(),
        (scenes::api(), channels::api(), messages::api()),
        monitor::api(),
        overview::api(),
        settings::api(),
        (calendar::api(), units::api(), majors::api(), classes::api()),
        courses::api(),
        enrolment::api(),
        field_attributes::api(),
        people::api(),
        recruitment::api(),
        student_status::api(),
    )
}
