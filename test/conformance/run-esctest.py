"""Runs esctest in this terminal: run-esctest.py FOLDER LOGFILE, the folder that esctest.py is in and the file for its log.

Most tests read the screen with DECRQCRA. Where the first such report does not come, none is waited for again: these tests
fail at once.
"""

import sys

folder, log = sys.argv[1:]
sys.path.insert(0, folder)
# Answers of a busy machine may take a while; one that is late would be read by the next test.
sys.argv[1:] = ["--expected-terminal=xterm", "--max-vt-level=4", "--timeout=3", "--no-print-logs", f"--logfile={log}"]

import esccmd  # first: each of the two imports the other
import esctypes
import escutil

checksum_of = escutil.GetChecksumOfRect
missing = False


def checksum_once(rect):
    global missing
    if missing:
        raise esctypes.InternalError("No answer to DECRQCRA.")
    try:
        return checksum_of(rect)
    except esctypes.InternalError:
        missing = True
        raise


escutil.GetChecksumOfRect = checksum_once

import esctest  # runs at its import
