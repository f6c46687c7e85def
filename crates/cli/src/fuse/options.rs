//! From options to settings; an option that has no effect is an error.

use super::{By, FlatRule, Fuse, Normalise};
use anyhow::{Result, bail, ensure};
use fuse::{Flat, Fusion, Method, Normalisation};

/// The rank that ibc gives to what is missing, as MIRMU did.
const IBC_DEPTH: usize = 1000;

/// The constant of rrf as its authors chose it.
const RRF_K: f64 = 60.0;

/// What is added to the number of runs in logisr.
const LOG_ISR_SIGMA: f64 = 0.01;

/// What the options ask for.
pub(super) struct Settings {
    normalisation: Normalisation,
    method: Method,
    alpha: Option<f64>,
    depth: usize,
    /// The values of k, for rrf.
    pub(super) ks: Vec<f64>,
}

impl Settings {
    /// Looks at all options, and refuses those without effect.
    pub(super) fn new(args: &Fuse) -> Result<Self> {
        ensure!(args.runs.len() > 1, "there is one run; it takes two or more to be fused");
        let method = method(args);
        let by = args.by;
        let tuning = args.tuning.tune.is_some();
        ensure!(
            args.k.is_empty() || matches!(by, By::Rrf | By::RankedSum),
            "--k has no effect on {method}; it is the constant of rrf and ranked-sum"
        );
        ensure!(args.k.iter().all(|k| k.is_finite() && *k >= 0.0), "--k: not a number of 0 or more");
        ensure!(args.k.len() < 2 || tuning, "--k: several values need --tune, which chooses one");
        ensure!(args.alpha.is_some() == (by == By::Interpolate), "--alpha and --by interpolate go together");
        if let Some(alpha) = args.alpha {
            ensure!((0.0..=1.0).contains(&alpha), "--alpha: {alpha} is not between 0 and 1");
            ensure!(args.runs.len() == 2, "interpolate takes two runs, not {}", args.runs.len());
            ensure!(args.weights.is_empty(), "--alpha says what the runs count; --weights has no effect");
            ensure!(!tuning, "--tune finds weights, --alpha gives them; take --by weighted");
        }
        weights(args, &method)?;
        if !method.looks_at_scores() {
            ensure!(args.normalise.is_none(), "--normalise has no effect on {method}, which looks at ranks");
        }
        let min_max = method.looks_at_scores() && matches!(args.normalise, None | Some(Normalise::MinMax));
        ensure!(args.flat.is_none() || min_max, "--flat has no effect without --normalise min-max");
        ensure!(
            args.seed.is_none() || tuning || by == By::Ibc,
            "--seed has no effect: nothing is drawn without --tune or --by ibc"
        );
        let flat = match args.flat {
            None | Some(FlatRule::One) => Flat::One,
            Some(FlatRule::Zero) => Flat::Zero,
            Some(FlatRule::Keep) => Flat::Keep,
        };
        let normalisation = match args.normalise {
            None if !method.looks_at_scores() => Normalisation::None,
            None | Some(Normalise::MinMax) => Normalisation::MinMax(flat),
            Some(Normalise::None) => Normalisation::None,
            Some(Normalise::Z) => Normalisation::Z,
            Some(Normalise::Sum) => Normalisation::Sum,
            Some(Normalise::Max) => Normalisation::Max,
            Some(Normalise::Rank) => Normalisation::Rank,
        };
        let ks = if args.k.is_empty() { vec![RRF_K] } else { args.k.clone() };
        Ok(Self { normalisation, method, alpha: args.alpha, depth: args.depth as usize, ks })
    }

    /// Whether there is a k to choose.
    pub(super) fn has_k(&self) -> bool {
        matches!(self.method, Method::Rrf { .. } | Method::RankedSum { .. })
    }

    /// How to fuse with these weights, and this k if it is not the first.
    pub(super) fn fusion(&self, weights: &[f64], k: Option<f64>) -> Fusion {
        let method = match (self.method, k) {
            (Method::Rrf { .. }, Some(k)) => Method::Rrf { k },
            (Method::RankedSum { .. }, Some(k)) => Method::RankedSum { k },
            (method, _) => method,
        };
        let weights = self.alpha.map_or_else(|| weights.to_vec(), |alpha| vec![alpha, 1.0 - alpha]);
        Fusion { normalisation: self.normalisation, method, weights, depth: Some(self.depth) }
    }
}

fn weights(args: &Fuse, method: &Method) -> Result<()> {
    let tuning = args.tuning.tune.is_some();
    if tuning {
        ensure!(args.weights.is_empty(), "--tune finds weights, --weights gives them; take one");
        ensure!(method.is_sum(), "--tune: {method} adds nothing up, so weights have no effect on it");
        return Ok(());
    }
    if args.weights.is_empty() {
        ensure!(args.by != By::Weighted, "--by weighted needs --weights, one a run, or --tune");
        return Ok(());
    }
    ensure!(method.is_sum(), "--weights has no effect on {method}, which adds nothing up");
    let (given, runs) = (args.weights.len(), args.runs.len());
    ensure!(given == runs, "--weights: {given} weights for {runs} runs");
    if let Some(weight) = args.weights.iter().find(|weight| !weight.is_finite()) {
        bail!("--weights: {weight} is not a finite number");
    }
    ensure!(
        args.weights.iter().any(|weight| *weight != 0.0),
        "--weights: all are 0, so nothing would be left"
    );
    Ok(())
}

fn method(args: &Fuse) -> Method {
    let from = args.from.map(|from| from as usize);
    match args.by {
        By::Rrf => Method::Rrf { k: args.k.first().copied().unwrap_or(RRF_K) },
        By::RankedSum => Method::RankedSum { k: args.k.first().copied().unwrap_or(RRF_K) },
        By::Combsum | By::Weighted | By::Interpolate => Method::CombSum,
        By::Combmnz => Method::CombMnz,
        By::Combanz => Method::CombAnz,
        By::Combmax => Method::CombMax,
        By::Combmin => Method::CombMin,
        By::Combmed => Method::CombMed,
        By::Isr => Method::Isr,
        By::Logisr => Method::LogIsr { sigma: LOG_ISR_SIGMA },
        By::Borda => Method::Borda { depth: from },
        By::Ibc => Method::Ibc { depth: from.unwrap_or(IBC_DEPTH), seed: args.seed.unwrap_or(1) },
    }
}
