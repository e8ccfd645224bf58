//! Three nodes as three processes: filled, asked, the leader killed, started again. `make cluster` runs it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::Instant;

use cluster::READS;
use cluster::processes::{Cluster, Failure};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: demo FOLDER")?;
    let mut cluster = Cluster::new(&folder)?;
    println!("Three processes, each with a copy of the database and with resq in it:");
    cluster.start_all().await?;
    for id in 1..=3 {
        println!(
            "  node {id}: {}  {}",
            cluster.url(id, "/"),
            String::from_utf8_lossy(&cluster.get(id, "/read/debug").await?)
        );
    }
    let leader = cluster.leader().await?;
    let follower = if leader == 1 { 2 } else { 1 };
    println!("  the leader is node {leader}\n");

    let begin = Instant::now();
    cluster.post(follower, "/fill", &Value::Null).await?;
    cluster.until_caught_up().await?;
    println!(
        "10,000 users with photos and 90,000 orders, written through node {follower}, a follower: {:.1?}",
        begin.elapsed()
    );
    compare(&cluster).await?;

    println!("\nA read that is consistent goes to the leader, the others to the node's own copy:");
    for (kind, path) in
        [("local", "/read/users?limit=100"), ("consistent", "/read/users?limit=100&consistent=true")]
    {
        let begin = Instant::now();
        let body = cluster.get(follower, path).await?;
        println!("  {kind:10} {} bytes, {}, {:.1?}", body.len(), hash(&body), begin.elapsed());
    }

    println!("\nThe leader, node {leader}, is killed (SIGKILL); the others go on:");
    let begin = Instant::now();
    cluster.kill(leader)?;
    let next = cluster.leader().await?;
    println!("  node {next} leads after {:.1?}", begin.elapsed());
    let order = json!({ "id": 1_000_000, "user": 1, "item": "an order after the kill", "price": 9.5 });
    cluster.post(next, "/orders", &order).await?;
    cluster.until_caught_up().await?;
    compare(&cluster).await?;

    println!("\nNode {leader} is started again and catches up:");
    let begin = Instant::now();
    cluster.start(leader)?;
    cluster.until_caught_up().await?;
    println!("  {:.1?}, until it has applied what the others have", begin.elapsed());
    compare(&cluster).await
}

/// The bytes of each read from each running node, as a hash.
async fn compare(cluster: &Cluster) -> Result<(), Failure> {
    for (what, _) in READS.iter().filter(|(what, _)| *what != "debug") {
        let mut hashes = Vec::new();
        let mut length = 0;
        for id in cluster.running() {
            let body = cluster.get(id, &format!("/read/{what}")).await?;
            length = body.len();
            hashes.push(hash(&body));
        }
        println!("  {what:10} {length:>9} bytes  {}", hashes.join("  "));
        if hashes.iter().collect::<HashSet<_>>().len() != 1 {
            return Err(format!("{what}: nodes answer differently").into());
        }
    }
    Ok(())
}

fn hash(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
