//! The program's own log: what went wrong is told with its cause, and a cause (a constraint's key, a file's name) may name
//! a person.

use std::io::{self, Write};

use super::shapes;

/// Writes lines with the personal data in them masked. It is given an event at a time, whole.
#[derive(Debug)]
pub struct Masked<W>(pub W);

impl<W: Write> Write for Masked<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        self.0.write_all(shapes(&String::from_utf8_lossy(event)).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_cause_that_names_a_person_is_masked() {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber =
            tracing_subscriber::fmt().with_ansi(false).with_writer(move || Masked(writer.clone())).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(
                cause = "Key (id_card_no)=(110101199011279026) already exists.",
                phone = 13_800_138_000_i64,
                "refused"
            );
        });
        let text = String::from_utf8(kept.0.lock().expect("no panic").clone()).expect("text");
        assert!(text.contains("(110***********9026)") && text.contains("phone=138****8000"), "{text}");
    }
}
