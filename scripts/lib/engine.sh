#!/bin/sh
# Keeps a private dockerd for as long as the caller holds our stdin open. However the caller ends,
# SIGKILL included, stdin closes, the engine is stopped and what it left behind is removed.
# Runs in a mount namespace of its own, so that no mount outlives it.
set -u

# dockerd inherits the lock: it is held until the last of the engine's processes has exited.
exec 9>"$ENGINE_DATA/lock"
if ! flock -w 3 9; then
  rm -rf "$ENGINE_RUN"
  exit 75
fi

clean_up() {
  for table in filter nat; do
    iptables -t "$table" -S | grep -w -- "$ENGINE_BRIDGE" | sed 's/^-A/-D/' |
      while read -r rule; do
        # shellcheck disable=SC2086 # a rule is many words
        iptables -t "$table" $rule
      done
  done
  ip link del "$ENGINE_BRIDGE"
  rm -rf "$ENGINE_RUN"
}

# A kernel without nf_tables may still have the older tables.
if ! iptables -t nat -S >/dev/null 2>&1 && iptables-legacy -t nat -S >/dev/null 2>&1; then
  mkdir "$ENGINE_RUN/bin"
  for name in iptables ip6tables; do
    ln -s "$(command -v "$name-legacy")" "$ENGINE_RUN/bin/$name"
  done
  PATH="$ENGINE_RUN/bin:$PATH"
fi

# A bridge of our own: two engines on docker0 would hand out the same addresses. Without a fixed
# hardware address it would take that of a container, and change it when that container is removed.
ip link del "$ENGINE_BRIDGE" 2>/dev/null
if ! { ip link add "$ENGINE_BRIDGE" address "$ENGINE_HARDWARE_ADDRESS" type bridge &&
  ip addr add "$ENGINE_ADDRESS" dev "$ENGINE_BRIDGE" &&
  ip link set "$ENGINE_BRIDGE" up; }; then
  clean_up 2>/dev/null
  exit 1
fi

# An empty configuration file: the machine's own is for the machine's own engine.
echo '{}' >"$ENGINE_RUN/daemon.json"
dockerd \
  --config-file "$ENGINE_RUN/daemon.json" \
  --host "unix://$ENGINE_RUN/docker.sock" \
  --data-root "$ENGINE_DATA" \
  --exec-root "$ENGINE_RUN/exec" \
  --pidfile "$ENGINE_RUN/docker.pid" \
  --bridge "$ENGINE_BRIDGE" \
  --containerd-namespace "$ENGINE_NAMESPACE" \
  --containerd-plugins-namespace "$ENGINE_NAMESPACE-plugins" \
  --shutdown-timeout 5 \
  </dev/null >"$ENGINE_RUN/log" 2>&1 &
engine=$!

# Waits for the end of stdin, then stops dockerd, by force if it hangs.
exec 3<&0
{
  while read -r _; do :; done
  kill -TERM "$engine"
  tries=0
  while kill -0 "$engine" && [ "$tries" -lt 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -KILL "$engine" && kill -TERM "$(cat "$ENGINE_RUN/exec/containerd/containerd.pid")"
} <&3 9>&- 2>/dev/null &
watcher=$!
exec 3<&-

wait "$engine"
code=$?
kill "$watcher" 2>/dev/null
# The caller shows this if the engine ended too early.
tail -n 20 "$ENGINE_RUN/log" >&2
clean_up >/dev/null 2>&1
exit "$code"
