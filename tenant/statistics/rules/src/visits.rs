//! What of a visit is kept (part 05 A1).

/// Labels below a country under which names are registered.
const SECOND_LEVELS: [&str; 8] = ["ac", "co", "com", "edu", "gov", "mil", "net", "org"];

/// The registrable domain of the address that a visitor came from; nothing of what is no name, such as an address of a machine.
pub fn registrable_domain(referrer: &str) -> String {
    let rest = referrer.trim().split_once("://").map_or(referrer.trim(), |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    let labels: Vec<&str> = host.split('.').collect();
    let plain =
        |label: &&str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_name = labels.len() >= 2
        && labels.iter().all(plain)
        && labels.last().is_some_and(|last| last.bytes().any(|byte| byte.is_ascii_alphabetic()));
    if !is_name || host.len() > 100 {
        return String::new();
    }
    let below_country = labels.len() >= 3
        && labels.last().is_some_and(|last| last.len() == 2)
        && SECOND_LEVELS.contains(&labels[labels.len() - 2]);
    labels[labels.len() - if below_country { 3 } else { 2 }..].join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_the_registrable_domain_is_kept() {
        let of = registrable_domain;
        assert_eq!(of("https://www.baidu.com/s?wd=%E5%BC%A0%E4%B8%89"), "baidu.com");
        assert_eq!(of("https://news.hust.edu.cn/a/1.html"), "hust.edu.cn");
        assert_eq!(of("https://user:secret@m.weibo.cn:8443/x#y"), "weibo.cn");
        assert_eq!(of("mp.weixin.qq.com"), "qq.com");
    }

    #[test]
    fn what_is_no_name_is_not_kept() {
        for referrer in
            ["", "https://10.0.0.1/x", "http://localhost/", "http://[::1]/", "javascript:alert(1)", "https://张三.cn/"]
        {
            assert_eq!(registrable_domain(referrer), "", "{referrer}");
        }
    }
}
