//! What the provider tells us, and the answers that it takes: flat XML whose texts may stand in CDATA.

use crate::{enums::GzhReplyType, keyword::folded};

/// The fields of a message, as far as they are flat; what holds others is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

/// More fields are no message.
const MOST_FIELDS: usize = 60;

impl Fields {
    /// The first field of a name; an empty one is none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }
}

const OPEN: &str = "<![CDATA[";
const CLOSE: &str = "]]>";

/// The fields of `<xml>…</xml>`; none when it is no such text. There are no entities of one's own, no attributes and no programs
/// in it, so nothing of XML beyond that is read.
pub fn fields(xml: &str) -> Option<Fields> {
    let inner = xml.trim().strip_prefix("<xml>")?.strip_suffix("</xml>")?;
    let (mut rest, mut found) = (inner.trim_start(), Vec::new());
    while !rest.is_empty() {
        if found.len() == MOST_FIELDS {
            return None;
        }
        let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
        if name.is_empty() || !name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_') {
            return None;
        }
        let end = format!("</{name}>");
        let value = match after.trim_start().strip_prefix(OPEN) {
            Some(text) => {
                let (text, mut after) = text.split_once(CLOSE)?;
                let mut value = text.to_owned();
                // A text with the closing signs in it comes in several sections.
                while let Some(more) = after.strip_prefix(OPEN) {
                    let (more, left) = more.split_once(CLOSE)?;
                    value.push_str(more);
                    after = left;
                }
                rest = after.trim_start().strip_prefix(end.as_str())?.trim_start();
                value
            }
            None => {
                let (text, after) = after.split_once(end.as_str())?;
                rest = after.trim_start();
                if text.contains('<') {
                    continue;
                }
                unescaped(text.trim())
            }
        };
        found.push((name.to_owned(), value));
    }
    Some(Fields(found))
}

fn unescaped(text: &str) -> String {
    // The ampersand comes last, so that nothing is undone twice.
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

/// What somebody did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// They follow the account.
    Subscribed,
    /// They follow it no more.
    Left,
    /// They said something, or chose an entry of the menu that says it: what their words are looked for with.
    Said(String),
    /// They sent something without words.
    Sent,
    /// Nothing that is answered.
    Other,
}

/// A message of a follower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// Who.
    pub from: String,
    /// The account.
    pub to: String,
    /// By which a repetition is known: the number of the message, or who sent it when.
    pub key: String,
    pub told: Told,
    /// Whether it is an event: more articles may be answered to one.
    pub is_event: bool,
}

/// Reads a message; none when it is none.
pub fn incoming(fields: &Fields) -> Option<Incoming> {
    let (from, to) = (fields.get("FromUserName")?, fields.get("ToUserName")?);
    let at: i64 = fields.get("CreateTime")?.parse().ok()?;
    let key = match fields.get("MsgId") {
        Some(number) => format!("m:{number}"),
        None => format!("e:{from}:{at}"),
    };
    let kind = fields.get("MsgType")?;
    let told = match (kind, fields.get("Event")) {
        ("event", Some("subscribe")) => Told::Subscribed,
        ("event", Some("unsubscribe")) => Told::Left,
        ("event", Some("CLICK")) => fields.get("EventKey").map_or(Told::Other, |key| Told::Said(folded(key))),
        ("event", _) => Told::Other,
        ("text", _) => fields.get("Content").map_or(Told::Sent, |text| Told::Said(folded(text))),
        // Voices that the provider understood come with their words.
        ("voice", _) => fields.get("Recognition").map_or(Told::Sent, |text| Told::Said(folded(text))),
        _ => Told::Sent,
    };
    let is_event = kind == "event";
    Some(Incoming { from: from.to_owned(), to: to.to_owned(), key, told, is_event })
}

/// An article of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownArticle {
    pub title: String,
    pub digest: String,
    pub picture: String,
    pub url: String,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Text(String),
    /// A picture, a voice or a video that lies at the provider; the last has a title.
    Media {
        kind: GzhReplyType,
        media_id: String,
        title: String,
    },
    News(Vec<ShownArticle>),
}

/// So many articles answer a message, and an event.
const OF_MESSAGE: usize = 1;
const OF_EVENT: usize = 8;

fn cdata(text: &str) -> String {
    format!("{OPEN}{}{CLOSE}", text.replace(CLOSE, "]]]]><![CDATA[>"))
}

/// The XML of an answer to a message, sent at a second.
pub fn answered(message: &Incoming, answer: &Answer, at: i64) -> String {
    let body = match answer {
        Answer::Text(text) => format!("<MsgType>{}</MsgType><Content>{}</Content>", cdata("text"), cdata(text)),
        Answer::Media { kind, media_id, title } => {
            let (name, more) = match kind {
                GzhReplyType::Voice => ("Voice", String::new()),
                GzhReplyType::Video => ("Video", format!("<Title>{}</Title>", cdata(title))),
                GzhReplyType::Text | GzhReplyType::Image | GzhReplyType::News => ("Image", String::new()),
            };
            format!(
                "<MsgType>{}</MsgType><{name}><MediaId>{}</MediaId>{more}</{name}>",
                cdata(kind.as_str()),
                cdata(media_id)
            )
        }
        Answer::News(articles) => {
            let most = if message.is_event { OF_EVENT } else { OF_MESSAGE };
            let shown: Vec<String> = articles
                .iter()
                .take(most)
                .map(|article| {
                    format!(
                        "<item><Title>{}</Title><Description>{}</Description><PicUrl>{}</PicUrl><Url>{}</Url></item>",
                        cdata(&article.title),
                        cdata(&article.digest),
                        cdata(&article.picture),
                        cdata(&article.url)
                    )
                })
                .collect();
            format!(
                "<MsgType>{}</MsgType><ArticleCount>{}</ArticleCount><Articles>{}</Articles>",
                cdata("news"),
                shown.len(),
                shown.concat()
            )
        }
    };
    format!(
        "<xml><ToUserName>{}</ToUserName><FromUserName>{}</FromUserName><CreateTime>{at}</CreateTime>{body}</xml>",
        cdata(&message.from),
        cdata(&message.to)
    )
}

