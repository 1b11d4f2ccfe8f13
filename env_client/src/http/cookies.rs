//! The cookies of one play, or of the requests about cards.

use cookie_store::{CookieStore, RawCookie};
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// Cookies by host and path, as browsers keep them.
#[derive(Clone, Default)]
pub(super) struct Jar(CookieStore);

impl Jar {
    /// The `Cookie` header for a request, if there is anything to send.
    pub(super) fn header(&self, url: &Url) -> Option<HeaderValue> {
        let mut pairs: Vec<String> =
            self.0.get_request_values(url).map(|(name, value)| format!("{name}={value}")).collect();
        pairs.sort_unstable();
        (!pairs.is_empty()).then(|| HeaderValue::from_str(&pairs.join("; ")).ok()).flatten()
    }

    /// Keeps what an answer sets. What cannot be read as a cookie is left out.
    pub(super) fn keep(&mut self, url: &Url, headers: &HeaderMap) {
        let texts = headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
        let cookies = texts.filter_map(|text| RawCookie::parse(text.to_owned()).ok());
        self.0.store_response_cookies(cookies, url);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(jar: &mut Jar, url: &Url, cookies: &[&'static str]) {
        let headers = cookies.iter().map(|text| (SET_COOKIE, HeaderValue::from_static(text))).collect();
        jar.keep(url, &headers);
    }

    #[test]
    fn what_is_set_is_sent_until_it_is_replaced_or_expires() {
        let url: Url = "http://127.0.0.1:9/api/cmd/RESET".parse().unwrap();
        let mut jar = Jar::default();
        assert_eq!(jar.header(&url), None);
        set(&mut jar, &url, &["AWSALB=one; Path=/", "other=1; Path=/", "nonsense", "gone=1; Path=/; Max-Age=0"]);
        assert_eq!(jar.header(&url).unwrap(), "AWSALB=one; other=1");
        set(&mut jar, &url, &["AWSALB=two; Path=/"]);
        assert_eq!(jar.header(&url).unwrap(), "AWSALB=two; other=1");
    }

    #[test]
    fn a_copy_goes_its_own_way() {
        let url: Url = "http://127.0.0.1:9/api".parse().unwrap();
        let mut first = Jar::default();
        set(&mut first, &url, &["route=a; Path=/"]);
        let mut second = first.clone();
        set(&mut second, &url, &["route=b; Path=/"]);
        assert_eq!(first.header(&url).unwrap(), "route=a");
        assert_eq!(second.header(&url).unwrap(), "route=b");
    }
}
