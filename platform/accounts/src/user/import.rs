//! 批量导入账号: platform accounts from a sheet, with one list of roles and one end for the whole file (01 §2.4).
//!
//! ```text
//! sheet ─read, check all rows→ errors → answer
//!                            └ none → hash beside each other → one transaction: accounts, roles, sealed passwords
//! ```
//! Nothing is hashed while a row is wrong, and no transaction waits for a hash.

use std::{collections::HashSet, path::Path};

use infra::{
    Allowed, App, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    access::Permission,
    clock::Moment,
    files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Reader, Row, RowError},
    transfer::{self, Attachment, Imported, SentSheet, Undo},
};
use poem_openapi::{Multipart, Object, types::multipart::Upload};
use serde_json::json;

use super::{
    AccountGender, SchoolScope, change_status, details, in_future, known,
    passwords::{self, Initial},
    roles,
    sheet::{self, Seen, Typed},
    system::ImportUsers,
};
use crate::password;

const KIND: &str = "sys_user.import";
/// Rows that go into the database in one statement.
const CHUNK: usize = 1_000;

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct UserImportForm {
    /// 文件
    file: Upload,
    /// 角色
    role_id_list: Vec<i64>,
    /// 有效期至
    gmt_expires: Option<String>,
    /// 仅检查
    dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    sha256: Option<String>,
}

/// 账号导入结果
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct UserImportAnswer {
    /// 总行数
    total: i64,
    /// 已导入行数
    imported: i64,
    /// 错误
    errors: Vec<RowError>,
    /// 错误文件编号
    error_file_id: Option<i64>,
    /// 错误文件地址
    error_file_url: Option<String>,
    /// 任务编号
    job_id: Option<i64>,
    /// 文件摘要
    sha256: String,
    /// 初始密码表编号
    password_sheet_id: Option<i64>,
}

/// What holds for every row of a file.
#[derive(Debug, Clone)]
struct Terms {
    roles: Vec<i64>,
    gmt_expires: Option<Moment>,
    dry_run: bool,
}

pub(super) async fn template(app: &App) -> Result<Attachment> {
    transfer::workbook(app, sheet::template()).await
}

/// The sheet of initial passwords of one's own import, once.
pub(super) async fn fetch_passwords(
    caller: &Allowed<ImportUsers>,
    id: Option<i64>,
    job_id: Option<i64>,
) -> Result<Attachment> {
    let initials = passwords::fetch(caller.begin().await?, caller, id, job_id).await?;
    Attachment::of(caller.app(), "初始密码", passwords::COLUMNS, &initials).await
}

/// # Errors
/// 422 at `file`, `roleIdList` or `gmtExpires`; wrong rows are no error but the answer.
pub(super) async fn import(caller: &Allowed<ImportUsers>, form: UserImportForm) -> Result<Reply<UserImportAnswer>> {
    let app = caller.app();
    let gmt_expires = form.gmt_expires.filter(|text| !text.is_empty()).map(|text| moment(&text)).transpose()?;
    in_future(gmt_expires, app.clock().now())?;
    let terms = Terms { roles: form.role_id_list, gmt_expires, dry_run: form.dry_run.unwrap_or(false) };
    check_roles(&mut caller.begin().await?, &terms).await?;
    let sent = SentSheet::receive(app, sheet::template().title, form.file, form.sha256.as_deref()).await?;
    let total = count(app, sent.path()).await?;
    if total > transfer::DIRECT_ROWS {
        let kept = files::keep_result(app, None, caller.user_id(), &sent.name, sent.path()).await?;
        let SentSheet { name, sha256, .. } = sent;
        let job = NewJob {
            kind: KIND,
            target: String::new(),
            title: "导入账号".to_owned(),
            params: json!({
                "file": kept, "fileName": name, "sha256": sha256, "total": total, "dryRun": terms.dry_run,
                "roles": terms.roles, "gmtExpires": terms.gmt_expires.map(|at| at.to_rfc3339()),
            }),
        };
        let job_id = Some(jobs::start(caller.caller(), job).await?);
        return Ok(reply(UserImportAnswer { job_id, sha256, ..UserImportAnswer::default() }));
    }
    let checked = check(app, sent.path(), None).await?;
    let mut answer =
        UserImportAnswer { total: checked.total(), sha256: sent.sha256.clone(), ..UserImportAnswer::default() };
    if checked.errors.is_empty() && !terms.dry_run {
        let ready = hash(app, checked.accounts, None).await?;
        let tx = caller.begin_long().await?;
        answer.password_sheet_id = Some(write(tx, &ready, &terms, &sent.name, None).await?);
        answer.imported = answer.total;
    }
    (answer.error_file_id, answer.error_file_url) = sent.marked(caller, &checked.errors, &[]).await?;
    answer.errors = checked.errors;
    sent.noted(caller, total, answer.imported, answer.errors.len());
    Ok(reply(answer))
}

fn moment(text: &str) -> Result<Moment> {
    text.parse().map_err(|_| Error::field("gmtExpires", "有效期至不是有效的日期"))
}

