//! How many topics? Power of the paired t-test before the topics are judged.
//!
//! With a true effect d = (mean difference)/(standard deviation of differences),
//! the statistic of n topics follows a noncentral t with n − 1 degrees of freedom
//! and δ = d·√n. The power is its share beyond the two critical values
//! (Cohen 1988; Sakai 2018 for topic sets). All tests are two-sided.

use crate::distributions::{noncentral_t_below, student_t_quantile};
use crate::error::{Error, fits, open_unit};
use crate::special::falling_root;

/// More topics than this are not searched.
pub const MOST_TOPICS: u32 = 10_000_000;

/// What a test should be able to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// The chance of a false alarm, such as 0.05.
    pub alpha: f64,
    /// The chance of seeing the effect, such as 0.8.
    pub power: f64,
}

/// The chance that a paired t-test over `topics` topics is significant at `alpha`.
///
/// `effect` is d_z; its sign does not matter.
///
/// ```
/// let power = stats::power::paired_t_power(0.5, 33, 0.05)?;
/// assert!((power - 0.795).abs() < 0.001);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the effect is not finite, alpha is not strictly between 0 and 1, or
/// there are fewer than two topics.
pub fn paired_t_power(effect: f64, topics: u32, alpha: f64) -> Result<f64, Error> {
    power_at(fits(effect)? * f64::from(topics).sqrt(), topics, alpha)
}

/// The smallest number of topics with which the goal is met, from 2 on.
///
/// # Errors
/// When a parameter is out of range, or more than [`MOST_TOPICS`] would be needed.
pub fn topics_needed(effect: f64, goal: &Goal) -> Result<u32, Error> {
    open_unit("power", goal.power)?;
    let enough = |topics| Ok::<_, Error>(paired_t_power(effect, topics, goal.alpha)? >= goal.power);
    let mut high = 2;
    while !enough(high)? {
        if high >= MOST_TOPICS {
            return Err(Error::OutOfRange { name: "effect", value: effect, allowed: "larger for this goal" });
        }
        high = (high * 2).min(MOST_TOPICS);
    }
    let mut low = high / 2;
    while high - low > 1 && high > 2 {
        let middle = low + (high - low) / 2;
        if enough(middle)? { high = middle } else { low = middle }
    }
    Ok(high)
}

/// The smallest true mean difference that meets the goal with so many topics.
///
/// `deviation` is the standard deviation of the differences, from earlier topics.
///
/// # Errors
/// When a parameter is out of range, the power is not above alpha, or there are fewer than two topics.
pub fn detectable_difference(topics: u32, deviation: f64, goal: &Goal) -> Result<f64, Error> {
    open_unit("power", goal.power)?;
    if !(deviation >= 0.0 && deviation.is_finite()) {
        let allowed = "finite and not negative";
        return Err(Error::OutOfRange { name: "deviation", value: deviation, allowed });
    }
    if power_at(0.0, topics, goal.alpha)? >= goal.power {
        return Err(Error::OutOfRange { name: "power", value: goal.power, allowed: "above alpha" });
    }
    // Errors do not depend on δ, so the probe above has shown that there are none.
    let shift = falling_root(1.0 - goal.power, |shift| {
        power_at(shift, topics, goal.alpha).map_or(0.0, |power| 1.0 - power)
    });
    fits(shift / f64::from(topics).sqrt() * deviation)
}

fn power_at(shift: f64, topics: u32, alpha: f64) -> Result<f64, Error> {
    if topics < 2 {
        return Err(Error::TooFew { needed: 2, found: topics as usize });
    }
    open_unit("alpha", alpha)?;
    let degrees = topics - 1;
    let critical = -student_t_quantile(0.5 * alpha, f64::from(degrees))?;
    let shift = fits(shift.abs())?;
    let above = 1.0 - noncentral_t_below(critical, degrees, shift)?;
    Ok((above + noncentral_t_below(-critical, degrees, shift)?).min(1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOAL: Goal = Goal { alpha: 0.05, power: 0.8 };

    /// statsmodels 0.15.0, `stats.power.TTestPower().power`.
    #[test]
    fn power_agrees_with_statsmodels() {
        for (effect, topics, alpha, expected) in POWER {
            let power = paired_t_power(effect, topics, alpha).unwrap();
            assert!((power - expected).abs() < 1e-9, "{effect} {topics} {alpha}: {power} is not {expected}");
            assert_eq!(paired_t_power(-effect, topics, alpha), Ok(power));
        }
    }

    const POWER: [(f64, u32, f64, f64); 5] = [
        (0.5, 33, 0.05, 0.795365841487504),
        (0.2, 78, 0.05, 0.4147375275817151),
        (1.0, 5, 0.01, 0.12838794077932006),
        (0.8, 2, 0.05, 0.07882061454243196),
        (0.05, 1000, 0.1, 0.47480244449385306),
    ];

    /// statsmodels 0.15.0, `stats.power.TTestPower().solve_power`, rounded up.
    #[test]
    fn needed_topics_agree_with_statsmodels() {
        for (effect, power, expected) in TOPICS {
            assert_eq!(topics_needed(effect, &Goal { power, ..GOAL }), Ok(expected), "{effect} {power}");
        }
    }

    const TOPICS: [(f64, f64, u32); 4] = [(0.5, 0.8, 34), (0.2, 0.8, 199), (0.1, 0.9, 1053), (1.0, 0.95, 16)];

    #[test]
    fn the_detectable_difference_has_just_the_power_asked_for() {
        let difference = detectable_difference(50, 0.2, &GOAL).unwrap();
        assert!((paired_t_power(difference / 0.2, 50, 0.05).unwrap() - 0.8).abs() < 1e-9);
        assert_eq!(detectable_difference(50, 0.0, &GOAL), Ok(0.0));
    }

    #[test]
    fn questions_without_an_answer_are_errors() {
        assert_eq!(paired_t_power(0.5, 1, 0.05), Err(Error::TooFew { needed: 2, found: 1 }));
        assert!(paired_t_power(f64::NAN, 10, 0.05).is_err());
        assert!(paired_t_power(0.5, 10, 0.0).is_err());
        assert!(topics_needed(0.0, &GOAL).is_err());
        assert!(topics_needed(0.5, &Goal { power: 1.0, ..GOAL }).is_err());
        assert!(detectable_difference(10, 0.1, &Goal { alpha: 0.5, power: 0.3 }).is_err());
        assert!(detectable_difference(10, -0.1, &GOAL).is_err());
    }

    #[test]
    fn a_huge_effect_is_always_seen() {
        assert_eq!(topics_needed(1e200, &GOAL), Ok(2));
        assert!((paired_t_power(0.0, 20, 0.05).unwrap() - 0.05).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn power_grows_with_effect_and_topics(effect in 0.0..3.0_f64, topics in 2_u32..200) {
            let power = paired_t_power(effect, topics, 0.05).unwrap();
            prop_assert!((0.0..=1.0).contains(&power));
            prop_assert!(paired_t_power(effect + 0.1, topics, 0.05).unwrap() >= power - 1e-12);
            prop_assert!(paired_t_power(effect, topics + 1, 0.05).unwrap() >= power - 1e-12);
        }
    }
}
