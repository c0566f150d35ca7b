//! 公开报名: the form that the link of a batch opens to everybody (02 §13). Whoever sends it in proves the phone by a code, and opens
//! the row again by another one that they are shown once.
//!
//! ```text
//! smsCode → save (id, 查询码) → view (by a new code)        edit, cancel: with the 查询码, while pending or returned
//! ```
//! The school is that of the host, the batch that of the link. A visitor is told nothing of others but that a number cannot be entered,
//! in one sentence for every reason; the reason is for whoever proved the phone of that row, and each try costs a code.

mod code;
mod query_code;

use std::{collections::BTreeMap, sync::Arc};

use infra::{
    Body, Change, Error, Public, Reply, Result, Saved, Scope, Tx, Writes, access::Once, clock::Moment,
    directory::School, migrate::hex, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use recruitment_rules::phase::phase;
use sign_in::sign_in::{Stage, consume};

use self::code::{APART_SECONDS, MINUTES};
use super::{
    check::{Door, Known, check},
    duplicates::{self, Common},
    edit::{asked, changed, common, editable, person_stays, store, whole},
    files::{set_papers, set_photo},
    form::{PreRegistrationEdit, PreRegistrationForm, PreRegistrationSave},
    insert::{Entry, insert, open_now},
    steps::{self, PreRegistrationItem},
    view::{AttachmentLink, PreRegistration, find, shown},
};
use crate::{
    enums::{BatchPhase, ExamStatus, PersonSource, PreRegistrationStatus},
    id_card,
};

/// Who stands in the trail for what a visitor does.
const DOOR: &str = "公开报名";
/// Of the short message with the code, and what it says without a template of its own.
const SCENE: &str = "pre_registration_code";
const WORDS: &str = "您的预报名验证码为{{code}}，{{minutes}}分钟内有效，请勿告诉他人。";
/// Among whose numbers of calls those of visitors are, by batch.
const VISITOR: &str = "public";
const SAVE: &str = "savePublicPreRegistration";
const EDIT: &str = "editPublicPreRegistration";
const CANCEL: &str = "cancelPublicPreRegistration";

/// Whom a code is to be sent to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PublicCodeForm {
    /// 报名链接码
    #[oai(validator(max_length = 12))]
    pub public_token: String,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
    /// 人机校验
    /// 登录校验（authenticate）的结果，其中账号填手机号，登录阶段为 client_login；120秒内有效，只用一次
    #[oai(validator(min_length = 1, max_length = 128))]
    pub captcha: String,
}

impl Example for PublicCodeForm {
    fn example() -> Self {
        Self {
            public_token: "a8Kx2mPq7TzW".to_owned(),
            phone: "13900000001".to_owned(),
            captcha: "signature of authenticate".to_owned(),
        }
    }
}

/// A code is on its way.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PublicCodeSent {
    /// 再次获取间隔(秒)
    pub again_after_seconds: i64,
    /// 有效分钟
    pub valid_minutes: i64,
}

/// The form as a visitor sends it in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PublicSave {
    /// 报名链接码
    #[oai(validator(max_length = 12))]
    pub public_token: String,
    /// 短信验证码
    /// 应为6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub sms_code: String,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 访问标识
    /// 浏览器保存的访问标识，用于统计报名来自哪个推广链接
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,64}$"))]
    pub visitor_key: Option<String>,
    #[oai(flatten)]
    pub form: PreRegistrationForm,
}

impl Example for PublicSave {
    fn example() -> Self {
        Self {
            public_token: "a8Kx2mPq7TzW".to_owned(),
            sms_code: "384201".to_owned(),
            request_id: "9f6b2c10".to_owned(),
            visitor_key: None,
            form: PreRegistrationForm::example(),
        }
    }
}

/// What the visitor keeps.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PublicSaved {
    /// 编号
    pub id: i64,
    /// 查询码
    /// 只显示一次，修改和取消报名时填写
    pub query_code: String,
}

/// Whose registration is looked for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PublicQuery {
    /// 报名链接码
    #[oai(validator(max_length = 12))]
    pub public_token: String,
    /// 证件号
    #[oai(validator(max_length = 40))]
    pub id_card_no: String,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
    /// 短信验证码
    /// 应为6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub sms_code: String,
}

impl Example for PublicQuery {
    fn example() -> Self {
        Self {
            public_token: "a8Kx2mPq7TzW".to_owned(),
            id_card_no: "119900200002291008".to_owned(),
            phone: "13900000001".to_owned(),
            sms_code: "384201".to_owned(),
        }
    }
}

