//! Terraform as a person runs it: in a folder of its own, with the provider that is built beside the stories.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Mutex, OnceLock, atomic::Ordering},
};

use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::{
    Server,
    cluster::{built, scratch},
    server::NEXT,
};

/// The provider's program, as Cargo names it.
const PROVIDER: &str = "terraform-provider-school";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const TOKENS: &str = "/system/pc/sys/machineToken";

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A machine token with every code that the operator holds, for these schools or for all.
pub async fn token(server: &Server, name: &str, schools: Option<&[i64]>) -> String {
    let operator = server.operator().await;
    let offered = operator.get(&format!("{TOKENS}/available/list")).await;
    let codes: Vec<&str> =
        offered.data().as_array().expect("codes").iter().filter_map(|option| option["code"].as_str()).collect();
    let end = server.app.clock().now() + chrono::Duration::days(1);
    let form = json!({
        "name": name, "permissionCodes": codes, "expiresAt": end.to_rfc3339(),
        "schoolScope": if schools.is_some() { "listed" } else { "all" }, "schoolIds": schools.unwrap_or_default(),
    });
    let saved = operator.post(&format!("{TOKENS}/save"), form).await;
    saved.data()["secret"].as_str().expect("a secret").to_owned()
}

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub said: String,
}

impl Ran {
    /// It went well; else everything that it said is shown.
    pub fn well(self) -> String {
        assert_eq!(self.code, 0, "{}", self.said);
        self.said
    }

    /// It failed: what it said, in one line, as Terraform breaks lines where its sentences are long.
    pub fn refused(self) -> String {
        assert_eq!(self.code, 1, "{}", self.said);
        self.said.split(['│', ' ', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// A folder with a configuration.
pub struct Terraform {
    folder: PathBuf,
    environment: Vec<(String, String)>,
    /// Everything that was said, for whoever looks for secrets in it.
    said: Mutex<String>,
}

impl Terraform {
    /// A folder without a configuration but for the provider, which speaks to this address.
    pub fn new(address: &str, token: &str) -> Self {
        let folder = fresh();
        let this = Self::within(folder, address, token);
        this.write(
            "versions.tf",
            "terraform {\n  required_providers {\n    school = {\n      source = \"local/school/school\"\n    }\n  }\n}\n\nprovider \"school\" {}\n",
        );
        this
    }

    /// A copy of one of the examples, beside the modules that it is made of.
    pub fn example(name: &str, address: &str, token: &str) -> Self {
        let folder = fresh();
        for part in ["modules/school".to_owned(), format!("examples/{name}")] {
            copied(&project().join("terraform").join(&part), &folder.join(&part));
        }
        Self::within(folder.join("examples").join(name), address, token)
    }

    fn within(folder: PathBuf, address: &str, token: &str) -> Self {
        let settings = settings().display().to_string();
        let of_terraform = [("TF_CLI_CONFIG_FILE", settings.as_str()), ("TF_IN_AUTOMATION", "1"), ("TF_INPUT", "0")];
        let of_provider = [("CHECKPOINT_DISABLE", "1"), ("SCHOOL_ENDPOINT", address), ("SCHOOL_TOKEN", token)];
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let environment = of_terraform.into_iter().chain(of_provider).map(own).collect();
        Self { folder, environment, said: Mutex::default() }
    }

    /// With a variable of its environment more, or another value of one.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// From here on everything is logged that Terraform and the provider have to say, into a file of the folder.
    #[must_use]
    pub fn logged(self) -> Self {
        let log = self.folder.join("trace.log").display().to_string();
        self.with("TF_LOG", "TRACE").with("TF_LOG_PATH", &log)
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("written");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = std::process::Command::new(project().join("scripts/terraform"));
        // Nothing of the person who runs the stories.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TF_") || name.starts_with("SCHOOL_")) {
            command.env_remove(name);
        }
        command.args(arguments).current_dir(&self.folder).envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An interrupt is for it and the provider, as at a terminal, and not for the stories.
        command.process_group(0);
        let mut command = Command::from(command);
        command.kill_on_drop(true);
        command
    }

    pub async fn run(&self, arguments: &[&str]) -> Ran {
        self.start(arguments).ended().await
    }

    /// A command that goes on by itself.
    pub fn start(&self, arguments: &[&str]) -> Running<'_> {
        let child = self.command(arguments).spawn().expect("scripts/terraform starts");
        Running { of: self, child: Some(child) }
    }

    pub async fn init(&self) {
        self.run(&["init", "-no-color", "-backend=false"]).await.well();
    }

    pub async fn apply(&self) -> Ran {
        self.run(&["apply", "-auto-approve", "-no-color"]).await
    }

    /// What a plan would change: addresses with the attributes that differ, or with `+`, `-` or `import`.
    pub async fn changes(&self) -> Vec<String> {
        self.run(&["plan", "-no-color", "-out=plan.tfplan"]).await.well();
        let shown = self.run(&["show", "-json", "plan.tfplan"]).await.well();
        let plan: Value = serde_json::from_str(&shown).expect("JSON");
        let mut changes: Vec<String> =
            plan["resource_changes"].as_array().into_iter().flatten().flat_map(told).collect();
        changes.sort();
        changes
    }

    /// The attributes of a record in the state, with whether it is marked to be replaced.
    pub fn kept(&self, kind: &str, name: &str) -> (Value, bool) {
        let state: Value = serde_json::from_str(&self.read("terraform.tfstate")).expect("JSON");
        let mut resources = state["resources"].as_array().into_iter().flatten();
        let found = resources.find(|each| each["type"] == kind && each["name"] == name && each["mode"] == "managed");
        let instance = &found.unwrap_or_else(|| panic!("no {kind}.{name} in {state}"))["instances"][0];
        (instance["attributes"].clone(), instance["status"] == "tainted")
    }

    /// Where a text stands that must stand nowhere: in a file of the folder (states, plans as they are shown, logs), or in
    /// what was said.
    pub fn holders(&self, text: &str) -> Vec<String> {
        let mut holders = Vec::new();
        search(&self.folder, text, &mut holders);
        if self.said.lock().expect("no panic").contains(text) {
            holders.push("what was said".to_owned());
        }
        holders
    }
}

/// A command that runs.
pub struct Running<'t> {
    of: &'t Terraform,
    /// None once its end is waited for.
    child: Option<Child>,
}

impl Running<'_> {
    /// Ctrl-C at a terminal, once: it reaches Terraform and the provider.
    pub fn interrupt(&self) {
        assert!(self.is_told("-INT"), "it is interrupted");
    }

