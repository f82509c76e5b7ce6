#!/bin/bash
id -un >who
sudo sh -c 'id -un >/root/who'
