//! 站点帮助: the desk of what the people of sites read and ask (part 05 B5, B6).

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
    pages "/schoolPC/supportCenter/siteSupport", "/platformPC/supportCenter/siteSupport";
    AtHome          Reads       ListSiteHelpArticles        = "system:pc:support:site:list" "站点帮助列表";
    AtHome          Reads       ViewSiteHelpArticle         = "system:pc:support:site:view" "查看站点帮助";
    AtHome          Writes      SaveSiteHelpArticle         = "system:pc:support:site:save" "新增站点帮助";
    WholeAtHome     Writes      EditSiteHelpArticle         = "system:pc:support:site:edit" "编辑站点帮助";
    WholeAtHome     Writes      DeleteSiteHelpArticle       = "system:pc:support:site:delete" "删除站点帮助";
    WholeAtHome     Writes      DeleteSiteHelpArticles      = "system:pc:support:site:batchDel" "批量删除站点帮助";
    AtHome          ReadsLogged ExportSiteHelp              = "system:pc:support:site:export" "导出站点帮助";
    WholeAtHome     Writes      PublishSiteHelpArticles     = "system:pc:support:site:publish" "发布站点帮助";
    WholeAtHome     Writes      TakeSiteHelpArticlesOffline = "system:pc:support:site:publish" "发布站点帮助";
    WholeAtHome     Writes      SortSiteHelpArticles        = "system:pc:support:site:sort" "站点帮助排序";
    WholeFromSchool Writes      HideSiteHelpArticle         = "system:pc:support:site:edit" "编辑站点帮助";
    AtHome          Reads       ListSiteHelpCategories      = "system:pc:support:site:category:list" "站点帮助分类列表";
    WholeAtHome     Writes      SaveSiteHelpCategory        = "system:pc:support:site:category:save" "新增站点帮助分类";
    WholeAtHome     Writes      EditSiteHelpCategory        = "system:pc:support:site:category:edit" "编辑站点帮助分类";
    WholeAtHome     Writes      DeleteSiteHelpCategory      = "system:pc:support:site:category:delete" "删除站点帮助分类";
    WholeAtHome     Writes      SortSiteHelpCategories      = "system:pc:support:site:category:sort" "站点帮助分类排序";
    InSchool        Reads       ListSiteHelpQuestions       = "system:pc:support:site:question:list" "站点帮助咨询列表";
    InSchool        Reads       ViewSiteHelpQuestion        = "system:pc:support:site:question:list" "站点帮助咨询列表";
    InSchool        Writes      ReplySiteHelpQuestion       = "system:pc:support:site:question:reply" "回复站点帮助咨询";
    InSchool        Writes      AssignSiteHelpQuestions     = "system:pc:support:site:question:reply" "回复站点帮助咨询";
    AtHome          Reads       ViewSiteHelpStatistics      = "system:pc:support:site:stat" "站点帮助统计";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<ArticleSheet<SiteDesk>>(), export_job::<QuestionSheet<SiteDesk>>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// Names the desk.
pub(crate) enum SiteDesk {}

impl Desk for SiteDesk {
    const AUDIENCE: SupportAudience = SupportAudience::Site;
    const TITLE: &'static str = "站点帮助";
    const QUESTIONS_TITLE: &'static str = "站点咨询";
    const ARTICLES: &'static str = "support.site.export";
    const QUESTIONS: &'static str = "support.site.question.export";
    type Export = ExportSiteHelp;
    type List = ListSiteHelpQuestions;
    type Reply = ReplySiteHelpQuestion;
}

const AUDIENCE: SupportAudience = SiteDesk::AUDIENCE;

pub fn api() -> impl OpenApi {
    (SiteArticles, SiteCategories, SiteQuestions)
}

pub struct SiteArticles;

#[OpenApi(prefix_path = "/system/pc/support/site", tag = "crate::Tag::Support")]
impl SiteArticles {
    /// 站点帮助列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteHelpArticles")]
    async fn list(
        &self,
        caller: Allowed<ListSiteHelpArticles>,
        Body(asked): Body<Paged<HelpArticleFilter>>,
    ) -> Result<Reply<Page<HelpArticle>>> {
        let paging = asked.paging()?;
        Ok(reply(article::list(&caller, AUDIENCE, &asked.filter, paging).await?))
    }

    /// 查看站点帮助
    #[oai(path = "/view", method = "get", operation_id = "viewSiteHelpArticle")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteHelpArticle>,
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

