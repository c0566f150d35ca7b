//! 学信网导出: the file of a grade's new students, and of those who are not in it, with why (02 §9.9, §14.2). Who is in it is marked
//! 已导出 in the transaction that ends the job. It holds whole numbers of persons, so it asks for that right too.

use std::io::Write;

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Error, Reply, Result, Scope,
    access::Permission,
    enumeration, files,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    sheet::{Cell, Writer, dbf},
};
use people::id_card::Gender;
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;
use student_status::{
    enums::StudyForm,
    student::{ExportPlainStudents, chsi::exported, references::words},
};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    COMMITMENT_REQUIRED, ExportToChsi, LEVEL_NAMES, NUMBER_CHECK,
    line::{Admitted, Asked, CLASS, COLUMNS, SITE, Waiting, fitting, wide_enough},
    national_code,
};

pub(crate) const JOB: JobKind =
    JobKind { kind: "chsi.export", code: Some(ExportToChsi::CODE), run: |run| Box::pin(work(run)), headings: None };

/// Refused people that the job's row itself tells; the file tells all.
const TOLD: usize = 1_000;
const NARROWER: &str =
    "学信网文件含完整证件号，您的“导出完整证件号和手机”权限只包含部分站点或班级，请由权限包含全部导出范围的人员导出";
/// People between two looks at whether the job goes on.
const STEP: i64 = 500;

enumeration! {
    /// 文件格式
    pub enum ChsiFormat = "chsiFormat" {
        Xlsx = "xlsx" "Excel",
        Dbf = "dbf" "DBF",
    }
}

/// Whose file, in which format.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChsiExportForm {
    /// 年级
    pub grade_id: i64,
    /// 层次
    /// 不填为全部层次
    #[oai(default, validator(max_items = 50))]
    pub level_ids: Vec<i64>,
    /// 文件格式
    /// DBF 为压缩包，未导出名单另为一个文件
    pub format: ChsiFormat,
}

impl Example for ChsiExportForm {
    fn example() -> Self {
        Self { grade_id: 1, level_ids: Vec::new(), format: ChsiFormat::Xlsx }
    }
}

pub struct ChsiExport;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/chsi", tag = "crate::Tag::Chsi")]
impl ChsiExport {
    /// 学信网导出
    /// 待注册且符合条件的学生，其余列入未导出名单；完成后在任务中心下载
    #[oai(path = "/export", method = "post", operation_id = "exportToChsi")]
    async fn export(
        &self,
        caller: Allowed<ExportToChsi>,
        Body(form): Body<ChsiExportForm>,
    ) -> Result<Reply<JobStarted>> {
        let plain = caller.rights().get(ExportPlainStudents::CODE);
        let plain = plain.ok_or_else(|| Error::new(403, "学信网文件含完整证件号，须有“导出完整证件号和手机”的权限"))?;
        of_all(plain, &caller.scope())?;
        let mut tx = caller.read().await?;
        let grade = sqlx::query_scalar!("select name from grade where id = $1", form.grade_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
        let waiting = count(&mut tx, &form, &caller.scope()).await?;
        drop(tx);
        if waiting == 0 {
            return Err(Error::conflict(format!("{grade}没有待注册的学生")));
        }
        let job = NewJob {
            kind: JOB.kind,
            target: form.grade_id.to_string(),
            title: format!("学信网导出（{grade}，{waiting}人）"),
            params: json!({ "form": form.to_json(), "grade": grade }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }
}

/// # Errors
/// 403 where the right to whole numbers opens fewer sites or classes than the export: the file has no masked numbers.
fn of_all(plain: &Scope, scope: &Scope) -> Result<()> {
    if plain.covers(scope) { Ok(()) } else { Err(Error::new(403, NARROWER)) }
}

async fn count(connection: &mut PgConnection, form: &ChsiExportForm, scope: &Scope) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from student s
           where s.grade_id = $1 and s.status = 'pending_registration' and ($2::bigint[] = '{}' or s.level_id = any($2))
             and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))"#,
        form.grade_id,
        &form.level_ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    Ok(count)
}

/// Who is in the file and who is not.
#[derive(Debug, Default)]
struct Sorted {
    sent: Vec<(i64, Vec<String>)>,
    /// 考生号, 姓名 and why.
    kept: Vec<(i64, String, String, String)>,
}

