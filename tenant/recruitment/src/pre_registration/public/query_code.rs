//! 查询码: opens a row again for whoever filled in the form (02 §13). It follows from the call that made the row, so that the same
//! call is answered alike when its first answer was lost, and is stored as a hash alone.

use aws_lc_rs::digest;
use infra::App;

/// Without signs that are mistaken for others when somebody writes it down; four times as many are below 256.
const SIGNS: &[u8; 55] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// So many that nobody finds one by trying: 10^20.
pub(super) const LENGTH: usize = 12;

/// The code of the row that a call made.
pub(super) fn of(app: &App, school: i64, id: i64, request_id: &str) -> String {
    let mut code = String::with_capacity(LENGTH);
    for round in 0_u32.. {
        let drawn = app.keys().sign(format!("query code\n{school}\n{id}\n{request_id}\n{round}").as_bytes());
        let even = drawn.into_iter().map(usize::from).filter(|byte| *byte < SIGNS.len() * 4);
        code.extend(even.map(|byte| char::from(SIGNS[byte % SIGNS.len()])).take(LENGTH - code.len()));
        if code.len() == LENGTH {
            break;
        }
    }
    code
}

/// What is stored of it.
pub(super) fn hash(id: i64, code: &str) -> Vec<u8> {
    digest::digest(&digest::SHA256, format!("{id}\n{code}").as_bytes()).as_ref().to_vec()
}
