//! People of a school as they sign in to the other clients: students, teachers, site staff, class managers.
//!
//! ```text
//! (no account) ─open_accounts→ initial password ─own password→ own ─reset→ initial
//!              enabled ⇄ disabled          locked ─time, unlock→ open
//! ```
//! Who the person is stands in the room that owns the person's table; it calls the functions here in its own transaction
//! (02 §12.1). Invariant: `password_hash` null means the initial password of the school's rule, so that nothing is hashed
//! when thousands of people are entered (ruling 3). Operations on these accounts lie beside the people they belong to.
//!
//! Start reading at [`account`].

pub mod account;
pub mod password;

use infra::{Entity, Room};

pub const ROOM: Room = Room {
    name: "people",
    permissions: &[],
    enumerations: &[account::OwnerKind::ENUMERATION],
    entities: &[Entity { table: "client_account", name: "客户端账号", counted: "个账号" }],
    jobs: &[],
    plain: &[],
    params: &[],
};
