#!/bin/bash
(cut -f1 /hosts; cat /links) >out
