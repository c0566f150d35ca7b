//! 导出数据: a school as a zip that needs no server to be read (01 §5.3).
//!
//! ```text
//! manifest.json      version, and of each table rows, bytes and sha256
//! tables/<table>.csv UTF-8 with byte order mark, as the tables stood in one moment; a text that a spreadsheet may take for
//!                    a formula has an apostrophe before it
//! files.csv          name, size and owner of each stored file
//! files/<key>        the files themselves, when they were asked for
//! ```
//! The rows go from the database through a bounded channel to a thread that packs them, so that memory does not depend on
//! how large a school is.

use std::{
    borrow::Cow,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use aws_lc_rs::digest;
use bytes::Bytes;
use futures_util::TryStreamExt;
use infra::{
    App, Error, ReadTx, Result,
    directory::School,
    files,
    jobs::{JobRun, Outcome},
    migrate::hex,
};
use school_rules::lines::Lines;
use serde::Serialize;
use serde_json::json;
use sqlx::Executor;
use tempfile::NamedTempFile;
use tokio::{
    sync::mpsc,
    task::{JoinHandle, spawn_blocking},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Pieces that may wait for the packing thread; a piece is at most some 64 KiB.
const WAITING: usize = 64;
/// What spreadsheets need to know that a file is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) async fn work(run: JobRun) -> Result<Outcome> {
    let id = run.params["schoolId"].as_i64().ok_or_else(|| Error::internal("the job names no school"))?;
    let with_objects = run.params["objects"].as_bool().unwrap_or_default();
    let app = run.app().clone();
    let school = app.school(id).await?.ok_or_else(Error::not_found)?;
    let mut tx = run.read_in(&school).await?;
    let (file, tables) = write(&app, &mut tx, &school, with_objects, Some(&run)).await?;
    drop(tx);
    let name = format!("{}_{}.zip", school.code, app.clock().today().format("%Y%m%d"));
    let result_file = files::keep_result(&app, None, run.actor.id, &name, file.path()).await?;
    let message = format!("已导出{tables}张表，文件保留7天");
    Ok(Outcome { message, result_file: Some(result_file), ..Outcome::default() })
}

/// Packs a school as it stands in this snapshot, which must not have been read yet; answers the file and how many tables.
pub async fn write(
    app: &App,
    tx: &mut ReadTx,
    school: &School,
    with_objects: bool,
    run: Option<&JobRun>,
) -> Result<(NamedTempFile, usize)> {
    tx.execute("set transaction isolation level repeatable read").await?;
    let tables = tables(tx).await?;
    let total = i64::try_from(tables.len()).unwrap_or(i64::MAX);
    let folder = app.config().data.join("tmp");
    tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
    let mut archive = Archive::start(folder);
    for (table, done) in tables.iter().zip(0..) {
        tell(run, table, done, total).await?;
        archive.table(tx, &format!("tables/{table}.csv"), table).await?;
    }
    tell(run, "文件清单", total, total).await?;
    let listed = "(select key, original_name, size, content_type, sha256, file_type, owner_type, owner_id, created_at
                   from file_object where state = 'stored' order by id)";
    archive.table(tx, "files.csv", listed).await?;
    if with_objects {
        archive.objects(app, tx, run).await?;
    }
    let about = json!({
        "product": "chengjiao",
        "exportedAt": app.clock().now().to_rfc3339(),
        "school": { "id": school.id, "code": school.code, "name": school.name },
        "schemaVersion": school.schema_version,
        "schemaChecksum": school.schema_checksum,
    });
    Ok((archive.finish(about).await?, tables.len()))
}

/// Shows how far a job is; at the command line nobody looks.
async fn tell(run: Option<&JobRun>, step: &str, done: i64, total: i64) -> Result<()> {
    match run {
        Some(run) => run.progress(step, done, total).await,
        None => Ok(()),
    }
}

/// The tables of the transaction's schema. How far its migrations are stands in the manifest.
async fn tables(tx: &mut ReadTx) -> Result<Vec<String>> {
    let names: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname <> '_sqlx_migrations' order by 1",
    )
    .fetch_all(&mut **tx)
    .await?;
    let plain = |name: &String| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    match names.iter().find(|name| !plain(name)) {
        Some(odd) => Err(Error::internal(format!("{odd:?} is no plain identifier"))),
        None => Ok(names),
    }
}

#[derive(Debug)]
enum Message {
    /// A file begins; `rows` when it is a table.
    File {
        name: String,
        rows: bool,
    },
    Piece(Bytes),
    /// All files are there; what the manifest says besides.
    End(serde_json::Value),
}

/// A zip that is being packed. Dropped before [`Archive::finish`], it leaves nothing.
struct Archive {
    messages: mpsc::Sender<Message>,
    thread: JoinHandle<std::io::Result<NamedTempFile>>,
}

