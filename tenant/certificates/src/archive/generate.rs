//! 生成: the papers that the system makes of what it knows, and those that lie elsewhere (part 04 §11).

use certificate_rules::{
    enums::{ArchiveItemCode, ArchiveItemOrigin, ArchiveItemStatus},
    steps::ArchiveTurn,
};
use graduation_rules::{
    enums::DisciplineType,
    form::{self, Head},
};
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Scope, Tx,
    across::{KeyQuery, Keyed},
    files::{self, FileType, NewFile, Uploader},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    mask, reply,
};
use paper::{Cell, Paper, Row};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use student_status::{enums::StudyForm, id_card::Gender};
use thesis::offered::{ThesisDoc, archived_file, forms};

use super::{
    Archives, GenerateArchives,
    item::{held, put, recount},
    scans,
    select::{Archive, ArchiveFilter},
};
use crate::offered::audit_form;

const CODE: &str = "adult:pc:archive:generate";

pub(super) const GENERATE: JobKind =
    JobKind { kind: "archive.generate", code: Some(CODE), run: |run| Box::pin(generated(run)), headings: None };

/// Whose papers are made.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArchivesGenerate {
    /// 毕业批次
    pub batch_id: i64,
    /// 档案
    /// 不填为批次内未归档的全部
    #[oai(validator(max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 替换上传的材料
    /// 不选时人工上传的材料保持不变
    #[oai(default)]
    pub replace_uploaded: bool,
}

impl Example for ArchivesGenerate {
    fn example() -> Self {
        Self { batch_id: 1, ids: None, replace_uploaded: false }
    }
}

