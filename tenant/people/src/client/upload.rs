//! What people send in from their clients: papers, homework, theses (01 §4.4). A file is nobody's until the record that it
//! belongs to takes it, and is read through that record alone.

use infra::{
    Body, Client, Error, Part, Reads, Reply, Result, Writes,
    files::{
        self, Announced, FileObject, FileType, TicketForm, UploadParts, UploadTicket, UploadedKey, Uploader, purpose,
    },
    reply,
};
use poem_openapi::OpenApi;

use super::AnyClient;

/// Purposes of the clients' own files; `registration` and `identity` are those of recruitment.
pub const PART: Part = Part {
    params: &[&[
        purpose("upload.ext.homework", "作业附件格式", "pdf,doc,docx,xls,xlsx,ppt,pptx,txt,zip,rar,jpg,jpeg,png"),
        purpose("upload.ext.exam", "考试附件格式", "pdf,doc,docx,zip,jpg,jpeg,png"),
        purpose("upload.ext.thesis", "论文格式", "pdf,doc,docx,zip"),
    ]],
    ..Part::NONE
};

/// What clients send in; everything else is uploaded in the console.
const PURPOSES: [&str; 5] = ["homework", "exam", "thesis", "registration", "identity"];

/// # Errors
/// 422 at `purpose` and `type` for what people of the clients do not send in.
fn check(form: &TicketForm) -> Result<()> {
    if !form.purpose.as_deref().is_some_and(|purpose| PURPOSES.contains(&purpose)) {
        return Err(Error::field("purpose", "请选择上传用途：作业、考试、论文、报名材料或证件"));
    }
    if form.kind == FileType::Private as i16 {
        Ok(())
    } else {
        Err(Error::field("type", "客户端只能上传私有附件"))
    }
}

fn uploader(session: &infra::client_session::ClientSession) -> Uploader<'_> {
    Uploader::Person(&session.kind, session.person_id)
}

pub struct ClientUploads;

#[OpenApi(prefix_path = "/user/client/upload", tag = "crate::Tag::People")]
impl ClientUploads {
    /// 客户端申请直传
    #[oai(path = "/presign", method = "post", operation_id = "presignClientUpload")]
    async fn presign(
        &self,
        caller: Client<AnyClient, Writes>,
        Body(form): Body<TicketForm>,
    ) -> Result<Reply<UploadTicket>> {
        check(&form)?;
        let announced = Announced::of(&caller.app, Some(caller.school.id), form).await?;
        let mut tx = caller.begin().await?;
        let (ticket, change) = announced.note(&mut tx, uploader(&caller.session)).await?;
        tx.commit(change).await?;
        Ok(reply(ticket))
    }

    /// 客户端分片上传进度
    /// Which parts of a large file have arrived, and short-lived addresses for the next ones.
    #[oai(path = "/parts", method = "post", operation_id = "listClientUploadParts")]
    async fn parts(
        &self,
        caller: Client<AnyClient, Reads>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<UploadParts>> {
        let tx = caller.read().await?;
        Ok(reply(files::progress(&caller.app, tx, &form.key, uploader(&caller.session)).await?))
    }

    /// 客户端完成直传
    #[oai(path = "/complete", method = "post", operation_id = "completeClientUpload")]
    async fn complete(
        &self,
        caller: Client<AnyClient, Writes>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<FileObject>> {
        let uploader = uploader(&caller.session);
        files::join(&caller.app, caller.read().await?, &form.key, uploader).await?;
        let tx = caller.begin().await?;
        Ok(reply(files::complete(tx, form.key, uploader).await?))
    }
}
