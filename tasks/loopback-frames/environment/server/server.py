"""A small key-value server; see PROTOCOL.md."""
import json
import socket
import struct
import sys

store = {}


def handle(request):
    op = request["op"]
    if op == "put":
        store[request["key"]] = request["value"]
        return {"ok": True}
    if op == "get":
        value = store.get(request["key"])
        if not value:
            return {"ok": False, "error": "no such key"}
        return {"ok": True, "value": value}
    if op == "keys":
        return {"ok": True, "keys": list(store)}
    if op == "add":
        store[request["key"]] = store.get(request["key"], 0) + request["value"]
        return {"ok": True, "value": store[request["key"]]}


def serve(client):
    while True:
        head = client.recv(4)
        if not head:
            return
        (length,) = struct.unpack("I", head)
        request = json.loads(client.recv(length))
        text = json.dumps(handle(request), ensure_ascii=False)
        client.send(struct.pack("I", len(text)) + text.encode())


server = socket.socket()
server.bind(("", int(sys.argv[1])))
server.listen(1)
while True:
    client, _ = server.accept()
    serve(client)
    client.close()
