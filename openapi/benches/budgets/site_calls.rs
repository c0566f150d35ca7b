//! Every list of the operators' site, with each filter that its screen offers. Their names begin with `site: `.

use serde_json::{Value, json};

use crate::{
    large_site::Site,
    list_calls::{Call, List, Whose, by, keyword, list},
};

/// The lists that take a body.
pub fn posted(of: &Site) -> Vec<List> {
    let mut lists = learners(of);
    lists.extend(orders(of));
    lists.extend(marketing(of));
    lists.extend(courses(of));
    lists.extend(course_audits(of));
    lists.extend(study(of));
    lists.extend(quizzes(of));
    lists.extend(classes(of));
    lists.extend(lecturers(of));
    lists.extend(blogs(of));
    lists.extend(questions(of));
    lists.extend(account());
    lists.extend(decoration(of));
    lists.extend(zones(of));
    lists
}

fn created(of: &Site) -> (String, Value) {
    ("created".to_owned(), json!({ "createdFrom": of.from, "createdTo": of.to }))
}

fn submitted(of: &Site) -> (String, Value) {
    ("submitted".to_owned(), json!({ "submittedFrom": of.from, "submittedTo": of.to }))
}

fn learners(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: learners",
            "/user/pc/ext/list",
            vec![
                by("nickname", of.nickname.as_str()),
                ("nickname: initials".to_owned(), json!({ "nickname": of.initials })),
                by("phone", of.phone.as_str()),
                by("source", "mini_program"),
                by("memberState", "none"),
                by("memberState", "running"),
                by("memberState", "ended"),
                by("enabled", false),
                created(of),
                ("source, created".to_owned(), json!({ "source": "pc", "createdFrom": of.from, "createdTo": of.to })),
            ],
        )
        .of_operators("platform.user_ext"),
        list(
            "site: memberships",
            "/system/pc/vip/set/list",
            vec![by("setName", "会员1"), by("enabled", true), created(of)],
        )
        .of_operators("platform.vip_set"),
    ]
}

fn orders(of: &Site) -> Vec<List> {
    let filters = || {
        vec![
            by("orderNo", of.order_no.as_str()),
            ("orderNo: a day".to_owned(), json!({ "orderNo": of.order_no[..8] })),
            by("phone", of.buyer_phone.as_str()),
            by("productName", "会计学原理12"),
            by("productType", "vip"),
            by("productType", "record"),
            by("orderStatus", "pending"),
            by("orderStatus", "paid"),
            by("orderStatus", "refunding"),
            by("payType", "free"),
            by("payType", "wechat"),
            by("source", "manual"),
            by("abnormal", "late_paid"),
            by("learnerId", of.buyer),
            by("lecturerId", of.lecturer),
            created(of),
            ("paid".to_owned(), json!({ "paidFrom": of.from, "paidTo": of.to })),
            (
                "status, created".to_owned(),
                json!({ "orderStatus": "paid", "createdFrom": of.from, "createdTo": of.to }),
            ),
        ]
    };
    vec![
        list("site: orders", "/user/pc/order/info/list", filters()).of_operators("platform.order_info"),
        list("site: sums of orders", "/data/pc/order/stat/view", filters()).of_operators("platform.order_info"),
        list(
            "site: distributions",
            "/user/pc/distribution/list",
            vec![
                by("orderNo", of.order_no.as_str()),
                by("promoterPhone", of.promoter_phone.as_str()),
                by("promoterId", of.promoter),
                by("productType", "record"),
                ("product".to_owned(), json!({ "productType": "record", "productId": of.course })),
                by("status", "frozen"),
                by("status", "settled"),
                created(of),
            ],
        )
        .of_operators("platform.distribution"),
        list(
            "site: ways of payment",
            "/user/pc/pay/channel/list",
            vec![by("channelName", "微信"), by("provider", "alipay"), by("enabled", true), created(of)],
        )
        .of_operators("platform.pay_channel"),
        list(
            "site: rules of payment",
            "/user/pc/pay/rule/list",
            vec![by("terminal", "h5"), by("payType", "alipay"), by("enabled", true), created(of)],
        )
        .of_operators("platform.pay_rule"),
    ]
}

