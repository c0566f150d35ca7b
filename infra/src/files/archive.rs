//! Stored files in one zip, written beside the requests: to a temporary file, or to a client while it is made.

mod packing;

use std::future::Future;

use bytes::Bytes;
use futures_util::{TryStreamExt, stream::poll_fn};
use poem::{Body as HttpBody, IntoResponse, Response, http::header};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::{Binary, Type},
};
use tempfile::NamedTempFile;
use tokio::{
    runtime::Handle,
    sync::mpsc,
    task::{JoinHandle, spawn_blocking},
};
use tracing::Instrument;

use self::packing::{Message, PATIENCE};
use crate::{App, Envelope, Error, Reply, Result, jobs::JobStarted};

/// Pieces of files that may wait for the disk or for the client.
const WAITING: usize = 16;
const ZIP: &str = "application/zip";

/// An archive in the making: one that becomes a file, or (`T = ()`) one that a client gets at once. Dropped before
/// [`Archive::finish`], it is none.
pub struct Archive<T = NamedTempFile> {
    sender: mpsc::Sender<Message>,
    written: JoinHandle<std::io::Result<T>>,
    /// What it means when nobody writes any more.
    ended: fn() -> Error,
}

impl Archive {
    pub async fn start(app: &App) -> Result<Self> {
        let folder = app.config().data.join("tmp");
        tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
        let (sender, waiting) = mpsc::channel(WAITING);
        let written = spawn_blocking(move || packing::to_file(&folder, waiting));
        Ok(Self { sender, written, ended: || Error::internal("the archive is no longer written") })
    }
}

impl<T> Archive<T> {
    /// Adds the stored file of this key under a name of its own. Answers false when it is gone.
    ///
    /// # Errors
    /// When nobody writes any more: internal, and [`Archive::finish`] says why; or the client has left.
    pub async fn add(&self, app: &App, name: impl FnOnce() -> String, key: &str) -> Result<bool> {
        let Some(object) = super::open(app, key).await? else { return Ok(false) };
        self.send(Message::File(name())).await?;
        let mut chunks = object.chunks;
        while let Some(chunk) = chunks.try_next().await? {
            self.send(Message::Piece(chunk)).await?;
        }
        Ok(true)
    }

    /// Adds bytes under a name of their own.
    ///
    /// # Errors
    /// As [`Archive::add`].
    pub async fn add_bytes(&self, name: String, bytes: impl Into<Bytes>) -> Result<()> {
        self.send(Message::File(name)).await?;
        self.send(Message::Piece(bytes.into())).await
    }

    async fn send(&self, message: Message) -> Result<()> {
        self.sender.send(message).await.map_err(|_| (self.ended)())
    }

    pub async fn finish(self) -> Result<T> {
        // Why it cannot be sent is told below.
        self.sender.send(Message::End).await.ok();
        self.written.await.map_err(Error::internal)?.map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => (self.ended)(),
            _ => Error::internal(error),
        })
    }
}

/// The answer that carries an archive while it is made, under a name for the browser.
pub struct ArchiveStream {
    name: String,
    pieces: mpsc::Receiver<std::io::Result<Bytes>>,
}

/// Begins an archive that goes to the client while `fill` makes it; nothing of it lies on a disk, and no more than some pieces
/// in memory. `fill` calls [`Archive::finish`]; when it fails before, the client's download breaks off instead of ending, and when the
/// client leaves, or takes too little for too long, `fill` fails at its next file.
///
/// # Errors
/// 429 when all places for exports are taken; the archive has one until its last byte left, or until the client is given up.
pub fn stream<F>(app: &App, name: String, fill: impl FnOnce(Archive<()>) -> F) -> Result<ArchiveStream>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let place = app.export_place()?;
    let (sender, waiting) = mpsc::channel(WAITING);
    let (passed, pieces) = mpsc::channel(WAITING);
    let runtime = Handle::current();
    let written = spawn_blocking(move || packing::to_client(passed, waiting, PATIENCE, runtime));
    let filled = fill(Archive { sender, written, ended: || Error::conflict("下载已中断") });
    let filling = async move {
        if let Err(error) = filled.await {
            tracing::info!(%error, "an archive was not finished");
        }
        drop(place);
    };
    tokio::spawn(filling.in_current_span());
    Ok(ArchiveStream { name, pieces })
}

impl IntoResponse for ArchiveStream {
    fn into_response(self) -> Response {
        let mut pieces = self.pieces;
        Response::builder()
            .content_type(ZIP)
            .header(header::CONTENT_DISPOSITION, store::attachment(&self.name))
            .body(HttpBody::from_bytes_stream(poll_fn(move |context| pieces.poll_recv(context))))
    }
}

impl ApiResponse for ArchiveStream {
    fn meta() -> MetaResponses {
        let content = vec![MetaMediaType { content_type: ZIP, schema: Binary::<Vec<u8>>::schema_ref() }];
        let response =
            MetaResponse { description: "压缩包", status: Some(200), status_range: None, content, headers: vec![] };
        MetaResponses { responses: vec![response] }
    }

    fn register(_registry: &mut Registry) {}
}

/// The answer of a download that may take long: the archive while it is made, or the job that will make it.
pub enum Archived {
    Stream(ArchiveStream),
    Job(Reply<JobStarted>),
}

impl IntoResponse for Archived {
    fn into_response(self) -> Response {
        match self {
            Self::Stream(archive) => archive.into_response(),
            Self::Job(started) => started.into_response(),
        }
    }
}

impl ApiResponse for Archived {
    fn meta() -> MetaResponses {
        let mut meta = ArchiveStream::meta();
        for response in &mut meta.responses {
            response.description = "压缩包；job=true 时为任务编号";
            response.content.push(MetaMediaType {
                content_type: "application/json; charset=utf-8",
                schema: Envelope::<JobStarted>::schema_ref(),
            });
        }
        meta
    }

    fn register(registry: &mut Registry) {
        Envelope::<JobStarted>::register(registry);
    }
}

/// A name that every system takes for one.
pub fn plain_name(name: &str) -> String {
    name.chars()
        .map(|sign| if sign.is_control() || r#"/\:*?"<>|"#.contains(sign) { '_' } else { sign })
        .collect::<String>()
        .trim_matches(['.', ' '])
        .to_owned()
}