/// Everybody of the grade who waits, in the order of their 考生号; they are held, so that what the file says of them stays.
async fn sorted(run: &JobRun, tx: &mut infra::Tx, form: &ChsiExportForm, scope: &Scope) -> Result<Sorted> {
    let asked =
        Asked { commitment: COMMITMENT_REQUIRED.is_on(tx).await?, short_numbers: NUMBER_CHECK.is_on(tx).await? };
    let levels = LEVEL_NAMES.value(tx).await?;
    let (ethnicities, political) = words(run.app()).await?;
    let total = count(tx, form, scope).await?;
    let mut sorted = Sorted::default();
    sqlx::query_scalar!(
        "select id from student
         where grade_id = $1 and status = 'pending_registration' and ($2::bigint[] = '{}' or level_id = any($2))
           and ($3::bigint[] is null or site_id = any($3) or class_id = any($4::bigint[]))
         order by id for no key update",
        form.grade_id,
        &form.level_ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut rows = sqlx::query!(
        r#"select s.id, s.examinee_no, s.student_no, s.name, s.gender as "gender: Gender", s.birthday, s.id_card_no,
                  s.political_status, s.ethnicity, s.major_id, m.national_code, m.name as major_name,
                  o.name as "organization_name?", t.name as site_name, t.short_name as site_short_name,
                  c.name as "class_name?", c.code as "class_code?", s.level_id, l.entry_level,
                  s.study_form as "study_form: StudyForm", s.schooling_years::float8 as "schooling_years!", s.enrolled_on,
                  s.expected_graduation_on,
                  coalesce(s.enrol_photo_id, s.admission_photo_id) is not null as "pictured!",
                  exists (select from student_information i
                          where i.student_id = s.id and i.kind = 'admission_information' and i.status = 'approved')
                      as "information_approved!",
                  exists (select from student_information i
                          where i.student_id = s.id and i.kind = 'admission_commitment' and i.status = 'approved')
                      as "commitment_approved!",
                  exists (select from student_information i
                          where i.student_id = s.id and i.kind = 'admission_commitment'
                            and (i.conclusion = 'unqualified' or i.chsi_pre_check = 'failed')) as "unqualified!",
                  a.name as "admitted_name?", a.gender as "admitted_gender?: Gender", a.birthday as "admitted_birthday?",
                  a.id_card_no as "admitted_id_card_no?", a.major_id as "admitted_major_id?",
                  a.level_id as "admitted_level_id?", a.study_form as "admitted_study_form?: StudyForm",
                  a.schooling_years::float8 as "admitted_schooling_years?",
                  array(select distinct jsonb_object_keys(k.changes) from student_correction k
                        where k.student_id = s.id and k.status = 'approved') as "corrected!"
           from student s
           join major m on m.id = s.major_id
           join level l on l.id = s.level_id
           join site t on t.id = s.site_id
           left join organization o on o.id = t.organization_id
           left join class c on c.id = s.class_id
           left join admission a on a.id = s.admission_id
           where s.grade_id = $1 and s.status = 'pending_registration' and ($2::bigint[] = '{}' or s.level_id = any($2))
             and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
           order by s.examinee_no, s.id"#,
        form.grade_id,
        &form.level_ids,
        scope.sites(),
        scope.classes()
    )
    .fetch(&mut **tx);
    let (mut done, read) = (0, |words: &[student_status::student::references::Word], value: Option<String>| {
        value
            .map(|value| words.iter().find(|word| word.value == value).map_or(value.clone(), |word| word.label.clone()))
    });
    while let Some(row) = rows.try_next().await? {
        if done % STEP == 0 {
            run.progress("核对学生", done, total).await?;
        }
        done += 1;
        let admitted = match (row.admitted_name, row.admitted_id_card_no, row.admitted_study_form) {
            (Some(name), Some(id_card_no), Some(study_form)) => Some(Admitted {
                name,
                gender: row.admitted_gender,
                birthday: row.admitted_birthday,
                id_card_no,
                major_id: row.admitted_major_id.unwrap_or_default(),
                level_id: row.admitted_level_id.unwrap_or_default(),
                study_form,
                schooling_years: row.admitted_schooling_years.unwrap_or_default(),
            }),
            _ => None,
        };
        let level = levels[row.entry_level.as_str()].as_str().unwrap_or_default().to_owned();
        let waiting = Waiting {
            id: row.id,
            examinee_no: row.examinee_no,
            student_no: row.student_no,
            name: row.name,
            gender: row.gender,
            birthday: row.birthday,
            id_card_no: row.id_card_no,
            political_status: read(&political, row.political_status),
            ethnicity: read(&ethnicities, row.ethnicity),
            major_id: row.major_id,
            // K and T behind a number say how a major is governed, and are no part of it.
            national_code: row.national_code.trim_end_matches(['K', 'T']).to_owned(),
            major_name: row.major_name,
            organization_name: row.organization_name,
            site_name: fitting(SITE, row.site_name, row.site_short_name),
            class_name: row.class_name.map(|name| fitting(CLASS, name, row.class_code)),
            level_id: row.level_id,
            level,
            study_form: row.study_form,
            schooling_years: row.schooling_years,
            enrolled_on: row.enrolled_on,
            expected_graduation_on: row.expected_graduation_on,
            pictured: row.pictured,
            information_approved: row.information_approved,
            commitment_approved: row.commitment_approved,
            unqualified: row.unqualified,
            admitted,
            corrected: row.corrected,
        };
        let values = waiting.values();
        let reasons = waiting.reasons(&values, asked);
        if reasons.is_empty() {
            sorted.sent.push((waiting.id, values));
        } else {
            let number = waiting.examinee_no.unwrap_or_default();
            sorted.kept.push((waiting.id, number, waiting.name, reasons.join("；")));
        }
    }
    Ok(sorted)
}

async fn work(run: JobRun) -> Result<Outcome> {
    run.show_whole();
    let app = run.app().clone();
    let scope = run.scope(ExportToChsi::CODE).await?;
    of_all(&run.scope(ExportPlainStudents::CODE).await?, &scope)?;
    let form = ChsiExportForm::parse_from_json(Some(run.params["form"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let grade = run.params["grade"].as_str().unwrap_or_default().to_owned();
    let mut tx = run.begin().await?;
    let sorted = sorted(&run, &mut tx, &form, &scope).await?;
    let file = match form.format {
        ChsiFormat::Xlsx => workbook(&app, &sorted, true).await?,
        ChsiFormat::Dbf => archive(&app, &sorted).await?,
    };
    let code = national_code(&app, &mut tx).await?;
    let extension = if form.format == ChsiFormat::Xlsx { "xlsx" } else { "zip" };
    let name = format!("{code}_{grade}新生注册_{}.{extension}", app.clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    let result = files::keep_result(&app, school, run.actor.id, &name, file.path()).await?;
    let ids: Vec<i64> = sorted.sent.iter().map(|(id, _)| *id).collect();
    let changes = exported(&mut tx, &ids).await?;
    let errors =
        sorted.kept.iter().take(TOLD).map(|(id, _, name, why)| json!({ "id": id, "name": name, "msg": why })).collect();
    let outcome = Outcome {
        message: format!("已导出{}人，未导出{}人", sorted.sent.len(), sorted.kept.len()),
        errors,
        result_file: Some(result),
        ..Outcome::default()
    };
    run.mark_done(&mut tx, &outcome).await?;
    if changes.is_empty() {
        tx.commit_untracked("a file for the national register that names nobody anew").await?;
    } else {
        tx.commit_all(changes).await?;
    }
    Ok(outcome)
}

/// The sheet of those who are sent, where it is wanted, and 未导出.
async fn workbook(app: &App, sorted: &Sorted, with_sent: bool) -> Result<NamedTempFile> {
    let folder = app.config().data.join("tmp");
    tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
    let kept = || vec![("考生号", 18), ("姓名", 14), ("未导出原因", 60)];
    let mut book = if with_sent {
        let headings = COLUMNS.iter().map(|column| (column.name, column.width.clamp(8, 30)));
        let mut book = Writer::headed(&folder, "新生注册", headings);
        for (_, values) in &sorted.sent {
            let cells = values.iter().map(|value| Cell::Text(value.clone())).collect();
            book.row(cells).await?;
        }
        book.sheet("未导出", kept()).await?;
        book
    } else {
        Writer::headed(&folder, "未导出", kept())
    };
    for (_, number, name, why) in &sorted.kept {
        book.row(vec![Cell::Text(number.clone()), Cell::Text(name.clone()), Cell::Text(why.clone())]).await?;
    }
    Ok(book.finish().await?)
}

/// The table, and 未导出 beside it, in one archive.
async fn archive(app: &App, sorted: &Sorted) -> Result<NamedTempFile> {
    let kept = workbook(app, sorted, false).await?;
    let folder = app.config().data.join("tmp");
    let rows: Vec<Vec<String>> = sorted.sent.iter().map(|(_, values)| values.clone()).collect();
    let today = app.clock().today();
    spawn_blocking(move || {
        let mut zip = ZipWriter::new(NamedTempFile::new_in(folder)?);
        zip.start_file("新生注册.dbf", SimpleFileOptions::default())?;
        let mut table = Vec::new();
        dbf::write(&mut table, today, &wide_enough(&rows), &rows).map_err(std::io::Error::other)?;
        zip.write_all(&table)?;
        zip.start_file("未导出.xlsx", SimpleFileOptions::default())?;
        std::io::copy(&mut kept.reopen()?, &mut zip)?;
        Ok::<_, std::io::Error>(zip.finish()?)
    })
    .await
    .map_err(Error::internal)?
    .map_err(Error::of_disk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::NAMES;

    #[test]
    fn each_column_has_its_name() {
        assert_eq!(COLUMNS.len(), NAMES.len());
    }
}
