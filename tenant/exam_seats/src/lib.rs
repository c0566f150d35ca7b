//! 考场与座位: who sits where on paper, and that nobody is in two places (part 04 §4).
//!
//! ```text
//! site ── exam_room ─┐        offline_point: the people of a site sit at another
//! test_batch ── offline_session ── offline_session_room ── offline_seat ── exam_candidate
//! session: draft ─auto, place, move, import→ seated ⇄ confirmed → finished        confirmed: who has a seat has a ticket
//! ```
//! Invariants: a seat holds one candidate, a student sits once in a session and in none that overlaps it; what a room of a session uses of
//! the timetable, [`offered::occupy`] keeps busy.
//!
//! What is locked, is locked in one order: the timetable ([`timetable::hold`]), the seats of the batch ([`seat::hold_batch`]), sessions by id,
//! their rooms and seats by id. Candidates are read here; their own module writes them, and calls [`offered::free`].
//!
//! Start reading at [`exam_seat_rules::plan`], then [`seat`].

pub mod demo;
pub mod offered;
pub mod point;
pub mod room;
pub mod seat;
pub mod session;
pub mod ticket;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use exam_seat_rules::enums;

#[derive(Tags)]
enum Tag {
    /// exam_seats
    #[oai(rename = "exam_seats")]
    ExamSeats,
}

pub const MODULE: Module = Module {
    name: "exam_seats",
    parts: &[enums::PART, room::PART, session::PART, seat::PART, point::PART, ticket::PART],
};

pub fn api() -> impl OpenApi {
    (
        (room::Rooms, session::Sessions),
        (seat::Seats, seat::auto::AutoSeats, seat::steps::Steps),
        (seat::sheet::SeatImport, seat::export::Exports, seat::print::Prints),
        (point::Points, ticket::OwnTickets),
    )
}
