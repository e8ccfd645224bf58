//! Nodes as processes of their own: started, asked, killed, started again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Address;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How long anything may take before it counts as wrong. Elections take seconds, on a busy machine many.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Cluster {
    folder: PathBuf,
    first_port: u16,
    nodes: [Option<Child>; 3],
    pub http: reqwest::Client,
}

impl Cluster {
    /// An empty cluster in a folder, which is emptied; nothing runs yet.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build()?;
        Ok(Self { folder: folder.to_owned(), first_port: free_ports()?, nodes: [None, None, None], http })
    }

    pub fn start(&mut self, id: u16) -> Result<(), Failure> {
        let program = std::env::current_exe()?;
        // Beside this program; tests are one folder deeper.
        let program = program
            .ancestors()
            .skip(1)
            .map(|folder| folder.join("resq-node"))
            .find(|program| program.is_file())
            .ok_or("resq-node is not built")?;
        let log =
            std::fs::File::options().create(true).append(true).open(self.folder.join(format!("{id}.log")))?;
        let child = Command::new(program)
            .args([
                id.to_string(),
                self.folder.join(id.to_string()).display().to_string(),
                self.first_port.to_string(),
            ])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.nodes[usize::from(id - 1)] = Some(child);
        Ok(())
    }

    pub async fn start_all(&mut self) -> Result<(), Failure> {
        for id in 1..=3 {
            self.start(id)?;
        }
        self.until_caught_up().await
    }

    /// SIGKILL: the node gets no chance to say goodbye or to write anything.
    pub fn kill(&mut self, id: u16) -> Result<(), Failure> {
        if let Some(mut child) = self.nodes[usize::from(id - 1)].take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    pub fn process(&self, id: u16) -> Option<u32> {
        self.nodes[usize::from(id - 1)].as_ref().map(Child::id)
    }

    pub fn running(&self) -> Vec<u16> {
        (1..=3).filter(|id| self.nodes[usize::from(id - 1)].is_some()).collect()
    }

    pub fn url(&self, id: u16, path: &str) -> String {
        format!("http://{}{path}", Address { first_port: self.first_port, id }.http())
    }

    pub async fn get(&self, id: u16, path: &str) -> Result<Vec<u8>, Failure> {
        let response = self.http.get(self.url(id, path)).send().await?;
        let (status, body) = (response.status(), response.bytes().await?);
        if status != 200 {
            return Err(format!("node {id}: {path}: {status}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok(body.into())
    }

    pub async fn post(&self, id: u16, path: &str, body: &Value) -> Result<(), Failure> {
        let request = self.http.post(self.url(id, path)).header("content-type", "application/json");
        let response = request.body(body.to_string()).send().await?;
        let (status, body) = (response.status(), response.bytes().await?);
        if !status.is_success() {
            return Err(format!("node {id}: {path}: {status}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok(())
    }

    /// Leader and last applied entry, as a node has them.
    async fn state(&self, id: u16) -> Option<(u16, u64)> {
        let state: Value = serde_json::from_slice(&self.get(id, "/state").await.ok()?).ok()?;
        Some((u16::try_from(state["leader"].as_u64()?).ok()?, state["applied"].as_u64()?))
    }

    /// The leader that all running nodes agree on and that runs.
    pub async fn leader(&self) -> Result<u16, Failure> {
        Ok(self.agreed(|_| true).await?.0)
    }

    /// Until all running nodes have applied the same.
    pub async fn until_caught_up(&self) -> Result<(), Failure> {
        self.agreed(|applied| applied.windows(2).all(|two| two[0] == two[1])).await.map(|_| ())
    }

    async fn agreed(&self, enough: impl Fn(&[u64]) -> bool) -> Result<(u16, Vec<u64>), Failure> {
        let (begin, running) = (Instant::now(), self.running());
        loop {
            let mut states = Vec::new();
            for &id in &running {
                states.extend(self.state(id).await);
            }
            let (leaders, applied): (Vec<u16>, Vec<u64>) = states.iter().copied().unzip();
            if leaders.len() == running.len()
                && leaders.windows(2).all(|two| two[0] == two[1])
                && running.contains(&leaders[0])
                && enough(&applied)
            {
                return Ok((leaders[0], applied));
            }
            if begin.elapsed() > PATIENCE {
                return Err(format!(
                    "nodes {running:?} do not agree: {states:?}; their words are in {:?}",
                    self.folder
                )
                .into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for id in 1..=3 {
            let _ = self.kill(id);
        }
    }
}

/// The first of thirty-four ports in a row, of which those that nodes take are free now.
fn free_ports() -> Result<u16, Failure> {
    let own = u16::try_from(std::process::id() % 100)?;
    (0..100)
        .map(|step| 20000 + (own + step) % 100 * 40)
        .find(|&first_port| {
            (1..=3).all(|id| {
                let node = Address { first_port, id };
                [node.raft(), node.api(), node.http()]
                    .iter()
                    .all(|address| std::net::TcpListener::bind(address.as_str()).is_ok())
            })
        })
        .ok_or_else(|| "no free ports".into())
}
