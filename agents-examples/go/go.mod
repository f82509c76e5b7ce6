module hello-agent

go 1.21
