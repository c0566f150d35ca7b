//! 院校帮助: the desk of what schools' staff read; they ask the operators, who answer from here (part 05 B5, B6).

use infra::{
    Allowed, Body, BulkResult, Edit, Error, Ids, Page, Paged, Part, ReadTx, Reply, Result, Saved, Tx, Warned,
    access::{MayWrite, Permission},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use support_rules::enums::{SupportAskerKind, SupportAudience, SupportPart, SupportSource};

use super::{Desk, HelpExport};
use crate::{
    article::{
        self, HelpArticle, HelpArticleDetail, HelpArticleFilter, HelpArticleForm, HelpArticleOrder, HelpHiding,
        HelpPublishing, NewHelpArticle,
        export::{ArticleSheet, ArticlesWanted},
    },
    category::{self, HelpCategoryFilter, HelpCategoryForm, HelpCategoryNode, HelpCategoryOrder},
    question::{
        self, HelpAppending, HelpAssigning, HelpClosing, HelpQuestion, HelpQuestionDetail, HelpQuestionFilter,
        HelpReplying, NewHelpQuestion, OwnSchoolHelpFilter, Reach, ask,
        export::{QuestionSheet, QuestionsWanted},
        own::{Mine, OwnHelpQuestion, page_of},
    },
    reading::open,
    statistics::{HelpStatistics, HelpStatisticsAsked, statistics},
};

permissions! {
    pages "/schoolPC/supportCenter/schoolSupport", "/platformPC/supportCenter/schoolSupport";
    AtHome          Reads       ListSchoolHelpArticles        = "system:pc:support:school:list" "院校帮助列表";
    AtHome          Reads       ViewSchoolHelpArticle         = "system:pc:support:school:view" "查看院校帮助";
    AtHome          Writes      SaveSchoolHelpArticle         = "system:pc:support:school:save" "新增院校帮助";
    WholeAtHome     Writes      EditSchoolHelpArticle         = "system:pc:support:school:edit" "编辑院校帮助";
    WholeAtHome     Writes      DeleteSchoolHelpArticle       = "system:pc:support:school:delete" "删除院校帮助";
    WholeAtHome     Writes      DeleteSchoolHelpArticles      = "system:pc:support:school:batchDel" "批量删除院校帮助";
    AtHome          ReadsLogged ExportSchoolHelp              = "system:pc:support:school:export" "导出院校帮助";
    WholeAtHome     Writes      PublishSchoolHelpArticles     = "system:pc:support:school:publish" "发布院校帮助";
    WholeAtHome     Writes      TakeSchoolHelpArticlesOffline = "system:pc:support:school:publish" "发布院校帮助";
    WholeAtHome     Writes      SortSchoolHelpArticles        = "system:pc:support:school:sort" "院校帮助排序";
    WholeFromSchool Writes      HideSchoolHelpArticle         = "system:pc:support:school:edit" "编辑院校帮助";
    AtHome          Reads       ListSchoolHelpCategories      = "system:pc:support:school:category:list" "院校帮助分类列表";
    WholeAtHome     Writes      SaveSchoolHelpCategory        = "system:pc:support:school:category:save" "新增院校帮助分类";
    WholeAtHome     Writes      EditSchoolHelpCategory        = "system:pc:support:school:category:edit" "编辑院校帮助分类";
    WholeAtHome     Writes      DeleteSchoolHelpCategory      = "system:pc:support:school:category:delete" "删除院校帮助分类";
    WholeAtHome     Writes      SortSchoolHelpCategories      = "system:pc:support:school:category:sort" "院校帮助分类排序";
    Anywhere        Reads       ListSchoolHelpQuestions       = "system:pc:support:school:question:list" "院校帮助咨询列表";
    Anywhere        Reads       ViewSchoolHelpQuestion        = "system:pc:support:school:question:list" "院校帮助咨询列表";
    InPlatform      Writes      ReplySchoolHelpQuestion       = "system:pc:support:school:question:reply" "回复院校帮助咨询";
    InPlatform      Writes      AssignSchoolHelpQuestions     = "system:pc:support:school:question:reply" "回复院校帮助咨询";
    FromSchool      Reads       ListOwnSchoolHelpQuestions    = "system:pc:support:school:question:ask" "新增院校咨询";
    FromSchool      Writes      AskSchoolHelpQuestion         = "system:pc:support:school:question:ask" "新增院校咨询";
    FromSchool      Writes      AppendSchoolHelpQuestion      = "system:pc:support:school:question:ask" "新增院校咨询";
    FromSchool      Writes      CloseSchoolHelpQuestion       = "system:pc:support:school:question:ask" "新增院校咨询";
    AtHome          Reads       ViewSchoolHelpStatistics      = "system:pc:support:school:stat" "院校帮助统计";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<ArticleSheet<SchoolDesk>>(), export_job::<QuestionSheet<SchoolDesk>>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// Names the desk.
pub(crate) enum SchoolDesk {}

impl Desk for SchoolDesk {
    const AUDIENCE: SupportAudience = SupportAudience::School;
    const TITLE: &'static str = "院校帮助";
    const QUESTIONS_TITLE: &'static str = "院校咨询";
    const ARTICLES: &'static str = "support.school.export";
    const QUESTIONS: &'static str = "support.school.question.export";
    type Export = ExportSchoolHelp;
    type List = ListSchoolHelpQuestions;
    type Reply = ReplySchoolHelpQuestion;
}

const AUDIENCE: SupportAudience = SchoolDesk::AUDIENCE;

pub fn api() -> impl OpenApi {
    (SchoolArticles, SchoolCategories, SchoolQuestions)
}

pub struct SchoolArticles;

#[OpenApi(prefix_path = "/system/pc/support/school", tag = "crate::Tag::Support")]
impl SchoolArticles {
    /// 院校帮助列表
    #[oai(path = "/list", method = "post", operation_id = "listSchoolHelpArticles")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolHelpArticles>,
        Body(asked): Body<Paged<HelpArticleFilter>>,
    ) -> Result<Reply<Page<HelpArticle>>> {
        let paging = asked.paging()?;
        Ok(reply(article::list(&caller, AUDIENCE, &asked.filter, paging).await?))
    }

    /// 查看院校帮助
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolHelpArticle")]
    async fn view(
        &self,
        caller: Allowed<ViewSchoolHelpArticle>,
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

    /// 新增院校帮助
    #[oai(path = "/save", method = "post", operation_id = "saveSchoolHelpArticle")]
    async fn save(
        &self,
        caller: Allowed<SaveSchoolHelpArticle>,
        Body(new): Body<NewHelpArticle>,
    ) -> Result<Reply<Saved>> {
        let reach = Reach::beside_articles(&caller, AUDIENCE, &caller.scope()).await?;
        let id = article::save(&caller, caller.begin().await?, AUDIENCE, reach.as_ref(), new).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑院校帮助
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolHelpArticle")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolHelpArticle>,
        Body(edit): Body<Edit<HelpArticleForm>>,
    ) -> Result<Reply<Saved>> {
        let id = article::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除院校帮助
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSchoolHelpArticle")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSchoolHelpArticle>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = article::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量删除院校帮助
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSchoolHelpArticles")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteSchoolHelpArticles>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::delete_many(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 导出院校帮助
    /// 文章或咨询
    #[oai(path = "/export", method = "post", operation_id = "exportSchoolHelp")]
    async fn export(
        &self,
        caller: Allowed<ExportSchoolHelp>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(wanted): Body<HelpExport>,
    ) -> Result<Exported> {
        match wanted.part {
            SupportPart::Articles => {
                let wanted = ArticlesWanted::of(&caller, wanted.articles.unwrap_or_default())?;
                transfer::export::<ArticleSheet<SchoolDesk>>(&caller, wanted, job.0).await
            }
            SupportPart::Questions => {
                let wanted = QuestionsWanted::of::<SchoolDesk>(&caller, wanted.questions.unwrap_or_default())?;
                transfer::export::<QuestionSheet<SchoolDesk>>(&caller, wanted, job.0).await
            }
        }
    }

    /// 发布院校帮助
    #[oai(path = "/publish", method = "put", operation_id = "publishSchoolHelpArticles")]
    async fn publish(
        &self,
        caller: Allowed<PublishSchoolHelpArticles>,
        Body(wanted): Body<HelpPublishing>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::publish(&caller, caller.begin().await?, AUDIENCE, wanted).await?))
    }

    /// 下线院校帮助
    /// 未发布的文章取消定时发布
    #[oai(path = "/offline", method = "put", operation_id = "takeSchoolHelpArticlesOffline")]
    async fn offline(
        &self,
        caller: Allowed<TakeSchoolHelpArticlesOffline>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::publish::offline(&caller, caller.begin().await?, AUDIENCE, ids.ids).await?))
    }

    /// 院校帮助排序
    /// 调整顺序，或移动到其他分类
    #[oai(path = "/sort", method = "put", operation_id = "sortSchoolHelpArticles")]
    async fn sort(
        &self,
        caller: Allowed<SortSchoolHelpArticles>,
        Body(order): Body<HelpArticleOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(article::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }

    /// 隐藏平台院校帮助
    #[oai(path = "/hide", method = "put", operation_id = "hideSchoolHelpArticle")]
    async fn hide(
        &self,
        caller: Allowed<HideSchoolHelpArticle>,
        Body(wanted): Body<HelpHiding>,
    ) -> Result<Reply<Saved>> {
        let school = caller.school_id().ok_or_else(Error::forbidden)?;
        let id = article::hide(caller.begin().await?, AUDIENCE, school, wanted).await?;
        Ok(reply(Saved { id }))
    }

    /// 院校帮助统计
    #[oai(path = "/stat", method = "post", operation_id = "viewSchoolHelpStatistics")]
    async fn stat(
        &self,
        caller: Allowed<ViewSchoolHelpStatistics>,
        Body(asked): Body<HelpStatisticsAsked>,
    ) -> Result<Reply<HelpStatistics>> {
        Ok(reply(statistics(&caller, AUDIENCE, &caller.scope(), asked).await?))
    }
}

