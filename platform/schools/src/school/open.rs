//! A new school: its row, its first administrator, and the job that makes its schema.

use accounts::{
    account::{self, NewAccount},
    password,
};
use chrono::Duration;
use infra::{App, Change, Error, OnConstraint, Result, Tx, jobs};
use poem_openapi::Object;
use serde_json::json;

use super::{
    NewSchool, NewSchoolStatus, TRIAL_DAYS,
    form::{check_color, code_taken, explain_constraint},
};
use crate::{demo::note, provision};

/// The answer of opening a school; the password is shown this once.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Opened {
    /// 编号
    pub id: i64,
    /// 任务编号
    pub job_id: Option<i64>,
    /// 管理员账号
    pub admin_login_name: Option<String>,
    /// 初始密码
    pub initial_password: Option<String>,
}

/// Writes school, first administrator and binding in one transaction and starts the job that makes its schema.
pub async fn open(tx: Tx, new: &NewSchool, password: Option<String>) -> Result<Opened> {
    write(tx, new, password, false).await
}

/// The only statement that says whether a school is for demonstration.
pub(crate) async fn write(mut tx: Tx, new: &NewSchool, password: Option<String>, demo: bool) -> Result<Opened> {
    let app = tx.app().clone();
    let now = app.clock().now();
    check_color(new.form.brand_color.as_deref())?;
    let form = &new.form;
    let expires_on = match (new.status, form.expires_on) {
        (NewSchoolStatus::Trial, None) => Some(now.date_naive() + Duration::days(app.int(TRIAL_DAYS).await?)),
        (_, given) => given,
    };
    let archived = sqlx::query_scalar!(
        r#"select exists (select from platform.school where code = $1 and status = 'archived' and deleted_at is null) as "archived!""#,
        new.code
    )
    .fetch_one(&mut *tx)
    .await?;
    if archived {
        return Err(code_taken("院校代码已存在，该院校已归档，取消归档后可继续使用"));
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(r#"select nextval(pg_get_serial_sequence('platform.school', 'id')) as "id!""#)
        .fetch_one(&mut *tx)
        .await?;
    let schema = format!("school_{id}");
    sqlx::query!(
        "insert into platform.school (id, code, name, short_name, identity_code, domain, logo, logo_no_word, ico, title, login_background,
             brand_color, assistance_center_enabled, status, expires_on, student_quota, storage_quota_gb, contact_name, contact_phone,
             province, address, remark, schema_name, db_role, initials, demo, created_by, updated_by)
         overriding system value
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
             $26, $27, $27)",
        id,
        new.code,
        form.name,
        form.short_name,
        form.identity_code,
        form.domain,
        form.logo,
        form.logo_no_word,
        form.ico,
        form.title,
        form.login_background,
        form.brand_color,
        form.assistance_center_enabled,
        new.status.as_str(),
        expires_on,
        form.student_quota,
        form.storage_quota_gb,
        form.contact_name,
        form.contact_phone,
        form.province,
        form.address,
        form.remark,
        schema,
        format!("{}{schema}", app.db().role_prefix()),
        infra::pinyin::initials(&form.name),
        demo,
        by
    )
    .execute(&mut *tx)
    .await
    .on_constraint(explain_constraint)?;
    let login_name = new.admin_login_name.clone().unwrap_or_else(|| format!("{}_admin", new.code));
    let typed = password.is_some();
    let initial = match password {
        Some(typed) => {
            password::check(&typed, &login_name, new.admin_phone.as_deref())
                .map_err(|weak| Error::field("adminPassword", weak.zh()))?;
            typed
        }
        None => password::random(&app),
    };
    let admin = NewAccount {
        login_name: &login_name,
        real_name: new.admin_real_name.as_deref().unwrap_or("院校管理员"),
        phone: new.admin_phone.as_deref(),
        user_type: "school",
        password: &initial,
        must_change: !demo,
        built_in: false,
    };
    let admin_id = account::create(&mut tx, &admin, now).await.map_err(of_admin)?;
    if demo {
        note(&mut tx, "sys_user", &[admin_id], Some(id)).await?;
    }
    account::bind(&mut tx, admin_id, id, true).await?;
    account::give_role(&mut tx, admin_id, "school_admin", Some(id)).await?;
    let job = jobs::NewJob {
        kind: provision::KIND.kind,
        target: id.to_string(),
        title: format!("开通院校 {}", form.name),
        params: json!({ "schoolId": id }),
    };
    let job_id = jobs::start_in(&mut tx, None, &job).await?;
    let what = json!({ "code": new.code, "name": form.name, "status": new.status.as_str(), "demo": demo, "adminLoginName": login_name });
    tx.notice("school", id);
    tx.commit(Change::event("school", id, "insert", what)).await?;
    Ok(Opened {
        id,
        job_id: Some(job_id),
        admin_login_name: Some(login_name),
        initial_password: (!typed).then_some(initial),
    })
}

/// The fields of the administrator have other names in this form.
fn of_admin(error: Error) -> Error {
    let field = match error.data[0]["field"].as_str() {
        Some("loginName") => "adminLoginName",
        Some("phone") => "adminPhone",
        _ => return error,
    };
    Error::field(field, error.msg.into_owned())
}

/// The answer to a repeated save: the same school, without the secret that was shown once.
pub(super) async fn opened_before(app: &App, id: i64) -> Result<Opened> {
    let mut tx = app.platform_read().await?;
    let row = sqlx::query!(
        r#"select (select max(id) from platform.job where kind = 'school.provision' and target = $1::bigint::text) as job_id,
                  (select u.login_name from platform.sys_user_school b join platform.sys_user u on u.id = b.user_id
                   where b.school_id = $1 and b.is_admin order by b.id limit 1) as login_name"#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(Opened { id, job_id: row.job_id, admin_login_name: row.login_name, initial_password: None })
}
