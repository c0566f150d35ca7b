//! 打印课表: of a class, a teacher or a classroom on A4 across: a grid of days and lessons, and a list for what is on single
//! days (part 03 B9).

use infra::{Allowed, Error, Result, transfer::Printed};
use poem_openapi::{OpenApi, param::Query};
use timetable_rules::{
    period::LessonPeriod,
    print::{Printing, sheet},
};
use tokio::task::spawn_blocking;

use super::{
    PrintTimetable,
    timetable::{Asked, Whose, entries, resource},
};
use crate::{enums::ResourceKind, period};

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl Prints {
    /// 打印课表
    /// 一个学期已发布的课表，A4横向
    #[oai(path = "/print", method = "get", operation_id = "printTimetable")]
    async fn print(
        &self,
        caller: Allowed<PrintTimetable>,
        /// 课表类型
        kind: Query<ResourceKind>,
        /// 编号
        id: Query<i64>,
        /// 学期
        #[oai(name = "semesterId")]
        semester_id: Query<i64>,
    ) -> Result<Printed> {
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let (kind, id, scope) = (kind.0, id.0, caller.scope());
        let mut tx = caller.read().await?;
        let semester = sqlx::query!("select name, starts_on, ends_on from semester where id = $1", semester_id.0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let whose = resource(&mut tx, kind, id, &scope).await?;
        let periods = period::load(&mut tx).await?;
        let asked = Asked {
            whose: Whose::of(kind, id),
            days: (semester.starts_on, semester.ends_on),
            only_published: true,
            cancelled: false,
        };
        let entries = entries(&mut tx, &asked, &scope).await?;
        drop(tx);
        if entries.is_empty() {
            return Err(Error::new(404, "该学期还没有已发布的课"));
        }
        let printing = Printing {
            school,
            semester: semester.name,
            kind,
            name: whose.name,
            periods: periods.of(whose.site).1.iter().map(LessonPeriod::of).collect(),
            entries,
        };
        let name = format!("课表_{}_{}.pdf", printing.semester, printing.name);
        let drawn = spawn_blocking(move || sheet(&printing).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name, bytes })
    }
}
