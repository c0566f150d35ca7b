//! What refers to a record, told where the record was to be deleted or changed in what others rely on (00 §5).

use std::fmt;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Error, Result, Tx};

/// Records of one kind that refer to another by one of their fields.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct Reference {
    /// 数据
    /// 引用该记录的数据的表名，例如 student
    pub entity: String,
    /// 单位
    /// 带量词的名称，例如 名学生
    pub counted: String,
    /// 条数
    pub count: i64,
    /// 字段
    /// 由哪个字段引用，例如 gradeId；该数据的列表有同名查询条件时可据此查看
    pub field: String,
    /// 编号
    /// 被引用的记录的编号
    pub id: i64,
}

/// Why a record stays as it is: `data` of a 409.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct Referred {
    /// 引用
    pub references: Vec<Reference>,
}

impl Referred {
    /// 409 with these words and, for a program or a link, what they count.
    pub fn refuse(&self, msg: String) -> Error {
        Error::conflict(msg).with_data(json!(self))
    }
}

impl fmt::Display for Referred {
    /// `5个班级、312名学生`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Reference { counted, count, .. }) in self.references.iter().enumerate() {
            write!(f, "{}{count}{counted}", if place == 0 { "" } else { "、" })?;
        }
        Ok(())
    }
}

/// For a row whose name the refusal need not repeat: it is deleted by its owner's own statement.
///
/// # Errors
/// 409 with the numbers and kinds of the rows that refer to this one.
pub async fn unreferred(tx: &mut Tx, table: &'static str, id: i64) -> Result<()> {
    match tx.referring(table, id).await? {
        Some(found) => Err(found.refuse(format!("已被{found}引用，不能删除"))),
        None => Ok(()),
    }
}

/// For a row that somebody began to refer to in the moment of its deletion.
pub fn just_referred(_constraint: &str) -> Option<Error> {
    Some(Error::conflict("刚刚被其他内容引用，不能删除"))
}

/// A column as the wire spells it: `gradeId` of `grade_id`.
pub(crate) fn on_the_wire(column: &str) -> String {
    let mut parts = column.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |field, part| {
        let mut letters = part.chars();
        let head = letters.next().map(|letter| letter.to_ascii_uppercase());
        field + &head.into_iter().chain(letters).collect::<String>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_counted_in_words() {
        let of = |counted: &str, count| Reference {
            entity: "student".to_owned(),
            counted: counted.to_owned(),
            count,
            field: on_the_wire("grade_id"),
            id: 7,
        };
        let referred = Referred { references: vec![of("个班级", 5), of("名学生", 312)] };
        assert_eq!(referred.to_string(), "5个班级、312名学生");
        let told = referred.refuse("不能删除".to_owned());
        assert_eq!((told.code, &told.data["references"][1]["field"]), (409, &json!("gradeId")));
        assert_eq!((on_the_wire("code"), on_the_wire("from_site_id")), ("code".to_owned(), "fromSiteId".to_owned()));
    }
}
