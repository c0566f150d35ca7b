//! An export over all schools of an operator: one file, school by school in the order of their codes (05 F 7).

use futures_util::TryStreamExt;
use tempfile::NamedTempFile;

use super::{Export, Wanted};
use crate::{
    App, Error, Result,
    across::{OwnSchools, SchoolNotice, own_schools},
    db::Purpose,
    directory::School,
    sheet::{Cell, Writer},
    transfer::folder,
};

const SCHOOL: (&str, u8) = ("院校", 24);
const REASON: (&str, u8) = ("原因", 40);
/// The last sheet, which names the schools that are missing or stopped midway.
const UNFINISHED: &str = "未完成";

/// The file, how many rows are in it, and how many schools are not, or not whole.
pub(super) async fn fill<E: Export>(
    app: &App,
    user_id: i64,
    wanted: Wanted<'_, E>,
) -> Result<(NamedTempFile, i64, usize)> {
    let OwnSchools { schools, notices, .. } = own_schools(app, user_id).await?;
    let headings = std::iter::once(SCHOOL).chain(wanted.headings());
    let mut writer = Writer::headed(&folder(app).await?, E::TITLE, headings);
    let mut unfinished: Vec<(String, String)> = notices.into_iter().map(left_out).collect();
    let mut written = 0;
    for school in schools {
        match one::<E>(app, &school, &wanted, &mut writer, &mut written).await {
            Ok(()) => {}
            Err(Stop::School(error)) => unfinished.push((school.shown_name(), error.msg.into_owned())),
            Err(Stop::Export(error)) => return Err(error),
        }
    }
    let missing = unfinished.len();
    if missing > 0 {
        writer.sheet(UNFINISHED, vec![SCHOOL, REASON]).await?;
        for (school, reason) in unfinished {
            writer.row(vec![Cell::Text(school), Cell::Text(reason)]).await?;
        }
    }
    Ok((writer.finish().await?, written, missing))
}

fn left_out(notice: SchoolNotice) -> (String, String) {
    (notice.school_name, notice.reason.zh().to_owned())
}

/// Why a school's rows ended before the last.
enum Stop {
    /// The school did not answer; the others go on.
    School(Error),
    /// The file cannot be written, or the job was cancelled.
    Export(Error),
}

async fn one<E: Export>(
    app: &App,
    school: &School,
    wanted: &Wanted<'_, E>,
    writer: &mut Writer,
    written: &mut i64,
) -> std::result::Result<(), Stop> {
    let key = school.key().map_err(Stop::School)?;
    let mut tx = app.db().in_school(key, Purpose::LongRead).await.map_err(Stop::School)?;
    let mut rows = E::rows(app, &mut tx, wanted.filter, wanted.scope).await.map_err(Stop::School)?;
    while let Some(row) = rows.try_next().await.map_err(|error| Stop::School(error.into()))? {
        let mut cells = vec![Cell::Text(school.shown_name())];
        cells.extend(wanted.cells(row, &[]));
        writer.row(cells).await.map_err(|error| Stop::Export(error.into()))?;
        *written += 1;
        wanted.progress(*written).await.map_err(Stop::Export)?;
    }
    Ok(())
}
