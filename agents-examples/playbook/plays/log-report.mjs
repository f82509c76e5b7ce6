export const name = "log-report";
export const recognises = /access\.log[\s\S]*report\.csv/;

// Between the quotes: 1 address and date, 2 request, 3 status and bytes, 4 referrer, 6 user agent.
const report = String.raw`cat > /tmp/report.awk <<'AWK'
NF != 7 || $6 ~ /^HealthCheck\// { next }
split($2, request, " ") != 3 || request[3] !~ /^HTTP\// { next }
{
  split($3, answer, " ")
  path = request[2]
  sub(/\?.*/, "", path)
  requests[path]++
  if (answer[1] >= 400) errors[path]++
  bytes[path] += answer[2]
}
END {
  for (path in requests) {
    shown = path ~ /,/ ? "\"" path "\"" : path
    printf "%d\t%s\t%s,%d,%d,%d\n", requests[path], path, shown, requests[path], errors[path], bytes[path]
  }
}
AWK
{
  echo path,requests,errors,bytes
  awk -F '"' -f /tmp/report.awk access.log | LC_ALL=C sort -t "$(printf '\t')" -k 1,1nr -k 2,2 | head -n 10 | cut -f 3
} > report.csv`;

export function* solve() {
  const log = yield {
    text: "How large is the log, and what do its lines look like?",
    command: "wc -l access.log && head -n 3 access.log",
  };
  if (log.exit_code !== 0) return `Gave up: ${log.output}`;

  yield {
    text: "Which lines are not an ordinary request?",
    command: `grep -nvE '"[A-Z]+ [^ "]+ HTTP/[0-9.]+" [0-9]{3} ([0-9]+|-) "[^"]*" "[^"]*"$' access.log`,
  };
  yield {
    text: "Who asks? The monitor must not be counted.",
    command: `awk -F '"' 'NF == 7 { print $6 }' access.log | sort | uniq -c | sort -rn`,
  };
  const written = yield { text: "Count by path, sort, quote, keep ten.", command: report };
  if (written.exit_code !== 0) return `Gave up: ${written.output}`;

  const check = yield {
    text: "Read the report: a header and ten lines?",
    command: 'cat report.csv; test "$(wc -l < report.csv)" -eq 11',
  };
  return check.exit_code === 0
    ? "report.csv has the ten most requested paths."
    : "report.csv was written, but it does not have eleven lines.";
}
