"""Tries ctl with services of its own. The share of cases that hold goes to descriptor 3."""
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

held = total = 0
strays = []

# service.py PORT LOG READY_AFTER HOW: notes its start, listens after a while.
SERVICE = '''
import http.server, os, signal, sys, time
port, note, after, how = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
open(note, "a").write(f"{os.getpid()} {os.readlink('/proc/self/fd/0')}\\n")
print("to stdout", flush=True)
print("to stderr", file=sys.stderr, flush=True)
if how == "deaf": signal.signal(signal.SIGTERM, signal.SIG_IGN)
if how == "slow":
    def leave(*_):
        time.sleep(1)
        open(note + ".left", "w").write("left")
        os._exit(0)
    signal.signal(signal.SIGTERM, leave)
time.sleep(after)
if how == "dies": sys.exit(4)
begun = time.time()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        sick = how == "sick" or how == "late" and time.time() - begun < 1.5
        self.send_response(503 if sick else 200 if self.path == "/up" else 404)
        self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()
'''


class Miss(Exception):
    pass


def expect(found, want, what):
    if found != want:
        raise Miss(f"{what}: expected {want!r}, found {found!r}"[:300])


def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone(pid, seconds=3.0):
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(pid)


class Place:
    """A folder with a service, its configuration and what ctl says of it."""

    def __init__(self, after=0, how="plain", start=6, stop=4):
        self.folder = tempfile.mkdtemp()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.path = lambda name: os.path.join(self.folder, name)
        open(self.path("service.py"), "w").write(SERVICE)
        self.words = ["python3", self.path("service.py"), str(self.port), self.path("note"), str(after), how]
        with open(self.path("conf"), "w") as file:
            file.write(f"# a service\n\n  stop_seconds={stop}\nstart_seconds = {start}\ncommand =  {' '.join(self.words)}\n"
                       f"health = http://127.0.0.1:{self.port}/up\npid_file = {self.path('pid')}\nlog_file = {self.path('log')}\n")

    def ctl(self, *words, seconds=20, config=None):
        """Waits for the end of the output, as a caller with $(...) would."""
        started = time.monotonic()
        process = subprocess.Popen(["/app/ctl", config or self.path("conf"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder, start_new_session=True)
        self.group = process.pid
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Miss(f"{' '.join(words)}: ctl, or its output, did not end within {seconds} seconds")
        self.out, self.err, self.code, self.took = out.decode().strip(), err.decode().strip(), process.returncode, time.monotonic() - started

    def starts(self):
        try:
            return [line.split() for line in open(self.path("note"))]
        except OSError:
            return []

    def started(self):
        """Starts the service and gives its process number."""
        self.ctl("start")
        expect(self.code, 0, f"exit code of start ({self.err[-100:]})")
        pid = int(self.starts()[-1][0]) if self.starts() else None
        expect(self.out, f"started {pid}", "output of start")
        expect(open(self.path("pid")).read().strip(), str(pid), "the pid file")
        return pid

    def answers(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/up", timeout=2).status == 200
        except OSError:
            return False

    def status(self, pid):
        self.ctl("status")
        expect((self.out, self.code), (f"running {pid}", 0) if pid else ("stopped", 3), "status")

    def clean(self):
        for line in self.starts():
            if alive(line[0]):
                os.kill(int(line[0]), signal.SIGKILL)


def case(function):
    global held, total
    total += 1
    name = function.__name__.replace("_", " ")
    places = []

    def place(*args, **options):
        places.append(Place(*args, **options))
        return places[-1]

    try:
        function(place)
        held += 1
        print(f"ok: {name}")
    except Miss as problem:
        print(f"FAIL: {name}: {problem}")
    except Exception as problem:
        print(f"FAIL: {name}: {type(problem).__name__}: {problem}")
    finally:
        for made in places:
            made.clean()
        for stray in strays:
            stray.kill()
            stray.wait()
        strays.clear()


def other(*words):
    strays.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    time.sleep(0.2)
    return strays[-1].pid


@case
def start_status_stop(place):
    p = place()
    p.status(None)
    pid = p.started()
    expect(p.answers(), True, "the service answers after start")
    p.status(pid)
    p.ctl("stop")
    expect((p.out, p.code), ("stopped", 0), "stop")
    expect(alive(pid), False, "the service runs after stop")
    expect(os.path.exists(p.path("pid")), False, "the pid file is there after stop")
    p.status(None)


@case
def start_waits_until_healthy(place):
    for p in (place(after=1.5), place(how="late")):
        p.started()
        expect(p.answers(), True, "the service answers right after start")


@case
def log_and_input(place):
    p = place()
    open(p.path("log"), "w").write("before\n")
    p.started()
    p.ctl("restart")
    text = open(p.path("log")).read()
    expect((text.startswith("before\n"), text.count("to stdout"), text.count("to stderr")), (True, 2, 2), "old text, standard output and error in the log")
    expect([line[1] for line in p.starts()], ["/dev/null"] * 2, "the service's standard input")


@case
def start_twice(place):
    p = place()
    pid = p.started()
    p.ctl("start")
    expect((p.out, p.code), (f"already running {pid}", 0), "the second start")
    expect(len(p.starts()), 1, "how often the service was started")
    expect(p.answers(), True, "the service answers")


@case
def service_that_dies(place):
    p = place(after=0.3, how="dies", start=15)
    p.ctl("start", seconds=12)
    expect((p.out, p.code, bool(p.err)), ("", 1, True), "start of a service that ends")
    expect(os.path.exists(p.path("pid")), False, "the pid file is there")
    expect(p.took < 8, True, "start returns soon after the service has ended")


@case
def command_that_is_not_there(place):
    p = place()
    text = open(p.path("conf")).read().replace("python3 ", "/no/such/program ")
    open(p.path("conf"), "w").write(text)
    p.ctl("start")
    expect((p.out, p.code, bool(p.err)), ("", 1, True), "start")
    expect(os.path.exists(p.path("pid")), False, "the pid file is there")


@case
def service_that_stays_sick(place):
    for p in (place(how="sick", start=2), place(after=60, start=2), place(after=60, how="deaf", start=2)):
        p.ctl("start", seconds=12)
        expect((p.out, p.code, bool(p.err)), ("", 1, True), "start of a service that does not get healthy")
        expect(gone(p.starts()[0][0]), True, "the service is gone")
        expect(os.path.exists(p.path("pid")), False, "the pid file is there")
        expect(p.took >= 1.8, True, "start waits for start_seconds")


@case
def another_configuration(place):
    p = place()
    q = place()
    pid = p.started()
    q.status(None)
    q.ctl("stop")
    expect((q.out, q.code), ("not running", 0), "stop of the service that was not started")
    other_pid = q.started()
    q.ctl("stop")
    expect((alive(other_pid), alive(pid), p.answers()), (False, True, True), "the second service gone, the first one there, it answers")


@case
def outlives_its_caller(place):
    p = place()
    pid = p.started()
    try:
        os.killpg(p.group, signal.SIGHUP)
    except ProcessLookupError:
        pass
    time.sleep(0.3)
    expect(p.answers(), True, "the service answers after a hang-up")
    expect(alive(pid), True, "the service runs after a hang-up")


@case
def stubborn_service(place):
    p = place(how="deaf", stop=1)
    pid = p.started()
    p.ctl("stop")
    expect((p.out, p.code), ("stopped", 0), "stop")
    expect(gone(pid, 0.5), True, "the service is gone")
    expect(p.took >= 0.9, True, "stop waits for stop_seconds before SIGKILL")


@case
def slow_goodbye(place):
    p = place(how="slow", stop=6)
    pid = p.started()
    p.ctl("stop")
    expect((p.out, p.code), ("stopped", 0), "stop")
    expect(os.path.exists(p.path("note.left")), True, "the service could finish before it was gone")
    expect(alive(pid), False, "the service runs after stop")
    expect(p.took < 5, True, "stop returns when the service is gone")


@case
def restart(place):
    p = place(how="slow", stop=6)
    first = p.started()
    p.ctl("restart")
    second = int(p.starts()[-1][0])
    expect((p.out.split("\n"), p.code), (["stopped", f"started {second}"], 0), "restart")
    expect((alive(first), alive(second), p.answers()), (False, True, True), "old one gone, new one runs, it answers")
    p.ctl("stop")
    p.ctl("restart")
    third = int(p.starts()[-1][0])
    expect((p.out.split("\n"), p.code), (["not running", f"started {third}"], 0), "restart of a stopped service")


@case
def killed_service(place):
    p = place()
    pid = p.started()
    os.kill(pid, signal.SIGKILL)
    gone(pid)
    p.status(None)
    expect(os.path.exists(p.path("pid")), True, "status changes nothing: the pid file is there")
    p.ctl("stop")
    expect((p.out, p.code), ("not running", 0), "stop")
    expect(os.path.exists(p.path("pid")), False, "the stale pid file is there after stop")
    p.started()


@case
def number_of_another_program(place):
    p = place()
    for pid in (other("sleep", "300"), other("python3", p.path("service.py"), "0", p.path("other"), "300", "plain"), other("sh", "-c", "sleep 300; : " + " ".join(p.words)), os.getpid()):
        open(p.path("pid"), "w").write(f"{pid}\n")
        p.status(None)
        p.ctl("stop")
        expect((p.out, p.code), ("not running", 0), "stop with the number of another program")
        expect(alive(pid), True, "the other program runs")
    pid = other("sleep", "300")
    open(p.path("pid"), "w").write(f"{pid}\n")
    p.started()
    expect(alive(pid), True, "the other program runs after start")


@case
def rubbish_in_the_pid_file(place):
    for text in ("", "\n", "abc\n", "-1\n", "0\n", "1 2\n", "999999999999\n", "../self\n"):
        p = place()
        open(p.path("pid"), "w").write(text)
        p.status(None)
        p.ctl("stop")
        expect((p.out, p.code), ("not running", 0), f"stop with {text!r} in the pid file")
        expect(os.path.exists(p.path("pid")), False, "the stale pid file is there after stop")
    open(p.path("pid"), "w").write("abc\n")
    p.started()


@case
def wrong_use(place):
    p = place()
    for words in ((), ("begin",), ("start", "now")):
        p.ctl(*words)
        expect((p.out, p.code, bool(p.err)), ("", 2, True), f"the arguments {words}")
    p.ctl("status", config=p.path("missing"))
    expect((p.out, p.code, bool(p.err)), ("", 2, True), "a configuration that is not there")
    expect(p.starts(), [], "starts of the service")


print(f"{held} of {total} cases hold")
os.write(3, b"1" if held == total else f"{held / total:.4f}".encode())
