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

# The latter has two states, as one that pins has.
BUTTONS = ("push button", "toggle button")


def app():
    """The desktop app, by the name that it has in the accessibility tree."""
    return next(one for one in tree.root.applications() if one.name.lower() in ("patchbay", "electron"))


def main(verb, *words):
    if verb == "press":
        (name,) = words
        # Its own action is the first; the others are such as showing a menu.
        button = app().findChild(lambda node: node.name == name and node.roleName in BUTTONS)
        button.doActionNamed(next(iter(button.actions)))
    elif verb == "keys":
        rawinput.keyCombo(*words)
    elif verb == "type":
        rawinput.typeText(*words)
        rawinput.pressKey("Enter")


main(*sys.argv[1:])
