//! Zip archives: what numpy writes, stored or deflated.

use super::array::NumberArray;
use crate::text::shown;
use crate::{ReadError, ReadLimits};

/// The files of an archive by its directory.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    members: Vec<Member<'a>>,
    /// Bytes that may still be unpacked or made of what was.
    allowance: u64,
}

struct Member<'a> {
    name: &'a [u8],
    method: u16,
    sum: u32,
    packed: u32,
    whole: u32,
    /// Where its own heading begins.
    at: u32,
}

impl<'a> Archive<'a> {
    /// Finds the files of an archive.
    pub fn open(bytes: &'a [u8], limits: &ReadLimits) -> Result<Self, ReadError> {
        let fail = |message: &str| ReadError::file(format!("is not an .npz archive: {message}"));
        // Behind the end of the directory stands a comment of up to 65535 bytes.
        let last = bytes.len().checked_sub(22).ok_or_else(|| fail("it is too short"))?;
        let first = last.saturating_sub(u16::MAX.into());
        let found = |at| record::<22>(&bytes[at..], b"PK\x05\x06");
        let end = (first..=last).rev().find_map(found);
        let (end, _) = end.ok_or_else(|| fail("it has no directory, as if it were cut short"))?;
        let mut rest = bytes.get(end.four(16) as usize..).unwrap_or_default();
        let mut members = Vec::new();
        for _ in 0..end.two(10) {
            let entry = record::<46>(rest, b"PK\x01\x02").and_then(|(fields, after)| {
                let (name, after) = after.split_at_checked(fields.two(28).into())?;
                Some((fields, name, after))
            });
            let (fields, name, after) = entry.ok_or_else(|| fail("its directory is broken"))?;
            members.push(Member {
                name,
                method: fields.two(10),
                sum: fields.four(16),
                packed: fields.four(20),
                whole: fields.four(24),
                at: fields.four(42),
            });
            let [extra, comment] = [30, 32].map(|at| usize::from(fields.two(at)));
            rest = after.get(extra + comment..).unwrap_or_default();
        }
        let more = limits.decoded_per_byte.saturating_mul(bytes.len() as u64);
        Ok(Self { bytes, members, allowance: limits.decoded.saturating_add(more) })
    }

    /// True if there is an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The array of a name, if there is one.
    pub fn numbers(&mut self, name: &str) -> Result<Option<NumberArray>, ReadError> {
        let Some(index) = self.find(name) else { return Ok(None) };
        let fail = |error: ReadError| ReadError::element(name, error.message);
        let bytes = self.unpack(index).map_err(fail)?;
        NumberArray::read(&bytes, &mut self.allowance).map(Some).map_err(fail)
    }

    /// The names of what is in it, for messages.
    pub fn listed(&self) -> String {
        let names = self.members.iter().take(12).map(|member| format!("`{}`", shown(member.name)));
        let names: Vec<String> = names.collect();
        if names.is_empty() { "nothing".into() } else { names.join(", ") }
    }

    fn find(&self, name: &str) -> Option<usize> {
        let file = format!("{name}.npy");
        self.members.iter().position(|member| member.name == file.as_bytes())
    }

    fn unpack(&mut self, index: usize) -> Result<Vec<u8>, ReadError> {
        let member = &self.members[index];
        let broken = || ReadError::file("is broken in its archive");
        let heading = self.bytes.get(member.at as usize..).unwrap_or_default();
        let (fields, rest) = record::<30>(heading, b"PK\x03\x04").ok_or_else(broken)?;
        if fields.two(6) & 1 != 0 {
            return Err(ReadError::file("is encrypted"));
        }
        let from = usize::from(fields.two(26)) + usize::from(fields.two(28));
        let packed = rest.get(from..).and_then(|rest| rest.get(..member.packed as usize));
        let packed = packed.ok_or_else(broken)?;
        charge(&mut self.allowance, u64::from(member.whole))?;
        let whole = match member.method {
            0 => packed.to_vec(),
            8 => {
                let limit = member.whole as usize;
                miniz_oxide::inflate::decompress_to_vec_with_limit(packed, limit)
                    .map_err(|_| broken())?
            }
            method => {
                let message = format!("is packed by method {method}; numpy's own are read");
                return Err(ReadError::file(message));
            }
        };
        if whole.len() != member.whole as usize || crc32fast::hash(&whole) != member.sum {
            return Err(broken());
        }
        Ok(whole)
    }
}

/// Takes bytes from an allowance.
pub(super) fn charge(allowance: &mut u64, bytes: u64) -> Result<(), ReadError> {
    *allowance = allowance.checked_sub(bytes).ok_or_else(|| {
        ReadError::file("would take more memory than an archive of this size may")
    })?;
    Ok(())
}

/// A record that begins with a mark, and what follows it.
fn record<'a, const N: usize>(bytes: &'a [u8], mark: &[u8; 4]) -> Option<(Fields<'a>, &'a [u8])> {
    let (record, rest) = bytes.split_first_chunk::<N>()?;
    record.starts_with(mark).then_some((Fields(record), rest))
}

/// Numbers at places of a record; 0 beyond its end.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn two(&self, at: usize) -> u16 {
        let bytes = self.0.get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }

    fn four(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }
}
