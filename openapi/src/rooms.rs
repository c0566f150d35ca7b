//! One line a room: its registry and its operations.

use infra::room::Rooms;
use poem_openapi::OpenApi;

/// What the rooms tell of themselves.
pub fn rooms() -> Rooms {
    Rooms::new(vec![
        infra::ROOM,
        accounts::ROOM,
        schools::ROOM,
        logs::ROOM,
        settings::ROOM,
        basic_data::ROOM,
        people::ROOM,
        student_status::ROOM,
    ])
}

/// Every operation of the server.
pub fn operations() -> impl OpenApi {
    (
        infra::api(),
        accounts::api(),
        schools::api(),
        logs::api(),
        settings::api(),
        basic_data::api(),
        student_status::api(),
    )
}
