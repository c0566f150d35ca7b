//! 导入面授排课: every row or none, by the same rules as if somebody had typed it; what clashes with another row names it (part 03
//! B9).
//!
//! Who writes holds the timetable from the first row on; what stands in the way of some rows is asked at once, what their own
//! sheet takes is kept in memory. A check holds nothing.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use chrono::NaiveDate;
use course_selection::opening;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported, SentFile},
};
use poem_openapi::OpenApi;
use sqlx::PgConnection;
use timetable_rules::{
    judge::{Asking, Facts, Judged, judge},
    occupation::{Conflict, Occupation},
    sheet::{Taken, weekday_named},
};

use super::{
    ArrangeClass, ArrangeForm, Arranges, FetchArrangeSheet, ImportArranges,
    facts::Named,
    form::{meet, remove, write},
};
use crate::{
    enums::{ArrangeKind, ArrangeMode, ResourceKind},
    hold,
    occupation::clashes,
};

const SEMESTER: &str = "学期编码";
const COURSE: &str = "课程代码";
const CLASSES: &str = "班级编码";
const TEACHER: &str = "教师工号";
const SITE: &str = "站点编码";
const ROOM: &str = "教室";
const KIND: &str = "类型";
const WEEKS: &str = "周次";
const DATES: &str = "日期";
const WEEKDAY: &str = "星期";
const FROM: &str = "开始节次";
const TO: &str = "结束节次";

/// Fields of the form by how they begin, and the headings under which they are typed.
const COLUMNS: [(&str, &str); 12] = [
    ("semesterId", SEMESTER),
    ("courseId", COURSE),
    ("classes", CLASSES),
    ("teacherId", TEACHER),
    ("siteId", SITE),
    ("classroomId", ROOM),
    ("kind", KIND),
    ("weeks", WEEKS),
    ("dates", DATES),
    ("weekday", WEEKDAY),
    ("periodFrom", FROM),
    ("periodTo", TO),
];

/// Arrangements whose sessions are written by one statement.
const AT_ONCE: usize = 500;

pub struct ImportArrange;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl ImportArrange {
    /// 导入面授排课
    /// 全部写入草稿；有冲突时不写入
    #[oai(path = "/import", method = "post", operation_id = "importArranges")]
    async fn import(&self, caller: Allowed<ImportArranges>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ArrangeSheet>(&caller, form).await
    }

    /// 面授排课导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchArrangeImportTemplate")]
    async fn template(&self, caller: Allowed<FetchArrangeSheet>) -> Result<Attachment> {
        transfer::template::<ArrangeSheet, _>(&caller).await
    }
}

/// A row that is right by itself.
struct Line {
    row: u32,
    form: ArrangeForm,
    judged: Judged,
}

/// One import, with what its rows may name.
pub(super) struct ArrangeSheet {
    scope: Scope,
    facts: Facts,
    semesters: Codes<i64>,
    courses: Codes<i64>,
    classes: Codes<i64>,
    teachers: Codes<i64>,
    sites: Codes<i64>,
    /// By site, and building with number, number alone, or name, in lower case.
    rooms: HashMap<(i64, String), i64>,
    /// By semester and course.
    openings: HashMap<(i64, i64), Vec<i64>>,
    taken: Taken,
    lines: Vec<Line>,
}