impl Archive {
    fn start(folder: PathBuf) -> Self {
        let (messages, waiting) = mpsc::channel(WAITING);
        Self { messages, thread: spawn_blocking(move || pack(&folder, waiting)) }
    }

    /// Waits while the disk is behind.
    async fn send(&mut self, message: Message) -> Result<()> {
        if self.messages.send(message).await.is_ok() {
            return Ok(());
        }
        Err(match (&mut self.thread).await {
            Ok(Err(error)) => Error::of_disk(error),
            Ok(Ok(_)) => Error::internal("the archive was finished early"),
            Err(panic) => Error::internal(panic),
        })
    }

    /// `rows` is a table's name, or a query in brackets; text of this file alone.
    async fn table(&mut self, tx: &mut ReadTx, name: &str, rows: &str) -> Result<()> {
        self.send(Message::File { name: name.to_owned(), rows: true }).await?;
        let mut pieces = tx.copy_out_raw(&format!("copy {rows} to stdout (format csv, header)")).await?;
        while let Some(piece) = pieces.try_next().await? {
            self.send(Message::Piece(piece)).await?;
        }
        Ok(())
    }

    /// The files themselves; one whose bytes are gone is left out, and is missed by whoever compares with `files.csv`.
    async fn objects(&mut self, app: &App, tx: &mut ReadTx, run: Option<&JobRun>) -> Result<()> {
        let (mut after, mut done) = (0_i64, 0_i64);
        loop {
            let page = sqlx::query!(
                "select id, key from file_object where state = 'stored' and id > $1 order by id limit 500",
                after
            )
            .fetch_all(&mut **tx)
            .await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.id;
            for row in &page {
                let Some(mut object) = files::open(app, &row.key).await? else { continue };
                self.send(Message::File { name: format!("files/{}", row.key), rows: false }).await?;
                while let Some(piece) = object.chunks.try_next().await? {
                    self.send(Message::Piece(piece)).await?;
                }
                done += 1;
            }
            tell(run, "文件", done, done).await?;
        }
    }

    async fn finish(mut self, about: serde_json::Value) -> Result<NamedTempFile> {
        self.send(Message::End(about)).await?;
        self.thread.await.map_err(Error::internal)?.map_err(Error::of_disk)
    }
}

/// What the manifest says of one file.
#[derive(Debug, Serialize)]
struct Packed {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    bytes: u64,
    sha256: String,
}

/// A file that is being packed.
struct Open {
    name: String,
    lines: Option<Lines>,
    bytes: u64,
    hash: digest::Context,
}

impl Open {
    fn begin(name: String, rows: bool, zip: &mut ZipWriter<BufWriter<NamedTempFile>>) -> std::io::Result<Self> {
        zip.start_file(name.as_str(), options())?;
        let mut open =
            Self { name, lines: rows.then(Lines::default), bytes: 0, hash: digest::Context::new(&digest::SHA256) };
        if rows {
            open.write(BYTE_ORDER_MARK, zip)?;
        }
        Ok(open)
    }

    fn write(&mut self, piece: &[u8], zip: &mut ZipWriter<BufWriter<NamedTempFile>>) -> std::io::Result<()> {
        let piece = match &mut self.lines {
            Some(lines) => Cow::Owned(lines.read(piece)),
            None => Cow::Borrowed(piece),
        };
        zip.write_all(&piece)?;
        self.bytes += piece.len() as u64;
        self.hash.update(&piece);
        Ok(())
    }

    fn end(self) -> Packed {
        // The first line has the names of the columns.
        let rows = self.lines.map(|lines| lines.count.saturating_sub(1));
        Packed { name: self.name, rows, bytes: self.bytes, sha256: hex(self.hash.finish().as_ref()) }
    }
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true)
}

fn pack(folder: &Path, mut waiting: mpsc::Receiver<Message>) -> std::io::Result<NamedTempFile> {
    let mut zip = ZipWriter::new(BufWriter::new(NamedTempFile::new_in(folder)?));
    let mut packed: Vec<Packed> = Vec::new();
    let mut open: Option<Open> = None;
    loop {
        match waiting.blocking_recv() {
            Some(Message::File { name, rows }) => {
                packed.extend(open.take().map(Open::end));
                open = Some(Open::begin(name, rows, &mut zip)?);
            }
            Some(Message::Piece(piece)) => {
                if let Some(open) = &mut open {
                    open.write(&piece, &mut zip)?;
                }
            }
            Some(Message::End(mut manifest)) => {
                packed.extend(open.take().map(Open::end));
                let (tables, files): (Vec<&Packed>, Vec<&Packed>) = packed.iter().partition(|file| file.rows.is_some());
                manifest["tables"] = json!(tables);
                manifest["files"] = json!(files);
                zip.start_file("manifest.json", options())?;
                zip.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
                return zip.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error);
            }
            None => return Err(std::io::Error::other("the export was given up")),
        }
    }
}
