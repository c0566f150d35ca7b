//! What is printed of an examination on paper: tickets, papers for doors, desks and bags, lists to sign, the record of a room (part 04 §4.6).

use paper::{Cell, Line, Paper, Picture, Row, Side};

/// Candidates on one page of a list to sign.
const SIGNED: usize = 30;
/// Labels beside each other, and rows of them on a page.
const ACROSS: usize = 3;
const DOWN: usize = 8;
/// Copies of a paper that lie in its bag beside those that are needed.
const SPARE: usize = 2;

/// Who prints, when, and for which school.
#[derive(Debug, Clone)]
pub struct Head {
    pub school: String,
    /// `2026-06-18 09:00 王老师`.
    pub printed: String,
}

impl Head {
    fn above(&self) -> String {
        format!("{}　打印：{}", self.school, self.printed)
    }
}

/// Somebody on their seat.
#[derive(Debug, Clone)]
pub struct SeatLine {
    pub seat_no: i32,
    pub ticket_no: String,
    pub student_no: String,
    pub name: String,
    pub id_card_no: String,
    pub course: String,
    /// Minutes more than the others have.
    pub extra: i32,
    pub photo: Option<Picture>,
}

/// What stands beside somebody who has more minutes.
pub fn with_extra(words: String, minutes: i32) -> String {
    if minutes > 0 { format!("{words}（加时{minutes}分钟）") } else { words }
}

/// A course in a room, and how many sit for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseCount {
    pub code: String,
    pub name: String,
    pub count: usize,
}

/// A room of a session.
#[derive(Debug, Clone)]
pub struct RoomSheet {
    pub batch: String,
    pub session: String,
    /// `2026-06-20 09:00-11:00`.
    pub time: String,
    pub site: String,
    pub exam_room_no: String,
    pub place: String,
    pub paper_bag_no: String,
    pub courses: Vec<CourseCount>,
    pub seats: Vec<SeatLine>,
}

impl RoomSheet {
    fn course_names(&self) -> String {
        let names: Vec<String> =
            self.courses.iter().map(|course| format!("{}({}人)", course.name, course.count)).collect();
        names.join("、")
    }

    fn told(&self) -> String {
        let Self { batch, session, time, site, exam_room_no, place, .. } = self;
        format!(
            "{batch}　{session}　{time}\n考点：{site}　考场：{exam_room_no}　地点：{place}\n课程：{}",
            self.course_names()
        )
    }
}

/// An examination on a ticket.
#[derive(Debug, Clone)]
pub struct TicketLine {
    pub time: String,
    pub course: String,
    pub site: String,
    pub room: String,
    pub seat: String,
}

/// A ticket of one person.
#[derive(Debug, Clone)]
pub struct TicketSheet {
    pub batch: String,
    pub ticket_no: String,
    pub name: String,
    pub gender: String,
    pub id_card_no: String,
    pub student_no: String,
    pub major: String,
    pub site: String,
    pub photo: Option<Picture>,
    pub lines: Vec<TicketLine>,
    pub notice: String,
}

/// Begins a page for everything but the first.
fn next(paper: &mut Paper, place: usize) {
    if place > 0 {
        paper.new_page();
    }
}

/// 准考证, two on a page.
pub fn tickets(head: &Head, tickets: &[TicketSheet]) -> Paper {
    let mut paper = Paper::new("准考证", head.above());
    for (place, ticket) in tickets.iter().enumerate() {
        if place > 0 && place.is_multiple_of(2) {
            paper.new_page();
        } else if place > 0 {
            paper.space(8.0);
        }
        one_ticket(&mut paper, ticket);
    }
    paper
}

fn one_ticket(paper: &mut Paper, ticket: &TicketSheet) {
    paper.subheading(&format!("{}　准考证", ticket.batch));
    let pair = |one: (&str, &str), other: (&str, &str)| {
        Row::of([Cell::label(14, one.0), Cell::value(26, one.1), Cell::label(14, other.0), Cell::value(26, other.1)])
            .small()
    };
    let fields = vec![
        pair(("姓名", &ticket.name), ("性别", &ticket.gender)),
        pair(("准考证号", &ticket.ticket_no), ("学号", &ticket.student_no)),
        pair(("证件号", &ticket.id_card_no), ("专业", &ticket.major)),
        Row::of([Cell::label(14, "教学站点"), Cell::value(66, ticket.site.clone())]).small(),
    ];
    paper.table([Row::of([Cell::rows(80, fields), Cell::picture(20, ticket.photo.as_ref(), "照片")])]);
    let heads = [("时间", 30), ("课程", 30), ("考点", 20), ("考场", 12), ("座位", 8)];
    let row = Row::of(heads.iter().map(|(heading, share)| Cell::label(*share, *heading))).small();
    let lines = ticket.lines.iter().map(|line| {
        let TicketLine { time, course, site, room, seat } = line;
        let words = [time, course, site, room, seat];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word.clone()))).small()
    });
    paper.space(2.0).listing(&row, lines.collect::<Vec<Row>>());
    if !ticket.notice.is_empty() {
        paper.space(1.0).note(&format!("考生须知：{}", ticket.notice));
    }
}

