//! Stored files in one zip, written beside the requests.

use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

use bytes::Bytes;
use futures_util::TryStreamExt;
use tempfile::NamedTempFile;
use tokio::{sync::mpsc, task::JoinHandle};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::{App, Error, Result};

/// Pieces of files that may wait for the disk.
const WAITING: usize = 16;

#[derive(Debug)]
enum Message {
    /// A file begins.
    File(String),
    Piece(Bytes),
}

/// An archive in the making; it is whole when nobody sends any more.
pub struct Archive {
    sender: mpsc::Sender<Message>,
    written: JoinHandle<std::io::Result<NamedTempFile>>,
}

impl Archive {
    pub async fn start(app: &App) -> Result<Self> {
        let folder = app.config().data.join("tmp");
        tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
        let (sender, waiting) = mpsc::channel(WAITING);
        Ok(Self { sender, written: tokio::task::spawn_blocking(move || pack(folder, waiting)) })
    }

    /// Adds the stored file of this key under a name of its own. Answers false when it is gone.
    ///
    /// # Errors
    /// Internal, when the disk does not take it; [`Archive::finish`] says why.
    pub async fn add(&self, app: &App, name: impl FnOnce() -> String, key: &str) -> Result<bool> {
        let Some(object) = super::open(app, key).await? else { return Ok(false) };
        self.send(Message::File(name())).await?;
        let mut chunks = object.chunks;
        while let Some(chunk) = chunks.try_next().await? {
            self.send(Message::Piece(chunk)).await?;
        }
        Ok(true)
    }

    async fn send(&self, message: Message) -> Result<()> {
        self.sender.send(message).await.map_err(|_| Error::internal("the archive is no longer written"))
    }

    pub async fn finish(self) -> Result<NamedTempFile> {
        drop(self.sender);
        self.written.await.map_err(Error::internal)?.map_err(Error::internal)
    }
}

fn pack(folder: PathBuf, mut waiting: mpsc::Receiver<Message>) -> std::io::Result<NamedTempFile> {
    // Pictures and scans are compressed already.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut zip = ZipWriter::new(BufWriter::new(NamedTempFile::new_in(folder)?));
    while let Some(message) = waiting.blocking_recv() {
        match message {
            Message::File(name) => zip.start_file(name, options)?,
            Message::Piece(piece) => zip.write_all(&piece)?,
        }
    }
    zip.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)
}

/// A name that every system takes for one.
pub fn plain_name(name: &str) -> String {
    name.chars()
        .map(|sign| if sign.is_control() || r#"/\:*?"<>|"#.contains(sign) { '_' } else { sign })
        .collect::<String>()
        .trim_matches(['.', ' '])
        .to_owned()
}
