use super::*;

fn field(key: &str, control: FieldControl) -> Field {
    Field {
        key: key.to_owned(),
        label: key.to_owned(),
        group: FieldGroup::Other,
        control,
        dict_type: control.chooses().then(|| "channel".to_owned()),
        built_in: !key.starts_with("x_"),
        required: false,
        student_editable: true,
        max_length: None,
        pattern: None,
        help_text: None,
    }
}

fn stage(fields: Vec<Field>) -> StageFields {
    let word = |value: &str, label: &str| Word { value: value.to_owned(), label: label.to_owned() };
    StageFields {
        fields,
        words: HashMap::from([("channel".to_owned(), vec![word("friend", "朋友"), word("web", "网站")])]),
    }
}

/// What is stored of `typed` beside what was there, or what is wrong.
fn stored(stage: &StageFields, typed: Value, before: Value) -> Result<Value, Vec<String>> {
    let typed: BTreeMap<String, Value> = serde_json::from_value(typed).expect("fields");
    let before: Map<String, Value> = serde_json::from_value(before).expect("fields");
    let told = |wrong: Vec<FieldError>| wrong.into_iter().map(|w| format!("{}: {}", w.field, w.message)).collect();
    stage.own_values(&typed, &before).map(Value::Object).map_err(told)
}

fn wrong(told: &[&str]) -> Result<Value, Vec<String>> {
    Err(told.iter().map(|&told| told.to_owned()).collect())
}

#[test]
fn a_value_is_stored_as_its_control_wants_it() {
    let every = stage(vec![
        Field { required: true, ..field("x_text", FieldControl::Text) },
        field("x_number", FieldControl::Number),
        field("x_date", FieldControl::Date),
        field("x_one", FieldControl::Select),
        field("x_some", FieldControl::MultiSelect),
        field("x_switch", FieldControl::Switch),
        field("x_paper", FieldControl::File),
    ]);
    let typed = json!({
        "x_text": " 四十 ", "x_number": 41.5, "x_date": "2026-03-01", "x_one": "web", "x_some": ["friend", "web"],
        "x_switch": false,
    });
    let kept = json!({
        "x_text": "四十", "x_number": 41.5, "x_date": "2026-03-01", "x_one": "web", "x_some": ["friend", "web"],
        "x_switch": false,
    });
    assert_eq!(stored(&every, typed, json!({ "x_one": "friend" })), Ok(kept));
    assert_eq!(
        stored(&every, json!({ "x_text": "四十", "x_one": "", "x_some": [] }), json!({})),
        Ok(json!({ "x_text": "四十" }))
    );
    let typed = json!({
        "x_text": " ", "x_number": "41", "x_date": "2026-02-30", "x_one": "朋友", "x_some": ["web", "x"], "x_switch": 1,
        "x_paper": 7, "x_gone": 1,
    });
    assert_eq!(
        stored(&every, typed, json!({})),
        wrong(&[
            "x_gone: 没有该字段或已停用，请刷新后重新填写",
            "x_paper: 没有该字段或已停用，请刷新后重新填写",
            "x_text: x_text不能为空",
            "x_number: 应为数字",
            "x_date: 应为日期，例如 2026-03-01",
            "x_one: 所选项不存在或已停用，请重新选择",
            "x_some: 所选项不存在或已停用，请重新选择",
            "x_switch: 应为是或否",
        ])
    );
}

#[test]
fn what_nobody_asks_for_any_more_stays() {
    let one = stage(vec![field("x_one", FieldControl::Select), field("x_some", FieldControl::MultiSelect)]);
    let before = json!({ "x_off": "旧值", "x_one": "fair", "x_some": ["fair", "web"] });
    assert_eq!(stored(&one, json!({}), before.clone()), Ok(json!({ "x_off": "旧值" })), "what was emptied goes");
    // A word that was switched off may stay, and may not be chosen anew.
    let same = json!({ "x_one": "fair", "x_some": ["fair", "friend"] });
    let kept = json!({ "x_off": "旧值", "x_one": "fair", "x_some": ["fair", "friend"] });
    assert_eq!(stored(&one, same.clone(), before), Ok(kept));
    let told = "所选项不存在或已停用，请重新选择";
    assert_eq!(
        stored(&one, same, json!({ "x_one": "web" })),
        wrong(&[&format!("x_one: {told}"), &format!("x_some: {told}")])
    );
}

