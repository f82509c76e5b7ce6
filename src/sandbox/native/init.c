/* The one program that term-run brings into a sandbox: static, without a libc, so that it works in
 * every Linux image and depends on nothing that an agent can replace.
 *
 *   init hold [RESOLVER]       the first process: lives as long as its stdin, reaps orphans
 *   init resolve RESOLVER      makes this address the only resolver
 *   init fresh MODE DIR ...    empties folders, creating them where they are missing, in these modes
 *   init list                  prints its pid, the uptime, and each process
 *   init end [PID...]          kills every process but these, the first and itself, and waits
 *   init kill NAME=VALUE       kills the processes that started with this in their environment
 *   init run DIR PROGRAM...    runs a program in a folder, stderr on stdout
 *
 * Built by scripts/build-native.sh; the binaries are next to this file. */

#include "base.h"

static char text[65536];
static char entries[32768];

static void wait_ms(long ms) {
  long time[2] = {ms / 1000, ms % 1000 * 1000000};
  call(NANOSLEEP, (long)time, 0, 0, 0, 0);
}

static int open_folder(int at, const char *path) {
  return (int)call(OPENAT, at, (long)path, DIRECTORY | NOFOLLOW | CLOEXEC, 0, 0);
}

/* What getdents fills its buffer with. */
struct entry {
  unsigned long inode;
  long next;
  unsigned short size;
  unsigned char type;
  char name[];
};

static int is_dots(const char *name) { return same(name, ".") || same(name, ".."); }

/* Reads the first names of a folder, however often it was read before. */
static long first_names(int folder, char *to, size room) {
  int again = (int)call(OPENAT, folder, (long)".", DIRECTORY | CLOEXEC, 0, 0);
  if (again < 0) return again;
  long count = call(GETDENTS, again, (long)to, (long)room, 0, 0);
  call(CLOSE, again, 0, 0, 0, 0);
  return count;
}

/* Removes one entry that isn't a folder with something in it. */
static int drop(int folder, const char *name) {
  int error = (int)call(UNLINKAT, folder, (long)name, 0, 0, 0);
  if (error == 0 || error == -ENOENT) return 0;
  error = (int)call(UNLINKAT, folder, (long)name, REMOVEDIR, 0, 0);
  return error == -ENOENT ? 0 : error;
}

static unsigned long moved;

/* Moves a folder up, from one folder to the one above it, under a name that is free there. */
static int move_up(int from, const char *name, int to) {
  char free[32] = ".term-run-", buffer[24];
  int error;
  do {
    copy(free + 10, digits(buffer + sizeof buffer, moved++), sizeof free - 10);
    error = (int)call(RENAMEAT2, from, (long)name, to, (long)free, 1);
    if (error == -EINVAL) error = (int)call(RENAMEAT2, from, (long)name, to, (long)free, 0);
  } while (error == -EEXIST);
  return error;
}

/* Removes what is in a folder; the folders in it that aren't empty are moved up. */
static int clear(int folder, int above) {
  static char names[32768];
  for (;;) {
    int left = 0;
    long count = first_names(folder, names, sizeof names);
    if (count < 0) return (int)count;
    for (long at = 0; at < count;) {
      struct entry *entry = (struct entry *)(names + at);
      at += entry->size;
      if (is_dots(entry->name)) continue;
      left = 1;
      if (drop(folder, entry->name) == 0) continue;
      call(FCHMODAT, folder, (long)entry->name, 0700, 0, 0);
      int error = move_up(folder, entry->name, above);
      if (error < 0) return error;
    }
    if (!left) return 0;
  }
}

/* Empties a folder, however deep: neither memory nor file descriptors grow with the depth. */
static int empty(int folder) {
  for (;;) {
    int left = 0;
    long count = first_names(folder, entries, sizeof entries);
    if (count < 0) return (int)count;
    for (long at = 0; at < count;) {
      struct entry *entry = (struct entry *)(entries + at);
      at += entry->size;
      if (is_dots(entry->name)) continue;
      left = 1;
      if (drop(folder, entry->name) == 0) continue;
      call(FCHMODAT, folder, (long)entry->name, 0700, 0, 0);
      int sub = open_folder(folder, entry->name);
      int error = sub < 0 ? sub : clear(sub, folder);
      if (sub >= 0) call(CLOSE, sub, 0, 0, 0, 0);
      if (error == 0) error = drop(folder, entry->name);
      if (error < 0) return error;
    }
    if (!left) return 0;
  }
}

