//! What systems are called where they stand without their team's heading.

use crate::input::{Role, System};

/// A name for each system, no two alike: the run, behind its team. Runs of a
/// team that share their name also tell their data, and else are numbered.
pub(super) fn labels(systems: &[System]) -> Vec<String> {
    let plain = |system: &System| match system.role {
        Role::Baseline => system.run.clone(),
        Role::Submitted(_) => format!("{} {}", system.team, system.run),
    };
    let with_data = |system: &System| format!("{} ({})", plain(system), system.data.sign());
    let occurs = |names: &[String], name: &str| names.iter().filter(|other| *other == name).count();
    let first: Vec<String> = systems.iter().map(plain).collect();
    let second: Vec<String> = systems
        .iter()
        .zip(&first)
        .map(|(system, name)| if occurs(&first, name) > 1 { with_data(system) } else { name.clone() })
        .collect();
    let mut labels = Vec::with_capacity(systems.len());
    for (index, name) in second.iter().enumerate() {
        labels.push(match occurs(&second, name) {
            0 | 1 => name.clone(),
            _ => format!("{name} #{}", occurs(&second[..=index], name)),
        });
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::DataUsed;
    use crate::testing::{baseline, submitted};

    #[test]
    fn no_two_names_are_alike() {
        let mut systems =
            vec![baseline("BM25"), submitted("MIRMU", "x"), submitted("MIRMU", "x"), submitted("A", "y")];
        systems[2].data = DataUsed::Text;
        systems.push(systems[3].clone());
        assert_eq!(labels(&systems), ["BM25", "MIRMU x (B)", "MIRMU x (T)", "A y (B) #1", "A y (B) #2"]);
    }
}
