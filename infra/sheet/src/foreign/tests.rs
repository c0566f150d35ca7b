use std::io::Write;

use encoding_rs::GB18030;
use tempfile::NamedTempFile;

use super::*;

fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("its bytes");
    file
}

async fn rows(bytes: &[u8], name: &str) -> Result<(Vec<String>, Vec<Vec<Option<String>>>), SheetError> {
    let file = file(bytes);
    let mut table = Table::open(file.path(), name, Limits::default()).await?;
    let mut rows = Vec::new();
    while let Some(batch) = table.next().await? {
        for row in batch {
            rows.push((0..table.columns.len()).map(|column| row.text(column).expect("a text")).collect());
        }
    }
    Ok((table.columns, rows))
}

/// XM C8 and CSRQ D8; 张㐂 needs four bytes of GB18030 for its second sign.
fn dbf() -> Vec<u8> {
    let mut bytes = vec![0x03, 126, 1, 5, 3, 0, 0, 0, 97, 0, 17, 0];
    bytes.resize(32, 0);
    for (name, kind, length) in [("XM", b'C', 8), ("CSRQ", b'D', 8)] {
        let mut field = name.as_bytes().to_vec();
        field.resize(11, 0);
        field.push(kind);
        field.resize(16, 0);
        field.push(length);
        field.resize(32, 0);
        bytes.extend(field);
    }
    bytes.push(0x0D);
    for (mark, name, day) in [(b' ', "张㐂", "19900307"), (b'*', "李四", "19900308"), (b' ', "王五", "        ")]
    {
        bytes.push(mark);
        let mut cell = GB18030.encode(name).0.into_owned();
        cell.resize(8, b' ');
        bytes.extend(cell);
        bytes.extend(day.as_bytes());
    }
    bytes.push(0x1A);
    bytes
}

#[tokio::test]
async fn a_dbf_is_read_in_gb18030_without_its_deleted_records() {
    let (columns, found) = rows(&dbf(), "LQK.DBF").await.expect("a table");
    assert_eq!(columns, ["XM", "CSRQ"]);
    assert_eq!(found, [[Some("张㐂".to_owned()), Some("19900307".to_owned())], [Some("王五".to_owned()), None]]);
}

#[tokio::test]
async fn a_dbf_that_was_cut_off_is_refused() {
    let whole = dbf();
    let refused = rows(&whole[..whole.len() - 20], "a.dbf").await.expect_err("cut");
    assert_eq!(refused.to_string(), "文件不完整：应有3条记录，只有1条，请重新下载后再导入");
    assert!(matches!(rows(&whole[..40], "a.dbf").await, Err(SheetError::UnknownFormat)));
    assert!(matches!(rows(b"%PDF-1.4", "a.pdf").await, Err(SheetError::UnknownFormat)));
}

#[tokio::test]
async fn a_csv_is_read_in_either_encoding() {
    let text = "KSH,XM\r\n0501,\"张, 伟\"\r\n";
    let wanted = vec![vec![Some("0501".to_owned()), Some("张, 伟".to_owned())]];
    for bytes in
        [text.as_bytes().to_vec(), [b"\xEF\xBB\xBF", text.as_bytes()].concat(), GB18030.encode(text).0.into_owned()]
    {
        let (columns, found) = rows(&bytes, "a.csv").await.expect("a table");
        assert_eq!((columns, found), (vec!["KSH".to_owned(), "XM".to_owned()], wanted.clone()));
    }
}