pub struct Generation;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Generation {
    /// 生成档案材料
    /// 人工上传的材料保持不变，除非选择替换
    #[oai(path = "/generate", method = "post", operation_id = "generateArchives")]
    async fn generate(
        &self,
        caller: Allowed<GenerateArchives>,
        Body(wanted): Body<ArchivesGenerate>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        let name = sqlx::query_scalar!("select name from graduation_batch where id = $1", wanted.batch_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        drop(tx);
        let job = NewJob {
            kind: GENERATE.kind,
            target: format!("batch:{}", wanted.batch_id),
            title: format!("生成档案材料（{name}）"),
            params: json!({ "batchId": wanted.batch_id, "ids": wanted.ids, "replaceUploaded": wanted.replace_uploaded }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

async fn generated(run: JobRun) -> Result<Outcome> {
    let scope = run.scope(CODE).await?;
    let filter = ArchiveFilter { batch_id: run.params["batchId"].as_i64(), ..ArchiveFilter::default() };
    let ticked: Option<Vec<i64>> =
        run.params["ids"].as_array().map(|ids| ids.iter().filter_map(serde_json::Value::as_i64).collect());
    let mut tx = run.read().await?;
    let keys = Archives::matching(&mut tx, &filter, &scope, KeyQuery::default()).await?;
    drop(tx);
    let mut ids: Vec<i64> =
        keys.into_iter().map(|key| key.id).filter(|id| ticked.as_ref().is_none_or(|ids| ids.contains(id))).collect();
    ids.sort_unstable();
    let total = i64::try_from(ids.len()).unwrap_or_default();
    let (mut done, mut errors) = (0, Vec::new());
    for (place, id) in (0..).zip(ids) {
        run.progress("生成", place, total).await?;
        let mut tx = run.begin().await?;
        match one(&run, &mut tx, id, &scope).await {
            Ok((changes, lacking)) => {
                tx.commit_all(changes).await?;
                done += 1;
                errors.extend(lacking.into_iter().map(|msg| json!({ "id": id, "msg": msg })));
            }
            Err(error) => errors.push(json!({ "id": id, "msg": error.msg })),
        }
    }
    errors.truncate(1000);
    Ok(Outcome { message: format!("已生成{done}份档案的材料"), errors, ..Outcome::default() })
}

/// Makes the papers of one archive; what people sent in stays, unless it is to be replaced. Answers what could not be made, too.
async fn one(run: &JobRun, tx: &mut Tx, id: i64, scope: &Scope) -> Result<(Vec<Change>, Vec<String>)> {
    let archive = held(tx, id, ArchiveTurn::Change, scope).await?;
    let items = sqlx::query!(
        r#"select id, code as "code: ArchiveItemCode", origin as "origin: ArchiveItemOrigin", status as "status: ArchiveItemStatus"
           from archive_item where archive_id = $1 order by id"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let school = run.school.as_ref().map(|school| school.id);
    let replaces = run.params["replaceUploaded"].as_bool().unwrap_or(false);
    let (mut changes, mut lacking) = (Vec::new(), Vec::new());
    for item in items {
        if !replaces && item.origin == ArchiveItemOrigin::Upload && item.status == ArchiveItemStatus::Ready {
            continue;
        }
        let file = match lying(tx, &archive, item.code).await? {
            Some(file) => Some(file),
            None => match made(run, tx, &archive, item.code, scope).await {
                Ok(Some(bytes)) => Some(kept(tx, school, item.id, item.code, bytes).await?),
                Ok(None) => otherwise(tx, &archive, item.code).await?,
                // Without a published score there is no transcript: the others are made all the same.
                Err(error) if error.code == 409 => {
                    lacking.push(format!("{}：{}", item.code.zh(), error.msg));
                    None
                }
                Err(error) => return Err(error),
            },
        };
        let Some(file) = file else { continue };
        put(tx, item.id, file, ArchiveItemOrigin::Generated).await?;
        let what = json!({ "code": item.code.as_str(), "fileId": file });
        changes.push(Change::event("archive_item", item.id, "generate", what));
    }
    changes.push(recount(tx, id, archive.status).await?);
    Ok((changes, lacking))
}

/// A paper that lies elsewhere already.
async fn lying(tx: &mut Tx, archive: &Archive, code: ArchiveItemCode) -> Result<Option<i64>> {
    match code {
        ArchiveItemCode::Thesis => archived_file(tx, archive.student_id).await,
        _ => Ok(None),
    }
}

/// What stands for a paper that could not be made: the report of an internship by itself.
async fn otherwise(tx: &mut Tx, archive: &Archive, code: ArchiveItemCode) -> Result<Option<i64>> {
    if code != ArchiveItemCode::Internship {
        return Ok(None);
    }
    Ok(sqlx::query_scalar!(
        "select report_file_id from internship where student_id = $1 and report_file_id is not null order by id desc limit 1",
        archive.student_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .flatten())
}

pub(super) async fn kept(
    tx: &mut Tx,
    school: Option<i64>,
    item: i64,
    code: ArchiveItemCode,
    bytes: Vec<u8>,
) -> Result<i64> {
    let name = format!("{}.pdf", code.zh().replace('/', "、"));
    let by = tx.by();
    let file = NewFile {
        name: &name,
        content_type: "application/pdf",
        kind: FileType::Private,
        owner: Some(("archive_item", item)),
        uploader: Uploader::Account(by),
        expires_at: None,
    };
    let app = tx.app().clone();
    Ok(files::keep_bytes(&app, tx, school, &file, bytes.into()).await?.0)
}

/// A paper that is made of what is known, as a document; none where there is nothing to say.
async fn made(
    run: &JobRun,
    tx: &mut Tx,
    archive: &Archive,
    code: ArchiveItemCode,
    scope: &Scope,
) -> Result<Option<Vec<u8>>> {
    let (app, student) = (run.app(), archive.student_id);
    let school = run.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
    match code {
        ArchiveItemCode::Identity => return scans::identity(app, tx, &school, student).await,
        ArchiveItemCode::Internship => return scans::internship(app, tx, &school, student).await,
        ArchiveItemCode::ThesisForms => {
            let Some((thesis, forms)) = thesis_forms(run, tx, student).await? else { return Ok(None) };
            let forms = scans::finished(forms).await?;
            return scans::with_similarity(app, tx, &school, thesis, forms).await.map(Some);
        }
        _ => {}
    }
    match drawn(run, tx, archive, code, scope).await? {
        Some(paper) => scans::finished(paper).await.map(Some),
        None => Ok(None),
    }
}

/// The thesis that was finished last, with its forms.
async fn thesis_forms(run: &JobRun, tx: &mut Tx, student: i64) -> Result<Option<(i64, Paper)>> {
    let thesis = sqlx::query_scalar!(
        "select id from thesis where student_id = $1 and status = 'finished' order by attempt_no desc limit 1",
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    let docs = [ThesisDoc::Task, ThesisDoc::Proposal, ThesisDoc::Review, ThesisDoc::Defense, ThesisDoc::Grade];
    match thesis {
        Some(thesis) => Ok(Some((thesis, forms(run.app(), tx, thesis, &docs).await?))),
        None => Ok(None),
    }
}

/// A paper that is drawn; none where there is nothing to say.
async fn drawn(
    run: &JobRun,
    tx: &mut Tx,
    archive: &Archive,
    code: ArchiveItemCode,
    scope: &Scope,
) -> Result<Option<Paper>> {
    let school = run.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
    Ok(match code {
        ArchiveItemCode::Cover => Some(cover(tx, archive, &school).await?),
        ArchiveItemCode::Admission => {
            registration::document::admission_form(run.app(), tx, &school, archive.student_id).await?
        }
        ArchiveItemCode::Registration => {
            information_review::graduation_form(run.app(), tx, &school, archive.student_id, scope).await?
        }
        ArchiveItemCode::Roll => Some(roll(tx, archive, &school).await?),
        ArchiveItemCode::Transcript => {
            let issued = scores::transcript::issue(tx, &[archive.student_id]).await?;
            match issued.first() {
                Some(issue) => Some(scores::transcript::paper(run.app(), tx, archive.student_id, issue).await?),
                None => None,
            }
        }
        ArchiveItemCode::Audit => {
            let user = sqlx::query_scalar!(
                "select id from graduation_user where batch_id = $1 and student_id = $2",
                archive.batch_id,
                archive.student_id
            )
            .fetch_optional(&mut **tx)
            .await?;
            let Some(user) = user else { return Ok(None) };
            let made = audit_form::load(tx, &[user]).await?;
            let printed = run.app().clock().now().format("%Y-%m-%d %H:%M").to_string();
            Some(form::paper(&made, &Head { school, printed }))
        }
        ArchiveItemCode::Rewards => rewards(tx, archive, &school).await?,
        ArchiveItemCode::Certificate => stub(tx, archive, &school).await?,
        ArchiveItemCode::Thesis
        | ArchiveItemCode::ThesisForms
        | ArchiveItemCode::Internship
        | ArchiveItemCode::Identity => None,
    })
}

pub(super) async fn cover(tx: &mut Tx, archive: &Archive, school: &str) -> Result<Paper> {
    let items = sqlx::query!(
        r#"select code as "code: ArchiveItemCode", needed from archive_item where archive_id = $1 order by id"#,
        archive.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut paper = Paper::new("毕业档案", school);
    paper.space(30.0).cover("毕业生档案").space(20.0).fields(head_of(archive)).new_page().heading("卷内目录");
    let rows = (1..).zip(items).map(|(place, item)| {
        let needed = if item.needed { "必备" } else { "" };
        Row::of([Cell::value(15, format!("{place:02}")), Cell::value(65, item.code.zh()), Cell::value(20, needed)])
    });
    let head = Row::of([Cell::label(15, "序号"), Cell::label(65, "材料"), Cell::label(20, "备注")]);
    paper.listing(&head, rows.collect::<Vec<Row>>());
    Ok(paper)
}

/// Who an archive is of.
pub(super) fn head_of(archive: &Archive) -> [(&'static str, String); 7] {
    [
        ("档号", archive.archive_no.clone()),
        ("姓名", archive.name.clone()),
        ("学号", archive.student_no.clone().unwrap_or_default()),
        ("层次", archive.level_name.clone()),
        ("专业", archive.major_name.clone()),
        ("站点", archive.site_name.clone()),
        ("批次", archive.batch_name.clone()),
    ]
}

/// 学籍登记表, with what changed in the register. It is none of the papers that tell a number whole (part 04 §0.6).
async fn roll(tx: &mut Tx, archive: &Archive, school: &str) -> Result<Paper> {
    let row = sqlx::query!(
        r#"select y.name as "name!", y.gender as "gender?: Gender", y.birthday, y.id_card_no as "id_card_no!", y.examinee_no,
                  y.study_form as "form!: StudyForm", y.schooling_years::text as "years!", y.enrolled_on as "enrolled_on!",
                  coalesce(y.ended_on, b.graduates_on) as "ended_on?", y.pre_edu_school, y.pre_edu_certificate_no, g.name as "grade!"
           from student y join grade g on g.id = y.grade_id join graduation_batch b on b.id = $2 where y.id = $1"#,
        archive.student_id,
        archive.batch_id
    )
    .fetch_one(&mut **tx)
    .await?;
    let changes = sqlx::query!(
        "select change_no, reason, effective_on from student_change
         where student_id = $1 and executed_at is not null order by executed_at, id",
        archive.student_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut paper = Paper::new("学籍登记表", school);
    paper.heading("学籍登记表");
    let pair = |one: (&str, String), other: (&str, String)| {
        Row::of([Cell::label(16, one.0), Cell::value(34, one.1), Cell::label(16, other.0), Cell::value(34, other.1)])
    };
    let gender = row.gender.map_or(String::new(), |gender| gender.zh().to_owned());
    let birthday = row.birthday.map(|day| day.to_string()).unwrap_or_default();
    let ended = row.ended_on.map(|day| day.to_string()).unwrap_or_default();
    paper.table([
        pair(("姓名", row.name), ("性别", gender)),
        pair(("出生日期", birthday), ("证件号", mask::id_card(&row.id_card_no))),
        pair(("学号", archive.student_no.clone().unwrap_or_default()), ("考生号", row.examinee_no.unwrap_or_default())),
        pair(("年级", row.grade), ("层次", archive.level_name.clone())),
        pair(("专业", archive.major_name.clone()), ("学习形式", row.form.zh().to_owned())),
        pair(("学制", row.years), ("站点", archive.site_name.clone())),
        pair(("入学日期", row.enrolled_on.to_string()), ("毕业日期", ended)),
        pair(
            ("前置学历学校", row.pre_edu_school.unwrap_or_default()),
            ("前置学历证书号", row.pre_edu_certificate_no.unwrap_or_default()),
        ),
    ]);
    paper.space(4.0).subheading("学籍异动");
    let head = Row::of([Cell::label(25, "文号"), Cell::label(50, "原因"), Cell::label(25, "生效日期")]);
    let rows = changes.into_iter().map(|change| {
        Row::of([
            Cell::value(25, change.change_no),
            Cell::value(50, change.reason),
            Cell::value(25, change.effective_on.map(|on| on.to_string()).unwrap_or_default()),
        ])
    });
    paper.listing(&head, rows.collect::<Vec<Row>>());
    Ok(paper)
}

async fn rewards(tx: &mut Tx, archive: &Archive, school: &str) -> Result<Option<Paper>> {
    let rows = sqlx::query!(
        r#"select type as "kind: DisciplineType", document_no, reason, decided_on, released_on from student_discipline
           where student_id = $1 and status <> 'revoked' order by decided_on, id"#,
        archive.student_id
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut paper = Paper::new("处分与奖励", school);
    paper.heading("处分与奖励");
    paper.note(&format!("{}　{}", archive.student_no.as_deref().unwrap_or_default(), archive.name));
    let heads = [("类型", 16), ("文号", 22), ("原因", 30), ("处分日期", 16), ("解除日期", 16)];
    let head = Row::of(heads.iter().map(|(word, share)| Cell::label(*share, *word)));
    let lines = rows.into_iter().map(|row| {
        let released = row.released_on.map(|on| on.to_string()).unwrap_or_default();
        let words = [row.kind.zh().to_owned(), row.document_no, row.reason, row.decided_on.to_string(), released];
        Row::of(heads.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word)))
    });
    paper.listing(&head, lines.collect::<Vec<Row>>());
    Ok(Some(paper))
}

/// 证书存根: what a certificate said, with its number and days.
async fn stub(tx: &mut Tx, archive: &Archive, school: &str) -> Result<Option<Paper>> {
    let row = sqlx::query!(
        r#"select kind as "kind: certificate_rules::enums::CertificateKind", number, principal_name, issued_on, receiver,
                  holder ->> 'startedOn' as started, holder ->> 'endedOn' as ended, holder ->> 'issuedOn' as dated, created_at
           from certificate where student_id = $1 and kind <> 'degree' and status <> 'voided'"#,
        archive.student_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let mut paper = Paper::new("证书存根", school);
    paper.heading(&format!("{}存根", row.kind.zh())).space(6.0).fields([
        ("姓名", archive.name.clone()),
        ("学号", archive.student_no.clone().unwrap_or_default()),
        ("专业", archive.major_name.clone()),
        ("层次", archive.level_name.clone()),
        ("证书编号", row.number),
        ("入学日期", row.started.unwrap_or_default()),
        ("毕业日期", row.ended.unwrap_or_default()),
        ("发证日期", row.dated.unwrap_or_default()),
        ("编号日期", row.created_at.format("%Y-%m-%d").to_string()),
        ("校长", row.principal_name),
        ("领取人", row.receiver.unwrap_or_default()),
        ("领取日期", row.issued_on.map(|on| on.to_string()).unwrap_or_default()),
    ]);
    Ok(Some(paper))
}
