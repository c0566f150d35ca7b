//! Long scans that are as they should be: `known_scans.txt` names each with its reason. What it does not name is new, and to be
//! looked at.

use std::cell::Cell;

use crate::plan::LongScan;

struct Known {
    /// How the name of the call begins: `students, levelId`, whatever number it has.
    call: &'static str,
    table: &'static str,
    reason: &'static str,
    met: Cell<bool>,
}

/// The lines of the file.
pub struct KnownScans(Vec<Known>);

impl KnownScans {
    /// A line is a call, a table and a reason, parted by ` | `; other lines are remarks.
    pub fn read() -> Self {
        let lines = include_str!("known_scans.txt").lines().filter(|line| !line.starts_with('#'));
        let known = |line: &'static str| {
            let mut parts = line.splitn(3, " | ");
            Some(Known { call: parts.next()?, table: parts.next()?, reason: parts.next()?, met: Cell::new(false) })
        };
        Self(lines.filter_map(known).collect())
    }

    /// Why a call may read a table from end to end; none when nobody knows.
    pub fn reason(&self, call: &str, scan: &LongScan) -> Option<&'static str> {
        let known = self.0.iter().find(|known| call.starts_with(known.call) && known.table == scan.table)?;
        known.met.set(true);
        Some(known.reason)
    }

    /// Lines of calls among the `asked` that need none any more.
    pub fn outdated<'c>(&self, asked: impl Iterator<Item = &'c str> + Clone) -> Vec<String> {
        let idle = self.0.iter().filter(|known| !known.met.get());
        let idle = idle.filter(|known| asked.clone().any(|call| call.starts_with(known.call)));
        idle.map(|known| format!("{} | {}", known.call, known.table)).collect()
    }
}
