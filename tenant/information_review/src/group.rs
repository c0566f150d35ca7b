//! What the three groups differ in, for the code that they share.

use infra::access::{EachSchool, Permission};

use crate::enums::InformationKind;

/// One of 学籍注册信息, 入学资格审查 and 毕业登记.
pub(crate) trait Group: Send + Sync + 'static {
    const KIND: InformationKind;
    /// The kind of its export's job.
    const EXPORT: &'static str;
    /// Who may export its list.
    type Exporting: Permission<Realm = EachSchool>;
    /// Who may have whole numbers in it.
    type ExportingPlain: Permission<Realm = EachSchool>;
    /// Who may download its papers.
    type Downloading: Permission<Realm = EachSchool>;
}