fn marketing(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: coupons",
            "/user/pc/coupon/list",
            vec![by("couponName", "优惠券12"), by("couponType", "discount"), by("enabled", true), created(of)],
        )
        .of_operators("platform.coupon k"),
        list(
            "site: coupons held",
            "/user/pc/coupon/user/list",
            vec![
                by("couponId", of.coupon),
                by("learnerId", of.learner),
                by("phone", of.phone.as_str()),
                by("status", "unused"),
                by("status", "locked"),
                by("status", "expired"),
                ("coupon, status".to_owned(), json!({ "couponId": of.coupon, "status": "unused" })),
            ],
        )
        .of_operators("platform.coupon_user"),
        list(
            "site: seckills",
            "/user/pc/seckill/list",
            vec![
                by("activityName", "秒杀12"),
                by("productType", "record"),
                by("state", "waiting"),
                by("state", "running"),
                by("state", "ended"),
                by("enabled", true),
                created(of),
            ],
        )
        .of_operators("platform.seckill"),
        list(
            "site: products to be promoted",
            "/user/pc/chosen/list",
            vec![by("productName", "会计学原理"), by("productType", "live"), by("enabled", true), created(of)],
        )
        .of_operators("platform.chosen"),
    ]
}

fn courses(of: &Site) -> Vec<List> {
    let found = |category: i64, more: Vec<(String, Value)>| {
        let mut filters = vec![
            by("courseName", of.course_name.as_str()),
            ("courseName: initials".to_owned(), json!({ "courseName": "kjxyl1" })),
            by("categoryId", category),
            by("lecturerId", of.lecturer),
            by("isFree", true),
            by("putaway", "off"),
            by("auditStatus", "rejected"),
            by("recommended", true),
            by("enabled", false),
            created(of),
        ];
        filters.extend(more);
        filters
    };
    let standing = ["waiting", "living", "ended"].map(|standing| by("liveStanding", standing));
    let categories = || vec![by("categoryName", "分类1"), by("enabled", true)];
    vec![
        list(
            "site: recorded courses",
            "/course/pc/course/record/list",
            found(of.record_category, vec![by("schoolShared", true)]),
        )
        .of_operators("platform.online_course"),
        list("site: live courses", "/course/pc/course/live/list", found(of.live_category, standing.into()))
            .of_operators("platform.online_course"),
        list(
            "site: library",
            "/course/pc/course/resource/list",
            found(of.resource_category, vec![by("resourceExt", "pptx")]),
        )
        .of_operators("platform.online_course"),
        list("site: categories of recorded courses", "/course/pc/category/record/list", categories())
            .of_operators("platform.online_category"),
        list("site: categories of live courses", "/course/pc/category/live/list", categories())
            .of_operators("platform.online_category"),
        list("site: categories of the library", "/course/pc/category/resource/list", categories())
            .of_operators("platform.online_category"),
        list(
            "site: recommended courses",
            "/course/pc/recommend/list",
            vec![
                by("courseName", "会计学原理1"),
                by("courseType", "live"),
                by("position", "category"),
                by("enabled", true),
                created(of),
            ],
        )
        .of_operators("platform.course_recommend"),
        list(
            "site: live channels",
            "/course/pc/live/channel/list",
            vec![
                keyword("name", "直播间12"),
                keyword("number", "100123"),
                by("provider", "polyv"),
                by("state", "living"),
                by("enabled", true),
            ],
        )
        .of_operators("platform.live_channel"),
    ]
}

fn course_audits(of: &Site) -> Vec<List> {
    let filters = || {
        vec![
            by("courseName", "会计学原理1"),
            by("lecturerId", of.lecturer),
            by("auditStatus", "pending"),
            by("auditStatus", "approved"),
            submitted(of),
        ]
    };
    vec![
        list("site: audits of recorded courses", "/course/pc/audit/record/list", filters())
            .of_operators("platform.online_course_revision"),
        list("site: audits of live courses", "/course/pc/audit/live/list", filters())
            .of_operators("platform.online_course_revision"),
        list("site: audits of the library", "/course/pc/audit/resource/list", filters())
            .of_operators("platform.online_course_revision"),
    ]
}

