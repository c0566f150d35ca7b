//! How the papers of people lie in one archive: `<站点>/<姓名>_<考生号>/<材料>.<ext>`.

use std::collections::HashMap;

use field_attributes::stage::StageFields;
use infra::files::archive::plain_name as plain;

use crate::enums::AttachmentKind;

/// A file of somebody.
#[derive(Debug, Clone)]
pub struct Paper {
    pub person: i64,
    pub name: String,
    pub number: String,
    pub site: String,
    pub kind: String,
    pub key: String,
    pub original_name: String,
}

/// Where papers stand in the archive; a second one of a kind is numbered.
#[derive(Debug, Default)]
pub struct Names {
    met: HashMap<i64, HashMap<String, u32>>,
}

impl Names {
    /// The path of a paper; its `fields` name those of the school's own.
    pub fn of(&mut self, paper: &Paper, fields: &StageFields) -> String {
        let usual = AttachmentKind::CHOICES.iter().find(|(_, kind)| kind.as_str() == paper.kind).map(|(zh, _)| *zh);
        let own = || fields.fields().iter().find(|field| field.key == paper.kind).map(|field| field.label.as_str());
        let what = if paper.kind == "photo" { Some("照片") } else { usual.or_else(own) }.unwrap_or(&paper.kind);
        let met = self.met.entry(paper.person).or_default().entry(paper.kind.clone()).or_default();
        *met += 1;
        let place = if *met > 1 { met.to_string() } else { String::new() };
        let extension = paper.original_name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let person = format!("{}_{}", plain(&paper.name), plain(&paper.number));
        format!("{}/{person}/{}{place}.{}", plain(&paper.site), plain(what), plain(extension))
    }

    /// How many people have one.
    pub fn people(&self) -> usize {
        self.met.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(person: i64, kind: &str) -> Paper {
        Paper {
            person,
            name: "热依木·买买提".to_owned(),
            number: "26420101150001".to_owned(),
            site: "城东/教学点".to_owned(),
            kind: kind.to_owned(),
            key: String::new(),
            original_name: "扫描件.PDF".to_owned(),
        }
    }

    #[test]
    fn a_paper_lies_with_its_person_at_the_site() {
        let fields = StageFields::default();
        let mut names = Names::default();
        assert_eq!(names.of(&paper(1, "diploma"), &fields), "城东_教学点/热依木·买买提_26420101150001/毕业证书.PDF");
        assert_eq!(names.of(&paper(1, "diploma"), &fields), "城东_教学点/热依木·买买提_26420101150001/毕业证书2.PDF");
        assert_eq!(names.of(&paper(1, "photo"), &fields), "城东_教学点/热依木·买买提_26420101150001/照片.PDF");
        assert_eq!(names.of(&paper(2, "x_gone"), &fields), "城东_教学点/热依木·买买提_26420101150001/x_gone.PDF");
        assert_eq!(names.people(), 2);
    }
}
