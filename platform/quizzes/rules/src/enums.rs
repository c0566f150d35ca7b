//! The closed sets of the site's exams (01 §9.7).

use infra::enumeration;

enumeration! {
    /// 考试记录状态
    pub enum QuizRecordState = "quizRecordState" {
        Doing = "doing" "答题中",
        Marking = "marking" "待批改",
        Finished = "finished" "已完成",
    }
}

enumeration! {
    /// 线上试卷交卷方式
    pub enum QuizSubmitKind = "quizSubmitKind" {
        Learner = "learner" "学员交卷",
        Time = "time" "到时交卷",
    }
}

enumeration! {
    /// 试卷推荐位置
    pub enum QuizRecommendPosition = "quizRecommendPosition" {
        Home = "home" "首页",
        Category = "category" "分类页",
        Detail = "detail" "试卷详情页",
    }
}

enumeration! {
    /// 入班方式
    pub enum QuizClassVerify = "quizClassVerify" {
        Free = "free" "免审核",
        Audit = "audit" "需审核",
    }
}

enumeration! {
    /// 班级成员状态
    pub enum QuizMemberState = "quizMemberState" {
        Pending = "pending" "待审核",
        Joined = "joined" "已加入",
        Removed = "removed" "已移除",
    }
}

enumeration! {
    /// 班级成员审核结果
    pub enum QuizMemberDecision = "quizMemberDecision" {
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}
