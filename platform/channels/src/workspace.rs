//! Where the loop works: `platform`, or a school.

use std::sync::Arc;

use infra::{App, Result, Tx, audit::Actor, clock::Moment, directory::School, tx};

/// A place at work: where it is and how to get in.
#[derive(Clone)]
pub struct Workspace {
    pub app: App,
    pub school: Option<Arc<School>>,
}

/// Who stands in the trail for what the loop does.
fn worker() -> Actor {
    Actor::system("messages")
}

impl Workspace {
    pub fn school_id(&self) -> Option<i64> {
        self.school.as_ref().map(|school| school.id)
    }

    pub fn now(&self) -> Moment {
        self.app.clock().now()
    }

    pub async fn begin(&self) -> Result<Tx> {
        tx::at_work(&self.app, self.school.as_deref(), worker()).await
    }

    /// In `platform`, wherever the place is.
    pub async fn begin_in_platform(&self) -> Result<Tx> {
        tx::at_work(&self.app, None, worker()).await
    }

    /// In another place, for what is handed over.
    pub async fn begin_at(&self, school: &School) -> Result<Tx> {
        tx::at_work(&self.app, Some(school), worker()).await
    }
}
