//! How a trial came to its value, step by step.

use scores_rules::{
    arith::shown,
    attendance::Attended,
    enums::HomeworkMethod,
    graduation::GraduationParts,
    params::{AttendanceParams, GraduationTotalParams, HomeworkParams, ItemsParams, QuestionsParams, StudyParams},
};

use super::preview::ScoreStep;

fn step(name: &str, text: String) -> ScoreStep {
    ScoreStep { name: name.to_owned(), text }
}

/// Progress in tenths, and the periods of the course online.
pub(super) fn study(p: &StudyParams, progress: i64, minutes: i64, days: i64, online_hours: i64) -> Vec<ScoreStep> {
    let full = p.full_minutes.map_or(online_hours * 45, i64::from);
    let mut steps = vec![
        step("学习进度", format!("{}% × {}%", shown(progress), p.progress_weight)),
        step("学习时长", format!("{minutes}分钟，满分{full}分钟 × {}%", p.minutes_weight)),
    ];
    if p.days_weight > 0 {
        let full = p.full_days.unwrap_or_default();
        steps.push(step("学习天数", format!("{days}天，满分{full}天 × {}%", p.days_weight)));
    }
    steps
}

pub(super) fn homework(p: &HomeworkParams, tasks: &[(i64, Option<i64>)]) -> Vec<ScoreStep> {
    let way = match (p.method, p.n) {
        (HomeworkMethod::BestN, Some(n)) => format!("最好的{n}次平均"),
        _ => p.method.zh().to_owned(),
    };
    let mut steps = vec![step("计算方法", way)];
    steps.extend(tasks.iter().zip(1..).map(|((weight, score), no)| {
        let score = score.map_or_else(|| "未交".to_owned(), shown);
        step(&format!("第{no}次作业"), format!("{score}，权重{}", shown(*weight)))
    }));
    steps
}

pub(super) fn attendance(p: &AttendanceParams, a: &Attended) -> Vec<ScoreStep> {
    let told = |score: Option<i64>| score.map_or_else(|| "无".to_owned(), shown);
    vec![
        step("取自", p.source.zh().to_owned()),
        step("课次", format!("{}次，请假{}次", a.sessions, a.leave)),
        step("缺勤", format!("{}次，达到{}%计0分", a.absent, p.absence_fail_percent)),
        step("迟到", format!("{}次", a.late)),
        step(
            "扣分",
            format!(
                "{}−{}×{}−{}×{}−{}×{}",
                p.base, a.absent, p.absent_deduct, a.late, p.late_deduct, a.leave, p.leave_deduct
            ),
        ),
        step("面授总成绩", told(a.total)),
        step("出勤成绩", told(a.score)),
    ]
}

pub(super) fn questions(p: &QuestionsParams, asked: i64, answered: i64) -> Vec<ScoreStep> {
    vec![
        step("提问", format!("{asked}次 × {}", p.per_question)),
        step("回答", format!("{answered}次 × {}", p.per_answer)),
        step("最高", format!("{}分", p.cap)),
    ]
}

pub(super) fn items(p: &ItemsParams, given: &[(String, i64)]) -> Vec<ScoreStep> {
    let of = |code: &str| given.iter().find(|(own, _)| own == code).map(|(_, score)| *score);
    let line = |item: &scores_rules::params::ItemRule| {
        let score = of(&item.code).map_or_else(|| "未录入".to_owned(), shown);
        step(&item.name, format!("{score} × {}%", item.weight))
    };
    p.items.iter().map(line).collect()
}

pub(super) fn graduation(p: &GraduationTotalParams, parts: &GraduationParts) -> Vec<ScoreStep> {
    let all = [
        ("实习成绩", parts.internship, p.weights.internship),
        ("论文成绩", parts.thesis, p.weights.thesis),
        ("评阅成绩", parts.review, p.weights.review),
        ("答辩成绩", parts.defense, p.weights.defense),
    ];
    let weighed = all.into_iter().filter(|(.., weight)| *weight > 0);
    let line = |(name, score, weight): (&str, Option<i64>, i32)| {
        let score = score.map_or_else(|| "未录入".to_owned(), shown);
        step(name, format!("{score} × {weight}%"))
    };
    weighed.map(line).collect()
}
