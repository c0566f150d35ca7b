//! 打印: tickets, papers for doors, desks and bags, lists to sign, records (part 04 §4.6). Many pages become a job with an archive of papers.

use std::collections::BTreeMap;

use exam_seat_rules::labels::{self, CourseCount, Head, RoomSheet, SeatLine};
use infra::{
    Allowed, App, Body, Envelope, Error, Result, Scope,
    access::Permission,
    across::{KeyQuery, Keyed},
    enumeration,
    files::{self, archive::Archive},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    transfer::Printed,
};
use paper::Picture;
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Object, OpenApi,
    registry::{MetaMediaType, MetaResponses, Registry},
    types::{Example, ParseFromJSON, ToJSON, Type},
};
use serde_json::json;
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::{ExamSeatFilter, PrintSeats, Seats};
use crate::ticket::{RawTicket, drawn_of, photo_of, sheets_of, span};

pub const JOB: JobKind =
    JobKind { kind: "seats.print", code: Some(PrintSeats::CODE), run: |run| Box::pin(work(run)), headings: None };

/// Pages that the call itself draws.
const PAGES: usize = 500;
/// Tickets, or people of a list, that one paper of an archive holds.
const AT_ONCE: usize = 600;

enumeration! {
    /// 打印内容
    pub enum SeatPaper = "seatPaper" {
        Ticket = "ticket" "准考证",
        Door = "door" "门贴",
        Desk = "desk" "桌贴",
        Attendance = "attendance" "签到表",
        Record = "record" "考场情况记录表",
        Bag = "bag" "试卷袋封面",
    }
}

impl SeatPaper {
    /// Pages that so many people on seats take, about.
    const fn pages(self, people: usize) -> usize {
        match self {
            Self::Ticket => people.div_ceil(2),
            Self::Desk => people.div_ceil(24),
            Self::Door | Self::Attendance | Self::Record | Self::Bag => people.div_ceil(30),
        }
    }
}

/// Whose seats are printed.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatPrint {
    /// 考生编号
    /// 不填时为符合条件的全部考生
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Option<Vec<i64>>,
    #[oai(flatten)]
    pub filter: ExamSeatFilter,
}

impl Example for SeatPrint {
    fn example() -> Self {
        Self { ids: None, filter: ExamSeatFilter { session_id: Some(1), ..ExamSeatFilter::default() } }
    }
}

/// The paper, or the job that draws many.
pub enum SeatPrinted {
    Paper(Printed),
    Job(infra::Reply<JobStarted>),
}

impl IntoResponse for SeatPrinted {
    fn into_response(self) -> Response {
        match self {
            Self::Paper(paper) => paper.into_response(),
            Self::Job(started) => started.into_response(),
        }
    }
}

impl ApiResponse for SeatPrinted {
    fn meta() -> MetaResponses {
        let mut meta = Printed::meta();
        for response in &mut meta.responses {
            response.description = "PDF文件；超过500页时为任务编号";
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

pub struct Prints;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room/print", tag = "crate::Tag::ExamSeats")]
impl Prints {
    /// 打印准考证
    #[oai(path = "/ticket", method = "post", operation_id = "printExamTickets")]
    async fn ticket(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Ticket, wanted).await
    }

    /// 打印门贴
    #[oai(path = "/door", method = "post", operation_id = "printExamDoors")]
    async fn door(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Door, wanted).await
    }

    /// 打印桌贴
    #[oai(path = "/desk", method = "post", operation_id = "printExamDesks")]
    async fn desk(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Desk, wanted).await
    }

    /// 打印签到表
    #[oai(path = "/attendance", method = "post", operation_id = "printExamAttendance")]
    async fn attendance(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Attendance, wanted).await
    }

    /// 打印考场情况记录表
    #[oai(path = "/record", method = "post", operation_id = "printExamRecords")]
    async fn record(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Record, wanted).await
    }

    /// 打印试卷袋封面
    #[oai(path = "/bag", method = "post", operation_id = "printExamBags")]
    async fn bag(&self, caller: Allowed<PrintSeats>, Body(wanted): Body<SeatPrint>) -> Result<SeatPrinted> {
        print(&caller, SeatPaper::Bag, wanted).await
    }
}

