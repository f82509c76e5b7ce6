#!/usr/bin/env python3
import json
import pathlib

answer = pathlib.Path('answer')
right = answer.exists() and answer.read_text().strip() == '45'
pathlib.Path('/logs/verifier/reward.json').write_text(json.dumps({'reward': int(right)}))
