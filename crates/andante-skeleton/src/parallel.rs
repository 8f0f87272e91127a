//! Work that the cores of a machine share with the feature `parallel`, and that one does alone without it. What comes
//! out is the same, and in the same order.

/// Does two things.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}

/// Does something whose parts are shared, where that costs the least.
pub fn together<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

/// Does the same with each of some things. Nothing is allocated for it.
pub fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
    for_each_of_many(2, items, work);
}

/// Does the same with each of some things, and without other cores if there are fewer than so many: waking them takes
/// about ten microseconds.
///
/// ```
/// let mut numbers = [1, 2, 3];
/// andante_skeleton::parallel::for_each_of_many(64, &mut numbers, |number| *number *= 2);
/// assert_eq!(numbers, [2, 4, 6]);
/// ```
pub fn for_each_of_many<T: Send>(
    many: usize,
    items: &mut [T],
    work: impl Fn(&mut T) + Send + Sync,
) {
    #[cfg(feature = "parallel")]
    if items.len() >= many {
        return rayon::iter::ParallelIterator::for_each(
            rayon::iter::IntoParallelRefMutIterator::par_iter_mut(items),
            work,
        );
    }
    #[cfg(not(feature = "parallel"))]
    let _ = many;
    items.iter_mut().for_each(work);
}

/// Does the same with each of some things and what belongs to it, and without other cores if there are fewer than so many.
///
/// ```
/// let (mut numbers, mut squares) = ([1, 2, 3], [0; 3]);
/// andante_skeleton::parallel::for_each_pair(64, &mut numbers, &mut squares, |n, square| *square = *n * *n);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
pub fn for_each_pair<A: Send, B: Send>(
    many: usize,
    items: &mut [A],
    others: &mut [B],
    work: impl Fn(&mut A, &mut B) + Send + Sync,
) {
    #[cfg(feature = "parallel")]
    if items.len() >= many {
        use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
        let pairs = items.par_iter_mut().zip(others.par_iter_mut());
        return pairs.for_each(|(item, other)| work(item, other));
    }
    #[cfg(not(feature = "parallel"))]
    let _ = many;
    items.iter_mut().zip(others).for_each(|(item, other)| work(item, other));
}

/// Maps items to results, in order, on all cores if the feature `parallel` is on.
///
/// ```
/// let lengths = andante_skeleton::parallel::map(vec!["one", "three"], str::len);
/// assert_eq!(lengths, [3, 5]);
/// ```
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        let items: Vec<T> = items.into_iter().collect();
        if items.len() < 2 {
            return items.into_iter().map(work).collect();
        }
        items.into_par_iter().map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    items.into_iter().map(work).collect()
}

/// Does something beside whatever else is done, on threads of its own. Whether it is done at all: without the feature, and
/// where there are no threads, it is not.
pub fn beside(work: impl FnOnce() + Send + 'static) -> bool {
    #[cfg(feature = "parallel")]
    {
        use std::sync::OnceLock;
        static POOL: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
        let pool = POOL.get_or_init(|| {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            let threads = (cores / 2).clamp(1, 4);
            let name = |number: usize| format!("andante beside {number}");
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()
        });
        if let Some(pool) = pool {
            pool.spawn(work);
        }
        pool.is_some()
    }
    #[cfg(not(feature = "parallel"))]
    {
        drop(work);
        false
    }
}
