//! 证书编号: everybody of a batch who graduated or completed gets a number, or nobody does (part 04 §10).

use std::collections::BTreeMap;

use certificate_rules::enums::CertificateKind;
use chsi::national_code;
use infra::{Allowed, Body, Error, Reply, Result, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::AllocateCertificates;
use crate::numbers::{Codes, Wanted, give, preview, wanted};

/// Whoever gets no number.
const INCOMPLETE: &str = "肄业不编号";

/// A batch to number.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateAllocation {
    /// 毕业批次
    pub batch_id: i64,
    /// 只预览
    #[oai(default)]
    pub preview: bool,
}

impl Example for CertificateAllocation {
    fn example() -> Self {
        Self { batch_id: 1, preview: true }
    }
}

/// The numbers of a level.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AllocatedLevel {
    /// 层次码
    pub level_code: String,
    /// 第一个编号
    pub first: String,
    /// 最后一个编号
    pub last: String,
    /// 人数
    pub count: i64,
}

/// Somebody who gets no number.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct NotNumbered {
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 原因
    pub reason: String,
}

/// What was given, or would be.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AllocatedCertificates {
    /// 编号人数
    pub count: i64,
    /// 各层次编号
    pub levels: Vec<AllocatedLevel>,
    /// 不编号
    pub not_numbered: Vec<NotNumbered>,
}

pub struct Allocations;

#[OpenApi(prefix_path = "/adult/pc/certificate", tag = "crate::Tag::Certificates")]
impl Allocations {
    /// 证书编号
    /// 只给还没有编号的人编号；预览不写入
    #[oai(path = "/allocate", method = "post", operation_id = "allocateCertificates")]
    async fn allocate(
        &self,
        caller: Allowed<AllocateCertificates>,
        Body(asked): Body<CertificateAllocation>,
    ) -> Result<Reply<AllocatedCertificates>> {
        let mut tx = caller.begin().await?;
        let national = national_code(caller.app(), &mut tx).await?;
        let codes = Codes { national, ..Codes::default() };
        let who = waiting(&mut tx, asked.batch_id).await?;
        let numbered = wanted(&mut tx, &who).await?;
        let numbers: Vec<String> =
            preview(&mut tx, &numbered, &codes).await?.into_iter().map(|(_, number)| number).collect();
        let answer = AllocatedCertificates {
            count: i64::try_from(numbered.len()).unwrap_or_default(),
            levels: levels(&numbered, &numbers),
            not_numbered: not_numbered(&mut tx, asked.batch_id).await?,
        };
        if !asked.preview {
            // The batch is held: nobody else gave numbers since they were told above.
            let changes = give(&mut tx, &numbered, &codes).await?;
            tx.commit_all(changes).await?;
        }
        Ok(reply(answer))
    }
}

/// Holds a batch; whose studies ended in it without a certificate of the kind that was decided.
async fn waiting(tx: &mut Tx, batch: i64) -> Result<Vec<(i64, i64, CertificateKind)>> {
    let status = sqlx::query_scalar!("select status from graduation_batch where id = $1 for update", batch)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if matches!(status.as_str(), "draft" | "auditing") {
        return Err(Error::conflict("毕业批次尚未确认"));
    }
    let rows = sqlx::query!(
        r#"select g.student_id as "student!", w.kind as "kind!: CertificateKind"
           from graduation_outcome g
           cross join lateral (select case g.decision when 'graduate' then 'graduation' else 'completion' end as kind) w
           where g.batch_id = $1 and g.decision in ('graduate', 'complete')
             and not exists (select from certificate c
                             where c.student_id = g.student_id and c.kind = w.kind and c.status <> 'voided')"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.student, batch, row.kind)).collect())
}

fn levels(numbered: &[Wanted], numbers: &[String]) -> Vec<AllocatedLevel> {
    let mut levels: BTreeMap<&str, AllocatedLevel> = BTreeMap::new();
    for (one, number) in numbered.iter().zip(numbers) {
        let level = levels.entry(one.level_code).or_insert_with(|| AllocatedLevel {
            level_code: one.level_code.to_owned(),
            first: number.clone(),
            last: number.clone(),
            count: 0,
        });
        level.last.clone_from(number);
        level.count += 1;
    }
    levels.into_values().collect()
}

async fn not_numbered(tx: &mut Tx, batch: i64) -> Result<Vec<NotNumbered>> {
    let rows = sqlx::query!(
        r#"select y.id as "id!", y.student_no, y.name as "name!"
           from graduation_outcome g join student y on y.id = g.student_id
           where g.batch_id = $1 and g.decision = 'incomplete' order by y.student_no, y.id"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    let made = rows.into_iter().map(|row| NotNumbered {
        student_id: row.id,
        student_no: row.student_no,
        name: row.name,
        reason: INCOMPLETE.to_owned(),
    });
    Ok(made.collect())
}