pub struct SchoolCategories;

#[OpenApi(prefix_path = "/system/pc/support/school/category", tag = "crate::Tag::Support")]
impl SchoolCategories {
    /// 院校帮助分类列表
    #[oai(path = "/list", method = "post", operation_id = "listSchoolHelpCategories")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolHelpCategories>,
        Body(filter): Body<HelpCategoryFilter>,
    ) -> Result<Reply<Vec<HelpCategoryNode>>> {
        Ok(reply(category::list(&caller, AUDIENCE, &filter).await?))
    }

    /// 新增院校帮助分类
    #[oai(path = "/save", method = "post", operation_id = "saveSchoolHelpCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveSchoolHelpCategory>,
        Body(form): Body<HelpCategoryForm>,
    ) -> Result<Reply<Saved>> {
        let id = category::save(&caller, caller.begin().await?, AUDIENCE, form).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑院校帮助分类
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolHelpCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolHelpCategory>,
        Body(edit): Body<Edit<HelpCategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = category::edit(&caller, caller.begin().await?, AUDIENCE, edit).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除院校帮助分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSchoolHelpCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSchoolHelpCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let id = category::delete(&caller, caller.begin().await?, AUDIENCE, id.0).await?;
        Ok(reply(Saved { id }))
    }

    /// 院校帮助分类排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSchoolHelpCategories")]
    async fn sort(
        &self,
        caller: Allowed<SortSchoolHelpCategories>,
        Body(order): Body<HelpCategoryOrder>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(category::sort(&caller, caller.begin().await?, AUDIENCE, order).await?))
    }
}

