//! The programmes of demonstration schools (part 05 G4).

/// Courses of the programmes that demonstration schools offer, in the order of their plans.
pub const COURSES: &str = include_str!("demo/data/demo_course.csv");

/// A programme that demonstration schools offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programme {
    pub entry_level: &'static str,
    pub national_code: &'static str,
    pub name: &'static str,
    pub weight: u32,
}

/// The programmes with the most students first.
pub fn programmes(most: usize) -> Vec<Programme> {
    let mut found: Vec<Programme> = Vec::new();
    for line in COURSES.lines().skip(1) {
        let fields: Vec<&'static str> = line.split(',').collect();
        let (entry_level, national_code, name) = (fields[0], fields[1], fields[2]);
        let weight = fields.last().and_then(|weight| weight.parse().ok());
        let Some(weight) = weight else { continue };
        if !found.iter().any(|known| known.entry_level == entry_level && known.national_code == national_code) {
            found.push(Programme { entry_level, national_code, name, weight });
        }
    }
    found.sort_by_key(|programme| std::cmp::Reverse(programme.weight));
    // Each level is offered, however few programmes there are.
    let mut chosen: Vec<Programme> = Vec::new();
    for level in ["associate_to_bachelor", "high_school_to_associate", "high_school_to_bachelor"] {
        chosen.extend(found.iter().find(|programme| programme.entry_level == level).cloned());
    }
    for programme in found {
        if chosen.len() < most && !chosen.contains(&programme) {
            chosen.push(programme);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_offered() {
        let offered = programmes(17);
        assert_eq!(offered.len(), 17);
        assert_eq!(offered.iter().filter(|programme| programme.entry_level == "high_school_to_bachelor").count(), 1);
    }
}
