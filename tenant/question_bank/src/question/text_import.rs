//! 导入文本试题: a text, or an archive with the text and its pictures and audio; all questions or none (part 03 A7).

use std::{
    collections::HashSet,
    io::Read,
    path::{Path, PathBuf},
};

use encoding_rs::GB18030;
use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    migrate::hex,
    reply,
    sheet::RowError,
    transfer::{self, DIRECT_ROWS, ImportAnswer, Imported, SentSheet, Undo, folder, undone},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use serde_json::json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

use super::{
    ImportQuestionText, QuestionImportAnswer,
    lines::{Intake, Media, Taken},
    sheet::named,
    text_form::{LINES, Parsed, parse},
    write::remove,
};

const KIND: &str = "question.import_text";
const TITLE: &str = "文本试题";
/// Extensions of files in an archive, with the types under which they are stored.
const MEDIA: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
];
/// Bytes of one file, of an archive unpacked, of a text.
const FILE_BYTES: u64 = 20 << 20;
const ARCHIVE_BYTES: u64 = 500 << 20;
const TEXT_BYTES: u64 = 20 << 20;
const FILES: usize = 10_000;
/// Questions of one text.
const MOST: usize = 20_000;
/// Mistakes that an answer tells.
const TOLD: usize = 1_000;

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct QuestionTextForm {
    /// 文件
    pub file: Upload,
    /// 题库
    pub bank_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 跳过重复的试题
    pub skip_duplicates: Option<bool>,
}

/// What goes back of such an import.
pub(super) struct TextImport;

