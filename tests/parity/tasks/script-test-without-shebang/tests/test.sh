words=(one two three)
reward=1
[ "$(cat word)" = "${words[2]}" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
