//! 照片批量导入: a zip of pictures named by number (02 §9.8). Not all-or-nothing: what fits is kept, the rest is told.
//!
//! Few pictures are answered directly. Many become a job that keeps them part by part: what was written when somebody
//! cancels it stays, and the same zip may come again.

mod archive;
mod picture;

use std::collections::{HashMap, HashSet};

use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer, cells},
    transfer,
};
use poem_openapi::{Multipart, Object, OpenApi, types::multipart::Upload};
use serde_json::json;
use sqlx::PgConnection;
use tempfile::NamedTempFile;
use tokio::{io::AsyncWriteExt, sync::mpsc, task::spawn_blocking};

use self::{
    archive::{Archive, Entry},
    picture::Picture,
};
use super::ImportStudents;
use crate::enums::PhotoKind;

/// So many files are answered directly; a longer archive becomes a job.
const DIRECT_FILES: usize = 200;
/// Pictures that are decoded and wait for the store.
const WAITING: usize = 4;
/// Students that are updated with one statement.
const AT_ONCE: usize = 200;

pub(super) const JOB: JobKind = JobKind {
    kind: "student.photo_import",
    code: Some(ImportStudents::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// The multipart body.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
struct StudentPhotoForm {
    /// 压缩包
    file: Upload,
    /// 照片类型
    kind: PhotoKind,
    /// 覆盖已有照片
    overwrite: Option<bool>,
    /// 仅检查
    dry_run: Option<bool>,
}

/// 照片导入结果
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentPhotoAnswer {
    /// 图片总数
    pub total: i64,
    /// 已匹配
    pub matched: i64,
    /// 其中替换
    pub replaced: i64,
    /// 已有照片而跳过
    pub skipped: i64,
    /// 未匹配到学生的文件
    pub unmatched: Vec<String>,
    /// 不符合要求的图片
    pub invalid: Vec<InvalidStudentPhoto>,
    /// 任务编号
    /// 图片较多时作为任务处理，结果见任务
    pub job_id: Option<i64>,
}

/// A picture that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct InvalidStudentPhoto {
    /// 文件名
    pub name: String,
    /// 原因
    pub message: String,
}

pub struct PhotoImport;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl PhotoImport {
    /// 导入学生照片
    #[oai(path = "/photo/import", method = "post", operation_id = "importStudentPhotos")]
    async fn photos(
        &self,
        caller: Allowed<ImportStudents>,
        form: StudentPhotoForm,
    ) -> Result<Reply<StudentPhotoAnswer>> {
        let app = caller.app();
        let (overwrite, dry_run) = (form.overwrite.unwrap_or(false), form.dry_run.unwrap_or(false));
        let name = form.file.file_name().map_or_else(|| "照片.zip".to_owned(), ToOwned::to_owned);
        let file = received(app, form.file).await?;
        let (archive, entries) = opened(&file).await?;
        let school_id = caller.school_id();
        if entries.len() > DIRECT_FILES {
            let kept = files::keep_result(app, school_id, caller.user_id(), &name, file.path()).await?;
            let job = NewJob {
                kind: JOB.kind,
                target: String::new(),
                title: if dry_run { "检查学生照片" } else { "导入学生照片" }.to_owned(),
                params: json!({
                    "file": kept, "fileName": name, "kind": form.kind.as_str(), "overwrite": overwrite, "dryRun": dry_run,
                }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(StudentPhotoAnswer { job_id, ..StudentPhotoAnswer::default() }));
        }
        let mut tx = caller.begin_long().await?;
        let found = students(&mut tx, form.kind, &entries, &caller.scope()).await?;
        let (mut answer, plan) = sort(entries, &found, overwrite);
        let aim = Aim { school_id, kind: form.kind, dry_run, run: None };
        keep(tx, &aim, archive, plan, &mut answer).await?;
        Ok(reply(answer))
    }
}

/// Where the pictures go, and whether they stay there.
struct Aim<'r> {
    school_id: Option<i64>,
    kind: PhotoKind,
    dry_run: bool,
    /// Told after each part how far the work is.
    run: Option<&'r JobRun>,
}

/// A job that is begun again finds the pictures of the first attempt and skips or replaces them.
async fn work(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(ImportStudents::CODE).await?;
    let file = run.params["file"].as_i64().ok_or_else(|| Error::internal("the job names no file"))?;
    let kind = run.params["kind"].as_str().and_then(PhotoKind::parse);
    let kind = kind.ok_or_else(|| Error::internal("the job names no kind of photo"))?;
    let flag = |name: &str| run.params[name].as_bool().unwrap_or(false);
    let file = transfer::kept(run.app(), file).await?;
    let (archive, entries) = opened(&file).await?;
    let mut tx = run.begin().await?;
    let found = students(&mut tx, kind, &entries, &scope).await?;
    let (mut answer, plan) = sort(entries, &found, flag("overwrite"));
    let dry_run = flag("dryRun");
    let school_id = run.school.as_ref().map(|school| school.id);
    keep(tx, &Aim { school_id, kind, dry_run, run: Some(&run) }, archive, plan, &mut answer).await?;
    told(&run, &answer, dry_run).await
}

/// The answer in the words of a job, with all that was not kept as its file.
async fn told(run: &JobRun, answer: &StudentPhotoAnswer, dry_run: bool) -> Result<Outcome> {
    let left: Vec<InvalidStudentPhoto> = answer
        .unmatched
        .iter()
        .map(|name| InvalidStudentPhoto { name: name.clone(), message: "没有对应的学生".to_owned() })
        .chain(answer.invalid.iter().cloned())
        .collect();
    let StudentPhotoAnswer { total, matched, replaced, skipped, .. } = answer;
    let done = if dry_run { "可导入" } else { "已导入" };
    let message =
        format!("共{total}张，{done}{matched}张（替换{replaced}张），已有而跳过{skipped}张，{}张不能导入", left.len());
    let mut result_file = None;
    if !left.is_empty() {
        let app = run.app();
        let columns: &[Column<InvalidStudentPhoto>] = &[
            Column { heading: "文件", width: 40, cell: |photo| Cell::Text(photo.name.clone()) },
            Column { heading: "原因", width: 40, cell: |photo| Cell::Text(photo.message.clone()) },
        ];
        let mut writer = Writer::start(&app.config().data.join("tmp"), "未导入的照片", columns);
        for photo in &left {
            writer.row(cells(columns, photo)).await?;
        }
        let file = writer.finish().await?;
        let school = run.school.as_ref().map(|school| school.id);
        result_file = Some(files::keep_result(app, school, run.actor.id, "未导入的照片.xlsx", file.path()).await?);
    }
    let errors = left.iter().take(1_000).map(|photo| json!({ "name": photo.name, "msg": photo.message })).collect();
    Ok(Outcome { message, errors, result_file, ..Outcome::default() })
}

/// # Errors
/// 422 at `file` when the archive is refused as a whole.
async fn opened(file: &NamedTempFile) -> Result<(Archive, Vec<Entry>)> {
    let path = file.path().to_path_buf();
    spawn_blocking(move || archive::open(&path))
        .await
        .map_err(Error::internal)?
        .map_err(|reason| Error::field("file", format!("压缩包不符合要求：{reason}")))
}

async fn received(app: &App, upload: Upload) -> Result<NamedTempFile> {
    if upload.size() > app.config().limits.upload_bytes {
        return Err(Error::field("file", "上传的文件过大"));
    }
    let folder = app.config().data.join("tmp");
    tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
    let file = NamedTempFile::new_in(folder).map_err(Error::of_disk)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::of_disk)?);
    tokio::io::copy(&mut upload.into_async_read(), &mut target).await.map_err(Error::of_disk)?;
    target.flush().await.map_err(Error::of_disk)?;
    Ok(file)
}

