//! Settings that people would otherwise type again and again: where they come from, and which wins.
//!
//! An option on the command line wins over a variable `HYPATIA_…`, that over `hypatia.toml` in the current
//! folder, that over the user's own file, and that over the default. The options themselves are not known
//! here: commands ask for a setting only where the option is missing.

use crate::nearest;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::env;
use std::fs;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// The name of a settings file, in the current folder and in the user's folder.
const FILE: &str = "hypatia.toml";
/// The variable that names a settings file, which is then the only one that is read.
const FILE_VARIABLE: &str = "HYPATIA_CONFIG";
/// The index in the current folder, when none is named.
pub(crate) const INDEX: &str = "hypatia.index";
/// The port of the search page, when none is named.
pub(crate) const PORT: u16 = 8080;
/// Settings files are a few lines; anything this large is something else.
const LARGEST: u64 = 1 << 20;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Not set.
    Default,
    /// A line of a settings file.
    File(PathBuf, usize),
    /// An environment variable.
    Variable(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File(file, line) => write!(formatter, "{}, line {line}", file.display()),
            Self::Variable(name) => formatter.write_str(name),
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

/// What may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The key in a file.
    pub(crate) key: &'static str,
    /// The variable.
    pub(crate) variable: &'static str,
    /// What it is, for people.
    pub(crate) about: &'static str,
}

const INDEX_KEY: Known =
    Known { key: "index", variable: "HYPATIA_INDEX", about: "index to search and serve, and to build" };
const HOST_KEY: Known =
    Known { key: "host", variable: "HYPATIA_HOST", about: "address that `serve` and `demo` listen on" };
const PORT_KEY: Known =
    Known { key: "port", variable: "HYPATIA_PORT", about: "port that `serve` and `demo` listen on" };
const MODELS_KEY: Known = Known {
    key: "models",
    variable: "HYPATIA_MODELS",
    about: "store of models: what `model` keeps, and where --model NAME looks",
};
/// Everything that may be set, in the order in which it is shown.
pub(crate) const KNOWN: [Known; 4] = [INDEX_KEY, HOST_KEY, PORT_KEY, MODELS_KEY];

/// All settings, with their origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) index: Setting<PathBuf>,
    pub(crate) host: Setting<IpAddr>,
    pub(crate) port: Setting<u16>,
    pub(crate) models: Setting<Option<PathBuf>>,
}

impl Settings {
    /// Reads the files and variables.
    pub(crate) fn read() -> Result<Self> {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let files = match variable(FILE_VARIABLE) {
            Some(file) => {
                let file = PathBuf::from(file);
                let found = SettingsFile::read(&file)?;
                vec![found.ok_or_else(|| anyhow!("{}: no such file ({FILE_VARIABLE})", file.display()))?]
            }
            None => {
                let here = SettingsFile::read(Path::new(FILE))?;
                // Accounts of services often have no folder of their own, or none that they may read.
                let own = user_folder(variable).map(|folder| folder.join(FILE));
                let own = own.filter(|path| fs::metadata(path).is_ok());
                let own = own.map(|path| SettingsFile::read(&path)).transpose()?.flatten();
                here.into_iter().chain(own).collect()
            }
        };
        let mut settings = Self::from(&files, |name| {
            let Some(value) = variable(name) else { return Ok(None) };
            let text = value.into_string().map_err(|_| anyhow!("{name}: is not valid Unicode"))?;
            // Kubernetes sets HYPATIA_PORT to an address for every service that is called hypatia.
            Ok(Some(text).filter(|text| name != PORT_KEY.variable || !text.starts_with("tcp://")))
        })?;
        if settings.models.value.is_none() {
            settings.models.value = data_folder(variable).map(|folder| folder.join("models"));
        }
        Ok(settings)
    }

    /// The settings of these files, nearest first, and of these variables.
    fn from(files: &[SettingsFile], variable: impl Fn(&str) -> Result<Option<String>>) -> Result<Self> {
        let find = |known: Known| -> Result<Option<(String, Origin, PathBuf)>> {
            if let Some(value) = variable(known.variable)? {
                return Ok(Some((value, Origin::Variable(known.variable), PathBuf::new())));
            }
            Ok(files.iter().find_map(|file| file.get(known.key)))
        };
        fn or<T>(
            found: Option<(String, Origin, PathBuf)>,
            default: T,
            read: impl Fn(&str, &Path) -> Result<T>,
        ) -> Result<Setting<T>> {
            let Some((text, origin, folder)) = found else {
                return Ok(Setting { value: default, origin: Origin::Default });
            };
            let value = read(&text, &folder).with_context(|| origin.to_string())?;
            Ok(Setting { value, origin })
        }
        // Paths in a file are relative to its folder.
        let path = |text: &str, folder: &Path| {
            ensure!(!text.is_empty(), "the path is empty");
            Ok(folder.join(text))
        };
        Ok(Self {
            index: or(find(INDEX_KEY)?, PathBuf::from(INDEX), path)?,
            host: or(find(HOST_KEY)?, IpAddr::from([127, 0, 0, 1]), |text, _| {
                text.parse().map_err(|_| anyhow!("host is an IP address such as 127.0.0.1, not '{text}'"))
            })?,
            port: or(find(PORT_KEY)?, PORT, |text, _| {
                text.parse().map_err(|_| anyhow!("port is a number from 0 to 65535, not '{text}'"))
            })?,
            models: or(find(MODELS_KEY)?, None, |text, folder| path(text, folder).map(Some))?,
        })
    }

