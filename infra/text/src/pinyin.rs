//! 拼音: how names are ordered and searched without asking the database's locale.
//!
//! Written into columns beside the name whenever the name is written: `pinyin` for the order, `initials` for searching
//! by 拼音首字母, `name_grams` for "name contains". Many surnames are read otherwise than the character alone
//! (单 shàn, 曾 zēng); the table of them counts for the surname of a person and for nothing else.

use pinyin::ToPinyin;

/// The syllables of a person's name without tones, parted by blanks, `zeng guo fan`; ü is written v, as people type it.
///
/// Blanks keep 西安 before 先: the order is by syllable, as in a register.
pub fn pinyin(name: &str) -> String {
    spell_person(name).join(" ")
}

/// The first letters of a person's name: `zgf` for 曾国藩; of a name in Latin letters one for each word.
pub fn initials(name: &str) -> String {
    spell_person(name).iter().filter_map(|syllable| syllable.chars().next()).collect()
}

/// The first letters of what is no person (a site, a major, a class): `cqxxzx` for 重庆学习中心. Letters and digits stand
/// for themselves.
pub fn text_initials(text: &str) -> String {
    spell_text(text).iter().filter_map(|syllable| syllable.chars().next()).collect()
}

/// What is no person spelt out, the way people type it: `chongqingxuexizhongxin`.
pub fn text_pinyin(text: &str) -> String {
    spell_text(text).concat()
}

/// What is stored beside a name for "name contains": its characters and its pairs of neighbouring characters, each once.
///
/// Blanks and the dots between the parts of a name do not count, letters are compared in lower case.
pub fn grams(name: &str) -> Vec<String> {
    let chars = letters(name);
    let mut grams: Vec<String> = chars.iter().map(char::to_string).chain(pairs(&chars)).collect();
    grams.sort();
    grams.dedup();
    grams
}

/// What a stored name must hold to contain the text: its pairs, or its only character. Empty when nothing is left.
pub fn search_grams(text: &str) -> Vec<String> {
    let chars = letters(text);
    match chars.as_slice() {
        [only] => vec![only.to_string()],
        _ => pairs(&chars).collect(),
    }
}

fn pairs(chars: &[char]) -> impl Iterator<Item = String> {
    chars.windows(2).map(|pair| pair.iter().collect())
}

/// The characters of a name that count in a search.
fn letters(text: &str) -> Vec<char> {
    fold(text).into_iter().filter(|c| !c.is_whitespace() && !DOTS.contains(c)).collect()
}

