//! The closed sets of courses and their types (part 03 A5).

use infra::enumeration;

enumeration! {
    /// 课程性质类别
    pub enum CourseKind = "courseKind" {
        Theory = "theory" "理论",
        Practice = "practice" "实践",
        Internship = "internship" "实习",
        Thesis = "thesis" "毕业论文",
    }
}

enumeration! {
    /// 考核类型
    pub enum ExamForm = "examForm" {
        Exam = "exam" "考试",
        Check = "check" "考查",
    }
}

enumeration! {
    /// 考核方式
    pub enum AssessMode = "assessMode" {
        ClosedBook = "closed_book" "闭卷",
        OpenBook = "open_book" "开卷",
        Online = "online" "线上考试",
        Report = "report" "大作业/论文",
        Oral = "oral" "口试",
        Practical = "practical" "实操",
    }
}

enumeration! {
    /// 来源
    pub enum CourseSource = "courseSource" {
        Own = "own" "自建",
        Shared = "shared" "共建",
        Purchased = "purchased" "外购",
        Platform = "platform" "平台引入",
    }
}

enumeration! {
    /// 系统类别
    pub enum CurriculumSystemKind = "curriculumSystemKind" {
        PublicBasic = "public_basic" "公共基础课",
        MajorBasic = "major_basic" "专业基础课",
        MajorCore = "major_core" "专业核心课",
        Extension = "extension" "职业能力拓展课",
        Practice = "practice" "实践环节",
        Thesis = "thesis" "毕业设计(论文)",
    }
}
