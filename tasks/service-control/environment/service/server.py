"""An example of a service: answers every request with 200. Ready a second after its start."""
import http.server
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok\n")


print("starting", flush=True)
time.sleep(1)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