/// Half width and lower case.
fn fold(text: &str) -> Vec<char> {
    text.chars()
        .map(|c| match c {
            '\u{3000}' => ' ',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

fn spell_person(name: &str) -> Vec<String> {
    let folded = fold(name);
    let chars: Vec<char> = folded.iter().copied().skip_while(|c| c.is_whitespace()).collect();
    let mut syllables = Vec::new();
    let mut at = 0;
    if let Some((surname, read)) = COMPOUND_SURNAMES.iter().find(|(surname, _)| starts_with(&chars, surname)) {
        syllables.extend(read.split(' ').map(str::to_owned));
        at = surname.chars().count();
    } else if let Some((_, read)) = chars.first().and_then(|first| SURNAMES.iter().find(|(c, _)| c == first)) {
        syllables.push((*read).to_owned());
        at = 1;
    }
    // Letters side by side are one word.
    let mut word = String::new();
    for &c in &chars[at..] {
        if let Some(syllable) = c.to_pinyin() {
            syllables.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            syllables.push(plain(syllable.plain()));
        } else if c.is_alphanumeric() || c == '\'' {
            word.push(c);
        } else if !word.is_empty() {
            syllables.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        syllables.push(word);
    }
    syllables
}

/// The syllables of a text; of letters and digits each stands by itself.
fn spell_text(text: &str) -> Vec<String> {
    let chars = fold(text);
    let mut syllables = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if let Some((word, read)) = WORDS.iter().find(|(word, _)| starts_with(&chars[at..], word)) {
            syllables.extend(read.split(' ').map(str::to_owned));
            at += word.chars().count();
            continue;
        }
        match c.to_pinyin() {
            Some(syllable) => syllables.push(plain(syllable.plain())),
            None if c.is_ascii_alphanumeric() => syllables.push(c.to_string()),
            None => {}
        }
        at += 1;
    }
    syllables
}

fn plain(syllable: &str) -> String {
    syllable.replace('ü', "v")
}

fn starts_with(chars: &[char], word: &str) -> bool {
    let mut chars = chars.iter();
    word.chars().all(|c| chars.next() == Some(&c))
}

/// The dots that stand between the parts of a name, in the ways people type them.
const DOTS: [char; 8] = ['·', '•', '・', '‧', '∙', '⋅', '.', '。'];

/// Surnames of two characters in which a character is read otherwise than by itself.
const COMPOUND_SURNAMES: [(&str, &str); 12] = [
    ("尉迟", "yu chi"),
    ("万俟", "mo qi"),
    ("单于", "chan yu"),
    ("长孙", "zhang sun"),
    ("澹台", "tan tai"),
    ("乐正", "yue zheng"),
    ("宗政", "zong zheng"),
    ("夹谷", "jia gu"),
    ("拓跋", "tuo ba"),
    ("颛孙", "zhuan sun"),
    ("宰父", "zai fu"),
    ("亓官", "qi guan"),
];

/// Surnames read otherwise than the character by itself; some are listed to pin a reading the data may change.
const SURNAMES: [(char, &str); 46] = [
    ('单', "shan"),
    ('單', "shan"),
    ('曾', "zeng"),
    ('解', "xie"),
    ('仇', "qiu"),
    ('区', "ou"),
    ('區', "ou"),
    ('任', "ren"),
    ('查', "zha"),
    ('朴', "piao"),
    ('翟', "zhai"),
    ('盖', "ge"),
    ('蓋', "ge"),
    ('缪', "miao"),
    ('繆', "miao"),
    ('乐', "yue"),
    ('樂', "yue"),
    ('员', "yun"),
    ('黑', "he"),
    ('折', "she"),
    ('种', "chong"),
    ('秘', "bi"),
    ('繁', "po"),
    ('召', "shao"),
    ('覃', "qin"),
    ('祭', "zhai"),
    ('能', "nai"),
    ('卜', "bu"),
    ('乜', "nie"),
    ('粘', "nian"),
    ('都', "du"),
    ('薄', "bo"),
    ('阚', "kan"),
    ('闞', "kan"),
    ('句', "gou"),
    ('洗', "xian"),
    ('冼', "xian"),
    ('晁', "chao"),
    ('宓', "mi"),
    ('沈', "shen"),
    ('纪', "ji"),
    ('燕', "yan"),
    ('应', "ying"),
    ('华', "hua"),
    ('葛', "ge"),
    ('长', "chang"),
];

/// Words in the names of places, majors and pages in which a character is read otherwise than by itself.
const WORDS: [(&str, &str); 18] = [
    ("重庆", "chong qing"),
    ("长沙", "chang sha"),
    ("长春", "chang chun"),
    ("长江", "chang jiang"),
    ("长治", "chang zhi"),
    ("长安", "chang an"),
    ("厦门", "xia men"),
    ("西藏", "xi zang"),
    ("六安", "lu an"),
    ("会计", "kuai ji"),
    ("银行", "yin hang"),
    ("音乐", "yin yue"),
    ("空调", "kong tiao"),
    ("调剂", "tiao ji"),
    ("重修", "chong xiu"),
    ("重考", "chong kao"),
    ("重置", "chong zhi"),
    ("参数", "can shu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surnames_have_their_own_readings() {
        for (name, expected) in [
            ("单雄信", "shan xiong xin"),
            ("曾国藩", "zeng guo fan"),
            ("解缙", "xie jin"),
            ("仇英", "qiu ying"),
            ("区寄", "ou ji"),
            ("任正非", "ren zheng fei"),
            ("查良镛", "zha liang yong"),
            ("朴树", "piao shu"),
            ("翟志刚", "zhai zhi gang"),
            ("盖叫天", "ge jiao tian"),
            ("尉迟恭", "yu chi gong"),
            ("万俟卨", "mo qi xie"),
            ("万里", "wan li"),
            ("尉健行", "wei jian xing"),
            ("单于夜", "chan yu ye"),
            ("长孙无忌", "zhang sun wu ji"),
            ("欧阳修", "ou yang xiu"),
            ("乐毅", "yue yi"),
            ("覃塘", "qin tang"),
        ] {
            assert_eq!(pinyin(name), expected, "{name}");
        }
    }

    #[test]
    fn a_surname_reading_stays_with_the_surname() {
        assert_eq!(pinyin("王单"), "wang dan");
        assert_eq!(pinyin("张乐"), "zhang le");
        assert_eq!(text_initials("解放路教学点"), "jfljxd");
        assert_eq!(pinyin(" 曾伟"), "zeng wei");
    }

    #[test]
    fn umlauts_are_typed_as_v() {
        assert_eq!(pinyin("吕布"), "lv bu");
        assert_eq!(initials("吕布"), "lb");
    }

    #[test]
    fn initials_of_people() {
        assert_eq!(initials("曾国藩"), "zgf");
        assert_eq!(initials("尉迟恭"), "ycg");
        assert_eq!(initials("阿不都·热依木"), "abdrym");
        assert_eq!(initials("John Smith"), "js");
        assert_eq!(pinyin("John Smith"), "john smith");
        assert_eq!(initials(""), "");
    }

    #[test]
    fn initials_of_other_names() {
        assert_eq!(text_initials("重庆学习中心"), "cqxxzx");
        assert_eq!(text_initials("会计学"), "kjx");
        assert_eq!(text_initials("大数据与会计"), "dsjykj");
        assert_eq!(text_initials("2026级MBA（武汉）"), "2026jmbawh");
        assert_eq!(text_initials("ＭＢＡ"), "mba");
        assert_eq!(text_pinyin("年级管理"), "nianjiguanli");
        assert_eq!(text_pinyin("重修报名（2026）"), "chongxiubaoming2026");
        assert_eq!(text_pinyin("重庆学习中心"), "chongqingxuexizhongxin");
    }

    #[test]
    fn order_is_by_syllable() {
        let mut names = ["张伟", "单雄信", "曾国藩", "陈晨", "吕布", "陆逊"];
        names.sort_by_key(|name| pinyin(name));
        assert_eq!(names, ["陈晨", "陆逊", "吕布", "单雄信", "曾国藩", "张伟"]);
    }

    #[test]
    fn grams_are_characters_and_pairs() {
        assert_eq!(grams("张伟"), ["伟", "张", "张伟"]);
        assert_eq!(grams("欧阳娜娜"), ["娜", "娜娜", "欧", "欧阳", "阳", "阳娜"]);
        assert_eq!(grams("Li Na"), ["a", "i", "in", "l", "li", "n", "na"]);
        assert!(grams(" ").is_empty());
    }

    #[test]
    fn a_name_holds_the_grams_of_its_parts() {
        let holds = |name: &str, text: &str| {
            let stored = grams(name);
            search_grams(text).iter().all(|gram| stored.contains(gram))
        };
        assert!(holds("欧阳娜娜", "阳娜") && holds("欧阳娜娜", "欧") && holds("欧阳娜娜", "欧阳娜娜"));
        assert!(!holds("欧阳娜娜", "娜欧") && !holds("欧阳娜娜", "张"));
        assert!(holds("阿不都·热依木", "都热") && holds("阿不都热依木", "不都・热"));
        assert!(search_grams(" · ").is_empty());
    }
}
