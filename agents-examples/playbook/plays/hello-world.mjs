export const name = "hello-world";
export const recognises = /hello\.txt/;

export function* solve() {
  yield { text: "See what is here.", command: "pwd; ls -la" };

  for (let attempt = 1; attempt <= 3; attempt += 1) {
    yield { text: "Write the greeting.", command: "echo 'Hello, world!' > hello.txt" };
    const check = yield { text: "Read it back.", command: "cat hello.txt" };
    if (check.exit_code === 0 && check.output === "Hello, world!") {
      return "hello.txt holds the greeting.";
    }
  }
  return "Gave up: hello.txt can't be written.";
}
