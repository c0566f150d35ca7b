//! 照片批量导入: a zip of pictures named by number (02 §9.8). Not all-or-nothing: what fits is kept, the rest is told.
//!
//! Few pictures are answered directly. Many become a job that keeps them part by part: what was written when somebody
//! cancels it stays, and the same zip may come again. Whose pictures they are an [`Album`] says. The wrong zip goes again for
//! 30 days, as other imports do: everybody has the picture of before.

mod archive;
mod picture;

use std::{
    collections::{HashMap, HashSet},
    future::Future,
    marker::PhantomData,
};

use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::{MayWrite, Permission},
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer, cells},
    transfer::{self, Imported, Parts, Undo, undone},
};
use poem_openapi::{Object, types::multipart::Upload};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tempfile::NamedTempFile;
use tokio::{io::AsyncWriteExt, sync::mpsc, task::spawn_blocking};

use self::{
    archive::{Archive, Entry},
    picture::Picture,
};
use crate::enums::PhotoKind;

/// So many files are answered directly; a longer archive becomes a job.
const DIRECT_FILES: usize = 200;
/// Pictures that are decoded and wait for the store.
const WAITING: usize = 4;
/// Pictures that are read between two commits of a job.
const AT_ONCE: usize = 200;

/// Whose pictures an archive brings, and where they are kept.
pub trait Album: Clone + Send + Sync + 'static {
    /// Of the job that many pictures become, for example `student.photo_import`.
    const KIND: &'static str;
    /// 中文, as the job centre names it: 导入 or 检查, then this.
    const TITLE: &'static str;
    /// Of the operation; the people must lie in its data scope.
    type Permission: Permission<Mode: MayWrite>;
    /// The table of the people.
    const TABLE: &'static str;
    /// What is told of a number that names nobody.
    const NOBODY: &'static str;

    /// What a picture must be.
    fn kind(&self) -> PhotoKind;

    /// The field of the people that names the picture, for the trail.
    fn field(&self) -> &'static str;

    /// What the operation said beside the archive, for the job; and the album that it was.
    fn said(&self) -> Value;

    /// # Errors
    /// Internal ones, for what no operation says.
    fn of(said: &Value) -> Result<Self>;

    /// The people of the scope by their numbers, which are in capitals; of several with one number the first counts.
    fn people(
        &self,
        connection: &mut PgConnection,
        numbers: &[String],
        scope: &Scope,
    ) -> impl Future<Output = Result<Vec<(String, Found)>>> + Send;

    /// Gives people their pictures, each a person and a file; answers whose were replaced, and which.
    fn attach(
        &self,
        tx: &mut Tx,
        photos: &[(i64, i64)],
    ) -> impl Future<Output = Result<Vec<(i64, Option<i64>)>>> + Send;

    /// As [`Undo::hold`].
    fn hold(_tx: &mut Tx, _people: &[i64]) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Gives somebody the picture of before the import again, or none.
    ///
    /// # Errors
    /// 404 outside the scope; 409 when they have another picture by now.
    fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> impl Future<Output = Result<Option<Change>>> + Send;

    /// What follows of it that these people have pictures now, a part of it at a time, each in a transaction of its own that holds
    /// nothing else; asked again until nothing is left.
    fn finish(
        &self,
        _tx: &mut Tx,
        _people: &[i64],
        _scope: &Scope,
    ) -> impl Future<Output = Result<Vec<Change>>> + Send {
        async { Ok(Vec::new()) }
    }
}

/// An archive as a kept import.
struct Pictures<A>(PhantomData<A>);

impl<A: Album> Undo for Pictures<A> {
    const KIND: &'static str = A::KIND;
    type Permission = A::Permission;

    async fn hold(tx: &mut Tx, records: &[i64]) -> Result<()> {
        A::hold(tx, records).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        A::undo(tx, scope, record).await
    }
}