impl Undo for TextImport {
    const KIND: &'static str = KIND;
    type Permission = ImportQuestionText;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        named(tx, record.id).await
    }
}

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<ImportQuestionText as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct QuestionTexts;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionTexts {
    /// 导入文本试题
    /// 文本文件（UTF-8或GB18030），或含文本与media文件夹的压缩包
    #[oai(path = "/import/text", method = "post", operation_id = "importQuestionText")]
    async fn import(
        &self,
        caller: Allowed<ImportQuestionText>,
        form: QuestionTextForm,
    ) -> Result<Reply<QuestionImportAnswer>> {
        let app = caller.app();
        let aim = Aim {
            bank: form.bank_id,
            dry_run: form.dry_run.unwrap_or(false),
            skip: form.skip_duplicates.unwrap_or(false),
            school: caller.school_id(),
        };
        let sent = SentSheet::receive(app, TITLE, form.file, form.sha256.as_deref()).await?;
        let text = opened(app, sent.path()).await?;
        let total = i64::try_from(text.parsed.groups.len()).unwrap_or(i64::MAX);
        if total > DIRECT_ROWS {
            let file =
                files::keep_result(app, aim.school, caller.user_id(), &format!("{TITLE}.zip"), sent.path()).await?;
            let job = NewJob {
                kind: KIND,
                target: String::new(),
                title: format!("导入{TITLE}"),
                params: json!({
                    "file": file, "fileName": sent.name, "sha256": sent.sha256, "dryRun": aim.dry_run, "total": total,
                    "into": aim.bank, "skipDuplicates": aim.skip,
                }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            let answer = ImportAnswer { job_id, sha256: sent.sha256.clone(), ..ImportAnswer::default() };
            return Ok(reply(QuestionImportAnswer { answer, skipped: 0 }));
        }
        let mut tx = caller.begin_long().await?;
        let went = taken(&mut tx, &text, aim).await?;
        let mut answer = ImportAnswer { total, sha256: sent.sha256.clone(), ..ImportAnswer::default() };
        if went.errors.is_empty() && !aim.dry_run {
            answer.imported = went.written;
            let batch = transfer::keep::<TextImport>(&mut tx, TITLE, &sent.name, total, &went.changes).await?;
            commit(tx, went.changes, batch, aim.bank).await?;
        } else {
            drop(tx);
        }
        sent.noted(&caller, total, answer.imported, went.errors.len());
        answer.inserted = Some(went.written);
        answer.unchanged = Some(went.skipped);
        answer.errors = went.errors;
        Ok(reply(QuestionImportAnswer { answer, skipped: went.skipped }))
    }
}

/// Commits what was written; of an import that skipped everything the trail keeps that it came.
async fn commit(tx: Tx, changes: Vec<Change>, batch: sqlx::types::Uuid, bank: i64) -> Result<()> {
    if changes.is_empty() {
        return tx
            .commit(Change::event("question_bank", bank, "import", json!({ "imported": 0 })).in_batch(batch))
            .await;
    }
    tx.commit_all(changes.into_iter().map(|change| change.imported(batch)).collect()).await
}

async fn work(run: JobRun) -> Result<Outcome> {
    if let Some(outcome) = undone::<TextImport>(&run).await? {
        return Ok(outcome);
    }
    let app = run.app();
    run.scope(<ImportQuestionText as Permission>::CODE).await?;
    let number = |name: &str| run.params[name].as_i64().ok_or_else(|| Error::internal("the job names no file"));
    let stored = transfer::kept(app, number("file")?).await?;
    let text = opened(app, stored.path()).await?;
    let flag = |name: &str| run.params[name].as_bool().unwrap_or(false);
    let school = run.school.as_ref().map(|school| school.id);
    let aim = Aim { bank: number("into")?, dry_run: flag("dryRun"), skip: flag("skipDuplicates"), school };
    let total = i64::try_from(text.parsed.groups.len()).unwrap_or(i64::MAX);
    run.progress("检查并写入", 0, total).await?;
    let mut tx = run.begin().await?;
    let went = taken(&mut tx, &text, aim).await?;
    if !went.errors.is_empty() {
        let errors = went.errors.iter().take(1_000).map(|error| json!(error)).collect();
        let message = format!("共{total}题，{}处有误，未导入任何数据", went.errors.len());
        return Ok(Outcome { message, errors, ..Outcome::default() });
    }
    if aim.dry_run {
        let message = format!("共{total}题，检查通过，{}题重复将跳过", went.skipped);
        return Ok(Outcome { message, ..Outcome::default() });
    }
    let message = format!("共{total}题，已导入{}题，跳过{}题", total - went.skipped, went.skipped);
    let outcome = Outcome { message, ..Outcome::default() };
    let name = run.params["fileName"].as_str().unwrap_or(TITLE);
    let batch = transfer::keep::<TextImport>(&mut tx, TITLE, name, total, &went.changes).await?;
    run.mark_done(&mut tx, &outcome).await?;
    commit(tx, went.changes, batch, aim.bank).await?;
    Ok(outcome)
}

/// Where the questions go, and whether they stay there.
#[derive(Debug, Clone, Copy)]
struct Aim {
    bank: i64,
    dry_run: bool,
    skip: bool,
    school: Option<i64>,
}

/// How an import went; in questions.
#[derive(Debug, Default)]
struct Went {
    written: i64,
    skipped: i64,
    errors: Vec<RowError>,
    changes: Vec<Change>,
}

/// Checks all questions, then writes them when all are right.
async fn taken(tx: &mut Tx, text: &Opened, aim: Aim) -> Result<Went> {
    let mut went = passed(tx, text, aim, &text.supposed(), false).await?;
    went.errors.extend(text.parsed.errors.iter().cloned());
    went.errors.sort_by_key(|error| error.row);
    went.errors.truncate(TOLD);
    if aim.dry_run || !went.errors.is_empty() {
        return Ok(went);
    }
    let media = stored(tx, text, aim.school).await?;
    passed(tx, text, aim, &media, true).await
}

async fn passed(tx: &mut Tx, text: &Opened, aim: Aim, media: &Media, write: bool) -> Result<Went> {
    let mut intake = Intake::start(tx, aim.bank).await?;
    intake.skip_duplicates = aim.skip;
    let mut went = Went::default();
    for group in &text.parsed.groups {
        match intake.take(tx, group, media, "章节", write).await? {
            Taken::Written(change) => {
                went.written += 1;
                went.changes.push(change);
            }
            Taken::Right => went.written += 1,
            Taken::Skipped => went.skipped += 1,
            Taken::Wrong(errors) => went.errors.extend(errors.into_iter().take(TOLD)),
        }
    }
    Ok(went)
}

/// A file of an archive.
struct Packed {
    name: String,
    path: PathBuf,
    content_type: &'static str,
    sha256: String,
}

/// A text with the files beside it; they lie in a folder that goes with it.
struct Opened {
    parsed: Parsed,
    files: Vec<Packed>,
    _folder: Option<TempDir>,
}

impl Opened {
    /// The files as they would be stored: what a check needs to know of them.
    fn supposed(&self) -> Media {
        let mut media = Media::default();
        for file in &self.files {
            let mark = hex(&Sha256::digest(file.name.as_bytes()));
            let extension = file.name.rsplit('.').next().unwrap_or("bin").to_lowercase();
            let key = format!("private/s0/000000/{}.{extension}", &mark[..32]);
            media.digests.insert(key.clone(), file.sha256.clone());
            media.keys.insert(file.name.clone(), key);
        }
        media
    }
}

/// Stores the files that the questions name. Until a question adopts one it is nobody's.
async fn stored(tx: &mut Tx, text: &Opened, school: Option<i64>) -> Result<Media> {
    let (app, by) = (tx.app().clone(), tx.by());
    let mut media = Media::default();
    for file in &text.files {
        let bytes = tokio::fs::read(&file.path).await.map_err(Error::of_disk)?;
        let name = file.name.rsplit('/').next().unwrap_or(&file.name);
        let new = NewFile {
            name,
            content_type: file.content_type,
            kind: FileType::Private,
            owner: None,
            uploader: Uploader::Account(by),
            expires_at: None,
        };
        let (_, key) = files::keep_bytes(&app, tx, school, &new, bytes.into()).await?;
        media.digests.insert(key.clone(), file.sha256.clone());
        media.keys.insert(file.name.clone(), key);
    }
    Ok(media)
}

async fn opened(app: &App, path: &Path) -> Result<Opened> {
    let (path, folder) = (path.to_owned(), folder(app).await?);
    let opened = spawn_blocking(move || read(&path, &folder)).await.map_err(Error::internal)??;
    if opened.parsed.groups.is_empty() && opened.parsed.errors.is_empty() {
        return Err(Error::field("file", "文件中没有可导入的试题"));
    }
    let lines: usize = opened.parsed.groups.iter().map(|group| 1 + group.subs.len()).sum();
    if opened.parsed.groups.len() > MOST || lines >= LINES {
        return Err(Error::field("file", format!("一次最多导入{MOST}题，请分成几个文件导入")));
    }
    Ok(opened)
}

fn read(path: &Path, folder: &Path) -> Result<Opened> {
    let mut file = std::fs::File::open(path).map_err(Error::of_disk)?;
    let mut head = [0; 4];
    let begun = file.read(&mut head).map_err(Error::of_disk)?;
    if begun == 4 && head == *b"PK\x03\x04" {
        return unpacked(path, folder);
    }
    if file.metadata().map_err(Error::of_disk)?.len() > TEXT_BYTES {
        return Err(Error::field("file", "文本不能超过20MB，请拆分后分批导入"));
    }
    let bytes = std::fs::read(path).map_err(Error::of_disk)?;
    Ok(Opened { parsed: parse(&decoded(&bytes)?), files: Vec::new(), _folder: None })
}

/// UTF-8, or else GB18030.
fn decoded(bytes: &[u8]) -> Result<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            let (text, _, broken) = GB18030.decode(bytes);
            if broken {
                return Err(Error::field("file", "无法识别文件的编码，请保存为UTF-8后重新上传"));
            }
            text.into_owned()
        }
    };
    if text.contains('\0') {
        return Err(Error::field("file", "文件不是文本，请上传 .txt 或 .zip 文件"));
    }
    Ok(text)
}