/// A student whom a number names, and the photo that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    id: i64,
    photo: Option<i64>,
}

/// The students of the scope by the numbers of the entries. A number is looked for as 考生号, then 证件号, then 学号; of
/// several enrolments of a person the active one counts, else the newest.
async fn students(
    connection: &mut PgConnection,
    kind: PhotoKind,
    entries: &[Entry],
    scope: &Scope,
) -> Result<HashMap<String, Found>> {
    let numbers: Vec<String> = entries.iter().filter_map(|entry| entry.number.clone()).collect();
    let mut found = HashMap::new();
    for part in numbers.chunks(1000) {
        let rows = sqlx::query!(
            r#"select n.number as "number!", s.id as "id!",
                      case $2 when 'admission' then s.admission_photo_id when 'enrol' then s.enrol_photo_id
                              else s.graduation_photo_id end as photo
               from (select examinee_no as number, id, 1 as rank from student where examinee_no = any($1)
                     union all select id_card_no, id, 2 from student where id_card_no = any($1)
                     union all select student_no, id, 3 from student where student_no = any($1)) n
               join student s on s.id = n.id
               where ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
               order by n.rank, s.active desc, s.id desc"#,
            part,
            kind.as_str(),
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            found.entry(row.number).or_insert(Found { id: row.id, photo: row.photo });
        }
    }
    Ok(found)
}