/// 门贴: across, the number of the room and who sits there.
pub fn doors(head: &Head, rooms: &[RoomSheet]) -> Paper {
    let mut paper = Paper::landscape("门贴", head.above());
    for (place, room) in rooms.iter().enumerate() {
        next(&mut paper, place);
        paper.cover(&format!("第 {} 考场", room.exam_room_no)).space(2.0);
        paper.note(&room.told()).space(2.0);
        let headings = || ["座位", "准考证号", "姓名"].into_iter();
        let row = Row::of(
            (0..ACROSS).flat_map(|_| headings().zip([6, 16, 12]).map(|(word, share)| Cell::label(share, word))),
        );
        let down = room.seats.len().div_ceil(ACROSS).max(1);
        let lines = (0..down).map(|line| {
            let cells = (0..ACROSS).flat_map(|column| {
                let seat = room.seats.get(column * down + line);
                let words = seat.map_or_else(Default::default, |seat| {
                    [seat.seat_no.to_string(), seat.ticket_no.clone(), seat.name.clone()]
                });
                words.into_iter().zip([6, 16, 12]).map(|(word, share)| Cell::value(share, word))
            });
            Row::of(cells).small()
        });
        paper.listing(&row.small(), lines.collect::<Vec<Row>>());
    }
    paper
}

/// 桌贴: labels of three by eight on a page.
pub fn desks(head: &Head, rooms: &[RoomSheet]) -> Paper {
    let mut paper = Paper::new("桌贴", head.above());
    let labels: Vec<String> = rooms
        .iter()
        .flat_map(|room| {
            room.seats.iter().map(|seat| {
                let SeatLine { seat_no, ticket_no, name, course, .. } = seat;
                format!("{}考场 {seat_no}号\n{name}\n{ticket_no}\n{course}", room.exam_room_no)
            })
        })
        .collect();
    for (place, page) in labels.chunks(ACROSS * DOWN).enumerate() {
        next(&mut paper, place);
        let rows = page.chunks(ACROSS).map(|row| {
            let cells = (0..ACROSS).map(|column| Cell::value(1, row.get(column).cloned().unwrap_or_default()));
            Row::of(cells).high(29.0)
        });
        paper.table(rows.collect::<Vec<Row>>());
    }
    paper
}

/// 签到表: thirty rows on a page, and who signs below them.
pub fn attendance(head: &Head, rooms: &[RoomSheet]) -> Paper {
    let mut paper = Paper::new("签到表", head.above());
    let heads = [("座位", 6), ("照片", 9), ("准考证号", 18), ("姓名", 12), ("证件号", 22), ("签名", 18), ("备注", 15)];
    let mut pages = 0;
    for room in rooms {
        for seats in room.seats.chunks(SIGNED) {
            next(&mut paper, pages);
            pages += 1;
            paper.heading("考生签到表").note(&room.told()).space(1.0);
            let row = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word))).small();
            let lines = seats.iter().map(|seat| {
                let value = |place: usize, word: &str| Cell::value(heads[place].1, word);
                Row::of([
                    value(0, &seat.seat_no.to_string()),
                    Cell::picture(heads[1].1, seat.photo.as_ref(), ""),
                    value(2, &seat.ticket_no),
                    value(3, &seat.name),
                    value(4, &seat.id_card_no),
                    value(5, ""),
                    value(6, &with_extra(String::new(), seat.extra)),
                ])
                .small()
            });
            paper.listing(&row, lines.collect::<Vec<Row>>());
            paper.space(2.0).line(
                &Line::of(format!("应到：{}　实到：　　　　缺考：　　　　监考签名：", seats.len())).signature(None),
                Side::Left,
            );
        }
    }
    paper
}

