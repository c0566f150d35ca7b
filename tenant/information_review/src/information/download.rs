//! 打包下载: the papers and files of students, a folder each, with a sheet of all; made while it is sent (02 §11.5).
//!
//! ```text
//! {年级}/{站点}/{班级}/{学号}_{姓名}/登记表.pdf, 材料1_….jpg, 签字扫描件2_….pdf      汇总.xlsx
//! ```
//! Fifty students are read at a time, each time in a transaction of its own: no connection waits for a slow client.
//!
//! The papers show ID numbers, phones, addresses and mails masked, as view and print do, unless whoever downloads also holds the group's
//! code of whole exports over the student; 汇总.xlsx is masked always (05 E4). What was sent in is packed as it is. The operation log keeps who, how many,
//! and whether numbers were whole.

mod papers;
mod person;

use std::{collections::HashSet, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use information_review_rules::folder::{named, once};
use infra::{
    Allowed, App, Error, Result, Scope,
    access::Permission,
    files::{
        self,
        archive::{self, Archive, ArchiveStream},
    },
    sheet::{Writer, cells},
    transfer::{Export, folder},
};
use paper::{Paper, Picture};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use student_status::roster::{Letterhead, letterhead, seal_key};
use tokio::task::spawn_blocking;

use self::{
    papers::{Head, Pictures},
    person::{Known, Person},
};
use super::{
    export::Sheet,
    list::{self, InformationFilter},
};
use crate::{enums::InformationKind, group::Group};

/// Students of one download.
const MOST: usize = 5_000;
/// Students that are read at once.
const PART: usize = 50;
/// Bytes of a picture that is drawn; what is larger is not looked at.
const LARGEST_PICTURE: usize = 10 << 20;
const ALL: &str = "汇总";
/// What of the files is gone.
const GONE: &str = "缺失文件.txt";

/// Whose papers: ticked ones, or all that the list's filter names.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InformationDownload {
    /// 勾选的记录
    /// 编号，最多5000人；与 filter 二选一
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Option<Vec<i64>>,
    /// 查询条件
    /// 与列表的条件相同，下载符合条件的全部学生，最多5000人
    pub filter: Option<InformationFilter>,
}

impl Example for InformationDownload {
    fn example() -> Self {
        Self { ids: Some(vec![1]), filter: None }
    }
}

/// The archive of a group.
///
/// # Errors
/// 422 without rows, or with both ways to name them; 999 for none and for too many; 429 when all places for exports are taken.
pub(crate) fn download<G: Group>(
    caller: Allowed<G::Downloading>,
    wanted: InformationDownload,
) -> BoxFuture<'static, Result<ArchiveStream>> {
    chosen::<G>(caller, wanted).boxed()
}

async fn chosen<G: Group>(caller: Allowed<G::Downloading>, wanted: InformationDownload) -> Result<ArchiveStream> {
    let (ids, filter) = match wanted {
        InformationDownload { ids: Some(ids), filter: None } => (Some(ids), InformationFilter::default()),
        InformationDownload { ids: None, filter: Some(filter) } => (None, filter),
        InformationDownload { ids: None, filter: None } => {
            return Err(Error::field("ids", "请选择要下载的学生"));
        }
        InformationDownload { ids: Some(_), filter: Some(_) } => {
            return Err(Error::field("filter", "已勾选学生，不能同时按条件下载"));
        }
    };
    if ids.as_ref().is_some_and(|ids| ids.len() > MOST) {
        return Err(too_many());
    }
    let wanted = filter.wanted(G::KIND, &caller.scope());
    let ids = list::to_pack(&mut *caller.read().await?, &wanted, ids.as_deref(), MOST + 1).await?;
    if ids.is_empty() {
        return Err(Error::new(999, "没有可下载的数据"));
    }
    if ids.len() > MOST {
        return Err(too_many());
    }
    let plain = caller.rights().get(<G::ExportingPlain as Permission>::CODE).cloned();
    let app = caller.app().clone();
    let name = format!("{}_{}.zip", G::KIND.zh(), app.clock().now().format("%Y%m%d%H%M%S"));
    caller.note("export", json!({ "rows": ids.len(), "file": name, "plain": plain.is_some() }));
    archive::stream(&app, name, move |archive| async move { pack::<G>(&caller, archive, &ids, plain.as_ref()).await })
}

fn too_many() -> Error {
    Error::new(999, "单次最多下载5000人，请缩小范围")
}

async fn pack<G: Group>(
    caller: &Allowed<G::Downloading>,
    archive: Archive<()>,
    ids: &[i64],
    plain: Option<&Scope>,
) -> Result<()> {
    let app = caller.app();
    let (head, mut known) = begin(caller).await?;
    let head = Arc::new(head);
    let mut summary = Writer::start(&folder(app).await?, ALL, Sheet::<G>::COLUMNS);
    let mut folders = HashSet::new();
    let mut gone = String::new();
    for part in ids.chunks(PART) {
        let people = {
            let mut tx = caller.read().await?;
            person::load(&mut tx, G::KIND, part, &caller.scope(), &mut known).await?
        };
        for mut person in people {
            let folder = folder_of(&person, &mut folders);
            let mut row = person.row.clone();
            let (site, class) = (person.student.site_id, person.student.class_id);
            if !plain.is_some_and(|plain| plain.sees(Some(site), class)) {
                person.mask();
            }
            for missing in add(app, &archive, &folder, person, &head).await? {
                gone.push_str(&missing);
                gone.push_str("\r\n");
            }
            row.mask();
            summary.row(cells(Sheet::<G>::COLUMNS, &row)).await?;
        }
    }
    if !gone.is_empty() {
        archive.add_bytes(GONE.to_owned(), gone).await?;
    }
    let summary = summary.finish().await?;
    let summary = tokio::fs::read(summary.path()).await.map_err(Error::of_disk)?;
    archive.add_bytes(format!("{ALL}.xlsx"), summary).await?;
    archive.finish().await
}

