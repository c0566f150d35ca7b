//! Closed sets of the community (01 §9.8, §12).

use infra::{Error, Result, enumeration};

enumeration! {
    /// 社区审核状态
    pub enum CommunityStatus = "communityStatus" {
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

impl CommunityStatus {
    /// Nobody decides twice on a blog, a question or what was said of it.
    ///
    /// # Errors
    /// 409 for what was decided already.
    pub fn undecided(self, what: &str) -> Result<()> {
        match self {
            Self::Pending => Ok(()),
            Self::Approved | Self::Rejected => Err(Error::conflict(format!("该{what}已审核，请刷新"))),
        }
    }
}

enumeration! {
    /// 文章类型
    pub enum ArticleType = "articleType" {
        Original = "original" "原创",
        Reprint = "reprint" "转载",
    }
}

enumeration! {
    /// 标签类型
    pub enum LabelType = "communityLabelType" {
        Blog = "blog" "博客",
        Question = "question" "问答",
    }
}

enumeration! {
    /// 推荐对象
    pub enum RecommendRef = "communityRecommendRef" {
        Blog = "blog" "博客",
        Question = "question" "问答",
        Blogger = "blogger" "博主",
    }
}

enumeration! {
    /// 社区推荐位置
    pub enum RecommendPlace = "communityRecommendPosition" {
        Home = "home" "首页",
        Side = "side" "侧栏",
    }
}

enumeration! {
    /// 社区展示状态
    pub enum Showing = "communityShowing" {
        Shown = "shown" "正常",
        Lost = "lost" "已失效",
    }
}

enumeration! {
    /// 认证类型
    pub enum CertType = "certType" {
        Expert = "expert" "专家",
        Teacher = "teacher" "教师",
        Organization = "organization" "机构",
    }
}

enumeration! {
    /// 认证状态
    pub enum CommunityCertificateStatus = "communityCertificateStatus" {
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
        Revoked = "revoked" "已撤销",
    }
}

enumeration! {
    /// 评论对象
    pub enum CommentRef = "communityCommentRef" {
        Blog = "blog" "博客",
        Question = "question" "问答",
    }
}
