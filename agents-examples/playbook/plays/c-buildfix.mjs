export const name = "c-buildfix";
export const recognises = /`tally`, a small C program/;

// What make may complain about, and the repair for it.
const repairs = [
  {
    sign: "missing separator",
    text: "The recipes are indented with blanks: make wants tabs.",
    command: "sed -i \"s/^        /$(printf '\\t')/\" Makefile",
  },
  {
    sign: "implicit declaration",
    text: "Strict C11 hides the POSIX functions: ask for them.",
    command: "sed -i 's/-std=c11/& -D_POSIX_C_SOURCE=200809L/' Makefile",
  },
  {
    sign: "undefined reference to `table_",
    text: "table.o is never linked: add it.",
    command: "sed -i 's/^OBJECTS = .*/OBJECTS = main.o parse.o table.o/' Makefile",
  },
];

// Every name twice, each with 1: a right program prints every name once, with 2.
const manyNames =
  'for n in 1 2; do seq -f "name%g 1" 500; done | ./tally > /tmp/out; ' +
  'wc -l < /tmp/out; test "$(grep -c " 2$" /tmp/out)" -eq 500';

const rehash = String.raw`sed -i 's/^        slots\[i\] = table->slots\[i\];/        if (table->slots[i].name)\
            *find(slots, size, table->slots[i].name) = table->slots[i];/' table.c && sed -n '/^static void grow/,/^}/p' table.c`;

export function* solve() {
  yield { text: "What is here, and how is it built?", command: "ls -la; cat Makefile" };
  yield { text: "What should the program do?", command: "cat README.md" };

  let build = yield { text: "Build it and see.", command: "make" };
  for (let tries = 0; build.exit_code !== 0 && tries < 5; tries += 1) {
    const repair = repairs.find(({ sign }) => build.output.includes(sign));
    if (!repair) return `Gave up, make says: ${build.output}`;
    yield { text: repair.text, command: repair.command };
    build = yield { text: "Build again.", command: "make" };
  }
  if (build.exit_code !== 0) return `Gave up, make says: ${build.output}`;

  yield {
    text: "It builds. The example of the README:",
    command: "printf 'tea 3\\ncoffee 4\\ntea -1\\n' | ./tally",
  };
  const many = yield { text: "And 500 names, each one twice?", command: manyNames };
  if (many.exit_code !== 0) {
    yield {
      text: "Names appear more than once. The table must lose them when it grows.",
      command: "sed -n '/^static struct entry .find/,/^}/p; /^static void grow/,/^}/p' table.c",
    };
    yield {
      text: "Entries keep their old slot, but the slot depends on the size: look each one up anew.",
      command: rehash,
    };
  }
  const rebuilt = yield { text: "Build from nothing.", command: "make clean && make" };
  const check = yield { text: "500 names again.", command: manyNames };
  yield { text: "A bad line must give 1.", command: "printf 'tea x\\n' | ./tally" };
  return rebuilt.exit_code === 0 && check.exit_code === 0
    ? "It builds, and every name is printed once."
    : "Some of it still fails.";
}