/// The candidates with a seat that are wanted, in the order of the list.
///
/// # Errors
/// 422 without a batch or a session; 999 when nobody sits there.
async fn chosen(connection: &mut PgConnection, wanted: &SeatPrint, scope: &Scope) -> Result<Vec<i64>> {
    if wanted.ids.is_none() && wanted.filter.batch_id.is_none() && wanted.filter.session_id.is_none() {
        return Err(Error::field("sessionId", "请选择批次或场次"));
    }
    let filter = ExamSeatFilter { seated: Some(true), ..wanted.filter.clone() };
    let keys = Seats::matching(connection, &filter, scope, KeyQuery::default()).await?;
    let ticked = |id: &i64| wanted.ids.as_ref().is_none_or(|ids| ids.contains(id));
    let ids: Vec<i64> = keys.into_iter().map(|key| key.id).filter(ticked).collect();
    if ids.is_empty() { Err(Error::new(999, "没有已编排座位的考生")) } else { Ok(ids) }
}

async fn print(caller: &Allowed<PrintSeats>, paper: SeatPaper, wanted: SeatPrint) -> Result<SeatPrinted> {
    let mut tx = caller.read_long().await?;
    let ids = chosen(&mut tx, &wanted, &caller.scope()).await?;
    caller.note("export", json!({ "rows": ids.len(), "paper": paper.as_str() }));
    if paper.pages(ids.len()) > PAGES {
        drop(tx);
        let job = NewJob {
            kind: JOB.kind,
            target: format!("{}:{}", paper.as_str(), wanted.filter.session_id.unwrap_or_default()),
            title: format!("打印{}（{}人次）", paper.zh(), ids.len()),
            params: json!({ "paper": paper.as_str(), "wanted": wanted.to_json() }),
        };
        let job_id = jobs::start(caller.caller(), job).await?;
        return Ok(SeatPrinted::Job(reply(JobStarted { job_id })));
    }
    let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
    let head = head(caller.app(), school, &caller.session.real_name);
    let bytes = drawn(caller.app(), &mut tx, paper, head, &ids).await?;
    Ok(SeatPrinted::Paper(Printed { name: format!("{}.pdf", paper.zh()), bytes }))
}

fn head(app: &App, school: String, who: &str) -> Head {
    Head { school, printed: format!("{} {who}", app.clock().now().format("%Y-%m-%d %H:%M")) }
}

