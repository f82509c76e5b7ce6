"""Starts the server for each case and talks to it. The share of cases that hold goes to descriptor 3."""
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time

held = total = 0
BAD_REQUEST = {"ok": False, "error": "bad request"}
BAD_FRAME = {"ok": False, "error": "bad frame"}
NO_KEY = {"ok": False, "error": "no such key"}
OK = {"ok": True}


class Miss(Exception):
    pass


def expect(found, want, what):
    if found != want or isinstance(found, dict) and json.dumps(found, sort_keys=True) != json.dumps(want, sort_keys=True):
        raise Miss(f"{what}: expected {str(want)[:120]}, found {str(found)[:120]}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, port=None):
        self.port = port or free_port()
        self.process = subprocess.Popen(["/usr/bin/python3", "/app/server.py", str(self.port)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=True, start_new_session=True)
        end = time.monotonic() + 5
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise Miss(f"the server ended at once with exit code {self.process.returncode}")
                if time.monotonic() > end:
                    self.kill()
                    raise Miss("the server did not listen within 5 seconds")
                time.sleep(0.05)

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Client:
    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(8)

    def read(self, length):
        data = b""
        while len(data) < length:
            try:
                piece = self.socket.recv(length - len(data))
            except socket.timeout:
                raise Miss("no reply within 8 seconds")
            except OSError as problem:
                raise Miss(f"the connection broke: {problem}")
            if not piece:
                raise Miss("the server closed the connection instead of a reply")
            data += piece
        return data

    def reply(self):
        (length,) = struct.unpack(">I", self.read(4))
        if length > 50_000_000:
            raise Miss(f"a reply claims to have {length} bytes")
        try:
            return json.loads(self.read(length).decode("utf-8"))
        except ValueError:
            raise Miss("a reply is not JSON, or its length is wrong")

    def raw(self, data):
        try:
            self.socket.sendall(data)
        except OSError as problem:
            raise Miss(f"the server does not take what is sent: {problem}")

    def ask(self, request):
        self.raw(frame(request))
        return self.reply()

    def closed(self):
        try:
            return self.socket.recv(1) == b""
        except socket.timeout:
            return False
        except OSError:
            return True


def frame(request, ascii=False):
    data = request if isinstance(request, bytes) else json.dumps(request, ensure_ascii=ascii).encode()
    return struct.pack(">I", len(data)) + data


def case(function):
    global held, total
    total += 1
    name = function.__name__.replace("_", " ")
    server = None
    try:
        server = Server()
        function(server)
        held += 1
        print(f"ok: {name}")
    except Miss as problem:
        print(f"FAIL: {name}: {problem}")
    except Exception as problem:
        print(f"FAIL: {name}: {type(problem).__name__}: {problem}")
    finally:
        if server:
            server.kill()


@case
def plain_requests(server):
    c = Client(server)
    expect(c.ask({"op": "get", "key": "a"}), NO_KEY, "get before put")
    expect(c.ask({"op": "put", "key": "b", "value": {"x": [1, "two", None]}}), OK, "put")
    expect(c.ask({"op": "put", "key": "a", "value": "text"}), OK, "put")
    expect(c.ask({"op": "get", "key": "b"}), {"ok": True, "value": {"x": [1, "two", None]}}, "get")
    expect(c.ask({"op": "keys"}), {"ok": True, "keys": ["a", "b"]}, "keys")
    expect(c.ask({"op": "add", "key": "n", "value": 5}), {"ok": True, "value": 5}, "add")
    expect(c.ask({"op": "add", "key": "n", "value": -7}), {"ok": True, "value": -2}, "add")


@case
def empty_values(server):
    c = Client(server)
    for value in (0, "", None, False, [], {}):
        expect(c.ask({"op": "put", "key": "", "value": value}), OK, f"put {value!r}")
        expect(c.ask({"op": "get", "key": ""}), {"ok": True, "value": value}, f"get {value!r}")


@case
def other_languages(server):
    c = Client(server)
    for value in ("grüße", "日本語", "🙂" * 50):
        expect(c.ask({"op": "put", "key": value, "value": value}), OK, "put")
        expect(c.ask({"op": "get", "key": value}), {"ok": True, "value": value}, "get")
    expect(c.ask({"op": "keys"}), {"ok": True, "keys": sorted(["grüße", "日本語", "🙂" * 50])}, "keys")


@case
def byte_by_byte(server):
    c = Client(server)
    for byte in frame({"op": "put", "key": "slow", "value": "ü"}):
        c.raw(bytes([byte]))
        time.sleep(0.004)
    expect(c.reply(), OK, "a put, one byte at a time")
    data = frame({"op": "get", "key": "slow"})
    for part in (data[:2], data[2:4], data[4:9], data[9:]):
        c.raw(part)
        time.sleep(0.05)
    expect(c.reply(), {"ok": True, "value": "ü"}, "a get in four parts")


@case
def many_in_one_piece(server):
    c = Client(server)
    c.raw(b"".join(frame({"op": "add", "key": "n", "value": i}) for i in range(300)))
    sum_ = 0
    for i in range(300):
        sum_ += i
        expect(c.reply(), {"ok": True, "value": sum_}, f"reply {i + 1} of 300 requests sent together")


@case
def large_frames(server):
    c = Client(server)
    value = "x" * (1_000_000 - len(json.dumps({"op": "put", "key": "big", "value": ""})))
    data = frame({"op": "put", "key": "big", "value": value})
    expect(len(data), 1_000_004, "length in the test")
    c.raw(data)
    expect(c.reply(), OK, "put of a frame with 1,000,000 bytes")
    expect(c.ask({"op": "get", "key": "big"}) == {"ok": True, "value": value}, True, "the same value comes back")


@case
def bad_requests(server):
    c = Client(server)
    for request in (b"{", b"\xff\xfe", b"[]", b"5", b"null", b'"text"', b"{}", {"op": "get"}, {"op": "put", "key": "a"}, {"op": "put", "key": 5, "value": 1},
                    {"op": "get", "key": None}, {"op": "jump", "key": "a"}, {"op": ["get"], "key": "a"}, {"op": "add", "key": "a"}, {"op": "add", "key": "a", "value": "1"},
                    {"op": "add", "key": "a", "value": 1.0}, {"op": "add", "key": "a", "value": True}):
        expect(c.ask(request), BAD_REQUEST, f"reply to {request}")
    expect(c.ask({"op": "put", "key": "t", "value": "text"}), OK, "put after bad requests")
    expect(c.ask({"op": "add", "key": "t", "value": 1}), BAD_REQUEST, "add to a text")
    expect(c.ask({"op": "get", "key": "t"}), {"ok": True, "value": "text"}, "the text after that")
    expect(c.ask({"op": "keys"}), {"ok": True, "keys": ["t"]}, "keys after bad requests")


@case
def bad_frames(server):
    for length in (0, 1_000_001, 0xFFFFFFFF):
        c = Client(server)
        expect(c.ask({"op": "put", "key": "a", "value": 1}), OK, "put")
        c.raw(struct.pack(">I", length))
        expect(c.reply(), BAD_FRAME, f"reply to the length {length}")
        expect(c.closed(), True, "the connection is closed after a bad frame")
    expect(Client(server).ask({"op": "get", "key": "a"}), {"ok": True, "value": 1}, "the next client")


@case
def closed_sending_side(server):
    c = Client(server)
    c.raw(b"".join(frame({"op": "put", "key": str(i), "value": i}) for i in range(50)))
    c.socket.shutdown(socket.SHUT_WR)
    for i in range(50):
        expect(c.reply(), OK, f"reply {i + 1} after the client stopped sending")
    expect(c.closed(), True, "the connection is closed in the end")


@case
def clients_that_go_away(server):
    for part in (b"\0\0", b"\0\0\0\x10{", frame({"op": "get", "key": "x"})[:-1]):
        c = Client(server)
        c.raw(part)
        c.socket.close()
    c = Client(server)
    c.raw(frame({"op": "put", "key": "r", "value": 1}) * 20)
    c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.socket.close()
    time.sleep(0.2)
    expect(Client(server).ask({"op": "add", "key": "n", "value": 1}), {"ok": True, "value": 1}, "the next client")


@case
def slow_clients_and_others(server):
    idle = [Client(server) for _ in range(20)]
    for i, c in enumerate(idle):
        c.raw(frame({"op": "put", "key": "k", "value": "v"})[: i % 12])
    deaf = Client(server)
    expect(deaf.ask({"op": "put", "key": "big", "value": "y" * 900_000}), OK, "put")
    deaf.socket.setblocking(False)
    try:
        for _ in range(200):
            deaf.socket.send(frame({"op": "get", "key": "big"}))
    except BlockingIOError:
        pass
    time.sleep(0.3)
    started = time.monotonic()
    expect(Client(server).ask({"op": "add", "key": "n", "value": 2}), {"ok": True, "value": 2}, "a client beside slow ones")
    if time.monotonic() - started > 4:
        raise Miss("a client waits for others that are slow")


@case
def fifty_clients_at_once(server):
    problems = []

    def work(number):
        try:
            c = Client(server)
            for _ in range(20):
                c.raw(frame({"op": "add", "key": "sum", "value": 1}) + frame({"op": "put", "key": f"own{number}", "value": number}))
                c.reply()
                expect(c.reply(), OK, "put")
            expect(c.ask({"op": "get", "key": f"own{number}"}), {"ok": True, "value": number}, "get")
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(50)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if problems:
        raise Miss(str(problems[0]))
    expect(Client(server).ask({"op": "get", "key": "sum"}), {"ok": True, "value": 1000}, "1000 additions by 50 clients")


@case
def only_on_loopback(server):
    wanted = f":{server.port:04X}"
    listening = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if os.path.exists(table):
            rows = [line.split() for line in open(table).readlines()[1:]]
            listening += [row[1] for row in rows if row[3] == "0A" and row[1].endswith(wanted)]
    expect(listening, [f"0100007F{wanted}"] if struct.pack("=I", 1) == struct.pack("<I", 1) else [f"7F000001{wanted}"], "the listening address")


@case
def restart_on_the_same_port(server):
    c = Client(server)
    expect(c.ask({"op": "put", "key": "a", "value": 1}), OK, "put")
    # Ended from its side, so that the old connection lingers on the port.
    server.process.send_signal(signal.SIGTERM)
    try:
        expect(server.process.wait(2), 0, "exit code after SIGTERM")
    except subprocess.TimeoutExpired:
        raise Miss("the server still runs 2 seconds after SIGTERM")
    again = Server(server.port)
    try:
        expect(Client(again).ask({"op": "keys"}), {"ok": True, "keys": []}, "keys after a restart")
    finally:
        again.kill()


print(f"{held} of {total} cases hold")
os.write(3, b"1" if held == total else f"{held / total:.4f}".encode())