    /// The settings as text, in the order of [`KNOWN`].
    pub(crate) fn rows(&self) -> [(Known, Option<String>, &Origin); 4] {
        let path = |path: &Path| Some(path.display().to_string());
        [
            (INDEX_KEY, path(&self.index.value), &self.index.origin),
            (HOST_KEY, Some(self.host.value.to_string()), &self.host.origin),
            (PORT_KEY, Some(self.port.value.to_string()), &self.port.origin),
            (MODELS_KEY, self.models.value.as_deref().and_then(path), &self.models.origin),
        ]
    }
}

/// The user's folder for settings, as the XDG specification has it.
fn user_folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    xdg_folder(variable, "XDG_CONFIG_HOME", ".config")
}

/// The user's folder for data, as the XDG specification has it.
fn data_folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    xdg_folder(variable, "XDG_DATA_HOME", ".local/share")
}

fn xdg_folder(
    variable: impl Fn(&str) -> Option<std::ffi::OsString>,
    name: &str,
    in_home: &str,
) -> Option<PathBuf> {
    let named = variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || variable("HOME").map(|home| Path::new(&home).join(in_home));
    Some(named.or_else(home)?.join("hypatia"))
}

/// The values of one file.
struct SettingsFile {
    path: PathBuf,
    /// Key, value and line.
    values: Vec<(&'static str, String, usize)>,
}

impl SettingsFile {
    /// Reads a file; nothing if it is not there.
    fn read(path: &Path) -> Result<Option<Self>> {
        let name = || path.display().to_string();
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(name),
            Ok(data) => {
                ensure!(data.is_file(), "{}: is not a file", name());
                ensure!(data.len() <= LARGEST, "{}: is too large for a settings file", name());
            }
        }
        let text = fs::read_to_string(path).with_context(name)?;
        Self::parse(path, &text).map(Some)
    }

    fn parse(path: &Path, text: &str) -> Result<Self> {
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let place = |at: usize| format!("{}, line {}", path.display(), line_of(at));
        let table: std::collections::BTreeMap<toml::Spanned<String>, toml::Spanned<toml::Value>> =
            toml::from_str(text).map_err(|error| {
                let start = error.span().map_or(0, |span| span.start);
                anyhow!("{}: {}", place(start), error.message())
            })?;
        let mut values = Vec::new();
        for (key, value) in table {
            let start = key.span().start;
            let Some(known) = KNOWN.iter().find(|known| known.key == key.get_ref()) else {
                let names = KNOWN.map(|known| known.key.to_owned());
                let suggestion = nearest::suggest(key.get_ref(), &names);
                bail!("{}: there is no setting '{}'; {suggestion}", place(start), key.get_ref());
            };
            let text = match value.into_inner() {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) if known.key == PORT_KEY.key => number.to_string(),
                other => bail!("{}: {} cannot be of type {}", place(start), known.key, other.type_str()),
            };
            values.push((known.key, text, line_of(start)));
        }
        Ok(Self { path: path.to_owned(), values })
    }

    fn get(&self, key: &str) -> Option<(String, Origin, PathBuf)> {
        let (_, value, line) = self.values.iter().find(|(name, ..)| *name == key)?;
        let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
        Some((value.clone(), Origin::File(self.path.clone(), *line), folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SettingsFile {
        SettingsFile::parse(Path::new(path), text).unwrap()
    }

    fn none(_: &str) -> Result<Option<String>> {
        Ok(None)
    }

    #[test]
    fn without_files_and_variables_there_are_defaults() {
        let settings = Settings::from(&[], none).unwrap();
        assert_eq!(settings.index.value, Path::new(INDEX));
        assert_eq!((settings.port.value, settings.host.value.to_string().as_str()), (PORT, "127.0.0.1"));
        assert_eq!(settings.models, Setting { value: None, origin: Origin::Default });
    }

    #[test]
    fn a_variable_wins_over_the_folder_and_that_over_the_user() {
        let files = [
            file("hypatia.toml", "port = 9001\nindex = \"a.index\""),
            file("/u/h.toml", "# mine\n\nport = 1\nmodels = \"m\""),
        ];
        let settings =
            Settings::from(&files, |name| Ok((name == "HYPATIA_INDEX").then(|| "b.index".to_owned())))
                .unwrap();
        assert_eq!(
            settings.index,
            Setting { value: "b.index".into(), origin: Origin::Variable("HYPATIA_INDEX") }
        );
        assert_eq!(settings.port, Setting { value: 9001, origin: Origin::File("hypatia.toml".into(), 1) });
        // Paths are meant from where their file is.
        let origin = Origin::File("/u/h.toml".into(), 4);
        assert_eq!(settings.models, Setting { value: Some("/u/m".into()), origin });
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let read = |text: &str| {
            let file = SettingsFile::parse(Path::new("h.toml"), text);
            let error = file.and_then(|file| Settings::from(&[file], none)).unwrap_err();
            format!("{error:#}")
        };
        assert_eq!(
            read("\nindx = \"a\""),
            "h.toml, line 2: there is no setting 'indx'; did you mean 'index'? known: index, host, port, models"
        );
        assert_eq!(read("port = 70000"), "h.toml, line 1: port is a number from 0 to 65535, not '70000'");
        assert_eq!(
            read("host = \"everywhere\""),
            "h.toml, line 1: host is an IP address such as 127.0.0.1, not 'everywhere'"
        );
        assert_eq!(read("index = \"\""), "h.toml, line 1: the path is empty");
        assert_eq!(read("index = [1]"), "h.toml, line 1: index cannot be of type array");
        assert!(read("a = 1\nport = ").starts_with("h.toml, line 2: "));
    }
}
