//! How large a file of a record may be, and of which kind. A ticket tells it before the bytes come; whoever takes the file over looks
//! again, for it may have been announced for another purpose, or for none.

use sqlx::Row;

use super::{adopt, extension_of, types, upload};
use crate::{Error, Result, tx::Tx};

/// The largest picture and the largest other file of a record, in MiB (02 §13).
const PICTURE_MB: i64 = 2;
const PAPER_MB: i64 = 10;

/// What a record takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A picture that is shown or printed: a seal, a signature.
    Picture,
    /// Whatever its purpose allows.
    Paper,
}

/// # Errors
/// Why a file of this type is too large for a record.
pub fn fits(content_type: &str, size: i64) -> Result<(), String> {
    let is_picture = content_type.starts_with("image/");
    let (what, most) = if is_picture { ("图片", PICTURE_MB) } else { ("文件", PAPER_MB) };
    if size > most << 20 { Err(format!("{what}大小不能超过{most}MB")) } else { Ok(()) }
}

/// [`adopt`] of a file of the kinds that a purpose takes, of a size that [`fits`].
///
/// # Errors
/// 422 as [`adopt`], and for what the purpose or the record does not take.
pub async fn adopt_of(tx: &mut Tx, key: &str, owner: (&str, i64), purpose: &str, takes: Takes) -> Result<i64> {
    let (id, size, content_type) = adopted(tx, key, owner).await?;
    let app = tx.app().clone();
    upload::allowed(&app, &extension_of(key), Some(purpose)).await?;
    is_what_it_says(key, &content_type)?;
    if takes == Takes::Picture && !content_type.starts_with("image/") {
        return Err(Error::refused("请上传图片"));
    }
    fits(&content_type, size).map_err(Error::refused)?;
    Ok(id)
}

/// [`adopt`] of a file of one of these extensions, of at most so many MiB: for records whose kinds of files are a rule of the
/// product.
///
/// # Errors
/// 422 as [`adopt`], and for another kind or size.
pub async fn adopt_kind(tx: &mut Tx, key: &str, owner: (&str, i64), extensions: &[&str], most_mb: i64) -> Result<i64> {
    let (id, size, content_type) = adopted(tx, key, owner).await?;
    is_one_of(key, extensions)?;
    is_what_it_says(key, &content_type)?;
    if size > most_mb << 20 {
        return Err(Error::refused(format!("文件大小不能超过{most_mb}MB")));
    }
    Ok(id)
}

/// # Errors
/// 422 for a file of another extension than these.
pub fn is_one_of(key: &str, extensions: &[&str]) -> Result<()> {
    if extensions.contains(&extension_of(key).as_str()) {
        return Ok(());
    }
    Err(Error::refused(format!("不支持该文件格式，可上传：{}", extensions.join("、"))))
}

/// [`adopt`], with the size in bytes and the type that were noted when the file came.
async fn adopted(tx: &mut Tx, key: &str, owner: (&str, i64)) -> Result<(i64, i64, String)> {
    let id = adopt(tx, key, owner.0, owner.1).await?;
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    let row =
        sqlx::query("select size, content_type from file_object where id = $1").bind(id).fetch_one(&mut **tx).await?;
    Ok((id, row.try_get(0)?, row.try_get(1)?))
}

/// # Errors
/// 422 for a type that does not go with the extension.
fn is_what_it_says(key: &str, content_type: &str) -> Result<()> {
    if types::goes_with(&extension_of(key), content_type) {
        return Ok(());
    }
    Err(Error::refused("文件内容类型与扩展名不一致，请重新选择文件"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_smaller_than_papers() {
        assert_eq!(fits("image/png", 2 << 20), Ok(()));
        assert_eq!(fits("image/png", (2 << 20) + 1), Err("图片大小不能超过2MB".to_owned()));
        assert_eq!(fits("application/pdf", 10 << 20), Ok(()));
        assert_eq!(fits("application/pdf", (10 << 20) + 1), Err("文件大小不能超过10MB".to_owned()));
    }
}
