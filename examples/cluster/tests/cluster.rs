//! Three nodes as processes: the same bytes from each, whatever is killed, and no order lost that was acknowledged.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use cluster::READS;
use cluster::processes::{Cluster, Failure, PATIENCE};
use serde_json::{Value, json};

async fn filled(name: &str) -> Result<Cluster, Failure> {
    let mut cluster = Cluster::new(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))?;
    cluster.start_all().await?;
    let leader = cluster.leader().await?;
    // Through a follower.
    cluster.post(if leader == 3 { 1 } else { 3 }, "/fill", &Value::Null).await?;
    cluster.until_caught_up().await?;
    Ok(cluster)
}

/// Every read from every running node, and by way of the leader.
async fn alike(cluster: &Cluster) -> Result<(), Failure> {
    for (what, _) in READS {
        let mut first = None;
        for id in cluster.running() {
            for consistent in [false, true] {
                let body =
                    cluster.get(id, &format!("/read/{what}?limit=100000&consistent={consistent}")).await?;
                serde_json::from_slice::<Value>(&body)?;
                assert!(body.len() > 10, "node {id}: {what}: {}", String::from_utf8_lossy(&body));
                assert_eq!(*first.get_or_insert_with(|| body.clone()), body, "node {id}: {what}");
            }
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_node_answers_the_same_and_as_typed_rows_do() -> Result<(), Failure> {
    let cluster = filled("alike").await?;
    alike(&cluster).await?;
    for id in 1..=3 {
        // serde_json and the base64 crate share no code with resq.
        let by_hand = cluster.get(id, "/by-hand?limit=10000").await?;
        assert!(cluster.get(id, "/read/users?limit=10000").await? == by_hand, "node {id}");
        assert!(by_hand.len() > 8_000_000);
    }
    let generated: Vec<String> = serde_json::from_slice(&cluster.get(2, "/read/generated?limit=9").await?)?;
    let users: Vec<Value> = serde_json::from_slice(&cluster.get(3, "/by-hand?limit=9").await?)?;
    assert_eq!(
        generated,
        users.iter().map(|user| user["photo"].as_str().unwrap_or_default()).collect::<Vec<_>>()
    );
    assert_eq!(cluster.get(1, "/read/integrity").await?, br#"{"integrity":["ok"]}"#);
    let report: Vec<Value> = serde_json::from_slice(&cluster.get(1, "/read/report").await?)?;
    assert_eq!(report.len(), 100);
    assert_eq!(report.iter().map(|row| row["orders"].as_i64().unwrap_or(0)).sum::<i64>(), 90_000);

    Ok(())
}

/// Until so many more orders are on their way.
async fn written(next: &AtomicI64, more: i64) -> Result<(), Failure> {
    let (begin, before) = (Instant::now(), next.load(Ordering::Relaxed));
    while next.load(Ordering::Relaxed) < before + more {
        if begin.elapsed() > PATIENCE {
            return Err("nobody can write".into());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_order_is_lost_whichever_node_is_killed() -> Result<(), Failure> {
    let mut cluster = filled("killed").await?;
    let (stop, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(1_000_000)));
    // Four writers, each to the nodes in turn, whether they run or not; what is not acknowledged is asked again.
    let writers: Vec<_> = (0..4_u16)
        .map(|writer| {
            let (http, stop, next) = (cluster.http.clone(), stop.clone(), next.clone());
            let urls: Vec<String> = (1..=3).map(|id| cluster.url(id, "/orders")).collect();
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                let mut at = usize::from(writer);
                while !stop.load(Ordering::Relaxed) {
                    let id = next.fetch_add(1, Ordering::Relaxed);
                    let body =
                        json!({ "id": id, "user": 1 + id % 10_000, "item": "x", "price": 0.5 }).to_string();
                    while !stop.load(Ordering::Relaxed) {
                        at += 1;
                        let request = http
                            .post(&urls[at % 3])
                            .header("content-type", "application/json")
                            .body(body.clone());
                        match request.send().await {
                            Ok(response) if response.status() == 201 => {
                                acknowledged.push(id);
                                break;
                            }
                            _ => tokio::time::sleep(Duration::from_millis(20)).await,
                        }
                    }
                }
                acknowledged
            })
        })
        .collect();

    for round in 0..6 {
        // Until the writers are under way again: the kill meets writes, not silence.
        written(&next, 50).await?;
        let leader = cluster.leader().await?;
        let victim = if round % 2 == 0 { leader } else { leader % 3 + 1 };
        cluster.kill(victim)?;
        written(&next, 50).await?;
        cluster.start(victim)?;
    }
    stop.store(true, Ordering::Relaxed);
    let mut acknowledged = HashSet::new();
    for writer in writers {
        acknowledged.extend(writer.await?);
    }
    assert!(acknowledged.len() > 500, "{}", acknowledged.len());

    cluster.until_caught_up().await?;
    for id in 1..=3 {
        let ids: HashSet<i64> = serde_json::from_slice(&cluster.get(id, "/read/ids?limit=1000000").await?)?;
        let lost: Vec<_> = acknowledged.difference(&ids).collect();
        assert!(lost.is_empty(), "node {id} lost {lost:?}");
        assert_eq!(cluster.get(id, "/read/integrity").await?, br#"{"integrity":["ok"]}"#, "node {id}");
        assert!((1..=90_000).all(|order| ids.contains(&order)), "node {id}");
    }
    alike(&cluster).await
}
