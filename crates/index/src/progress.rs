//! How far a build is.

/// Is told how far a build is.
pub trait Watch: Sync {
    /// A stage begins, of so many steps; 0 if their number is not known.
    fn stage(&self, name: &str, steps: u64);
    /// So many steps of the stage are done.
    fn done(&self, steps: u64);
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn stage(&self, _: &str, _: u64) {}

    fn done(&self, _: u64) {}
}
