//! Measuring on a noisy machine: lanes take turns, in an order that flips every round; what counts is the
//! thread's CPU time, and of all rounds a low percentile. Quote ratios of one run, never times of two. A bench uses the
//! parts that it needs.
#![allow(dead_code)]

use std::time::Duration;

/// Something to measure.
pub struct Lane<'a> {
    pub name: &'static str,
    run: Box<dyn FnMut(u64) + 'a>,
}

impl<'a> Lane<'a> {
    /// A lane that does `once`; the loop around it is compiled for it alone.
    pub fn new(name: &'static str, mut once: impl FnMut() + 'a) -> Self {
        Lane { name, run: Box::new(move |times| (0..times).for_each(|_| once())) }
    }

    /// CPU time of `times` turns.
    fn time(&mut self, times: u64) -> Duration {
        let start = cpu_time();
        (self.run)(times);
        cpu_time() - start
    }
}

/// CPU time of this thread.
pub fn cpu_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes into `now`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Nanoseconds that each lane takes for one turn: the 10th percentile of `rounds` samples of about `sample`.
pub fn nanoseconds(lanes: &mut [Lane], rounds: usize, sample: Duration) -> Vec<f64> {
    let times: Vec<u64> = lanes
        .iter_mut()
        .map(|lane| {
            let mut times = 1;
            while lane.time(times) < sample / 4 {
                times *= 2;
            }
            let turn = lane.time(times).as_nanos() as u64 / times;
            (sample.as_nanos() as u64 / turn.max(1)).max(1)
        })
        .collect();
    let mut samples = vec![Vec::new(); lanes.len()];
    for round in 0..rounds {
        for turn in 0..lanes.len() {
            let i = if round % 2 == 0 { turn } else { lanes.len() - 1 - turn };
            samples[i].push(lanes[i].time(times[i]).as_nanos() as f64 / times[i] as f64);
        }
    }
    for lane in &mut samples {
        lane.sort_by(f64::total_cmp);
    }
    samples.iter().map(|lane| lane[rounds / 10]).collect()
}

/// `size` bytes for a lane, never given back, that begin `offset` bytes after a 4 KiB boundary: a load that follows a
/// store to the same place of another page waits for it, and no lane shall have that by accident.
#[allow(dead_code)]
pub fn place(size: usize, offset: usize) -> &'static mut [u8] {
    let bytes = vec![0u8; size + offset + 4096].leak();
    let start = bytes.as_ptr().align_offset(4096) + offset;
    &mut bytes[start..start + size]
}
