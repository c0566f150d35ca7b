//! Papers that people handed in, bound behind one that is drawn: 身份证、照片、前置学历扫描 of what lies in the register, and what belongs to
//! 实习 and 论文过程材料 (part 04 §11).

use infra::{App, Error, Result, files};
use paper::{Binder, Paper, PaperError, Picture};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

/// Bytes of a file that is bound; a larger one is none that can be read.
const MOST: usize = 50 << 20;
/// Of a scan and of a photo on their pages, in millimetres.
const SCAN: (f32, f32) = (165.0, 215.0);
const PHOTO: (f32, f32) = (66.0, 96.0);

/// A file that is bound.
pub(super) struct Scan {
    pub title: String,
    pub key: String,
    pub photo: bool,
}

/// Binds files behind a document. None when one of them is gone, or is neither a PDF nor a picture.
///
/// # Errors
/// Those of the store.
pub(super) async fn bound(
    app: &App,
    school: &str,
    first: Option<(&str, Vec<u8>)>,
    scans: Vec<Scan>,
) -> Result<Option<Vec<u8>>> {
    let mut read = Vec::with_capacity(scans.len());
    for scan in scans {
        let Some(bytes) = files::beginning(app, &scan.key, MOST).await? else { return Ok(None) };
        read.push((scan, bytes));
    }
    let school = school.to_owned();
    let first = first.map(|(title, bytes)| (title.to_owned(), bytes));
    let made = spawn_blocking(move || put(&school, first.as_ref(), &read));
    made.await.map_err(Error::internal)?.map_err(Error::internal)
}

fn put(
    school: &str,
    first: Option<&(String, Vec<u8>)>,
    scans: &[(Scan, Vec<u8>)],
) -> Result<Option<Vec<u8>>, PaperError> {
    let mut binder = Binder::default();
    if let Some((title, bytes)) = first {
        binder.add(title, bytes);
    }
    for (scan, bytes) in scans {
        let added = if bytes.starts_with(b"%PDF") {
            binder.add(&scan.title, bytes)
        } else if let Some(picture) = Picture::scan(bytes) {
            let (wide, high) = if scan.photo { PHOTO } else { SCAN };
            let mut page = Paper::new(scan.title.as_str(), school);
            page.heading(&scan.title).picture(&picture, wide, high);
            binder.add(&scan.title, &page.finish()?)
        } else {
            false
        };
        if !added {
            return Ok(None);
        }
    }
    binder.finish().map(Some)
}

/// 身份证、照片、前置学历扫描 of a student, of what lies in the register, the pre-registration and the review of earlier studies.
///
/// # Errors
/// 409 with what is lacking: it is to be uploaded.
pub(super) async fn identity(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    student: i64,
) -> Result<Option<Vec<u8>>> {
    let rows = sqlx::query!(
        r#"select w.place as "place!", w.title as "title!", f.key as "key!", l.entry_level = 'associate_to_bachelor' as "second!"
           from student y
           join level l on l.id = y.level_id
           left join registration r on r.id = y.registration_id
           left join admission a on a.id = coalesce(y.admission_id, r.admission_id)
           cross join lateral (
               select 1 as place, '录取照片' as title, y.admission_photo_id as file
               union all select 2, '入学照片', y.enrol_photo_id
               union all select 3, '学历照片', y.graduation_photo_id
               union all
               select case p.kind when 'id_front' then 4 when 'id_back' then 5 else 6 end,
                      case p.kind when 'id_front' then '身份证人像面' when 'id_back' then '身份证国徽面' else '前置学历证书' end, p.file_id
               from pre_registration_file p
               where p.pre_registration_id = a.pre_registration_id and p.kind in ('id_front', 'id_back', 'diploma')
               union all
               select 7, '前置学历材料', h.file_id
               from student_information n
               join student_information_file h on h.student_information_id = n.id and h.purpose = 'attachment'
               where n.student_id = y.id and n.kind = 'admission_commitment') w
           join file_object f on f.id = w.file and f.state = 'stored'
           where y.id = $1 order by w.place, f.id"#,
        student
    )
    .fetch_all(connection)
    .await?;
    let has = |from: i32, to: i32| rows.iter().any(|row| (from..=to).contains(&row.place));
    let asks_for_diploma = rows.first().is_some_and(|row| row.second);
    let lacking: Vec<&str> =
        [("照片", has(1, 3)), ("身份证扫描", has(4, 4) && has(5, 5)), ("前置学历扫描", !asks_for_diploma || has(6, 7))]
            .into_iter()
            .filter_map(|(what, there)| (!there).then_some(what))
            .collect();
    if !lacking.is_empty() {
        return Err(Error::conflict(format!("缺少{}，请上传", lacking.join("、"))));
    }
    let scans = rows.into_iter().map(|row| Scan { photo: row.place <= 3, title: row.title, key: row.key }).collect();
    match bound(app, school, None, scans).await? {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(Error::conflict("有的文件不是PDF或图片，请合并后上传")),
    }
}

