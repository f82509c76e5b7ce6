use serde_json::{Map, Number, Value};

/// Canonical JSON (RFC 8785), the same bytes in every language: sorted keys, no spaces, numbers as
/// ECMAScript writes them.
pub fn write_canonical(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => write_string(out, text),
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Array(items) => write_array(out, items),
        Value::Object(fields) => write_object(out, fields),
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
    }
}

pub fn write_string(out: &mut String, text: &str) {
    out.push_str(&Value::from(text).to_string());
}

fn write_array(out: &mut String, items: &[Value]) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_canonical(out, item);
    }
    out.push(']');
}

fn write_object(out: &mut String, fields: &Map<String, Value>) {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    out.push('{');
    for (index, (key, value)) in sorted.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_canonical(out, value);
    }
    out.push('}');
}

fn number_text(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    match number.as_f64() {
        Some(0.0) => "0".into(),
        Some(value) if value.is_finite() => float_text(value),
        _ => "null".into(),
    }
}

fn float_text(value: f64) -> String {
    // Rust has the shortest digits that read back the same; only their layout differs.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if value < 0.0 { "-" } else { "" };
    let count = digits.len() as i32;
    let point = exponent + 1;
    if count <= point && point <= 21 {
        let zeros = "0".repeat((point - count) as usize);
        return format!("{sign}{digits}{zeros}");
    }
    if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(point as usize);
        return format!("{sign}{whole}.{fraction}");
    }
    if -6 < point && point <= 0 {
        let zeros = "0".repeat(-point as usize);
        return format!("{sign}0.{zeros}{digits}");
    }
    format!("{sign}{mantissa}e{exponent:+}")
}
