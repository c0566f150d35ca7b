//! Tables are shared to read and owned to write: no module writes another's table, it calls the owner's function in its own
//! transaction. Proved over the sources of every crate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;

/// Crates of the workspace whose statements are looked at; a new folder below these is inside by default.
const CRATES: [&str; 5] = ["infra", "platform", "tenant", "term", "openapi"];

/// Tables that stand in a file of another module's name.
const OWNED_ELSEWHERE: [(&str, &str); 44] = [
    ("school_setting", "schools"),
    ("grade", "calendar"),
    ("level", "calendar"),
    ("semester", "calendar"),
    ("organization", "units"),
    ("site", "units"),
    ("classroom", "units"),
    ("major", "majors"),
    ("forecast_major", "majors"),
    ("forecast_major_site", "majors"),
    ("class", "classes"),
    ("class_counter", "classes"),
    ("sys_param", "settings"),
    ("national_major", "majors"),
    ("media_asset", "settings"),
    ("media_place", "settings"),
    ("dict_type", "settings"),
    ("plain_view_count", "infra"),
    ("sys_role", "roles"),
    ("sys_role_scope", "roles"),
    ("sys_role_menu", "roles"),
    ("sys_role_permission", "roles"),
    ("sys_menu", "roles"),
    ("sys_permission", "roles"),
    ("sys_challenge", "sign_in"),
    ("sys_machine_token", "sign_in"),
    ("psd_info", "scenes"),
    ("psd_conf", "scenes"),
    ("msg_scene_switch", "scenes"),
    ("event_outbox", "scenes"),
    ("lecturer", "lecturers"),
    ("lecturer_audit", "lecturers"),
    ("user_account", "lecturers"),
    ("account_journal", "lecturers"),
    ("account_extract_log", "lecturers"),
    ("live_channel", "live"),
    ("course_comment", "site_study"),
    ("course_rating", "site_study"),
    ("online_study", "site_study"),
    ("online_course_study", "site_study"),
    ("online_study_day", "site_study"),
    ("msg_quota", "channels"),
    ("msg_receipt", "channels"),
    ("visit_conversion", "statistics"),
];

/// Who may write another's table, and why.
const EXCEPTIONS: [(&str, &str, &str); 10] = [
    ("roles", "seed_done", "each loader notes what it seeded; infra only keeps the table"),
    ("majors", "seed_load", "each loader notes what it loaded"),
    ("infra", "login_log", "the end of a session by idleness is logged by the check that finds it"),
    ("logs", "audit_log", "the trail goes after its time, and what went is sealed"),
    ("infra", "sys_session", "the check of a request notes the last use and ends what is idle"),
    ("infra", "client_session", "the same for the clients' sessions"),
    ("infra", "customer_session", "the same for those of the operators' site"),
    ("infra", "sys_machine_token", "the check of a request notes the last use"),
    ("infra", "sys_user", "a machine token's account follows its owner's"),
    ("infra", "sys_user_school", "a machine token's schools follow its owner's"),
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// Every table with the modules that own one of its name; a table may stand in both areas.
fn owners() -> BTreeMap<String, BTreeSet<String>> {
    let made = Regex::new(r"create table (?:platform\.)?([a-z_]+)").expect("a pattern");
    let mut sources = Vec::new();
    files(&root().join("migrations"), ".sql", &mut sources);
    let modules = modules();
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        // `0010_people_staff.sql` is of the module `people`.
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        let (_, name) = name.split_once('_').expect("a number");
        let module =
            modules.iter().filter(|module| name.starts_with(module.as_str())).max_by_key(|module| module.len());
        for table in made.captures_iter(&fs::read_to_string(&source).expect("text")) {
            let table = table[1].to_owned();
            let elsewhere =
                OWNED_ELSEWHERE.iter().find(|(known, _)| *known == table).map(|(_, module)| (*module).to_owned());
            let owner = elsewhere.or_else(|| module.cloned()).or_else(|| known_by_content(name).map(ToOwned::to_owned));
            let owner = owner.unwrap_or_else(|| panic!("{table} of {} has no owner", source.display()));
            owners.entry(table).or_default().insert(owner);
        }
    }
    owners
}

/// Opening files that are named by what they hold instead of by their module.
fn known_by_content(name: &str) -> Option<&'static str> {
    match name {
        "banner" | "reference" | "media" => Some("settings"),
        "operation_log" => Some("logs"),
        "client_menu" => Some("people"),
        _ => None,
    }
}

/// The crates by the names of their folders.
fn modules() -> Vec<String> {
    let mut modules = vec!["infra".to_owned(), "openapi".to_owned()];
    for area in ["platform", "tenant"] {
        for entry in fs::read_dir(root().join(area)).expect("modules") {
            modules.push(entry.expect("a module").file_name().to_string_lossy().into_owned());
        }
    }
    modules
}

