//! Measures against numbers known from elsewhere, and against themselves.

mod chance;
mod properties;
mod reading;
mod reference;
mod ties;

use crate::ResultGrade;

/// Measures of all kinds that need no unusual grades.
const MANY: &str = "nDCG nDCG' nDCG@2 nDCG'(gain=exp)@3 nDCG(gains={0:-1,1:5,2:0.5}) DCG@3 AP AP'(rel=2) AP@2 \
    P@1 P(rel=2)@3 P'@10 P@hit R@2 R'(rel=2)@3 Rprec Rprec' Rprec(mult=0.5) bpref bpref(rel=2) bpref(rel=0) RR \
    RR'(rel=2)@3 Success@2 Judged@2 Judged infAP infAP' infAP(rel=2) RBP(p=0.8) RBP'(p=0.5,max=3)@3 \
    ERR(max=3) ERR(max=4)@2 IPrec@0.3 IPrec'@0 11ptAvg 11ptAvg(rel=2) SetP SetR SetF SetF'(beta=2) SetAP GMAP \
    GMbpref NumQ NumRet NumRet' NumRel NumRelRet(rel=2) NumNonRelJudgedRet";

/// Calls `f` with every order of a few things.
fn for_each_order(
    things: &mut [ResultGrade],
    start: usize,
    end: usize,
    f: &mut dyn FnMut(&mut [ResultGrade]),
) {
    if start + 1 >= end {
        f(things);
        return;
    }
    for next in start..end {
        things.swap(start, next);
        for_each_order(things, start + 1, end, f);
        things.swap(start, next);
    }
}
