from pathlib import Path


def test_answer():
    assert Path('/app/answer').read_text().strip() == '42'


def test_machine():
    assert Path('/etc/debian_version').exists()
