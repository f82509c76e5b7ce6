// An agent with nothing but Go's standard library: it solves tasks/hello-world.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"
)

// Request is one line from the runner. A pointer is nil where the runner sends null.
type Request struct {
	Instruction string  `json:"instruction"`
	Step        int     `json:"step"`
	LastCommand *string `json:"last_command"`
	Output      *string `json:"output"`
	ExitCode    *int    `json:"exit_code"`
	Cwd         string  `json:"cwd"`
	// Only present when the previous answer could not be used.
	Error string `json:"error"`
}

// Response is one line to the runner. A nil command is null: no command.
type Response struct {
	Command      *string `json:"command"`
	TaskComplete bool    `json:"task_complete"`
	Text         string  `json:"text,omitempty"`
}

const (
	write    = "echo 'Hello, world!' > hello.txt"
	check    = "cat hello.txt"
	maxSteps = 6
)

func solve(request Request) Response {
	switch {
	case request.Step == 1:
		return run(write, "Write the file")
	case request.Step > maxSteps:
		return finish("Giving up: hello.txt can't be written")
	case request.ExitCode == nil || *request.ExitCode != 0:
		return run("rm -rf hello.txt; "+write, "That failed; clear the way and try again")
	case *request.LastCommand != check:
		return run(check, "Is it there?")
	case *request.Output != "Hello, world!":
		return run(write, "Wrong contents; write it again")
	}
	return finish("hello.txt is right")
}

func run(command, text string) Response {
	return Response{Command: &command, Text: text}
}

func finish(text string) Response {
	return Response{TaskComplete: true, Text: text}
}

func main() {
	// The log goes to standard error; standard output carries answers only.
	log.SetFlags(0)
	log.SetPrefix("[agent] ")

	// Line by line. A bufio.Scanner would stop at lines over 64 KB, and an output may be longer.
	input := bufio.NewReader(os.Stdin)
	// An encoder ends each answer with a newline. os.Stdout has no buffer, so none needs a flush.
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return // The runner has ended the trial.
		} else if err != nil {
			log.Fatal(err)
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			log.Fatalf("not a request: %v", err)
		}
		log.Printf("step %d in %s", request.Step, request.Cwd)
		response := solve(request)
		if err := answers.Encode(response); err != nil {
			log.Fatal(err)
		}
		if response.TaskComplete {
			return
		}
	}
}
