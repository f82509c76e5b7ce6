#!/bin/sh
set -e
export LC_ALL=C

# Works on byte values, so that it needs no converter. A zero byte never comes out: no letter holds U+0000.
cat >/tmp/convert.awk <<'AWK'
{ for (i = 1; i <= NF; i++) byte[n++] = $i + 0 }

function put(code) {
  if (code < 128) printf "%c", code
  else if (code < 2048) printf "%c%c", 192 + int(code / 64), 128 + code % 64
  else if (code < 65536) printf "%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64
  else printf "%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64
}

# How many bytes the character at i has; 0 when it is not UTF-8.
function width(i, first, second, count, k) {
  first = byte[i]
  if (first < 128) return 1
  if (first < 194 || first > 244) return 0
  count = first < 224 ? 2 : first < 240 ? 3 : 4
  for (k = 1; k < count; k++) if (i + k >= n || byte[i + k] < 128 || byte[i + k] > 191) return 0
  second = byte[i + 1]
  if (first == 224 && second < 160 || first == 237 && second > 159) return 0
  if (first == 240 && second < 144 || first == 244 && second > 143) return 0
  return count
}

END {
  if (n >= 2 && byte[0] + byte[1] == 509 && (byte[0] == 255 || byte[1] == 255)) {
    high = byte[0] == 254 ? 0 : 1
    for (i = 2; i + 1 < n; i += 2) {
      code = byte[i + high] * 256 + byte[i + 1 - high]
      if (code >= 55296 && code < 56320) {
        i += 2
        code = 65536 + (code - 55296) * 1024 + byte[i + high] * 256 + byte[i + 1 - high] - 56320
      }
      put(code)
    }
    exit
  }
  start = n >= 3 && byte[0] == 239 && byte[1] == 187 && byte[2] == 191 ? 3 : 0
  valid = 1
  for (i = start; valid && i < n; i += step) if (!(step = width(i))) valid = 0
  for (i = start; i < n; i++) if (valid) printf "%c", byte[i]; else put(byte[i])
}
AWK

(cd letters && find . -type f) | while IFS= read -r file; do
  mkdir -p "utf8/$(dirname "$file")"
  od -An -v -tu1 "letters/$file" | awk -f /tmp/convert.awk >"utf8/$file"
done
rm /tmp/convert.awk
