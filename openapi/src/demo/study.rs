//! Who is let loose on a demonstration school: its people, as the [`simulator`] plays them.

use infra::{App, Error, Result};
use schools::demo as mark;
use simulator::{Cast, Wanted, cast};

/// Host and cast of a demonstration school.
///
/// # Errors
/// 409 in a database that was not made for demonstration, where the passwords of its people are not those that everybody knows, for
/// a school that is none of the demonstration, and for one without people.
pub async fn prepare(app: &App, code: &str, wanted: Wanted) -> Result<(String, Cast)> {
    if !mark::is_for_demonstration(app).await? {
        return Err(Error::conflict("本数据库不是为演示建立的，不能模拟学习"));
    }
    let id = mark::of_code(app, code).await?.ok_or_else(|| Error::conflict(format!("没有代码为{code}的演示院校")))?;
    let host = mark::host(super::begin(app).await?, id).await?;
    let place = app.school(id).await?.ok_or_else(Error::not_found)?;
    let mut tx = infra::tx::at_the_server_read_in(app, &place).await?;
    let cast = cast(&mut tx, wanted, app.clock().today()).await?;
    if cast.learners.is_empty() {
        return Err(Error::conflict(format!("院校{code}没有可以学习的学生，请先用 demo fill 写入演示数据")));
    }
    Ok((host, cast))
}
