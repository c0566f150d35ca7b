//! The words of statistics.

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        StatReport::ENUMERATION,
        StatLevel::ENUMERATION,
        ReportDimension::ENUMERATION,
        StatScreen::ENUMERATION,
        StatColumnKind::ENUMERATION,
        StatChartKind::ENUMERATION,
        StudyStanding::ENUMERATION,
        LoginTab::ENUMERATION,
        LoginStanding::ENUMERATION,
        SourceTab::ENUMERATION,
        VisitPage::ENUMERATION,
        VisitTerminal::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 统计报表
    pub enum StatReport = "statReport" {
        Overview = "overview" "概况",
        Recruit = "recruit" "招生统计",
        Status = "status" "学籍统计",
        Teaching = "teaching" "教学统计",
        Score = "score" "成绩统计",
        Graduate = "graduate" "毕业统计",
        Yearly = "yearly" "年报表",
    }
}

enumeration! {
    /// 统计层级
    pub enum StatLevel = "statLevel" {
        School = "school" "按院校",
        Site = "site" "按站点",
        Class = "class" "按班级",
        Course = "course" "按课程",
        Task = "task" "按作业",
        Exam = "exam" "按考试",
        Teacher = "teacher" "按教师",
        Student = "student" "按学生",
    }
}

enumeration! {
    /// 统计维度
    pub enum ReportDimension = "reportDimension" {
        Site = "site" "站点",
        Major = "major" "专业",
        Level = "level" "层次",
        StudyForm = "study_form" "学习形式",
        Grade = "grade" "年级",
    }
}

enumeration! {
    /// 统计页面
    pub enum StatScreen = "statScreen" {
        Statistics = "statistics" "综合统计",
        StatisticsVideo = "statistics_video" "视频学习统计",
        WorkStatistics = "work_statistics" "作业统计",
        ExaminationStatistics = "examination_statistics" "考试统计",
        LearningRecords = "learning_records" "学习记录",
        StudentLoginStatistics = "student_login_statistics" "学生登录统计",
        FromStatistics = "from_statistics" "来源统计",
    }
}

impl StatScreen {
    /// The codes of the screen's lists, of which its refresh asks for one (05 A8).
    pub const fn codes(self) -> &'static [&'static str] {
        match self {
            Self::Statistics => &["data:pc:statistics:list"],
            Self::StatisticsVideo => &["data:pc:statisticsVideo:list", "data:pc:statisticsVideo:siteList"],
            Self::WorkStatistics => &["data:pc:workStatistics:list", "data:pc:workStatistics:siteList"],
            Self::ExaminationStatistics => {
                &["data:pc:examinationStatistics:list", "data:pc:examinationStatistics:siteList"]
            }
            Self::LearningRecords => &["data:pc:learningRecords:list"],
            Self::StudentLoginStatistics => &["data:pc:studentLoginStatistics:list"],
            Self::FromStatistics => &["data:pc:fromStatistics:list"],
        }
    }
}

enumeration! {
    /// 列类型
    pub enum StatColumnKind = "statColumnKind" {
        Text = "text" "文字",
        Count = "count" "整数",
        Decimal = "decimal" "一位小数",
        Percent = "percent" "百分比",
    }
}

enumeration! {
    /// 统计图类型
    pub enum StatChartKind = "statChartKind" {
        Line = "line" "折线",
        Bar = "bar" "条形",
        Share = "share" "占比条",
        Pie = "pie" "占比",
    }
}

enumeration! {
    /// 学习状态
    pub enum StudyStanding = "studyStanding" {
        NotStarted = "not_started" "未学",
        Studying = "studying" "学习中",
        Finished = "finished" "学完",
    }
}

enumeration! {
    /// 登录统计页签
    pub enum LoginTab = "loginTab" {
        Site = "site" "按站点",
        Class = "class" "按班级",
        Student = "student" "按学生",
        Day = "day" "按日",
    }
}

enumeration! {
    /// 登录状态
    pub enum LoginStanding = "loginStanding" {
        SignedIn = "signed_in" "已登录",
        Absent = "absent" "未登录",
        Never = "never" "从未登录",
    }
}

enumeration! {
    /// 来源统计页签
    pub enum SourceTab = "sourceTab" {
        Source = "source" "按来源",
        Domain = "domain" "按来路域名",
    }
}

enumeration! {
    /// 访问页面
    pub enum VisitPage = "visitPage" {
        Home = "home" "首页",
        Enrol = "enrol" "报名",
        Course = "course" "课程",
        Help = "help" "帮助",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 访问终端
    pub enum VisitTerminal = "visitTerminal" {
        Pc = "pc" "电脑端",
        H5 = "h5" "手机网页",
        App = "app" "App",
        MiniProgram = "mini_program" "小程序",
        Wechat = "wechat" "微信",
    }
}