/// The envelope of a sealed answer.
pub fn enveloped(sealed: &str, signature: &str, timestamp: &str, nonce: &str) -> String {
    format!(
        "<xml><Encrypt>{}</Encrypt><MsgSignature>{}</MsgSignature><TimeStamp>{timestamp}</TimeStamp><Nonce>{}</Nonce></xml>",
        cdata(sealed),
        cdata(signature),
        cdata(nonce)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<xml><ToUserName><![CDATA[gh_1]]></ToUserName>\n<FromUserName><![CDATA[fan]]></FromUserName>
        <CreateTime>1700000000</CreateTime><MsgType><![CDATA[text]]></MsgType><Content><![CDATA[ 报名 <b>]]></Content>
        <MsgId>23</MsgId></xml>";

    fn read(xml: &str) -> Incoming {
        incoming(&fields(xml).expect("XML")).expect("a message")
    }

    fn event(event: &str, key: &str) -> String {
        format!(
            "<xml><ToUserName>gh_1</ToUserName><FromUserName>fan</FromUserName><CreateTime>1700000000</CreateTime>
             <MsgType>event</MsgType><Event>{event}</Event><EventKey>{key}</EventKey></xml>"
        )
    }

    #[test]
    fn a_message_is_read() {
        let message = read(TEXT);
        assert_eq!((message.from.as_str(), message.to.as_str(), message.key.as_str()), ("fan", "gh_1", "m:23"));
        assert_eq!(message.told, Told::Said("报名 <b>".to_owned()));
        assert_eq!(read(&event("CLICK", "Fee&amp;Time")).told, Told::Said("fee&time".to_owned()));
        assert_eq!(read(&event("subscribe", "")).told, Told::Subscribed);
        assert_eq!(read(&event("unsubscribe", "")).told, Told::Left);
        assert_eq!(read(&event("VIEW", "https://e.com")).told, Told::Other);
        assert_eq!(read(&event("subscribe", "")).key, "e:fan:1700000000");
        let picture = TEXT.replace("[text]", "[image]");
        assert_eq!(read(&picture).told, Told::Sent);
        let nested = TEXT.replace("</xml>", "<SendPicsInfo><Count>1</Count></SendPicsInfo></xml>");
        assert_eq!(read(&nested), read(TEXT));
    }

    #[test]
    fn what_is_no_message_is_not_read() {
        for xml in
            ["", "<xml>", "<xml></xml", "x<xml></xml>", "<xml>a</xml>", "<xml><a>1</xml>", "<xml><a b='c'>1</a></xml>"]
        {
            assert_eq!(fields(xml), None, "{xml}");
        }
        assert_eq!(incoming(&fields("<xml><a>1</a></xml>").expect("fields")), None);
        let bomb = format!("<xml>{}</xml>", "<a>1</a>".repeat(100));
        assert_eq!(fields(&bomb), None);
    }

    #[test]
    fn an_answer_goes_back_to_who_wrote() {
        let answer = answered(&read(TEXT), &Answer::Text("好]]>的".to_owned()), 7);
        let back = fields(&answer).expect("XML");
        assert_eq!((back.get("ToUserName"), back.get("FromUserName")), (Some("fan"), Some("gh_1")));
        assert_eq!(back.get("Content"), Some("好]]>的"));
        assert!(answer.contains("<![CDATA[好]]]]><![CDATA[>的]]>"), "{answer}");
        let media = Answer::Media { kind: GzhReplyType::Video, media_id: "m1".to_owned(), title: "导学".to_owned() };
        assert!(answered(&read(TEXT), &media, 7).contains("<Video><MediaId><![CDATA[m1]]></MediaId><Title>"));
    }

    #[test]
    fn one_article_answers_a_message_and_eight_an_event() {
        let article = ShownArticle {
            title: "招生简章".to_owned(),
            digest: String::new(),
            picture: "https://e.com/a.png".to_owned(),
            url: "https://e.com".to_owned(),
        };
        let news = Answer::News(vec![article; 9]);
        assert!(answered(&read(TEXT), &news, 7).contains("<ArticleCount>1</ArticleCount>"));
        assert!(answered(&read(&event("subscribe", "")), &news, 7).contains("<ArticleCount>8</ArticleCount>"));
    }

    #[test]
    fn a_sealed_answer_has_an_envelope() {
        let envelope = fields(&enveloped("c2VhbA==", "s", "1", "n")).expect("XML");
        assert_eq!((envelope.get("Encrypt"), envelope.get("TimeStamp")), (Some("c2VhbA=="), Some("1")));
    }
}
