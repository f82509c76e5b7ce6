import urllib.request


def test_page():
    with urllib.request.urlopen('http://127.0.0.1:8080/', timeout=10) as page:
        assert page.read() == b'hello from the server\n'
