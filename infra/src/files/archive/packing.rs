//! The writing half of an archive, on a thread of its own.

use std::{
    cell::Cell,
    io::{self, BufWriter, IntoInnerError, Seek, Write},
    path::Path,
    rc::Rc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use tempfile::NamedTempFile;
use tokio::{
    runtime::Handle,
    sync::mpsc::{self, error::SendTimeoutError},
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Bytes that are gathered before they go to a client.
const PIECE: usize = 64 * 1024;

/// How far a client may be behind: somebody who takes nothing, or a byte now and then, holds a place that others wait for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The longest wait for a client that takes nothing.
    pub(super) most: Duration,
    /// What each piece that it takes gives back of what it was waited for.
    pub(super) earned: Duration,
}

/// A client that takes less than 32 KiB a second on and on is left after a minute.
pub(super) const PATIENCE: Patience = Patience { most: Duration::from_secs(60), earned: Duration::from_secs(2) };

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
/// next piece, so that no client takes it for whole. The runtime tells when a client has been waited for long enough.
pub(super) fn to_client(
    pieces: mpsc::Sender<io::Result<Bytes>>,
    waiting: mpsc::Receiver<Message>,
    patience: Patience,
    runtime: Handle,
) -> io::Result<()> {
    // A size that stands behind its bytes is understood everywhere only of deflated ones.
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(1));
    // The error has a place of its own: a client who is behind has taken all others.
    let last = pieces.clone().try_reserve_owned().map_err(|_| left())?;
    let closed = Rc::new(Cell::new(false));
    let outlet = Outlet {
        pieces,
        gathered: Vec::with_capacity(PIECE),
        closed: Rc::clone(&closed),
        runtime,
        patience,
        left: patience.most,
    };
    let mut zip = ZipWriter::new_stream(outlet);
    let packed = match pack(&mut zip, options, waiting) {
        Ok(()) => zip.finish().map_err(io::Error::from).and_then(|stream| stream.into_inner().pass()),
        Err(error) => {
            // Dropped while it is open, it would write what makes an archive of the files that are there.
            closed.set(true);
            drop(zip);
            Err(error)
        }
    };
    let Err(error) = packed else { return Ok(()) };
    let ended = if error.kind() == io::ErrorKind::BrokenPipe { Err(left()) } else { Ok(()) };
    last.send(Err(error));
    ended
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

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the client is too slow")
}

/// Gathers what is written and passes it on.
struct Outlet {
    pieces: mpsc::Sender<io::Result<Bytes>>,
    gathered: Vec<u8>,
    /// From then on nobody gets anything.
    closed: Rc<Cell<bool>>,
    runtime: Handle,
    patience: Patience,
    /// How long the client may still be waited for.
    left: Duration,
}

impl Outlet {
    /// Waits while the client is behind, as long as there is patience.
    fn pass(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.gathered, Vec::with_capacity(PIECE));
        let begun = Instant::now();
        let sent = self.runtime.block_on(self.pieces.send_timeout(Ok(piece.into()), self.left));
        self.left = (self.left.saturating_sub(begun.elapsed()) + self.patience.earned).min(self.patience.most);
        sent.map_err(|error| {
            self.closed.set(true);
            match error {
                SendTimeoutError::Closed(_) => left(),
                SendTimeoutError::Timeout(_) => too_slow(),
            }
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

    use tokio::runtime::{Builder, Runtime};
    use zip::ZipArchive;

    use super::*;

    struct Packing {
        messages: mpsc::Sender<Message>,
        pieces: mpsc::Receiver<io::Result<Bytes>>,
        thread: thread::JoinHandle<io::Result<()>>,
        /// Keeps the time.
        runtime: Runtime,
    }

    fn begun() -> Packing {
        begun_with(1_000, PATIENCE)
    }

    /// For a client of whom so many pieces may wait.
    fn begun_with(room: usize, patience: Patience) -> Packing {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let (messages, waiting) = mpsc::channel(4);
        let (sender, pieces) = mpsc::channel(room);
        let handle = runtime.handle().clone();
        let thread = thread::spawn(move || to_client(sender, waiting, patience, handle));
        Packing { messages, pieces, thread, runtime }
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
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[3]
        };
        (0..count).map(next).collect()
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
        let Packing { messages, pieces, thread, runtime: _runtime } = begun();
        drop(pieces);
        // Who left before the packing began is noticed at once; else the channel takes a few, then it is closed.
        if messages.blocking_send(Message::File("1.pdf".to_owned())).is_ok() {
            while messages.blocking_send(Message::Piece(noise(100_000).into())).is_ok() {}
        }
        assert_eq!(thread.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    const SHORT: Patience = Patience { most: Duration::from_millis(300), earned: Duration::from_millis(1) };

    #[test]
    fn a_client_who_takes_nothing_is_left() {
        let mut packing = begun_with(3, SHORT);
        packing.send(Message::File("1.pdf".to_owned()));
        while packing.messages.blocking_send(Message::Piece(noise(100_000).into())).is_ok() {}
        assert_eq!(packing.thread.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        for _ in 0..2 {
            assert!(packing.pieces.blocking_recv().unwrap().is_ok(), "what waited for the client");
        }
        let error = packing.pieces.blocking_recv().unwrap().unwrap_err();
        assert!(error.to_string().contains("too slow"), "{error}");
        assert!(packing.pieces.blocking_recv().is_none());
    }

    #[test]
    fn a_client_who_takes_little_is_left_and_one_who_goes_on_is_not() {
        // All waits together are longer than the patience at first; only in the second case enough is earned meanwhile.
        for (pause, earned, whole) in [(100, 1, false), (20, 50, true)] {
            let patience = Patience { earned: Duration::from_millis(earned), ..SHORT };
            let Packing { messages, mut pieces, thread, runtime: _runtime } = begun_with(2, patience);
            let fed = thread::spawn(move || {
                let sent = |message| messages.blocking_send(message).is_ok();
                sent(Message::File("1.pdf".to_owned()))
                    && (0..20).all(|_| sent(Message::Piece(noise(100_000).into())))
                    && sent(Message::End)
            });
            let mut broken = false;
            while let Some(piece) = pieces.blocking_recv() {
                broken |= piece.is_err();
                thread::sleep(Duration::from_millis(pause));
            }
            fed.join().unwrap();
            assert_eq!((broken, thread.join().unwrap().is_ok()), (!whole, whole), "{pause} ms between two pieces");
        }
    }
}
