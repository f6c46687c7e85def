//! Connections that are open: from which network, and whether anything happens on them.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// A connection that has been idle for less is not closed for others: its request may be under way.
const GRACE: Duration = Duration::from_secs(1);

/// How often connections were closed for others or turned away.
#[derive(Clone, Debug, Default)]
pub(crate) struct DoorCounts(Arc<[AtomicU64; 2]>);

impl DoorCounts {
    /// Idle connections that were closed to make room.
    pub(crate) fn shed(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Connections that were turned away since their network had too many.
    pub(crate) fn refused(&self) -> u64 {
        self.0[1].load(Ordering::Relaxed)
    }
}

/// All connections that are open.
#[derive(Clone, Debug)]
pub(super) struct Guests {
    start: Instant,
    counts: DoorCounts,
    networks: Arc<Mutex<Networks>>,
}

#[derive(Debug, Default)]
struct Networks {
    next: u64,
    guests: HashMap<IpAddr, BTreeMap<u64, Arc<Guest>>>,
}

/// A connection that is open.
#[derive(Debug)]
pub(super) struct Guest {
    start: Instant,
    network: IpAddr,
    number: u64,
    /// Whether a request is being answered.
    works: AtomicBool,
    /// Whether the client has not yet taken what was sent to it.
    blocked: AtomicBool,
    /// When something happened last, in milliseconds since the server began.
    last: AtomicU64,
    leaving: AtomicBool,
    leave: Notify,
}

impl Guest {
    fn new(start: Instant, network: IpAddr, number: u64) -> Self {
        let guest = Self {
            start,
            network,
            number,
            works: AtomicBool::new(false),
            blocked: AtomicBool::new(false),
            last: AtomicU64::new(0),
            leaving: AtomicBool::new(false),
            leave: Notify::new(),
        };
        guest.touch();
        guest
    }

    /// A request has come.
    pub(super) fn works(&self) {
        self.works.store(true, Ordering::Relaxed);
    }

    /// Its answer has been written.
    pub(super) fn rests(&self) {
        self.touch();
        self.works.store(false, Ordering::Relaxed);
    }

    /// Something was sent, or could not be sent yet.
    pub(super) fn sends(&self, blocked: bool) {
        self.blocked.store(blocked, Ordering::Relaxed);
        self.touch();
    }

    fn touch(&self) {
        let elapsed = self.start.elapsed().as_millis();
        self.last.store(u64::try_from(elapsed).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Whether nothing is under way: no request was read in full that has not been answered.
    pub(super) fn is_idle(&self) -> bool {
        !self.works.load(Ordering::Relaxed) && !self.blocked.load(Ordering::Relaxed)
    }

    /// Ends when the connection is to be closed for others.
    pub(super) async fn told_to_leave(&self) {
        self.leave.notified().await;
    }
}

impl Guests {
    pub(super) fn new(counts: &DoorCounts) -> Self {
        Self { start: Instant::now(), counts: counts.clone(), networks: Arc::default() }
    }

    pub(super) fn enter(&self, network: IpAddr) -> Arc<Guest> {
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        let number = networks.next;
        networks.next += 1;
        let guest = Arc::new(Guest::new(self.start, network, number));
        networks.guests.entry(network).or_default().insert(number, Arc::clone(&guest));
        guest
    }

    pub(super) fn leave(&self, guest: &Guest) {
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_network) = networks.guests.get_mut(&guest.network) {
            of_network.remove(&guest.number);
            if of_network.is_empty() {
                networks.guests.remove(&guest.network);
            }
        }
    }

    /// Whether a network may have one more connection. Where it has as many as it may have, an idle
    /// one of them is closed; connections that are told to leave do not count.
    pub(super) fn has_room(&self, network: IpAddr, most: usize) -> bool {
        let networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(of_network) = networks.guests.get(&network) else { return true };
        let staying = of_network.values().filter(|guest| !guest.leaving.load(Ordering::Relaxed)).count();
        let has_room = staying < most || self.shed_of(of_network);
        if !has_room {
            self.counts.0[1].fetch_add(1, Ordering::Relaxed);
        }
        has_room
    }

    /// Closes the connection that has been idle for longest, of the network that has most of them.
    pub(super) fn shed_any(&self) {
        let networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut by_size: Vec<_> = networks.guests.values().collect();
        by_size.sort_by_key(|of_network| {
            let idle_since = self.longest_idle(of_network).map_or(u64::MAX, last);
            (std::cmp::Reverse(of_network.len()), idle_since)
        });
        let _ = by_size.into_iter().any(|of_network| self.shed_of(of_network));
    }

    /// Closes the connection of a network that has been idle for longest, if there is any.
    fn shed_of(&self, of_network: &BTreeMap<u64, Arc<Guest>>) -> bool {
        let Some(guest) = self.longest_idle(of_network) else { return false };
        guest.leaving.store(true, Ordering::Relaxed);
        guest.leave.notify_one();
        self.counts.0[0].fetch_add(1, Ordering::Relaxed);
        true
    }

    fn longest_idle<'g>(&self, of_network: &'g BTreeMap<u64, Arc<Guest>>) -> Option<&'g Arc<Guest>> {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let grace = u64::try_from(GRACE.as_millis()).unwrap_or(u64::MAX);
        let may_go = |guest: &&Arc<Guest>| {
            guest.is_idle()
                && !guest.leaving.load(Ordering::Relaxed)
                && now.saturating_sub(last(guest)) >= grace
        };
        of_network.values().filter(may_go).min_by_key(|guest| last(guest))
    }
}