fn unpacked(path: &Path, folder: &Path) -> Result<Opened> {
    let odd = || Error::field("file", "压缩包无法打开，请重新压缩后上传");
    let file = std::fs::File::open(path).map_err(Error::of_disk)?;
    let mut archive = zip::ZipArchive::new(file).map_err(|_| odd())?;
    if archive.len() > FILES {
        return Err(Error::field("file", format!("压缩包中的文件不能超过{FILES}个")));
    }
    let place = tempfile::tempdir_in(folder).map_err(Error::of_disk)?;
    let (mut text, mut files, mut sum) = (None, Vec::new(), 0_u64);
    for number in 0..archive.len() {
        let entry = archive.by_index(number).map_err(|_| odd())?;
        let name = entry.name().map_err(|_| odd())?.replace('\\', "/");
        // What systems add by themselves.
        let own = name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        if entry.is_dir() || own {
            continue;
        }
        let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let most = if extension == "txt" { TEXT_BYTES } else { FILE_BYTES };
        let mut bytes = Vec::new();
        entry.take(most + 1).read_to_end(&mut bytes).map_err(|_| odd())?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        sum += size;
        if size > most {
            return Err(Error::field("file", format!("“{name}”超过20MB")));
        }
        if sum > ARCHIVE_BYTES {
            return Err(Error::field("file", "压缩包解压后不能超过500MB，请分批导入"));
        }
        if extension == "txt" {
            if text.replace(decoded(&bytes)?).is_some() {
                return Err(Error::field("file", "压缩包中只能有一个文本文件"));
            }
            continue;
        }
        let Some((_, content_type)) = MEDIA.iter().find(|(known, _)| *known == extension) else {
            return Err(Error::field("file", format!("不支持“{name}”，只能包含文本和 png、jpg、gif、mp3、m4a 文件")));
        };
        let path = place.path().join(number.to_string());
        std::fs::write(&path, &bytes).map_err(Error::of_disk)?;
        files.push(Packed { name, path, content_type, sha256: hex(&Sha256::digest(&bytes)) });
    }
    let text = text.ok_or_else(|| Error::field("file", "压缩包中没有文本文件"))?;
    let parsed = parse(&text);
    let wanted = named_in(&parsed, &text);
    files.retain(|file| wanted.contains(&file.name));
    Ok(Opened { parsed, files, _folder: Some(place) })
}

