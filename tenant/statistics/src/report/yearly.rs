//! 年报表: the numbers that schools report every year, by level, form of study and national major (part 05 A6). Each sum is that of the
//! list that it summarises.

use chrono::NaiveDate;
use infra::Result;
use people::enums::TeacherTitle;
use sqlx::PgConnection;
use statistics_rules::enums::StatChartKind;
use student_status::enums::StudyForm;

use super::Wanted;
use crate::table::{Col, Found, StatCell, StatChart, StatPoint, StatRow, cell, chart, count, counted, text};

pub(super) const COLUMNS: [Col; 12] = [
    text("studyForm", "学习形式"),
    text("nationalCode", "专业代码"),
    text("nationalName", "专业名称"),
    count("enrolled", "招生数", "本年年级已报到的新生"),
    count("enrolledFemale", "招生数：女", ""),
    count("enrolledMinority", "招生数：少数民族", ""),
    count("students", "在校生数", "年末（本年为今日）的待注册、在籍、休学、超学制学生"),
    count("studentsFemale", "在校生数：女", ""),
    count("studentsMinority", "在校生数：少数民族", ""),
    count("graduates", "毕业生数", "本年生效的毕业"),
    count("graduatesFemale", "毕业生数：女", ""),
    count("graduatesMinority", "毕业生数：少数民族", ""),
];

/// Numbers of one kind of people: all, women, minorities.
type Three = [i64; 3];

#[derive(Debug, Clone, Default)]
struct Line {
    level: String,
    form: String,
    code: String,
    name: String,
    enrolled: Three,
    students: Three,
    graduates: Three,
}

impl Line {
    fn cells(&self) -> Vec<StatCell> {
        let form = StudyForm::parse(&self.form).map(|form| form.zh().to_owned());
        let words = [form, Some(self.code.clone()), Some(self.name.clone())].map(cell::text);
        let numbers = self.enrolled.into_iter().chain(self.students).chain(self.graduates).map(cell::count);
        words.into_iter().chain(numbers).collect()
    }

    fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.enrolled, other.enrolled),
            (&mut self.students, other.students),
            (&mut self.graduates, other.graduates),
        ] {
            for (one, number) in sum.iter_mut().zip(more) {
                *one += number;
            }
        }
    }
}

/// The last day of the year that is over, else today.
fn as_of(wanted: &Wanted) -> NaiveDate {
    NaiveDate::from_ymd_opt(wanted.year, 12, 31).map_or(wanted.today, |last| last.min(wanted.today))
}

