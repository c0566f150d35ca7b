//! Which characters of a text with marks people read, so that words can be looked for in them and covered where they stand: a mark
//! or an entity between two characters neither hides a word nor is changed.

/// The characters that are read, each with its place among the characters of the HTML. Marks and entities are none.
fn places(html: &str) -> Vec<(usize, char)> {
    let (mut read, mut quote) = (Vec::new(), None);
    let (mut in_mark, mut in_entity) = (false, false);
    for (place, sign) in html.chars().enumerate() {
        if in_mark {
            match (quote, sign) {
                (None, '>') => in_mark = false,
                (None, '"' | '\'') => quote = Some(sign),
                (Some(open), close) if open == close => quote = None,
                _ => {}
            }
        } else if in_entity {
            in_entity = sign != ';';
        } else {
            match sign {
                '<' => in_mark = true,
                '&' => in_entity = true,
                _ => read.push((place, sign)),
            }
        }
    }
    read
}

/// What is read of HTML that the cleaner left, without its marks.
pub fn visible(html: &str) -> String {
    places(html).into_iter().map(|(_, sign)| sign).collect()
}

/// The HTML whose read characters are those of `masked`, one for one.
pub fn covered(html: &str, masked: &str) -> String {
    let mut signs: Vec<char> = html.chars().collect();
    for ((place, _), sign) in places(html).into_iter().zip(masked.chars()) {
        signs[place] = sign;
    }
    signs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_entities_are_not_read() {
        assert_eq!(visible("<p>甲<strong>乙</strong>&amp;丙</p>"), "甲乙丙");
        assert_eq!(visible("<a href=\"https://e.com/?x=>\" rel='a'>附件</a>"), "附件");
        assert_eq!(visible("<p>1 &lt; 2</p>"), "1  2");
    }

    #[test]
    fn a_word_is_covered_where_it_stands() {
        let html = "<p>远离赌<b>博</b>网站</p>";
        assert_eq!(covered(html, "远离**网站"), "<p>远离*<b>*</b>网站</p>");
        assert_eq!(covered(html, &visible(html)), html);
    }
}
