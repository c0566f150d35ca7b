//! 照片批量导入: a zip of pictures named by number (02 §9.8). Not all-or-nothing: what fits is kept, the rest is told.
//!
//! Few pictures are answered directly. Many become a job that keeps them part by part: what was written when somebody
//! cancels it stays, and the same zip may come again. Whose pictures they are an [`Album`] says. The wrong zip goes again for
//! 30 days, as other imports do: everybody has the picture of before.

use std::{collections::HashMap, future::Future, marker::PhantomData};

use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::{MayWrite, Permission},
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer, cells},
    transfer::{self, Imported, Parts, Undo, undone},
};
use poem_openapi::types::multipart::Upload;
use serde_json::{Value, json};
use sqlx::PgConnection;
use student_status_rules::{
    album::{Planned, sort},
    archive::{self, Archive, Entry},
    picture::{self, Picture},
};
use tempfile::NamedTempFile;
use tokio::{io::AsyncWriteExt, sync::mpsc, task::spawn_blocking};

use crate::enums::PhotoKind;

pub use student_status_rules::album::{Found, InvalidStudentPhoto, StudentPhotoAnswer};

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
