#!/bin/sh
set -e
cat >summary.sh <<'SCRIPT'
#!/bin/sh
# Orders per country: summary.sh CUSTOMERS ORDERS
export LC_ALL=C
awk '
  # Splits a CSV line into field[1..n].
  function fields(line, n, at, len, c, text) {
    sub(/\r$/, "", line)
    len = length(line)
    at = 1
    for (;;) {
      text = ""
      if (substr(line, at, 1) == "\"") {
        for (at++; at <= len; at++) {
          c = substr(line, at, 1)
          if (c == "\"") { if (substr(line, at + 1, 1) != "\"") break; at++ }
          text = text c
        }
        at++
      } else {
        while (at <= len && (c = substr(line, at, 1)) != ",") { text = text c; at++ }
      }
      field[++n] = text
      if (at > len) return n
      at++
      if (at > len) { field[++n] = ""; return n }
    }
  }
  # In hundredths, as awk is exact for whole numbers only.
  function cents(text, negative, parts) {
    negative = sub(/^-/, "", text)
    split(text, parts, ".")
    text = parts[1] * 100 + substr(parts[2] "00", 1, 2)
    return negative ? -text : text
  }
  function money(value, sign, whole) {
    sign = value < 0 ? "-" : ""
    if (value < 0) value = -value
    whole = int(value / 100)
    return sprintf("%s%.0f.%02d", sign, whole, value - whole * 100)
  }
  FNR == 1 { file++; split("", column); n = fields($0); for (i = 1; i <= n; i++) column[field[i]] = i; next }
  $0 == "" || $0 == "\r" { next }
  { fields($0) }
  file == 1 { country[field[column["id"]]] = field[column["country"]]; next }
  field[column["status"]] != "cancelled" {
    id = field[column["customer"]]
    place = id in country ? country[id] : "unknown"
    orders[place]++
    total[place] += cents(field[column["amount"]])
    if (!((place, id) in seen)) { seen[place, id]; customers[place]++ }
  }
  END {
    for (place in orders) {
      shown = place
      if (shown ~ /[,"]/) { gsub(/"/, "\"\"", shown); shown = "\"" shown "\"" }
      printf "%.0f\t%s\t%s,%d,%d,%s\n", total[place], place, shown, customers[place], orders[place], money(total[place])
    }
  }
' "$1" "$2" | sort -t "$(printf '\t')" -k 1,1nr -k 2,2 | cut -f 3 | {
  echo 'country,customers,orders,total'
  cat
}
SCRIPT
chmod +x summary.sh