fn study(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: comments on courses",
            "/course/pc/comment/list",
            vec![
                by("courseName", of.course_name.as_str()),
                by("courseId", of.course),
                by("learnerName", of.nickname.as_str()),
                by("content", "第1234条"),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                created(of),
            ],
        )
        .of_operators("platform.course_comment"),
        list(
            "site: scores of courses",
            "/course/pc/comment/score/list",
            vec![
                by("courseName", of.course_name.as_str()),
                by("learnerName", of.nickname.as_str()),
                by("score", 1),
                created(of),
            ],
        )
        .of_operators("platform.course_rating"),
        list(
            "site: progress of study",
            "/course/pc/progress/list",
            vec![
                by("courseName", of.course_name.as_str()),
                by("courseId", of.course),
                keyword("name", &of.nickname),
                keyword("phone", &of.phone),
                by("learnerId", of.learner),
                by("progressFrom", 100),
                ("progress 10 to 40".to_owned(), json!({ "progressFrom": 10, "progressTo": 40 })),
                ("last seen".to_owned(), json!({ "lastFrom": of.from, "lastTo": of.to })),
            ],
        )
        .of_operators("platform.online_course_study"),
        list(
            "site: figures of courses",
            "/course/pc/statistics/list",
            vec![
                by("courseType", "live"),
                by("categoryId", of.record_category),
                by("lecturerId", of.lecturer),
                ("studied".to_owned(), json!({ "studiedFrom": of.from, "studiedTo": of.to })),
            ],
        )
        .of_operators("platform.online_course"),
        list(
            "site: charts of courses",
            "/course/pc/statistics/chart",
            vec![
                by("courseType", "live"),
                by("categoryId", of.record_category),
                by("lecturerId", of.lecturer),
                ("studied".to_owned(), json!({ "studiedFrom": of.from, "studiedTo": of.to })),
            ],
        )
        .of_operators("platform.online_course"),
    ]
}

fn quizzes(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: problems",
            "/exam/pc/online/problem/list",
            vec![
                by("categoryId", of.problem_category),
                by("type", "essay"),
                by("difficulty", "hard"),
                keyword("words", "第1234题"),
                keyword("number", "1234"),
                by("source", "copy"),
                by("enabled", false),
                created(of),
            ],
        )
        .of_operators("platform.online_problem"),
        list(
            "site: exams",
            "/exam/pc/info/list",
            vec![
                by("examName", "会计学原理12"),
                by("categoryId", of.exam_category),
                by("lecturerId", of.lecturer),
                by("isFree", true),
                by("putaway", "off"),
                by("auditStatus", "rejected"),
                by("recommended", true),
                by("enabled", false),
                created(of),
            ],
        )
        .of_operators("platform.online_exam e"),
        list(
            "site: audits of exams",
            "/exam/pc/audit/list",
            vec![
                by("examName", "会计学原理12"),
                by("lecturerId", of.lecturer),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                submitted(of),
            ],
        )
        .of_operators("platform.online_exam_revision"),
        list(
            "site: categories of exams",
            "/exam/pc/category/info/list",
            vec![by("categoryName", "分类1"), by("enabled", true)],
        )
        .of_operators("platform.online_category"),
        list(
            "site: categories of problems",
            "/exam/pc/category/problem/list",
            vec![by("categoryName", "分类1"), by("enabled", true)],
        )
        .of_operators("platform.online_category"),
        list(
            "site: recommended exams",
            "/exam/pc/recommend/list",
            vec![by("examName", "会计学原理"), by("position", "category"), by("enabled", true), created(of)],
        )
        .of_operators("platform.exam_recommend"),
        list(
            "site: records of exams",
            "/exam/pc/info/record/list",
            vec![
                by("examId", of.exam),
                by("learner", of.nickname.as_str()),
                ("learner: phone".to_owned(), json!({ "learner": of.phone })),
                by("state", "marking"),
                by("passed", true),
                by("gradeId", of.class),
                ("started".to_owned(), json!({ "startedFrom": of.from, "startedTo": of.to })),
                ("exam, state".to_owned(), json!({ "examId": of.exam, "state": "finished" })),
            ],
        )
        .of_operators("platform.online_exam_record"),
    ]
}

