"""Drives the app as a user of a screen reader does: by its accessibility tree and by keys, without pixels.

    drive.py press NAME         runs the action of the button of that name
    drive.py keys COMBINATION   presses keys, for example <Alt><Shift>v
    drive.py type TEXT          types a text and Enter
"""

import sys

from dogtail.config import config

config.checkForA11y = False
config.logDebugToFile = False
config.logDebugToStdOut = False
config.searchCutoffCount = 30

from dogtail import rawinput, tree
from dogtail.predicate import GenericPredicate


def app():
    """The desktop app, by the name that it has in the accessibility tree."""
    return next(one for one in tree.root.applications() if one.name.lower() in ("patchbay", "electron"))


def main(verb, *words):
    if verb == "press":
        (name,) = words
        app().findChild(GenericPredicate(name=name, roleName="push button")).doActionNamed("press")
    elif verb == "keys":
        rawinput.keyCombo(*words)
    elif verb == "type":
        rawinput.typeText(*words)
        rawinput.pressKey("Enter")


main(*sys.argv[1:])
