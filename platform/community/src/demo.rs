//! The community of the demonstration: labels, blogs and questions in each state, who wrote them, and what the site shows before others.

use chrono::{Days, NaiveDate};
use community_rules::enums::{ArticleType, CommentRef, CommunityStatus, LabelType, RecommendPlace, RecommendRef};
use infra::{Change, Result, RichText, Tx};
use serde_json::json;

use crate::{
    blog::{CommunityBlogForm, NewBlog, write},
    client::{Said, say},
    label::{self, CommunityLabelForm},
    question::{CommunityQuestionForm, NewQuestion, ask},
    recommend::{self, CommunityRecommendForm},
};

/// Under what names the three learners write.
const NAMES: [&str; 3] = ["小满", "阿泽", "林溪"];

/// Labels of blogs, and of questions.
const LABELS: [(&str, LabelType); 5] = [
    ("备考经验", LabelType::Blog),
    ("学习方法", LabelType::Blog),
    ("在职读书", LabelType::Blog),
    ("统考", LabelType::Question),
    ("论文", LabelType::Question),
];

/// Who writes, of what, under which labels, and whether others see it.
const BLOGS: [(usize, &str, &str, &[usize], CommunityStatus); 6] = [
    (0, "在职备考英语的三个月", "每天通勤时听一篇，周末做两套真题。", &[0, 2], CommunityStatus::Approved),
    (0, "怎样把晚上的一小时用好", "先做最难的一题，剩下的时间再复习笔记。", &[1], CommunityStatus::Approved),
    (1, "会计学的学习顺序", "先基础会计，再中级财务，最后成本和审计。", &[1, 0], CommunityStatus::Approved),
    (1, "论文选题走过的弯路", "题目越小越好写，先看近三年的文献。", &[0], CommunityStatus::Approved),
    (2, "带着孩子读完专升本", "把课件缓存下来，等孩子睡了再学。", &[2], CommunityStatus::Approved),
    (2, "我的第一篇学习笔记", "今天开始记录每天的学习。", &[1], CommunityStatus::Pending),
];

/// The same of a question, with what another answers.
struct Asked {
    by: usize,
    title: &'static str,
    text: &'static str,
    about: &'static [usize],
    status: CommunityStatus,
    answer: Option<(usize, &'static str)>,
}

const QUESTIONS: [Asked; 4] = [
    Asked {
        by: 0,
        title: "英语统考怎么准备",
        text: "基础较弱，三个月够吗？",
        about: &[3],
        status: CommunityStatus::Approved,
        answer: Some((1, "先背核心词汇，再做近五年真题，来得及。")),
    },
    Asked {
        by: 1,
        title: "论文查重的比例是多少",
        text: "开题前想先了解一下要求。",
        about: &[4],
        status: CommunityStatus::Approved,
        answer: Some((2, "以学院的通知为准，一般不超过30%。")),
    },
    Asked {
        by: 2,
        title: "免考需要什么材料",
        text: "有计算机等级证书，可以免考吗？",
        about: &[3],
        status: CommunityStatus::Approved,
        answer: None,
    },
    Asked {
        by: 0,
        title: "实习鉴定表在哪里下载",
        text: "找了一圈没有找到。",
        about: &[],
        status: CommunityStatus::Pending,
        answer: None,
    },
];

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

impl Made {
    fn note(&mut self, table: &'static str, id: i64, change: Change) {
        self.rows.push((table, id));
        self.changes.push(change);
    }
}

/// What three learners write, ask and answer, as of a day. Does nothing where there is a community; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, learners: [i64; 3], today: NaiveDate) -> Result<Made> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.blog) or exists (select from platform.community_question)
                  or exists (select from platform.community_label) as "known!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut made = Made::default();
    if known {
        return Ok(made);
    }
    let learner = |place: usize| (learners[place], NAMES[place].to_owned());
    let mut labels = Vec::with_capacity(LABELS.len());
    for (name, label_type) in LABELS {
        let form = CommunityLabelForm { label_name: name.to_owned(), label_type, enabled: true };
        let (id, change) = label::insert(tx, form).await?;
        labels.push(id);
        made.note("community_label", id, change);
    }
    let html = |text: &str| RichText::cleaned(&format!("<p>{text}</p>"));
    let mut blogs = Vec::with_capacity(BLOGS.len());
    for (writer, title, text, about, status) in BLOGS {
        let form = CommunityBlogForm {
            title: title.to_owned(),
            content: html(text),
            summary: Some(text.to_owned()),
            cover: None,
            category_id: None,
            label_ids: about.iter().map(|place| labels[*place]).collect(),
            article_type: ArticleType::Original,
            source_url: None,
        };
        let (id, changes) = write(tx, NewBlog { form, learner: learner(writer), status, ip: None }).await?;
        blogs.push(id);
        made.rows.push(("blog", id));
        made.changes.extend(changes);
    }
    let comment = |of_id: i64, by: usize, content: &str, status| Said {
        of: CommentRef::Blog,
        of_id,
        parent_id: None,
        content: content.to_owned(),
        learner: learner(by),
        status,
        ip: None,
    };
    for (place, by, content, status) in [
        (0, 1, "真题的方法很管用，谢谢分享。", CommunityStatus::Approved),
        (0, 2, "请问听的是哪一套材料？", CommunityStatus::Pending),
        (2, 0, "正好在学中级财务，收藏了。", CommunityStatus::Approved),
    ] {
        let (_, change) = say(tx, comment(blogs[place], by, content, status)).await?;
        made.changes.push(change);
    }
    for Asked { by, title, text, about, status, answer } in QUESTIONS {
        let form = CommunityQuestionForm {
            title: title.to_owned(),
            content: html(text),
            label_ids: about.iter().map(|place| labels[*place]).collect(),
        };
        let (id, change) = ask(tx, NewQuestion { form, learner: learner(by), status, ip: None }).await?;
        made.note("community_question", id, change);
        let Some((by, words)) = answer else { continue };
        let said = Said { of: CommentRef::Question, ..comment(id, by, words, CommunityStatus::Approved) };
        let (_, change) = say(tx, said).await?;
        made.changes.push(change);
    }
    shown(tx, &blogs, &mut made).await?;
    certificates(tx, learners, today, &mut made).await?;
    let bloggers =
        sqlx::query_scalar!("select id from platform.blogger where learner_id = any($1) order by id", &learners)
            .fetch_all(&mut **tx)
            .await?;
    made.rows.extend(bloggers.into_iter().map(|id| ("blogger", id)));
    Ok(made)
}

