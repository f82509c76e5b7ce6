#!/bin/bash
cp /etc/settings.ini seen