/// A sheet too long for a call.
pub const fn import_job() -> JobKind {
    JobKind { kind: KIND, code: Some(ImportUsers::CODE), run: |run| Box::pin(run_import(run)), headings: None }
}

async fn run_import(run: JobRun) -> Result<Outcome> {
    if let Some(outcome) = transfer::undone::<ImportedUsers>(&run).await? {
        return Ok(outcome);
    }
    let app = run.app();
    // The right to import may have been taken away meanwhile.
    run.scope(ImportUsers::CODE).await?;
    let id = run.params["file"].as_i64().ok_or_else(|| Error::internal("the job names no file"))?;
    let terms = Terms {
        roles: run.params["roles"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect(),
        gmt_expires: run.params["gmtExpires"].as_str().map(moment).transpose()?,
        dry_run: run.params["dryRun"].as_bool().unwrap_or(false),
    };
    let file = transfer::kept(app, id).await?;
    let checked = check(app, file.path(), Some(&run)).await?;
    let total = checked.total();
    if !checked.errors.is_empty() {
        let title = sheet::template().title;
        let result_file =
            transfer::keep_marked(app, None, run.actor.id, title, file.path(), &checked.errors, &[]).await?;
        let wrong: HashSet<u32> = checked.errors.iter().map(|error| error.row).collect();
        return Ok(Outcome {
            message: format!("共{total}行，{}行有误，未导入任何数据", wrong.len()),
            errors: checked.errors.iter().take(1_000).map(|error| json!(error)).collect(),
            result_file,
            ..Outcome::default()
        });
    }
    if terms.dry_run {
        return Ok(Outcome { message: format!("共{total}行，检查通过"), ..Outcome::default() });
    }
    let ready = hash(app, checked.accounts, Some(&run)).await?;
    let outcome = Outcome { message: format!("共{total}行，已导入{total}行"), ..Outcome::default() };
    let mut tx = run.begin().await?;
    run.mark_done(&mut tx, &outcome).await?;
    let file_name = run.params["fileName"].as_str().unwrap_or_default();
    write(tx, &ready, &terms, file_name, Some(run.id)).await?;
    Ok(outcome)
}

/// The accounts of a sheet end again, as if somebody deleted them: signed out, without roles, their names and phones free.
struct ImportedUsers;

impl Undo for ImportedUsers {
    const KIND: &'static str = KIND;
    type Permission = ImportUsers;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let (by, now) = (tx.by(), tx.app().clock().now());
        let user = known::lock_in_job(tx, record.id).await?;
        change_status::delete(tx, by, &user, now).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!("select real_name from platform.sys_user where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(name.unwrap_or_default())
    }
}

/// The roles must exist, and be the acting person's to give; so must all schools, for which new accounts act.
async fn check_roles(tx: &mut Tx, terms: &Terms) -> Result<()> {
    let by = tx.by();
    details::check_schools(tx, by, SchoolScope::All, &[]).await?;
    roles::check_new(tx, &terms.roles).await
}

async fn count(app: &App, path: &Path) -> Result<i64> {
    let mut reader = Reader::open(path, &sheet::template(), transfer::limits(app).await?).await?;
    let mut rows = 0;
    while let Some(batch) = reader.next().await? {
        rows += batch.len();
    }
    if rows == 0 {
        return Err(Error::field("file", "文件中没有可导入的数据"));
    }
    i64::try_from(rows).map_err(Error::internal)
}

/// All rows of a file, and what is wrong with them.
#[derive(Debug, Default)]
struct Checked {
    accounts: Vec<Typed>,
    errors: Vec<RowError>,
}

impl Checked {
    fn total(&self) -> i64 {
        i64::try_from(self.accounts.len()).unwrap_or(i64::MAX)
    }
}

async fn check(app: &App, path: &Path, run: Option<&JobRun>) -> Result<Checked> {
    let mut reader = Reader::open(path, &sheet::template(), transfer::limits(app).await?).await?;
    let (mut checked, mut seen) = (Checked::default(), Seen::default());
    while let Some(rows) = reader.next().await? {
        let read = move || {
            let read = |mut row: Row| {
                let typed = sheet::read(&mut row);
                (row, typed)
            };
            rows.into_iter().map(read).collect::<Vec<_>>()
        };
        let mut rows = tokio::task::spawn_blocking(read).await.map_err(Error::internal)?;
        let (names, phones) = taken(app, &rows).await?;
        for (row, typed) in &mut rows {
            seen.refuse_repeated(row, typed);
            let phone_taken = typed.phone.as_ref().is_some_and(|phone| phones.contains(phone));
            sheet::refuse_taken(row, names.contains(&typed.login_name.to_lowercase()), phone_taken);
        }
        for (row, typed) in rows {
            checked.errors.extend(row.into_errors());
            checked.accounts.push(typed);
        }
        if let Some(run) = run {
            run.progress("检查", checked.total(), run.params["total"].as_i64().unwrap_or(0)).await?;
        }
    }
    Ok(checked)
}

/// Names (in lower case) and phones of these rows that somebody has already.
async fn taken(app: &App, rows: &[(Row, Typed)]) -> Result<(HashSet<String>, HashSet<String>)> {
    let names: Vec<String> = rows.iter().map(|(_, typed)| typed.login_name.to_lowercase()).collect();
    let phones: Vec<String> = rows.iter().filter_map(|(_, typed)| typed.phone.clone()).collect();
    let mut tx = app.platform_read().await?;
    let found = sqlx::query!(
        r#"select lower(login_name) as "login_name!", phone from platform.sys_user
           where lower(login_name) = any($1) or phone = any($2)"#,
        &names,
        &phones
    )
    .fetch_all(&mut *tx)
    .await?;
    let phones = found.iter().filter_map(|row| row.phone.clone()).collect();
    Ok((found.into_iter().map(|row| row.login_name).collect(), phones))
}

/// An account whose password is made and hashed.
struct Ready {
    typed: Typed,
    password: String,
    hash: String,
}

async fn hash(app: &App, accounts: Vec<Typed>, run: Option<&JobRun>) -> Result<Vec<Ready>> {
    let plain: Vec<String> =
        accounts.iter().map(|typed| typed.password.clone().unwrap_or_else(|| password::random(app))).collect();
    let hashes = passwords::hash_all(app, plain.clone(), run).await?;
    let pairs = plain.into_iter().zip(hashes);
    Ok(accounts.into_iter().zip(pairs).map(|(typed, (password, hash))| Ready { typed, password, hash }).collect())
}

/// Writes all accounts or none; answers the number of their sheet of passwords.
async fn write(mut tx: Tx, ready: &[Ready], terms: &Terms, file_name: &str, job_id: Option<i64>) -> Result<i64> {
    let now = tx.app().clock().now();
    in_future(terms.gmt_expires, now)?;
    check_roles(&mut tx, terms).await?;
    let mut changes = Vec::with_capacity(ready.len());
    for part in ready.chunks(CHUNK) {
        let ids = insert(&mut tx, part, terms.gmt_expires, now).await?;
        roles::give_to_new(&mut tx, &ids, &terms.roles).await?;
        changes.extend(part.iter().zip(&ids).map(|(account, id)| {
            let what = json!({ "loginName": account.typed.login_name, "realName": account.typed.real_name, "roles": terms.roles });
            Change::event("sys_user", *id, "insert", what)
        }));
    }
    let initials: Vec<Initial> = ready
        .iter()
        .map(|account| Initial {
            login_name: account.typed.login_name.clone(),
            real_name: account.typed.real_name.clone(),
            password: account.password.clone(),
        })
        .collect();
    let sheet_id = passwords::keep(&mut tx, job_id, &initials, now).await?;
    let total = i64::try_from(ready.len()).map_err(Error::internal)?;
    let batch = transfer::keep::<ImportedUsers>(&mut tx, sheet::template().title, file_name, total, &changes).await?;
    tx.commit_all(changes.into_iter().map(|change| change.imported(batch)).collect()).await?;
    Ok(sheet_id)
}

/// The numbers of the new accounts, in the order of the rows.
async fn insert(tx: &mut Tx, part: &[Ready], gmt_expires: Option<Moment>, now: Moment) -> Result<Vec<i64>> {
    let names: Vec<String> = part.iter().map(|account| account.typed.login_name.clone()).collect();
    let real_names: Vec<String> = part.iter().map(|account| account.typed.real_name.clone()).collect();
    let phones: Vec<Option<String>> = part.iter().map(|account| account.typed.phone.clone()).collect();
    let emails: Vec<Option<String>> = part.iter().map(|account| account.typed.email.clone()).collect();
    let genders: Vec<String> =
        part.iter().map(|account| account.typed.gender.unwrap_or(AccountGender::Unknown).as_str().to_owned()).collect();
    let remarks: Vec<Option<String>> = part.iter().map(|account| account.typed.remark.clone()).collect();
    let hashes: Vec<String> = part.iter().map(|account| account.hash.clone()).collect();
    let by = tx.by();
    let ids = sqlx::query_scalar!(
        r#"with typed as (
               select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
                   with ordinality as t (login_name, real_name, phone, email, gender, remark, password_hash, place)),
           made as (
               insert into platform.sys_user (login_name, real_name, phone, email, gender, remark, password_hash, user_type,
                   password_changed_at, gmt_expires, created_by, updated_by)
               select login_name, real_name, phone, email, gender, remark, password_hash, 'platform', $8, $9, $10, $10
               from typed order by place
               returning id, login_name),
           remembered as (
               insert into platform.sys_password_history (user_id, password_hash, at)
               select made.id, typed.password_hash, $8 from made join typed using (login_name))
           select made.id as "id!" from made join typed using (login_name) order by typed.place"#,
        &names,
        &real_names,
        &phones as &[Option<String>],
        &emails as &[Option<String>],
        &genders,
        &remarks as &[Option<String>],
        &hashes,
        now,
        gmt_expires,
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(|name| {
        matches!(name, "sys_user_login_name_taken" | "sys_user_phone_taken")
            .then(|| Error::conflict("导入期间有账号或手机号被他人占用，请重新检查后导入"))
    })?;
    Ok(ids)
}
