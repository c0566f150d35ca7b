//! 成绩统计: the course scores of a semester that are out, as part 04 §7 counts them, with what was made up and retaken (part 05 A6).

use infra::Result;
use sqlx::PgConnection;
use statistics_rules::{enums::StatChartKind, rates};

use super::{Groups, Wanted, names, table};
use crate::{
    screen::told,
    table::{Col, Found, StatCell, StatChart, cell, chart, count, counted, decimal, percent},
};

pub(super) const COLUMNS: [Col; 13] = [
    count("enrolled", "人次", "已发布的课程成绩，不含免修和缓考"),
    count("counted", "计入人次", "不含缺考、违纪、作弊和取消资格"),
    decimal("average", "平均分", "计入人次的平均"),
    decimal("median", "中位", "计入人次的中位数"),
    decimal("deviation", "标准差", "计入人次的总体标准差"),
    decimal("highest", "最高", ""),
    decimal("lowest", "最低", ""),
    percent("passRate", "及格率", "及格÷人次，缺考、作弊等计入分母"),
    percent("excellentRate", "优秀率", "90分以上÷人次"),
    percent("absentRate", "缺考率", "缺考÷人次"),
    count("makeups", "补考人次", "补考、毕业前补考的次数"),
    percent("makeupPassRate", "补考通过率", "补考后及格÷补考过的人次"),
    count("retakes", "重修人次", "本学期重修的选课"),
];

#[derive(Debug, Clone, Default)]
struct Scored {
    enrolled: i64,
    counted: i64,
    sum: i64,
    squares: i64,
    median: Option<f64>,
    highest: Option<f64>,
    lowest: Option<f64>,
    passed: i64,
    excellent: i64,
    absent: i64,
    makeups: i64,
    made_up: i64,
    made_up_passed: i64,
    retakes: i64,
    bands: [i64; 5],
}

impl Scored {
    fn cells(&self, least: Option<i64>) -> Vec<StatCell> {
        let of_counted = |figure| told(self.counted, least, cell::number(figure));
        let of_enrolled = |part| told(self.enrolled, least, cell::percent(part, self.enrolled));
        vec![
            cell::count(self.enrolled),
            cell::count(self.counted),
            of_counted(rates::mean(self.sum, self.counted)),
            of_counted(self.median),
            of_counted(rates::deviation(self.counted, self.sum, self.squares)),
            of_counted(self.highest),
            of_counted(self.lowest),
            of_enrolled(self.passed),
            of_enrolled(self.excellent),
            cell::percent(self.absent, self.enrolled),
            cell::count(self.makeups),
            told(self.made_up, least, cell::percent(self.made_up_passed, self.made_up)),
            cell::count(self.retakes),
        ]
    }
}

async fn groups(connection: &mut PgConnection, wanted: &Wanted, key: &str) -> Result<Groups<Scored>> {
    let rows = sqlx::query!(
        r#"with scores as (
               select case $1::text when 'site' then y.site_id::text when 'major' then y.major_id::text
                                    when 'level' then y.level_id::text when 'grade' then y.grade_id::text
                                    when 'study_form' then y.study_form else '' end as key,
                      coalesce(s.mark, 'normal') as mark, (s.total * 10)::bigint as total, coalesce(s.passed, false) as passed,
                      s.makeup_used, c.source
               from course_score s
               join student y on y.id = s.student_id
               join course_selection c on c.id = s.selection_id
               where s.semester_id = $2 and s.status in ('published', 'locked')
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
                 and ($5::bigint is null or y.site_id = $5) and ($6::bigint is null or s.course_id = $6))
           select x.key as "key!", count(*) filter (where x.mark not in ('exempt', 'deferred')) as "enrolled!",
                  count(x.total) filter (where x.mark = 'normal') as "counted!",
                  coalesce(sum(x.total) filter (where x.mark = 'normal'), 0)::bigint as "sum!",
                  coalesce(sum(x.total * x.total) filter (where x.mark = 'normal'), 0)::bigint as "squares!",
                  (percentile_cont(0.5) within group (order by x.total::float8) filter (where x.mark = 'normal')) as "median?",
                  max(x.total) filter (where x.mark = 'normal') as "highest?",
                  min(x.total) filter (where x.mark = 'normal') as "lowest?",
                  count(*) filter (where x.passed and x.mark not in ('exempt', 'deferred')) as "passed!",
                  count(*) filter (where x.mark = 'normal' and x.total >= 900) as "excellent!",
                  count(*) filter (where x.mark = 'absent') as "absent!",
                  coalesce(sum(x.makeup_used), 0)::bigint as "makeups!",
                  count(*) filter (where x.makeup_used > 0) as "made_up!",
                  count(*) filter (where x.makeup_used > 0 and x.passed) as "made_up_passed!",
                  count(*) filter (where x.source = 'retake') as "retakes!",
                  array[count(*) filter (where x.mark = 'normal' and x.total < 600),
                        count(*) filter (where x.mark = 'normal' and x.total >= 600 and x.total < 700),
                        count(*) filter (where x.mark = 'normal' and x.total >= 700 and x.total < 800),
                        count(*) filter (where x.mark = 'normal' and x.total >= 800 and x.total < 900),
                        count(*) filter (where x.mark = 'normal' and x.total >= 900)] as "bands!"
           from scores x group by x.key"#,
        key,
        wanted.semester,
        wanted.sites(),
        wanted.classes(),
        wanted.site,
        wanted.course
    )
    .fetch_all(connection)
    .await?;
    let groups = rows.into_iter().map(|row| {
        let mut bands = [0; 5];
        for (band, number) in bands.iter_mut().zip(&row.bands) {
            *band = *number;
        }
        let scored = Scored {
            enrolled: row.enrolled,
            counted: row.counted,
            sum: row.sum,
            squares: row.squares,
            median: row.median.map(|tenths| (tenths + 0.5).floor() / 10.0),
            highest: row.highest.and_then(|tenths| rates::mean(tenths, 1)),
            lowest: row.lowest.and_then(|tenths| rates::mean(tenths, 1)),
            passed: row.passed,
            excellent: row.excellent,
            absent: row.absent,
            makeups: row.makeups,
            made_up: row.made_up,
            made_up_passed: row.made_up_passed,
            retakes: row.retakes,
            bands,
        };
        (row.key, scored)
    });
    Ok(groups.collect())
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let found = groups(&mut *connection, wanted, wanted.key()).await?;
    let total = if wanted.dimension.is_some() {
        groups(&mut *connection, wanted, "").await?.remove("").map(|all| all.cells(wanted.least))
    } else {
        None
    };
    let names = names(connection, wanted).await?;
    Ok(table(names, found, |scored| scored.cells(wanted.least), total))
}

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let all = groups(connection, wanted, "").await?.remove("").unwrap_or_default();
    let words = ["60以下", "60–69.9", "70–79.9", "80–89.9", "90以上"];
    let points = words.into_iter().zip(all.bands).map(|(word, number)| counted(word, number));
    Ok(vec![chart("bands", "分数段", (StatChartKind::Bar, "人次"), vec![("人次", points.collect())])])
}
