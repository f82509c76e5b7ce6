#!/usr/bin/env python3
import pathlib

pathlib.Path('answer').write_text(str(sum(range(10))))
