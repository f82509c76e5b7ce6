export const name = "resilient-script";
export const recognises = /dedupe\.sh/;

const script = String.raw`cat > dedupe.sh <<'SCRIPT'
#!/bin/sh
# Deletes duplicate files in a folder: dedupe.sh DIR
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: dedupe.sh DIR" >&2
  exit 2
fi
# ./ in front, so that a leading dash is not taken for an option.
case $1 in
  /*) cd "$1" ;;
  *) cd "./$1" ;;
esac || exit

# Sorted by path, so the first file with a checksum is the one to keep.
find . -type f -size +0c -printf '%P\n' | sort | while IFS= read -r path; do
  # From a redirect sha256sum prints no name, which it would escape.
  set -- $(sha256sum < "./$path")
  printf '%s %s\n' "$1" "$path"
done | awk '
  { path = substr($0, length($1) + 2) }
  $1 in kept { print path; print kept[$1]; next }
  { kept[$1] = path }
' | while IFS= read -r path && IFS= read -r kept; do
  rm -f "./$path"
  printf '%s = %s\n' "$path" "$kept"
done
SCRIPT
chmod +x dedupe.sh && sh -n dedupe.sh`;

const trial = String.raw`rm -rf /tmp/try && mkdir -p '/tmp/try/-odd  dir/sub' && cd '/tmp/try/-odd  dir' &&
echo same > 'b \n.txt' && echo same > ./-a && echo same > 'sub/ü *' && : > e1 && : > e2 && ln -s ./-a link &&
cd .. && /app/dedupe.sh '-odd  dir/' && find . | sort; cd /app`;

const expected = String.raw`b \n.txt = -a
sub/ü * = -a
.
./-odd  dir
./-odd  dir/-a
./-odd  dir/e1
./-odd  dir/e2
./-odd  dir/link
./-odd  dir/sub`;

export function* solve() {
  yield {
    text: "Which tools are there?",
    command: "ls -la; for tool in find sort awk sha256sum; do command -v $tool; done",
  };
  const written = yield { text: "Write the script and check its syntax.", command: script };
  if (written.exit_code !== 0) return `Gave up: ${written.output}`;

  const tried = yield {
    text: "Try it on names with blanks, a dash, a backslash and a star, empty files and a link.",
    command: trial,
  };
  // The sort of the machine decides how the listing is ordered, so only the lines count.
  const same = tried.output.split("\n").sort().join() === expected.split("\n").sort().join();
  if (!same) return `The script does not do what it should: ${tried.output}`;

  const again = yield {
    text: "A second run must print nothing.",
    command: "test -z \"$(./dedupe.sh '/tmp/try/-odd  dir')\"",
  };
  const usage = yield { text: "Wrong usage must give 2.", command: "./dedupe.sh /nowhere" };
  yield { text: "Clean up.", command: "rm -rf /tmp/try; ls -la" };
  return again.exit_code === 0 && usage.exit_code === 2
    ? "dedupe.sh is written and tried."
    : "dedupe.sh is written, but a second run or wrong usage is not handled well.";
}
