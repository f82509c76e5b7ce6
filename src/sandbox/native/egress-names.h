/* Which names may be reached, and the name that a request is for: of a DNS query, of a TLS
 * ClientHello, of the head of an HTTP request. Whatever isn't plainly a name is none. */

typedef unsigned char byte;
enum { NAME_ROOM = 256, LIST_ROOM = 65536 };

/* Names one after another, each with its NUL. */
struct list {
  size used;
  char names[LIST_ROOM];
};

struct policy {
  int open;
  struct list allowed, local;
};

static struct policy policy, next_policy;

static int add_name(struct list *list, const char *name) {
  size n = length(name) + 1;
  if (n > NAME_ROOM || list->used + n > LIST_ROOM) return 0;
  copy(list->names + list->used, name, n);
  list->used += n;
  return 1;
}

static int is_listed(const struct list *list, const char *name) {
  size n = length(name);
  for (size at = 0; at < list->used; at += length(list->names + at) + 1) {
    const char *entry = list->names + at;
    if (same(entry, name)) return 1;
    if (entry[0] != '*') continue;
    size tail = length(entry + 1);
    if (n > tail && same(entry + 1, name + n - tail)) return 1;
  }
  return 0;
}

static int is_allowed(const char *name) { return name[0] && (policy.open || is_listed(&policy.allowed, name)); }

/* Lower case, without a last dot; 0 if it is no name of a host. */
static int clean_name(char *to, const byte *from, size n) {
  if (n > 0 && from[n - 1] == '.') n--;
  if (n == 0 || n > 253) return 0;
  size label = 0;
  for (size at = 0; at < n; at++) {
    byte c = from[at];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c == '.' ? label == 0 : !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'))
      return 0;
    label = c == '.' ? 0 : label + 1;
    if (label > 63) return 0;
    to[at] = (char)c;
  }
  to[n] = 0;
  return label > 0;
}

static unsigned word(const byte *at) { return (unsigned)(at[0] << 8 | at[1]); }

/* --- DNS --- */

enum { DNS_HEAD = 12, TYPE_A = 1, CLASS_IN = 1, NO_ERROR = 0, FORMAT_ERROR = 1, SERVER_FAILURE = 2, NO_SUCH_NAME = 3, NOT_IMPLEMENTED = 4 };

struct question {
  char name[NAME_ROOM]; /* empty: no host can have this one */
  size end;             /* behind the question */
  unsigned type, class;
};

/* Reads the one question of a message; 0 if there isn't exactly one. */
static int read_question(const byte *message, size n, struct question *question) {
  byte dotted[NAME_ROOM];
  size at = DNS_HEAD, count = 0;
  int plain = 1;
  if (n < DNS_HEAD || word(message + 4) != 1) return 0;
  for (;;) {
    if (at >= n) return 0;
    size label = message[at++];
    if (label == 0) break;
    if (label > 63 || at + label > n || count + label + 1 > sizeof dotted) return 0;
    for (size i = 0; i < label; i++) {
      plain &= message[at + i] != '.';
      dotted[count++] = message[at + i];
    }
    dotted[count++] = '.';
    at += label;
  }
  if (at + 4 > n) return 0;
  question->type = word(message + at), question->class = word(message + at + 2);
  question->end = at + 4;
  if (!plain || !clean_name(question->name, dotted, count)) question->name[0] = 0;
  return 1;
}

/* Makes a query into its answer, in place; returns its length. There is room for 16 bytes more. */
static size make_answer(byte *message, size end, int code, const byte *address) {
  message[2] = (byte)(0x84 | (message[2] & 1));
  message[3] = (byte)(0x80 | code);
  memset(message + 4, 0, 8);
  message[5] = end > DNS_HEAD;
  if (!address) return end;
  static const byte record[12] = {0xc0, DNS_HEAD, 0, TYPE_A, 0, CLASS_IN, 0, 0, 0, 5, 0, 4};
  message[7] = 1;
  memcpy(message + end, record, sizeof record);
  memcpy(message + end + sizeof record, address, 4);
  return end + sizeof record + 4;
}

/* A query for the address of a name, with nothing else in it. */
static size make_query(byte *message, unsigned id, const char *name) {
  size at = DNS_HEAD;
  memset(message, 0, DNS_HEAD);
  message[0] = (byte)(id >> 8), message[1] = (byte)id, message[2] = 1, message[5] = 1;
  while (*name) {
    size label = 0;
    while (name[label] && name[label] != '.') message[at + 1 + label] = (byte)name[label], label++;
    message[at] = (byte)label;
    at += label + 1, name += label;
    if (*name) name++;
  }
  message[at++] = 0;
  message[at++] = 0, message[at++] = TYPE_A, message[at++] = 0, message[at++] = CLASS_IN;
  return at;
}

static size skip_name(const byte *message, size n, size at) {
  while (at < n) {
    size label = message[at];
    if (label == 0) return at + 1;
    if (label >= 0xc0) return at + 2;
    if (label > 63) break;
    at += label + 1;
  }
  return n + 1;
}

