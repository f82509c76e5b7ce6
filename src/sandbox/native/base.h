/* What term-run's own programs have instead of a libc: system calls, and a few helpers. A program
 * defines `begin`, which gets the stack that the kernel made: argc, argv, the environment. */

#define NULL ((void *)0)
typedef unsigned long size;

#if defined(__x86_64__)
enum {
  READ = 0, WRITE = 1, CLOSE = 3, SIGACTION = 13, PPOLL = 271, NANOSLEEP = 35,
  GETPID = 39, EXECVE = 59, EXIT = 231, KILL = 62, CHDIR = 80, PRCTL = 157, GETDENTS = 217,
  OPENAT = 257, MKDIRAT = 258, UNLINKAT = 263, RENAMEAT2 = 316, FCHMODAT = 268, DUP3 = 292,
  FCHMOD = 91, SOCKET = 41, CONNECT = 42, BIND = 49, LISTEN = 50, ACCEPT4 = 288, SENDTO = 44,
  RECVFROM = 45, SHUTDOWN = 48, SETSOCKOPT = 54, GETSOCKOPT = 55, CLOCK_GETTIME = 228,
  GETRANDOM = 318,
};
static inline long call6(long n, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
enum { DIRECTORY = 0200000, NOFOLLOW = 0400000 };
#elif defined(__aarch64__)
enum {
  READ = 63, WRITE = 64, CLOSE = 57, SIGACTION = 134, PPOLL = 73, NANOSLEEP = 101,
  GETPID = 172, EXECVE = 221, EXIT = 94, KILL = 129, CHDIR = 49, PRCTL = 167, GETDENTS = 61,
  OPENAT = 56, MKDIRAT = 34, UNLINKAT = 35, RENAMEAT2 = 276, FCHMODAT = 53, DUP3 = 24,
  FCHMOD = 52, SOCKET = 198, CONNECT = 203, BIND = 200, LISTEN = 201, ACCEPT4 = 242, SENDTO = 206,
  RECVFROM = 207, SHUTDOWN = 210, SETSOCKOPT = 208, GETSOCKOPT = 209, CLOCK_GETTIME = 113,
  GETRANDOM = 278,
};
static inline long call6(long n, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = n;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
__asm__(".globl _start\n_start: mov x0, sp\nbl begin\n");
enum { DIRECTORY = 040000, NOFOLLOW = 0100000 };
#else
#error "this architecture is not supported"
#endif

static long call(long n, long a, long b, long c, long d, long e) {
  return call6(n, a, b, c, d, e, 0);
}

enum {
  CWD = -100, REMOVEDIR = 0x200, CLOEXEC = 02000000, CREATE_EMPTY = 01101,
  EINTR = 4, ENOENT = 2, ENOEXEC = 8, EACCES = 13, EEXIST = 17, ENOTDIR = 20, EINVAL = 22,
  SIGKILL = 9, SIGCHLD = 17, SET_DUMPABLE = 4,
};

/* Where the source that this was built from can be told from. */
__attribute__((used, section(".source"))) static const char source[] = "source-sha256:" SOURCE_SHA256;

/* The compiler may ask for these. */
void *memcpy(void *restrict to, const void *restrict from, size length) {
  char *bytes = to;
  for (const char *at = from; length--;) *bytes++ = *at++;
  return to;
}

void *memset(void *to, int value, size length) {
  char *bytes = to;
  while (length--) *bytes++ = (char)value;
  return to;
}

static inline size length(const char *s) {
  size n = 0;
  while (s[n]) n++;
  return n;
}

static inline int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static inline void copy(char *to, const char *from, size room) {
  size n = 0;
  while (from[n] && n + 1 < room) to[n] = from[n], n++;
  to[n] = 0;
}

static inline void put(int file, const char *bytes, size count) {
  while (count > 0) {
    long n = call(WRITE, file, (long)bytes, (long)count, 0, 0);
    if (n == -EINTR) continue;
    if (n <= 0) return;
    bytes += n, count -= (size)n;
  }
}

static inline void say(const char *s) { put(1, s, length(s)); }

static inline char *digits(char *end, unsigned long value) {
  *--end = 0;
  do *--end = (char)('0' + value % 10);
  while (value /= 10);
  return end;
}

static inline long number(const char *s) {
  long value = 0;
  if (!*s) return -1;
  for (; *s; s++) {
    if (*s < '0' || *s > '9') return -1;
    value = value * 10 + (*s - '0');
  }
  return value;
}

static inline void leave(int code) {
  for (;;) call(EXIT, code, 0, 0, 0, 0);
}
