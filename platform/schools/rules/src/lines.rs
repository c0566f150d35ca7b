//! Rows of an export as a CSV has them.

use infra::sheet::formula::for_csv;

/// Lines of a CSV as PostgreSQL writes it: a line ends outside of quotes alone.
#[derive(Debug, Default)]
pub struct Lines {
    pub count: u64,
    quoted: bool,
    /// The field that has begun, until it ends.
    field: Vec<u8>,
}

impl Lines {
    /// The same bytes as far as fields have ended in them, with formulas made text.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut read = Vec::with_capacity(bytes.len() + 16);
        for byte in bytes {
            match byte {
                b'"' => self.quoted = !self.quoted,
                b',' | b'\n' if !self.quoted => {
                    self.count += u64::from(*byte == b'\n');
                    neutral(&self.field, &mut read);
                    self.field.clear();
                    read.push(*byte);
                    continue;
                }
                _ => {}
            }
            self.field.push(*byte);
        }
        read
    }
}

/// A field, with an apostrophe where it may be taken for a formula. A negative number is none.
fn neutral(field: &[u8], into: &mut Vec<u8>) {
    let (quote, text) = field.split_at(usize::from(field.first() == Some(&b'"')));
    into.extend_from_slice(quote);
    let shown = String::from_utf8_lossy(text);
    if shown.parse::<f64>().is_err() && for_csv(&shown) != shown {
        into.push(b'\'');
    }
    into.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_may_hold_several_lines() {
        let mut lines = Lines::default();
        for piece in ["id,note\n1,\"one\n", "two \"\"quoted\"\"\n\"\n2,plain\n"] {
            lines.read(piece.as_bytes());
        }
        assert_eq!(lines.count, 3);
    }

    #[test]
    fn no_field_is_a_formula() {
        let mut lines = Lines::default();
        let mut read = Vec::new();
        for piece in ["id,note,sum\n1,=cmd|/C calc!A0,-5\n2,\"=1,\"\"2\"\"", "\",-0.5\n3,-1+1,\n4,'=x,\n5,+86,@a\n"] {
            read.extend(lines.read(piece.as_bytes()));
        }
        assert_eq!(
            String::from_utf8_lossy(&read),
            "id,note,sum\n1,'=cmd|/C calc!A0,-5\n2,\"'=1,\"\"2\"\"\",-0.5\n3,'-1+1,\n4,''=x,\n5,+86,'@a\n"
        );
        assert_eq!(lines.count, 6);
    }
}