    /// 新增站点帮助
    #[oai(path = "/save", method = "post", operation_id = "saveSiteHelpArticle")]
    async fn save(
        &self,
        caller: Allowed<SaveSiteHelpArticle>,
        Body(new): Body<NewHelpArticle>,
    ) -> Result<Reply<Saved>> {
        let reach = Reach::beside_articles(&caller, AUDIENCE, &caller.scope()).await?;
        let id = article::save(&caller, caller.begin().await?, AUDIENCE, reach.as_ref(), new).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑站点帮助
    #[oai(path = "/edit", method = "put", operation_id = "editSiteHelpArticle")]
    async fn edit(
        &self,
        caller: Allowed<EditSiteHelpArticle>,
        Body(edit): Body<Edit<HelpArticleForm>>,
    ) -> Result<Reply<Saved>> {
        let id = article::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除站点帮助
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteHelpArticle")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteHelpArticle>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = article::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量删除站点帮助
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSiteHelpArticles")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteSiteHelpArticles>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::delete_many(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 导出站点帮助
    /// 文章或咨询
    #[oai(path = "/export", method = "post", operation_id = "exportSiteHelp")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteHelp>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<HelpExport>,
    ) -> Result<Exported> {
        match wanted.part {
            SupportPart::Articles => {
                let wanted = ArticlesWanted::of(&caller, wanted.articles.unwrap_or_default())?;
                transfer::export::<ArticleSheet<SiteDesk>>(&caller, wanted, job.0).await
            }
            SupportPart::Questions => {
                let wanted = QuestionsWanted::of::<SiteDesk>(&caller, wanted.questions.unwrap_or_default())?;
                transfer::export::<QuestionSheet<SiteDesk>>(&caller, wanted, job.0).await
            }
        }
    }

    /// 发布站点帮助
    #[oai(path = "/publish", method = "put", operation_id = "publishSiteHelpArticles")]
    async fn publish(
        &self,
        caller: Allowed<PublishSiteHelpArticles>,
        Body(wanted): Body<HelpPublishing>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::publish(&caller, caller.begin().await?, AUDIENCE, wanted).await?))
    }

    /// 下线站点帮助
    /// 未发布的文章取消定时发布
    #[oai(path = "/offline", method = "put", operation_id = "takeSiteHelpArticlesOffline")]
    async fn offline(
        &self,
        caller: Allowed<TakeSiteHelpArticlesOffline>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::offline(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 站点帮助排序
    /// 调整顺序，或移动到其他分类
    #[oai(path = "/sort", method = "put", operation_id = "sortSiteHelpArticles")]
    async fn sort(
        &self,
        caller: Allowed<SortSiteHelpArticles>,
        Body(order): Body<HelpArticleOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }

    /// 隐藏平台站点帮助
    #[oai(path = "/hide", method = "put", operation_id = "hideSiteHelpArticle")]
    async fn hide(&self, caller: Allowed<HideSiteHelpArticle>, Body(wanted): Body<HelpHiding>) -> Result<Reply<Saved>> {
        let school = caller.school_id().ok_or_else(Error::forbidden)?;
        let id = article::hide(caller.begin().await?, AUDIENCE, school, wanted).await?;
        Ok(reply(Saved { id }))
    }

    /// 站点帮助统计
    #[oai(path = "/stat", method = "post", operation_id = "viewSiteHelpStatistics")]
    async fn stat(
        &self,
        caller: Allowed<ViewSiteHelpStatistics>,
        Body(asked): Body<HelpStatisticsAsked>,
    ) -> Result<Reply<HelpStatistics>> {
        Ok(reply(statistics(&caller, AUDIENCE, &caller.scope(), asked).await?))
    }
}

pub struct SiteCategories;

#[OpenApi(prefix_path = "/system/pc/support/site/category", tag = "crate::Tag::Support")]
impl SiteCategories {
    /// 站点帮助分类列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteHelpCategories")]
    async fn list(
        &self,
        caller: Allowed<ListSiteHelpCategories>,
        Body(filter): Body<HelpCategoryFilter>,
    ) -> Result<Reply<Vec<HelpCategoryNode>>> {
        Ok(reply(category::list(&caller, AUDIENCE, &filter).await?))
    }

    /// 新增站点帮助分类
    #[oai(path = "/save", method = "post", operation_id = "saveSiteHelpCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveSiteHelpCategory>,
        Body(form): Body<HelpCategoryForm>,
    ) -> Result<Reply<Saved>> {
        let id = category::save(&caller, caller.begin().await?, AUDIENCE, form).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑站点帮助分类
    #[oai(path = "/edit", method = "put", operation_id = "editSiteHelpCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditSiteHelpCategory>,
        Body(edit): Body<Edit<HelpCategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = category::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除站点帮助分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteHelpCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteHelpCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = category::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 站点帮助分类排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSiteHelpCategories")]
    async fn sort(
        &self,
        caller: Allowed<SortSiteHelpCategories>,
        Body(order): Body<HelpCategoryOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(category::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }
}

pub struct SiteQuestions;

#[OpenApi(prefix_path = "/system/pc/support/site/question", tag = "crate::Tag::Support")]
impl SiteQuestions {
    /// 站点帮助咨询列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteHelpQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListSiteHelpQuestions>,
        Body(asked): Body<Paged<HelpQuestionFilter>>,
    ) -> Result<Reply<Page<HelpQuestion>>> {
        let paging = asked.paging()?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::list(&caller, caller.read().await?, &reach, &asked.filter, paging).await?))
    }

    /// 查看站点帮助咨询
    #[oai(path = "/view", method = "get", operation_id = "viewSiteHelpQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteHelpQuestion>,
        /// 编号
        id: Query<i64>,
        /// 可分派人员
        /// 为true时同时返回可以回复这条咨询的人员
        assignees: Query<Option<bool>>,
    ) -> Result<Reply<HelpQuestionDetail>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::view(&caller, caller.read().await?, &reach, (id.0, assignees.0), None).await?))
    }

    /// 回复站点帮助咨询
    #[oai(path = "/reply", method = "put", operation_id = "replySiteHelpQuestion")]
    async fn answer(
        &self,
        caller: Allowed<ReplySiteHelpQuestion>,
        Body(form): Body<HelpReplying>,
    ) -> Result<Reply<Warned>> {
        let warnings = question::reply::warnings(&caller, &form).await?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let id = question::reply::to_people(&caller, caller.begin().await?, &reach, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 分派站点帮助咨询
    #[oai(path = "/assign", method = "put", operation_id = "assignSiteHelpQuestions")]
    async fn assign(
        &self,
        caller: Allowed<AssignSiteHelpQuestions>,
        Body(form): Body<HelpAssigning>,
    ) -> Result<Reply<BulkResult>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::assign(&caller, caller.begin().await?, &reach, form).await?))
    }
}
