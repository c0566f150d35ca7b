//! basic_data
pub mod grade;
pub mod naming;
pub mod options;
pub mod term;

#[derive(poem_openapi::Tags)]
enum Tag {
    /// basic_data
    #[oai(rename = "basic_data")]
    BasicData,
}

pub fn api() -> impl poem_openapi::OpenApi {
    (grade::Grades,)
}

pub const J: &[infra::jobs::JobKind] = &[infra::transfer::export_job::<grade::Grades>(), infra::transfer::import_job::<infra::transfer::ByRow<grade::Grades>>()];
