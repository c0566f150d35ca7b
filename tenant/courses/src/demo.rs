//! The library of courses of a demonstration school: every course that the programmes name, once.

use std::collections::HashMap;

use course_rules::demo::{hours, lines};
use infra::{Result, Tx, pinyin};
use settings::demo::{Video, video};

/// Courses with recorded material.
const RECORDED: usize = 12;
const CHAPTERS: [&str; 4] = ["绪论", "基本概念", "方法与应用", "总结与复习"];
const SECTIONS: [&str; 3] = ["导学", "重点讲解", "案例分析"];
/// Of a recorded lesson.
const SECONDS: i32 = 2_400;

/// Courses by type, numbered within it; every unit in turn offers some.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, organizations: &[i64]) -> Result<()> {
    let types: HashMap<String, (i64, String)> = sqlx::query!("select id, code, system_kind from curriculum_type")
        .fetch_all(&mut **tx)
        .await?
        .into_iter()
        .map(|row| (row.system_kind, (row.id, row.code)))
        .collect();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (n, line) in lines().into_iter().enumerate() {
        let Some((type_id, prefix)) = types.get(line.type_kind) else { continue };
        let number = numbers.entry(line.type_kind).or_default();
        *number += 1;
        let [lecture, online, practice, self_study] = hours(&line);
        sqlx::query!(
            "insert into course (code, name, type_id, kind, organization_id, credits, hours, lecture_hours, online_hours, practice_hours,
                 self_study_hours, exam_form, assess_mode, degree_course, initials, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6::integer::numeric, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, 0)",
            format!("{prefix}{number:03}"),
            line.name,
            type_id,
            line.kind,
            organizations[n % organizations.len().min(6)],
            line.credits,
            lecture + online + practice + self_study,
            lecture,
            online,
            practice,
            self_study,
            line.exam_form,
            match line.kind {
                "theory" if line.exam_form == "exam" => "closed_book",
                "theory" => "open_book",
                "thesis" => "report",
                _ => "practical",
            },
            line.type_kind == "major_core" && line.exam_form == "exam" && *number % 5 == 0,
            pinyin::text_initials(line.name)
        )
        .execute(&mut **tx)
        .await?;
    }
    let recorded = sqlx::query!(
        "select id, name from course where kind = 'theory' order by code limit $1",
        i64::try_from(RECORDED).unwrap_or(i64::MAX)
    )
    .fetch_all(&mut **tx)
    .await?;
    for (n, course) in recorded.into_iter().enumerate() {
        record(tx, course.id, &course.name, n).await?;
    }
    Ok(())
}

/// A published record with a video in every section; one in four is a draft whose last video is still being transcoded.
async fn record(tx: &mut Tx, course: i64, name: &str, n: usize) -> Result<()> {
    let is_draft = n % 4 == 3;
    let record = sqlx::query_scalar!(
        "insert into course_record (course_id, name, lecturer_name, source, is_default, status, initials, created_by, updated_by)
         values ($1, $2, $3, 'own', true, $4, $5, 0, 0) returning id",
        course,
        format!("{name}（录播）"),
        format!("主讲{}", n + 1),
        if is_draft { "draft" } else { "published" },
        pinyin::text_initials(name)
    )
    .fetch_one(&mut **tx)
    .await?;
    for (at, title) in (1..).zip(CHAPTERS) {
        let above = chapter(tx, course, None, &format!("第{at}章 {title}"), at).await?;
        for (place, title) in (1..).zip(SECTIONS) {
            let title = format!("{at}.{place} {title}");
            let section = chapter(tx, course, Some(above), &title, place).await?;
            let is_last = at as usize == CHAPTERS.len() && place as usize == SECTIONS.len();
            let state = if is_draft && is_last { "processing" } else { "ready" };
            let vid = format!("demo/{course}/{at}-{place}.mp4");
            let film = Video {
                title: &title,
                channel: "storage",
                vid: &vid,
                file: &format!("{at}-{place}.mp4"),
                seconds: SECONDS,
                state,
            };
            let media = video(tx, &film).await?;
            sqlx::query!(
                "insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, duration_seconds,
                     sort_no, created_by, updated_by)
                 values ($1, $2, $3, $4, 'video', $5, $6, 10, 0, 0)",
                record,
                course,
                section,
                title,
                media,
                SECONDS
            )
            .execute(&mut **tx)
            .await?;
        }
    }
    Ok(())
}

async fn chapter(tx: &mut Tx, course: i64, parent: Option<i64>, title: &str, place: i32) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into course_chapter (course_id, parent_id, title, hours, initials, sort_no, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, 0, 0) returning id",
        course,
        parent,
        title,
        if parent.is_some() { 2 } else { 0 },
        pinyin::text_initials(title),
        place * 10
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}
