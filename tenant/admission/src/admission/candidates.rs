//! 手工匹配: among which leads a person is looked for.

use infra::{Allowed, Reply, Result, reply};
use poem_openapi::{OpenApi, param::Query};
use recruitment::admitting::{Candidate, Sought, sought};

use super::{
    SeekPreRegistration,
    view::{Kept, find_in},
};
use crate::id_card::fold;

pub struct Candidates;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Candidates {
    /// 可匹配的预报名
    /// 同一年级待审核或已通过、尚未与他人匹配的预报名，最多50条
    #[oai(path = "/candidates", method = "get", operation_id = "listAdmissionCandidates")]
    async fn candidates(
        &self,
        caller: Allowed<SeekPreRegistration>,
        /// 编号
        id: Query<i64>,
        /// 关键字
        /// 姓名、证件号、手机、网报号或考生号；不填时列出证件号、考生号或姓名相同的
        #[oai(validator(max_length = 50))]
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Vec<Candidate>>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let person = find_in(&mut tx, id.0, &scope, Kept::Live).await?;
        let wanted = Sought {
            grade: person.grade_id,
            name: &person.name,
            id_card_no: &person.id_card_no,
            examinee_no: &fold(&person.examinee_no),
            own: person.id,
            keyword: keyword.0.as_deref().map(str::trim).filter(|keyword| !keyword.is_empty()),
        };
        Ok(reply(sought(&mut tx, wanted, &scope).await?))
    }
}
