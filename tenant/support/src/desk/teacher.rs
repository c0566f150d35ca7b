//! 教师帮助: the desk of what teachers and class managers read and ask (part 05 B5, B6).

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
    pages "/schoolPC/supportCenter/teacherSupport", "/platformPC/supportCenter/teacherSupport";
    AtHome          Reads       ListTeacherHelpArticles        = "system:pc:support:teacher:list" "教师帮助列表";
    AtHome          Reads       ViewTeacherHelpArticle         = "system:pc:support:teacher:view" "查看教师帮助";
    AtHome          Writes      SaveTeacherHelpArticle         = "system:pc:support:teacher:save" "新增教师帮助";
    WholeAtHome     Writes      EditTeacherHelpArticle         = "system:pc:support:teacher:edit" "编辑教师帮助";
    WholeAtHome     Writes      DeleteTeacherHelpArticle       = "system:pc:support:teacher:delete" "删除教师帮助";
    WholeAtHome     Writes      DeleteTeacherHelpArticles      = "system:pc:support:teacher:batchDel" "批量删除教师帮助";
    AtHome          ReadsLogged ExportTeacherHelp              = "system:pc:support:teacher:export" "导出教师帮助";
    WholeAtHome     Writes      PublishTeacherHelpArticles     = "system:pc:support:teacher:publish" "发布教师帮助";
    WholeAtHome     Writes      TakeTeacherHelpArticlesOffline = "system:pc:support:teacher:publish" "发布教师帮助";
    WholeAtHome     Writes      SortTeacherHelpArticles        = "system:pc:support:teacher:sort" "教师帮助排序";
    WholeFromSchool Writes      HideTeacherHelpArticle         = "system:pc:support:teacher:edit" "编辑教师帮助";
    AtHome          Reads       ListTeacherHelpCategories      = "system:pc:support:teacher:category:list" "教师帮助分类列表";
    WholeAtHome     Writes      SaveTeacherHelpCategory        = "system:pc:support:teacher:category:save" "新增教师帮助分类";
    WholeAtHome     Writes      EditTeacherHelpCategory        = "system:pc:support:teacher:category:edit" "编辑教师帮助分类";
    WholeAtHome     Writes      DeleteTeacherHelpCategory      = "system:pc:support:teacher:category:delete" "删除教师帮助分类";
    WholeAtHome     Writes      SortTeacherHelpCategories      = "system:pc:support:teacher:category:sort" "教师帮助分类排序";
    InSchool        Reads       ListTeacherHelpQuestions       = "system:pc:support:teacher:question:list" "教师帮助咨询列表";
    InSchool        Reads       ViewTeacherHelpQuestion        = "system:pc:support:teacher:question:list" "教师帮助咨询列表";
    InSchool        Writes      ReplyTeacherHelpQuestion       = "system:pc:support:teacher:question:reply" "回复教师帮助咨询";
    InSchool        Writes      AssignTeacherHelpQuestions     = "system:pc:support:teacher:question:reply" "回复教师帮助咨询";
    AtHome          Reads       ViewTeacherHelpStatistics      = "system:pc:support:teacher:stat" "教师帮助统计";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<ArticleSheet<TeacherDesk>>(), export_job::<QuestionSheet<TeacherDesk>>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// Names the desk.
pub(crate) enum TeacherDesk {}

impl Desk for TeacherDesk {
    const AUDIENCE: SupportAudience = SupportAudience::Teacher;
    const TITLE: &'static str = "教师帮助";
    const QUESTIONS_TITLE: &'static str = "教师咨询";
    const ARTICLES: &'static str = "support.teacher.export";
    const QUESTIONS: &'static str = "support.teacher.question.export";
    type Export = ExportTeacherHelp;
    type List = ListTeacherHelpQuestions;
    type Reply = ReplyTeacherHelpQuestion;
}

const AUDIENCE: SupportAudience = TeacherDesk::AUDIENCE;

pub fn api() -> impl OpenApi {
    (TeacherArticles, TeacherCategories, TeacherQuestions)
}

pub struct TeacherArticles;