async fn work(run: JobRun) -> Result<Outcome> {
    let wanted = SeatPrint::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let paper = run.params["paper"].as_str().and_then(SeatPaper::parse);
    let paper = paper.ok_or_else(|| Error::internal("the job names no paper"))?;
    let scope = run.scope(PrintSeats::CODE).await?;
    if matches!(paper, SeatPaper::Ticket | SeatPaper::Attendance) {
        run.show_whole();
    }
    let school = run.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
    let head = head(run.app(), school, &run.actor.name);
    let mut tx = run.read().await?;
    let ids = chosen(&mut tx, &wanted, &scope).await?;
    let archive = Archive::start(run.app()).await?;
    let total = i64::try_from(ids.len()).map_err(Error::internal)?;
    let mut done = 0;
    for (place, part) in ids.chunks(AT_ONCE).enumerate() {
        run.progress(&run.title, done, total).await?;
        let bytes = drawn(run.app(), &mut tx, paper, head.clone(), part).await?;
        archive.add_bytes(format!("{}_{:02}.pdf", paper.zh(), place + 1), bytes).await?;
        done += i64::try_from(part.len()).map_err(Error::internal)?;
    }
    drop(tx);
    let file = archive.finish().await?;
    let name = format!("{}_{}.zip", paper.zh(), run.app().clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    let result_file = Some(files::keep_result(run.app(), school, run.actor.id, &name, file.path()).await?);
    Ok(Outcome { message: format!("共{total}人次"), result_file, ..Outcome::default() })
}

/// The paper of these candidates.
async fn drawn(app: &App, connection: &mut PgConnection, paper: SeatPaper, head: Head, ids: &[i64]) -> Result<Vec<u8>> {
    if paper == SeatPaper::Ticket {
        let tickets = tickets_of(app, connection, ids).await?;
        let drawn = spawn_blocking(move || labels::tickets(&head, &drawn_of(tickets)).finish());
        return drawn.await.map_err(Error::internal)?.map_err(Error::internal);
    }
    let rooms = rooms_of(app, connection, ids, paper == SeatPaper::Attendance).await?;
    let drawn = spawn_blocking(move || {
        let rooms: Vec<RoomSheet> = rooms.into_iter().map(RawRoom::read).collect();
        match paper {
            SeatPaper::Door => labels::doors(&head, &rooms),
            SeatPaper::Desk => labels::desks(&head, &rooms),
            SeatPaper::Attendance => labels::attendance(&head, &rooms),
            SeatPaper::Record => labels::records(&head, &rooms),
            SeatPaper::Ticket | SeatPaper::Bag => labels::bags(&head, &rooms),
        }
        .finish()
    });
    drawn.await.map_err(Error::internal)?.map_err(Error::internal)
}

/// The tickets of candidates, batch by batch, each person once.
///
/// # Errors
/// 409 before seats are confirmed.
async fn tickets_of(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<RawTicket>> {
    let people = sqlx::query!(
        "select distinct batch_id, student_id from exam_candidate where id = any($1) order by batch_id, student_id",
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut batches: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in people {
        batches.entry(row.batch_id).or_default().push(row.student_id);
    }
    let mut tickets = Vec::new();
    for (batch, students) in batches {
        tickets.extend(sheets_of(app, connection, batch, &students).await?);
    }
    if tickets.is_empty() { Err(Error::conflict("座位还没有确认，没有准考证号")) } else { Ok(tickets) }
}

/// A room of a session with the bytes of its pictures.
struct RawRoom {
    sheet: RoomSheet,
    photos: Vec<Option<Vec<u8>>>,
}

impl RawRoom {
    fn read(self) -> RoomSheet {
        let mut sheet = self.sheet;
        for (seat, photo) in sheet.seats.iter_mut().zip(self.photos) {
            seat.photo = photo.as_deref().and_then(Picture::read);
        }
        sheet
    }
}

async fn rooms_of(app: &App, connection: &mut PgConnection, ids: &[i64], with_photos: bool) -> Result<Vec<RawRoom>> {
    let rows = sqlx::query!(
        r#"select r.id as "room!", b.name as "batch!", x.code as "code!", x.name as "session!", x.starts_at as "starts_at!",
                  x.ends_at as "ends_at!", z.name as "site!", r.exam_room_no as "exam_room_no!", e.name as "place!",
                  coalesce(r.paper_bag_no, '') as "bag!", t.seat_no as "seat_no!", coalesce(k.ticket_no, '') as "ticket_no!",
                  coalesce(y.student_no, '') as "student_no!", y.name as "name!", y.id_card_no as "id_card_no!",
                  u.code as "course_code!", u.name as "course!", c.extra_minutes as "extra!", f.key as "photo?"
           from offline_seat t
           join exam_candidate c on c.id = t.candidate_id
           join course u on u.id = c.course_id
           join test_batch b on b.id = c.batch_id
           join offline_session x on x.id = t.session_id
           join offline_session_room r on r.id = t.session_room_id
           join exam_room e on e.id = r.room_id
           join site z on z.id = r.site_id
           join student y on y.id = t.student_id
           left join exam_ticket k on k.batch_id = c.batch_id and k.student_id = t.student_id
           left join file_object f on f.id = coalesce(y.graduation_photo_id, y.enrol_photo_id, y.admission_photo_id)
                and f.state = 'stored'
           where t.candidate_id = any($1)
           order by x.starts_at, x.id, z.code, r.exam_room_no, t.seat_no"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut rooms: Vec<(i64, RawRoom)> = Vec::new();
    for row in rows {
        let photo = if with_photos { photo_of(app, row.photo.as_deref()).await? } else { None };
        if rooms.last().is_none_or(|(last, _)| *last != row.room) {
            let sheet = RoomSheet {
                batch: row.batch,
                session: format!("{} {}", row.code, row.session),
                time: span(row.starts_at, row.ends_at),
                site: row.site,
                exam_room_no: row.exam_room_no,
                place: row.place,
                paper_bag_no: format!("{}{}", row.code, row.bag),
                courses: Vec::new(),
                seats: Vec::new(),
            };
            rooms.push((row.room, RawRoom { sheet, photos: Vec::new() }));
        }
        let Some((_, room)) = rooms.last_mut() else { continue };
        match room.sheet.courses.iter_mut().find(|course| course.code == row.course_code) {
            Some(course) => course.count += 1,
            None => {
                let course = CourseCount { code: row.course_code, name: row.course.clone(), count: 1 };
                room.sheet.courses.push(course);
            }
        }
        room.photos.push(photo);
        room.sheet.seats.push(SeatLine {
            seat_no: row.seat_no,
            ticket_no: row.ticket_no,
            student_no: row.student_no,
            name: row.name,
            id_card_no: row.id_card_no,
            course: row.course,
            extra: row.extra,
            photo: None,
        });
    }
    Ok(rooms.into_iter().map(|(_, room)| room).collect())
}
