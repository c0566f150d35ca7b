//! Spreadsheets (xlsx): exports, import templates, imports and the answer to a faulty import.
//!
//! ```text
//! export   rows ─[Writer]→ temporary file            constant memory, a new sheet after 1,048,575 rows
//! foreign  dbf, xls, xlsx, csv of other makers ─[Reader::foreign]→ batches of [Row]s as they stand → [mark_table]
//! import   [Template] → a person fills it in → file ─[Reader]→ batches of [Row]s → errors, warnings ─[mark_rows]→ file
//! ```
//!
//! Everything that reads or writes a workbook runs on a blocking thread and talks to async code through a bounded
//! channel, so that neither a slow database nor a slow disk fills the memory.
//!
//! Invariant: no cell that was exported as text is a formula, and no phone or identity number is a number.

pub mod dbf;
mod export;
pub mod foreign;
pub mod formula;
mod import;
mod marked;
mod source;
mod template;
#[cfg(test)]
mod tests;
mod unpacked;
mod value;

use std::error::Error;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

pub use export::{Cell, Column, Writer, cells};
pub use import::{Reader, Row};
pub use marked::{mark_rows, mark_table};
pub use template::{InputColumn, MOST_CODES, Template};

use value::Value;

/// The headings of the columns that [`mark_rows`] adds. A file that still has them can be imported again.
const ERROR_HEADING: &str = "错误说明";
const WARNING_HEADING: &str = "提醒";

/// Whether a heading is one of ours and none of the template's.
fn is_added(heading: &str) -> bool {
    heading == ERROR_HEADING || heading == WARNING_HEADING
}

/// What an import accepts.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows with content, without the heading.
    pub rows: u32,
    /// The sum of all unpacked parts of the file, in bytes.
    pub unpacked: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 100_000, unpacked: 200 << 20 }
    }
}

/// Why a workbook could not be read or written as a whole. All but [`Failed`](Self::Failed) are for the person who
/// chose the file, to whom the texts speak.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    #[error("文件不是有效的 Excel 工作簿，请用下载的模板填写，并保存为 .xlsx 格式")]
    NotAWorkbook,
    /// Unpacked it is too large, has too many parts, or is packed suspiciously tightly.
    #[error("文件内容过大，请删除多余的工作表、图片和空白行，或拆分后分批导入")]
    TooLarge,
    #[error("无法识别文件，请上传 dbf、xls、xlsx 或 csv 文件")]
    UnknownFormat,
    #[error("文件不完整：应有{1}条记录，只有{0}条，请重新下载后再导入")]
    Cut(u32, u32),
    #[error("一次最多导入 {0} 行，请拆分后分批导入")]
    TooManyRows(u32),
    #[error("工作表的第一行没有表头，请用下载的模板填写")]
    NoHeadings,
    #[error("表头中有不认识的列：{0}，请用下载的模板填写，不要修改表头")]
    UnknownHeadings(String),
    #[error("表头缺少必填的列：{0}，请用下载的模板填写，不要修改表头")]
    MissingHeadings(String),
    #[error("表头中有重复的列：{0}，请删除重复的列")]
    RepeatedHeadings(String),
    /// The disk or the machine failed; the cause is for the log.
    #[error("表格处理失败，请稍后再试")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl SheetError {
    fn failed(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(cause.into())
    }
}

/// What is told of a row of an import: what is wrong with it, or what is worth a second look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct RowError {
    /// 行号（表头为第 1 行）
    pub row: u32,
    /// 列名（说的是整行时为空）
    pub column: String,
    /// 说明
    pub message: String,
}