impl Import for ArrangeSheet {
    const KIND: &'static str = "course_arrange.import";
    type Permission = ImportArranges;
    const COUNTED: &'static [&'static str] = &[SEMESTER, SITE];

    const CODES: &'static [(&'static str, &'static str)] =
        &[(SEMESTER, "semester"), (COURSE, "course"), (CLASSES, "class"), (TEACHER, "teacher"), (SITE, "site")];

    fn template() -> Template {
        Template {
            title: "面授排课",
            columns: vec![
                InputColumn::required(SEMESTER, "例如 2026-1"),
                InputColumn::required(COURSE, ""),
                InputColumn::required(CLASSES, "合班用;分隔"),
                InputColumn::required(TEACHER, ""),
                InputColumn::required(SITE, ""),
                InputColumn::optional(ROOM, "楼宇-房间号；直播可以不填"),
                InputColumn::optional(KIND, "不填为面授").one_of(ArrangeKind::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional(WEEKS, "按周排课时填写，例如 1-8,10-16双"),
                InputColumn::optional(DATES, "按日期排课时填写，多个用;分隔，例如 2026-03-07;2026-03-08"),
                InputColumn::optional(WEEKDAY, "按周排课时填写，1至7或星期一至星期日"),
                InputColumn::required(FROM, "1至14"),
                InputColumn::required(TO, "1至14"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let semesters = sqlx::query!("select code, id from semester").fetch_all(&mut **tx).await?;
        let courses = sqlx::query!("select code, id from course").fetch_all(&mut **tx).await?;
        let classes = sqlx::query!("select code, id from class").fetch_all(&mut **tx).await?;
        let teachers = sqlx::query!("select work_no, id from teacher").fetch_all(&mut **tx).await?;
        let sites = sqlx::query!("select code, id from site").fetch_all(&mut **tx).await?;
        let rooms =
            sqlx::query!("select id, site_id, building, room_no, name from classroom").fetch_all(&mut **tx).await?;
        let mut by_name = HashMap::new();
        for room in rooms {
            let whole = format!("{}-{}", room.building, room.room_no);
            for name in [whole, room.room_no, room.name] {
                by_name.entry((room.site_id, name.to_lowercase())).or_insert(room.id);
            }
        }
        Ok(Self {
            scope,
            facts: Facts::default(),
            semesters: semesters.into_iter().map(|row| (row.code, row.id)).collect(),
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            classes: classes.into_iter().map(|row| (row.code, row.id)).collect(),
            teachers: teachers.into_iter().map(|row| (row.work_no, row.id)).collect(),
            sites: sites.into_iter().map(|row| (row.code, row.id)).collect(),
            rooms: by_name,
            openings: HashMap::new(),
            taken: Taken::default(),
            lines: Vec::new(),
        })
    }

    async fn begin(&mut self, tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        if !sent.dry_run {
            hold(tx).await?;
        }
        self.facts = Named::default().load(tx).await?;
        for opening in self.facts.openings.values() {
            self.openings.entry((opening.semester_id, opening.course_id)).or_default().push(opening.id);
        }
        Ok(())
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let (mut read, mut wanted) = (Vec::new(), Vec::new());
        for row in rows.iter_mut() {
            let Some((form, judged)) = self.read(row) else { continue };
            let before = wanted.len();
            wanted.extend(form.occupations(&judged.meetings));
            read.push((row, form, judged, before..wanted.len()));
        }
        // Of each the first, by time.
        let mut standing: HashMap<usize, Conflict> = HashMap::new();
        for clash in clashes(tx, &wanted, &[]).await? {
            standing.entry(clash.wanted).or_insert(clash.conflict);
        }
        for (row, form, judged, own) in read {
            if self.is_free(row, &wanted, own.clone(), &standing) {
                self.keep(row, form, judged, &wanted[own]);
            }
        }
        Ok(Vec::new())
    }

    /// Openings that others ended since are seen here.
    async fn finish(&mut self, tx: &mut Tx, write_them: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let warnings = beyond_hours(tx, &lines).await?;
        if !write_them {
            return Ok(Finished { warnings, ..Finished::default() });
        }
        let ids: BTreeSet<i64> =
            lines.iter().flat_map(|line| &line.form.classes).map(|class| class.opening_id).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        self.facts.openings = opening::hold(tx, &ids).await?;
        let asking = Asking { scope: &self.scope, forced: None };
        let mut errors = Vec::new();
        for line in &lines {
            if let Err(error) = judge(&line.form, &self.facts, asking) {
                errors.push(RowError { row: line.row, column: String::new(), message: error.msg.into_owned() });
            }
        }
        if !errors.is_empty() {
            return Ok(Finished { errors, ..Finished::default() });
        }
        let mut changes = Vec::with_capacity(lines.len());
        for part in lines.chunks(AT_ONCE) {
            let mut made = Vec::with_capacity(part.len());
            for line in part {
                let id = write(tx, &line.form, &line.judged).await?;
                changes.push(Change::created("course_arrange", id, &line.form));
                made.push((id, &line.form, &line.judged.meetings));
            }
            meet(tx, &made).await?;
        }
        Ok(Finished { changes, warnings, ..Finished::default() })
    }

    /// The timetable, then all openings of the sheet in their order.
    async fn hold(tx: &mut Tx, records: &[i64]) -> Result<()> {
        hold(tx).await?;
        let openings = sqlx::query_scalar!(
            "select distinct opening_id from course_arrange_class where arrange_id = any($1)",
            records
        )
        .fetch_all(&mut **tx)
        .await?;
        opening::hold(tx, &openings).await?;
        Ok(())
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        match Arranges::find(tx, record.id, &Scope::whole_school()).await {
            Ok(found) => Ok(format!("{} {}", found.course_name, found.time())),
            Err(Error { code: 404, .. }) => Ok(String::new()),
            Err(error) => Err(error),
        }
    }
}

impl ArrangeSheet {
    /// What the row asks for, when it is right by itself; else it says what is wrong.
    fn read(&self, row: &mut Row) -> Option<(ArrangeForm, Judged)> {
        let form = self.form(row)?;
        match judge(&form, &self.facts, Asking { scope: &self.scope, forced: None }) {
            Ok(judged) => row.errors().is_empty().then_some((form, judged)),
            Err(error) => {
                refuse(row, &error);
                None
            }
        }
    }

    /// Whether nobody is in the way of the row's `own` part of what is wanted, neither what stands nor a row before; else it
    /// says who is.
    fn is_free(
        &self,
        row: &mut Row,
        wanted: &[Occupation],
        own: Range<usize>,
        standing: &HashMap<usize, Conflict>,
    ) -> bool {
        for place in own {
            let Some(occupation) = wanted.get(place) else { continue };
            let kind = occupation.kind.zh();
            let told = match (self.taken.row(occupation), standing.get(&place)) {
                (Some(other), _) => format!("与第{other}行{kind}冲突"),
                (None, Some(conflict)) => format!("{kind}{}", conflict.when()),
                (None, None) => continue,
            };
            row.refuse_once(column_of(occupation.kind), told);
        }
        row.errors().is_empty()
    }

    fn keep(&mut self, row: &mut Row, form: ArrangeForm, judged: Judged, own: &[Occupation]) {
        for taken in own {
            self.taken.put(taken, row.number());
        }
        for (day, why) in &judged.skipped {
            row.warn(if form.mode == ArrangeMode::Weekly { WEEKS } else { DATES }, format!("{day}{why}，不排课"));
        }
        self.lines.push(Line { row: row.number(), form, judged });
    }

    /// The row as the body of `save`.
    fn form(&self, row: &mut Row) -> Option<ArrangeForm> {
        let semester_id = referred(row, SEMESTER, &self.semesters).copied();
        let course_id = referred(row, COURSE, &self.courses).copied();
        let teacher_id = referred(row, TEACHER, &self.teachers).copied();
        let site_id = referred(row, SITE, &self.sites).copied();
        let class_ids = self.class_ids(row);
        let kind = row.one_of(KIND, ArrangeKind::CHOICES).unwrap_or(ArrangeKind::Lecture);
        let (weeks, dates) = (row.text(WEEKS), days(row));
        let weekday = weekday(row);
        let (from, to) = (lesson(row, FROM), lesson(row, TO));
        let classroom_id = row.text(ROOM).and_then(|name| {
            let found = site_id.and_then(|site| self.rooms.get(&(site, name.to_lowercase())));
            if found.is_none() && site_id.is_some() {
                row.refuse(ROOM, format!("该站点没有教室“{name}”"));
            }
            found.copied()
        });
        let (semester_id, course_id) = (semester_id?, course_id?);
        let classes = self.with_openings(row, (semester_id, course_id), &class_ids);
        Some(ArrangeForm {
            semester_id,
            course_id,
            classes,
            teacher_id: teacher_id?,
            assistant_teacher_ids: Vec::new(),
            site_id: site_id?,
            classroom_id,
            kind,
            mode: if weeks.is_some() || dates.is_empty() { ArrangeMode::Weekly } else { ArrangeMode::Dates },
            weekday,
            weeks,
            dates,
            period_from: from?,
            period_to: to?,
            allow_over_capacity: false,
            remark: None,
        })
    }

    fn class_ids(&self, row: &mut Row) -> Vec<i64> {
        let text = row.required(CLASSES);
        let mut ids = Vec::new();
        for code in text.split([';', '；', ',', '，']).map(str::trim).filter(|code| !code.is_empty()) {
            match self.classes.get(code) {
                Some(id) => ids.push(*id),
                None => row.refuse(CLASSES, format!("编码“{code}”不存在")),
            }
        }
        ids
    }

    /// Each class with the opening that it takes part in: that of its grade and major before one for all.
    fn with_openings(&self, row: &mut Row, of: (i64, i64), class_ids: &[i64]) -> Vec<ArrangeClass> {
        let openings = self.openings.get(&of).map_or(&[] as &[i64], Vec::as_slice);
        let mut classes = Vec::with_capacity(class_ids.len());
        for class_id in class_ids {
            match self.facts.opening_of(openings, *class_id) {
                Some(opening_id) => classes.push(ArrangeClass { class_id: *class_id, opening_id }),
                None => row.refuse_once(COURSE, "该学期没有为该班级开设此课程"),
            }
        }
        classes
    }
}

/// Which classes come to more periods than their course has hours face to face, each at the row that goes beyond them.
async fn beyond_hours(connection: &mut PgConnection, lines: &[Line]) -> Result<Vec<RowError>> {
    let counted = || lines.iter().filter(|line| line.form.kind.fulfils_hours());
    let pairs: BTreeSet<(i64, i64)> =
        counted().flat_map(|line| &line.form.classes).map(|class| (class.opening_id, class.class_id)).collect();
    let (openings, classes): (Vec<i64>, Vec<i64>) = pairs.into_iter().unzip();
    let rows = sqlx::query!(
        r#"select w.opening as "opening!", w.class as "class!", k.name, o.lecture_hours + o.practice_hours as "required!",
                  coalesce((select sum(x.period_to - x.period_from + 1)
                            from course_arrange_class c
                            join course_arrange a on a.id = c.arrange_id and a.kind in ('lecture', 'lab', 'live')
                            join course_arrange_session x on x.arrange_id = a.id and x.status = 'scheduled'
                            where c.opening_id = w.opening and c.class_id = w.class), 0) as "standing!"
           from unnest($1::bigint[], $2::bigint[]) as w (opening, class)
           join class k on k.id = w.class
           join course_opening o on o.id = w.opening"#,
        &openings,
        &classes
    )
    .fetch_all(connection)
    .await?;
    let mut hours: HashMap<(i64, i64), (String, i64, i64)> = rows
        .into_iter()
        .map(|row| ((row.opening, row.class), (row.name, i64::from(row.required), row.standing)))
        .collect();
    let mut told = Vec::new();
    for line in counted() {
        let meetings = i64::try_from(line.judged.meetings.len()).unwrap_or(i64::MAX);
        let these = meetings * i64::from(line.form.period_to - line.form.period_from + 1);
        for class in &line.form.classes {
            let Some((name, required, all)) = hours.get_mut(&(class.opening_id, class.class_id)) else { continue };
            *all += these;
            if *all > *required {
                let message = format!("班级“{name}”已排{all}学时，超过应排的{required}学时");
                told.push(RowError { row: line.row, column: CLASSES.to_owned(), message });
            }
        }
    }
    Ok(told)
}

fn column_of(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Teacher => TEACHER,
        ResourceKind::Classroom => ROOM,
        ResourceKind::Class => CLASSES,
    }
}

/// Notes the refusal of the form in the cells of its fields.
fn refuse(row: &mut Row, error: &Error) {
    let Some(fields) = error.data.as_array().filter(|_| error.code == 422) else {
        return row.refuse("", error.msg.to_string());
    };
    for field in fields {
        let name = field["field"].as_str().unwrap_or_default();
        let heading = COLUMNS.iter().find(|(begins, _)| name.starts_with(begins)).map_or("", |(_, heading)| heading);
        row.refuse_once(heading, field["message"].as_str().unwrap_or_default());
    }
}

fn lesson(row: &mut Row, heading: &str) -> Option<i32> {
    let number = row.integer(heading).and_then(|number| i32::try_from(number).ok());
    let number = number.filter(|number| (1..=14).contains(number));
    if number.is_none() && row.errors().iter().all(|error| error.column != heading) {
        row.refuse(heading, "应为1到14");
    }
    number
}

fn days(row: &mut Row) -> Vec<NaiveDate> {
    // A cell with one day is often a date of the workbook.
    if let Some(day) = row.peek_date(DATES) {
        return vec![day];
    }
    let text = row.text(DATES).unwrap_or_default();
    let mut days = Vec::new();
    for part in text.split([';', '；', ',', '，', '、']).map(str::trim).filter(|part| !part.is_empty()) {
        match part.replace('/', "-").parse() {
            Ok(day) => days.push(day),
            Err(_) => row.refuse(DATES, format!("“{part}”不是日期，例如 2026-03-07")),
        }
    }
    days
}

fn weekday(row: &mut Row) -> Option<i32> {
    let text = row.text(WEEKDAY)?;
    let found = weekday_named(&text);
    if found.is_none() {
        row.refuse(WEEKDAY, "应为1到7，或星期一到星期日");
    }
    found
}
