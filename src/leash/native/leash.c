/* The first process of an agent's namespaces: starts the agent, and reports how it ended. Static and
 * without a libc, like the program in sandboxes: nothing that the host has or lacks matters to it.
 *
 *   leash DIR PWD PROGRAM ARGUMENT ...
 *
 * The agent's stdin, stdout and stderr come as 4, 5 and 6, so that no other process holds them open.
 * 7 is a socket to the host: `s` the agent exists, and waits for one byte; `e ERRNO` it can't be
 * executed; `x CODE` it exited; `k SIGNAL` it was killed. PWD is the variable's entry, or empty.
 *
 * Built by scripts/build-native.sh; the binaries are next to this file. */

#define NULL ((void *)0)
typedef unsigned long size;

#if defined(__x86_64__)
enum {
  READ = 0, WRITE = 1, CLOSE = 3, SIGMASK = 14, CLONE = 56, EXECVE = 59, WAIT4 = 61, CHDIR = 80,
  SETSID = 112, PRCTL = 157, EXIT = 231, DUP3 = 292,
};
static long call(long n, long a, long b, long c, long d, long e) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
#elif defined(__aarch64__)
enum {
  READ = 63, WRITE = 64, CLOSE = 57, SIGMASK = 135, CLONE = 220, EXECVE = 221, WAIT4 = 260, CHDIR = 49,
  SETSID = 157, PRCTL = 167, EXIT = 94, DUP3 = 24,
};
static long call(long n, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = n;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
__asm__(".globl _start\n_start: mov x0, sp\nbl begin\n");
#else
#error "this architecture is not supported"
#endif

enum {
  STDIN = 4, STDOUT = 5, STDERR = 6, HOST = 7, LAST_FILE = 64,
  CLOEXEC = 02000000, EINTR = 4, ENOEXEC = 8, SIGCHLD = 17, SET_DUMPABLE = 4, SETMASK = 2,
};

/* Where the source that this was built from can be told from. */
__attribute__((used, section(".source"))) static const char source[] = "source-sha256:" SOURCE_SHA256;

/* The compiler may ask for this one. */
void *memset(void *to, int value, size length) {
  char *bytes = to;
  while (length--) *bytes++ = (char)value;
  return to;
}

static void leave(int code) {
  for (;;) call(EXIT, code, 0, 0, 0, 0);
}

/* One short line to the host: a letter, and a number unless it is negative. */
static void report(int file, char letter, int value) {
  char line[16];
  size at = sizeof line;
  line[--at] = '\n';
  if (value >= 0) {
    do line[--at] = (char)('0' + value % 10);
    while (value /= 10);
    line[--at] = ' ';
  }
  line[--at] = letter;
  while (call(WRITE, file, (long)(line + at), (long)(sizeof line - at), 0, 0) == -EINTR) {}
}

static int is_pwd(const char *entry) {
  return entry[0] == 'P' && entry[1] == 'W' && entry[2] == 'D' && entry[3] == '=';
}

/* bwrap sets PWD: puts back what it was. */
static void restore_pwd(char **env, char *pwd) {
  char **to = env;
  for (char **from = env; *from; from++) {
    if (!is_pwd(*from)) *to++ = *from;
    else if (*pwd) *to++ = pwd;
  }
  *to = NULL;
}

static void execute(char **argv, char **env) {
  long error = call(EXECVE, (long)argv[0], (long)argv, (long)env, 0, 0);
  if (error != -ENOEXEC) return report(HOST, 'e', (int)-error);
  /* A script without a first line that names its interpreter, as execvp does it. */
  size count = 0;
  while (argv[count]) count++;
  char *all[count + 2];
  for (size at = 0; at <= count; at++) all[at + 1] = argv[at];
  all[0] = "/bin/sh";
  error = call(EXECVE, (long)all[0], (long)all, (long)env, 0, 0);
  report(HOST, 'e', (int)-error);
}

static void be_agent(char **argv, char **env) {
  char go;
  long count;
  call(SETSID, 0, 0, 0, 0, 0);
  while ((count = call(READ, HOST, (long)&go, 1, 0, 0)) == -EINTR) {}
  if (count != 1) leave(1);
  call(DUP3, STDIN, 0, 0, 0, 0);
  call(DUP3, STDOUT, 1, 0, 0, 0);
  call(DUP3, STDERR, 2, 0, 0, 0);
  /* Its last use is to report that the agent can't be executed. */
  call(DUP3, HOST, LAST_FILE + 1, CLOEXEC, 0, 0);
  for (int file = 3; file <= LAST_FILE; file++) call(CLOSE, file, 0, 0, 0, 0);
  call(DUP3, LAST_FILE + 1, HOST, CLOEXEC, 0, 0);
  unsigned long none = 0;
  call(SIGMASK, SETMASK, (long)&none, 0, 8, 0);
  long error = call(CHDIR, (long)argv[0], 0, 0, 0, 0);
  if (error < 0) report(HOST, 'e', (int)-error);
  else execute(argv + 1, env);
  leave(127);
}

__attribute__((used)) void begin(long *stack) {
  long argc = stack[0];
  char **argv = (char **)(stack + 1);
  char **env = argv + argc + 1;
  if (argc < 4) leave(2);
  /* The agent must not look into its memory, or write there. */
  call(PRCTL, SET_DUMPABLE, 0, 0, 0, 0);
  restore_pwd(env, argv[2]);
  argv[2] = argv[1];
  long agent = call(CLONE, SIGCHLD, 0, 0, 0, 0);
  if (agent == 0) be_agent(argv + 2, env);
  if (agent < 0) leave(1);
  for (int file = 0; file <= LAST_FILE; file++)
    if (file != HOST) call(CLOSE, file, 0, 0, 0, 0);
  report(HOST, 's', -1);
  for (;;) {
    int status = 0;
    long ended = call(WAIT4, -1, (long)&status, 0, 0, 0);
    if (ended == agent) {
      int signal = status & 0x7f;
      if (signal) report(HOST, 'k', signal);
      else report(HOST, 'x', status >> 8 & 0xff);
    }
    /* Nothing is left: the host has no more to end. */
    if (ended < 0 && ended != -EINTR) leave(0);
  }
}
