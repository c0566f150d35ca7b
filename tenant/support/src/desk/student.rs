//! 学生帮助: the desk of what students read and ask (part 05 B5, B6).

use infra::{
    Allowed, Body, BulkResult, Edit, Error, Ids, Page, Paged, Part, Reply, Result, Saved, Warned, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use support_rules::enums::{SupportAudience, SupportPart, SupportSource};

use super::{Desk, HelpExport};
use crate::{
    article::{
        self, HelpArticle, HelpArticleDetail, HelpArticleFilter, HelpArticleForm, HelpArticleOrder, HelpHiding,
        HelpPublishing, NewHelpArticle,
        export::{ArticleSheet, ArticlesWanted},
    },
    category::{self, HelpCategoryFilter, HelpCategoryForm, HelpCategoryNode, HelpCategoryOrder},
    question::{
        self, HelpAssigning, HelpQuestion, HelpQuestionDetail, HelpQuestionFilter, HelpReplying, Reach,
        export::{QuestionSheet, QuestionsWanted},
    },
    statistics::{HelpStatistics, HelpStatisticsAsked, statistics},
};

permissions! {
    pages "/schoolPC/supportCenter/studentsSupport", "/platformPC/supportCenter/studentsSupport";
    AtHome          Reads       ListStudentHelpArticles        = "system:pc:support:student:list" "学生帮助列表";
    AtHome          Reads       ViewStudentHelpArticle         = "system:pc:support:student:view" "查看学生帮助";
    AtHome          Writes      SaveStudentHelpArticle         = "system:pc:support:student:save" "新增学生帮助";
    WholeAtHome     Writes      EditStudentHelpArticle         = "system:pc:support:student:edit" "编辑学生帮助";
    WholeAtHome     Writes      DeleteStudentHelpArticle       = "system:pc:support:student:delete" "删除学生帮助";
    WholeAtHome     Writes      DeleteStudentHelpArticles      = "system:pc:support:student:batchDel" "批量删除学生帮助";
    AtHome          ReadsLogged ExportStudentHelp              = "system:pc:support:student:export" "导出学生帮助";
    WholeAtHome     Writes      PublishStudentHelpArticles     = "system:pc:support:student:publish" "发布学生帮助";
    WholeAtHome     Writes      TakeStudentHelpArticlesOffline = "system:pc:support:student:publish" "发布学生帮助";
    WholeAtHome     Writes      SortStudentHelpArticles        = "system:pc:support:student:sort" "学生帮助排序";
    WholeFromSchool Writes      HideStudentHelpArticle         = "system:pc:support:student:edit" "编辑学生帮助";
    AtHome          Reads       ListStudentHelpCategories      = "system:pc:support:student:category:list" "学生帮助分类列表";
    WholeAtHome     Writes      SaveStudentHelpCategory        = "system:pc:support:student:category:save" "新增学生帮助分类";
    WholeAtHome     Writes      EditStudentHelpCategory        = "system:pc:support:student:category:edit" "编辑学生帮助分类";
    WholeAtHome     Writes      DeleteStudentHelpCategory      = "system:pc:support:student:category:delete" "删除学生帮助分类";
    WholeAtHome     Writes      SortStudentHelpCategories      = "system:pc:support:student:category:sort" "学生帮助分类排序";
    InSchool        Reads       ListStudentHelpQuestions       = "system:pc:support:student:question:list" "学生帮助咨询列表";
    InSchool        Reads       ViewStudentHelpQuestion        = "system:pc:support:student:question:list" "学生帮助咨询列表";
    InSchool        Writes      ReplyStudentHelpQuestion       = "system:pc:support:student:question:reply" "回复学生帮助咨询";
    InSchool        Writes      AssignStudentHelpQuestions     = "system:pc:support:student:question:reply" "回复学生帮助咨询";
    AtHome          Reads       ViewStudentHelpStatistics      = "system:pc:support:student:stat" "学生帮助统计";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<ArticleSheet<StudentDesk>>(), export_job::<QuestionSheet<StudentDesk>>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// Names the desk.
pub(crate) enum StudentDesk {}

impl Desk for StudentDesk {
    const AUDIENCE: SupportAudience = SupportAudience::Student;
    const TITLE: &'static str = "学生帮助";
    const QUESTIONS_TITLE: &'static str = "学生咨询";
    const ARTICLES: &'static str = "support.student.export";
    const QUESTIONS: &'static str = "support.student.question.export";
    type Export = ExportStudentHelp;
    type List = ListStudentHelpQuestions;
    type Reply = ReplyStudentHelpQuestion;
}

const AUDIENCE: SupportAudience = StudentDesk::AUDIENCE;

pub fn api() -> impl OpenApi {
    (StudentArticles, StudentCategories, StudentQuestions)
}

pub struct StudentArticles;

#[OpenApi(prefix_path = "/system/pc/support/student", tag = "crate::Tag::Support")]
impl StudentArticles {
    /// 学生帮助列表
    #[oai(path = "/list", method = "post", operation_id = "listStudentHelpArticles")]
    async fn list(
        &self,
        caller: Allowed<ListStudentHelpArticles>,
        Body(asked): Body<Paged<HelpArticleFilter>>,
    ) -> Result<Reply<Page<HelpArticle>>> {
        let paging = asked.paging()?;
        Ok(reply(article::list(&caller, AUDIENCE, &asked.filter, paging).await?))
    }

    /// 查看学生帮助
    #[oai(path = "/view", method = "get", operation_id = "viewStudentHelpArticle")]
    async fn view(
        &self,
        caller: Allowed<ViewStudentHelpArticle>,
        /// 编号
        id: Query<i64>,
        /// 来源
        /// 院校可查看平台的文章；不填时为当前区域自己的文章
        source: Query<Option<SupportSource>>,
        /// 版本号
        /// 不填为正在编辑的内容
        #[oai(name = "versionNo")]
        version_no: Query<Option<i32>>,
    ) -> Result<Reply<HelpArticleDetail>> {
        Ok(reply(article::view(&caller, AUDIENCE, id.0, source.0, version_no.0).await?))
    }

    /// 新增学生帮助
    #[oai(path = "/save", method = "post", operation_id = "saveStudentHelpArticle")]
    async fn save(
        &self,
        caller: Allowed<SaveStudentHelpArticle>,
        Body(new): Body<NewHelpArticle>,
    ) -> Result<Reply<Saved>> {
        let reach = Reach::beside_articles(&caller, AUDIENCE, &caller.scope()).await?;
        let id = article::save(&caller, caller.begin().await?, AUDIENCE, reach.as_ref(), new).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑学生帮助
    #[oai(path = "/edit", method = "put", operation_id = "editStudentHelpArticle")]
    async fn edit(
        &self,
        caller: Allowed<EditStudentHelpArticle>,
        Body(edit): Body<Edit<HelpArticleForm>>,
    ) -> Result<Reply<Saved>> {
        let id = article::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除学生帮助
    #[oai(path = "/delete", method = "delete", operation_id = "deleteStudentHelpArticle")]
    async fn delete(
        &self,
        caller: Allowed<DeleteStudentHelpArticle>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = article::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量删除学生帮助
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteStudentHelpArticles")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteStudentHelpArticles>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::delete_many(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 导出学生帮助
    /// 文章或咨询
    #[oai(path = "/export", method = "post", operation_id = "exportStudentHelp")]
    async fn export(
        &self,
        caller: Allowed<ExportStudentHelp>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<HelpExport>,
    ) -> Result<Exported> {
        match wanted.part {
            SupportPart::Articles => {
                let wanted = ArticlesWanted::of(&caller, wanted.articles.unwrap_or_default())?;
                transfer::export::<ArticleSheet<StudentDesk>>(&caller, wanted, job.0).await
            }
            SupportPart::Questions => {
                let wanted = QuestionsWanted::of::<StudentDesk>(&caller, wanted.questions.unwrap_or_default())?;
                transfer::export::<QuestionSheet<StudentDesk>>(&caller, wanted, job.0).await
            }
        }
    }

    /// 发布学生帮助
    #[oai(path = "/publish", method = "put", operation_id = "publishStudentHelpArticles")]
    async fn publish(
        &self,
        caller: Allowed<PublishStudentHelpArticles>,
        Body(wanted): Body<HelpPublishing>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::publish(&caller, caller.begin().await?, AUDIENCE, wanted).await?))
    }

    /// 下线学生帮助
    /// 未发布的文章取消定时发布
    #[oai(path = "/offline", method = "put", operation_id = "takeStudentHelpArticlesOffline")]
    async fn offline(
        &self,
        caller: Allowed<TakeStudentHelpArticlesOffline>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::offline(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 学生帮助排序
    /// 调整顺序，或移动到其他分类
    #[oai(path = "/sort", method = "put", operation_id = "sortStudentHelpArticles")]
    async fn sort(
        &self,
        caller: Allowed<SortStudentHelpArticles>,
        Body(order): Body<HelpArticleOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }

    /// 隐藏平台学生帮助
    #[oai(path = "/hide", method = "put", operation_id = "hideStudentHelpArticle")]
    async fn hide(
        &self,
        caller: Allowed<HideStudentHelpArticle>,
        Body(wanted): Body<HelpHiding>,
    ) -> Result<Reply<Saved>> {
        let school = caller.school_id().ok_or_else(Error::forbidden)?;
        let id = article::hide(caller.begin().await?, AUDIENCE, school, wanted).await?;
        Ok(reply(Saved { id }))
    }

    /// 学生帮助统计
    #[oai(path = "/stat", method = "post", operation_id = "viewStudentHelpStatistics")]
    async fn stat(
        &self,
        caller: Allowed<ViewStudentHelpStatistics>,
        Body(asked): Body<HelpStatisticsAsked>,
    ) -> Result<Reply<HelpStatistics>> {
        Ok(reply(statistics(&caller, AUDIENCE, &caller.scope(), asked).await?))
    }
}

pub struct StudentCategories;

#[OpenApi(prefix_path = "/system/pc/support/student/category", tag = "crate::Tag::Support")]
impl StudentCategories {
    /// 学生帮助分类列表
    #[oai(path = "/list", method = "post", operation_id = "listStudentHelpCategories")]
    async fn list(
        &self,
        caller: Allowed<ListStudentHelpCategories>,
        Body(filter): Body<HelpCategoryFilter>,
    ) -> Result<Reply<Vec<HelpCategoryNode>>> {
        Ok(reply(category::list(&caller, AUDIENCE, &filter).await?))
    }

    /// 新增学生帮助分类
    #[oai(path = "/save", method = "post", operation_id = "saveStudentHelpCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveStudentHelpCategory>,
        Body(form): Body<HelpCategoryForm>,
    ) -> Result<Reply<Saved>> {
        let id = category::save(&caller, caller.begin().await?, AUDIENCE, form).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑学生帮助分类
    #[oai(path = "/edit", method = "put", operation_id = "editStudentHelpCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditStudentHelpCategory>,
        Body(edit): Body<Edit<HelpCategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = category::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除学生帮助分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteStudentHelpCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteStudentHelpCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = category::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 学生帮助分类排序
    #[oai(path = "/sort", method = "put", operation_id = "sortStudentHelpCategories")]
    async fn sort(
        &self,
        caller: Allowed<SortStudentHelpCategories>,
        Body(order): Body<HelpCategoryOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(category::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }
}

pub struct StudentQuestions;

#[OpenApi(prefix_path = "/system/pc/support/student/question", tag = "crate::Tag::Support")]
impl StudentQuestions {
    /// 学生帮助咨询列表
    #[oai(path = "/list", method = "post", operation_id = "listStudentHelpQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListStudentHelpQuestions>,
        Body(asked): Body<Paged<HelpQuestionFilter>>,
    ) -> Result<Reply<Page<HelpQuestion>>> {
        let paging = asked.paging()?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::list(&caller, caller.read().await?, &reach, &asked.filter, paging).await?))
    }

    /// 查看学生帮助咨询
    #[oai(path = "/view", method = "get", operation_id = "viewStudentHelpQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewStudentHelpQuestion>,
        /// 编号
        id: Query<i64>,
        /// 可分派人员
        /// 为true时同时返回可以回复这条咨询的人员
        assignees: Query<Option<bool>>,
    ) -> Result<Reply<HelpQuestionDetail>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::view(&caller, caller.read().await?, &reach, (id.0, assignees.0), None).await?))
    }

    /// 回复学生帮助咨询
    #[oai(path = "/reply", method = "put", operation_id = "replyStudentHelpQuestion")]
    async fn answer(
        &self,
        caller: Allowed<ReplyStudentHelpQuestion>,
        Body(form): Body<HelpReplying>,
    ) -> Result<Reply<Warned>> {
        let warnings = question::reply::warnings(&caller, &form).await?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let id = question::reply::to_people(&caller, caller.begin().await?, &reach, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 分派学生帮助咨询
    #[oai(path = "/assign", method = "put", operation_id = "assignStudentHelpQuestions")]
    async fn assign(
        &self,
        caller: Allowed<AssignStudentHelpQuestions>,
        Body(form): Body<HelpAssigning>,
    ) -> Result<Reply<BulkResult>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::assign(&caller, caller.begin().await?, &reach, form).await?))
    }
}
