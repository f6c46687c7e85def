//! The site that a dump is of, by what it is called: Stack Exchange publishes dumps as `site.7z`.

use std::path::{Component, Path};

/// Whether a host is a question-and-answer site of Stack Exchange.
///
/// ```
/// assert!(ingest::is_exchange("physics.stackexchange.com"));
/// assert!(!ingest::is_exchange("stackexchange.com.example.org"));
/// ```
#[must_use]
pub fn is_exchange(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let main = ["mathoverflow.net", "stackoverflow.com", "superuser.com", "serverfault.com", "askubuntu.com"];
    let site = host.strip_suffix(".stackexchange.com");
    main.contains(&host.as_str())
        || site.is_some_and(|site| !site.is_empty() && !site.split('.').any(|part| part == "meta"))
}

/// The site that a path to a dump names: in a folder or an archive called after it.
pub(crate) fn site_of(path: &Path) -> Option<String> {
    let parts = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let host = |name: &str| {
        let name = name.strip_suffix(".7z").or_else(|| name.strip_suffix(".zip")).unwrap_or(name);
        // The largest sites have an archive for each file: stackoverflow.com-Posts.7z.
        let host = name.split('-').next().unwrap_or(name);
        is_exchange(host).then(|| host.to_ascii_lowercase())
    };
    parts.into_iter().find_map(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_called_after_their_sites() {
        for (path, site) in [
            ("dumps/physics.stackexchange.com.7z", Some("physics.stackexchange.com")),
            ("/data/MathOverflow.net/Posts.xml", Some("mathoverflow.net")),
            ("stackoverflow.com-Posts.7z", Some("stackoverflow.com")),
            ("physics.meta.stackexchange.com.7z", None),
            ("dump/Posts.xml", None),
        ] {
            assert_eq!(site_of(Path::new(path)).as_deref(), site, "{path}");
        }
    }
}