/* Makes an empty folder of a path, replacing whatever stands in its way. */
static int freshen(const char *path, long mode) {
  char part[256];
  int folder = open_folder(CWD, "/");
  while (folder >= 0) {
    size n = 0;
    while (*path == '/') path++;
    while (path[n] && path[n] != '/' && n + 1 < sizeof part) part[n] = path[n], n++;
    part[n] = 0, path += n;
    while (*path == '/') path++;
    int error = (int)call(MKDIRAT, folder, (long)part, 0755, 0, 0);
    int next = open_folder(folder, part);
    if (error == -EEXIST && next < 0) {
      call(FCHMODAT, folder, (long)part, 0755, 0, 0);
      next = open_folder(folder, part);
    }
    if (error == -EEXIST && next < 0) {
      call(UNLINKAT, folder, (long)part, 0, 0, 0);
      call(MKDIRAT, folder, (long)part, 0755, 0, 0);
      next = open_folder(folder, part);
    }
    if (next >= 0 && !*path) call(FCHMODAT, folder, (long)part, 0755, 0, 0);
    call(CLOSE, folder, 0, 0, 0, 0);
    folder = next;
    if (!*path) break;
  }
  if (folder < 0) return folder;
  int error = empty(folder);
  if (error == 0) error = (int)call(FCHMOD, folder, mode, 0, 0, 0);
  call(CLOSE, folder, 0, 0, 0, 0);
  return error;
}

static long octal(const char *s) {
  long value = 0;
  while (*s >= '0' && *s <= '7') value = value * 8 + (*s++ - '0');
  return value;
}

static void fresh(char **paths) {
  for (; paths[0] && paths[1]; paths += 2) {
    int error = freshen(paths[1], octal(paths[0]));
    if (error >= 0) continue;
    char buffer[24];
    say(paths[1]), say(" can't be emptied: error "), say(digits(buffer + sizeof buffer, (unsigned long)-error)), say("\n");
    leave(1);
  }
}

static long read_file(int at, const char *path, char *to, size room) {
  int file = (int)call(OPENAT, at, (long)path, CLOEXEC, 0, 0);
  if (file < 0) return file;
  long total = 0, n;
  while ((size)total < room && (n = call(READ, file, (long)(to + total), (long)(room - (size)total), 0, 0)) > 0)
    total += n;
  call(CLOSE, file, 0, 0, 0, 0);
  return total;
}

/* Calls back for each process, with its folder below /proc. */
static void each_process(void (*visit)(int folder, long pid)) {
  static char all[32768];
  int proc = open_folder(CWD, "/proc");
  long count;
  while (proc >= 0 && (count = call(GETDENTS, proc, (long)all, sizeof all, 0, 0)) > 0)
    for (long at = 0; at < count;) {
      struct entry *entry = (struct entry *)(all + at);
      at += entry->size;
      long pid = number(entry->name);
      if (pid < 0) continue;
      int folder = open_folder(proc, entry->name);
      if (folder < 0) continue;
      visit(folder, pid);
      call(CLOSE, folder, 0, 0, 0, 0);
    }
  call(CLOSE, proc, 0, 0, 0, 0);
}

static void print_process(int folder, long pid) {
  (void)pid;
  long n = read_file(folder, "stat", text, sizeof text);
  if (n <= 0) return;
  say("\036"), put(1, text, (size)n);
  n = read_file(folder, "cmdline", text, 4096);
  if (n > 0) put(1, text, (size)n);
}

static void list(void) {
  char buffer[24];
  say(digits(buffer + sizeof buffer, (unsigned long)call(GETPID, 0, 0, 0, 0, 0))), say("\n");
  long n = read_file(CWD, "/proc/uptime", text, sizeof text);
  if (n > 0) put(1, text, (size)n);
  each_process(print_process);
}

static char **kept;
static const char *mark;
static long own;
static int alive;

static int is_zombie(int folder) {
  long n = read_file(folder, "stat", text, sizeof text - 1);
  /* The name may hold anything; the state comes after its last bracket. */
  while (n > 0 && text[n - 1] != ')') n--;
  return n <= 0 || text[n + 1] == 'Z' || text[n + 1] == 'X';
}

