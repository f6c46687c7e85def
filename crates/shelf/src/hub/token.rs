//! Who asks the hub: variables, then the file that the hub's own tools write.

use crate::Error;
use generate::Key;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A token is a line.
const LONGEST: u64 = 4096;

/// The token, if there is one. Errors name where it stands, and never what it is.
pub(super) fn find(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Key>, Error> {
    for name in ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"] {
        if let Some(text) = variable(name) {
            return Key::new(&text).map(Some).map_err(|error| Error::hub(name, error.to_string()));
        }
    }
    if variable("HF_HUB_DISABLE_IMPLICIT_TOKEN").is_some_and(|value| super::is_on(&value)) {
        return Ok(None);
    }
    let home = || {
        let cache = variable("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.or_else(|| Some(Path::new(&variable("HOME")?).join(".cache")));
        Some(cache?.join("huggingface"))
    };
    let file = variable("HF_TOKEN_PATH")
        .map(PathBuf::from)
        .or_else(|| Some(variable("HF_HOME").map(PathBuf::from).or_else(home)?.join("token")));
    file.map_or(Ok(None), |file| read(&file))
}

fn read(file: &Path) -> Result<Option<Key>, Error> {
    match fs::metadata(file) {
        // An account without a folder of its own has no token there.
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(cause) => return Err(Error::io(file, cause)),
        Ok(data) if data.len() > LONGEST => return Err(Error::refused(file, "too long for a token")),
        Ok(_) => {}
    }
    let text = fs::read_to_string(file).map_err(|cause| Error::io(file, cause))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    Key::new(&text).map(Some).map_err(|error| Error::refused(file, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(variables: &[(&str, &str)]) -> Result<Option<Key>, Error> {
        find(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn variables_win_over_the_file() {
        let dir = testkit::TempDir::new("token");
        dir.write("token", "hf_file\n");
        let home = dir.path().to_str().unwrap();
        let key = |text| Some(Key::new(text).unwrap());
        assert_eq!(find_in(&[]).unwrap(), None);
        assert_eq!(find_in(&[("HF_HOME", home)]).unwrap(), key("hf_file"));
        assert_eq!(
            find_in(&[("HF_HOME", home), ("HUGGING_FACE_HUB_TOKEN", "hf_old")]).unwrap(),
            key("hf_old")
        );
        let both = [("HUGGING_FACE_HUB_TOKEN", "hf_old"), ("HF_TOKEN", "hf_new")];
        assert_eq!(find_in(&both).unwrap(), key("hf_new"));
        assert_eq!(find_in(&[("HF_HOME", home), ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")]).unwrap(), None);
        dir.write("huggingface/token", "hf_cache");
        assert_eq!(find_in(&[("XDG_CACHE_HOME", home)]).unwrap(), key("hf_cache"));
        assert_eq!(find_in(&[("HOME", "/dev/null")]).unwrap(), None);
    }

    #[test]
    fn a_token_that_cannot_be_sent_is_not_shown() {
        let error = find_in(&[("HF_TOKEN", "hf_secret\nInjected: yes")]).unwrap_err().to_string();
        assert!(error.starts_with("HF_TOKEN") && !error.contains("secret"), "{error}");
    }
}