/// The files that a text names, so that nothing else is stored.
fn named_in(parsed: &Parsed, text: &str) -> HashSet<String> {
    let places =
        text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(name, _)| name.trim().to_owned()));
    let audio = parsed.groups.iter().filter_map(|group| group.head.audio.clone());
    places.chain(audio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_in_either_encoding() {
        assert_eq!(decoded("货币".as_bytes()).expect("UTF-8"), "货币");
        let (bytes, _, _) = GB18030.encode("货币");
        assert_eq!(decoded(&bytes).expect("GB18030"), "货币");
        assert!(decoded(b"a\0b").is_err());
    }

    fn archive(entries: &[(&str, &[u8])]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut writer = zip::ZipWriter::new(file.reopen().expect("the same file"));
        for (name, bytes) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            std::io::Write::write_all(&mut writer, bytes).expect("its bytes");
        }
        writer.finish().expect("an archive");
        file
    }

    #[test]
    fn an_archive_neither_swells_nor_leaves_its_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let read = |entries: &[(&str, &[u8])]| unpacked(archive(entries).path(), place.path());
        let refused = |entries: &[(&str, &[u8])]| match read(entries) {
            Ok(_) => String::new(),
            Err(error) => error.msg.into_owned(),
        };
        let text = "[判断题] 对吗{{../a.png}}\n【答案】对".as_bytes();
        // Nothing of it is large before it is unpacked.
        let large = vec![0; usize::try_from(FILE_BYTES).expect("a size") + 1];
        assert_eq!(refused(&[("a.txt", text), ("a.png", &large)]), "“a.png”超过20MB");
        assert!(refused(&[("a.txt", text), ("a.exe", b"MZ")]).starts_with("不支持“a.exe”"));
        assert_eq!(refused(&[("a.txt", text), ("b.txt", text)]), "压缩包中只能有一个文本文件");
        assert_eq!(refused(&[("media/a.png", b"1")]), "压缩包中没有文本文件");
        let kept = read(&[("a.txt", text), ("../a.png", b"1"), ("unnamed.png", b"2")]);
        let files = kept.map(|opened| opened.files).unwrap_or_default();
        assert_eq!(files.len(), 1, "only what the text names");
        assert!(files[0].path.starts_with(place.path()), "{:?}", files[0].path);
    }

    #[test]
    fn only_what_a_text_names_is_kept() {
        let text =
            "[听力题] 听录音{{media/a.png}}\n【音频】media/x.mp3\n【小题】[判断题] 对吗\n【答案】对\n【大题结束】";
        let mut names: Vec<String> = named_in(&parse(text), text).into_iter().collect();
        names.sort_unstable();
        assert_eq!(names, ["media/a.png", "media/x.mp3"]);
    }
}