async fn lines(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Line>> {
    let rows = sqlx::query!(
        r#"with later as (
               select student_id, bool_or(kind = 'enrol') as entered,
                      (array_agg(from_status order by effective_on, id) filter (where from_status <> to_status))[1] as status,
                      (array_agg(before -> 'majorId' order by effective_on, id) filter (where before ? 'majorId'))[1] as major,
                      (array_agg(before -> 'studyForm' order by effective_on, id)
                           filter (where before ? 'studyForm'))[1] as form
               from student_status_change where effective_on > $2
               group by student_id),
           who as (
               select 'students' as kind, coalesce((h.major #>> '{}')::bigint, s.major_id) as major_id,
                      coalesce(h.form #>> '{}', s.study_form) as form, s.gender, s.ethnicity
               from student s left join later h on h.student_id = s.id
               where s.enrolled_on <= $2 and h.entered is not true
                 and coalesce(h.status, s.status) in ('pending_registration', 'registered', 'suspended', 'expired')
                 and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                 and ($5::bigint is null or s.site_id = $5)
               union all
               select 'enrolled', r.major_id, r.study_form, r.gender, a.ethnicity
               from registration r
               join grade g on g.id = r.grade_id and g.entry_year = $1
               join admission a on a.id = r.admission_id
               where r.deleted_at is null and r.status = 'reported'
                 and ($3::bigint[] is null or r.site_id = any($3)) and ($5::bigint is null or r.site_id = $5)
               union all
               select 'graduates', s.major_id, s.study_form, s.gender, s.ethnicity
               from student_status_change h join student s on s.id = h.student_id
               where h.kind = 'graduate' and h.effective_on >= make_date($1, 1, 1)
                 and h.effective_on < make_date($1 + 1, 1, 1)
                 and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                 and ($5::bigint is null or s.site_id = $5))
           select l.name as "level!", w.form as "form!", m.national_code as "code!", m.national_name as "name!",
                  array[count(*) filter (where w.kind = 'enrolled'),
                        count(*) filter (where w.kind = 'enrolled' and w.gender = 'female'),
                        count(*) filter (where w.kind = 'enrolled' and w.ethnicity <> '01')] as "enrolled!",
                  array[count(*) filter (where w.kind = 'students'),
                        count(*) filter (where w.kind = 'students' and w.gender = 'female'),
                        count(*) filter (where w.kind = 'students' and w.ethnicity <> '01')] as "students!",
                  array[count(*) filter (where w.kind = 'graduates'),
                        count(*) filter (where w.kind = 'graduates' and w.gender = 'female'),
                        count(*) filter (where w.kind = 'graduates' and w.ethnicity <> '01')] as "graduates!"
           from who w join major m on m.id = w.major_id join level l on l.id = m.level_id
           group by l.id, l.name, l.code, w.form, m.national_code, m.national_name
           order by l.code, w.form, m.national_code"#,
        wanted.year,
        as_of(wanted),
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_all(connection)
    .await?;
    let three = |numbers: &[i64]| -> Three {
        let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
        [at(0), at(1), at(2)]
    };
    let lines = rows.into_iter().map(|row| Line {
        enrolled: three(&row.enrolled),
        students: three(&row.students),
        graduates: three(&row.graduates),
        level: row.level,
        form: row.form,
        code: row.code,
        name: row.name,
    });
    Ok(lines.collect())
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let lines = lines(connection, wanted).await?;
    let mut all = Line::default();
    lines.iter().for_each(|line| all.add(line));
    let rows: Vec<StatRow> =
        lines.iter().zip(1..).map(|(line, at)| StatRow::new(at, line.level.clone(), line.cells())).collect();
    let total = (!rows.is_empty()).then(|| StatRow::total(all.cells()));
    Ok(Found { total_count: i64::try_from(rows.len()).unwrap_or(i64::MAX), rows, total })
}

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let lines = lines(&mut *connection, wanted).await?;
    let mut levels: Vec<(String, i64)> = Vec::new();
    for line in &lines {
        match levels.iter_mut().find(|(level, _)| *level == line.level) {
            Some((_, number)) => *number += line.students[0],
            None => levels.push((line.level.clone(), line.students[0])),
        }
    }
    let levels = levels.into_iter().map(|(level, number)| counted(level, number));
    let mut charts =
        vec![chart("levels", "在校生层次", (StatChartKind::Pie, "人"), vec![("在校生", levels.collect())])];
    // Teachers belong to no site.
    if wanted.is_whole() {
        let by_title = titles(connection).await?;
        charts.insert(0, chart("titles", "教师职称", (StatChartKind::Bar, "人"), vec![("教师", by_title)]));
    }
    Ok(charts)
}

/// The teachers of the school by their title.
async fn titles(connection: &mut PgConnection) -> Result<Vec<StatPoint>> {
    let titles = sqlx::query!(
        r#"select coalesce(t.title, '') as "title!", count(*) as "number!" from teacher t where t.status = 'active' group by 1"#
    )
    .fetch_all(connection)
    .await?;
    let of = |title: &str| titles.iter().find(|row| row.title == title).map_or(0, |row| row.number);
    let mut by_title: Vec<StatPoint> =
        TeacherTitle::CHOICES.iter().map(|(zh, title)| counted(*zh, of(title.as_str()))).collect();
    by_title.push(counted("未填", of("")));
    Ok(by_title)
}
