//! Chunks: a number, a length, and what is inside.

use crate::ReadError;

/// A chunk of a file.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub id: u16,
    body: &'a [u8],
    /// Where in the file the body begins.
    at: usize,
}

impl<'a> Chunk<'a> {
    /// The chunk that a file begins with. One that says it is longer than the file ends with it: programs count wrongly here.
    pub fn first(bytes: &'a [u8]) -> Option<Self> {
        let (id, length, inside) = head(bytes)?;
        let at = bytes.len() - inside.len();
        let body = &inside[..length.saturating_sub(at).min(inside.len())];
        Some(Self { id, body, at })
    }

    /// The chunks inside, from a byte of the body on.
    pub fn inside(
        self,
        from: usize,
    ) -> Result<impl Iterator<Item = Result<Chunk<'a>, ReadError>>, ReadError> {
        let mut rest = self.body.get(from..).ok_or_else(|| self.cut())?;
        let mut at = self.at + from;
        Ok(std::iter::from_fn(move || {
            // Less than a heading is padding.
            let (id, length, inside) = head(rest)?;
            let heading = rest.len() - inside.len();
            if length < heading || length > rest.len() {
                let message = format!(
                    "chunk {id:04x} says it has {length} bytes, and there are {} left",
                    rest.len()
                );
                rest = &[];
                return Some(Err(ReadError::element(format!("byte {at}"), message)));
            }
            let (body, after) = inside.split_at(length - heading);
            let chunk = Chunk { id, body, at: at + heading };
            (rest, at) = (after, at + length);
            Some(Ok(chunk))
        }))
    }

    /// The text that ends with a zero, and how many bytes it takes with that.
    pub fn text(self, from: usize) -> Result<(&'a [u8], usize), ReadError> {
        let rest = self.body.get(from..).ok_or_else(|| self.cut())?;
        let length = rest.iter().position(|&byte| byte == 0).ok_or_else(|| self.cut())?;
        Ok((&rest[..length], length + 1))
    }

    pub fn byte(self, at: usize) -> Result<u8, ReadError> {
        self.body.get(at).copied().ok_or_else(|| self.cut())
    }

    pub fn word(self, at: usize) -> Result<u16, ReadError> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }

    pub fn double_word(self, at: usize) -> Result<u32, ReadError> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }

    pub fn float(self, at: usize) -> Result<f32, ReadError> {
        Ok(f32::from_le_bytes(self.array(at)?))
    }

    fn array<const N: usize>(self, at: usize) -> Result<[u8; N], ReadError> {
        let bytes = self.body.get(at..).and_then(|rest| rest.first_chunk());
        bytes.copied().ok_or_else(|| self.cut())
    }

    /// An error of the chunk, by its number and its place.
    pub fn error(self, what: &str) -> ReadError {
        ReadError::element(format!("byte {}", self.at), format!("chunk {:04x} {what}", self.id))
    }

    fn cut(self) -> ReadError {
        self.error("ends before what it has to hold")
    }
}

/// A chunk's number and length, and what follows them.
fn head(bytes: &[u8]) -> Option<(u16, usize, &[u8])> {
    let (id, rest) = bytes.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    Some((u16::from_le_bytes(*id), u32::from_le_bytes(*length) as usize, rest))
}
