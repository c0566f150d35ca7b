//! `make bench BENCH=terraform`: 100 schools in one apply of Terraform over HTTP to a server that listens, an empty plan, an end. Beside
//! the apply: 30 seconds, and what the same schools take when they are opened at the server one after the other, without Terraform. A
//! server of its own on a database of its own, which does not wait for its disk; nothing of it is kept.

use std::time::{Duration, Instant};

use kit::{
    Server,
    terraform::{Terraform, token},
};

const SCHOOLS: usize = 100;
/// Of those that are opened without Terraform.
const ALONE: u32 = 10;
/// What an apply of all of them, and an empty plan, may take.
const APPLY: Duration = Duration::from_secs(30);
const PLAN: Duration = Duration::from_secs(2);

pub async fn terraform() {
    let server = Server::start().await;
    let begun = Instant::now();
    for number in 0..ALONE {
        server.open_school(&format!("alone{number}"), &format!("独立示范大学{number}")).await;
    }
    let one = begun.elapsed() / ALONE;
    let listening = server.listen().await;
    let token = token(&server, "terraform", None).await;
    let terraform = Terraform::new(&listening.address, &token);
    terraform.write(
        "main.tf",
        &format!(
            "resource \"school\" \"this\" {{
  for_each            = {{ for number in range({SCHOOLS}) : format(\"t%03d\", number) => format(\"百校示范大学%03d\", number) }}
  code                = each.key
  name                = each.value
  deletion_protection = false
}}
"
        ),
    );
    terraform.init().await;
    let apply = took(&terraform, &["apply", "-auto-approve", "-no-color"]).await;
    let open: i64 = server
        .one("select count(*) from platform.school where code ~ '^t[0-9]{3}$' and provision_state = 'ready'")
        .await;
    assert_eq!(usize::try_from(open), Ok(SCHOOLS), "all are open");
    // Nothing to do is exit code 0.
    let plan = took(&terraform, &["plan", "-detailed-exitcode", "-no-color"]).await;
    let end = took(&terraform, &["destroy", "-auto-approve", "-no-color"]).await;
    let archived: i64 =
        server.one("select count(*) from platform.school where code ~ '^t[0-9]{3}$' and status = 'archived'").await;
    assert_eq!(usize::try_from(archived), Ok(SCHOOLS), "all are archived");

    println!("{SCHOOLS} schools, ten at once; one school at the server: {:.2} s", one.as_secs_f64());
    println!("{:<52} {:>10} {:>10} {:>8}", "what", "ours", "beside", "ratio");
    let hundred = one * u32::try_from(SCHOOLS).expect("some");
    told("apply, beside 30 s", apply, APPLY);
    told("apply, beside opening them one after the other", apply, hundred);
    told("empty plan, beside 2 s", plan, PLAN);
    told("end (archived), beside the apply", end, apply);
    listening.close().await;
    server.close().await;
}

async fn took(terraform: &Terraform, arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    terraform.run(arguments).await.well();
    begun.elapsed()
}

fn told(what: &str, ours: Duration, beside: Duration) {
    let (ours, beside) = (ours.as_secs_f64(), beside.as_secs_f64());
    println!("{what:<52} {ours:>8.2} s {beside:>8.2} s {:>8.2}", ours / beside);
}
