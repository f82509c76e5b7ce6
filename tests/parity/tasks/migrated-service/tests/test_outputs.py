from pathlib import Path


def test_copy():
    assert Path('/app/copy').read_text().strip() == 'stored'