/// A picture to be kept.
#[derive(Debug)]
struct Planned {
    entry: Entry,
    student: Found,
}

/// Decides of every entry, before anything is unpacked, whether its picture is wanted.
fn sort(entries: Vec<Entry>, found: &HashMap<String, Found>, overwrite: bool) -> (StudentPhotoAnswer, Vec<Planned>) {
    let mut answer =
        StudentPhotoAnswer { total: i64::try_from(entries.len()).unwrap_or(i64::MAX), ..StudentPhotoAnswer::default() };
    let mut plan = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        let Some(number) = &entry.number else {
            answer.refuse(entry.name, "只支持jpg、jpeg、png格式的图片");
            continue;
        };
        match found.get(number) {
            None => answer.unmatched.push(entry.name),
            Some(student) if !seen.insert(student.id) => answer.refuse(entry.name, "同一学生有多张照片"),
            Some(student) if student.photo.is_some() && !overwrite => answer.skipped += 1,
            Some(student) => plan.push(Planned { student: *student, entry }),
        }
    }
    (answer, plan)
}

impl StudentPhotoAnswer {
    fn refuse(&mut self, name: String, message: impl Into<String>) {
        self.invalid.push(InvalidStudentPhoto { name, message: message.into() });
    }
}

/// Reads and checks the planned pictures one after another on a thread of its own, and keeps the right ones: in one
/// transaction, or as a job in one for each part.
async fn keep(
    tx: Tx,
    aim: &Aim<'_>,
    archive: Archive,
    plan: Vec<Planned>,
    answer: &mut StudentPhotoAnswer,
) -> Result<()> {
    // A check alone writes nothing, and a transaction may not wait for thousands of pictures.
    let mut tx = Some(tx).filter(|_| !aim.dry_run);
    let (sender, mut pictures) = mpsc::channel(WAITING);
    let kind = aim.kind;
    let total = i64::try_from(plan.len()).unwrap_or(i64::MAX);
    let reading = spawn_blocking(move || read_all(archive, kind, plan, &sender));
    let (mut changes, mut waiting, mut read_so_far) = (Vec::new(), Vec::new(), 0);
    while let Some((Planned { entry, student }, read)) = pictures.recv().await {
        if let Some(run) = aim.run.filter(|_| read_so_far > 0 && read_so_far % AT_ONCE as i64 == 0) {
            if let Some(mut part) = tx.take_if(|_| !changes.is_empty()) {
                attach(&mut part, kind, &std::mem::take(&mut waiting)).await?;
                part.commit_all(std::mem::take(&mut changes)).await?;
                tx = Some(run.begin().await?);
            }
            run.progress("检查并写入", read_so_far, total).await?;
        }
        read_so_far += 1;
        let picture = match read {
            Ok(picture) => picture,
            Err(message) => {
                answer.refuse(entry.name, message);
                continue;
            }
        };
        answer.matched += 1;
        answer.replaced += i64::from(student.photo.is_some());
        let Some(tx) = tx.as_mut() else { continue };
        let Picture { bytes, content_type, extension } = picture;
        let name = format!("{}.{extension}", entry.number.unwrap_or_default());
        let file = NewFile {
            name: &name,
            content_type,
            kind: FileType::Private,
            owner: Some(("student", student.id)),
            uploader: Uploader::Account(tx.by()),
            expires_at: None,
        };
        let app = tx.app().clone();
        let (file_id, _) = files::keep_bytes(&app, tx, aim.school_id, &file, bytes.into()).await?;
        let field = match kind {
            PhotoKind::Admission => "admissionPhotoId",
            PhotoKind::Enrol => "enrolPhotoId",
            PhotoKind::Graduation => "graduationPhotoId",
        };
        changes.push(Change::event("student", student.id, "photo", json!({ field: file_id })));
        waiting.push((student.id, file_id));
        if waiting.len() == AT_ONCE {
            attach(tx, kind, &std::mem::take(&mut waiting)).await?;
        }
    }
    reading.await.map_err(Error::internal)?;
    let Some(mut tx) = tx.filter(|_| !changes.is_empty()) else { return Ok(()) };
    attach(&mut tx, kind, &waiting).await?;
    tx.commit_all(changes).await
}