    /// Sends a signal to Terraform and the provider; whether they are there.
    fn is_told(&self, signal: &str) -> bool {
        let Some(id) = self.child.as_ref().and_then(Child::id) else { return false };
        let group = format!("-{id}");
        let sent = std::process::Command::new("kill").args([signal, "--", &group]).status();
        sent.is_ok_and(|status| status.success())
    }

    /// Waits for its end.
    pub async fn ended(mut self) -> Ran {
        let child = self.child.take().expect("nobody waited before");
        let output = child.wait_with_output().await.expect("it ends");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        self.of.said.lock().expect("no panic").push_str(&said);
        Ran { code: output.status.code().unwrap_or(-1), said }
    }
}

impl Drop for Running<'_> {
    /// A story that fails meanwhile leaves no provider behind, which would outlive Terraform.
    fn drop(&mut self) {
        self.is_told("-TERM");
    }
}

/// What a plan says of one resource.
fn told(change: &Value) -> Vec<String> {
    let (address, change) = (change["address"].as_str().unwrap_or_default(), &change["change"]);
    let actions: Vec<&str> = change["actions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let imported = change["importing"].is_object().then(|| format!("{address} import"));
    let changed = match actions.as_slice() {
        ["no-op" | "read"] => Vec::new(),
        ["update"] => differing(change).into_iter().map(|name| format!("{address} {name}")).collect(),
        ["create"] => vec![format!("{address} +")],
        ["delete"] => vec![format!("{address} -")],
        other => vec![format!("{address} {other:?}")],
    };
    imported.into_iter().chain(changed).collect()
}

fn differing(change: &Value) -> Vec<String> {
    let object = |name: &str| change[name].as_object().cloned().unwrap_or_default();
    let (before, after, unknown) = (object("before"), object("after"), object("after_unknown"));
    let names = before.keys().chain(after.keys()).chain(unknown.keys());
    let mut differing: Vec<String> = names
        .filter(|name| unknown.get(*name) == Some(&json!(true)) || before.get(*name) != after.get(*name))
        .cloned()
        .collect();
    differing.sort();
    differing.dedup();
    differing
}

/// A folder that nobody has.
fn fresh() -> PathBuf {
    settings();
    let folder = scratch().join(format!("terraform/{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Terraform's settings, by which it takes the provider from a folder; both are made once in a process.
fn settings() -> &'static Path {
    static SETTINGS: OnceLock<PathBuf> = OnceLock::new();
    SETTINGS.get_or_init(|| {
        let program = built().join(PROVIDER);
        assert!(
            program.is_file(),
            "{} is not built: cargo build --package {PROVIDER}, in the profile of these stories",
            program.display()
        );
        let all = scratch().join("terraform");
        if all.exists() {
            fs::remove_dir_all(&all).expect("what an earlier run left goes");
        }
        let platform = match std::env::consts::ARCH {
            "x86_64" => "linux_amd64",
            "aarch64" => "linux_arm64",
            other => panic!("which platform is {other} to Terraform?"),
        };
        let folder = all.join("mirror/local/school/school").join(VERSION).join(platform);
        fs::create_dir_all(&folder).expect("a mirror");
        let copy = folder.join(format!("{PROVIDER}_v{VERSION}"));
        // Terraform reads all of a program to know it again.
        let stripped = std::process::Command::new("strip").arg("-o").arg(&copy).arg(&program).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs::copy(&program, &copy).expect("a copy");
        }
        let mirror = all.join("mirror").display().to_string();
        let text = format!("provider_installation {{\n  filesystem_mirror {{\n    path = \"{mirror}\"\n  }}\n}}\n");
        let settings = all.join("terraform.rc");
        fs::write(&settings, text).expect("settings");
        settings
    })
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("an example") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        // Their tests are for mocks, and what somebody ran in place is theirs.
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

fn search(folder: &Path, text: &str, holders: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_symlink() || path.ends_with(".terraform/providers") {
            continue;
        }
        if path.is_dir() {
            search(&path, text, holders);
        } else if contains(&fs::read(&path).expect("a file"), text.as_bytes()) {
            holders.push(path.display().to_string());
        }
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|part| part == text)
}
