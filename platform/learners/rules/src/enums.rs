//! Closed sets of learners (01 §9.4, §9.6, §9.11).

use infra::enumeration;

enumeration! {
    /// 注册来源
    pub enum LearnerSource = "learnerSource" {
        Pc = "pc" "电脑网页",
        H5 = "h5" "手机网页",
        App = "app" "APP",
        MiniProgram = "mini_program" "小程序",
        Admin = "admin" "后台添加",
    }
}

impl LearnerSource {
    /// Of a registration that does not say it, from the kind of device that it came from.
    pub fn of_device(device: &str) -> Self {
        match device {
            "mini_program" => Self::MiniProgram,
            "mobile" | "tablet" => Self::H5,
            _ => Self::Pc,
        }
    }
}

enumeration! {
    /// 性别
    pub enum LearnerGender = "learnerGender" {
        Unknown = "unknown" "未知",
        Male = "male" "男",
        Female = "female" "女",
    }
}

enumeration! {
    /// 会员状态
    pub enum MemberState = "learnerMemberState" {
        None = "none" "从未开通",
        Running = "running" "会员中",
        Ended = "ended" "已到期",
    }
}

enumeration! {
    /// 商品类型
    pub enum ProductType = "productType" {
        Record = "record" "录播课程",
        Live = "live" "直播课程",
        Resource = "resource" "文库资源",
        Exam = "exam" "试卷",
        Vip = "vip" "会员",
    }
}

enumeration! {
    /// 验证码用途
    pub enum CodeScene = "learnerCodeScene" {
        Register = "register" "注册",
        Login = "login" "登录",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_comes_from_what_it_was_sent_with() {
        assert_eq!(LearnerSource::of_device("pc"), LearnerSource::Pc);
        assert_eq!(LearnerSource::of_device("mobile"), LearnerSource::H5);
        assert_eq!(LearnerSource::of_device("tablet"), LearnerSource::H5);
        assert_eq!(LearnerSource::of_device("mini_program"), LearnerSource::MiniProgram);
    }
}
