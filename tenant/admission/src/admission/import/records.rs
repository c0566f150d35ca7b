//! 导入记录: which files of the authority a batch has taken over.

use infra::{Allowed, Body, Reply, Result, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::super::ListAdmissionImports;
use crate::enums::AdmissionImportMode;

/// A file that was taken over.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionImport {
    /// 编号
    pub id: i64,
    /// 文件名
    pub file_name: String,
    /// 导入方式
    pub mode: AdmissionImportMode,
    /// 总行数
    pub total: i32,
    /// 新增行数
    pub inserted: i32,
    /// 修改行数
    pub updated: i32,
    /// 未变行数
    pub unchanged: i32,
    /// 现有人数
    /// 最后由该文件写入的录取数据，不含回收站
    pub people: i64,
    /// 导入人
    pub created_by_name: String,
    /// 导入时间
    pub created_at: Moment,
}

/// Of which batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionImportsOf {
    /// 招生批次
    pub batch_id: i64,
}

impl Example for AdmissionImportsOf {
    fn example() -> Self {
        Self { batch_id: 1 }
    }
}

pub struct Records;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Records {
    /// 录取导入记录
    #[oai(path = "/imports", method = "post", operation_id = "listAdmissionImports")]
    async fn imports(
        &self,
        caller: Allowed<ListAdmissionImports>,
        Body(asked): Body<AdmissionImportsOf>,
    ) -> Result<Reply<Vec<AdmissionImport>>> {
        let mut tx = caller.read().await?;
        let rows = sqlx::query!(
            r#"select i.id, i.file_name, i.mode as "mode: AdmissionImportMode", i.total, i.inserted, i.updated, i.unchanged,
                      i.created_at, i.created_by,
                      (select count(*) from admission a where a.import_id = i.id and a.deleted_at is null) as "people!"
               from admission_import i where i.batch_id = $1 order by i.created_at desc, i.id desc limit 500"#,
            asked.batch_id
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut records = Vec::with_capacity(rows.len());
        for row in rows {
            records.push(AdmissionImport {
                id: row.id,
                file_name: row.file_name,
                mode: row.mode,
                total: row.total,
                inserted: row.inserted,
                updated: row.updated,
                unchanged: row.unchanged,
                people: row.people,
                created_by_name: caller.app().account_name(row.created_by).await?,
                created_at: row.created_at,
            });
        }
        Ok(reply(records))
    }
}
