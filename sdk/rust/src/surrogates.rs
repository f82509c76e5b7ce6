/// JSON can spell half of a character (`\ud83d` alone), which no Rust string can hold. The same
/// text with U+FFFD in its place, or none when there is nothing to mend.
pub fn mend_surrogates(json: &str) -> Option<String> {
    let mut mended = String::new();
    let mut rest = json;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str("\\ufffd");
                changed = true;
                rest = &escape[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and what it escapes, which may be another backslash.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        mended.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    mended.push_str(rest);
    changed.then_some(mended)
}

/// The UTF-16 unit that an escape at the start of the text stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mend_surrogates;

    #[test]
    fn only_half_characters_are_replaced() {
        for (json, mended) in [
            (r#""a""#, None),
            (r#""\ud83d\ude00 \u00e9 \n""#, None),
            (r#""\\ud83d \"\\""#, None),
            (r#""\ud83d""#, Some(r#""\ufffd""#)),
            (r#""\ude00\ud83d""#, Some(r#""\ufffd\ufffd""#)),
            (r#""\ud83d\ud83d\ude00é""#, Some(r#""\ufffd\ud83d\ude00é""#)),
            (r#""\uD83Dé\"""#, Some(r#""\ufffdé\"""#)),
            (r"\ud83", None),
            (r"\é", None),
            (r"\", None),
        ] {
            assert_eq!(mend_surrogates(json).as_deref(), mended, "{json}");
        }
    }
}
