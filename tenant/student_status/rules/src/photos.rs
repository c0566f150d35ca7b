//! 导出照片: how photos are named in their archive (02 §9.11).

use std::collections::HashSet;

use infra::files::archive::plain_name;

/// A photo and whose it is.
pub struct Photo {
    pub student: i64,
    pub number: Option<String>,
    pub key: String,
    pub original_name: String,
}

/// What stands in the archive already: the 考生号 of one may be the 学号 of another.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    pub fn of(&mut self, photo: &Photo) -> String {
        let extension = photo.original_name.rsplit_once('.').map_or("jpg", |(_, extension)| extension);
        let number = photo.number.clone().unwrap_or_else(|| format!("无学号_{}", photo.student));
        let mut name = format!("{}.{}", plain_name(&number), plain_name(extension));
        if !self.0.insert(name.clone()) {
            name = format!("{}_{}.{}", plain_name(&number), photo.student, plain_name(extension));
            self.0.insert(name.clone());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_named_by_its_number() {
        let photo = |student, number: Option<&str>| Photo {
            student,
            number: number.map(ToOwned::to_owned),
            key: String::new(),
            original_name: "旧名.jpg".to_owned(),
        };
        let mut names = Names::default();
        assert_eq!(names.of(&photo(1, Some("26304120070023"))), "26304120070023.jpg");
        assert_eq!(names.of(&photo(2, Some("26304120070023"))), "26304120070023_2.jpg");
        assert_eq!(names.of(&photo(3, None)), "无学号_3.jpg");
    }
}