/// 考场情况记录表.
pub fn records(head: &Head, rooms: &[RoomSheet]) -> Paper {
    let mut paper = Paper::new("考场情况记录表", head.above());
    for (place, room) in rooms.iter().enumerate() {
        next(&mut paper, place);
        paper.heading("考场情况记录表").note(&room.told()).space(2.0);
        let row = |label: &str, value: String, high: f32| {
            Row::of([Cell::label(20, label), Cell::passage(80, value)]).high(high)
        };
        paper.table([
            row("应到人数", room.seats.len().to_string(), 10.0),
            row("实到人数", String::new(), 10.0),
            row("缺考人数及座位号", String::new(), 24.0),
            row("违规情况", String::new(), 40.0),
            row("开考、收卷时间", String::new(), 14.0),
            row("其他情况", String::new(), 40.0),
        ]);
        let signed = ["监考员一：", "监考员二：", "考点负责人："];
        for who in signed {
            paper.space(4.0).line(&Line::of(who).signature(None), Side::Left);
        }
    }
    paper
}

/// 试卷袋封面: what lies in the bag of a room.
pub fn bags(head: &Head, rooms: &[RoomSheet]) -> Paper {
    let mut paper = Paper::new("试卷袋封面", head.above());
    for (place, room) in rooms.iter().enumerate() {
        next(&mut paper, place);
        paper.cover("试卷袋").space(6.0);
        paper.fields([
            ("试卷袋号", room.paper_bag_no.as_str()),
            ("考试批次", room.batch.as_str()),
            ("场次", room.session.as_str()),
            ("考试时间", room.time.as_str()),
            ("考点", room.site.as_str()),
            ("考场", room.exam_room_no.as_str()),
            ("地点", room.place.as_str()),
        ]);
        let heads = [("课程编码", 20), ("课程名称", 40), ("应考", 15), ("试卷份数", 25)];
        let row = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word)));
        let lines = room.courses.iter().map(|course| {
            let words =
                [course.code.clone(), course.name.clone(), course.count.to_string(), copies(course.count).to_string()];
            Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word)))
        });
        paper.space(6.0).listing(&row, lines.collect::<Vec<Row>>());
    }
    paper
}

/// How many copies lie in a bag.
pub const fn copies(planned: usize) -> usize {
    planned + SPARE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(people: i32) -> RoomSheet {
        let seat = |seat_no| SeatLine {
            seat_no,
            ticket_no: format!("202601007{seat_no:05}"),
            student_no: "260001".to_owned(),
            name: "张三".to_owned(),
            id_card_no: "110101199001011234".to_owned(),
            course: "管理学".to_owned(),
            extra: 15,
            photo: None,
        };
        RoomSheet {
            batch: "2026年春季学期期末考试".to_owned(),
            session: "第01场".to_owned(),
            time: "2026-06-20 09:00-11:00".to_owned(),
            site: "城东站".to_owned(),
            exam_room_no: "001".to_owned(),
            place: "一教301".to_owned(),
            paper_bag_no: "0101001".to_owned(),
            courses: vec![CourseCount { code: "A1".to_owned(), name: "管理学".to_owned(), count: 27 }],
            seats: (1..=people).map(seat).collect(),
        }
    }

    #[test]
    fn every_paper_is_a_pdf() {
        let head = Head { school: "东湖学院".to_owned(), printed: "2026-06-18 09:00 王老师".to_owned() };
        let rooms = [room(27), room(31)];
        let ticket = TicketSheet {
            batch: "期末考试".to_owned(),
            ticket_no: "20260100700001".to_owned(),
            name: "张三".to_owned(),
            gender: "男".to_owned(),
            id_card_no: "110101199001011234".to_owned(),
            student_no: "260001".to_owned(),
            major: "会计学".to_owned(),
            site: "城东站".to_owned(),
            photo: None,
            lines: vec![TicketLine {
                time: "2026-06-20 09:00-11:00".to_owned(),
                course: "管理学".to_owned(),
                site: "城东站".to_owned(),
                room: "001".to_owned(),
                seat: "5".to_owned(),
            }],
            notice: "请携带身份证".to_owned(),
        };
        let papers = [
            tickets(&head, &[ticket.clone(), ticket.clone(), ticket]),
            doors(&head, &rooms),
            desks(&head, &rooms),
            attendance(&head, &rooms),
            records(&head, &rooms),
            bags(&head, &rooms),
        ];
        for paper in papers {
            assert!(paper.finish().expect("a paper").starts_with(b"%PDF"));
        }
    }

    #[test]
    fn more_minutes_stand_beside_the_time() {
        assert_eq!(with_extra("09:00-11:00".to_owned(), 15), "09:00-11:00（加时15分钟）");
        assert_eq!(with_extra("09:00-11:00".to_owned(), 0), "09:00-11:00");
    }

    #[test]
    fn a_bag_holds_two_more_than_sit_there() {
        assert_eq!(copies(27), 29);
    }
}