fn last(guest: &Arc<Guest>) -> u64 {
    guest.last.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    /// Connections as if the server had begun ten seconds ago; each came at its second.
    fn guests(of: &[(u8, u64)]) -> (Guests, Vec<Arc<Guest>>) {
        let mut guests = Guests::new(&DoorCounts::default());
        guests.start = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        let entered = of
            .iter()
            .map(|(network, second)| {
                let guest = guests.enter(at(*network));
                guest.last.store(second * 1000, Ordering::Relaxed);
                guest
            })
            .collect();
        (guests, entered)
    }

    fn leaving(guests: &[Arc<Guest>]) -> Vec<usize> {
        let leaving = |guest: &Arc<Guest>| guest.leaving.load(Ordering::Relaxed);
        guests.iter().enumerate().filter(|(_, guest)| leaving(guest)).map(|(at, _)| at).collect()
    }

    #[test]
    fn the_longest_idle_of_the_largest_network_goes_first() {
        let (guests, entered) = guests(&[(1, 0), (2, 5), (2, 4), (2, 6), (3, 1)]);
        guests.shed_any();
        assert_eq!(leaving(&entered), [2]);
        entered[3].works();
        guests.shed_any();
        assert_eq!(leaving(&entered), [1, 2]);
        // The last of them works, so that the others are looked at, the longest idle first.
        guests.shed_any();
        assert_eq!(leaving(&entered), [0, 1, 2]);
        assert_eq!(guests.counts.shed(), 3);
    }

    #[test]
    fn nobody_goes_who_has_just_come_works_or_is_being_sent_something() {
        let (guests, entered) = guests(&[(1, 0), (1, 0), (1, 10)]);
        entered[0].works();
        entered[1].blocked.store(true, Ordering::Relaxed);
        guests.shed_any();
        assert_eq!(leaving(&entered), [] as [usize; 0]);
        entered[0].rests();
        guests.shed_any();
        assert_eq!(leaving(&entered), [] as [usize; 0], "the next request may be under way");
    }

    #[test]
    fn a_network_has_its_own_limit() {
        let (guests, entered) = guests(&[(1, 0), (1, 2), (2, 0)]);
        assert!(guests.has_room(at(1), 3) && guests.has_room(at(2), 2) && guests.has_room(at(9), 1));
        assert_eq!(leaving(&entered), [] as [usize; 0]);
        assert!(guests.has_room(at(1), 2), "its longest idle one goes");
        assert_eq!(leaving(&entered), [0]);
        guests.leave(&entered[0]);
        entered[1].works();
        assert!(!guests.has_room(at(1), 1));
        assert_eq!((guests.counts.shed(), guests.counts.refused()), (1, 1));
        for guest in &entered {
            guests.leave(guest);
        }
        assert!(guests.networks.lock().unwrap().guests.is_empty(), "nothing is kept of who has left");
    }
}
