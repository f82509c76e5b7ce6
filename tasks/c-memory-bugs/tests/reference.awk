# What README.md asks for, written once more. Keys are listed by sort.
function usage() { print "?" }
$0 == "" { next }
{
  line = $0
  blank = index(line, " ")
  word = blank ? substr(line, 1, blank - 1) : line
  line = blank ? substr(line, blank + 1) : ""
  blank = index(line, " ")
  key = blank ? substr(line, 1, blank - 1) : line
  rest = blank ? substr(line, blank + 1) : ""
}
word == "count" && line == "" { n = 0; for (k in value) n++; print n; next }
word == "clear" && line == "" { split("", value); next }
word == "list" && line == "" {
  command = "LC_ALL=C sort"
  fflush()
  for (k in value) print k | command
  close(command)
  next
}
key == "" { usage(); next }
word == "set" { value[key] = rest; next }
word == "append" { value[key] = value[key] rest; next }
rest != "" { usage(); next }
word == "get" { print (key in value) ? value[key] : "(none)"; next }
word == "del" { print (key in value) ? 1 : 0; delete value[key]; next }
word == "drop" {
  n = 0
  for (k in value) if (substr(k, 1, length(key)) == key) gone[++n] = k
  for (i = 1; i <= n; i++) delete value[gone[i]]
  print n
  next
}
{ usage() }
