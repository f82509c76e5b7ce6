/* The only way out of a sandbox whose network has a list of allowed hosts: a static program without
 * a libc, alone in a container that is on the sandbox's network and on the engine's bridge.
 *
 * It answers DNS queries for allowed names with its own address, passes on what then arrives for
 * them on ports 80 and 443, and refuses everything else. It lives as long as its stdin, where it is
 * told line by line what to do:
 *
 *   address A.B.C.D   where it listens, and what it answers
 *   local NAME        a name on the sandbox's network, which the engine's own resolver knows
 *   allow NAME        a host, or all hosts below one: *.NAME
 *   open              everything is allowed; DNS queries get their real answers
 *   apply             what came since the last time is in force, and no older connection lives on;
 *                     answered with a line on stdout
 *   keep              it lives on without its stdin
 *
 * Built by scripts/build-native.sh; the binaries are next to this file. */

#include "base.h"
#include "egress-names.h"

enum {
  INET = 2, STREAM = 1, DATAGRAM = 2, NONBLOCK = 04000,
  SOCKET_LEVEL = 1, REUSE_ADDRESS = 2, SOCKET_ERROR = 4, LINGER = 13, TCP_LEVEL = 6, NO_DELAY = 1,
  NO_SIGNAL = 0x4000, WRITING = 1, EAGAIN = 11, EINPROGRESS = 115, MONOTONIC = 1,
  IN = 1, OUT = 4, FAULT = 8, HANGUP = 16,
  DNS = 53, HTTP = 80, HTTPS = 443,
  CONNECTIONS = 512, BUFFER = 16384, PENDING = 256, SERVERS = 3, ADDRESSES = 4,
};
enum {
  HEAD_MS = 20000, RESOLVE_MS = 2000, RESOLVE_TRIES = 4, CONNECT_MS = 10000, IDLE_MS = 900000,
  DRAIN_MS = 3000, TICK_MS = 500,
};

struct place {
  unsigned short family;
  byte port[2];
  byte address[4];
  byte rest[8];
};

struct poll {
  int file;
  short wanted, found;
};

/* Bytes on their way in one direction. */
struct flow {
  size from, to;
  int ended, /* nothing more comes in */
      shut;  /* and that was passed on */
  byte bytes[BUFFER];
};

enum state { FREE, READING, RESOLVING, CONNECTING, JOINED, DRAINING };

struct connection {
  enum state state;
  unsigned generation;
  int client, upstream, port;
  char name[NAME_ROOM];
  byte addresses[ADDRESSES][4];
  int address_count, address_next, tries;
  long deadline, seen;
  struct flow up, down;
};

/* A query that was passed on: for a datagram's sender, or to find the host of a connection. */
struct pending {
  int used, connection; /* -1: a datagram */
  unsigned id, asked_id, generation;
  long deadline;
  struct place asker;
};

static struct connection connections[CONNECTIONS];
static struct pending pending[PENDING];
static unsigned next_pending, generations;
static byte own[4], servers[SERVERS][4];
static int server_count, datagrams = -1, upstream_queries = -1, listeners[3] = {-1, -1, -1};
static const int ports[3] = {HTTP, HTTPS, DNS};
static long now;

static long time_ms(void) {
  long time[2];
  call(CLOCK_GETTIME, MONOTONIC, (long)time, 0, 0, 0);
  return time[0] * 1000 + time[1] / 1000000;
}

static void fail(const char *what) {
  say(what), say("\n");
  leave(1);
}

