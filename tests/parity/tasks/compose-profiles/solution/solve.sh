#!/bin/bash
getent hosts always >always; getent hosts extra >extra
