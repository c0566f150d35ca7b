//! 全卷 as one document: of each archive its cover, its papers and 备考表, with bookmarks (part 04 §11).
//!
//! What is no PDF and no picture cannot be printed: a sheet in its place says where it lies.

use certificate_rules::enums::ArchiveItemCode;
use infra::{App, Error, Result, files};
use paper::{Binder, Paper, PaperError, Picture};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::{
    generate::head_of,
    print::{catalogue, items},
    select::{Archive, words},
};

/// Archives of one document.
pub(super) const MOST: usize = 20;
/// Bytes of their papers: all of them are held at once.
const MOST_BYTES: i64 = 100 << 20;
/// Of a picture on its page, in millimetres.
const PICTURE: (f32, f32) = (165.0, 215.0);

/// A paper that is there.
struct Kept {
    code: ArchiveItemCode,
    name: String,
    key: String,
    size: i64,
}

/// An archive with what is bound for it.
struct Shelf {
    archive: Archive,
    items: Vec<[String; 4]>,
    kept: Vec<Kept>,
}

/// What archives hold, to be bound.
///
/// # Errors
/// 999 for more archives or larger ones than one document takes.
pub(super) async fn bound(
    app: &App,
    connection: &mut PgConnection,
    school: String,
    archives: Vec<Archive>,
) -> Result<Vec<u8>> {
    if archives.len() > MOST {
        return Err(Error::new(999, format!("全卷一次最多打印{MOST}份，请缩小范围，或使用打包下载")));
    }
    let mut shelves = Vec::with_capacity(archives.len());
    for archive in archives {
        let items = items(connection, archive.id).await?;
        let kept = sqlx::query_as!(
            Kept,
            r#"select i.code as "code!: ArchiveItemCode", f.original_name as "name!", f.key as "key!", f.size as "size!"
               from archive_item i join file_object f on f.id = i.file_id where i.archive_id = $1 order by i.id"#,
            archive.id
        )
        .fetch_all(&mut *connection)
        .await?;
        shelves.push(Shelf { archive, items, kept });
    }
    if shelves.iter().flat_map(|shelf| &shelf.kept).map(|kept| kept.size).sum::<i64>() > MOST_BYTES {
        return Err(Error::new(999, "所选档案的材料超过100MB，请分几次打印，或使用打包下载"));
    }
    let mut binder = Binder::default();
    for shelf in shelves {
        let mut read = Vec::with_capacity(shelf.kept.len());
        for kept in &shelf.kept {
            let most = usize::try_from(kept.size).unwrap_or_default();
            read.push(files::beginning(app, &kept.key, most).await?);
        }
        let school = school.clone();
        let put = spawn_blocking(move || shelved(&mut binder, &school, &shelf, &read).map(|()| binder));
        binder = put.await.map_err(Error::internal)?.map_err(Error::internal)?;
    }
    spawn_blocking(move || binder.finish()).await.map_err(Error::internal)?.map_err(Error::internal)
}

/// Puts an archive behind the others.
fn shelved(binder: &mut Binder, school: &str, shelf: &Shelf, read: &[Option<Vec<u8>>]) -> Result<(), PaperError> {
    let archive = &shelf.archive;
    binder.part(format!("{}_{}", archive.student_no.as_deref().unwrap_or(&archive.archive_no), archive.name));
    if shelf.kept.iter().all(|kept| kept.code != ArchiveItemCode::Cover) {
        let mut cover = Paper::new("毕业档案", school);
        cover.space(30.0).cover("毕业生档案").space(20.0).fields(head_of(archive)).new_page();
        catalogue(&mut cover, archive, &shelf.items);
        binder.add(ArchiveItemCode::Cover.zh(), &cover.finish()?);
    }
    for (kept, bytes) in shelf.kept.iter().zip(read) {
        let title = kept.code.zh();
        let added = match bytes {
            Some(bytes) if bytes.starts_with(b"%PDF") => binder.add(title, bytes),
            Some(bytes) => match Picture::scan(bytes) {
                Some(picture) => {
                    let mut page = Paper::new(title, school);
                    page.heading(title).picture(&picture, PICTURE.0, PICTURE.1);
                    binder.add(title, &page.finish()?)
                }
                None => false,
            },
            None => false,
        };
        if !added {
            let why = if bytes.is_some() {
                "不能打印，请在归档的全卷文件中查看"
            } else {
                "文件已不存在，请重新上传"
            };
            let mut page = Paper::new(title, school);
            page.heading(title).paragraph(&format!("《{}》{why}。", kept.name));
            binder.add(title, &page.finish()?);
        }
    }
    let mut last = Paper::new("备考表", school);
    last.heading("备考表").fields([
        ("材料份数", shelf.items.len().to_string()),
        ("缺少材料", words(&archive.missing)),
        ("归档人", archive.sealed_by_name.clone().unwrap_or_default()),
        ("归档日期", archive.sealed_at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default()),
    ]);
    binder.add("备考表", &last.finish()?);
    Ok(())
}
