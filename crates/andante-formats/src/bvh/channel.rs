//! The columns of a frame.

/// What one number of a frame does to its joint. Axes are 0, 1, 2 for X, Y, Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Sets a component of the joint's position.
    Position(usize),
    /// Turns about an axis, in degrees.
    Rotation(usize),
    /// Read and left unused: scale, and the channels of end sites.
    Unused,
}

impl Channel {
    /// From a name such as `Xposition`, in capitals or not.
    pub fn parse(name: &[u8]) -> Option<Self> {
        let (first, rest) = name.split_first()?;
        let axis = usize::from(first.to_ascii_lowercase().checked_sub(b'x')?);
        if axis > 2 {
            return None;
        }
        match rest.to_ascii_lowercase().as_slice() {
            b"position" => Some(Self::Position(axis)),
            b"rotation" => Some(Self::Rotation(axis)),
            b"scale" => Some(Self::Unused),
            _ => None,
        }
    }

    /// The name, for messages.
    pub fn name(self) -> String {
        let letter = |axis| ["X", "Y", "Z"].get(axis).copied().unwrap_or_default();
        match self {
            Self::Position(axis) => format!("{}position", letter(axis)),
            Self::Rotation(axis) => format!("{}rotation", letter(axis)),
            Self::Unused => "unused channel".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_recognised_in_any_case() {
        assert_eq!(Channel::parse(b"Xposition"), Some(Channel::Position(0)));
        assert_eq!(Channel::parse(b"ZROTATION"), Some(Channel::Rotation(2)));
        assert_eq!(Channel::parse(b"yscale"), Some(Channel::Unused));
        for other in [&b""[..], b"X", b"Wposition", b"position", b"Xpos", b"JOINT", b"6"] {
            assert_eq!(Channel::parse(other), None);
        }
    }
}