/* The addresses in an answer, wherever its chain of names ends. */
static int read_addresses(const byte *message, size n, size at, byte (*to)[4], int room) {
  int count = 0;
  for (unsigned left = word(message + 6); left > 0 && count < room; left--) {
    at = skip_name(message, n, at);
    if (at + 10 > n) break;
    unsigned bytes = word(message + at + 8);
    int is_address = word(message + at) == TYPE_A && word(message + at + 2) == CLASS_IN && bytes == 4;
    at += 10;
    if (at + bytes > n) break;
    if (is_address) memcpy(to[count++], message + at, 4);
    at += bytes;
  }
  return count;
}

/* --- what a connection begins with --- */

enum { INCOMPLETE = 0, FOUND = 1, REFUSED = -1 };

/* The name in a ClientHello, in however many records it comes. */
static int read_hello(const byte *from, size n, char *name) {
  static byte hello[16384];
  size have = 0, at = 0, want = 4;
  while (have < want) {
    if (at + 5 > n) return INCOMPLETE;
    size record = word(from + at + 3);
    if (from[at] != 22 || from[at + 1] != 3 || record == 0 || record > 16384) return REFUSED;
    size here = n - at - 5 < record ? n - at - 5 : record;
    if (have + here > sizeof hello) return REFUSED;
    memcpy(hello + have, from + at + 5, here);
    have += here, at += 5 + record;
    if (have > 0 && hello[0] != 1) return REFUSED;
    if (have >= 4) want = 4 + ((size)hello[1] << 16) + word(hello + 2);
    if (want > sizeof hello) return REFUSED;
    if (have < want && here < record) return INCOMPLETE;
  }
  n = want, at = 4 + 2 + 32;
  if (at + 1 > n) return REFUSED;
  at += 1 + (size)hello[at];
  if (at + 2 > n) return REFUSED;
  at += 2 + (size)word(hello + at);
  if (at + 1 > n) return REFUSED;
  at += 1 + (size)hello[at];
  if (at + 2 > n) return REFUSED;
  size end = at + 2 + word(hello + at);
  at += 2;
  if (end > n) return REFUSED;
  int found = 0;
  while (at + 4 <= end) {
    unsigned type = word(hello + at), bytes = word(hello + at + 2);
    const byte *data = hello + at + 4;
    at += 4 + (size)bytes;
    if (at > end) return REFUSED;
    if (type != 0) continue;
    /* One list with one name in it, as every client sends. */
    if (found || bytes < 5 || word(data) != bytes - 2 || data[2] != 0 || word(data + 3) != bytes - 5) return REFUSED;
    if (!clean_name(name, data + 5, bytes - 5)) return REFUSED;
    found = 1;
  }
  return found ? FOUND : REFUSED;
}

static int is_word(const byte *from, size n, const char *word) {
  for (size at = 0; at < n; at++) {
    byte c = from[at];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c != (byte)word[at] || !c) return 0;
  }
  return word[n] == 0;
}

/* A host with or without a port. */
static int read_authority(char *name, const byte *from, size n) {
  size end = 0;
  while (end < n && from[end] != ':') end++;
  for (size at = end + 1; at < n; at++)
    if (from[at] < '0' || from[at] > '9') return 0;
  return clean_name(name, from, end);
}

/* The one host that the head of an HTTP request names. */
static int read_head(const byte *from, size n, char *name) {
  char target[NAME_ROOM] = "";
  int found = 0;
  for (size at = 0, line = 0;; line++) {
    size end = at;
    while (end < n && from[end] != '\n') end++;
    if (end >= n) return INCOMPLETE;
    size next = end + 1;
    if (end > at && from[end - 1] == '\r') end--;
    for (size i = at; i < end; i++)
      if (from[i] == '\r' || from[i] == 0) return REFUSED;
    if (line == 0) {
      size start = at, stop;
      while (start < end && from[start] != ' ') start++;
      if (start == at || start == end) return REFUSED;
      for (stop = ++start; stop < end && from[stop] != ' ';) stop++;
      if (stop == end || stop == start) return REFUSED;
      if (stop - start > 7 && is_word(from + start, 7, "http://")) {
        size host = start + 7, last = host;
        while (last < stop && from[last] != '/' && from[last] != '?' && from[last] != '#') last++;
        if (!read_authority(target, from + host, last - host)) return REFUSED;
      } else if (from[start] != '/' && !(from[start] == '*' && stop == start + 1)) return REFUSED;
    } else if (end == at) {
      if (!found || (target[0] && !same(target, name))) return REFUSED;
      return FOUND;
    } else {
      size colon = at;
      /* Nothing that another reader could take for a header of its own. */
      while (colon < end && from[colon] != ':' && from[colon] > ' ') colon++;
      if (colon == end || colon == at || from[colon] != ':') return REFUSED;
      if (is_word(from + at, colon - at, "host")) {
        size first = colon + 1, last = end;
        while (first < last && (from[first] == ' ' || from[first] == '\t')) first++;
        while (last > first && (from[last - 1] == ' ' || from[last - 1] == '\t')) last--;
        if (found || !read_authority(name, from + first, last - first)) return REFUSED;
        found = 1;
      }
    }
    at = next;
  }
}
