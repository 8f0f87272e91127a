//! What must hold before an XML parser that recurses may see a text.

use andante_formats::ReadError;

/// Elements inside elements; parsers that call themselves for each need stack for it.
const MAX_DEPTH: usize = 256;

/// Refuses elements that are nested deeper than any robot.
pub(super) fn check_depth(text: &str) -> Result<(), ReadError> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|found| at + found) {
        let rest = &text[open..];
        let skip = |end: &str| rest.find(end).map_or(text.len(), |found| open + found + end.len());
        if rest.starts_with("<!--") {
            at = skip("-->");
        } else if rest.starts_with("<![CDATA[") {
            at = skip("]]>");
        } else if rest.starts_with("<?") {
            at = skip("?>");
        } else {
            at = tag_end(bytes, open);
            if rest.starts_with("</") {
                depth = depth.saturating_sub(1);
            } else if !rest.starts_with("<!") && bytes.get(at.saturating_sub(2)) != Some(&b'/') {
                depth += 1;
            }
            if depth > MAX_DEPTH {
                let message = format!("elements are nested more than {MAX_DEPTH} deep");
                return Err(ReadError::at(bytes, open, message));
            }
        }
    }
    Ok(())
}

/// Behind the `>` that ends a tag; one in quotes does not.
fn tag_end(bytes: &[u8], open: usize) -> usize {
    let mut quote = None;
    for (offset, &byte) in bytes[open..].iter().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(mark), _) if mark == byte => quote = None,
            (None, b'>') => return open + offset + 1,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_nesting_counts() {
        let flat = "<a>".to_string()
            + &"<b c='>' d=\"/\"/><!-- <x> --><![CDATA[<y>]]><e></e>".repeat(2000)
            + "</a>";
        assert!(check_depth(&flat).is_ok());
        let deep = "<a b='/>'>".repeat(300);
        let error = check_depth(&deep).unwrap_err().to_string();
        assert!(error.contains("nested"), "{error}");
        for odd in ["<", "<a", "<!--", "<a b=\"", "</a></a>", ">", "é<é>"] {
            assert!(check_depth(odd).is_ok(), "{odd}");
        }
    }
}
