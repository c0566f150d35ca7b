//! What is set of how a course is studied, of one or of many at once (part 03 B5).

use infra::clock::Moment;
use poem_openapi::{Object, types::Example};

/// How a course is studied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineTeachingForm {
    /// 课程资源
    /// 不填时使用课程的默认资源
    pub course_record_id: Option<i64>,
    /// 学习开始时间
    /// 不填时为学期开始
    pub study_starts_at: Option<Moment>,
    /// 学习结束时间
    /// 不填时为学期结束
    pub study_ends_at: Option<Moment>,
    /// 完成标准(%)
    #[oai(default = "ninety", validator(minimum(value = "50"), maximum(value = "100")))]
    pub finish_percent: i32,
    /// 最高倍速
    /// 一位小数
    #[oai(default = "one_and_a_half", validator(minimum(value = "1"), maximum(value = "2")))]
    pub max_speed: f64,
    /// 允许拖动到未学部分
    #[oai(default)]
    pub allow_seek_unwatched: bool,
    /// 每日学习上限(分钟)
    /// 0为不限
    #[oai(default, validator(minimum(value = "0"), maximum(value = "1440")))]
    pub daily_limit_minutes: i32,
    /// 按顺序学习
    #[oai(default)]
    pub sequential: bool,
    /// 作业和考试要求进度(%)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: i32,
    /// 人脸核验
    #[oai(default)]
    pub face_check: bool,
}

fn ninety() -> i32 {
    90
}

fn one_and_a_half() -> f64 {
    1.5
}

impl Example for OnlineTeachingForm {
    fn example() -> Self {
        Self {
            course_record_id: None,
            study_starts_at: None,
            study_ends_at: None,
            finish_percent: 90,
            max_speed: 1.5,
            allow_seek_unwatched: false,
            daily_limit_minutes: 0,
            sequential: false,
            required_progress: 60,
            face_check: false,
        }
    }
}

/// What is set of many courses at once; what is left out stays as it is.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineTeachings {
    /// 开课
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub opening_ids: Vec<i64>,
    /// 学习开始时间
    pub study_starts_at: Option<Moment>,
    /// 学习结束时间
    pub study_ends_at: Option<Moment>,
    /// 完成标准(%)
    #[oai(validator(minimum(value = "50"), maximum(value = "100")))]
    pub finish_percent: Option<i32>,
    /// 最高倍速
    #[oai(validator(minimum(value = "1"), maximum(value = "2")))]
    pub max_speed: Option<f64>,
    /// 允许拖动到未学部分
    pub allow_seek_unwatched: Option<bool>,
    /// 每日学习上限(分钟)
    #[oai(validator(minimum(value = "0"), maximum(value = "1440")))]
    pub daily_limit_minutes: Option<i32>,
    /// 按顺序学习
    pub sequential: Option<bool>,
    /// 作业和考试要求进度(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: Option<i32>,
    /// 人脸核验
    pub face_check: Option<bool>,
}

impl Example for OnlineTeachings {
    fn example() -> Self {
        Self { opening_ids: vec![1], finish_percent: Some(90), ..Self::default() }
    }
}

impl OnlineTeachings {
    /// Whether nothing is set.
    pub fn says_nothing(&self) -> bool {
        self.study_starts_at.is_none()
            && self.study_ends_at.is_none()
            && self.finish_percent.is_none()
            && self.max_speed.is_none()
            && self.allow_seek_unwatched.is_none()
            && self.daily_limit_minutes.is_none()
            && self.sequential.is_none()
            && self.required_progress.is_none()
            && self.face_check.is_none()
    }

    /// What is set, over how a course is studied now.
    pub fn over(&self, stands: OnlineTeachingForm) -> OnlineTeachingForm {
        OnlineTeachingForm {
            course_record_id: stands.course_record_id,
            study_starts_at: self.study_starts_at.or(stands.study_starts_at),
            study_ends_at: self.study_ends_at.or(stands.study_ends_at),
            finish_percent: self.finish_percent.unwrap_or(stands.finish_percent),
            max_speed: self.max_speed.unwrap_or(stands.max_speed),
            allow_seek_unwatched: self.allow_seek_unwatched.unwrap_or(stands.allow_seek_unwatched),
            daily_limit_minutes: self.daily_limit_minutes.unwrap_or(stands.daily_limit_minutes),
            sequential: self.sequential.unwrap_or(stands.sequential),
            required_progress: self.required_progress.unwrap_or(stands.required_progress),
            face_check: self.face_check.unwrap_or(stands.face_check),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_a_step_stays() {
        let wanted = OnlineTeachings { finish_percent: Some(80), sequential: Some(true), ..OnlineTeachings::default() };
        let form = wanted.over(OnlineTeachingForm::example());
        assert_eq!((form.finish_percent, form.sequential, form.required_progress), (80, true, 60));
        assert!(OnlineTeachings::default().says_nothing() && !wanted.says_nothing());
    }
}