/// The kind of job that a long archive becomes, and by which an archive is taken back.
pub const fn album_job<A: Album>() -> JobKind {
    JobKind { kind: A::KIND, code: Some(A::Permission::CODE), run: |run| Box::pin(work::<A>(run)), headings: None }
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
    /// 未匹配到人员的文件
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

/// An archive as it was sent, and what is done with its pictures.
#[derive(Debug)]
pub struct SentAlbum {
    pub file: Upload,
    /// Also for people who have a picture.
    pub overwrite: bool,
    /// Nothing is kept.
    pub dry_run: bool,
}

/// The body of an operation that takes pictures.
///
/// # Errors
/// 422 at `file` when the archive is refused as a whole; 409 when the school's storage is full.
pub async fn import<A: Album>(
    caller: &Allowed<A::Permission>,
    album: A,
    sent: SentAlbum,
) -> Result<Reply<StudentPhotoAnswer>> {
    let app = caller.app();
    let SentAlbum { file, overwrite, dry_run } = sent;
    let name = file.file_name().map_or_else(|| "照片.zip".to_owned(), ToOwned::to_owned);
    let file = received(app, file).await?;
    let (archive, entries) = opened(&file).await?;
    let school_id = caller.school_id();
    if entries.len() > DIRECT_FILES {
        let kept = files::keep_result(app, school_id, caller.user_id(), &name, file.path()).await?;
        let job = NewJob {
            kind: A::KIND,
            target: String::new(),
            title: format!("{}{}", if dry_run { "检查" } else { "导入" }, A::TITLE),
            params: json!({
                "file": kept, "fileName": name, "said": album.said(), "overwrite": overwrite, "dryRun": dry_run,
            }),
        };
        let job_id = Some(jobs::start(caller.caller(), job).await?);
        return Ok(reply(StudentPhotoAnswer { job_id, ..StudentPhotoAnswer::default() }));
    }
    let scope = caller.scope();
    let mut tx = caller.begin_long().await?;
    let found = people(&album, &mut tx, &entries, &scope).await?;
    let (mut answer, plan) = sort(entries, &found, overwrite);
    let aim = Aim { school_id, album, scope, dry_run, file_name: &name, run: None };
    let mut pictured = pictured(&found);
    pictured.extend(keep(tx, &aim, archive, plan, &mut answer).await?);
    if let Some(school) = caller.school.as_deref().filter(|_| !dry_run) {
        loop {
            // The key of a call that may come twice is taken by what was committed before.
            let mut tx = caller.begin_in(school).await?;
            let changes = aim.album.finish(&mut tx, &pictured, &aim.scope).await?;
            if changes.is_empty() {
                break;
            }
            tx.commit_all(changes).await?;
        }
    }
    Ok(reply(answer))
}

/// Whoever had a picture before: the same zip may come again, or go on where a job broke off.
fn pictured(found: &HashMap<String, Found>) -> Vec<i64> {
    found.values().filter(|person| person.photo.is_some()).map(|person| person.id).collect()
}

/// Where the pictures go, and whether they stay there.
struct Aim<'r, A> {
    school_id: Option<i64>,
    album: A,
    scope: Scope,
    dry_run: bool,
    /// As the person named the archive.
    file_name: &'r str,
    /// Told after each part how far the work is.
    run: Option<&'r JobRun>,
}

/// A job that is begun again finds the pictures of the first attempt and skips or replaces them.
async fn work<A: Album>(run: JobRun) -> Result<Outcome> {
    if let Some(outcome) = undone::<Pictures<A>>(&run).await? {
        return Ok(outcome);
    }
    let scope = run.scope(A::Permission::CODE).await?;
    let file = run.params["file"].as_i64().ok_or_else(|| Error::internal("the job names no file"))?;
    let album = A::of(&run.params["said"])?;
    let flag = |name: &str| run.params[name].as_bool().unwrap_or(false);
    let file = transfer::kept(run.app(), file).await?;
    let (archive, entries) = opened(&file).await?;
    let mut tx = run.begin().await?;
    let found = people(&album, &mut tx, &entries, &scope).await?;
    let (mut answer, plan) = sort(entries, &found, flag("overwrite"));
    let dry_run = flag("dryRun");
    let school_id = run.school.as_ref().map(|school| school.id);
    let file_name = run.params["fileName"].as_str().unwrap_or_default();
    let aim = Aim { school_id, album, scope, dry_run, file_name, run: Some(&run) };
    let mut pictured = pictured(&found);
    pictured.extend(keep(tx, &aim, archive, plan, &mut answer).await?);
    if !dry_run {
        loop {
            let mut tx = run.begin().await?;
            let changes = aim.album.finish(&mut tx, &pictured, &aim.scope).await?;
            if changes.is_empty() {
                break;
            }
            tx.commit_all(changes).await?;
        }
    }
    told::<A>(&run, &answer, dry_run).await
}

/// The answer in the words of a job, with all that was not kept as its file.
async fn told<A: Album>(run: &JobRun, answer: &StudentPhotoAnswer, dry_run: bool) -> Result<Outcome> {
    let left: Vec<InvalidStudentPhoto> = answer
        .unmatched
        .iter()
        .map(|name| InvalidStudentPhoto { name: name.clone(), message: A::NOBODY.to_owned() })
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

/// Somebody whom a number names, and the picture that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub id: i64,
    pub photo: Option<i64>,
}

/// The people of the scope by the numbers of the entries.
async fn people<A: Album>(
    album: &A,
    connection: &mut PgConnection,
    entries: &[Entry],
    scope: &Scope,
) -> Result<HashMap<String, Found>> {
    let numbers: Vec<String> = entries.iter().filter_map(|entry| entry.number.clone()).collect();
    let mut found = HashMap::new();
    for part in numbers.chunks(1000) {
        for (number, person) in album.people(connection, part, scope).await? {
            found.entry(number).or_insert(person);
        }
    }
    Ok(found)
}