#[test]
fn texts_keep_their_length_and_pattern() {
    let size = Field {
        max_length: Some(3),
        pattern: Some(whole("[0-9]+|大").expect("a pattern")),
        help_text: Some("鞋码或大".to_owned()),
        ..field("x_size", FieldControl::Text)
    };
    let sizes = stage(vec![size, field("x_note", FieldControl::Textarea)]);
    assert_eq!(stored(&sizes, json!({ "x_size": "42" }), json!({})), Ok(json!({ "x_size": "42" })));
    assert_eq!(stored(&sizes, json!({ "x_size": "大2" }), json!({})), wrong(&["x_size: 格式不正确：鞋码或大"]));
    assert_eq!(stored(&sizes, json!({ "x_size": "1234" }), json!({})), wrong(&["x_size: 不能超过3个字符"]));
    let long = "长".repeat(LONGEST + 1);
    assert_eq!(stored(&sizes, json!({ "x_note": long }), json!({})), wrong(&["x_note: 不能超过2000个字符"]));
}

#[test]
fn built_in_fields_and_files_are_asked_for_by_what_is_there() {
    let email = Field { required: true, max_length: Some(5), ..field("email", FieldControl::Text) };
    let paper = Field { required: true, ..field("x_paper", FieldControl::File) };
    let size = Field { required: true, ..field("x_size", FieldControl::Text) };
    let asked = stage(vec![email, paper, size, field("workUnit", FieldControl::Text)]);
    assert_eq!(asked.file_keys().collect::<Vec<_>>(), ["x_paper"]);
    let nothing = |_: &str| Given::Nothing;
    let told: Vec<String> = asked.wrong(nothing).into_iter().map(|w| format!("{}: {}", w.field, w.message)).collect();
    assert_eq!(told, ["email: email不能为空", "x_paper: x_paper不能为空"]);
    assert_eq!(asked.missing(nothing, &Map::new()), ["email", "x_paper", "x_size"]);
    let there = |key: &str| if key == "email" { Given::Text("a@b.cn") } else { Given::Something };
    let told: Vec<String> = asked.wrong(there).into_iter().map(|w| format!("{}: {}", w.field, w.message)).collect();
    assert_eq!(told, ["email: 不能超过5个字符"]);
    let extra: Map<String, Value> = serde_json::from_value(json!({ "x_size": "42" })).expect("fields");
    assert_eq!(asked.missing(there, &extra), Vec::<&str>::new());
}

#[test]
fn a_column_is_called_by_its_label_unless_another_is() {
    let named = |key: &str, label: &str| Field { label: label.to_owned(), ..field(key, FieldControl::Select) };
    let own = stage(vec![named("x_a", "渠道"), named("x_b", "渠道"), named("x_c", "姓名"), named("x_d", "鞋码")]);
    let columns = own.columns(&["姓名"]);
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_ref()).collect();
    assert_eq!(headings, ["渠道（x_a）", "渠道（x_b）", "姓名（x_c）", "鞋码"]);
    assert_eq!(columns[3].options, ["朋友", "网站"]);
    assert_eq!(own.heading("x_d", &[]), Some("鞋码".to_owned()));
    assert_eq!(own.word(&own.fields[0], "网站"), json!("web"));
    assert_eq!(own.word(&own.fields[0], "集市"), json!("集市"));
}

#[test]
fn a_value_stands_in_a_sheet_in_words() {
    let every = stage(vec![
        field("x_text", FieldControl::Text),
        field("x_number", FieldControl::Number),
        field("x_date", FieldControl::Date),
        field("x_one", FieldControl::Select),
        field("x_some", FieldControl::MultiSelect),
        field("x_switch", FieldControl::Switch),
        field("x_paper", FieldControl::File),
    ]);
    let columns = every.told(&["x_text"]);
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!(headings, ["x_text（x_text）", "x_number", "x_date", "x_one", "x_some", "x_switch"]);
    let of = |values: Value| -> Vec<Cell> {
        let values: BTreeMap<String, Value> = serde_json::from_value(values).expect("fields");
        columns.iter().map(|column| column.cell(&values)).collect()
    };
    let text = |text: &str| Cell::Text(text.to_owned());
    let day = Cell::Date("2026-03-01".parse().expect("a day"));
    let said = json!({
        "x_text": "四十", "x_number": 42, "x_date": "2026-03-01", "x_one": "web", "x_some": ["friend", "fair"],
        "x_switch": true,
    });
    assert_eq!(
        of(said),
        [text("四十"), Cell::Int(42), day, text("网站"), text("朋友、fair"), Cell::Bool(true)],
        "a word that was switched off is told as it is stored"
    );
    let half = of(json!({ "x_number": 41.5 }));
    assert_eq!(half[..2], [Cell::Empty, text("41.5")]);
}
