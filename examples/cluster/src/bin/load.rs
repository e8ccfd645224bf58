//! Reads a second by one, two and three nodes, asked by this process over loopback. `make load-cluster` runs it.
//! Bounded: a few connections a node, some seconds a round.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cluster::processes::{Cluster, Failure};
use serde_json::Value;

const ROUNDS: usize = 5;
const SECONDS: u64 = 2;
const CONNECTIONS: usize = 4;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: load FOLDER")?;
    let mut cluster = Cluster::new(&folder)?;
    cluster.start_all().await?;
    cluster.post(1, "/fill", &Value::Null).await?;
    cluster.until_caught_up().await?;
    // By hand as without: else it is another answer that is compared.
    let (one, other) =
        (cluster.get(1, "/read/users?limit=1000").await?, cluster.get(2, "/by-hand?limit=1000").await?);
    if one != other {
        return Err("the two ways answer differently".into());
    }

    println!("{CONNECTIONS} connections a node, {ROUNDS} rounds of {SECONDS} s in turns; the middle round\n");
    println!(
        "| rows | nodes | resq: reads/s | µs a read | by hand: reads/s | µs a read | processor time, by hand to resq |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for limit in [25, 1000] {
        for nodes in 1..=3 {
            let mut found = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (way, path) in ["/read/users", "/by-hand"].into_iter().enumerate() {
                    found[way].push(round(&cluster, nodes, &format!("{path}?limit={limit}")).await?);
                }
            }
            let ratio = middle(found[0].iter().zip(&found[1]).map(|(resq, by_hand)| by_hand.1 / resq.1));
            let rate = |way: usize| middle(found[way].iter().map(|it| it.0));
            let cost = |way: usize| middle(found[way].iter().map(|it| it.1));
            println!(
                "| {limit} | {nodes} | {:.0} | {:.0} | {:.0} | {:.0} | {ratio:.2} |",
                rate(0),
                cost(0),
                rate(1),
                cost(1)
            );
        }
    }
    Ok(())
}

/// Reads a second, and µs of the nodes' processor time for one.
async fn round(cluster: &Cluster, nodes: u16, path: &str) -> Result<(f64, f64), Failure> {
    let used = || (1..=nodes).map(|id| processor_seconds(cluster.process(id))).sum::<Result<f64, Failure>>();
    let (before, begin) = (used()?, Instant::now());
    let mut tasks = Vec::new();
    for connection in 0..CONNECTIONS * usize::from(nodes) {
        let id = 1 + u16::try_from(connection)? % nodes;
        let (http, url) = (cluster.http.clone(), cluster.url(id, path));
        tasks.push(tokio::spawn(async move {
            let mut reads = 0_u32;
            while begin.elapsed() < Duration::from_secs(SECONDS) {
                http.get(&url).send().await?.error_for_status()?.bytes().await?;
                reads += 1;
            }
            Ok::<_, reqwest::Error>(reads)
        }));
    }
    let mut reads = 0;
    for task in tasks {
        reads += task.await??;
    }
    let (reads, seconds) = (f64::from(reads), begin.elapsed().as_secs_f64());
    Ok((reads / seconds, (used()? - before) / reads * 1e6))
}

fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// From Linux's /proc, in hundredths.
fn processor_seconds(process: Option<u32>) -> Result<f64, Failure> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.ok_or("a node is not running")?))?;
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}
