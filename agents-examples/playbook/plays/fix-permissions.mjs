export const name = "fix-permissions";
export const recognises = /folder `site` was restored/;

const list = "find site -printf '%y %m %p -> %l\\n' | sort -k 3";

const links = `find site -type f -size -2 | while IFS= read -r file; do
  [ "$(wc -l < "$file")" -eq 1 ] || continue
  target=$(sed -n 's/^symlink: //p' "$file")
  [ -n "$target" ] && ln -sfn "$target" "$file" && echo "$file -> $target"
done; true`;

const modes = String.raw`find site -type d -exec chmod 750 {} + &&
find site -type f -exec chmod 640 {} + &&
find site -type f -exec sh -c 'test "$(head -c 2 "$1")" = "#!"' sh {} \; -exec chmod 750 {} + &&
find site/etc/secrets -type d -exec chmod 700 {} + &&
find site/etc/secrets -type f -exec chmod 600 {} +`;

// Prints what breaks a rule; grep turns "nothing printed" into an exit code.
const check = `! {
  find site -path site/etc/secrets -prune -o -type d ! -perm 750 -print
  find site/etc/secrets -type d ! -perm 700
  find site/etc/secrets -type f ! -perm 600
  find site -path site/etc/secrets -prune -o -type f ! -perm 750 ! -perm 640 -print
  find site -xtype l
} | grep .`;

export function* solve() {
  const tree = yield { text: "Look at the tree: kinds, modes, names.", command: list };
  if (tree.exit_code !== 0) return `Gave up: ${tree.output}`;

  yield {
    text: "Which files talk about links? Only those of a single line are stubs.",
    command: "grep -rn 'symlink: ' site",
  };
  yield { text: "Turn every stub into a link.", command: links };
  yield {
    text: "Delete the links that lead nowhere, also those that do so through another one.",
    command: "find site -xtype l -print -delete",
  };
  const set = yield { text: "Set the modes, the private folder last.", command: modes };
  if (set.exit_code !== 0) return `Gave up: ${set.output}`;

  const left = yield { text: "Does anything still break a rule?", command: check };
  if (left.exit_code !== 0) return `Some paths are still wrong: ${left.output}`;
  yield { text: "A last look at the whole tree.", command: list };
  return "Every mode is right, and every link leads somewhere.";
}