fn classes(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: classes",
            "/exam/pc/grade/info/list",
            vec![
                by("gradeName", "考试班12"),
                by("lecturerId", of.lecturer),
                by("inviteCode", of.invite_code.as_str()),
                by("verify", "audit"),
                by("enabled", false),
                created(of),
            ],
        )
        .of_operators("platform.exam_grade_info"),
        list(
            "site: members of all classes",
            "/exam/pc/grade/info/member/list",
            vec![by("learner", of.nickname.as_str()), by("state", "pending"), by("state", "joined")],
        )
        .of_operators("platform.exam_grade_member"),
        list(
            "site: members of a class",
            "/exam/pc/grade/info/member/list",
            vec![
                by("learner", of.nickname.as_str()),
                ("learner: phone".to_owned(), json!({ "learner": of.phone })),
                by("state", "joined"),
            ],
        )
        .saying(json!({ "gradeId": of.class }))
        .of_operators("platform.exam_grade_member"),
        list("site: exams of a class", "/exam/pc/grade/info/exam/list", vec![by("examName", "会计学原理")])
            .saying(json!({ "gradeId": of.class }))
            .of_operators("platform.exam_grade_exam"),
        list(
            "site: scores of a class",
            "/exam/pc/grade/info/score/list",
            vec![by("learner", of.nickname.as_str()), ("learner: phone".to_owned(), json!({ "learner": of.phone }))],
        )
        .saying(json!({ "gradeId": of.class }))
        .of_operators("platform.exam_grade_member"),
    ]
}

fn lecturers(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: lecturers and their accounts",
            "/user/pc/lecturer/list",
            vec![
                keyword("name", &of.lecturer_name),
                keyword("phone", &of.lecturer_phone),
                by("enabled", false),
                created(of),
            ],
        )
        .of_operators("platform.lecturer l"),
        list(
            "site: audits of lecturers",
            "/user/pc/lecturer/audit/list",
            vec![
                keyword("name", &of.applicant),
                keyword("phone", &of.applicant_phone),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                created(of),
            ],
        )
        .of_operators("platform.lecturer_audit"),
        list(
            "site: withdrawals",
            "/user/pc/account/extract/log/list",
            vec![
                by("name", of.payee.as_str()),
                by("phone", of.payee_phone.as_str()),
                by("status", "pending"),
                by("status", "paid"),
                created(of),
            ],
        )
        .of_operators("platform.account_extract_log"),
    ]
}

fn blogs(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: blogs",
            "/user/pc/community/blog/list",
            vec![
                by("title", "第1234篇"),
                by("bloggerName", of.blogger_name.as_str()),
                by("bloggerId", of.blogger),
                by("categoryId", of.blog_category),
                by("labelId", of.blog_label),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                by("putaway", "off"),
                by("visible", true),
                by("visible", false),
                by("isTop", true),
                by("isRecommend", true),
                created(of),
            ],
        )
        .of_operators("platform.blog b"),
        list(
            "site: comments on a blog",
            "/user/pc/community/blog/comment/list",
            vec![by("auditStatus", "pending"), by("auditStatus", "approved")],
        )
        .saying(json!({ "blogId": of.blog }))
        .of_operators("platform.blog_comment"),
        list(
            "site: bloggers",
            "/user/pc/community/blogger/list",
            vec![by("bloggerName", of.blogger_name.as_str()), by("level", 3), by("enabled", false), created(of)],
        )
        .of_operators("platform.blogger"),
        list(
            "site: article zones",
            "/user/pc/community/article/zone/list",
            vec![by("zoneTitle", "专区1"), by("enabled", true), created(of)],
        )
        .of_operators("platform.article_zone z"),
        list("site: articles of a zone", "/user/pc/community/article/zone/item/list", Vec::new())
            .saying(json!({ "zoneId": of.article_zone }))
            .of_operators("platform.article_zone_item"),
    ]
}

