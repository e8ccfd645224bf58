//! Turns: variants run one after the other, the order flips every round, and a variant's time is the 25th percentile of
//! its rounds' thread CPU times.

use crate::measure::cpu_time;

/// Does the work once and hands what came out to the reader.
pub type Run = Box<dyn FnMut(&mut dyn FnMut(&[u8]))>;

/// One way to do a lane's work.
pub struct Variant {
    pub name: String,
    pub run: Run,
}

impl Variant {
    pub fn new(name: &str, run: impl FnMut(&mut dyn FnMut(&[u8])) + 'static) -> Variant {
        Variant { name: name.to_owned(), run: Box::new(run) }
    }

    /// What comes out.
    pub fn output(&mut self) -> Vec<u8> {
        let mut output = Vec::new();
        (self.run)(&mut |bytes| output = bytes.to_vec());
        output
    }

    fn nanoseconds(&mut self, times: u32) -> f64 {
        let mut seen = 0;
        let start = cpu_time();
        for _ in 0..times {
            (self.run)(&mut |bytes| seen += bytes.len());
        }
        let time = cpu_time() - start;
        std::hint::black_box(seen);
        time.as_nanos() as f64 / f64::from(times)
    }
}

/// Nanoseconds that each variant takes for one run.
pub fn take(variants: &mut [Variant], rounds: usize, times: u32) -> Vec<f64> {
    let mut samples = vec![Vec::with_capacity(rounds); variants.len()];
    for variant in variants.iter_mut() {
        variant.nanoseconds(1);
    }
    for round in 0..rounds {
        for turn in 0..variants.len() {
            let at = if round % 2 == 0 { turn } else { variants.len() - 1 - turn };
            samples[at].push(variants[at].nanoseconds(times));
        }
    }
    samples
        .iter_mut()
        .map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 4]
        })
        .collect()
}
