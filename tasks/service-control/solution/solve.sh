#!/bin/sh
set -e
cat >/app/ctl <<'SCRIPT'
#!/usr/bin/python3
"""Controls a service: ctl CONFIG start|stop|restart|status"""
import os
import signal
import subprocess
import sys
import time
import urllib.request


def config(path):
    values = {}
    with open(path) as file:
        for line in file:
            line = line.strip()
            if line and not line.startswith("#"):
                name, _, value = line.partition("=")
                values[name.strip()] = value.strip()
    return values


def is_service(pid):
    """Whether this process runs, and is the service."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")[:-1]
        with open(f"/proc/{pid}/stat") as file:
            state = file.read().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX" and words == [os.fsencode(word) for word in settings["command"].split()]


def running():
    try:
        with open(settings["pid_file"]) as file:
            text = file.read().strip()
    except (OSError, ValueError):
        return None
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 and is_service(int(text)) else None


def forget():
    try:
        os.remove(settings["pid_file"])
    except FileNotFoundError:
        pass


def healthy():
    try:
        # No proxy: the address is meant as it stands.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(settings["health"], timeout=1) as answer:
            return answer.status == 200
    except (OSError, ValueError):
        return False
    except Exception:
        return False


def start():
    pid = running()
    if pid:
        print(f"already running {pid}")
        return 0
    with open(settings["log_file"], "ab") as log:
        try:
            service = subprocess.Popen(settings["command"].split(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        except OSError as problem:
            forget()
            print(f"ctl: {problem}", file=sys.stderr)
            return 1
    with open(settings["pid_file"], "w") as file:
        file.write(f"{service.pid}\n")
    end = time.monotonic() + float(settings["start_seconds"])
    while time.monotonic() < end and service.poll() is None:
        if healthy() and service.poll() is None:
            print(f"started {service.pid}")
            return 0
        time.sleep(0.1)
    ended = service.poll() is not None
    if not ended:
        service.kill()
        service.wait()
    forget()
    print("ctl: the service ended by itself" if ended else "ctl: the service did not become healthy", file=sys.stderr)
    return 1


def stop():
    pid = running()
    if not pid:
        forget()
        print("not running")
        return 0
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + float(settings["stop_seconds"])
    while is_service(pid) and time.monotonic() < end:
        time.sleep(0.05)
    if is_service(pid):
        os.kill(pid, signal.SIGKILL)
        while is_service(pid):
            time.sleep(0.05)
    forget()
    print("stopped")
    return 0


def restart():
    stop()
    return start()


def status():
    pid = running()
    print(f"running {pid}" if pid else "stopped")
    return 0 if pid else 3


actions = {"start": start, "stop": stop, "restart": restart, "status": status}
if len(sys.argv) != 3 or sys.argv[2] not in actions:
    print("usage: ctl CONFIG start|stop|restart|status", file=sys.stderr)
    sys.exit(2)
try:
    settings = config(sys.argv[1])
except (OSError, ValueError) as problem:
    print(f"ctl: {problem}", file=sys.stderr)
    sys.exit(2)
sys.exit(actions[sys.argv[2]]())
SCRIPT
chmod +x /app/ctl