pub struct SchoolQuestions;

#[OpenApi(prefix_path = "/system/pc/support/school/question", tag = "crate::Tag::Support")]
impl SchoolQuestions {
    /// 院校帮助咨询列表
    #[oai(path = "/list", method = "post", operation_id = "listSchoolHelpQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolHelpQuestions>,
        Body(asked): Body<Paged<HelpQuestionFilter>>,
    ) -> Result<Reply<Page<HelpQuestion>>> {
        let paging = asked.paging()?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::list(&caller, caller.read().await?, &reach, &asked.filter, paging).await?))
    }

    /// 查看院校帮助咨询
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolHelpQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewSchoolHelpQuestion>,
        /// 编号
        id: Query<i64>,
        /// 可分派人员
        /// 为true时同时返回可以回复这条咨询的人员
        assignees: Query<Option<bool>>,
    ) -> Result<Reply<HelpQuestionDetail>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let mut tx = caller.read().await?;
        let school = question::school_of(&mut tx, &reach, id.0).await?;
        let askers = askers(&caller, school).await?;
        Ok(reply(question::view(&caller, tx, &reach, (id.0, assignees.0), askers).await?))
    }

    /// 回复院校帮助咨询
    #[oai(path = "/reply", method = "put", operation_id = "replySchoolHelpQuestion")]
    async fn answer(
        &self,
        caller: Allowed<ReplySchoolHelpQuestion>,
        Body(form): Body<HelpReplying>,
    ) -> Result<Reply<Warned>> {
        let warnings = question::reply::warnings(&caller, &form).await?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let id = question::reply::to_staff(caller.begin().await?, &reach, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 分派院校帮助咨询
    #[oai(path = "/assign", method = "put", operation_id = "assignSchoolHelpQuestions")]
    async fn assign(
        &self,
        caller: Allowed<AssignSchoolHelpQuestions>,
        Body(form): Body<HelpAssigning>,
    ) -> Result<Reply<BulkResult>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        Ok(reply(question::assign(&caller, caller.begin().await?, &reach, form).await?))
    }

    /// 我的院校咨询
    /// 本人向平台的咨询，连同回复
    #[oai(path = "/own", method = "post", operation_id = "listOwnSchoolHelpQuestions")]
    async fn own(
        &self,
        caller: Allowed<ListOwnSchoolHelpQuestions>,
        Body(asked): Body<Paged<OwnSchoolHelpFilter>>,
    ) -> Result<Reply<Page<OwnHelpQuestion>>> {
        let paging = asked.paging()?;
        let of = Mine {
            kind: SupportAskerKind::SchoolStaff,
            person: caller.user_id(),
            school: caller.session.school_id,
            only: asked.filter.id,
            status: asked.filter.status,
        };
        let askers = Some(caller.home_read().await?);
        Ok(reply(page_of(caller.app(), caller.read().await?, askers, of, paging).await?))
    }

    /// 新增院校咨询
    #[oai(path = "/ask", method = "post", operation_id = "askSchoolHelpQuestion")]
    async fn ask(
        &self,
        caller: Allowed<AskSchoolHelpQuestion>,
        Body(form): Body<NewHelpQuestion>,
    ) -> Result<Reply<Warned>> {
        open(caller.app(), caller.school.as_deref()).await?;
        let texts = [("标题", form.title.as_str()), ("内容", form.content.as_str())];
        let warnings = ask::warnings(&caller, &texts).await?;
        let tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Warned { id, warnings })).ok_or(error),
        };
        let id = ask::by_staff(&caller, tx, at_home(&caller).await?, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 追问院校咨询
    #[oai(path = "/append", method = "post", operation_id = "appendSchoolHelpQuestion")]
    async fn append(
        &self,
        caller: Allowed<AppendSchoolHelpQuestion>,
        Body(form): Body<HelpAppending>,
    ) -> Result<Reply<Warned>> {
        let warnings = ask::warnings(&caller, &[("内容", form.content.as_str())]).await?;
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let school = at_home(&caller).await?;
        let id = ask::append_by_staff(&caller, caller.begin().await?, school, &reach, form).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 关闭院校咨询
    #[oai(path = "/close", method = "put", operation_id = "closeSchoolHelpQuestion")]
    async fn close(
        &self,
        caller: Allowed<CloseSchoolHelpQuestion>,
        Body(form): Body<HelpClosing>,
    ) -> Result<Reply<Saved>> {
        let reach = Reach::of(&caller, AUDIENCE, &caller.scope()).await?;
        let id = ask::close_by_staff(&caller, caller.begin().await?, &reach, form).await?;
        Ok(reply(Saved { id }))
    }
}

/// A look at what the asker sent in; none while their school cannot be asked.
async fn askers<P: Permission>(caller: &Allowed<P>, school: Option<i64>) -> Result<Option<ReadTx>> {
    let Some(school) = school else { return Ok(None) };
    let Some(school) = caller.app().school(school).await? else { return Ok(None) };
    match caller.read_in(&school).await {
        Ok(tx) => Ok(Some(tx)),
        Err(error) if error.code == 409 => Ok(None),
        Err(error) => Err(error),
    }
}

/// A writing transaction in the caller's school, beside the one in `platform`.
async fn at_home<P: Permission>(caller: &Allowed<P>) -> Result<Tx>
where
    P::Mode: MayWrite,
{
    let school = caller.school.as_deref().ok_or_else(Error::forbidden)?;
    caller.begin_in(school).await
}