fn read_all(
    mut archive: Archive,
    kind: PhotoKind,
    plan: Vec<Planned>,
    sender: &mpsc::Sender<(Planned, std::result::Result<Picture, String>)>,
) {
    for planned in plan {
        let read = archive::unpack(&mut archive, planned.entry.index, picture::MOST_BYTES)
            .ok_or_else(|| "压缩包中的文件已损坏".to_owned())
            .and_then(|bytes| picture::read(kind, &bytes));
        if sender.blocking_send((planned, read)).is_err() {
            // The call ended early; nobody wants the rest.
            return;
        }
    }
}

async fn attach(tx: &mut Tx, kind: PhotoKind, photos: &[(i64, i64)]) -> Result<()> {
    let by = tx.by();
    let (ids, files): (Vec<i64>, Vec<i64>) = photos.iter().copied().unzip();
    sqlx::query!(
        "update student s
         set admission_photo_id = case $3 when 'admission' then p.file_id else s.admission_photo_id end,
             enrol_photo_id = case $3 when 'enrol' then p.file_id else s.enrol_photo_id end,
             graduation_photo_id = case $3 when 'graduation' then p.file_id else s.graduation_photo_id end,
             updated_at = now(), updated_by = $4, version = s.version + 1
         from unnest($1::bigint[], $2::bigint[]) as p (id, file_id)
         where s.id = p.id",
        &ids,
        &files,
        kind.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(index: usize, number: &str) -> Entry {
        Entry { index, name: format!("{number}.jpg"), number: Some(number.to_owned()) }
    }

    fn found() -> HashMap<String, Found> {
        let by = |number: &str, id, photo| (number.to_owned(), Found { id, photo });
        [by("A1", 1, None), by("11010519491231002X", 1, None), by("A2", 2, Some(9))].into()
    }

    #[test]
    fn entries_are_sorted_before_they_are_read() {
        let other = Entry { index: 4, name: "名单.xlsx".to_owned(), number: None };
        let entries = vec![entry(0, "A1"), entry(1, "11010519491231002X"), entry(2, "A2"), entry(3, "A3"), other];
        let (answer, plan) = sort(entries.clone(), &found(), false);
        assert_eq!((answer.total, answer.skipped), (5, 1));
        assert_eq!(answer.unmatched, ["A3.jpg"]);
        let invalid: Vec<(&str, &str)> =
            answer.invalid.iter().map(|photo| (photo.name.as_str(), photo.message.as_str())).collect();
        assert_eq!(
            invalid,
            [("11010519491231002X.jpg", "同一学生有多张照片"), ("名单.xlsx", "只支持jpg、jpeg、png格式的图片"),]
        );
        assert_eq!(plan.iter().map(|planned| planned.student.id).collect::<Vec<_>>(), [1]);
        let (answer, plan) = sort(entries, &found(), true);
        assert_eq!((answer.skipped, plan.len()), (0, 2));
    }

    #[test]
    fn every_file_is_told_once() {
        // 5,003 files: 4,990 right, 8 unmatched, 5 invalid (02 §9.12.8); here without the three that are too large.
        let mut known = HashMap::new();
        let mut entries = Vec::new();
        for n in 0..4993 {
            let number = format!("N{n}");
            known.insert(number.clone(), Found { id: n, photo: None });
            entries.push(entry(entries.len(), &number));
        }
        for n in 0..8 {
            entries.push(entry(entries.len(), &format!("X{n}")));
        }
        for _ in 0..2 {
            entries.push(entry(entries.len(), "N0"));
        }
        let (answer, plan) = sort(entries, &known, false);
        assert_eq!((answer.total, plan.len(), answer.unmatched.len(), answer.invalid.len()), (5003, 4993, 8, 2));
    }
}
