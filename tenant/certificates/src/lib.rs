//! 证书 and 毕业档案: the numbers of diplomas and degrees, who got them, and what is kept of each graduate (part 04 §10, §11).
//!
//! ```text
//! graduation_batch ─┬─ certificate ── student ── archive ── archive_item ── archive_item_file (written once)
//!                   └─ archive                        certificate_sequence, archive_sequence: the next number
//! certificate: allocated → printed → issued; each of them → voided
//! archive: collecting ⇄ complete → sealed → handed_over; sealed → complete
//! ```
//! Invariants: a number is given once for ever, also when its certificate is void; numbers are given one behind the other under the
//! lock of their sequence; a sealed archive does not change.
//!
//! Start reading at [`certificate`], then [`archive`], then [`offered`].

pub mod archive;
pub mod certificate;
pub mod demo;
pub mod numbers;
pub mod offered;

pub use certificate_rules::{enums, settings};
use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// certificates
    #[oai(rename = "certificates")]
    Certificates,
}

pub const MODULE: Module = Module {
    name: "certificates",
    parts: &[enums::PART, settings::PART, certificate::PART, certificate::ready::PART, archive::PART],
};

pub fn api() -> impl OpenApi {
    (
        (certificate::Certificates, certificate::Allocations, certificate::Steps, certificate::Prints),
        (
            archive::Archives,
            archive::Counting,
            archive::Generation,
            archive::Steps,
            archive::Downloads,
            archive::Prints,
        ),
    )
}
