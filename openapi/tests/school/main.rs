//! Stories over HTTP on a real database: what schools do.

mod basic_data;
mod classes;
mod classrooms;
mod clients;
mod courses;
mod dashboard;
mod division;
mod enrolment;
mod field_attributes;
mod forecast;
mod imports;
mod introductions;
mod knowledge_points;
mod national_majors;
mod period_import;
mod pre_registration_batches;
mod pre_registrations;
mod privacy;
mod recycle_bin;
mod registers;
mod roll_over;
mod site_staff;
mod steps;
mod student_entry;
mod students;
mod teachers;
