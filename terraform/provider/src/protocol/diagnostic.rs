//! What a person is told, and at which attribute.

use super::pb;

/// One step into a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Attribute(String),
    Key(String),
}

/// An error (the operation fails) or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub is_error: bool,
    pub summary: String,
    pub detail: String,
    pub path: Vec<Step>,
}

impl Diagnostic {
    /// An error of the whole operation.
    pub fn error(summary: impl Into<String>) -> Self {
        Self { is_error: true, summary: summary.into(), detail: String::new(), path: Vec::new() }
    }

    /// A warning: what was done stands.
    pub fn warning(summary: impl Into<String>) -> Self {
        Self { is_error: false, ..Self::error(summary) }
    }

    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Within one attribute more; a dotted name leads into nested ones.
    #[must_use]
    pub fn at(mut self, attribute: &str) -> Self {
        self.path.extend(attribute.split('.').map(|name| Step::Attribute(name.to_owned())));
        self
    }

    /// A warning instead, with what comes next.
    #[must_use]
    pub fn softened(mut self, next: &str) -> Self {
        self.is_error = false;
        self.detail = if self.detail.is_empty() { next.to_owned() } else { format!("{}\n{next}", self.detail) };
        self
    }

    /// Within one element of a map.
    #[must_use]
    pub fn at_key(mut self, key: &str) -> Self {
        self.path.push(Step::Key(key.to_owned()));
        self
    }
}

/// Whether one of them is an error.
pub fn failed(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.is_error)
}

impl From<Diagnostic> for pb::Diagnostic {
    fn from(told: Diagnostic) -> Self {
        let attribute = (!told.path.is_empty()).then(|| path(told.path));
        Self { severity: if told.is_error { 1 } else { 2 }, summary: told.summary, detail: told.detail, attribute }
    }
}

/// The message of a path.
pub fn path(steps: Vec<Step>) -> pb::AttributePath {
    let steps = steps
        .into_iter()
        .map(|step| pb::Step {
            selector: Some(match step {
                Step::Attribute(name) => pb::Selector::AttributeName(name),
                Step::Key(key) => pb::Selector::ElementKeyString(key),
            }),
        })
        .collect();
    pb::AttributePath { steps }
}

/// The messages of all of them.
pub fn messages(diagnostics: Vec<Diagnostic>) -> Vec<pb::Diagnostic> {
    diagnostics.into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_points_into_what_is_nested() {
        let told: pb::Diagnostic = Diagnostic::error("no").at("menus").at_key("/sys/user").at("sort").into();
        assert_eq!(told.severity, 1);
        let steps: Vec<_> =
            told.attribute.expect("a path").steps.into_iter().filter_map(|step| step.selector).collect();
        assert_eq!(
            steps,
            [
                pb::Selector::AttributeName("menus".to_owned()),
                pb::Selector::ElementKeyString("/sys/user".to_owned()),
                pb::Selector::AttributeName("sort".to_owned())
            ]
        );
        let nowhere: pb::Diagnostic = Diagnostic::warning("mind").into();
        assert_eq!((nowhere.severity, nowhere.attribute), (2, None));
    }
}
