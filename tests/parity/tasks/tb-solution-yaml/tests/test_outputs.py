from pathlib import Path


def test_answer():
    assert Path('/app/answer').read_text().strip() == '42'
