//! Any bytes as what a search has got to.

use andante_gait::{GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use andante_play::archive::fnv1a;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// Magic, version, length and problem; a checksum is at the end.
const HEADER: usize = 26;

/// A problem, and the header of its checkpoints.
struct Known {
    problem: Arc<GaitProblem>,
    header: [u8; HEADER],
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
    let problem = Arc::new(problem);
    let search = Search::new(Arc::clone(&problem), &SearchOptions::default(), 1).unwrap();
    let path = file("known");
    search.save(&path).unwrap();
    let header = *std::fs::read(&path).unwrap().first_chunk().unwrap();
    Known { problem, header }
});

fn file(name: &str) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
    std::env::temp_dir().join(format!("andante-{name}-{}-{thread}", std::process::id()))
}

/// Resumes from the bytes, and from their content with a header that fits the problem; whatever is resumed is the same
/// after being saved and resumed once more.
pub fn check(bytes: &[u8]) {
    resume(bytes);
    let Some(content) = bytes.get(HEADER..bytes.len().saturating_sub(8)) else { return };
    let mut signed = KNOWN.header.to_vec();
    signed[10..18].copy_from_slice(&(8 + content.len() as u64).to_le_bytes());
    signed.extend_from_slice(content);
    let checksum = fnv1a(&signed);
    signed.extend_from_slice(&checksum.to_le_bytes());
    resume(&signed);
}

fn resume(bytes: &[u8]) {
    let (path, saved) = (file("checkpoint"), file("saved"));
    std::fs::write(&path, bytes).unwrap();
    let open = |path: &PathBuf| Search::resume(Arc::clone(&KNOWN.problem), path, 1);
    if let Ok(search) = open(&path) {
        search.save(&saved).unwrap();
        let first = std::fs::read(&saved).unwrap();
        match open(&saved) {
            Ok(search) => search.save(&saved).unwrap(),
            Err(error) => panic!("what was saved cannot be resumed: {error}"),
        }
        assert!(first == std::fs::read(&saved).unwrap(), "a search changes by being saved");
        let _ = std::fs::remove_file(&saved);
    }
    let _ = std::fs::remove_file(&path);
}
