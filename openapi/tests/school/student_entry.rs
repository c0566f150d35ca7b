//! 新增 and 导入 enter students by the same rules (part 02 §0.2–0.4, §9.5, §9.7): what the form refuses, the sheet refuses.

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    sheets::row_errors,
    students::{HEADINGS, ROLL, id_number, import_rows, row, save, student},
};
use serde_json::{Value, json};

/// The columns of the sheet that [`HEADINGS`] lacks.
const MORE: [&str; 18] = [
    "性别",
    "证件类型",
    "民族",
    "政治面貌",
    "考生号",
    "班级",
    "状态原因",
    "注册日期",
    "入学前学历",
    "入学前毕业学校",
    "入学前专业",
    "入学前毕业证书号",
    "入学前毕业日期",
    "通讯地址",
    "邮编",
    "工作单位",
    "毕业日期",
    "来源",
];

/// A rule of entry: what a person types into the form and into the sheet, and what each of the two answers.
struct Rule {
    form: Value,
    cells: Vec<(&'static str, String)>,
    form_says: &'static str,
    sheet_says: &'static str,
}

fn rule(form: Value, cells: &[(&'static str, &str)], form_says: &'static str, sheet_says: &'static str) -> Rule {
    let cells = cells.iter().map(|(heading, text)| (*heading, (*text).to_owned())).collect();
    Rule { form, cells, form_says, sheet_says }
}

/// Rows of a sheet with every column, the n-th person's where no cell says otherwise.
fn cells_of(n: usize, cells: &[(&'static str, String)]) -> Vec<String> {
    let headings: Vec<&str> = HEADINGS.into_iter().chain(MORE).collect();
    let mut line: Vec<String> = row(n).into_iter().chain(MORE.map(|_| String::new())).collect();
    for (heading, text) in cells {
        let place = headings.iter().position(|known| known == heading).expect("a heading of the template");
        line[place] = text.clone();
    }
    line
}

async fn import(client: &Client<'_>, rows: &[Vec<String>]) -> kit::Answer {
    import_rows(client, &HEADINGS.into_iter().chain(MORE).collect::<Vec<_>>(), rows).await
}

fn with(mut body: Value, changes: &Value) -> Value {
    for (field, value) in changes.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// What the rules refer to: of each kind one that is switched off or does not fit.
struct Odd {
    closed_grade: i64,
    closed_level: i64,
    other_level: i64,
    closed_major: i64,
    suspended_site: i64,
    closed_class: i64,
    elsewhere: i64,
    full: i64,
}

async fn odd(server: &Server, admin: &Client<'_>, p: &Cohort) -> Odd {
    let closed_grade = admin.post("/adult/pc/grade/save", json!({ "code": "2025" })).await.id();
    let level = |code: &str, name: &str, entry: &str| json!({ "code": code, "name": name, "entryLevel": entry });
    let closed_level = level("GQB", "高起本", "high_school_to_bachelor");
    let closed_level = admin.post("/adult/pc/arrangement/save", closed_level).await.id();
    let other_level = level("GQZ", "高起专", "high_school_to_associate");
    let other_level = admin.post("/adult/pc/arrangement/save", other_level).await.id();
    let major = json!({ "code": "TY", "name": "停用专业", "nationalMajorId": p.national, "levelId": p.level,
                       "direction": "停用方向", "totalCredits": 90 });
    let closed_major = admin.post("/adult/pc/major/save", major).await.id();
    let site = |code: &str, name: &str| json!({ "code": code, "name": name, "kind": "headquarter" });
    let suspended_site = admin.post("/adult/pc/site/save", site("TZ", "停招点")).await.id();
    let other_site = admin.post("/adult/pc/site/save", site("CX", "城西")).await.id();
    let class = |code: &str, site: i64| {
        let (grade, level, major) = (p.grade, p.level, p.major);
        json!({ "code": code, "name": format!("{code}班"), "gradeId": grade, "levelId": level, "majorId": major,
                "siteId": site, "capacity": 1 })
    };
    let closed_class = admin.post("/adult/pc/class/save", class("TY", p.site)).await.id();
    let elsewhere = admin.post("/adult/pc/class/save", class("BC", other_site)).await.id();
    let full = admin.post("/adult/pc/class/save", class("MY", p.site)).await.id();
    for (table, id) in
        [("grade", closed_grade), ("level", closed_level), ("major", closed_major), ("class", closed_class)]
    {
        server.run(&format!("update school_1.{table} set enabled = false where id = {id}")).await;
    }
    server.run(&format!("update school_1.site set status = 'suspended' where id = {suspended_site}")).await;
    let seated = json!({ "classId": full, "studentNo": "20000001", "examineeNo": "19000001" });
    save(admin, with(student(p, 900), &seated)).await;
    Odd { closed_grade, closed_level, other_level, closed_major, suspended_site, closed_class, elsewhere, full }
}

/// The number of somebody born on a day, for the limits of age.
fn born(day: &str) -> String {
    let mut number = format!("429900{day}888");
    number.push(student_status::id_card::check_digit(&number));
    number
}

/// Every rule of `student::check`, of the form's schema and of the seats that a sheet can break. A birthday, the contact
/// fields beyond the sheet's and the score have no column (02 §9.7).
fn rules(odd: &Odd) -> Vec<Rule> {
    let long = |count: usize| "长".repeat(count);
    let young = born("20110302");
    vec![
        // The person.
        rule(json!({ "name": "" }), &[("姓名", "")], "name: 姓名不能为空", "姓名: 不能为空"),
        rule(
            json!({ "name": long(51) }),
            &[("姓名", &long(51))],
            "name: 姓名不能超过50个字符",
            "姓名: 不能超过50个字符",
        ),
        rule(
            json!({ "gender": "x" }),
            &[("性别", "不明")],
            "gender: 性别取值无效，请重新选择",
            "性别: “不明”不在可选范围内，请填写：男、女",
        ),
        rule(json!({ "idCardNo": "" }), &[("证件号", "")], "idCardNo: 证件号不能为空", "证件号: 不能为空"),
        rule(
            json!({ "idCardNo": long(41) }),
            &[("证件号", &long(41))],
            "idCardNo: 证件号不能超过40个字符",
            "证件号: 不能超过40个字符",
        ),
        rule(
            json!({ "idCardType": "x" }),
            &[("证件类型", "学生证")],
            "idCardType: 证件类型取值无效，请重新选择",
            "证件类型: “学生证”不在可选范围内，请填写：居民身份证、港澳台居民居住证、港澳居民来往内地通行证、台湾居民来往大陆通行证、外国人永久居留身份证、护照、军官证",
        ),
        rule(
            json!({ "idCardNo": "1101051949" }),
            &[("证件号", "1101051949")],
            "idCardNo: 身份证号长度应为18位",
            "证件号: 身份证号长度应为18位",
        ),
        rule(
            json!({ "idCardNo": "110105194912310021" }),
            &[("证件号", "110105194912310021")],
            "idCardNo: 身份证号校验位错误，应为X",
            "证件号: 身份证号校验位错误，应为X",
        ),
        rule(
            json!({ "idCardNo": "440524188001010014" }),
            &[("证件号", "440524188001010014")],
            "idCardNo: 身份证号中的出生日期无效",
            "证件号: 身份证号中的出生日期无效",
        ),
        rule(
            json!({ "idCardNo": "11010519491231O02X" }),
            &[("证件号", "11010519491231O02X")],
            "idCardNo: 身份证号只能是17位数字加1位数字或X",
            "证件号: 身份证号只能是17位数字加1位数字或X",
        ),
        rule(
            json!({ "idCardNo": "66010519491231002X" }),
            &[("证件号", "66010519491231002X")],
            "idCardNo: 身份证号前两位不是有效的地区代码",
            "证件号: 身份证号前两位不是有效的地区代码",
        ),
        rule(
            json!({ "idCardType": "hmt_residence", "idCardNo": "11010519491231002X" }),
            &[("证件类型", "港澳台居民居住证"), ("证件号", "11010519491231002X")],
            "idCardNo: 港澳台居民居住证号应以81、82或83开头",
            "证件号: 港澳台居民居住证号应以81、82或83开头",
        ),
        rule(
            json!({ "idCardType": "foreign_permanent", "idCardNo": "11010519491231002X" }),
            &[("证件类型", "外国人永久居留身份证"), ("证件号", "11010519491231002X")],
            "idCardNo: 外国人永久居留身份证号应以9开头",
            "证件号: 外国人永久居留身份证号应以9开头",
        ),
        rule(
            json!({ "idCardType": "passport", "idCardNo": "E123" }),
            &[("证件类型", "护照"), ("证件号", "E123")],
            "idCardNo: 证件号应为5至20位字母或数字",
            "证件号: 证件号应为5至20位字母或数字",
        ),
        rule(
            json!({ "idCardNo": "11010519491231002X", "gender": "male" }),
            &[("证件号", "11010519491231002X"), ("性别", "男")],
            "gender: 性别与身份证号不符",
            "性别: 性别与身份证号不符",
        ),
        rule(
            json!({ "idCardNo": young }),
            &[("证件号", &young)],
            "idCardNo: 入学时未满15周岁",
            "证件号: 入学时未满15周岁",
        ),
        rule(
            json!({ "ethnicity": "00" }),
            &[("民族", "外星人")],
            "ethnicity: 民族取值无效，请重新选择",
            "民族: “外星人”不在可选范围内，请从下拉列表中选择",
        ),
        rule(
            json!({ "ethnicity": "56" }),
            &[("民族", "基诺族")],
            "ethnicity: “基诺族”已停用，请选择其他项",
            "民族: “基诺族”已停用，请选择其他项",
        ),
        rule(
            json!({ "politicalStatus": "00" }),
            &[("政治面貌", "无所谓")],
            "politicalStatus: 政治面貌取值无效，请重新选择",
            "政治面貌: “无所谓”不在可选范围内，请从下拉列表中选择",
        ),
        rule(
            json!({ "politicalStatus": "13" }),
            &[("政治面貌", "13")],
            "politicalStatus: “群众”已停用，请选择其他项",
            "政治面貌: “群众”已停用，请选择其他项",
        ),
        rule(
            json!({ "phone": "1540000" }),
            &[("手机", "1540000")],
            "phone: 手机格式不正确：应为11位手机号",
            "手机: 格式不正确：应为11位手机号",
        ),
        rule(
            json!({ "phone": "154****0001" }),
            &[("手机", "154****0001")],
            "phone: 手机不完整，请填写完整内容",
            "手机: 手机不完整，请填写完整内容",
        ),
        rule(
            json!({ "address": "某省***" }),
            &[("通讯地址", "某省***")],
            "address: 通讯地址不完整，请填写完整内容",
            "通讯地址: 通讯地址不完整，请填写完整内容",
        ),
        rule(
            json!({ "address": long(201) }),
            &[("通讯地址", &long(201))],
            "address: 通讯地址不能超过200个字符",
            "通讯地址: 不能超过200个字符",
        ),
        rule(
            json!({ "postalCode": "4300" }),
            &[("邮编", "4300")],
            "postalCode: 邮编格式不正确：应为6位数字",
            "邮编: 格式不正确：应为6位数字",
        ),
        rule(
            json!({ "workUnit": long(101) }),
            &[("工作单位", &long(101))],
            "workUnit: 工作单位不能超过100个字符",
            "工作单位: 不能超过100个字符",
        ),
        rule(
            json!({ "preEduLevel": "x" }),
            &[("入学前学历", "博士后")],
            "preEduLevel: 入学前学历取值无效，请重新选择",
            "入学前学历: “博士后”不在可选范围内，请填写：普通高中、中职/职高/技校、同等学力、专科、本科、其他",
        ),
        rule(
            json!({ "preEduSchool": long(101) }),
            &[("入学前毕业学校", &long(101))],
            "preEduSchool: 入学前毕业学校不能超过100个字符",
            "入学前毕业学校: 不能超过100个字符",
        ),
        rule(
            json!({ "preEduMajor": long(101) }),
            &[("入学前专业", &long(101))],
            "preEduMajor: 入学前专业不能超过100个字符",
            "入学前专业: 不能超过100个字符",
        ),
        rule(
            json!({ "preEduCertificateNo": long(51) }),
            &[("入学前毕业证书号", &long(51))],
            "preEduCertificateNo: 入学前毕业证书号不能超过50个字符",
            "入学前毕业证书号: 不能超过50个字符",
        ),
        rule(
            json!({ "preEduGraduatedOn": "2023-02-30" }),
            &[("入学前毕业日期", "2023-02-30")],
            "preEduGraduatedOn: 入学前毕业日期不是有效的日期",
            "入学前毕业日期: 日期不正确，请按 2026-03-01 的格式填写",
        ),
        // The numbers.
        rule(
            json!({ "studentNo": "26-1" }),
            &[("学号", "26-1")],
            "studentNo: 学号格式不正确：应为4至20位数字或大写字母",
            "学号: 格式不正确：应为4至20位数字或大写字母",
        ),
        rule(
            json!({ "studentNo": "2".repeat(21) }),
            &[("学号", &"2".repeat(21))],
            "studentNo: 学号格式不正确：应为4至20位数字或大写字母",
            "学号: 格式不正确：应为4至20位数字或大写字母",
        ),
        rule(
            json!({ "examineeNo": "考生" }),
            &[("考生号", "考生")],
            "examineeNo: 考生号格式不正确：应为4至20位数字或大写字母",
            "考生号: 格式不正确：应为4至20位数字或大写字母",
        ),
        // Where they study.
        rule(
            json!({ "gradeId": 999_999 }),
            &[("年级", "1999")],
            "gradeId: 所选年级不存在，请重新选择",
            "年级: “1999”不存在",
        ),
        rule(
            json!({ "gradeId": odd.closed_grade }),
            &[("年级", "2025")],
            "gradeId: “2025级”已停用，请选择其他项",
            "年级: “2025级”已停用，请选择其他项",
        ),
        rule(
            json!({ "levelId": 999_999 }),
            &[("层次", "没有")],
            "levelId: 所选层次不存在，请重新选择",
            "层次: “没有”不存在",
        ),
        rule(
            json!({ "levelId": odd.closed_level }),
            &[("层次", "GQB")],
            "levelId: “高起本”已停用，请选择其他项；majorId: 专业“会计学”不属于层次“高起本”",
            "层次: “高起本”已停用，请选择其他项；专业代码: 专业“会计学”不属于层次“高起本”",
        ),
        rule(
            json!({ "levelId": odd.other_level }),
            &[("层次", "GQZ")],
            "majorId: 专业“会计学”不属于层次“高起专”",
            "专业代码: 专业“会计学”不属于层次“高起专”",
        ),
        rule(
            json!({ "majorId": 999_999 }),
            &[("专业代码", "没有")],
            "majorId: 所选专业不存在，请重新选择",
            "专业代码: “没有”不存在",
        ),
        rule(
            json!({ "majorId": odd.closed_major }),
            &[("专业代码", "TY")],
            "majorId: “停用专业”已停用，请选择其他项",
            "专业代码: “停用专业”已停用，请选择其他项",
        ),
        rule(
            json!({ "studyForm": "x" }),
            &[("学习形式", "自学")],
            "studyForm: 学习形式取值无效，请重新选择",
            "学习形式: “自学”不在可选范围内，请填写：非脱产、函授、业余、脱产、网络教育",
        ),
        rule(
            json!({ "studyForm": "correspondence" }),
            &[("学习形式", "函授")],
            "studyForm: 学习形式与专业“会计学”的非脱产不符",
            "学习形式: 学习形式与专业“会计学”的非脱产不符",
        ),
        rule(
            json!({ "siteId": 999_999 }),
            &[("站点编码", "没有")],
            "siteId: 所选站点不存在，请重新选择",
            "站点编码: “没有”不存在",
        ),
        rule(
            json!({ "siteId": odd.suspended_site }),
            &[("站点编码", "TZ")],
            "siteId: “停招点”已停用，请选择其他项",
            "站点编码: “停招点”已停用，请选择其他项",
        ),
        rule(
            json!({ "classId": 999_999 }),
            &[("班级", "没有")],
            "classId: 所选班级不存在，请重新选择",
            "班级: 该年级没有班级“没有”",
        ),
        rule(
            json!({ "classId": odd.closed_class }),
            &[("班级", "TY班")],
            "classId: “TY班”已停用，请选择其他项",
            "班级: “TY班”已停用，请选择其他项",
        ),
        rule(
            json!({ "classId": odd.elsewhere }),
            &[("班级", "BC班")],
            "classId: 与班级的站点不一致",
            "班级: 与班级的站点不一致",
        ),
        rule(
            json!({ "schoolingYears": 1.5 }),
            &[("学制", "1.5")],
            "schoolingYears: 学制取值应在2到6之间",
            "学制: 学制应为2至6年，且为0.5的倍数",
        ),
        rule(
            json!({ "schoolingYears": 6.5 }),
            &[("学制", "6.5")],
            "schoolingYears: 学制取值应在2到6之间",
            "学制: 学制应为2至6年，且为0.5的倍数",
        ),
        rule(
            json!({ "schoolingYears": 2.3 }),
            &[("学制", "2.3")],
            "schoolingYears: 学制应为0.5的倍数",
            "学制: 学制应为2至6年，且为0.5的倍数",
        ),
        rule(
            json!({ "enrolledOn": "2026-02-30" }),
            &[("入学日期", "2026-02-30")],
            "enrolledOn: 入学日期不是有效的日期",
            "入学日期: 日期不正确，请按 2026-03-01 的格式填写",
        ),
        rule(
            json!({ "enrolledOn": "2029-03-01" }),
            &[("入学日期", "2029-03-01")],
            "enrolledOn: 入学日期与年级“2026级”不符",
            "入学日期: 入学日期与年级“2026级”不符",
        ),
        // The standing.
        rule(
            json!({ "status": "x" }),
            &[("学籍状态", "在逃")],
            "status: 学籍状态取值无效，请重新选择",
            "学籍状态: “在逃”不在可选范围内，请填写：待注册、在籍、休学、退学、转出、超学制、毕业、结业、肄业",
        ),
        rule(
            json!({ "source": "report" }),
            &[("来源", "报到")],
            "source: 来源只能是历史导入或转入，报到的学生由报到登记产生",
            "来源: “报到”不在可选范围内，请填写：历史导入、转入",
        ),
        rule(
            json!({ "statusReason": "voluntary" }),
            &[("状态原因", "本人申请")],
            "statusReason: 只有退学的学生填写状态原因",
            "状态原因: 只有退学的学生填写状态原因",
        ),
        rule(
            json!({ "statusReason": "x" }),
            &[("状态原因", "不明")],
            "statusReason: 状态原因取值无效，请重新选择",
            "状态原因: “不明”不在可选范围内，请填写：本人申请、逾期未注册/未复学、超过最长学习年限、学业原因、开除学籍、资格复查不合格、重复学籍、死亡、其他",
        ),
        rule(
            json!({ "status": "withdrawn", "statusReason": "voluntary", "classId": odd.full }),
            &[("学籍状态", "退学"), ("状态原因", "本人申请"), ("班级", "MY班")],
            "classId: 退学的学生不在班级中，请不要填写班级",
            "班级: 退学的学生不在班级中，请不要填写班级",
        ),
        rule(
            json!({ "status": "pending_registration", "registeredOn": "2026-03-20" }),
            &[("学籍状态", "待注册"), ("注册日期", "2026-03-20")],
            "registeredOn: 待注册的学生没有注册日期",
            "注册日期: 待注册的学生没有注册日期",
        ),
        rule(
            json!({ "registeredOn": "2026-02-28" }),
            &[("注册日期", "2026-02-28")],
            "registeredOn: 注册日期应在入学日期与今天之间",
            "注册日期: 注册日期应在入学日期与今天之间",
        ),
        rule(
            json!({ "registeredOn": "2099-01-01" }),
            &[("注册日期", "2099-01-01")],
            "registeredOn: 注册日期应在入学日期与今天之间",
            "注册日期: 注册日期应在入学日期与今天之间",
        ),
        rule(
            json!({ "endedOn": "2026-03-20" }),
            &[("毕业日期", "2026-03-20")],
            "endedOn: 在籍的学生没有毕业日期",
            "毕业日期: 在籍的学生没有毕业日期",
        ),
        rule(
            json!({ "status": "graduated", "endedOn": "2026-02-28" }),
            &[("学籍状态", "毕业"), ("毕业日期", "2026-02-28")],
            "endedOn: 毕业日期应在入学日期与今天之间",
            "毕业日期: 毕业日期应在入学日期与今天之间",
        ),
        // The students there are.
        rule(
            json!({ "idCardNo": id_number(900) }),
            &[("证件号", &id_number(900))],
            "idCardNo: 该人员为在籍学生（20000001），不能重复建档",
            "证件号: 该人员为在籍学生（20000001），不能重复建档",
        ),
        rule(
            json!({ "studentNo": "20000001" }),
            &[("学号", "20000001")],
            "studentNo: 学号“20000001”已存在",
            "学号: 学号“20000001”已存在",
        ),
        rule(
            json!({ "examineeNo": "19000001" }),
            &[("考生号", "19000001")],
            "examineeNo: 考生号“19000001”已存在",
            "考生号: 考生号“19000001”已存在",
        ),
        rule(
            json!({ "studentNo": null, "examineeNo": "20000001" }),
            &[("学号", ""), ("考生号", "20000001")],
            "examineeNo: 登录名“20000001”已被其他账号使用",
            "考生号: 登录名“20000001”已被其他账号使用",
        ),
        // The seats.
        rule(
            json!({ "classId": odd.full }),
            &[("班级", "MY班")],
            "409: 班级容量1，已有1人，超出1人",
            "班级: 班级容量1，已有1人，超出1人",
        ),
    ]
}

#[tokio::test]
async fn a_sheet_refuses_whatever_the_form_refuses() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let odd = odd(&server, &admin, &p).await;
    server
        .run("update platform.dict_data set enabled = false where dict_type = 'ethnicity' and dict_value = '56'")
        .await;
    server
        .run("update platform.dict_data set enabled = false where dict_type = 'political_status' and dict_value = '13'")
        .await;
    for (n, Rule { form, cells, form_says, sheet_says }) in (1..).zip(rules(&odd)) {
        let typed = admin.post(&format!("{ROLL}/save"), with(student(&p, n), &form)).await;
        let by_form = match typed.code() {
            422 => fields(&typed).join("；"),
            code => format!("{code}: {}", typed.msg()),
        };
        let sent = import(&admin, &[cells_of(n, &cells)]).await;
        let by_sheet: Vec<String> =
            row_errors(sent.data()).into_iter().map(|told| told.trim_start_matches("2 ").to_owned()).collect();
        assert_eq!((by_form.as_str(), by_sheet.join("；").as_str()), (form_says, sheet_says), "{form}");
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 1);
}
