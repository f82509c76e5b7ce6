/// JSON can contain a lone surrogate (`\ud83d`), which a Rust string can't. Returns the same
/// text with U+FFFD in its place, or none if there is nothing to replace.
pub fn replace_lone_surrogates(json: &str) -> Option<String> {
    let mut replaced = String::new();
    let mut rest = json;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        replaced.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                replaced.push_str("\\ufffd");
                changed = true;
                rest = &escape[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and what it escapes, which may be another backslash.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        replaced.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    replaced.push_str(rest);
    changed.then_some(replaced)
}

/// The UTF-16 unit that an escape at the start of the text stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::replace_lone_surrogates;

    #[test]
    fn only_lone_surrogates_are_replaced() {
        for (json, replaced) in [
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
            assert_eq!(replace_lone_surrogates(json).as_deref(), replaced, "{json}");
        }
    }
}
