//! Examinations in the clients: students answer them, teachers mark them (part 04 §2.6).

mod answer;
mod beat;
mod exam;
mod marking;
mod result;

use poem_openapi::OpenApi;

/// The operations of the clients.
pub(crate) fn api() -> impl OpenApi {
    (exam::OwnExams, answer::OwnAnswers, beat::OwnBeats, result::OwnResults, marking::OwnMarking)
}
