//! Copies of the template go when their story ends, so that a run needs the disk of the stories that run beside each other.

use std::{
    collections::HashMap,
    sync::{
        LazyLock, Mutex,
        mpsc::{self, Sender},
    },
};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::cluster;

/// How many servers use each copy.
static USERS: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);

/// Copies that nobody uses any more, with the owner's address.
static GONE: LazyLock<Mutex<Sender<(String, String)>>> = LazyLock::new(|| {
    let (sender, gone) = mpsc::channel::<(String, String)>();
    // A thread of its own: a story's runtime ends with the story.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        for (database, owner) in gone {
            runtime.block_on(async {
                let Ok(mut owner) = PgConnection::connect(&owner).await else { return };
                // It waits some seconds for the sessions of the story's server, which end with its runtime and are not the
                // owner's to end. What does not go now is taken away by the next run.
                let gone = format!("drop database if exists {database}");
                owner.execute(AssertSqlSafe(gone)).await.ok();
            });
        }
    });
    Mutex::new(sender)
});

/// A server's use of a copy.
pub(crate) struct Lease {
    database: String,
    owner: String,
}

pub(crate) fn lease(database: &str, owner: String) -> Lease {
    *USERS.lock().expect("nothing panics with it").entry(database.to_owned()).or_default() += 1;
    Lease { database: database.to_owned(), owner }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut users = USERS.lock().expect("nothing panics with it");
        let left = users.entry(self.database.clone()).or_default();
        *left -= 1;
        // The template is copied from; and what a failed story left can be looked at.
        if *left == 0 && self.database != cluster::TEMPLATE && !std::thread::panicking() {
            let gone = (std::mem::take(&mut self.database), std::mem::take(&mut self.owner));
            GONE.lock().expect("nothing panics with it").send(gone).ok();
        }
    }
}