/// A shelf, and what stands before others.
async fn shown(tx: &mut Tx, blogs: &[i64], made: &mut Made) -> Result<()> {
    let zone = sqlx::query_scalar!(
        "insert into platform.article_zone (zone_title, created_by, updated_by) values ('备考心得', 0, 0) returning id"
    )
    .fetch_one(&mut **tx)
    .await?;
    made.note("article_zone", zone, Change::event("article_zone", zone, "insert", json!({ "zoneTitle": "备考心得" })));
    sqlx::query!(
        "insert into platform.article_zone_item (zone_id, blog_id, sort, created_by, updated_by)
         select $1::bigint, t.id, t.place::integer, 0, 0 from unnest($2::bigint[]) with ordinality as t (id, place)",
        zone,
        &blogs[..3]
    )
    .execute(&mut **tx)
    .await?;
    for (place, position) in [(0, RecommendPlace::Home), (4, RecommendPlace::Side)] {
        let form = CommunityRecommendForm {
            ref_type: RecommendRef::Blog,
            ref_id: blogs[place],
            position,
            sort: 1,
            enabled: true,
        };
        let (id, change) = recommend::insert(tx, &form).await?;
        made.note("community_recommend", id, change);
    }
    Ok(())
}

/// One who is certified and one who asks to be. Their proofs are no files.
async fn certificates(tx: &mut Tx, learners: [i64; 3], today: NaiveDate, made: &mut Made) -> Result<()> {
    let next_year = today + Days::new(365);
    for (place, kind, title, approved) in [(0, "teacher", "高校英语教师", true), (1, "expert", "注册会计师", false)]
    {
        let id = sqlx::query_scalar!(
            "insert into platform.community_certificate (learner_id, learner_name, cert_type, title, proof_keys, audit_status,
                 audited_by, audited_at, expires_on, created_by, updated_by)
             values ($1, $2, $3, $4, array['private/platform/000000/demonstration.jpg'],
                 case when $5::boolean then 'approved' else 'pending' end, case when $5 then 0 end, case when $5 then now() end,
                 case when $5 then $6::date end, 0, 0) returning id",
            learners[place],
            NAMES[place],
            kind,
            title,
            approved,
            next_year
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "title": title });
        made.note("community_certificate", id, Change::event("community_certificate", id, "insert", what));
    }
    Ok(())
}

/// Rows of the demonstration.
pub struct Rows {
    pub labels: Vec<i64>,
    pub blogs: Vec<i64>,
    pub questions: Vec<i64>,
    pub bloggers: Vec<i64>,
    pub zones: Vec<i64>,
    pub recommends: Vec<i64>,
    pub certificates: Vec<i64>,
}

/// Removes them, with what was said of them; a label that others bear, and a blogger with other blogs, stay.
///
/// # Errors
/// Only internal ones.
pub async fn clear(tx: &mut Tx, rows: &Rows) -> Result<()> {
    sqlx::query!(
        "delete from platform.community_recommend
         where id = any($1) or blog_id = any($2) or question_id = any($3) or blogger_id = any($4)",
        &rows.recommends,
        &rows.blogs,
        &rows.questions,
        &rows.bloggers
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.article_zone_item where zone_id = any($1) or blog_id = any($2)",
        &rows.zones,
        &rows.blogs
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.article_zone where id = any($1)", &rows.zones).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.blog_label where blog_id = any($1)", &rows.blogs).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.blog_comment where blog_id = any($1)", &rows.blogs).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.blog where id = any($1)", &rows.blogs).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.blogger g where id = any($1) and not exists (select from platform.blog b where b.blogger_id = g.id)",
        &rows.bloggers
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.community_question
         set accepted_answer_id = null, updated_at = now(), updated_by = 0, version = version + 1 where id = any($1)",
        &rows.questions
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.community_question_label where question_id = any($1)", &rows.questions)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.community_answer where question_id = any($1)", &rows.questions)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.community_question where id = any($1)", &rows.questions)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from platform.community_label l where id = any($1)
           and not exists (select from platform.blog_label b where b.label_id = l.id)
           and not exists (select from platform.community_question_label q where q.label_id = l.id)",
        &rows.labels
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.community_certificate where id = any($1)", &rows.certificates)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
