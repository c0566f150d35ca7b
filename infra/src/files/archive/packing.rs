//! The writing half of an archive, on a thread of its own.

use std::{
    cell::Cell,
    io::{self, BufWriter, IntoInnerError, Seek, Write},
    path::Path,
    rc::Rc,
};

use bytes::Bytes;
use tempfile::NamedTempFile;
use tokio::sync::mpsc;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Bytes that are gathered before they go to a client.
const PIECE: usize = 64 * 1024;

#[derive(Debug)]
pub(super) enum Message {
    /// A file begins.
    File(String),
    Piece(Bytes),
    /// Nothing is missing.
    End,
}

/// Packs what comes to a temporary file in the folder.
pub(super) fn to_file(folder: &Path, waiting: mpsc::Receiver<Message>) -> io::Result<NamedTempFile> {
    // Pictures and scans are compressed already.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut zip = ZipWriter::new(BufWriter::new(NamedTempFile::new_in(folder)?));
    pack(&mut zip, options, waiting)?;
    zip.finish()?.into_inner().map_err(IntoInnerError::into_error)
}

/// Packs what comes and passes it on to a client, piece by piece. What is not complete ends with an error in the place of the
/// next piece, so that no client takes it for whole.
pub(super) fn to_client(pieces: mpsc::Sender<io::Result<Bytes>>, waiting: mpsc::Receiver<Message>) -> io::Result<()> {
    // A size that stands behind its bytes is understood everywhere only of deflated ones.
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(1));
    let closed = Rc::new(Cell::new(false));
    let outlet = Outlet { pieces: pieces.clone(), gathered: Vec::with_capacity(PIECE), closed: Rc::clone(&closed) };
    let mut zip = ZipWriter::new_stream(outlet);
    if let Err(error) = pack(&mut zip, options, waiting) {
        // Dropped while it is open, it would write what makes an archive of the files that are there.
        closed.set(true);
        drop(zip);
        return pieces.blocking_send(Err(error)).map_err(|_| left());
    }
    zip.finish()?.into_inner().pass()
}

fn pack<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    options: SimpleFileOptions,
    mut waiting: mpsc::Receiver<Message>,
) -> io::Result<()> {
    loop {
        match waiting.blocking_recv() {
            Some(Message::File(name)) => zip.start_file(name, options)?,
            Some(Message::Piece(piece)) => zip.write_all(&piece)?,
            Some(Message::End) => return Ok(()),
            None => return Err(io::Error::other("the archive was abandoned")),
        }
    }
}

fn left() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the client has left")
}

/// Gathers what is written and passes it on.
struct Outlet {
    pieces: mpsc::Sender<io::Result<Bytes>>,
    gathered: Vec<u8>,
    /// From then on nobody gets anything.
    closed: Rc<Cell<bool>>,
}

impl Outlet {
    /// Waits while the client is behind.
    fn pass(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.gathered, Vec::with_capacity(PIECE));
        self.pieces.blocking_send(Ok(piece.into())).map_err(|_| {
            self.closed.set(true);
            left()
        })
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed.get() {
            return Ok(bytes.len());
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= PIECE {
            self.pass()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Cursor, Read},
        thread,
    };

    use zip::ZipArchive;

    use super::*;

    struct Packing {
        messages: mpsc::Sender<Message>,
        pieces: mpsc::Receiver<io::Result<Bytes>>,
        thread: thread::JoinHandle<io::Result<()>>,
    }

    fn begun() -> Packing {
        let (messages, waiting) = mpsc::channel(4);
        let (sender, pieces) = mpsc::channel(1_000);
        Packing { messages, pieces, thread: thread::spawn(move || to_client(sender, waiting)) }
    }

    impl Packing {
        fn send(&self, message: Message) {
            self.messages.blocking_send(message).unwrap();
        }

        fn file(&self, name: &str, bytes: Vec<u8>) {
            self.send(Message::File(name.to_owned()));
            self.send(Message::Piece(bytes.into()));
        }
    }

    /// Bytes that do not become fewer.
    fn noise(count: u32) -> Vec<u8> {
        (0..count).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    #[test]
    fn what_a_client_gets_is_an_archive() {
        let mut packing = begun();
        packing.file("2026级/城东站/1班/2026001_张伟/登记表.pdf", noise(300_000));
        packing.file("汇总.xlsx", b"sheet".to_vec());
        packing.send(Message::End);
        let mut bytes = Vec::new();
        while let Some(piece) = packing.pieces.blocking_recv() {
            bytes.extend_from_slice(&piece.unwrap());
        }
        packing.thread.join().unwrap().unwrap();
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.len(), 2);
        let mut read = Vec::new();
        archive.by_name("2026级/城东站/1班/2026001_张伟/登记表.pdf").unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(read, noise(300_000));
    }

    #[test]
    fn what_is_not_complete_ends_with_an_error() {
        let mut packing = begun();
        packing.file("1.pdf", noise(300_000));
        drop(packing.messages);
        let mut bytes = Vec::new();
        let error = loop {
            match packing.pieces.blocking_recv() {
                Some(Ok(piece)) => bytes.extend_from_slice(&piece),
                Some(Err(error)) => break error,
                None => panic!("it ended as if it were whole"),
            }
        };
        assert_eq!(error.to_string(), "the archive was abandoned");
        packing.thread.join().unwrap().unwrap();
        assert!(packing.pieces.blocking_recv().is_none());
        assert!(ZipArchive::new(Cursor::new(bytes)).is_err());
    }

    #[test]
    fn nothing_is_packed_for_a_client_who_left() {
        let Packing { messages, pieces, thread } = begun();
        drop(pieces);
        messages.blocking_send(Message::File("1.pdf".to_owned())).unwrap();
        // The channel takes a few; then it is closed.
        while messages.blocking_send(Message::Piece(noise(100_000).into())).is_ok() {}
        assert_eq!(thread.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
