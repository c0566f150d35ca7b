//! 准考证: a number for each student of a batch, given when their seat is confirmed first, kept when it moves (part 04 §4.1).

use std::collections::{HashMap, HashSet};

use exam_seat_rules::{
    labels::{Head, TicketLine, TicketSheet, tickets, with_extra},
    ticket::{number, site_number},
};
use infra::{
    App, Change, Client, Entity, Envelope, Error, Part, Reads, Reply, Result, Tx, clients, clock::Moment, reply,
    transfer::Printed,
};
use paper::Picture;
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Object, OpenApi,
    param::Query,
    registry::{MetaMediaType, MetaResponses, Registry},
    types::Type,
};
use sqlx::PgConnection;
use student_status::id_card::Gender;
use tokio::task::spawn_blocking;

pub const PART: Part = Part {
    entities: &[Entity { table: "exam_ticket", name: "准考证", counted: "张准考证" }],
    written_once: &["exam_ticket"],
    ..Part::NONE
};

clients! {
    /// Students with tickets of their own.
    pub TicketClient = "student";
}

/// The largest picture of a person that is drawn.
const LARGEST_PICTURE: usize = 10 << 20;

/// Gives numbers to those who sit in a session and have none in the batch. The seats of the batch are held.
///
/// # Errors
/// 409 when the numbers of a site are used up.
pub(crate) async fn give(tx: &mut Tx, batch: i64, session: i64) -> Result<Vec<Change>> {
    let prefix =
        sqlx::query_scalar!("select ticket_prefix from test_batch where id = $1", batch).fetch_one(&mut **tx).await?;
    let sites = site_numbers(tx, batch).await?;
    let waiting = sqlx::query!(
        r#"select t.student_id, y.site_id from offline_seat t join student y on y.id = t.student_id
           where t.session_id = $1
             and not exists (select from exam_ticket k where k.batch_id = $2 and k.student_id = t.student_id)
           order by y.site_id, y.student_no, y.id"#,
        session,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = sqlx::query!(
        r#"select substr(ticket_no, 7, 3) as "site!", max(substr(ticket_no, 10, 5)) as "last!"
           from exam_ticket where starts_with(ticket_no, $1) group by 1"#,
        prefix
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut last: HashMap<i32, i32> = known
        .into_iter()
        .filter_map(|row| Some((row.site.parse::<i32>().ok()?, row.last.parse::<i32>().ok()?)))
        .collect();
    let (mut students, mut numbers) = (Vec::with_capacity(waiting.len()), Vec::with_capacity(waiting.len()));
    for row in waiting {
        let site = sites.get(&row.site_id).copied().unwrap_or(0);
        let sequence = last.entry(site).or_insert(0);
        *sequence += 1;
        let given = number(&prefix, site, *sequence).ok_or_else(|| Error::conflict("该考点的准考证号已用完"))?;
        students.push(row.student_id);
        numbers.push(given);
    }
    let by = tx.by();
    sqlx::query!(
        "insert into exam_ticket (batch_id, student_id, ticket_no, created_by)
         select $1::bigint, w.student, w.no, $4::bigint from unnest($2::bigint[], $3::text[]) as w (student, no)",
        batch,
        &students,
        &numbers,
        by
    )
    .execute(&mut **tx)
    .await?;
    if students.is_empty() {
        return Ok(Vec::new());
    }
    let what = serde_json::json!({ "batchId": batch, "tickets": students.len() });
    Ok(vec![Change::event("offline_session", session, "tickets", what)])
}

/// The number of each site that has candidates in the batch.
async fn site_numbers(connection: &mut PgConnection, batch: i64) -> Result<HashMap<i64, i32>> {
    let sites = sqlx::query!(
        r#"select s.id as "id!", s.code as "code!" from site s
           where exists (select from exam_candidate c join student y on y.id = c.student_id
                         where c.batch_id = $1 and y.site_id = s.id)
           order by s.code, s.id"#,
        batch
    )
    .fetch_all(connection)
    .await?;
    let mut taken = HashSet::new();
    let mut numbers = HashMap::new();
    for (place, site) in sites.into_iter().enumerate() {
        let own = site_number(&site.code, place + 1, &taken);
        taken.insert(own);
        numbers.insert(site.id, own);
    }
    Ok(numbers)
}

/// An examination on a ticket.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnTicketLine {
    /// 课程
    pub course: String,
    /// 场次
    pub session: String,
    /// 开始
    pub starts_at: Moment,
    /// 结束
    pub ends_at: Moment,
    /// 考点
    pub site: Option<String>,
    /// 考场号
    pub exam_room_no: Option<String>,
    /// 考场地点
    pub place: Option<String>,
    /// 座位号
    pub seat_no: Option<i32>,
    /// 加时
    /// 分钟，从结束时间起
    pub extra_minutes: i32,
}

/// One's own ticket.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnTicket {
    /// 准考证号
    pub ticket_no: String,
    /// 批次名称
    pub batch_name: String,
    /// 考生须知
    pub notice: Option<String>,
    /// 考试
    pub lines: Vec<OwnTicketLine>,
    /// 打印地址
    /// 接口网址（/admin/apis）之后的部分
    pub pdf_url: String,
}

