//! Rows that stories write past the server: what no call makes, and what calls would take too long to make.

use crate::{Server, cohort::Cohort};

/// Lets an operator act for these schools alone.
pub async fn manage(server: &Server, login_name: &str, schools: &[i64]) {
    let schools = schools.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    server
        .run(&format!(
            "update platform.sys_user set school_scope = 'listed' where login_name = '{login_name}';
             insert into platform.sys_user_school (user_id, school_id, created_by, updated_by)
             select u.id, s.id, 0, 0 from platform.sys_user u, platform.school s
             where u.login_name = '{login_name}' and s.id in ({schools}) order by s.id"
        ))
        .await;
}

/// A grade of a school.
pub async fn grade(server: &Server, school: i64, year: i32) {
    server
        .run(&format!(
            "insert into school_{school}.grade (code, name, entry_year, created_by, updated_by)
             values ('{year}', '{year}级', {year}, 0, 0)"
        ))
        .await;
}

/// A setting of school 1; the value is JSON.
pub async fn setting(server: &Server, key: &str, value: &serde_json::Value) {
    server
        .run(&format!(
            "insert into school_1.school_setting (key, value, created_by, updated_by) values ('{key}', '{value}', 0, 0)"
        ))
        .await;
}

/// A video as its channel would leave it, of `platform` or of a school's schema.
pub async fn video(server: &Server, schema: &str, vid: &str, state: &str, seconds: i32) -> i64 {
    server
        .one(&format!(
            "insert into {schema}.media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
             values ('{vid}', 'polyv', '{vid}', '{vid}.mp4', 7, {seconds}, '{state}', 0, 0) returning id"
        ))
        .await
}

/// So many majors of the place's level beside its own, coded `M01` and so on.
pub async fn majors(server: &Server, p: &Cohort, count: i64) {
    server
        .run(&format!(
            "insert into school_1.major (code, name, national_major_id, national_code, national_name, level_id, direction,
                 schooling_years, total_credits, created_by, updated_by)
             select 'M' || lpad(n::text, 2, '0'), '专业' || n, {}, '120203K', '会计学', {}, n::text, 2.5, 90, 0, 0
             from generate_series(1, {count}) n",
            p.national, p.level
        ))
        .await;
}

/// A job of a school that runs without a server that does it; answers its number.
pub async fn running_job(server: &Server, school: i64, kind: &str, title: &str) -> i64 {
    server
        .one(&format!(
            "insert into platform.job (school_id, kind, target, title, params, started_by, actor_name, actor, state, leased_until)
             values ({school}, '{kind}', '{title}', '{title}', '{{}}', 999999, '某人', '{{}}', 'running', now() + interval '1 hour')
             returning id"
        ))
        .await
}

/// Registered students of a site, numbered from `first`; their phones are 154 and the number.
pub async fn students(server: &Server, p: &Cohort, site: i64, class: Option<i64>, first: i64, count: i64) {
    let class = class.map_or_else(|| "null".to_owned(), |id| id.to_string());
    server
        .run(&format!(
            "insert into school_1.student (student_no, name, name_grams, pinyin, initials, id_card_type, id_card_no, grade_id, level_id,
                major_id, study_form, schooling_years, site_id, class_id, enrolled_on, expected_graduation_on, max_study_end_on, status,
                source, phone, email, created_by, updated_by)
             select '26' || lpad(n::text, 8, '0'), '学生' || n, '{{}}', 'xuesheng' || n, 'xs' || n, 'passport', 'E' || lpad(n::text, 8, '0'), {}, {}, {},
                'non_full_time', 2.5, {site}, {class}, '2026-03-01', '2028-07-10', '2031-02-28', 'registered', 'legacy',
                '154' || lpad(n::text, 8, '0'), 's' || n || '@example.com', 0, 0
             from generate_series({first}, {first} + {count} - 1) n",
            p.grade, p.level, p.major
        ))
        .await;
}