/// What all papers of a school have in common.
async fn begin<P: Permission>(caller: &Allowed<P>) -> Result<(Head, Known)> {
    let app = caller.app();
    let school = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
    let head = {
        let mut tx = caller.read().await?;
        head_of(app, &mut tx, &school).await?
    };
    let known = Known::of(app, school).await?;
    Ok((head, known))
}

async fn head_of(app: &App, connection: &mut PgConnection, school: &str) -> Result<Head> {
    let Letterhead { header, office, .. } = letterhead(app, connection).await?;
    let seal = seal_key(app, connection).await?;
    let seal = picture_bytes(app, seal.as_deref()).await?;
    let seal = spawn_blocking(move || seal.as_deref().and_then(Picture::read)).await.map_err(Error::internal)?;
    Ok(Head { header: header.unwrap_or_else(|| school.to_owned()), office, seal })
}

/// 毕业生登记表 of a student whose form is approved, for their archive: with whole numbers, as it was signed. None before that, and for
/// whom the scope does not show.
///
/// # Errors
/// Those of the database and of the store.
pub async fn graduation_form(
    app: &App,
    connection: &mut PgConnection,
    school: &str,
    student: i64,
    scope: &Scope,
) -> Result<Option<Paper>> {
    let kind = InformationKind::GraduationInformation;
    let form = sqlx::query_scalar!(
        "select id from student_information where student_id = $1 and kind = $2 and status = 'approved'",
        student,
        kind.as_str()
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(form) = form else { return Ok(None) };
    let head = head_of(app, connection, school).await?;
    let mut known = Known::of(app, school.to_owned()).await?;
    let Some(person) = person::load(connection, kind, &[form], scope, &mut known).await?.pop() else {
        return Ok(None);
    };
    let photo = picture_bytes(app, person.photo.as_deref()).await?;
    let signature = picture_bytes(app, person.signature.as_deref()).await?;
    let drawn =
        spawn_blocking(move || papers::drawn(&person, &head, &pictures(photo.as_deref(), signature.as_deref())));
    let papers = drawn.await.map_err(Error::internal)?;
    Ok(papers.into_iter().next().map(|(_, paper)| paper))
}

fn pictures(photo: Option<&[u8]>, signature: Option<&[u8]>) -> Pictures {
    Pictures { photo: photo.and_then(Picture::read), signature: signature.and_then(Picture::read) }
}

/// Adds what belongs to somebody; answers which of their files are gone.
async fn add(app: &App, archive: &Archive<()>, folder: &str, person: Person, head: &Arc<Head>) -> Result<Vec<String>> {
    let photo = picture_bytes(app, person.photo.as_deref()).await?;
    let signature = picture_bytes(app, person.signature.as_deref()).await?;
    let files = person.files.clone();
    let head = Arc::clone(head);
    let drawn = spawn_blocking(move || {
        let pictures = pictures(photo.as_deref(), signature.as_deref());
        papers::of(&person, &head, &pictures)
    });
    for (name, pdf) in drawn.await.map_err(Error::internal)?.map_err(Error::internal)? {
        archive.add_bytes(format!("{folder}/{name}"), pdf).await?;
    }
    let mut gone = Vec::new();
    for (number, file) in (1..).zip(files) {
        let kind = if file.is_paper() { "签字扫描件" } else { "材料" };
        let name = format!("{folder}/{kind}{number}_{}", named(&file.name));
        if !archive.add(app, || name.clone(), &file.key).await? {
            gone.push(name);
        }
    }
    Ok(gone)
}

/// The bytes of a stored picture; none when it is gone, or too large to be drawn.
async fn picture_bytes(app: &App, key: Option<&str>) -> Result<Option<Vec<u8>>> {
    let Some(key) = key else { return Ok(None) };
    let bytes = files::beginning(app, key, LARGEST_PICTURE + 1).await?;
    Ok(bytes.filter(|bytes| bytes.len() <= LARGEST_PICTURE))
}

/// `{年级}/{站点}/{班级}/{学号}_{姓名}`, once.
fn folder_of(person: &Person, taken: &mut HashSet<String>) -> String {
    let row = &person.row;
    let number = row.student_no.as_deref().or(row.examinee_no.as_deref()).unwrap_or("无学号");
    let folder = format!(
        "{}/{}/{}/{}",
        named(&row.grade_name),
        named(&row.site_name),
        named(row.class_name.as_deref().unwrap_or("未分班")),
        named(&format!("{number}_{}", row.name)),
    );
    once(folder, taken)
}
