words=(one two three)
echo "${words[2]}" >word