#[OpenApi(prefix_path = "/system/pc/support/teacher", tag = "crate::Tag::Support")]
impl TeacherArticles {
    /// 教师帮助列表
    #[oai(path = "/list", method = "post", operation_id = "listTeacherHelpArticles")]
    async fn list(
        &self,
        caller: Allowed<ListTeacherHelpArticles>,
        Body(asked): Body<Paged<HelpArticleFilter>>,
    ) -> Result<Reply<Page<HelpArticle>>> {
        let paging = asked.paging()?;
        Ok(reply(article::list(&caller, AUDIENCE, &asked.filter, paging).await?))
    }

    /// 查看教师帮助
    #[oai(path = "/view", method = "get", operation_id = "viewTeacherHelpArticle")]
    async fn view(
        &self,
        caller: Allowed<ViewTeacherHelpArticle>,
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

    /// 新增教师帮助
    #[oai(path = "/save", method = "post", operation_id = "saveTeacherHelpArticle")]
    async fn save(
        &self,
        caller: Allowed<SaveTeacherHelpArticle>,
        Body(new): Body<NewHelpArticle>,
    ) -> Result<Reply<Saved>> {
        let reach = Reach::beside_articles(&caller, AUDIENCE, &caller.scope()).await?;
        let id = article::save(&caller, caller.begin().await?, AUDIENCE, reach.as_ref(), new).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑教师帮助
    #[oai(path = "/edit", method = "put", operation_id = "editTeacherHelpArticle")]
    async fn edit(
        &self,
        caller: Allowed<EditTeacherHelpArticle>,
        Body(edit): Body<Edit<HelpArticleForm>>,
    ) -> Result<Reply<Saved>> {
        let id = article::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除教师帮助
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTeacherHelpArticle")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTeacherHelpArticle>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = article::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量删除教师帮助
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteTeacherHelpArticles")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteTeacherHelpArticles>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::delete_many(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 导出教师帮助
    /// 文章或咨询
    #[oai(path = "/export", method = "post", operation_id = "exportTeacherHelp")]
    async fn export(
        &self,
        caller: Allowed<ExportTeacherHelp>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<HelpExport>,
    ) -> Result<Exported> {
        match wanted.part {
            SupportPart::Articles => {
                let wanted = ArticlesWanted::of(&caller, wanted.articles.unwrap_or_default())?;
                transfer::export::<ArticleSheet<TeacherDesk>>(&caller, wanted, job.0).await
            }
            SupportPart::Questions => {
                let wanted = QuestionsWanted::of::<TeacherDesk>(&caller, wanted.questions.unwrap_or_default())?;
                transfer::export::<QuestionSheet<TeacherDesk>>(&caller, wanted, job.0).await
            }
        }
    }

    /// 发布教师帮助
    #[oai(path = "/publish", method = "put", operation_id = "publishTeacherHelpArticles")]
    async fn publish(
        &self,
        caller: Allowed<PublishTeacherHelpArticles>,
        Body(wanted): Body<HelpPublishing>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::publish(&caller, caller.begin().await?, AUDIENCE, wanted).await?))
    }

    /// 下线教师帮助
    /// 未发布的文章取消定时发布
    #[oai(path = "/offline", method = "put", operation_id = "takeTeacherHelpArticlesOffline")]
    async fn offline(
        &self,
        caller: Allowed<TakeTeacherHelpArticlesOffline>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::offline(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 教师帮助排序
    /// 调整顺序，或移动到其他分类
    #[oai(path = "/sort", method = "put", operation_id = "sortTeacherHelpArticles")]
    async fn sort(
        &self,
        caller: Allowed<SortTeacherHelpArticles>,
        Body(order): Body<HelpArticleOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }

    /// 隐藏平台教师帮助
    #[oai(path = "/hide", method = "put", operation_id = "hideTeacherHelpArticle")]
    async fn hide(
        &self,
        caller: Allowed<HideTeacherHelpArticle>,
        Body(wanted): Body<HelpHiding>,
    ) -> Result<Reply<Saved>> {
        let school = caller.school_id().ok_or_else(Error::forbidden)?;
        let id = article::hide(caller.begin().await?, AUDIENCE, school, wanted).await?;
        Ok(reply(Saved { id }))
    }

    /// 教师帮助统计
    #[oai(path = "/stat", method = "post", operation_id = "viewTeacherHelpStatistics")]
    async fn stat(
        &self,
        caller: Allowed<ViewTeacherHelpStatistics>,
        Body(asked): Body<HelpStatisticsAsked>,
    ) -> Result<Reply<HelpStatistics>> {
        Ok(reply(statistics(&caller, AUDIENCE, &caller.scope(), asked).await?))
    }
}

pub struct TeacherCategories;

#[OpenApi(prefix_path = "/system/pc/support/teacher/category", tag = "crate::Tag::Support")]
impl TeacherCategories {
    /// 教师帮助分类列表
    #[oai(path = "/list", method = "post", operation_id = "listTeacherHelpCategories")]
    async fn list(
        &self,
        caller: Allowed<ListTeacherHelpCategories>,
        Body(filter): Body<HelpCategoryFilter>,
    ) -> Result<Reply<Vec<HelpCategoryNode>>> {
        Ok(reply(category::list(&caller, AUDIENCE, &filter).await?))
    }

    /// 新增教师帮助分类
    #[oai(path = "/save", method = "post", operation_id = "saveTeacherHelpCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveTeacherHelpCategory>,
        Body(form): Body<HelpCategoryForm>,
    ) -> Result<Reply<Saved>> {
        let id = category::save(&caller, caller.begin().await?, AUDIENCE, form).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑教师帮助分类
    #[oai(path = "/edit", method = "put", operation_id = "editTeacherHelpCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditTeacherHelpCategory>,
        Body(edit): Body<Edit<HelpCategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = category::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除教师帮助分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTeacherHelpCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTeacherHelpCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = category::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 教师帮助分类排序
    #[oai(path = "/sort", method = "put", operation_id = "sortTeacherHelpCategories")]
    async fn sort(
        &self,
        caller: Allowed<SortTeacherHelpCategories>,
        Body(order): Body<HelpCategoryOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(category::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }
}

pub struct TeacherQuestions;

#[OpenApi(prefix_path = "/system/pc/support/teacher/question", tag = "crate::Tag::Support")]
impl TeacherQuestions {
    /// 教师帮助咨询列表
    #[oai(path = "/list", method = "post", operation_id = "listTeacherHelpQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListTeacherHelpQuestions>,
        Body(asked): Body<Paged<HelpQuestionFilter>>,
    ) -> Result<Reply<Page<HelpQuestion>>> {
        let paging = asked.paging()?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::list(&caller, caller.read().await?, &reach, &asked.filter, paging).await?))
    }

    /// 查看教师帮助咨询
    #[oai(path = "/view", method = "get", operation_id = "viewTeacherHelpQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewTeacherHelpQuestion>,
        /// 编号
        id: Query<i64>,
        /// 可分派人员
        /// 为true时同时返回可以回复这条咨询的人员
        assignees: Query<Option<bool>>,
    ) -> Result<Reply<HelpQuestionDetail>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::view(&caller, caller.read().await?, &reach, (id.0, assignees.0), None).await?))
    }

    /// 回复教师帮助咨询
    #[oai(path = "/reply", method = "put", operation_id = "replyTeacherHelpQuestion")]
    async fn answer(
        &self,
        caller: Allowed<ReplyTeacherHelpQuestion>,
        Body(form): Body<HelpReplying>,
    ) -> Result<Reply<Warned>> {
        let warnings = question::reply::warnings(&caller, &form).await?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let id = question::reply::to_people(&caller, caller.begin().await?, &reach, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 分派教师帮助咨询
    #[oai(path = "/assign", method = "put", operation_id = "assignTeacherHelpQuestions")]
    async fn assign(
        &self,
        caller: Allowed<AssignTeacherHelpQuestions>,
        Body(form): Body<HelpAssigning>,
    ) -> Result<Reply<BulkResult>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::assign(&caller, caller.begin().await?, &reach, form).await?))
    }
}
