//! One line a room: its registry and its operations.

use infra::room::Rooms;
use poem_openapi::OpenApi;

/// What the rooms tell of themselves.
pub fn rooms() -> Rooms {
    Rooms::new(vec![
        infra::ROOM,
        accounts::ROOM,
        catalogue::ROOM,
        schools::ROOM,
        logs::ROOM,
        messages::ROOM,
        monitor::ROOM,
        overview::ROOM,
        settings::ROOM,
        calendar::ROOM,
        units::ROOM,
        majors::ROOM,
        classes::ROOM,
        courses::ROOM,
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
        accounts::api(),
        catalogue::api(),
        schools::api(),
        logs::api(),
        messages::api(),
        monitor::api(),
        overview::api(),
        settings::api(),
        (calendar::api(), units::api(), majors::api(), classes::api()),
        courses::api(),
        field_attributes::api(),
        people::api(),
        recruitment::api(),
        student_status::api(),
    )
}
