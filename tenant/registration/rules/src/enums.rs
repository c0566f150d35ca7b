//! The closed sets of registration (02 §0.7, §7).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        RegistrationStatus::ENUMERATION,
        VerifyMethod::ENUMERATION,
        RegistrationMaterial::ENUMERATION,
        FeeSource::ENUMERATION,
        ReserveReason::ENUMERATION,
        ArrivalResult::ENUMERATION,
        RegistrationSheet::ENUMERATION,
        ArrivalPaper::ENUMERATION,
        RegistrationGroup::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 报到状态
    pub enum RegistrationStatus = "registrationStatus" {
        Pending = "pending" "待报到",
        Reported = "reported" "已报到",
        Reserved = "reserved" "保留入学资格",
        Abandoned = "abandoned" "放弃入学资格",
        NoShow = "no_show" "逾期未报到",
        Revoked = "revoked" "取消入学资格",
    }
}

enumeration! {
    /// 核验方式
    pub enum VerifyMethod = "verifyMethod" {
        Manual = "manual" "人工",
        CardReader = "card_reader" "读卡",
        Face = "face" "人脸",
    }
}

enumeration! {
    /// 报到材料
    pub enum RegistrationMaterial = "registrationMaterial" {
        IdCopy = "id_copy" "身份证复印件",
        DiplomaCopy = "diploma_copy" "毕业证复印件",
        DiplomaVerification = "diploma_verification" "学历验证报告",
        Photo = "photo" "照片",
        Commitment = "commitment" "承诺书",
    }
}

enumeration! {
    /// 缴费来源
    pub enum FeeSource = "feeSource" {
        Import = "import" "导入",
        Payment = "payment" "在线支付",
        Manual = "manual" "手工标记",
    }
}

enumeration! {
    /// 保留原因
    pub enum ReserveReason = "reserveReason" {
        DataError = "data_error" "录取信息有误",
        Illness = "illness" "疾病",
        Military = "military" "应征入伍",
        Work = "work" "工作原因",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 报到结果
    pub enum ArrivalResult = "arrivalResult" {
        Reported = "reported" "报到",
        Reserved = "reserved" "保留入学资格",
        Abandoned = "abandoned" "放弃入学资格",
    }
}

enumeration! {
    /// 名单
    pub enum RegistrationSheet = "registrationSheet" {
        Roll = "roll" "报到花名册",
        Missing = "missing" "未报到名单",
        Reserved = "reserved" "保留入学资格登记表",
        Abandoned = "abandoned" "放弃入学资格登记表",
    }
}

enumeration! {
    /// 报到材料打印
    pub enum ArrivalPaper = "arrivalPaper" {
        Roll = "roll" "入学登记表",
        NoticeReceipt = "notice_receipt" "报到单",
    }
}

enumeration! {
    /// 统计方式
    pub enum RegistrationGroup = "registrationGroup" {
        Site = "site" "按站点",
        Major = "major" "按专业",
        School = "school" "按院校",
    }
}