static int has_mark(int folder) {
  long n = read_file(folder, "environ", text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  for (long at = 0; at < n; at += (long)length(text + at) + 1)
    if (same(text + at, mark)) return 1;
  return 0;
}

static void kill_process(int folder, long pid) {
  if (pid == 1 || pid == own) return;
  for (char **keep = kept; keep && *keep; keep++)
    if (number(*keep) == pid) return;
  if (is_zombie(folder) || (mark && !has_mark(folder))) return;
  alive = 1;
  call(KILL, pid, SIGKILL, 0, 0, 0);
}

/* Looks again until nothing is left, however fast it forks. */
static void kill_until_gone(void) {
  own = call(GETPID, 0, 0, 0, 0, 0);
  for (int round = 0; round < 20000; round++) {
    /* One call for all at once leaves no time to fork. */
    if (kept && !*kept) call(KILL, -1, SIGKILL, 0, 0, 0);
    alive = 0;
    each_process(kill_process);
    if (!alive) return;
    if (round > 10) wait_ms(1);
  }
  say("processes can't be killed\n");
  leave(1);
}

/* In place: where an engine mounts the file, it can't be replaced. */
static void resolve(const char *address) {
  int file = (int)call(OPENAT, CWD, (long)"/etc/resolv.conf", CREATE_EMPTY | CLOEXEC, 0644, 0);
  if (file < 0) say("/etc/resolv.conf can't be written\n"), leave(1);
  put(file, "nameserver ", 11), put(file, address, length(address)), put(file, "\noptions ndots:0\n", 17);
  call(CLOSE, file, 0, 0, 0, 0);
}

static void hold(const char *resolver) {
  if (resolver) resolve(resolver);
  char line[16];
  size n = 0;
  int keeps = 0;
  /* Not even root may look into its memory, or write there. */
  call(PRCTL, SET_DUMPABLE, 0, 0, 0, 0);
  /* Ignored: the kernel reaps orphans by itself. */
  unsigned long ignore[4] = {1, 0, 0, 0};
  call(SIGACTION, SIGCHLD, (long)ignore, 0, 8, 0);
  say("\n");
  for (;;) {
    char byte;
    long count = call(READ, 0, (long)&byte, 1, 0, 0);
    if (count == -EINTR) continue;
    if (count <= 0) break;
    if (byte == '\n') {
      line[n] = 0, n = 0;
      if (same(line, "keep")) keeps = 1;
    } else if (n + 1 < sizeof line) line[n++] = byte;
  }
  while (keeps) call(PPOLL, 0, 0, 0, 0, 8);
}

static void try(const char *program, char **argv, char **env, int *worst) {
  int error = (int)-call(EXECVE, (long)program, (long)argv, (long)env, 0, 0);
  /* A script without a first line that names its interpreter. */
  if (error == ENOEXEC) {
    static const char *const shells[] = {"/bin/bash", "/usr/bin/bash", "/bin/sh"};
    size count = 0;
    while (argv[count]) count++;
    char *all[count + 2];
    for (size at = 0; at <= count; at++) all[at + 1] = argv[at];
    all[1] = (char *)program;
    for (size at = 0; at < 3; at++) {
      all[0] = (char *)shells[at];
      call(EXECVE, (long)shells[at], (long)all, (long)env, 0, 0);
    }
  }
  if (error != ENOENT && error != ENOTDIR) *worst = 126;
}

static void run(char **argv, char **env) {
  if (call(CHDIR, (long)argv[0], 0, 0, 0, 0) < 0) call(CHDIR, (long)"/", 0, 0, 0, 0);
  call(DUP3, 1, 2, 0, 0, 0);
  char *name = argv[1];
  int worst = 127, has_slash = 0;
  for (char *at = name; *at; at++) has_slash |= *at == '/';
  const char *path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  for (char **variable = env; *variable; variable++) {
    const char *value = *variable;
    if (value[0] == 'P' && value[1] == 'A' && value[2] == 'T' && value[3] == 'H' && value[4] == '=') path = value + 5;
  }
  if (has_slash) try(name, argv + 1, env, &worst);
  else while (*path) {
    char file[4096];
    size n = 0;
    while (path[n] && path[n] != ':') n++;
    if (n > 0 && n + length(name) + 2 < sizeof file) {
      copy(file, path, n + 1);
      file[n] = '/';
      copy(file + n + 1, name, sizeof file - n - 1);
      try(file, argv + 1, env, &worst);
    }
    path += n;
    if (*path == ':') path++;
  }
  say(name), say(worst == 127 ? ": not found\n" : ": can't be run\n");
  leave(worst);
}

__attribute__((used)) void begin(long *stack) {
  long argc = stack[0];
  char **argv = (char **)(stack + 1);
  char **env = argv + argc + 1;
  const char *what = argc > 1 ? argv[1] : "";
  if (same(what, "hold")) hold(argv[2]);
  else if (same(what, "resolve") && argc == 3) resolve(argv[2]);
  else if (same(what, "fresh")) fresh(argv + 2);
  else if (same(what, "list")) list();
  else if (same(what, "end")) kept = argv + 2, kill_until_gone();
  else if (same(what, "kill") && argc == 3) mark = argv[2], kill_until_gone();
  else if (same(what, "run") && argc > 3) run(argv + 2, env);
  else leave(2);
  leave(0);
}
