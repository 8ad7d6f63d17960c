//! Work on several threads, as far as the system gives them.
//!
//! A system under load, or one with a limit on processes, refuses to start a thread. Nothing is missed then: the
//! calling thread always takes part, and does alone what nobody helps it with. A panic of a worker goes on in the
//! caller. Nothing is here about what is shared among workers, and none outlives the call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, ScopedJoinHandle};

/// Does something with each number below `count`, on up to `jobs` threads; the answers in the order of the numbers.
pub fn each<T: Send>(count: usize, jobs: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let number = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < count);
        std::iter::from_fn(number).map(|it| (it, work(it))).collect::<Vec<(usize, T)>>()
    };
    let done = several(jobs.min(count), take);
    let mut done: Vec<(usize, T)> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|it| it.0);
    done.into_iter().map(|it| it.1).collect()
}

/// Does the same on up to `jobs` threads, among which is the calling one; what each answers.
///
/// For work that takes from a common store until it is empty: fewer threads than asked for do all of it, too.
pub fn several<T: Send>(jobs: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    several_from(Builder::new, jobs, work)
}

/// Does two things at the same time, or one after the other.
pub fn both<A, B: Send>(here: impl FnOnce() -> A, beside: impl Fn() -> B + Sync) -> (A, B) {
    both_from(Builder::new, here, beside)
}

fn several_from<T: Send>(builder: impl Fn() -> Builder, jobs: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..jobs).map_while(|_| builder().spawn_scoped(scope, &work).ok()).collect();
        let own = work();
        std::iter::once(own).chain(threads.into_iter().map(answer)).collect()
    })
}

fn both_from<A, B: Send>(
    builder: impl Fn() -> Builder,
    here: impl FnOnce() -> A,
    beside: impl Fn() -> B + Sync,
) -> (A, B) {
    std::thread::scope(|scope| {
        let thread = builder().spawn_scoped(scope, &beside);
        let first = here();
        (first, thread.map_or_else(|_| beside(), answer))
    })
}

fn answer<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread::{Builder, ThreadId, current};

    use super::{both, both_from, each, several, several_from};

    /// No address space has room for such a stack.
    fn refused() -> Builder {
        Builder::new().stack_size(1 << 60)
    }

    fn here(ids: &[ThreadId]) -> bool {
        ids.iter().all(|it| *it == current().id())
    }

    #[test]
    fn answers_are_in_order() {
        assert_eq!(each(100, 4, |it| it * it), (0..100).map(|it| it * it).collect::<Vec<_>>());
        assert_eq!(each(0, 4, |it| it), Vec::<usize>::new());
    }

    #[test]
    fn threads_work_at_the_same_time() {
        let meeting = Barrier::new(3);
        assert_eq!(several(3, || meeting.wait().is_leader()).into_iter().filter(|it| *it).count(), 1);
        let meeting = Barrier::new(2);
        let (first, second) = both(|| meeting.wait().is_leader(), || meeting.wait().is_leader());
        assert_ne!(first, second);
    }

    #[test]
    fn the_caller_does_what_nobody_is_started_for() {
        assert!(refused().spawn(|| ()).is_err());
        let ids = several_from(refused, 4, || current().id());
        assert!(ids.len() == 1 && here(&ids));
        let (first, second) = both_from(refused, || current().id(), || current().id());
        assert!(here(&[first, second]));
    }

    #[test]
    #[should_panic(expected = "a worker's own words")]
    fn a_panic_goes_on_in_the_caller() {
        both(|| (), || panic!("a worker's own words"));
    }
}
