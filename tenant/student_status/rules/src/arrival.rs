//! 报到建档: what a report brings into the register (02 §7, §9.1).

use crate::form::StudentForm;

/// Somebody who reports.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub registration_id: i64,
    pub admission_id: i64,
    /// As the authority and the registration have it; neither class nor number.
    pub form: StudentForm,
    pub admission_photo_id: Option<i64>,
    /// Taken as they reported.
    pub enrol_photo_id: Option<i64>,
}
