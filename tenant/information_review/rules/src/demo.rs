//! What a demonstration school shows of the forms.

use serde_json::Value;

use crate::enums::{InformationItem, InformationStatus};

/// Each of these occurs in what is handed in now, however few people there are.
pub const PLANTED: [InformationStatus; 10] = {
    use InformationStatus::{Approved, NotSubmitted, Returned, Submitted};
    [Submitted, Returned, NotSubmitted, Submitted, Approved, Returned, Submitted, Submitted, NotSubmitted, Approved]
};

pub const COMMITMENT: &str = "本人{name}，证件号{idCardNo}，被{school}录取为{level}“{major}”专业学生。本人郑重承诺：\n\
    一、报名、录取和入学时提交的个人信息、学历证明和其他材料均真实、有效，不存在伪造、变造或冒用他人材料的情况。\n\
    二、本人已知晓国家关于成人高等教育入学资格复查和前置学历清查的规定，前置学历不符合要求的，服从取消入学资格、注销学籍的处理。\n\
    三、本人将遵守学校的各项规定，按时参加学习和考试。\n\
    以上承诺如有不实，由本人承担全部责任。";

pub const SELF_ASSESSMENT: &str = "在校学习期间，本人遵守学校各项规章制度，按照教学计划完成了全部课程的学习和作业，积极参加线上教学\
    和面授辅导，与老师和同学相处融洽。本人从事的工作与所学专业联系紧密，通过系统学习，专业理论基础更加扎实，能够运用所学知识分析和\
    解决工作中的实际问题，业务能力有了明显提高。学习过程中克服了工学矛盾，利用业余时间查阅资料、完成课程设计和毕业论文，养成了良好的\
    自学习惯。今后本人将继续坚持学习，不断充实自己，把所学知识用于岗位实践，踏实工作，诚实守信，为单位和社会的发展尽自己的一份力量。";

/// The items that a correction asks to have corrected.
pub fn asked(changes: &Value) -> Vec<(InformationItem, Option<String>)> {
    let fields = [("name", InformationItem::Name), ("ethnicity", InformationItem::Ethnicity)];
    let to = |field: &str| changes[field]["to"].as_str().map(ToOwned::to_owned);
    fields.into_iter().filter_map(|(field, item)| Some((item, Some(to(field)?)))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_shown_is_what_people_may_hand_in() {
        assert!((200..=800).contains(&SELF_ASSESSMENT.chars().count()), "{}", SELF_ASSESSMENT.chars().count());
        assert!(COMMITMENT.chars().count() <= 5_000);
        for (_, status) in InformationStatus::CHOICES {
            assert_eq!(PLANTED.contains(status), *status != InformationStatus::ClassPassed, "{}", status.zh());
        }
        let changes = json!({ "ethnicity": { "from": "01", "to": "02" } });
        assert_eq!(asked(&changes), [(InformationItem::Ethnicity, Some("02".to_owned()))]);
    }
}
