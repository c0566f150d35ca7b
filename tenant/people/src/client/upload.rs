//! What people send in from their clients: papers, homework, theses (01 §4.4). A file is nobody's until the record that it
//! belongs to takes it, and is read through that record alone. Whoever fills in the public form of a pre-registration sends in its
//! papers with the token of its link (02 §13).

use accounts::guard;
use infra::{
    Body, Error, Part, Public, Reads, Reply, Result, Tx, Writes,
    access::{Person, Sender},
    files::{
        self, Announced, FileObject, FileType, TicketForm, UploadParts, UploadTicket, UploadedKey, Uploader, purpose,
    },
    reply,
};
use poem_openapi::{OpenApi, param::Query};

use super::AnyClient;

/// Purposes of the clients' own files; `registration` and `identity` are those of recruitment, `information` is that of information
/// review.
pub const PART: Part = Part {
    params: &[&[
        purpose("upload.ext.homework", "作业附件格式", "pdf,doc,docx,xls,xlsx,ppt,pptx,txt,zip,rar,jpg,jpeg,png"),
        purpose("upload.ext.exam", "考试附件格式", "pdf,doc,docx,zip,jpg,jpeg,png"),
        purpose("upload.ext.thesis", "论文格式", "pdf,doc,docx,zip"),
    ]],
    ..Part::NONE
};

/// What clients send in; everything else is uploaded in the console.
const PURPOSES: [&str; 7] = ["homework", "exam", "thesis", "registration", "identity", "support", INFORMATION];

/// What belongs to a registration, and what a visitor may send in.
const OF_REGISTRATION: [&str; 2] = ["registration", "identity"];
/// What students prove and sign.
const INFORMATION: &str = "information";
/// Under this name visitors stand beside the files that they send in, with the batch whose link they have.
const VISITOR: &str = "public";

/// # Errors
/// 422 at `purpose` and `type` for what people of the clients do not send in.
fn check(form: &TicketForm) -> Result<()> {
    if !form.purpose.as_deref().is_some_and(|purpose| PURPOSES.contains(&purpose)) {
        return Err(Error::field(
            "purpose",
            "请选择上传用途：作业、考试、论文、报名材料、证件、咨询附件或信息核对材料",
        ));
    }
    if form.kind != FileType::Private as i16 {
        return Err(Error::field("type", "客户端只能上传私有附件"));
    }
    if of_registration(form) || form.purpose.as_deref() == Some(INFORMATION) {
        files::fits(&form.content_type, form.size).map_err(|why| Error::field("size", why))?;
    }
    Ok(())
}

fn of_registration(form: &TicketForm) -> bool {
    form.purpose.as_deref().is_some_and(|purpose| OF_REGISTRATION.contains(&purpose))
}

/// A visitor inside the school of the host, with the batch that the token of their link names.
///
/// # Errors
/// 404 for a link that opens nothing here.
async fn visited(caller: &Public<Writes>, link: Option<&str>) -> Result<(i64, Tx, i64)> {
    let invalid = || Error::new(404, "报名链接已失效");
    let school = caller.app.school_of_host(&caller.visit.host).await?.ok_or_else(invalid)?;
    let mut tx = caller.visit_in(&school, "公开报名").await?;
    let batch = sqlx::query_scalar!("select id from pre_registration_batch where public_token = $1 and enabled", link)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(invalid)?;
    Ok((school.id, tx, batch))
}

async fn announce_visitors(caller: &Public<Writes>, link: Option<&str>, form: TicketForm) -> Result<UploadTicket> {
    if !of_registration(&form) {
        return Err(Error::field("purpose", "请选择上传用途：报名材料或证件"));
    }
    let (school, tx, batch) = visited(caller, link).await?;
    drop(tx);
    // What is refused counts too, so the count does not wait for the outcome.
    let mut tx = caller.begin().await?;
    let counted = guard::count_upload(&mut tx, &caller.visit.ip, caller.app.clock().now()).await;
    tx.commit_untracked("the count of an address").await?;
    counted?;
    let announced = Announced::of(&caller.app, Some(school), form).await?;
    let (_, mut tx, _) = visited(caller, link).await?;
    let (ticket, change) = announced.note(&mut tx, Uploader::Person(VISITOR, batch)).await?;
    tx.commit(change).await?;
    Ok(ticket)
}

fn uploader(session: &infra::client_session::ClientSession) -> Uploader<'_> {
    Uploader::Person(&session.kind, session.person_id)
}

pub struct ClientUploads;

#[OpenApi(prefix_path = "/user/client/upload", tag = "crate::Tag::People")]
impl ClientUploads {
    /// 客户端申请直传
    /// 报名材料、证件和信息核对材料：图片不超过2MB，其他文件不超过10MB
    #[oai(path = "/presign", method = "post", operation_id = "presignClientUpload")]
    async fn presign(
        &self,
        caller: Sender<AnyClient, Writes>,
        /// 报名链接码
        /// 公开报名未登录时填写
        #[oai(name = "publicToken", validator(max_length = 12))]
        public_token: Query<Option<String>>,
        Body(form): Body<TicketForm>,
    ) -> Result<Reply<UploadTicket>> {
        check(&form)?;
        let caller = match caller {
            Sender::Person(caller) => caller,
            Sender::Visitor(caller) => {
                return Ok(reply(announce_visitors(&caller, public_token.0.as_deref(), form).await?));
            }
        };
        let announced = Announced::of(caller.app(), caller.school_id(), form).await?;
        let mut tx = caller.begin().await?;
        let (ticket, change) = announced.note(&mut tx, uploader(caller.session())).await?;
        tx.commit(change).await?;
        Ok(reply(ticket))
    }

    /// 客户端分片上传进度
    /// Which parts of a large file have arrived, and short-lived addresses for the next ones.
    #[oai(path = "/parts", method = "post", operation_id = "listClientUploadParts")]
    async fn parts(
        &self,
        caller: Person<AnyClient, Reads>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<UploadParts>> {
        let tx = caller.read().await?;
        Ok(reply(files::progress(caller.app(), tx, &form.key, uploader(caller.session())).await?))
    }

    /// 客户端完成直传
    #[oai(path = "/complete", method = "post", operation_id = "completeClientUpload")]
    async fn complete(
        &self,
        caller: Sender<AnyClient, Writes>,
        /// 报名链接码
        /// 公开报名未登录时填写
        #[oai(name = "publicToken", validator(max_length = 12))]
        public_token: Query<Option<String>>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<FileObject>> {
        let caller = match caller {
            Sender::Person(caller) => caller,
            Sender::Visitor(caller) => {
                // Nothing that a visitor may send is large enough to come in parts.
                let (_, tx, batch) = visited(&caller, public_token.0.as_deref()).await?;
                return Ok(reply(files::complete(tx, form.key, Uploader::Person(VISITOR, batch)).await?));
            }
        };
        let uploader = uploader(caller.session());
        files::join(caller.app(), caller.read().await?, &form.key, uploader).await?;
        let tx = caller.begin().await?;
        Ok(reply(files::complete(tx, form.key, uploader).await?))
    }
}