/// The ticket as data, or as a paper.
pub enum OwnTicketAnswer {
    Data(Reply<OwnTicket>),
    Paper(Printed),
}

impl IntoResponse for OwnTicketAnswer {
    fn into_response(self) -> Response {
        match self {
            Self::Data(data) => data.into_response(),
            Self::Paper(paper) => paper.into_response(),
        }
    }
}

impl ApiResponse for OwnTicketAnswer {
    fn meta() -> MetaResponses {
        let mut meta = Printed::meta();
        for response in &mut meta.responses {
            response.description = "准考证；pdf=true 时为PDF文件";
            response.content.push(MetaMediaType {
                content_type: "application/json; charset=utf-8",
                schema: Envelope::<OwnTicket>::schema_ref(),
            });
        }
        meta
    }

    fn register(registry: &mut Registry) {
        Envelope::<OwnTicket>::register(registry);
    }
}

pub struct OwnTickets;

#[OpenApi(prefix_path = "/exam/client/exam", tag = "crate::Tag::ExamSeats")]
impl OwnTickets {
    /// 我的准考证
    #[oai(path = "/ticket", method = "get", operation_id = "viewOwnExamTicket")]
    async fn ticket(
        &self,
        caller: Client<TicketClient, Reads>,
        /// 考试批次
        #[oai(name = "batchId")]
        batch_id: Query<i64>,
        /// 作为PDF
        pdf: Query<Option<bool>>,
    ) -> Result<OwnTicketAnswer> {
        let mut tx = caller.read().await?;
        let batch = sqlx::query!(
            r#"select b.name, b.notice, b.ticket_publish_at, k.ticket_no as "ticket_no?"
               from test_batch b left join exam_ticket k on k.batch_id = b.id and k.student_id = $2
               where b.id = $1 and b.status <> 'draft'"#,
            batch_id.0,
            caller.session.person_id
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let open = batch.ticket_publish_at.is_some_and(|at| at <= caller.app.clock().now());
        let ticket_no = batch.ticket_no.filter(|_| open).ok_or_else(|| Error::conflict("准考证尚未开放"))?;
        if pdf.0 == Some(true) {
            let head = Head {
                school: caller.school.name.clone(),
                printed: format!("{} 本人", caller.app.clock().now().format("%Y-%m-%d %H:%M")),
            };
            let sheets = sheets_of(&caller.app, &mut tx, batch_id.0, &[caller.session.person_id]).await?;
            drop(tx);
            let drawn = spawn_blocking(move || tickets(&head, &drawn_of(sheets)).finish());
            let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
            return Ok(OwnTicketAnswer::Paper(Printed { name: format!("准考证_{ticket_no}.pdf"), bytes }));
        }
        let lines = lines_of(&mut tx, batch_id.0, &[caller.session.person_id]).await?;
        let lines = lines.into_iter().map(|(_, line)| line).collect();
        let ticket = OwnTicket {
            ticket_no,
            batch_name: batch.name,
            notice: batch.notice,
            lines,
            pdf_url: format!("/exam/client/exam/ticket?batchId={}&pdf=true", batch_id.0),
        };
        Ok(OwnTicketAnswer::Data(reply(ticket)))
    }
}

/// The published examinations of students in a batch, by student and time.
async fn lines_of(connection: &mut PgConnection, batch: i64, students: &[i64]) -> Result<Vec<(i64, OwnTicketLine)>> {
    let rows = sqlx::query!(
        r#"select c.student_id as "student!", u.name as "course!", x.name as "session!", x.starts_at as "starts_at!",
                  x.ends_at as "ends_at!", z.name as "site?", r.exam_room_no as "exam_room_no?", e.name as "place?",
                  t.seat_no as "seat_no?", c.extra_minutes as "extra_minutes!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id and s.mode = 'offline' and s.status in ('published', 'closed')
           join offline_session x on x.id = s.session_id
           join course u on u.id = c.course_id
           left join offline_seat t on t.candidate_id = c.id
           left join offline_session_room r on r.id = t.session_room_id
           left join exam_room e on e.id = r.room_id
           left join site z on z.id = r.site_id
           where c.batch_id = $1 and c.student_id = any($2) and not c.removed and c.eligibility = 'eligible'
           order by c.student_id, x.starts_at, u.name"#,
        batch,
        students
    )
    .fetch_all(connection)
    .await?;
    let line = rows.into_iter().map(|row| {
        let line = OwnTicketLine {
            course: row.course,
            session: row.session,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            site: row.site,
            exam_room_no: row.exam_room_no,
            place: row.place,
            seat_no: row.seat_no,
            extra_minutes: row.extra_minutes,
        };
        (row.student, line)
    });
    Ok(line.collect())
}

/// A ticket with the bytes of its photo, which are read as a picture where nothing waits.
pub(crate) struct RawTicket {
    sheet: TicketSheet,
    photo: Option<Vec<u8>>,
}

/// The tickets of students with numbers in a batch, in the order of the numbers.
///
/// # Errors
/// Those of the database and of the store.
pub(crate) async fn sheets_of(
    app: &App,
    connection: &mut PgConnection,
    batch: i64,
    students: &[i64],
) -> Result<Vec<RawTicket>> {
    let mut lines: HashMap<i64, Vec<TicketLine>> = HashMap::new();
    for (student, line) in lines_of(connection, batch, students).await? {
        lines.entry(student).or_default().push(TicketLine {
            time: with_extra(span(line.starts_at, line.ends_at), line.extra_minutes),
            course: line.course,
            site: line.site.unwrap_or_default(),
            room: line.exam_room_no.zip(line.place).map(|(no, place)| format!("{no} {place}")).unwrap_or_default(),
            seat: line.seat_no.map(|no| no.to_string()).unwrap_or_default(),
        });
    }
    let people = sqlx::query!(
        r#"select y.id as "id!", b.name as "batch!", coalesce(b.notice, '') as "notice!", k.ticket_no as "ticket_no!",
                  y.name as "name!", y.gender as "gender?: Gender", y.id_card_no as "id_card_no!",
                  coalesce(y.student_no, '') as "student_no!", m.name as "major!", s.name as "site!", f.key as "photo?"
           from exam_ticket k
           join test_batch b on b.id = k.batch_id
           join student y on y.id = k.student_id
           join major m on m.id = y.major_id
           join site s on s.id = y.site_id
           left join file_object f on f.id = coalesce(y.graduation_photo_id, y.enrol_photo_id, y.admission_photo_id)
                and f.state = 'stored'
           where k.batch_id = $1 and k.student_id = any($2) order by k.ticket_no"#,
        batch,
        students
    )
    .fetch_all(connection)
    .await?;
    let mut tickets = Vec::with_capacity(people.len());
    for row in people {
        let photo = photo_of(app, row.photo.as_deref()).await?;
        let sheet = TicketSheet {
            batch: row.batch,
            ticket_no: row.ticket_no,
            name: row.name,
            gender: row.gender.map(|gender| gender.zh().to_owned()).unwrap_or_default(),
            id_card_no: row.id_card_no,
            student_no: row.student_no,
            major: row.major,
            site: row.site,
            photo: None,
            lines: lines.remove(&row.id).unwrap_or_default(),
            notice: row.notice,
        };
        tickets.push(RawTicket { sheet, photo });
    }
    Ok(tickets)
}

/// The tickets with their pictures; reading those takes a thread of its own.
pub(crate) fn drawn_of(raw: Vec<RawTicket>) -> Vec<TicketSheet> {
    let with = |raw: RawTicket| TicketSheet { photo: raw.photo.as_deref().and_then(Picture::read), ..raw.sheet };
    raw.into_iter().map(with).collect()
}

/// The bytes of a stored picture; none when it is gone or too large.
pub(crate) async fn photo_of(app: &App, key: Option<&str>) -> Result<Option<Vec<u8>>> {
    let Some(key) = key else { return Ok(None) };
    let bytes = infra::files::beginning(app, key, LARGEST_PICTURE + 1).await?;
    Ok(bytes.filter(|bytes| bytes.len() <= LARGEST_PICTURE))
}

/// `2026-06-20 09:00-11:00`.
pub(crate) fn span(starts_at: Moment, ends_at: Moment) -> String {
    format!("{}-{}", starts_at.format("%Y-%m-%d %H:%M"), ends_at.format("%H:%M"))
}