static int same_address(const byte *a, const byte *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static struct place place_of(const byte *address, int port) {
  struct place place = {INET, {(byte)(port >> 8), (byte)port}, {0}, {0}};
  memcpy(place.address, address, 4);
  return place;
}

static int read_address(byte *to, const char *from) {
  for (int part = 0; part < 4; part++) {
    unsigned value = 0, count = 0;
    while (*from >= '0' && *from <= '9' && count++ < 3) value = value * 10 + (unsigned)(*from++ - '0');
    if (count == 0 || value > 255 || (part < 3 && *from++ != '.')) return 0;
    to[part] = (byte)value;
  }
  return *from == 0 || *from == ' ' || *from == '\t' || *from == '\n' || *from == '\r';
}

static void set(int file, int level, int option, int value) {
  call(SETSOCKOPT, file, level, option, (long)&value, sizeof value);
}

static int open_socket(int kind) { return (int)call(SOCKET, INET, kind | NONBLOCK | CLOEXEC, 0, 0, 0); }

static int listen_on(int kind, int port) {
  int file = open_socket(kind);
  struct place place = place_of(own, port);
  set(file, SOCKET_LEVEL, REUSE_ADDRESS, 1);
  if (file < 0 || call(BIND, file, (long)&place, sizeof place, 0, 0) < 0) fail("its ports can't be opened");
  if (kind == STREAM && call(LISTEN, file, 128, 0, 0, 0) < 0) fail("its ports can't be opened");
  return file;
}

/* The resolvers of its own container. */
static void find_servers(void) {
  static char text[8192];
  int file = (int)call(OPENAT, CWD, (long)"/etc/resolv.conf", CLOEXEC, 0, 0);
  long n = file < 0 ? 0 : call(READ, file, (long)text, sizeof text - 1, 0, 0);
  call(CLOSE, file, 0, 0, 0, 0);
  text[n > 0 ? n : 0] = 0;
  for (char *at = text; *at && server_count < SERVERS;) {
    static const char word[] = "nameserver ";
    size i = 0;
    while (word[i] && at[i] == word[i]) i++;
    if (!word[i] && read_address(servers[server_count], at + i)) server_count++;
    while (*at && *at != '\n') at++;
    if (*at) at++;
  }
}

/* --- connections --- */

static void abort_socket(int file) {
  if (file < 0) return;
  int linger[2] = {1, 0};
  call(SETSOCKOPT, file, SOCKET_LEVEL, LINGER, (long)linger, sizeof linger);
  call(CLOSE, file, 0, 0, 0, 0);
}

static void drop(struct connection *c) {
  abort_socket(c->client), abort_socket(c->upstream);
  c->client = c->upstream = -1;
  c->state = FREE;
}

static void close_both(struct connection *c) {
  call(CLOSE, c->client, 0, 0, 0, 0);
  if (c->upstream >= 0) call(CLOSE, c->upstream, 0, 0, 0, 0);
  c->client = c->upstream = -1;
  c->state = FREE;
}

static size text_into(struct flow *flow, const char *text, size n) {
  memcpy(flow->bytes, text, n);
  flow->from = 0, flow->to = n;
  return n;
}

/* Says why in the words of the protocol; what else the client sends is thrown away. */
static void turn_away(struct connection *c, int is_refused) {
  static const char refused[] =
      "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 54\r\nConnection: close\r\n\r\n"
      "This host is not on the task's list of allowed hosts.\n";
  static const char unreachable[] =
      "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nContent-Length: 28\r\nConnection: close\r\n\r\n"
      "This host can't be reached.\n";
  /* Fatal alerts: access denied, internal error. */
  static const char denied[] = {21, 3, 1, 0, 2, 2, 49}, broken[] = {21, 3, 1, 0, 2, 2, 80};
  abort_socket(c->upstream);
  c->upstream = -1;
  c->up.from = c->up.to = 0;
  c->down.from = c->down.to = 0, c->down.ended = 1;
  if (c->port == HTTP && is_refused) text_into(&c->down, refused, sizeof refused - 1);
  if (c->port == HTTP && !is_refused) text_into(&c->down, unreachable, sizeof unreachable - 1);
  if (c->port == HTTPS) text_into(&c->down, is_refused ? denied : broken, sizeof denied);
  c->state = DRAINING, c->deadline = now + DRAIN_MS;
}

/* Never the program itself, what belongs to its own machine, or nobody's address. */
static int is_outside(const byte *address) {
  return address[0] != 0 && address[0] != 127 && address[0] < 224 && !(address[0] == 169 && address[1] == 254) &&
         !same_address(address, own);
}

static void connect_next(struct connection *c) {
  abort_socket(c->upstream);
  c->upstream = -1;
  while (c->address_next < c->address_count) {
    const byte *address = c->addresses[c->address_next++];
    if (c->port != DNS && !is_outside(address)) continue;
    struct place place = place_of(address, c->port);
    c->upstream = open_socket(STREAM);
    if (c->upstream < 0) break;
    set(c->upstream, TCP_LEVEL, NO_DELAY, 1);
    long error = call(CONNECT, c->upstream, (long)&place, sizeof place, 0, 0);
    c->state = CONNECTING, c->deadline = now + CONNECT_MS;
    if (error == 0 || error == -EINPROGRESS) return;
    abort_socket(c->upstream);
    c->upstream = -1;
  }
  turn_away(c, 0);
}

static struct pending *new_pending(int connection, unsigned generation) {
  struct pending *entry = &pending[next_pending++ % PENDING];
  unsigned short id;
  int taken;
  entry->used = 0;
  do {
    call(GETRANDOM, (long)&id, sizeof id, 0, 0, 0);
    taken = 0;
    for (int i = 0; i < PENDING; i++) taken |= pending[i].used && pending[i].id == id;
  } while (taken);
  entry->used = 1, entry->id = id, entry->connection = connection, entry->generation = generation;
  entry->deadline = now + RESOLVE_TRIES * RESOLVE_MS;
  return entry;
}

static void send_upstream(const byte *message, size n, int attempt) {
  if (server_count == 0) return;
  struct place to = place_of(servers[attempt % server_count], DNS);
  call6(SENDTO, upstream_queries, (long)message, (long)n, NO_SIGNAL, (long)&to, sizeof to);
}

static void ask_for(struct connection *c) {
  byte query[DNS_HEAD + NAME_ROOM + 6];
  if (c->tries == RESOLVE_TRIES) {
    turn_away(c, 0);
    return;
  }
  struct pending *entry = new_pending((int)(c - connections), c->generation);
  c->state = RESOLVING, c->deadline = now + RESOLVE_MS;
  send_upstream(query, make_query(query, entry->id, c->name), c->tries++);
}

/* The length of what is answered at once; 0: it was passed on; -1: it isn't answered. */
static long answer_query(byte *message, size n, const struct place *asker) {
  struct question question;
  if (n < DNS_HEAD || message[2] & 0x80) return -1;
  if (message[2] & 0x78) return (long)make_answer(message, DNS_HEAD, NOT_IMPLEMENTED, NULL);
  if (!read_question(message, n, &question)) return (long)make_answer(message, DNS_HEAD, FORMAT_ERROR, NULL);
  int is_local = is_listed(&policy.local, question.name), is_address = question.type == TYPE_A && question.class == CLASS_IN;
  if (asker && (policy.open || (is_local && is_address))) {
    byte query[DNS_HEAD + NAME_ROOM + 6];
    struct pending *entry = new_pending(-1, 0);
    entry->asker = *asker, entry->asked_id = word(message);
    if (policy.open) {
      message[0] = (byte)(entry->id >> 8), message[1] = (byte)entry->id;
      send_upstream(message, n, 0);
    } else send_upstream(query, make_query(query, entry->id, question.name), 0);
    return 0;
  }
  if (is_local) return (long)make_answer(message, question.end, is_address ? SERVER_FAILURE : NO_ERROR, NULL);
  if (!is_allowed(question.name)) return (long)make_answer(message, question.end, NO_SUCH_NAME, NULL);
  return (long)make_answer(message, question.end, NO_ERROR, is_address ? own : NULL);
}

static byte datagram[65536];

static void take_queries(void) {
  for (int count = 0; count < 64; count++) {
    struct place asker;
    int room = sizeof asker;
    long n = call6(RECVFROM, datagrams, (long)datagram, sizeof datagram - 16, 0, (long)&asker, (long)&room);
    if (n < 0) return;
    n = answer_query(datagram, (size)n, &asker);
    if (n > 0) call6(SENDTO, datagrams, (long)datagram, n, NO_SIGNAL, (long)&asker, sizeof asker);
  }
}

static void take_answer(size n, const struct place *from) {
  int known = 0;
  for (int i = 0; i < server_count; i++) known |= same_address(servers[i], from->address);
  if (!known || word(from->port) != DNS || n < DNS_HEAD || !(datagram[2] & 0x80)) return;
  for (int i = 0; i < PENDING; i++) {
    struct pending *entry = &pending[i];
    if (!entry->used || entry->id != word(datagram)) continue;
    if (entry->connection < 0) {
      datagram[0] = (byte)(entry->asked_id >> 8), datagram[1] = (byte)entry->asked_id;
      call6(SENDTO, datagrams, (long)datagram, (long)n, NO_SIGNAL, (long)&entry->asker, sizeof entry->asker);
      entry->used = 0;
      return;
    }
    struct connection *c = &connections[entry->connection];
    struct question question;
    if (c->state != RESOLVING || c->generation != entry->generation) entry->used = 0;
    else if (read_question(datagram, n, &question) && same(question.name, c->name)) {
      entry->used = 0;
      c->address_next = 0;
      c->address_count = read_addresses(datagram, n, question.end, c->addresses, ADDRESSES);
      connect_next(c);
    }
    return;
  }
}

static void take_answers(void) {
  for (int count = 0; count < 64; count++) {
    struct place from;
    int room = sizeof from;
    long n = call6(RECVFROM, upstream_queries, (long)datagram, sizeof datagram, 0, (long)&from, (long)&room);
    if (n < 0) return;
    take_answer((size)n, &from);
  }
}

static struct connection *free_connection(void) {
  struct connection *oldest = connections;
  for (int i = 0; i < CONNECTIONS; i++) {
    if (connections[i].state == FREE) return &connections[i];
    if (connections[i].seen < oldest->seen) oldest = &connections[i];
  }
  drop(oldest);
  return oldest;
}

static void accept_all(int listener, int port) {
  for (int count = 0; count < 64; count++) {
    int file = (int)call(ACCEPT4, listener, 0, 0, NONBLOCK | CLOEXEC, 0);
    if (file < 0) return;
    struct connection *c = free_connection();
    set(file, TCP_LEVEL, NO_DELAY, 1);
    c->client = file, c->upstream = -1, c->port = port, c->generation = ++generations;
    c->up.from = c->up.to = c->down.from = c->down.to = 0;
    c->up.ended = c->up.shut = c->down.ended = c->down.shut = 0;
    c->tries = c->address_count = c->address_next = 0;
    c->state = READING, c->deadline = now + HEAD_MS, c->seen = now;
    if (port == DNS && policy.open && server_count > 0) {
      memcpy(c->addresses[0], servers[0], 4);
      c->address_count = 1;
      connect_next(c);
    }
  }
}

/* Whether the socket still works. */
static int fill(int file, struct flow *flow) {
  if (flow->from == flow->to) flow->from = flow->to = 0;
  if (flow->to == BUFFER) return 1;
  long n = call6(RECVFROM, file, (long)(flow->bytes + flow->to), (long)(BUFFER - flow->to), 0, 0, 0);
  if (n == -EAGAIN || n == -EINTR) return 1;
  if (n < 0) return 0;
  if (n == 0) flow->ended = 1;
  flow->to += (size)n;
  return 1;
}

static int empty(int file, struct flow *flow) {
  while (flow->from < flow->to) {
    long n = call6(SENDTO, file, (long)(flow->bytes + flow->from), (long)(flow->to - flow->from), NO_SIGNAL, 0, 0);
    if (n == -EAGAIN || n == -EINTR) return 1;
    if (n < 0) return 0;
    flow->from += (size)n;
  }
  flow->from = flow->to = 0;
  if (flow->ended && !flow->shut) call(SHUTDOWN, file, WRITING, 0, 0, 0), flow->shut = 1;
  return 1;
}

/* DNS over TCP: queries, each after its length. */
static void answer_stream(struct connection *c) {
  struct flow *in = &c->up, *out = &c->down;
  while (in->to - in->from >= 2 && out->to == 0) {
    size n = word(in->bytes + in->from);
    if (n > 4096) return drop(c);
    if (in->to - in->from < 2 + n) break;
    memcpy(datagram, in->bytes + in->from + 2, n);
    in->from += 2 + n;
    long answered = answer_query(datagram, n, NULL);
    if (answered <= 0) return drop(c);
    out->bytes[0] = (byte)(answered >> 8), out->bytes[1] = (byte)answered;
    memcpy(out->bytes + 2, datagram, (size)answered);
    out->to = 2 + (size)answered;
    if (!empty(c->client, out)) return drop(c);
  }
  if (in->from > 0) {
    size left = 0;
    while (in->from < in->to) in->bytes[left++] = in->bytes[in->from++];
    in->from = 0, in->to = left;
  }
  c->deadline = now + HEAD_MS;
  if (in->ended && out->to == 0) close_both(c);
}

static void read_request(struct connection *c) {
  if (!fill(c->client, &c->up)) return drop(c);
  if (c->port == DNS) return answer_stream(c);
  int found = (c->port == HTTP ? read_head : read_hello)(c->up.bytes, c->up.to, c->name);
  if (found == FOUND && is_allowed(c->name)) ask_for(c);
  else if (found != INCOMPLETE || c->up.to == BUFFER) turn_away(c, 1);
  else if (c->up.ended) drop(c);
}

static void pass_on(struct connection *c, short client, short upstream) {
  if ((client & (IN | HANGUP | FAULT)) && !c->up.ended && !fill(c->client, &c->up)) return drop(c);
  if ((upstream & (IN | HANGUP | FAULT)) && !c->down.ended && !fill(c->upstream, &c->down)) return drop(c);
  if (!empty(c->upstream, &c->up) || !empty(c->client, &c->down)) return drop(c);
  c->seen = now, c->deadline = now + IDLE_MS;
  if (c->up.shut && c->down.shut) close_both(c);
}

static void drain(struct connection *c) {
  if (!c->up.ended) {
    c->up.from = c->up.to = 0;
    if (!fill(c->client, &c->up)) return drop(c);
  }
  if (!empty(c->client, &c->down)) return drop(c);
  if (c->up.ended && c->down.shut) close_both(c);
}

static void serve(struct connection *c, short client, short upstream) {
  if (c->state == READING && client) {
    c->seen = now;
    if (c->down.to > 0 && !empty(c->client, &c->down)) return drop(c);
    read_request(c);
  } else if (c->state == CONNECTING && upstream) {
    int error = 0, room = sizeof error;
    call(GETSOCKOPT, c->upstream, SOCKET_LEVEL, SOCKET_ERROR, (long)&error, (long)&room);
    if (error) return connect_next(c);
    c->state = JOINED;
    pass_on(c, 0, 0);
  } else if (c->state == JOINED && (client || upstream)) pass_on(c, client, upstream);
  else if (c->state == DRAINING && client) drain(c);
}

static void give_up(struct connection *c) {
  if (c->state == RESOLVING) ask_for(c);
  else if (c->state == CONNECTING) connect_next(c);
  else drop(c);
}

static int room_in(const struct flow *flow) { return !flow->ended && (flow->to < BUFFER || flow->from == flow->to); }

static short wanted_of_client(const struct connection *c) {
  short wanted = 0;
  if ((c->state == READING || c->state == JOINED) && room_in(&c->up)) wanted |= IN;
  if (c->state == DRAINING && !c->up.ended) wanted |= IN;
  if (c->down.from < c->down.to || (c->state == DRAINING && !c->down.shut)) wanted |= OUT;
  return wanted;
}

static short wanted_of_upstream(const struct connection *c) {
  short wanted = 0;
  if (c->state == CONNECTING) return OUT;
  if (c->state != JOINED) return 0;
  if (room_in(&c->down)) wanted |= IN;
  if (c->up.from < c->up.to) wanted |= OUT;
  return wanted;
}

/* --- what it is told --- */

static void apply(void) {
  if (datagrams < 0) {
    if (!own[0]) fail("it was told no address");
    find_servers();
    upstream_queries = open_socket(DATAGRAM);
    if (upstream_queries < 0) fail("no socket can be opened");
    datagrams = listen_on(DATAGRAM, DNS);
    for (int i = 0; i < 3; i++) listeners[i] = listen_on(STREAM, ports[i]);
  }
  for (int i = 0; i < CONNECTIONS; i++)
    if (connections[i].state != FREE) drop(&connections[i]);
  for (int i = 0; i < PENDING; i++) pending[i].used = 0;
  policy = next_policy;
  next_policy.open = 0, next_policy.allowed.used = next_policy.local.used = 0;
  say("applied\n");
}

static int keeps;

static void obey(char *line) {
  char *rest = line;
  while (*rest && *rest != ' ') rest++;
  if (*rest) *rest++ = 0;
  if (same(line, "address") && read_address(own, rest)) return;
  if (same(line, "local") && add_name(&next_policy.local, rest)) return;
  if (same(line, "allow") && add_name(&next_policy.allowed, rest)) return;
  if (same(line, "open")) next_policy.open = 1;
  else if (same(line, "apply")) apply();
  else if (same(line, "keep")) keeps = 1;
  else fail("it was told what it can't do");
}

/* Returns whether there may be more. */
static int take_orders(void) {
  static char line[NAME_ROOM + 16];
  static size n;
  char bytes[4096];
  long count = call(READ, 0, (long)bytes, sizeof bytes, 0, 0);
  if (count == -EINTR || count == -EAGAIN) return 1;
  if (count <= 0) {
    if (!keeps) leave(0);
    return 0;
  }
  for (long i = 0; i < count; i++) {
    if (bytes[i] == '\n') line[n] = 0, n = 0, obey(line);
    else if (n + 1 < sizeof line) line[n++] = bytes[i];
    else fail("it was told what it can't do");
  }
  return 1;
}

__attribute__((used)) void begin(void) {
  static struct poll files[6 + 2 * CONNECTIONS];
  int orders = 0;
  for (;;) {
    int count = 6, busy = 0;
    files[0] = (struct poll){orders, IN, 0};
    files[1] = (struct poll){datagrams, IN, 0};
    files[2] = (struct poll){upstream_queries, IN, 0};
    for (int i = 0; i < 3; i++) files[3 + i] = (struct poll){listeners[i], IN, 0};
    static struct connection *polled[CONNECTIONS];
    for (struct connection *c = connections; c < connections + CONNECTIONS; c++) {
      if (c->state == FREE) continue;
      short client = wanted_of_client(c), upstream = wanted_of_upstream(c);
      polled[busy++] = c;
      files[count++] = (struct poll){client ? c->client : -1, client, 0};
      files[count++] = (struct poll){upstream ? c->upstream : -1, upstream, 0};
    }
    long pause[2] = {TICK_MS / 1000, TICK_MS % 1000 * 1000000};
    call(PPOLL, (long)files, count, busy > 0 ? (long)pause : 0, 0, 8);
    now = time_ms();
    for (int i = 0; i < busy; i++) {
      struct connection *c = polled[i];
      serve(c, files[6 + 2 * i].found, files[7 + 2 * i].found);
      if (c->state != FREE && now >= c->deadline) give_up(c);
    }
    if (files[1].found) take_queries();
    if (files[2].found) take_answers();
    for (int i = 0; i < 3; i++)
      if (files[3 + i].found) accept_all(listeners[i], ports[i]);
    /* Last: what was polled must not change under the others. */
    if (files[0].found && !take_orders()) orders = -1;
  }
}