/// A picture to be kept.
#[derive(Debug)]
struct Planned {
    entry: Entry,
    person: Found,
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
            Some(person) if !seen.insert(person.id) => answer.refuse(entry.name, "同一学生有多张照片"),
            Some(person) if person.photo.is_some() && !overwrite => answer.skipped += 1,
            Some(person) => plan.push(Planned { person: *person, entry }),
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
/// transaction, or as a job in one for each part. Answers whose were kept.
async fn keep<A: Album>(
    tx: Tx,
    aim: &Aim<'_, A>,
    archive: Archive,
    plan: Vec<Planned>,
    answer: &mut StudentPhotoAnswer,
) -> Result<Vec<i64>> {
    // A check alone writes nothing, and a transaction may not wait for thousands of pictures.
    let mut tx = Some(tx).filter(|_| !aim.dry_run);
    let (sender, mut pictures) = mpsc::channel(WAITING);
    let kind = aim.album.kind();
    let total = i64::try_from(plan.len()).unwrap_or(i64::MAX);
    let reading = spawn_blocking(move || read_all(archive, kind, plan, &sender));
    let (mut waiting, mut read_so_far) = (Vec::new(), 0);
    let (mut pictured, mut parts) = (Vec::new(), None);
    while let Some((Planned { entry, person }, read)) = pictures.recv().await {
        if let Some(run) = aim.run.filter(|_| read_so_far > 0 && read_so_far % AT_ONCE as i64 == 0) {
            if let Some(part) = tx.take_if(|_| !waiting.is_empty()) {
                commit(part, aim, &mut parts, answer.total, &std::mem::take(&mut waiting)).await?;
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
        answer.replaced += i64::from(person.photo.is_some());
        let Some(tx) = tx.as_mut() else { continue };
        let Picture { bytes, content_type, extension } = picture;
        let name = format!("{}.{extension}", entry.number.unwrap_or_default());
        let file = NewFile {
            name: &name,
            content_type,
            kind: FileType::Private,
            owner: Some((A::TABLE, person.id)),
            uploader: Uploader::Account(tx.by()),
            expires_at: None,
        };
        let app = tx.app().clone();
        let (file_id, _) = files::keep_bytes(&app, tx, aim.school_id, &file, bytes.into()).await?;
        waiting.push((person.id, file_id));
        pictured.push(person.id);
    }
    reading.await.map_err(Error::internal)?;
    if let Some(tx) = tx.filter(|_| !waiting.is_empty()) {
        commit(tx, aim, &mut parts, answer.total, &waiting).await?;
    }
    Ok(pictured)
}

/// Gives people their pictures, each a person and a file, and keeps which they had, so that it can be undone.
async fn commit<A: Album>(
    mut tx: Tx,
    aim: &Aim<'_, A>,
    parts: &mut Option<Parts>,
    total: i64,
    photos: &[(i64, i64)],
) -> Result<()> {
    let parts = parts.get_or_insert_with(|| Parts::new(tx.app()));
    parts.enter(&mut tx);
    let former: HashMap<i64, Option<i64>> = aim.album.attach(&mut tx, photos).await?.into_iter().collect();
    let mut changes = Vec::with_capacity(photos.len());
    for (id, file) in photos {
        if let Some(former) = former.get(id) {
            changes.push(Change::status(A::TABLE, *id, aim.album.field(), *former, *file));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let batch = parts.keep::<Pictures<A>>(&mut tx, A::TITLE, aim.file_name, total, &changes).await?;
    tx.commit_all(changes.into_iter().map(|change| change.imported(batch)).collect()).await
}

/// Keeps a clean copy of a picture that was sent in by itself, as those of an archive are kept: looked at, and its pixels written
/// anew. What was sent in stays as it is.
///
/// # Errors
/// 422 for what is no picture of the kind, 409 when the school's storage is full.
pub async fn keep_copy(tx: &mut Tx, key: &str, kind: PhotoKind, owner: (&str, i64)) -> Result<i64> {
    let app = tx.app().clone();
    let bytes = files::beginning(&app, key, picture::MOST_BYTES + 1).await?;
    let bytes = bytes.ok_or_else(|| Error::refused("文件不存在或未上传完成，请重新上传"))?;
    let read = spawn_blocking(move || picture::read(kind, &bytes)).await.map_err(Error::internal)?;
    let Picture { bytes, content_type, extension } = read.map_err(Error::refused)?;
    let name = format!("{}.{extension}", kind.zh());
    let file = NewFile {
        name: &name,
        content_type,
        kind: FileType::Private,
        owner: Some(owner),
        uploader: Uploader::Account(tx.by()),
        expires_at: None,
    };
    files::keep_beside(&app, tx, key, &file, bytes.into()).await
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
        assert_eq!(plan.iter().map(|planned| planned.person.id).collect::<Vec<_>>(), [1]);
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