/// Module, table and place of every statement that writes.
fn writes() -> Vec<(String, String, String)> {
    let writing = Regex::new(
        r#"(?:\binsert\s+into|\bdelete\s+from|[\s"(]update)\s+(?:\{schema\}\.|platform\.)?([a-z_]+)\b(?:\s+(?:as\s+)?[a-z]\b)?\s*(\(|set\b|where\b|using\b|values\b|select\b|")"#,
    )
    .expect("a pattern");
    let mut sources = Vec::new();
    for folder in CRATES {
        files(&root().join(folder), ".rs", &mut sources);
    }
    let mut found = Vec::new();
    for source in sources {
        let place = source.strip_prefix(root()).expect("a source").to_string_lossy().into_owned();
        // The kit writes past the server what its calls take too long to make.
        if !place.contains("/src/") || place.starts_with("openapi/kit/") {
            continue;
        }
        let parts: Vec<&str> = place.split('/').collect();
        let module = if matches!(parts[0], "platform" | "tenant") { parts[1] } else { parts[0] };
        let text = fs::read_to_string(&source).expect("text");
        for write in writing.captures_iter(&text) {
            found.push((module.to_owned(), write[1].to_owned(), place.clone()));
        }
    }
    found
}

#[test]
fn no_room_writes_anothers_table() {
    let (owners, writes) = (owners(), writes());
    assert!(writes.len() > 300, "{} statements write", writes.len());
    let mut used = BTreeSet::new();
    let mut strays = BTreeSet::new();
    for (module, table, place) in writes {
        let Some(owned_by) = owners.get(&table) else { continue };
        if owned_by.contains(&module) {
            continue;
        }
        match EXCEPTIONS.iter().find(|(who, what, _)| *who == module && *what == table) {
            Some((who, what, _)) => {
                used.insert((*who, *what));
            }
            None => {
                strays.insert(format!("{place} writes {table} of {owned_by:?}"));
            }
        }
    }
    assert_eq!(strays, BTreeSet::new(), "call the owner's function instead");
    let unused: Vec<_> = EXCEPTIONS.iter().filter(|(who, what, _)| !used.contains(&(*who, *what))).collect();
    assert!(unused.is_empty(), "exceptions that nothing needs: {unused:?}");
}

/// Rosters follow their students by the history alone: whatever makes a student or changes their status, grade, major or class
/// writes it.
#[test]
fn what_moves_a_student_leaves_history() {
    let moving = Regex::new(r"(?s)\bupdate student(?: s)?\s+set\b(.*?)\b(?:where|from)\b|\binsert into student\s*\(")
        .expect("a pattern");
    let places = Regex::new(r"\b(?:status|grade_id|major_id|class_id)\s*=").expect("a pattern");
    let mut sources = Vec::new();
    files(&root().join("tenant"), ".rs", &mut sources);
    let (mut moves, mut silent) = (0, Vec::new());
    for source in sources {
        let text = fs::read_to_string(&source).expect("text");
        let found = moving.captures_iter(&text);
        let moved = found.filter(|found| found.get(1).is_none_or(|set| places.is_match(set.as_str()))).count();
        moves += moved;
        if moved > 0 && !text.contains("insert into student_status_change") {
            silent.push(source.strip_prefix(root()).expect("a source").display().to_string());
        }
    }
    assert!(moves >= 7, "{moves} statements move a student");
    assert_eq!(silent, Vec::<String>::new(), "the rosters of these students would follow in the night only");
}

