"""A small key-value server; see PROTOCOL.md. One thread a client; a lock around the store."""
import json
import os
import signal
import socket
import struct
import sys
import threading

MOST = 1_000_000
BAD_REQUEST = {"ok": False, "error": "bad request"}
store = {}
lock = threading.Lock()


def whole(value):
    return type(value) is int


def handle(request):
    if not isinstance(request, dict):
        return BAD_REQUEST
    op = request.get("op")
    if op == "keys":
        return {"ok": True, "keys": sorted(store)}
    key = request.get("key")
    if not isinstance(key, str):
        return BAD_REQUEST
    if op == "put" and "value" in request:
        store[key] = request["value"]
        return {"ok": True}
    if op == "get":
        return {"ok": True, "value": store[key]} if key in store else {"ok": False, "error": "no such key"}
    if op == "add" and whole(request.get("value")) and whole(store.get(key, 0)):
        store[key] = store.get(key, 0) + request["value"]
        return {"ok": True, "value": store[key]}
    return BAD_REQUEST


def receive(client, length):
    """Exactly so many bytes, or None if the client ends before."""
    data = bytearray()
    while len(data) < length:
        piece = client.recv(min(65536, length - len(data)))
        if not piece:
            return None
        data += piece
    return bytes(data)


def answer(client, reply):
    data = json.dumps(reply).encode()
    client.sendall(struct.pack(">I", len(data)) + data)


def serve(client):
    with client:
        try:
            while (head := receive(client, 4)) is not None:
                (length,) = struct.unpack(">I", head)
                if not 1 <= length <= MOST:
                    answer(client, {"ok": False, "error": "bad frame"})
                    # Closing with unread data would take the reply away from the client.
                    client.shutdown(socket.SHUT_WR)
                    client.settimeout(1)
                    while client.recv(65536):
                        pass
                    return
                data = receive(client, length)
                if data is None:
                    return
                try:
                    request = json.loads(data.decode("utf-8"))
                except (ValueError, RecursionError):
                    request = None
                with lock:
                    reply = handle(request)
                answer(client, reply)
        except OSError:
            pass


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(sys.argv[1])))
server.listen(128)
while True:
    connection, _ = server.accept()
    threading.Thread(target=serve, args=(connection,), daemon=True).start()