/// A registration as the person sees it: how it stands, and the form with personal values masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PublicPreRegistration {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 批次
    pub batch_name: String,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 考试状态
    pub exam_status: ExamStatus,
    /// 审核意见
    pub remark: Option<String>,
    /// 报名时间
    pub created_at: Moment,
    /// 层次名称
    pub level_name: String,
    /// 专业名称
    pub major_name: String,
    /// 站点名称
    pub site_name: String,
    /// 照片地址
    pub photo_url: Option<String>,
    /// 材料地址
    pub attachment_links: Vec<AttachmentLink>,
    #[oai(flatten)]
    pub form: PreRegistrationForm,
}

/// The whole form again. Masked values stay as they are stored.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PublicEdit {
    /// 报名链接码
    #[oai(validator(max_length = 12))]
    pub public_token: String,
    /// 查询码
    #[oai(validator(max_length = 12))]
    pub query_code: String,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 短信验证码
    /// 修改手机或证件时填写，发送到修改后的手机
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub sms_code: Option<String>,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    #[oai(flatten)]
    pub form: PreRegistrationForm,
}

impl Example for PublicEdit {
    fn example() -> Self {
        Self {
            public_token: "a8Kx2mPq7TzW".to_owned(),
            query_code: "k7PqX2mTzW9c".to_owned(),
            request_id: "9f6b2c11".to_owned(),
            sms_code: None,
            id: 1,
            version: 1,
            form: PreRegistrationForm::example(),
        }
    }
}

/// A registration that the person takes back.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PublicCancel {
    /// 报名链接码
    #[oai(validator(max_length = 12))]
    pub public_token: String,
    /// 查询码
    #[oai(validator(max_length = 12))]
    pub query_code: String,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for PublicCancel {
    fn example() -> Self {
        Self {
            public_token: "a8Kx2mPq7TzW".to_owned(),
            query_code: "k7PqX2mTzW9c".to_owned(),
            request_id: "9f6b2c12".to_owned(),
            id: 1,
            remark: None,
        }
    }
}

/// The batch that a link opens.
struct Batch {
    id: i64,
    phase: BatchPhase,
    grade_name: String,
    grade_enabled: bool,
}

/// A visitor inside the school of the host.
struct Visit {
    school: Arc<School>,
    tx: Tx,
    batch: Batch,
    now: Moment,
}

impl Visit {
    /// # Errors
    /// 404 for a link that opens nothing at this host.
    async fn of(caller: &Public<Writes>, token: &str) -> Result<Self> {
        let invalid = || Error::new(404, "报名链接已失效");
        let now = caller.app.clock().now();
        let school = caller.app.school_of_host(&caller.visit.host).await?.ok_or_else(invalid)?;
        let mut tx = caller.visit_in(&school, DOOR).await?;
        let row = sqlx::query!(
            r#"select b.id, b.enabled, b.starts_at, b.ends_at, g.name as "grade_name!", g.enabled as "grade_enabled!"
               from pre_registration_batch b join grade g on g.id = b.grade_id where b.public_token = $1"#,
            token
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(invalid)?;
        let batch = Batch {
            id: row.id,
            phase: phase(row.enabled, row.starts_at, row.ends_at, now),
            grade_name: row.grade_name,
            grade_enabled: row.grade_enabled,
        };
        Ok(Self { school, tx, batch, now })
    }
}

/// Where a visitor's step happens, beside its transaction.
struct At {
    school: i64,
    batch: Batch,
    now: Moment,
}

/// What became of a step: done, or refused with something that counts all the same.
type Ended<T> = Result<T, Error>;

pub struct PublicPreRegistrations;

#[OpenApi(prefix_path = "/user/client/publicPreRegistration", tag = "crate::Tag::Recruitment")]
impl PublicPreRegistrations {
    /// 公开报名短信验证码
    /// 同一手机间隔60秒、每天5次，同一网络地址每小时20次
    #[oai(path = "/smsCode", method = "post", operation_id = "sendPublicPreRegistrationCode")]
    async fn sms_code(
        &self,
        caller: Public<Writes>,
        Body(wanted): Body<PublicCodeForm>,
    ) -> Result<Reply<PublicCodeSent>> {
        let PublicCodeForm { public_token, phone, captcha } = wanted;
        let Visit { school, tx, batch, now } = Visit::of(&caller, &public_token).await?;
        drop(tx);
        // Also behind the end people look how they stand, and mend what was returned.
        if matches!(batch.phase, BatchPhase::NotStarted | BatchPhase::Closed) {
            open_now(batch.phase)?;
        }
        let mut tx = caller.begin().await?;
        if !consume(&mut tx, &caller.visit, &phone, Some(&captcha), Stage::ClientLogin, now).await? {
            return Err(Error::field("captcha", "校验已失效，请重新获取验证码"));
        }
        let counted = code::count(&mut tx, school.id, &phone, &caller.visit.ip, now).await;
        tx.commit_untracked("a challenge is used up, and a code is counted before it leaves").await?;
        counted?;
        let code = caller.app.random().text(b"0123456789", 6);
        let mut tx = caller.visit_in(&school, DOOR).await?;
        code::keep(&mut tx, school.id, &phone, &code, now).await?;
        tx.commit_untracked("a code is no record that somebody keeps").await?;
        let values = BTreeMap::from([("code".to_owned(), code), ("minutes".to_owned(), MINUTES.to_string())]);
        messages::at_once::send(&caller.app, Some(&school), SCENE, &phone, WORDS, values).await?;
        Ok(reply(PublicCodeSent { again_after_seconds: APART_SECONDS, valid_minutes: MINUTES }))
    }