/// 实习报告与鉴定: who worked where and how they did, the report, and the appraisal of the unit. None without a report, or where it cannot be
/// bound.
///
/// # Errors
/// Those of the database and of the store.
pub(super) async fn internship(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    student: i64,
) -> Result<Option<Vec<u8>>> {
    let row = sqlx::query!(
        r#"select i.unit, i.post, i.starts_on, i.ends_on, i.mentor, i.unit_score::text as "unit_score?",
                  i.teacher_score::text as "teacher_score?", i.score::text as "score?", i.audited_by_name, y.name as "name!",
                  y.student_no, f.key as "report!", a.key as "appraisal?"
           from internship i
           join student y on y.id = i.student_id
           join file_object f on f.id = i.report_file_id
           left join file_object a on a.id = i.appraisal_file_id
           where i.student_id = $1 order by (i.status = 'passed') desc, i.id desc limit 1"#,
        student
    )
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let day = |on: Option<chrono::NaiveDate>| on.map(|on| on.to_string()).unwrap_or_default();
    let text = |text: Option<String>| text.unwrap_or_default();
    let mut paper = Paper::new("实习鉴定表", school);
    paper.heading("实习鉴定表").fields([
        ("姓名", row.name),
        ("学号", text(row.student_no)),
        ("实习单位", text(row.unit)),
        ("岗位", text(row.post)),
        ("起止日期", format!("{} 至 {}", day(row.starts_on), day(row.ends_on))),
        ("单位指导人", text(row.mentor)),
        ("单位评分", text(row.unit_score)),
        ("教师评分", text(row.teacher_score)),
        ("实习成绩", text(row.score)),
        ("审核人", text(row.audited_by_name)),
    ]);
    let first = finished(paper).await?;
    let scan = |title: &str, key: String| Scan { title: title.to_owned(), key, photo: false };
    let mut scans = vec![scan("实习报告", row.report)];
    scans.extend(row.appraisal.map(|key| scan("单位鉴定", key)));
    bound(app, school, Some(("实习鉴定表", first)), scans).await
}

/// The report on how similar a thesis is, behind its forms; the forms alone where there is none that can be bound.
///
/// # Errors
/// Those of the database and of the store.
pub(super) async fn with_similarity(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    thesis: i64,
    forms: Vec<u8>,
) -> Result<Vec<u8>> {
    let report = sqlx::query_scalar!(
        "select f.key from thesis_document d join file_object f on f.id = d.file_id
         where d.thesis_id = $1 and d.kind = 'similarity_report' order by d.version_no desc limit 1",
        thesis
    )
    .fetch_optional(connection)
    .await?;
    let Some(key) = report else { return Ok(forms) };
    let scans = vec![Scan { title: "查重报告".to_owned(), key, photo: false }];
    let both = bound(app, school, Some(("论文过程材料", forms.clone())), scans).await?;
    Ok(both.unwrap_or(forms))
}

/// The PDF of a paper.
///
/// # Errors
/// Those of the library that writes it.
pub(super) async fn finished(paper: Paper) -> Result<Vec<u8>> {
    spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)
}
