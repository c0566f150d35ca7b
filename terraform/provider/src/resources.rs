//! One file a resource, or a few that belong together: the description, and what is its own.

mod accounts;
mod calendar;
mod config;
mod dictionary;
mod major;
mod menu_set;
mod param;
mod role;
mod school;
mod setting;
mod site;

use crate::kind::Kind;

/// All resources, in the order of the documentation.
pub fn all() -> Vec<Box<dyn Kind>> {
    let mut all: Vec<Box<dyn Kind>> = vec![
        Box::new(school::School::new()),
        Box::new(accounts::SchoolAdmin::new()),
        Box::new(role::Role::new()),
        Box::new(accounts::RoleAssignment::new()),
        Box::new(menu_set::MenuSet::new()),
        Box::new(dictionary::dict_type()),
        Box::new(dictionary::dict_item()),
        Box::new(param::Param::new()),
        Box::new(setting::Setting::new()),
        Box::new(site::site()),
        Box::new(calendar::grade()),
        Box::new(calendar::level()),
        Box::new(calendar::term()),
        Box::new(major::major()),
    ];
    all.extend(config::all().into_iter().map(|config| Box::new(config) as Box<dyn Kind>));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{field::Place, protocol::schema::Attribute};

    #[test]
    fn every_resource_is_described_once_and_whole() {
        let mut names = BTreeSet::new();
        for kind in all() {
            let resource = kind.resource();
            assert!(names.insert(resource.name), "{} twice", resource.name);
            assert!(resource.name == "school" || resource.name.starts_with("school_"), "{}", resource.name);
            assert!(!resource.says.is_empty(), "{} says nothing", resource.name);
            let attributes = resource.attributes();
            let known: BTreeSet<&str> = attributes.iter().map(|attribute| attribute.name).collect();
            assert_eq!(known.len(), attributes.len(), "{} names an attribute twice", resource.name);
            // Terraform's own words in every block of a resource.
            for word in ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"] {
                assert!(!known.contains(word), "{}.{word} could not be configured", resource.name);
            }
            assert!(known.contains("id"), "{} has no id", resource.name);
            let frozen = resource.frozen.iter().map(|(name, _)| *name);
            for name in resource.import.iter().copied().chain(resource.replaced.iter().copied()).chain(frozen) {
                assert!(known.contains(name), "{}.{name} is not there", resource.name);
            }
            for secret in &resource.secrets {
                assert!(known.contains(secret.attribute) && known.contains(secret.version), "{}", resource.name);
            }
            let says =
                |attribute: &Attribute| assert!(attribute.says.len() > 5, "{}.{}", resource.name, attribute.name);
            attributes.iter().for_each(says);
        }
        assert_eq!(names.len(), 20);
    }

    /// A secret that stood in a plan or a state would be readable by everybody who reads those.
    #[test]
    fn what_is_secret_is_write_only_and_in_no_form() {
        for kind in all() {
            let resource = kind.resource();
            for field in &resource.fields {
                let is_secret = field.name().ends_with("_wo");
                assert_eq!(is_secret, field.attribute.write_only, "{}.{}", resource.name, field.name());
                assert!(!is_secret || field.place == Place::Local, "{}.{}", resource.name, field.name());
                let named = resource.secrets.iter().any(|secret| secret.attribute == field.name());
                assert_eq!(is_secret, named, "{}.{}", resource.name, field.name());
            }
        }
    }
}
