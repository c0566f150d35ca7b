//! Marking in the teachers' client: the sheets that were given to the teacher, by the rules and locks of the console
//! (part 03 B10).

use infra::{Body, BulkResult, Client, Page, Paged, Reads, Reply, Result, reply};
use online_study::{TeacherClient, WritesOwn};
use poem_openapi::{OpenApi, param::Query};

use crate::marking::{
    Marker, MarkingFilter, MarkingPaper, MarkingSheet, Reach, SheetsReturn, of_teacher, return_all,
    write::{MarksSaved, MarksSubmitted, SheetMarks, opened, saved, submitted},
};

pub struct OwnMarking;

fn marker(caller: &Client<TeacherClient, WritesOwn>) -> (Marker, Reach) {
    let session = &caller.session;
    (Marker::of_teacher(session.person_id, &session.person_name), Reach::Teacher(session.person_id))
}

#[OpenApi(prefix_path = "/exam/client/marking", tag = "crate::Tag::Homework")]
impl OwnMarking {
    /// 教师批阅列表
    #[oai(path = "/list", method = "post", operation_id = "listOwnMarking")]
    async fn list(
        &self,
        caller: Client<TeacherClient, Reads>,
        Body(asked): Body<Paged<MarkingFilter>>,
    ) -> Result<Reply<Page<MarkingSheet>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = of_teacher(&mut tx, &asked.filter, caller.session.person_id, paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 教师打开答卷
    #[oai(path = "/open", method = "get", operation_id = "openOwnSheet")]
    async fn open(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<MarkingPaper>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(opened(&caller.app, tx, sheet_id.0, (&marker, &reach)).await?))
    }

    /// 教师保存批阅
    #[oai(path = "/save", method = "put", operation_id = "saveOwnMarks")]
    async fn save(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<MarksSaved>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(saved(tx, &marks, (&marker, &reach)).await?))
    }

    /// 教师提交批阅
    #[oai(path = "/submit", method = "put", operation_id = "submitOwnMarks")]
    async fn submit(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<MarksSubmitted>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(submitted(tx, &marks, (&marker, &reach)).await?))
    }

    /// 教师退回重做
    #[oai(path = "/return", method = "put", operation_id = "returnOwnSheets")]
    async fn give_back(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(wanted): Body<SheetsReturn>,
    ) -> Result<Reply<BulkResult>> {
        let (marker, reach) = marker(&caller);
        let tx = caller.begin().await?;
        Ok(reply(return_all(tx, wanted, (&marker, &reach)).await?))
    }
}
