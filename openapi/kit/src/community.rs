//! The community of the operators' site: rows that only learners make.

use crate::{Server, learners::numbered};

pub const BLOG: &str = "/user/pc/community/blog";
pub const LABEL: &str = "/user/pc/community/label";
pub const QUESTIONS: &str = "/user/pc/community/questions";
pub const BLOGGER: &str = "/user/pc/community/blogger";
pub const ARTICLE_ZONE: &str = "/user/pc/community/article/zone";
pub const COMMUNITY_RECOMMEND: &str = "/user/pc/community/recommend";
pub const CERTIFICATE: &str = "/user/pc/community/certificate";
pub const OWN_COMMUNITY: &str = "/user/client/community";

/// The blogger that a learner is.
pub async fn blogger(server: &Server, learner: i64) -> i64 {
    numbered(server, learner).await;
    server
        .run(&format!(
            "insert into platform.blogger (learner_id, blogger_name, created_by, updated_by)
             values ({learner}, '学员{learner}', 0, 0) on conflict do nothing"
        ))
        .await;
    server.one(&format!("select id from platform.blogger where learner_id = {learner}")).await
}

/// A blog of a learner.
pub async fn blog(server: &Server, learner: i64, title: &str, status: &str) -> i64 {
    let blogger = blogger(server, learner).await;
    server
        .one(&format!(
            "insert into platform.blog (title, content, blogger_id, article_type, audit_status, created_by, updated_by)
             values ('{title}', '<p>{title}</p>', {blogger}, 'original', '{status}', 0, 0) returning id"
        ))
        .await
}

/// What a learner said of a blog.
pub async fn blog_comment(server: &Server, blog: i64, content: &str, status: &str) -> i64 {
    numbered(server, 1).await;
    server
        .one(&format!(
            "insert into platform.blog_comment (blog_id, learner_id, learner_name, content, audit_status, created_by, updated_by)
             values ({blog}, 1, '小满', '{content}', '{status}', 0, 0) returning id"
        ))
        .await
}

/// What a learner asked.
pub async fn question(server: &Server, title: &str, status: &str) -> i64 {
    numbered(server, 1).await;
    server
        .one(&format!(
            "insert into platform.community_question (title, content, learner_id, learner_name, audit_status, created_by, updated_by)
             values ('{title}', '<p>{title}</p>', 1, '小满', '{status}', 0, 0) returning id"
        ))
        .await
}

/// What another answered.
pub async fn answer(server: &Server, question: i64, content: &str, status: &str) -> i64 {
    numbered(server, 2).await;
    server
        .one(&format!(
            "insert into platform.community_answer (question_id, learner_id, learner_name, content, audit_status, created_by, updated_by)
             values ({question}, 2, '阿泽', '{content}', '{status}', 0, 0) returning id"
        ))
        .await
}

/// What a learner says that they are.
pub async fn certificate(server: &Server, learner: i64, title: &str) -> i64 {
    numbered(server, learner).await;
    server
        .one(&format!(
            "insert into platform.community_certificate (learner_id, learner_name, cert_type, title, proof_keys, created_by, updated_by)
             values ({learner}, '学员{learner}', 'teacher', '{title}', array['private/platform/202611/none.jpg'], 0, 0) returning id"
        ))
        .await
}

/// Hangs labels on a blog.
pub async fn labelled(server: &Server, blog: i64, labels: &[i64]) {
    for label in labels {
        server.run(&format!("insert into platform.blog_label (blog_id, label_id) values ({blog}, {label})")).await;
    }
}