fn questions(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: questions",
            "/user/pc/community/questions/list",
            vec![
                by("title", "第1234问"),
                by("learnerName", of.nickname.as_str()),
                by("labelId", of.question_label),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                by("closed", true),
                by("accepted", true),
                created(of),
            ],
        )
        .of_operators("platform.community_question"),
        list(
            "site: answers to a question",
            "/user/pc/community/questions/answer/list",
            vec![by("auditStatus", "pending"), by("auditStatus", "approved")],
        )
        .saying(json!({ "questionId": of.question }))
        .of_operators("platform.community_answer"),
        list(
            "site: labels",
            "/user/pc/community/label/list",
            vec![by("labelName", "标签12"), by("labelType", "question"), by("enabled", false), created(of)],
        )
        .of_operators("platform.community_label"),
        list(
            "site: certificates",
            "/user/pc/community/certificate/list",
            vec![
                by("learnerName", of.nickname.as_str()),
                by("title", "会计师12"),
                by("certType", "teacher"),
                by("auditStatus", "pending"),
                by("auditStatus", "approved"),
                created(of),
            ],
        )
        .of_operators("platform.community_certificate"),
        list(
            "site: recommended in the community",
            "/user/pc/community/recommend/list",
            vec![
                by("name", "第12"),
                by("refType", "blogger"),
                by("position", "side"),
                by("enabled", true),
                created(of),
            ],
        )
        .of_operators("platform.community_recommend"),
    ]
}

/// Of the account at the provider of messages.
fn account() -> Vec<List> {
    vec![
        list(
            "site: materials",
            "/system/pc/gzh/sck/list",
            vec![by("materialType", "news"), by("name", "素材12"), by("synced", false)],
        )
        .of_operators("platform.gzh_material"),
        list(
            "site: replies",
            "/system/pc/gzh/autoReply/list",
            vec![
                by("replyKind", "subscribe"),
                by("keyword", "关键词123"),
                by("replyType", "image"),
                by("enabled", false),
            ],
        )
        .of_operators("platform.gzh_auto_reply"),
        list("site: menu of the account", "/system/pc/gzh/menu/list", vec![by("name", "菜单1")])
            .of_operators("platform.gzh_menu"),
    ]
}

fn decoration(of: &Site) -> Vec<List> {
    let terminal = |name: &str| vec![by("name", name), by("terminal", "app"), by("enabled", true), created(of)];
    let plain = |name: &str| vec![by("name", name), by("enabled", true), created(of)];
    let mut templates = plain("海报1");
    templates.push(by("shareType", "promoter"));
    let mut words = terminal("搜索词12");
    words.push(by("wordType", "placeholder"));
    vec![
        list("site: navigation", "/system/pc/nav/bar/list", terminal("导航1")).of_operators("platform.nav_bar"),
        list("site: advertisements", "/system/pc/adv/top/list", terminal("广告12")).of_operators("platform.adv"),
        list("site: carousel", "/system/pc/adv/carousel/list", terminal("广告12")).of_operators("platform.adv"),
        list("site: footer", "/system/pc/website/nav/list", plain("文章1")).of_operators("platform.website_nav"),
        list("site: links", "/system/pc/website/link/list", plain("链接1")).of_operators("platform.website_link"),
        list("site: posters", "/system/pc/sharing/template/list", templates).of_operators("platform.sharing_template"),
        list("site: search words", "/system/pc/search/list", words).of_operators("platform.search_word"),
        list("site: categories of the home page", "/course/pc/category/home/list", terminal("分类1"))
            .of_operators("platform.home_category"),
    ]
}

fn zones(of: &Site) -> Vec<List> {
    vec![
        list(
            "site: zones",
            "/system/pc/zone/list",
            vec![by("name", "专区1"), by("terminal", "app"), by("enabled", true), created(of)],
        )
        .of_operators("platform.zone z"),
        list("site: content of a zone", "/system/pc/zone/item/list", Vec::new())
            .saying(json!({ "zoneId": of.zone }))
            .of_operators("platform.zone_item"),
        list(
            "site: schools of the home page",
            "/system/pc/zone/school/list",
            vec![by("name", "大学"), by("enabled", true), created(of)],
        )
        .of_operators("platform.zone_school"),
    ]
}

/// The lists whose path says all.
pub fn fetched(of: &Site) -> Vec<Call> {
    let call = |what: &str, path: String, table: &'static str| Call {
        what: what.to_owned(),
        path,
        body: None,
        whose: Whose::Operators(table),
    };
    vec![
        call(
            "site: choices of categories",
            "/course/pc/category/home/available/list".to_owned(),
            "platform.online_category",
        ),
        call(
            "site: choices of a zone",
            format!("/system/pc/zone/item/available/list?zoneId={}", of.zone),
            "platform.online_course",
        ),
    ]
}
