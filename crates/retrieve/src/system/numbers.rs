//! Numbers in system files: finite ones only.

use serde::de::DeserializeOwned;

/// Reads a system file of any kind.
///
/// # Errors
///
/// When the text is not understood, with line and column, or holds a number that is not finite, with its key.
pub fn read_settings<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let settings = toml::from_str(text).map_err(|cause| cause.to_string())?;
    check_numbers(&toml::from_str(text).map_err(|cause| cause.to_string())?)?;
    Ok(settings)
}

/// Refuses `nan` and `inf`, which TOML allows and no setting means.
pub(super) fn check_numbers(table: &toml::Table) -> Result<(), String> {
    table.iter().try_for_each(|(key, value)| check_value(key, value))
}

fn check_value(path: &str, value: &toml::Value) -> Result<(), String> {
    match value {
        toml::Value::Float(number) if !number.is_finite() => {
            Err(format!("`{path}` is {number}: only finite numbers are allowed"))
        }
        toml::Value::Array(values) => {
            let mut numbered = values.iter().enumerate();
            numbered.try_for_each(|(place, value)| check_value(&format!("{path}.{place}"), value))
        }
        toml::Value::Table(table) => {
            table.iter().try_for_each(|(key, value)| check_value(&format!("{path}.{key}"), value))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_are_refused_with_their_key() {
        let read = read_settings::<toml::Table>;
        assert_eq!(read("a = 1.5\n[b]\nc = [1, 2.0]").map(|table| table.len()), Ok(2));
        let error = read("a = 1.5\n[b]\nc = [1.0, nan]").unwrap_err();
        assert_eq!(error, "`b.c.1` is NaN: only finite numbers are allowed");
        let error = read("a = -inf").unwrap_err();
        assert_eq!(error, "`a` is -inf: only finite numbers are allowed");
    }
}