/// What the trail of a record tells is Chinese: each event in the sources has its word.
#[test]
fn every_event_has_a_word() {
    let event = Regex::new(r#"\bChange::event\(\s*[^,()]+,\s*[^,]+,\s*"([A-Za-z_]+)""#).expect("a pattern");
    let known = Regex::new(r#"(?m)^    \("([A-Za-z_]+)", ""#).expect("a pattern");
    let words = fs::read_to_string(root().join("platform/logs/src/changes.rs")).expect("the words");
    let words: BTreeSet<String> = known.captures_iter(&words).map(|found| found[1].to_owned()).collect();
    let mut sources = Vec::new();
    for folder in CRATES {
        files(&root().join(folder), ".rs", &mut sources);
    }
    let (mut told, mut silent) = (0, BTreeSet::new());
    for source in sources.iter().filter(|source| source.to_string_lossy().contains("/src/")) {
        for found in event.captures_iter(&fs::read_to_string(source).expect("text")) {
            told += 1;
            if !words.contains(&found[1]) {
                silent.insert(format!("{} of {}", &found[1], source.display()));
            }
        }
    }
    assert!(told > 100, "{told} events");
    assert_eq!(silent, BTreeSet::new(), "people would read English in the trail");
}

/// What a module offers is used: the compiler tells of unused private items alone. A name counts once for each item that bears it;
/// comments do not count.
#[test]
fn every_public_item_is_used() {
    let offered = Regex::new(
        r"(?m)^\s*(pub(?:\([a-z]+\))? )?(?:const |async |unsafe )*(?:fn|struct|enum|trait|type|static|const) (\w+)",
    )
    .expect("a pattern");
    let (comment, word) = (Regex::new(r"//[^\n]*").expect("a pattern"), Regex::new(r"\w+").expect("a pattern"));
    let mut sources = Vec::new();
    for folder in CRATES.iter().chain(&["terraform"]) {
        files(&root().join(folder), ".rs", &mut sources);
    }
    let (mut uses, mut items) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, (usize, String)>::new());
    for source in sources {
        let text = fs::read_to_string(&source).expect("text");
        let text = comment.replace_all(&text, "");
        for found in word.find_iter(&text) {
            *uses.entry(found.as_str().to_owned()).or_default() += 1;
        }
        let place = source.strip_prefix(root()).expect("a source").display().to_string();
        for found in offered.captures_iter(&text) {
            let item = items.entry(found[2].to_owned()).or_default();
            item.0 += 1;
            if found.get(1).is_some() && place.contains("/src/") {
                item.1.clone_from(&place);
            }
        }
    }
    assert!(items.len() > 5_000, "{} items", items.len());
    let dead = items.iter().filter(|(name, (count, place))| !place.is_empty() && uses[*name] <= *count);
    let dead: Vec<String> = dead.map(|(name, (_, place))| format!("{place}: {name}")).collect();
    assert_eq!(dead, Vec::<String>::new(), "nobody uses these");
}

/// A library is compiled once more for unit tests, which is half of the time of a build: only one that has some says so. Programs have
/// none.
#[test]
fn libraries_are_compiled_for_the_tests_that_they_have() {
    let mut manifests = Vec::new();
    for folder in CRATES.iter().chain(&["terraform"]) {
        files(&root().join(folder), "Cargo.toml", &mut manifests);
    }
    let unit = Regex::new(r"(?m)^\s*#\[(?:tokio::)?test\]").expect("a pattern");
    let is_on = |target: Option<&toml::Value>| {
        target.and_then(|target| target.get("test")).and_then(toml::Value::as_bool).unwrap_or(true)
    };
    let mut wrong = Vec::new();
    for manifest in manifests {
        let folder = manifest.parent().expect("a crate");
        let parsed: toml::Table = fs::read_to_string(&manifest).expect("a manifest").parse().expect("TOML");
        let mut sources = Vec::new();
        files(&folder.join("src"), ".rs", &mut sources);
        let has = sources.iter().any(|source| unit.is_match(&fs::read_to_string(source).expect("text")));
        let programs: &[toml::Value] = parsed.get("bin").and_then(toml::Value::as_array).map_or(&[], Vec::as_slice);
        let is_library = folder.join("src/lib.rs").is_file();
        let is_quiet = !programs.iter().any(|program| is_on(Some(program)))
            && folder.join("src/main.rs").is_file() != programs.is_empty();
        if is_library && is_on(parsed.get("lib")) != has || !is_quiet {
            wrong.push(folder.strip_prefix(root()).expect("a crate").display().to_string());
        }
    }
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "`test = false` belongs to each library without unit tests and to each program"
    );
}

/// What a `Cargo.toml` names is used, and nothing dead is carried along.
#[test]
fn every_dependency_is_used() {
    let mut manifests = Vec::new();
    for folder in CRATES {
        files(&root().join(folder), "Cargo.toml", &mut manifests);
    }
    let mut unused = Vec::new();
    for manifest in manifests {
        let folder = manifest.parent().expect("a crate");
        let mut sources = Vec::new();
        for part in ["src", "tests", "benches"] {
            if folder.join(part).is_dir() {
                files(&folder.join(part), ".rs", &mut sources);
            }
        }
        let text: String = sources.iter().map(|source| fs::read_to_string(source).expect("text")).collect();
        let names = fs::read_to_string(&manifest).expect("a manifest");
        let parsed: toml::Table = names.parse().expect("TOML");
        for section in ["dependencies", "dev-dependencies"] {
            for name in parsed.get(section).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys) {
                let called = OTHERWISE_CALLED.iter().find(|(package, _)| package == name).map(|(_, called)| *called);
                let called = called.map_or_else(|| name.replace('-', "_"), ToOwned::to_owned);
                let word = Regex::new(&format!(r"\b{called}\b")).expect("a pattern");
                let by_macro = BY_MACRO.iter().any(|(name, makes)| makes.contains(&&*called) && text.contains(name));
                if !word.is_match(&text) && !by_macro {
                    unused.push(format!("{}: {name}", folder.strip_prefix(root()).expect("a crate").display()));
                }
            }
        }
    }
    assert_eq!(unused, Vec::<String>::new());
}

/// Packages whose library has another name.
const OTHERWISE_CALLED: [(&str, &str); 1] = [("md-5", "md5")];

/// Macros of infra, and the libraries that they name in the crate that calls them.
const BY_MACRO: [(&str, &[&str]); 1] = [("enumeration! {", &["poem_openapi", "sqlx"])];
