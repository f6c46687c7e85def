//! Whether a command failed because what it was given is not whole.
//!
//! Such a command leaves with 1: the input was read, and the answer is "no".

use anyhow::Error;
use std::error::Error as StdError;

/// Whether an error says that a collection or an index is damaged, or a file that is read is cut short.
pub(crate) fn is_damage(error: &Error) -> bool {
    error.chain().any(is_damage_itself)
}

/// The errors of libraries that pass others on do not show them as their causes.
fn is_damage_itself(error: &(dyn StdError + 'static)) -> bool {
    match error.downcast_ref::<ingest::BuildError>() {
        Some(ingest::BuildError::Incomplete { .. }) => return true,
        Some(ingest::BuildError::Store(error)) => return error.is_damage(),
        _ => {}
    }
    if let Some(error) = error.downcast_ref::<store::Error>() {
        return error.is_damage();
    }
    if let Some(error) = error.downcast_ref::<index::Error>() {
        return error.is_damage();
    }
    if let Some(error) = error.downcast_ref::<shelf::Error>() {
        return error.is_damage();
    }
    if let Some(error) = error.downcast_ref::<retrieve::Error>() {
        return of_search(error);
    }
    match error.downcast_ref::<answer::Error>() {
        Some(answer::Error::Retrieve(error)) => return of_search(error),
        Some(answer::Error::Collection(error)) => return error.is_damage(),
        _ => {}
    }
    if let Some(web::ServeError::Index(error)) = error.downcast_ref() {
        return error.is_damage();
    }
    if let Some(export::Error::Store(error)) = error.downcast_ref() {
        return error.is_damage();
    }
    if let Some(topics::Error::Store(error)) = error.downcast_ref() {
        return error.is_damage();
    }
    matches!(error.downcast_ref(), Some(lab::Error::Store(error)) if error.is_damage())
}

fn of_search(error: &retrieve::Error) -> bool {
    match error {
        retrieve::Error::Index(error) => error.is_damage(),
        retrieve::Error::Collection(error) => error.is_damage(),
        _ => false,
    }
}
