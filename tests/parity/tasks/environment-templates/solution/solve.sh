#!/bin/bash
echo "$SET|$PART|$LOCAL" >seen
