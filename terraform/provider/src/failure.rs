//! Why a call did not do what it was to do, and how it is told.

use crate::protocol::diagnostic::Diagnostic;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// What came instead of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The server said no.
    Refused(Refusal),
    /// It could not be reached, or answered what is no answer of it.
    Unreachable(String),
    /// Somebody interrupted the run.
    Stopped,
    /// It was seen here that it cannot be done.
    Told(Diagnostic),
}

/// A refusal of the server: a code of the wire, a Chinese sentence, the fields that are wrong.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refusal {
    pub code: i64,
    pub msg: String,
    /// Names as in the call, and what is wrong with each.
    pub fields: Vec<(String, String)>,
    /// By which the operator finds the call in the logs.
    pub trace: Option<String>,
}

impl Failure {
    /// Whether the record is gone: 404, which the server never says of what is there and not ours.
    pub fn is_gone(&self) -> bool {
        self.code() == Some(404)
    }

    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Refused(refusal) => Some(refusal.code),
            _ => None,
        }
    }

    /// As a person is told it: one sentence, what the server said, and the attribute where the server named a field.
    /// `attribute_of` finds the attribute that goes into the call under a name.
    pub fn told(self, doing: &str, attribute_of: impl Fn(&str) -> Option<String>) -> Vec<Diagnostic> {
        match self {
            Self::Told(diagnostic) => vec![diagnostic],
            Self::Stopped => vec![Diagnostic::error(format!("{doing}: interrupted"))],
            Self::Unreachable(why) => {
                vec![Diagnostic::error(format!("{doing}: the server cannot be reached")).detail(why)]
            }
            Self::Refused(refusal) if !refusal.fields.is_empty() => {
                let (trace, why) = (refusal.trace, meaning(refusal.code));
                let each = |(field, message): (String, String)| {
                    let told = Diagnostic::error(format!("{doing}: {why}"));
                    match attribute_of(&field) {
                        Some(attribute) => told.detail(with_trace(&message, trace.as_deref())).at(&attribute),
                        None => told.detail(with_trace(&format!("{field}: {message}"), trace.as_deref())),
                    }
                };
                refusal.fields.into_iter().map(each).collect()
            }
            Self::Refused(refusal) => {
                let told = Diagnostic::error(format!("{doing}: {}", meaning(refusal.code)));
                vec![told.detail(with_trace(&refusal.msg, refusal.trace.as_deref()))]
            }
        }
    }
}

fn with_trace(msg: &str, trace: Option<&str>) -> String {
    match trace {
        Some(trace) => format!("{msg} (request {trace})"),
        None => msg.to_owned(),
    }
}

/// What a code of the wire asks a person to do.
fn meaning(code: i64) -> &'static str {
    match code {
        301 => "the token is not valid; check `token` of the provider",
        302 => "the token has expired; issue another",
        303 => "the token or its owner is switched off",
        400 => "the server does not understand the call; are provider and server of one version?",
        403 => "the token has no permission for it",
        404 => "there is no such record",
        409 => "the present state of things forbids it",
        422 => "a value is refused",
        429 => "too many calls; try again later",
        _ => "the server failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: i64, fields: &[(&str, &str)]) -> Failure {
        let fields = fields.iter().map(|(field, why)| ((*field).to_owned(), (*why).to_owned())).collect();
        Failure::Refused(Refusal {
            code, msg: "院校代码已存在".to_owned(), fields, trace: Some("4f".to_owned())
        })
    }

    #[test]
    fn a_field_that_is_refused_is_told_at_its_attribute() {
        let names = |field: &str| (field == "shortName").then(|| "short_name".to_owned());
        let told = refused(422, &[("shortName", "太长"), ("moon", "未知")]).told("create school", names);
        assert_eq!(
            told[0],
            Diagnostic::error("create school: a value is refused").detail("太长 (request 4f)").at("short_name")
        );
        assert_eq!(told[1].detail, "moon: 未知 (request 4f)");
        assert!(told[1].path.is_empty());
    }

    #[test]
    fn every_other_refusal_is_one_sentence_and_the_servers() {
        let told = refused(301, &[]).told("read school", |_| None);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].summary, "read school: the token is not valid; check `token` of the provider");
        assert!(refused(404, &[]).is_gone() && !refused(403, &[]).is_gone());
    }
}
