//! The closed sets of the help centre (part 05 B2, I).

use infra::enumeration;

enumeration! {
    /// 对象
    pub enum SupportAudience = "supportAudience" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        Site = "site" "站点",
        School = "school" "院校",
    }
}

enumeration! {
    /// 文章状态
    pub enum SupportArticleStatus = "supportArticleStatus" {
        Draft = "draft" "草稿",
        Published = "published" "已发布",
        Offline = "offline" "已下线",
    }
}

enumeration! {
    /// 咨询状态
    pub enum SupportQuestionStatus = "supportQuestionStatus" {
        Waiting = "waiting" "待回复",
        Replied = "replied" "已回复",
        Closed = "closed" "已关闭",
    }
}

enumeration! {
    /// 来源
    pub enum SupportSource = "supportSource" {
        School = "school" "本校",
        Platform = "platform" "平台",
    }
}

enumeration! {
    /// 提问人类别
    pub enum SupportAskerKind = "supportAskerKind" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManager = "class_manager" "班主任",
        SchoolStaff = "school_staff" "院校人员",
    }
}

impl SupportAskerKind {
    /// For whom the articles are that such a person reads; class managers read those of teachers (part 05 B4).
    pub const fn reads(self) -> SupportAudience {
        match self {
            Self::Student => SupportAudience::Student,
            Self::Teacher | Self::ClassManager => SupportAudience::Teacher,
            Self::SiteStaff => SupportAudience::Site,
            Self::SchoolStaff => SupportAudience::School,
        }
    }
}

enumeration! {
    /// 导出内容
    pub enum SupportPart = "supportPart" {
        Articles = "articles" "文章",
        Questions = "questions" "咨询",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_managers_read_what_teachers_read() {
        let audiences = SupportAskerKind::CHOICES.iter().map(|(_, kind)| kind.reads().as_str());
        assert_eq!(audiences.collect::<Vec<_>>(), ["student", "teacher", "site", "teacher", "school"]);
    }
}
