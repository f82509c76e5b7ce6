#!/bin/bash
/context/link >out