    /// 公开报名提交
    /// 只在批次进行中
    #[oai(path = "/save", method = "post", operation_id = "savePublicPreRegistration")]
    async fn save(&self, caller: Public<Writes>, Body(wanted): Body<PublicSave>) -> Result<Reply<PublicSaved>> {
        let Visit { school, tx, batch, now } = Visit::of(&caller, &wanted.public_token).await?;
        let at = At { school: school.id, batch, now };
        let app = caller.app.clone();
        let saved = |id| PublicSaved { id, query_code: query_code::of(&app, school.id, id, &wanted.request_id) };
        // Of this phone alone, so that nobody takes another's number of a call.
        let number = format!("{} {}", hex(&code::digest(&app, &wanted.form.phone)[..8]), wanted.request_id);
        let mut once = match Once::of_visitor(tx, (VISITOR, at.batch.id), number, SAVE, &wanted).await {
            Ok(once) => once,
            // The same call was answered before.
            Err(error) => return error.replayed().map(|id| reply(saved(id))).ok_or(error),
        };
        match enter(&mut once, &at, &wanted).await? {
            Ok((id, change)) => {
                once.commit(change, Saved { id }).await?;
                Ok(reply(saved(id)))
            }
            Err(refused) => {
                once.commit_untracked("a try is counted, or a code is used up").await?;
                Err(refused)
            }
        }
    }

    /// 公开报名查询
    #[oai(path = "/view", method = "post", operation_id = "viewPublicPreRegistration")]
    async fn view(
        &self,
        caller: Public<Writes>,
        Body(wanted): Body<PublicQuery>,
    ) -> Result<Reply<PublicPreRegistration>> {
        let Visit { school, mut tx, batch, now } = Visit::of(&caller, &wanted.public_token).await?;
        let at = At { school: school.id, batch, now };
        let ended = look(&mut tx, &at, &wanted).await?;
        tx.commit_untracked("a try is counted, or a code is used up").await?;
        ended.map(reply)
    }

    /// 公开报名修改
    /// 只有待审核和退回修改的报名；退回修改的报名修改后重新待审核
    #[oai(path = "/edit", method = "put", operation_id = "editPublicPreRegistration")]
    async fn edit(&self, caller: Public<Writes>, Body(wanted): Body<PublicEdit>) -> Result<Reply<Saved>> {
        let Visit { school, tx, batch, now } = Visit::of(&caller, &wanted.public_token).await?;
        let at = At { school: school.id, batch, now };
        let number = format!("{} {}", wanted.id, wanted.request_id);
        let mut once = Once::of_visitor(tx, (VISITOR, at.batch.id), number, EDIT, &wanted).await?;
        match retype(&mut once, &at, &wanted).await? {
            Ok(change) => once.commit(change, Saved { id: wanted.id }).await,
            Err(refused) => {
                once.commit_untracked("a try is counted, or a code is used up").await?;
                Err(refused)
            }
        }
    }

