//! student_status
