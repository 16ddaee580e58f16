//! Short work off the async threads: questions about the rules, files to check, pictures.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// A bounded share of tokio's blocking threads, which alone would grow to hundreds.
#[derive(Debug)]
pub(crate) struct Blocking {
    running: Arc<Semaphore>,
    /// Those that run and those that wait.
    admitted: Arc<Semaphore>,
}

impl Blocking {
    /// So many run at once, and so many more may wait.
    pub(crate) fn new(threads: usize, waiting: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(threads)),
            admitted: Arc::new(Semaphore::new(threads + waiting)),
        }
    }

    /// Runs some work in its turn; refused where too much waits already.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted = admitted.map_err(|_| Refusal::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|_| Refusal::Busy)?;
        // Whoever asked may be gone before it is done: what it takes is given back by the work itself.
        let done = tokio::task::spawn_blocking(move || {
            let _held = (admitted, running);
            work()
        });
        done.await.map_err(|_| Refusal::Busy)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn so_many_run_so_many_wait_and_no_more_is_taken() {
        let pool = Arc::new(Blocking::new(1, 2));
        let (begun, beginnings) = mpsc::channel();
        let (release, gate) = mpsc::channel::<()>();
        let gate = Arc::new(std::sync::Mutex::new(gate));
        let mut asked = Vec::new();
        for number in 0..3 {
            let (begun, gate) = (begun.clone(), Arc::clone(&gate));
            let work = move || {
                begun.send(number).unwrap();
                gate.lock().unwrap().recv().unwrap();
                number
            };
            let of = Arc::clone(&pool);
            asked.push(tokio::spawn(async move { of.run(work).await }));
            // Each is admitted before the next comes.
            while pool.admitted.available_permits() != 2 - number {
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(pool.run(|| ()).await, Err(Refusal::Busy));
        assert_eq!(pool.running.available_permits(), 0);
        for (number, task) in asked.into_iter().enumerate() {
            release.send(()).unwrap();
            assert_eq!(task.await.unwrap(), Ok(number));
        }
        let order: Vec<usize> = beginnings.try_iter().collect();
        assert_eq!(order, [0, 1, 2]);
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_that_panics_is_a_refusal_and_gives_its_place_back() {
        let pool = Blocking::new(1, 0);
        assert_eq!(
            pool.run(|| panic!("on purpose")).await,
            Err::<(), _>(Refusal::Busy)
        );
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }
}