    /// 公开报名取消
    /// 只有待审核和退回修改的报名
    #[oai(path = "/cancel", method = "put", operation_id = "cancelPublicPreRegistration")]
    async fn cancel(&self, caller: Public<Writes>, Body(wanted): Body<PublicCancel>) -> Result<Reply<Saved>> {
        let Visit { tx, batch, .. } = Visit::of(&caller, &wanted.public_token).await?;
        let number = format!("{} {}", wanted.id, wanted.request_id);
        let mut once = Once::of_visitor(tx, (VISITOR, batch.id), number, CANCEL, &wanted).await?;
        let before = own(&mut once, batch.id, wanted.id, &wanted.query_code).await?;
        let item = PreRegistrationItem { id: before.id, version: before.version };
        let change = steps::cancel(&mut once, item, wanted.remark.as_deref()).await?;
        once.commit(change, Saved { id: wanted.id }).await
    }
}

/// Enters a visitor whose phone is proven.
///
/// # Errors
/// 409 outside of the time of the batch, 422 for what is wrong; the inner ones count.
async fn enter(tx: &mut Tx, at: &At, wanted: &PublicSave) -> Result<Ended<(i64, Change)>> {
    open_now(at.batch.phase)?;
    if !at.batch.grade_enabled {
        return Err(Error::conflict(format!("年级“{}”已停用，不能再报名", at.batch.grade_name)));
    }
    let form = &wanted.form;
    if !code::proves(tx, at.school, &form.phone, &wanted.sms_code, at.now).await? {
        return Ok(Err(code::wrong()));
    }
    let app = tx.app().clone();
    let known = Known::load(&app, tx, at.batch.id).await?;
    let person =
        check(form, &known, &Scope::whole_school(), app.clock().today(), None, Door::Form).map_err(Error::fields)?;
    id_card::hold(tx, &[&person.form.id_card_no]).await?;
    let common = duplicates::look(tx, &known.offer, &[&person], None, at.now).await?.remove(0);
    // Whatever comes of it, a number is looked for once with a code.
    code::used(tx, &form.phone, at.now).await?;
    if !common.wrong.is_empty() {
        return Ok(Err(told_of(common)));
    }
    let entry = Entry { person: &person, common: &common, incomplete: false };
    let ids = insert(tx, &known.offer, &[entry], PersonSource::StudentClient).await?;
    let id = ids.first().copied().ok_or_else(|| Error::internal("a person was entered without a number"))?;
    let opens = query_code::of(&app, at.school, id, &wanted.request_id);
    sqlx::query!(
        "update pre_registration set query_code_hash = $2, visitor_key = $3 where id = $1",
        id,
        query_code::hash(id, &opens),
        wanted.visitor_key
    )
    .execute(&mut **tx)
    .await?;
    set_photo(tx, id, None, form.photo.as_deref()).await?;
    set_papers(tx, id, &[], &form.attachments).await?;
    let entered = PreRegistrationSave { batch_id: at.batch.id, form: form.clone() };
    Ok(Ok((id, Change::created("pre_registration", id, &entered))))
}

/// Why a number may not come in: whole for whoever has the phone of the row that stands in the way, else without a word of it.
fn told_of(common: Common) -> Error {
    if common.theirs {
        Error::fields(common.wrong)
    } else {
        Error::field("idCardNo", "该证件号暂不能在线报名，请联系学校或教学站点")
    }
}

/// How the registration of a person stands whose phone is proven.
async fn look(tx: &mut Tx, at: &At, wanted: &PublicQuery) -> Result<Ended<PublicPreRegistration>> {
    if !code::proves(tx, at.school, &wanted.phone, &wanted.sms_code, at.now).await? {
        return Ok(Err(code::wrong()));
    }
    code::used(tx, &wanted.phone, at.now).await?;
    let number = id_card::fold(&wanted.id_card_no);
    let numbers: Vec<String> = id_card::expand(&number).into_iter().chain([number]).collect();
    let found = sqlx::query_scalar!(
        "select id from pre_registration
         where batch_id = $1 and id_card_no = any($2) and phone = $3 and deleted_at is null and scrubbed_at is null
         order by id desc limit 1",
        at.batch.id,
        &numbers,
        wanted.phone
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(id) = found else {
        return Ok(Err(Error::new(404, "没有找到报名信息，请核对证件号和手机")));
    };
    let app = tx.app().clone();
    let (found, _) = find(tx, id, &Scope::whole_school()).await?;
    let seen = shown(&app, tx, found, None).await?;
    let person = seen.pre_registration;
    Ok(Ok(PublicPreRegistration {
        form: PreRegistrationForm::from(&person),
        id: person.id,
        version: person.version,
        batch_name: person.batch_name,
        status: person.status,
        exam_status: person.exam_status,
        remark: person.audit_remark,
        created_at: person.created_at,
        level_name: person.level_name,
        major_name: person.major_name,
        site_name: person.site_name,
        photo_url: seen.photo_url,
        attachment_links: seen.attachment_links,
    }))
}

/// The row that a code opens; nobody else changes it until the transaction ends.
///
/// # Errors
/// 404 for any other code, number or batch alike.
async fn own(tx: &mut Tx, batch: i64, id: i64, code: &str) -> Result<PreRegistration> {
    sqlx::query_scalar!(
        "select id from pre_registration
         where id = $1 and batch_id = $2 and query_code_hash = $3 and deleted_at is null and scrubbed_at is null for update",
        id,
        batch,
        query_code::hash(id, code)
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::new(404, "没有找到该报名，请核对查询码"))?;
    Ok(find(tx, id, &Scope::whole_school()).await?.0)
}

/// What a visitor typed again of their own row. Another phone or number is proven by a code.
///
/// # Errors
/// 404 without the row's code; 409 for what may not be changed any more, or was since it was read; 422 for what is wrong; the inner
/// ones count.
async fn retype(tx: &mut Tx, at: &At, wanted: &PublicEdit) -> Result<Ended<Change>> {
    let before = own(tx, at.batch.id, wanted.id, &wanted.query_code).await?;
    if at.batch.phase == BatchPhase::Closed {
        open_now(at.batch.phase)?;
    }
    if !matches!(before.status, PreRegistrationStatus::Pending | PreRegistrationStatus::Returned) {
        return Err(Error::conflict(format!("{}的报名不能修改，请联系学校或教学站点", before.status.zh())));
    }
    editable(&before)?;
    let app = tx.app().clone();
    let known = Known::load(&app, tx, before.batch_id).await?;
    let form = mine(whole(wanted.form.clone(), &before), &known, &before);
    person_stays(&before, &form)?;
    let person = check(&form, &known, &Scope::whole_school(), app.clock().today(), Some(&before), Door::Form)
        .map_err(Error::fields)?;
    let same_number = (person.form.id_card_type, &person.form.id_card_no) == (before.id_card_type, &before.id_card_no);
    if !same_number || person.form.phone != before.phone {
        let Some(code) = &wanted.sms_code else {
            return Err(Error::field("smsCode", "修改手机或证件须填写该手机收到的验证码"));
        };
        if !code::proves(tx, at.school, &person.form.phone, code, at.now).await? {
            return Ok(Err(code::wrong()));
        }
        code::used(tx, &person.form.phone, at.now).await?;
    }
    let common = common(tx, &known, &person, &before).await?;
    if !common.wrong.is_empty() {
        return Ok(Err(told_of(common)));
    }
    let edit = PreRegistrationEdit {
        id: before.id,
        version: wanted.version,
        provincial_reg_no: before.provincial_reg_no.clone(),
        examinee_no: before.examinee_no.clone(),
        form,
    };
    store(tx, &before, &edit, &person, &common).await?;
    if before.status == PreRegistrationStatus::Returned {
        sqlx::query!(
            "update pre_registration set status = 'pending', audit_remark = null, audited_by = null, audited_at = null
             where id = $1",
            before.id
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(Ok(changed(tx, &before).await?))
}

/// What the school asks for no more, and what people may not change themselves (学员可改, 02 §1), stays as it was.
fn mine(typed: PreRegistrationForm, known: &Known, before: &PreRegistration) -> PreRegistrationForm {
    let open = |key: &str| known.fields.fields().iter().any(|field| field.key == key && field.student_editable);
    let mut form = asked(typed, open, before);
    let kept = PreRegistrationForm::from(before);
    macro_rules! unless_open {
        ($($key:literal $field:ident),+) => {
            $(if !open($key) { form.$field = kept.$field; })+
        };
    }
    unless_open!(
        "name" name, "gender" gender, "idCardType" id_card_type, "idCardNo" id_card_no, "phone" phone, "levelId" level_id,
        "majorId" major_id, "siteId" site_id
    );
    // A value of the school's own that is asked for still is one that the check wants to see.
    form.extra.retain(|key, _| open(key));
    form.extra.extend(kept.extra.into_iter().filter(|(key, _)| known.fields.asks(key) && !open(key)));
    form
}
